"""Scene games in the loop: turn documents, one a segment, until a player has to speak."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests import plain
from tests.dm.playing import Line, Once, Table, calls
from tests.scenes import night

from turnwright import Campaign
from turnwright.dm.exchange import Narrated
from turnwright.dm.model import ModelAnswer
from turnwright.dm.suggesting import suggest
from turnwright.model.strict_json import sha256


def hands_in(*made: Any, **output: Any) -> Line:
    return {"tool_calls": list(made), "output": output or None}


@pytest.fixture
def city(tmp_path: Path) -> Iterator[Any]:
    opened: list[Table] = []

    def begin(*lines: Line, is_opened: bool = True, settings: Any = None, own: Any = None, **how: Any) -> Table:
        path = tmp_path / f"night_{len(opened)}"
        campaign = Campaign.new(path, "scenes", seed="x", clock=plain.clock)
        if is_opened:
            night.begin(campaign)
        if own:
            campaign.set(own)
        opened.append(Table(campaign, path, *lines, settings=settings or {}, **how))
        return opened[-1]

    yield begin
    for one in opened:
        one.campaign.close()


def stage(play: Table) -> str:
    found: str = play.campaign.state["crew.json"]["awaiting"]["stage"]
    return found


def told(play: Table) -> list[str]:
    return [event.text for event in play.told if isinstance(event, Narrated)]


def test_the_story_opens_once_somebody_is_there(city: Any) -> None:
    play = city(hands_in(**night.OPENING), is_opened=False)
    assert play.answer(night.CHOICES).outcome == "answered"
    assert stage(play) == "player_text"
    assert night.OPENING["opening_thread"] in told(play)


def test_segments_follow_each_other_until_a_die_is_asked_for(city: Any) -> None:
    pool = (1, 3, 4, 4, 5)
    play = city(calls(night.CHOOSE, night.ENGAGE), calls(night.spend(*pool)), hands_in(narration="You land softly."))
    play.campaign.set({"narration.check": "off"})
    crew = play.campaign.state["crew.json"]
    lines = [calls(night.CHOOSE, night.ENGAGE), calls(night.spend(*crew["dice_pool"]))]
    play.model._model._lines = [*lines, hands_in(narration="You land softly.")]
    assert play.say("I go in").outcome == "waiting"
    assert stage(play) == "player_dice"
    assert play.answer(0).outcome == "answered"
    assert told(play)[-1] == "You land softly."
    prompts = [request.system for request in play.model.requests]
    assert len(set(prompts)) == 3, "each segment has its own prompt"


def test_hints_are_for_what_the_player_said_and_for_the_mood(city: Any) -> None:
    play = city(calls(night.CHOOSE, night.ENGAGE), {"fail": "timeout"}, suggest=suggest)
    play.say("I rush the guards")
    first, second = (request.system.partition("## Tool hints")[2] for request in play.model.requests)
    assert "`engage`" in first
    assert "`engage`" not in second
    lines = (play.path / "telemetry.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(lines[0])["message_sha256"] == sha256(b"I rush the guards")


def test_a_bad_output_goes_back_and_is_mended(city: Any) -> None:
    play = city(hands_in(narration=7), hands_in(narration="Rain."))
    assert play.say("I wait").outcome == "answered"
    assert "output.narration" in play.model.last
    assert told(play) == ["Rain."]


def test_prose_alone_is_the_narration_where_nothing_else_is_owed(city: Any) -> None:
    play = city({"text": "Rain, and the smell of eels."})
    assert play.say("I wait").outcome == "answered"
    assert told(play) == ["Rain, and the smell of eels."]


def test_after_too_many_bad_outputs_the_engine_goes_on_by_itself(city: Any) -> None:
    play = city(*[hands_in(narration=7)] * 9)
    exchange = play.say("I wait")
    assert stage(play) == "player_text"
    assert exchange.outcome == "answered", "the engine's holding line"
    assert any(event["type"] == "TurnFallback" for reply in exchange.replies for event in reply["events"])


def test_garbage_changes_nothing_and_what_was_said_waits(city: Any) -> None:
    play = city(*[{"text": "{{{", "is_well_formed": False}] * 9)
    play.campaign.process({"user_input": "I wait"})
    before = play.everything()
    exchange = play.say()
    assert (exchange.outcome, exchange.failure) == ("failed", "garbage")
    assert play.everything() == before
    assert stage(play) == "dm_turn"
    play.model._model = Once(lambda _: ModelAnswer("Rain."))
    assert play.say().outcome == "answered"
    assert told(play) == ["Rain."]


def test_a_text_where_a_die_is_awaited_is_refused(city: Any) -> None:
    play = city(calls(night.CHOOSE, night.ENGAGE))
    crew = play.campaign.state["crew.json"]
    play.model._model._lines.append(calls(night.spend(*crew["dice_pool"])))
    play.say("I go in")
    exchange = play.say("I would rather talk")
    assert exchange.outcome == "refused"
    assert stage(play) == "player_dice"


def test_a_contradiction_is_handed_in_again_under_the_same_turn_id(city: Any) -> None:
    lie = hands_in(narration="Mira takes 7 points of damage.")
    play = city(lie, hands_in(narration="Rain."), own={"narration.check": "retry"})
    assert play.say("I wait").outcome == "answered"
    kinds = [(record["kind"], record["turn_id"]) for record in play.records()[-2:]]
    assert kinds[0][0] == "attempt"
    assert kinds[0][1] == kinds[1][1]
    assert told(play) == ["Rain."]


def test_a_game_that_is_over_asks_nobody(city: Any) -> None:
    play = city(is_opened=False)
    play.answer("cancel")
    exchange = play.say("hello?")
    assert exchange.outcome in ("waiting", "refused")
    assert play.model.requests == []
