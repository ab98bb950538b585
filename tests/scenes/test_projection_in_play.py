"""A night played through the public door: no player ever sees what is hidden, whatever happens."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from tests.builders import call, failed, results
from tests.scenes import night
from tests.scenes.between import play_of, playing, scene
from tests.scenes.night import HUSH

from turnwright import Campaign
from turnwright.model.clock import Clock
from turnwright.model.viewer import Viewer
from turnwright.protocol.stage6_publish.publish import project
from turnwright.rulesets.scenes.clocks import check_completion
from turnwright.rulesets.scenes.projection import player_state
from turnwright.rulesets.scenes.texts import take_text

Json = Any
MIRA = "player:character-1"
RESOLVED: dict[str, Json] = {
    "partial": {"resolve_outcome": "costly"},
    "critical": {"resolve_outcome": "clean"},
    "success": {"resolve_outcome": "clean"},
    "bad": {"resolve_outcome": "setback", "escape_route": "the roof"},
}
PASS_OUT = {"narration": "You fall.", "wake_up_location": "canal", "clocks_to_advance": [f"{HUSH}-id"]}
CLOCK_OFFER = {
    "label": "Let it come",
    "hint": "something below stirs",
    "cost_type": "clock",
    "cost_target": f"{HUSH}-id",
    "cost_amount": 1,
    "dice_gained": 1,
    "narrative": "It stirs.",
}
HEAT_OFFER = {"label": "Make noise", "hint": "they look", "cost_type": "heat", "narrative": f"{HUSH} glass breaks"}
RETREAT = {"narration": "You slip away."}
WAYS = [
    ("Pay", "coin", 1, f"{HUSH} they take it"),
    ("Take the blow", "stress", 2, "It hurts."),
    ("Run", "stress", 3, f"{HUSH} you run"),
]


@pytest.fixture
def table(tmp_path: Path, clock: Callable[[], datetime]) -> Iterator[Campaign]:
    with Campaign.new(tmp_path / "night", "scenes", seed="x", clock=clock) as campaign:
        night.begin(campaign)
        yield campaign


@pytest.fixture
def bargain(table: Campaign) -> Campaign:
    """Give the night with its dice gone and the city's offers on the table."""
    _say(table, "I go in")
    for face in night.POOL:
        done(night.play(table, night.CHOOSE, night.ENGAGE))
        done(night.play(table, night.spend(*table.state["crew.json"]["dice_pool"], stress=0, heat=0)))
        spent = done(night.answer(table, 0, authority=MIRA))
        assert results(spent)[0]["chosen_die_value"] == face
        if face != night.POOL[-1]:
            told = RESOLVED[results(spent)[0]["tier"]]
            done(night.play(table, call("resolve", resolve_what=HUSH, **told)))
            done(night.play(table, call("accept", accept_transition=HUSH), narration="On.", clock_ticks=[tick()]))
            if table.state["crew.json"]["awaiting"]["stage"] == "dm_compression":
                night.play(table, summary=HUSH, key_moments=[HUSH])
            _say(table, "again")
    offers = [CLOCK_OFFER, HEAT_OFFER]
    done(night.play(table, narration="The city leans in.", offers=offers, retreat_plan=RETREAT, pass_out_plan=PASS_OUT))
    require_hush(table)
    return table


def tick() -> Json:
    return {"clock_id": "clock-1", "ticks": 1, "reason": "noise"}


def _say(campaign: Campaign, text: str) -> None:
    done(campaign.process({"user_input": text}, authority=MIRA))


def done(reply: Json) -> Json:
    assert reply["status"] in ("applied", "empty"), failed(reply)
    return reply


def require_hush(campaign: Campaign) -> None:
    """Require that players see nothing hidden, neither where things stand nor in any turn so far."""
    with campaign.reading() as world:
        assert HUSH not in said(player_state(world, "character-1"))
    for record in campaign.records():
        if record["kind"] == "turn":
            assert HUSH not in said(project(record, Viewer.of(MIRA))), record["turn_id"]
            assert HUSH not in said(project(record, Viewer.of("player:somebody"))), record["turn_id"]


def said(value: object) -> str:
    return json.dumps(value)


def test_the_night_holds_what_players_must_not_see(bargain: Campaign) -> None:
    assert HUSH in said(bargain.state)
    assert any(HUSH in said(record["events"]) for record in bargain.records() if record["kind"] == "turn")


def test_a_deal_about_a_hidden_clock_does_not_name_it(bargain: Campaign) -> None:
    reply = done(night.answer(bargain, "offer_1", authority=MIRA))
    assert HUSH in said(reply)
    seen = project(reply, Viewer.of(MIRA), own=True)
    accepted = next(event for event in seen["events"] if event["type"] == "BargainAccepted")
    told = {"description": "Let it come", "cost_type": "clock", "amount": 1, "target": None, "name": None}
    assert accepted["data"] == told
    require_hush(bargain)


def test_passing_out_does_not_name_the_hidden_clocks_that_move(bargain: Campaign) -> None:
    reply = done(night.answer(bargain, "pass_out", authority=MIRA))
    assert results(project(reply, Viewer.of(MIRA), own=True))[0]["clocks_advanced"] == []
    require_hush(bargain)


def test_a_deal_does_not_name_a_hidden_clock_that_threatens_no_more(bargain: Campaign, tmp_path: Path) -> None:
    path = tmp_path / "night" / "clocks" / f"{HUSH}-id.json"
    path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8")) | {"type": "goal"}), encoding="utf-8")
    reply = night.answer(bargain, "offer_1", authority=MIRA)
    assert HUSH in said(reply["tool_feedback"]), "the game master is told"
    seen = project(reply, Viewer.of(MIRA), own=True)
    (failure,) = seen["tool_feedback"]["failed_calls"]
    told = (failure["reason"], failure["detail"])
    assert told == ("bargain_target_unknown", "this cannot be done as things stand")
    require_hush(bargain)
    assert HUSH not in said(seen)


def test_an_interlude_with_the_law_in_it_keeps_its_secrets(bargain: Campaign, tmp_path: Path) -> None:
    path = tmp_path / "night" / "crew.json"
    path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8")) | {"heat": 10}), encoding="utf-8")
    done(night.answer(bargain, "retreat", authority=MIRA))
    done(night.play(bargain, summary=HUSH, key_moments=[HUSH], consequence_seeds=[HUSH]))
    keys = ("eo_label", "eo_cost_type", "eo_cost_amount", "eo_resolution")
    ways = [dict(zip(keys, way, strict=True)) for way in WAYS]
    done(night.play(bargain, eo_type="raid", eo_narration="Boots on the stairs.", eo_options=ways))
    require_hush(bargain)
    done(night.answer(bargain, 1, authority=MIRA))
    done(night.play(bargain, text="Night passes."))
    require_hush(bargain)
    done(night.answer(bargain, "new_scene", authority=MIRA))
    require_hush(bargain)


def test_a_hidden_clock_that_breaks_in_does_not_say_its_name() -> None:
    rot = {"id": "rot", "name": HUSH, "segments": 4, "filled": 4, "visible": False, "type": "threat"}
    play = play_of(Clock.model_validate(rot), scene(), crew={"phase": playing(), "dice_pool": [4]})
    check_completion(play)
    take_text(play, "I look around")
    assert [event.type for event in play.events if event.type == "InterruptFired"]
    assert HUSH not in said([event.data for event in play.events if event.audience == "player"])
