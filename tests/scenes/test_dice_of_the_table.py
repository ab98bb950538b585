"""A scene game whose pool is thrown by the table: its own requests and those for dice are kept apart."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests import builders
from tests.builders import Json, failed
from tests.scenes import night

from turnwright import Campaign
from turnwright.audit.verify import verify

RAIN = builders.call("roll_dice", "rain", expression="1d6")


@pytest.fixture(name="game")
def fixture_game(tmp_path: Path) -> Iterator[Campaign]:
    with Campaign.new(tmp_path / "game", "scenes", seed="x", clock=builders.clock) as campaign:
        campaign.set({"dice.source": "table"})
        night.answer(campaign, night.CHOICES)
        yield campaign


@pytest.fixture(name="told")
def fixture_told(tmp_path: Path) -> Iterator[Campaign]:
    """Give a game in which a player is asked what they do, and the game master may roll dice."""
    with Campaign.new(tmp_path / "told", "scenes", seed="x", clock=builders.clock) as campaign:
        night.answer(campaign, night.CHOICES)
        campaign.process({"output": night.OPENING}, dice=list(night.POOL))
        edited = campaign.state["campaign.json"] | {"settings": {"dice": {"source": "table"}}}
        edited["allowlist"] = [*edited["allowlist"], "roll_dice"]
        (tmp_path / "told" / "campaign.json").write_text(builders.spelt(edited))
        yield campaign


def throw(campaign: Campaign, reply: Json, *faces: int) -> Json:
    return campaign.process({"answer": {"request_id": reply["request"]["request_id"], "value": list(faces)}})


def test_the_opening_waits_for_the_pool(game: Campaign, tmp_path: Path) -> None:
    waiting = game.process({"output": night.OPENING})
    assert [(die["part"], die["sides"], die["why"]) for die in waiting["request"]["dice"]] == [(1, 6, "pool")] * 5
    done = throw(game, waiting, *night.POOL)
    assert done["status"] == "applied"
    assert game.state["crew.json"]["dice_pool"] == list(night.POOL)
    assert done["request"] == game.state["crew.json"]["request"]
    assert verify(tmp_path / "game").problems == ()


def test_the_same_pool_from_engine_and_table_leads_to_the_same_game(game: Campaign, tmp_path: Path) -> None:
    throw(game, game.process({"output": night.OPENING}), *night.POOL)
    with Campaign.new(tmp_path / "other", "scenes", seed="x", clock=builders.clock) as other:
        other.set({"goal.text": "get out"})
        night.answer(other, night.CHOICES)
        other.process({"output": night.OPENING}, dice=list(night.POOL))
        theirs, ours = other.state, game.state
    assert {**theirs["crew.json"], "awaiting": None} == {**ours["crew.json"], "awaiting": None}


def test_a_weighted_draw_is_no_die_of_the_table(game: Campaign) -> None:
    throw(game, game.process({"output": night.OPENING}), *night.POOL)
    assert game.process({"tool_calls": [night.CHOOSE]})["status"] == "applied"


def test_a_stale_request_for_dice_is_none_of_the_game_s(game: Campaign) -> None:
    waiting = game.process({"output": night.OPENING})
    throw(game, waiting, *night.POOL)
    assert failed(throw(game, waiting, *night.POOL)) == [("rejected", "request_stale")]


def test_the_game_s_own_request_stays_open_and_its_answer_closes_the_turn_that_waits(told: Campaign) -> None:
    asked = told.state["crew.json"]["request"]
    waiting = told.process({"turn_id": "a", "tool_calls": [RAIN]})
    assert waiting["request"]["request_id"] != asked["id"]
    assert told.state["crew.json"]["request"] == asked
    answered = night.answer(told, "I listen")
    assert (answered["status"], answered["turn_id"] != "a") == ("applied", True)
    *_, closed, _ = told.records()
    assert (closed["turn_id"], closed["status"]) == ("a", "failed")


def test_what_the_player_said_is_aborted_with_a_turn_whose_dice_never_came(told: Campaign, tmp_path: Path) -> None:
    assert told.process({"turn_id": "a", "user_input": "I listen", "tool_calls": [RAIN]})["status"] == "waiting"
    assert told.state["crew.json"]["awaiting"]["stage"] == "player_text"
    told.process({"turn_id": "b"})
    *_, closed, _ = told.records()
    assert [entry["id"] for entry in closed["tool_feedback"]["failed_calls"]] == ["user_input", "rain"]
    assert verify(tmp_path / "told").problems == ()
