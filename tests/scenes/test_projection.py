"""What players see of a scene game: what they should, and nothing that is hidden."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import results, untyped
from tests.scenes.night import HUSH

from turnwright.model.base import Document
from turnwright.model.campaign import CampaignDocument
from turnwright.model.character import Character
from turnwright.model.clock import Clock
from turnwright.model.crew import Crew
from turnwright.model.intrigue import Faction, Rumor, Thread
from turnwright.model.location import Location
from turnwright.model.scene import Scene, SceneSummary
from turnwright.model.state.overlay import InMemorySource, World
from turnwright.model.viewer import Viewer
from turnwright.protocol.stage6_publish.publish import project
from turnwright.rulesets.scenes.projection import player_state, table_state

Json = Any


def said(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


# one world with something hidden in every place

CONTEXT = {"die_chosen": 4, "position": "risky", "tier": "success", "situation": HUSH, "stakes": HUSH}
CALM: list[Json] = [
    {"mood": "scene", "variant": "encounter", "source": HUSH},
    {"mood": "scene", "variant": "opportunity", "nature": HUSH, "catch": HUSH, "offered_by": "marrow"},
    {"mood": "scene", "variant": "discovery", "what": HUSH, "implications": [HUSH]},
    {"mood": "action", "variant": "risky", "intent": HUSH, "threat": HUSH, "opportunity": HUSH},
    {"mood": "aftermath", "variant": "disaster", "catastrophe": HUSH, "action_context": CONTEXT},
]
OFFER = {
    "id": "offer_1",
    "label": HUSH,
    "hint": HUSH,
    "cost_type": "clock",
    "cost_amount": 1,
    "cost_target": HUSH,
    "dice_gained": 1,
    "narrative": HUSH,
}
PLAN = {"narration": HUSH, "wake_up_location": HUSH, "clocks_to_advance": [HUSH]}
MOODS: list[Json] = [
    *CALM,
    {"mood": "trauma", "variant": "breaking", "for": "mira", "what_broke": HUSH, "trigger": "dice", "suggested": HUSH},
    *(
        {
            "mood": "bargain",
            "variant": "bargaining",
            "what_drained": HUSH,
            "can_retreat": True,
            "previous_mood": mood,
            "offers": [OFFER],
            "retreat_plan": PLAN,
            "pass_out_plan": PLAN,
        }
        for mood in CALM
    ),
]
WAY = {"label": HUSH, "cost_type": "coin", "cost_amount": 1, "resolution": HUSH}
INTERLUDE = {
    "clocks": [],
    "transition_narration": HUSH,
    "stage": "entanglement",
    "options": [{"key": "new_scene", "option": "new_scene", "label": HUSH}],
    "entanglement": {"type": "raid", "narration": HUSH, "options": [WAY]},
    "completed_clocks": [HUSH],
}
PHASES: list[Json] = [
    *({"tag": "playing", "scene_id": "scene-1", "mood": mood} for mood in MOODS),
    {"tag": "between_scenes", "context": INTERLUDE},
    {"tag": "scenario_init", "for": "mira"},
    {"tag": "character_creation"},
    {"tag": "session_ended", "reason": "player_choice"},
]
INTERRUPT = {"clock_id": HUSH, "event_type": HUSH, "description": HUSH, "forces_action": True}
CONSEQUENCE = {"id": "consequence-1", "clock_id": "rot", "name": HUSH, "type": "threat", "text": HUSH, "prompt_id": 1}
ENTRIES: list[Json | None] = [
    None,
    {"origin": "from_aftermath", "transition_note": HUSH, "unresolved_threats": [HUSH], "recent_costs": [HUSH]},
    {"origin": "from_pass_out", "narration": HUSH, "clocks_advanced": [HUSH]},
    {"origin": "from_interlude", "option": HUSH, "narration": HUSH, "completed_clocks": [HUSH]},
]
OUTCOME = {"die_value": 4, "hint": HUSH, "narrative": HUSH}
PENDING = {"situation": HUSH, "position": "risky", "stakes": HUSH, "outcomes": [OUTCOME] * 2, "request_id": "request-1"}
TO_TOMAS = {
    "id": "request-1",
    "kind": "dice",
    "for": "tomas",
    "to": "tomas",
    "prompt": HUSH,
    "payload": {"situation": HUSH, "position": "risky", "dice": []},
}
CREW: Json = {
    "heat": 5,
    "wanted": 1,
    "session_goals": [HUSH],
    "dice_pool": [4, 1],
    "recent_costs": ["a good coat"],
    "unresolved_threats": [HUSH],
    "pending_interrupt": INTERRUPT,
    "interrupt_queue": [INTERRUPT],
    "pending_consequences": [CONSEQUENCE],
    "suggested_actions": ["Run"],
    "awaiting": {"stage": "player_dice", "for": "tomas", "player_text": HUSH},
    "request": TO_TOMAS,
}
SECRET = {"content": HUSH, "known_by": [HUSH]}
BEATS: list[Json] = [
    {"beat": "player_action", "text": HUSH},
    {"beat": "npc_speech", "npc_id": HUSH, "text": HUSH},
    {"beat": "revelation", "secret": SECRET},
    {"beat": "environment_shift", "text": HUSH},
    {"beat": "clock_tick", "clock_id": HUSH, "ticks": 1},
]
CLOCK: Json = {"segments": 4, "type": "threat", "consequence": HUSH}
DOCUMENTS: list[tuple[type[Document], Json]] = [
    (CampaignDocument, {"format": 2, "id": "c", "selected": {"party_character_ids": ["mira", "tomas"]}}),
    (Character, {"id": "mira", "name": "Mira", "stress": 6, "coin": 2, "trauma": ["cold"], "voice_notes": HUSH}),
    (Character, {"id": "tomas", "name": "Tomas", "stress": 2, "coin": 71, "trauma": [HUSH], "voice_notes": HUSH}),
    (
        Character,
        {
            "id": "marrow",
            "name": "Old Marrow",
            "character_type": "npc",
            "wants": [{"description": HUSH}],
            "fears": [{"description": HUSH}],
            "knows": [SECRET],
            "voice_notes": HUSH,
            "faction": HUSH,
        },
    ),
    (Character, {"id": "cass", "name": HUSH, "character_type": "npc"}),
    (Clock, {"id": "wardens", "name": "The Wardens", "filled": 3} | CLOCK),
    (Clock, {"id": "rot", "name": HUSH, "filled": 4, "visible": False, "completed_at_turn": 1} | CLOCK),
    (Clock, {"id": "old", "name": HUSH, "filled": 4, "completed_at_turn": 1} | CLOCK),
    (Clock, {"id": HUSH, "name": HUSH, "filled": 1, "visible": False} | CLOCK),
    (Faction, {"id": "f", "name": HUSH, "secrets": [SECRET], "goals": [{"id": "g", "description": HUSH}]}),
    (Thread, {"id": "t", "hook": HUSH, "deadline": "rot"}),
    (Rumor, {"id": "r", "content": HUSH}),
    (Location, {"id": "anchor", "name": "The Rusty Anchor", "description": HUSH, "features": [HUSH]}),
    (Location, {"id": "vault", "name": HUSH}),
    (
        Scene,
        {
            "id": "scene-1",
            "location": "anchor",
            "present": ["marrow"],
            "stakes": "the ledger",
            "beats": [{"seq": 1, "turn": 1} | beat for beat in BEATS],
        },
    ),
    (
        SceneSummary,
        {"id": "s", "text": HUSH, "key_moments": [HUSH], "scene_id": "x", "scene_location": "x", "beat_range": [0, 1]},
    ),
]


def world_with(**crew: Any) -> World:
    documents = [model.model_validate(value) for model, value in DOCUMENTS]
    documents.append(Crew.model_validate(CREW | crew))
    return World(InMemorySource({document.path: document for document in documents}))


@given(
    phase=st.sampled_from(PHASES),
    entry=st.sampled_from(ENTRIES),
    pending=st.sampled_from([None, PENDING, PENDING | {"chosen_index": 1, "chosen_die": 4, "chosen_tier": "success"}]),
)
def test_nothing_hidden_is_in_what_a_player_sees(phase: Json, entry: Json | None, pending: Json | None) -> None:
    world = world_with(phase=phase, scene_entry_context=entry, pending_outcome=pending)
    assert HUSH in said(table_state(world))
    assert HUSH not in said(player_state(world, "mira"))


def test_a_player_sees_where_the_game_stands() -> None:
    state = player_state(world_with(phase=PHASES[3]), "mira")
    assert state == {
        "phase": "playing",
        "mood": "action",
        "awaiting": {"stage": "player_dice", "who": "player", "for": "tomas"},
        "turn": 0,
        "scene": {"location": "The Rusty Anchor", "present": ["Old Marrow"], "stakes": "the ledger"},
        "dice_pool": [4, 1],
        "heat": {"value": 5, "max": 10, "word": "watching"},
        "wanted": {"value": 1, "max": 4, "word": "flagged"},
        "precarity": "walls_closing_in",
        "suggested_actions": ["Run"],
        "recent_costs": ["a good coat"],
        "you": {
            "id": "mira",
            "name": "Mira",
            "stress": {"value": 6, "max": 9, "word": "wearing"},
            "coin": 2,
            "trauma": ["cold"],
            "pending_trauma": False,
        },
        "party": [{"id": "tomas", "name": "Tomas", "stress": {"value": 2, "max": 9, "word": "clean"}}],
        "clocks": [{"name": "The Wardens", "type": "threat", "filled": 3, "segments": 4}],
        "request": None,
    }


def test_the_game_master_sees_hidden_clocks_threats_and_every_purse() -> None:
    state = table_state(world_with())
    assert state is not None
    assert [(clock["id"], clock["visible"]) for clock in state["clocks"]] == [
        (HUSH, False),
        ("rot", False),
        ("wardens", True),
    ]
    assert [(member["id"], member["coin"]) for member in state["party"]] == [("mira", 2), ("tomas", 71)]
    assert state["unresolved_threats"] == [HUSH]
    assert state["request"] is not None
    assert state["request"]["id"] == "request-1"
    assert state["precarity"] == "room_to_maneuver", "of tomas, whose dice are awaited"


@pytest.mark.parametrize(("to", "is_seen"), [("table", True), ("mira", True), ("tomas", False), ("mir", False)])
def test_a_request_is_seen_by_whom_it_asks(to: str, is_seen: bool) -> None:
    state = player_state(world_with(request=TO_TOMAS | {"to": to}), "mira")
    assert state is not None
    assert (state["request"] is not None) == is_seen


@pytest.mark.parametrize("onlooker", ["marrow", "nobody"])
def test_who_is_not_in_the_party_only_looks_on(onlooker: str) -> None:
    state = player_state(world_with(), onlooker)
    assert state is not None
    assert (state["you"], [member["id"] for member in state["party"]]) == (None, ["mira", "tomas"])
    assert HUSH not in said(state)


def test_the_limits_of_the_bars_are_the_settings() -> None:
    world = world_with()
    world.put(world.campaign.replace(settings={"scene": {"stress_max": 12, "heat_max": 7}}))
    state = player_state(world, "mira")
    assert state is not None
    assert state["you"] is not None
    assert (state["you"]["stress"]["max"], state["heat"]["max"]) == (12, 7)


def test_a_campaign_without_a_scene_game_has_nothing_to_see() -> None:
    world = World(InMemorySource({}))
    assert (player_state(world, "mira"), table_state(world)) == (None, None)


# replies

REPLY: Json = {
    "turn_id": "turn_0001",
    "seq": 1,
    "timestamp": "2026-01-14T16:05:31+00:00",
    "status": "partial",
    "applied_actions": [{"id": "1", "tool": "answer", "args": {"a": 1}, "result": {"tier": "x"}, "timestamp": "t"}],
    "tool_feedback": {
        "failed_calls": [
            {
                "id": "2",
                "tool": "answer",
                "status": "error",
                "reason": "answer_invalid",
                "detail": "d",
                "hint": {"x": 1},
            }
        ]
    },
    "events": [],
    "findings": [{"kind": "missing"}],
    "request": None,
    "state_summary": {"active_actor_id": "mira"},
}


def failed_with(reason: str, **hint: str) -> Json:
    call = {"id": "2", "tool": "x", "status": "rejected", "reason": reason, "detail": "the rot is full", "hint": hint}
    return REPLY | {"tool_feedback": {"failed_calls": [call]}}


def test_what_the_game_master_did_as_a_character_is_not_that_players_own_turn() -> None:
    seen = project(REPLY, Viewer.of("player:mira"))
    assert (seen["applied_actions"], seen["tool_feedback"]) == ([], {"failed_calls": []})
    assert project(REPLY | {"authority": "gm"}, Viewer.of("player:mira")) == seen
    assert project(REPLY | {"authority": "player:tomas"}, Viewer.of("player:mira")) == seen


@pytest.mark.parametrize(("reply", "own"), [(REPLY, True), (REPLY | {"authority": "player:mira"}, False)])
def test_a_players_own_turn_is_told_without_arguments_and_hints(reply: Json, own: bool) -> None:
    seen = project(reply, Viewer.of("player:mira"), own=own)
    assert seen["applied_actions"] == [{"id": "1", "tool": "answer", "result": {"tier": "x"}, "timestamp": "t"}]
    assert seen["tool_feedback"]["failed_calls"] == [
        {"id": "2", "tool": "answer", "status": "error", "reason": "answer_invalid", "detail": "d"}
    ]
    assert {"findings", "state_summary", "authority"}.isdisjoint(seen)


def test_the_game_master_sees_all_of_a_reply() -> None:
    assert project(REPLY, Viewer.of("gm")) == REPLY


@pytest.mark.parametrize(
    ("reply", "is_told"),
    [
        (failed_with("bargain_no_effect"), False),
        (failed_with("ambiguous"), False),
        (failed_with("invalid_args"), True),
        (failed_with("repeat_illegal_request", first_reason="ambiguous"), False),
        (failed_with("repeat_illegal_request", first_reason="answer_invalid"), True),
    ],
)
def test_a_detail_is_told_only_where_it_speaks_of_what_the_player_said(reply: Json, is_told: bool) -> None:
    call = project(reply, Viewer.of("player:mira"), own=True)["tool_feedback"]["failed_calls"][0]
    assert ("rot" in call["detail"]) == is_told
    assert call["detail"]


def event(kind: str, audience: str = "player", **data: Any) -> Json:
    return {"type": kind, "part": 1, "segment": 1, "audience": audience, "data": data, "cause": "x"}


def test_events_for_others_stay_with_them() -> None:
    events = [event("NarrativeAdded", text="a"), event("RandomChoice", "gm"), event("MoodTransition", "log")]
    seen = project(REPLY | {"events": events}, Viewer.player("mira"))
    assert [e["type"] for e in seen["events"]] == ["NarrativeAdded"]


def test_a_hidden_clock_is_not_named_by_what_moves_it() -> None:
    events = [
        event("ClockAdvanced", "gm", id="rot", name="The rot"),
        event("ClockAdvanced", id="wardens", name="The Wardens"),
        event("BargainAccepted", target="rot", description="let it rot"),
        event("BargainAccepted", target="wardens", description="call them"),
        event("InterruptFired", clock_id="rot", description="the floor gives way"),
    ]
    result = {"clocks_advanced": ["rot", "wardens"], "cost_applied": {"target": "rot", "amount": 1}}
    reply = REPLY | {"events": events, "applied_actions": [REPLY["applied_actions"][0] | {"result": result}]}
    seen = project(reply, Viewer.of("player:mira"), own=True)
    assert [e["data"] for e in seen["events"]] == [
        {"id": "wardens", "name": "The Wardens"},
        {"target": None, "description": "let it rot"},
        {"target": "wardens", "description": "call them"},
        {"description": "the floor gives way"},
    ]
    assert results(seen) == [{"clocks_advanced": ["wardens"], "cost_applied": {"target": None, "amount": 1}}]
    assert events[2]["data"]["target"] == "rot", "the reply itself is left alone"


@pytest.mark.parametrize(("to", "is_seen"), [("table", True), ("mira", True), ("tomas", False)])
def test_a_reply_holds_a_request_for_whom_it_asks_whosever_dice_they_are(to: str, is_seen: bool) -> None:
    seen = project(REPLY | {"request": TO_TOMAS | {"to": to}}, Viewer.of("player:mira"))
    assert (seen["request"] is not None) == is_seen


def test_of_a_refused_turn_a_player_learns_why() -> None:
    refused = {"turn_id": "t", "seq": None, "timestamp": "t", "status": "refused", "reason": "r", "detail": "d"}
    assert project(untyped(refused | {"hint": {"allowed": [HUSH]}}), Viewer.of("player:mira"), own=True) == refused
