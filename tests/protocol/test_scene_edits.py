"""What a scene game edited by hand must be like before a turn meets it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders import clock
from tests.sampling import tries
from tests.scenes.beginnings import CHOICES, PC, SCENARIO, Json, changed
from tests.scenes.table import parsed

from turnwright import Campaign
from turnwright.audit.check import check_directory
from turnwright.model.errors import BadRequest
from turnwright.model.state.overlay import InMemorySource, World
from turnwright.model.wire.reason import Problem
from turnwright.protocol.validation.edits import campaign_problems

MOOD: Json = {"mood": "scene", "variant": "encounter", "source": "opening", "urgency": "low", "escapable": True}
ACTION: Json = {"mood": "action", "variant": "risky", "intent": "go", "threat": "dogs", "opportunity": "the roof"}
BARGAIN: Json = {
    **{"mood": "bargain", "variant": "bargaining", "what_drained": "the dark", "can_retreat": True},
    "previous_mood": ACTION,
}
TEXT: Json = {"id": "request-4", "kind": "text", "for": "ash", "payload": {"suggestions": []}}
CHOICE: Json = {
    "id": "request-1",
    "kind": "choice",
    "payload": {"options": [{"index": 0, "key": "offer_1", "label": "a deal"}]},
}
DIE: Json = {"value": 3, "tier": "partial", "hint": "a way", "stress_cost": 0, "heat_cost": 0, "coin_delta": 0}
DICE: Json = {
    **{"id": "request-4", "kind": "dice", "for": "ash", "to": "ash"},
    "payload": {"situation": "now", "position": "risky", "dice": [DIE | {"index": 0}, DIE | {"index": 1}]},
}
BROKEN: Json = {"mood": "trauma", "for": "ash", "what_broke": "the dark", "trigger": "turn"}
OUTCOME: Json = {"die_value": 3, "hint": "a way", "narrative": "so it goes"}
OFFER: Json = {
    **{"situation": "now", "position": "risky", "request_id": "request-4", "for": "ash"},
    "outcomes": [OUTCOME, {**OUTCOME}],
}
CREW: Json = {
    "phase": {"tag": "playing", "scene_id": "scene-1", "mood": MOOD},
    "dice_pool": [3, 3],
    "awaiting": {"stage": "player_text", "prompt_id": 4},
    "request": TEXT,
}
OFFERED = CREW | {
    "phase": {"tag": "playing", "scene_id": "scene-1", "mood": ACTION},
    "awaiting": {"stage": "player_dice", "for": "ash"},
    "request": DICE,
    "pending_outcome": OFFER,
}
CLOCK: Json = {"id": "raid", "name": "The Raid", "segments": 6, "filled": 2, "type": "threat"}
WORLD: dict[str, Json] = {
    "campaign.json": {"format": 2, "id": "c", "counters": {"request": 4, "consequence": 1}},
    "crew.json": CREW,
    "scenes/scene-1.json": {"id": "scene-1", "location": "quay", "present": ["harrow"]},
    "scenes/scene-0.json": {"id": "scene-0", "location": "quay", "open": False},
    "summaries/summary-1.json": {
        **{"id": "summary-1", "text": "It rained.", "scene_id": "scene-0", "scene_location": "quay"},
        "beat_range": [0, 4],
    },
    "locations/quay.json": {"id": "quay", "name": "The Quay"},
    "factions/watch.json": {"id": "watch", "name": "The Watch"},
    "threads/debt.json": {"id": "debt", "hook": "Who pays?", "involves": ["watch", "harrow"], "deadline": "raid"},
    "clocks/raid.json": CLOCK,
    "characters/ash.json": PC | {"id": "ash", "stress": 9, "trauma": ["cold", "soft"]},
    "characters/harrow.json": {
        **{"id": "harrow", "character_type": "npc", "faction": "watch", "location": "quay"},
    },
}
DUE: Json = {"id": "consequence-1", "clock_id": "raid", "name": "x", "type": "threat", "text": "x", "prompt_id": 1}
INTERRUPT: Json = {"clock_id": "raid", "event_type": "clock_completed", "description": "x", "forces_action": True}


def problems(
    values: dict[str, Json], *, paths: list[str] | None = None, before: Mapping[str, Json] = {}
) -> list[Problem]:
    """Return what is wrong with these documents, or with some of them given the others and how they were before."""
    documents = parsed(values)
    return campaign_problems(World(InMemorySource(documents)), paths or documents, parsed(before).get)


def faults(
    values: dict[str, Json], *, paths: list[str] | None = None, before: Mapping[str, Json] = {}
) -> list[tuple[str, str, str]]:
    """Return file, path and rule of what makes these documents invalid."""
    found = problems(values, paths=paths, before=before)
    return [(problem.file, problem.path, problem.rule) for problem in found if not problem.warning]


def of_crew(crew: Json, **changes: Any) -> list[tuple[str, str]]:
    """Return path and rule of what is wrong with a crew."""
    return [(path, rule) for _, path, rule in faults(WORLD | {"crew.json": changed(crew, **changes)})]


def test_a_sound_game_has_no_faults_and_no_warnings() -> None:
    assert problems(WORLD) == []
    assert problems(WORLD | {"crew.json": OFFERED}) == []
    assert problems(WORLD | {"crew.json": {}}) == []


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"heat": 11}, ("$.heat", "too_much")),
        ({"wanted": 5}, ("$.wanted", "too_much")),
        ({"dice_pool": [1] * 7}, ("$.dice_pool", "too_much")),
        ({"recent_costs": [*"abcd"]}, ("$.recent_costs", "too_much")),
        ({"unresolved_threats": [*"abcdef"]}, ("$.unresolved_threats", "too_much")),
        ({"unresolved_threats": ["The  debt", "the DEBT"]}, ("$.unresolved_threats", "duplicate")),
        ({"recent_costs": ["a", "A"]}, ("$.recent_costs", "duplicate")),
        ({"request": None}, ("$.request", "request")),
        ({"request": DICE}, ("$.request", "request")),
        ({"awaiting__stage": "dm_turn"}, ("$.request", "request")),
        (
            {"awaiting__stage": "dm_turn", "request": None, "phase__scene_id": "x"},
            ("$.phase.scene_id", "unknown_scene"),
        ),
        ({"phase__scene_id": "scene-0"}, ("$.phase.scene_id", "closed_scene")),
        ({"awaiting__stage": "dm_scenario", "request": None}, ("$.awaiting.stage", "stage")),
        ({"awaiting__stage": "none", "request": None}, ("$.awaiting.stage", "stage")),
        ({"phase__mood": BARGAIN}, ("$.dice_pool", "dice_pool")),
        ({"phase__mood": ACTION, "dice_pool": []}, ("$.dice_pool", "dice_pool")),
        ({"request__id": "request-5"}, ("$.request.id", "counter")),
        ({"closed_scene_id": "x"}, ("$.closed_scene_id", "unknown_scene")),
        ({"recent_summary_ids": ["x"]}, ("$.recent_summary_ids[0]", "unknown_summary")),
        ({"pending_interrupt": INTERRUPT | {"clock_id": "x"}}, ("$.pending_interrupt.clock_id", "unknown_clock")),
        ({"pending_consequences": [DUE | {"clock_id": "x"}]}, ("$.pending_consequences[0].clock_id", "unknown_clock")),
        ({"pending_consequences": [DUE | {"id": "consequence-2"}]}, ("$.pending_consequences[0].id", "counter")),
        ({"pending_outcome": OFFER}, ("$.pending_outcome", "offer")),
        (
            {"awaiting__stage": "player_choice", "request": CHOICE},
            ("$.request.payload.options[0].key", "option"),
        ),
        (
            {"awaiting__stage": "player_choice", "request": CHOICE | {"payload": {"options": []}}},
            ("$.request.payload.options", "option"),
        ),
        ({"closed_scene_id": "scene-1"}, ("$.closed_scene_id", "open_scene")),
        ({"phase__mood": BROKEN | {"for": "x"}}, ("$.phase.mood.for", "unknown_character")),
        (
            {"phase": {"tag": "scenario_init", "for": "x"}, "awaiting": {"stage": "dm_scenario"}, "request": None},
            ("$.phase.for", "unknown_character"),
        ),
    ],
)
def test_a_crew_that_does_not_fit_is_told_where(changes: Json, fault: tuple[str, str]) -> None:
    assert of_crew(CREW, **changes) == [fault]


@pytest.mark.parametrize(
    ("stage", "step", "found"),
    [
        ("dm_compression", "entering", []),
        ("dm_compression", "choosing", [("$.phase.context.stage", "stage")]),
        ("dm_entanglement", "entanglement", []),
        ("dm_entanglement", "choosing", [("$.phase.context.stage", "stage")]),
        ("dm_transition", "narrating", []),
        ("dm_transition", "entering", [("$.phase.context.stage", "stage")]),
        ("dm_scene_init", "scene_init", []),
        ("dm_scene_init", "narrating", [("$.phase.context.stage", "stage")]),
    ],
)
def test_an_interlude_stands_where_what_is_awaited_leads_on(
    stage: str, step: str, found: list[tuple[str, str]]
) -> None:
    phase = {"tag": "between_scenes", "context": {"stage": step}}
    crew = CREW | {"phase": phase, "awaiting": {"stage": stage}, "request": None, "closed_scene_id": "scene-0"}
    assert of_crew(crew) == found


def test_the_scene_that_a_summary_is_awaited_of_is_named() -> None:
    crew = CREW | {"phase": {"tag": "between_scenes"}, "awaiting": {"stage": "dm_compression"}, "request": None}
    assert of_crew(crew) == [("$.closed_scene_id", "stage")]


def test_nobody_retreats_by_a_choice_where_there_is_no_way_back() -> None:
    ways = [{"index": place, "key": key, "label": key} for place, key in enumerate(("pass_out", "retreat"))]
    choice = CHOICE | {"payload": {"options": ways}}
    crew = CREW | {"dice_pool": [], "awaiting": {"stage": "player_choice"}, "request": choice}
    crew = changed(crew, phase__mood=BARGAIN)
    assert of_crew(crew) == []
    assert of_crew(crew, phase__mood__can_retreat=False) == [("$.request.payload.options[1].key", "option")]


def test_what_passing_out_was_promised_to_move_is_there() -> None:
    plan = {"narration": "x", "clocks_to_advance": ["raid", "x"]}
    crew = changed(CREW, dice_pool=[], phase__mood=BARGAIN | {"pass_out_plan": plan})
    assert of_crew(crew) == [("$.phase.mood.pass_out_plan.clocks_to_advance[1]", "unknown_clock")]


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"pending_outcome": None}, ("$.pending_outcome", "offer")),
        ({"pending_outcome__request_id": "request-3"}, ("$.pending_outcome.request_id", "offer")),
        ({"pending_outcome__outcomes": [OUTCOME]}, ("$.pending_outcome.outcomes", "offer")),
        ({"pending_outcome__chosen_die": 3, "pending_outcome__chosen_tier": "bad"}, ("$.pending_outcome", "offer")),
        (
            {"pending_outcome__outcomes": [], "dice_pool": [], "request__payload__dice": []},
            ("$.dice_pool", "dice_pool"),
        ),
        ({"phase__mood": MOOD}, ("$.phase.mood", "mood")),
    ],
)
def test_dice_on_offer_that_do_not_fit_are_told_where(changes: Json, fault: tuple[str, str]) -> None:
    assert of_crew(OFFERED, **changes) == [fault]


@pytest.mark.parametrize(
    ("changes", "paths"),
    [
        (
            {"dice_pool": [3, 6]},
            [
                "$.pending_outcome.outcomes[1].die_value",
                "$.request.payload.dice[1].value",
                "$.request.payload.dice[1].tier",
            ],
        ),
        ({"pending_outcome__outcomes__0__die_value": 4}, ["$.pending_outcome.outcomes[0].die_value"]),
        ({"pending_outcome__outcomes__0__stress_cost": 4}, ["$.request.payload.dice[0].stress_cost"]),
        ({"pending_outcome__outcomes__1__heat_cost": 1}, ["$.request.payload.dice[1].heat_cost"]),
        ({"request__payload__dice__1__coin_delta": 2}, ["$.request.payload.dice[1].coin_delta"]),
        ({"request__payload__dice__1__index": 0}, ["$.request.payload.dice[1].index"]),
        ({"request__payload__dice__0__tier": "bad"}, ["$.request.payload.dice[0].tier"]),
        ({"request__payload__dice": [DIE | {"index": 0}]}, ["$.request.payload.dice"]),
        ({"pending_outcome__position": "desperate"}, ["$.request.payload.position"]),
        ({"request__payload__dice__0__hint": "another way"}, []),
        ({"pending_outcome__outcomes__0__narrative": "and so it ends"}, []),
    ],
)
def test_a_die_on_offer_is_the_one_that_would_be_spent(changes: Json, paths: list[str]) -> None:
    assert of_crew(OFFERED, **changes) == [(path, "offer") for path in paths]


def test_an_action_without_dice_is_fine_while_a_chosen_die_waits() -> None:
    chosen = OFFER | {"chosen_die": 3, "chosen_index": 1, "chosen_tier": "partial"}
    crew = changed(CREW, phase__mood=ACTION, dice_pool=[], pending_outcome=chosen)
    assert of_crew(crew) == []
    assert of_crew(crew, pending_outcome__chosen_index=2) == [("$.pending_outcome.chosen_index", "offer")]
    assert of_crew(crew, pending_outcome__chosen_tier=None) == [("$.pending_outcome.chosen_tier", "offer")]


@pytest.mark.parametrize("cost", ["clock", "faction"])
def test_an_offer_names_what_there_is(cost: str) -> None:
    offer = {"id": "offer_1", "label": "x", "hint": "y", "cost_type": cost, "cost_amount": 1, "dice_gained": 1}
    offers = [offer | {"narrative": "z", "cost_target": {"clock": "raid", "faction": "watch"}[cost]}]
    crew = changed(CREW, dice_pool=[], phase__mood=BARGAIN | {"offers": offers})
    assert of_crew(crew) == []
    assert of_crew(crew, phase__mood__offers__0__cost_target="x") == [
        ("$.phase.mood.offers[0].cost_target", f"unknown_{cost}")
    ]


@pytest.mark.parametrize(
    ("path", "changes", "fault"),
    [
        ("scenes/scene-1.json", {"location": "x"}, ("$.location", "unknown_location")),
        ("scenes/scene-1.json", {"present": ["harrow", "harrow"]}, ("$.present", "duplicate")),
        ("clocks/raid.json", {"filled": 6}, ("$.filled", "full_clock")),
        ("clocks/raid.json", {"completed_at_turn": 2}, ("$.completed_at_turn", "full_clock")),
        ("threads/debt.json", {"deadline": "x"}, ("$.deadline", "unknown_clock")),
        ("characters/ash.json", {"stress": 10}, ("$.stress", "too_much")),
        ("characters/ash.json", {"trauma": ["Cold", "cold"]}, ("$.trauma", "duplicate")),
        ("characters/harrow.json", {"faction": "x"}, ("$.faction", "unknown_faction")),
        ("summaries/summary-1.json", {"scene_id": "x"}, ("$.scene_id", "unknown_scene")),
        ("summaries/summary-1.json", {"beat_range": [4, 3]}, ("$.beat_range", "beat_range")),
    ],
)
def test_other_documents_that_do_not_fit_are_told_where(path: str, changes: Json, fault: tuple[str, str]) -> None:
    assert faults(WORLD | {path: changed(WORLD[path], **changes)}) == [(path, *fault)]


def test_a_full_clock_that_was_completed_stays() -> None:
    assert problems(WORLD | {"clocks/raid.json": CLOCK | {"filled": 6, "completed_at_turn": 3}}) == []


@pytest.mark.parametrize(
    ("path", "changes", "where"),
    [
        ("crew.json", {"awaiting__for": "x"}, "$.awaiting.for"),
        ("crew.json", {"request__for": "x"}, "$.request.for"),
        ("crew.json", {"request__to": "x"}, "$.request.to"),
        ("scenes/scene-0.json", {"location": "x"}, "$.location"),
        ("scenes/scene-1.json", {"present": ["x"]}, "$.present[0]"),
        ("threads/debt.json", {"involves": ["x"]}, "$.involves[0]"),
        ("characters/harrow.json", {"location": "x"}, "$.location"),
    ],
)
def test_people_and_places_that_tools_can_take_away_are_warned_of(path: str, changes: Json, where: str) -> None:
    found = problems(WORLD | {path: changed(WORLD[path], **changes)})
    assert [(problem.file, problem.path, problem.warning) for problem in found] == [(path, where, True)]


def test_limits_are_those_of_the_settings_for_what_is_raised() -> None:
    campaign = WORLD["campaign.json"] | {"settings": {"scene": {"stress_max": 8, "heat_max": 20}}}
    values = WORLD | {"campaign.json": campaign, "crew.json": CREW | {"heat": 20}}
    raised = [("characters/ash.json", "$.stress", "too_much")]
    assert faults(values) == raised
    assert faults(values, before=WORLD) == []
    ash = "characters/ash.json"
    assert faults(values, before=WORLD | {ash: WORLD[ash] | {"stress": 8}}) == raised
    assert [(found.file, found.rule) for found in problems(values, before=WORLD)] == [(ash, "too_much")]


def test_a_scene_that_is_closed_by_hand_is_told_of_although_only_the_crew_plays_it() -> None:
    closed = WORLD | {"scenes/scene-1.json": WORLD["scenes/scene-1.json"] | {"open": False}}
    expected = [("crew.json", "$.phase.scene_id", "closed_scene")]
    assert faults(closed, paths=["scenes/scene-1.json"]) == expected
    assert faults(closed, paths=["locations/quay.json"]) == []


def test_without_a_crew_nobody_minds() -> None:
    values = {path: value for path, value in WORLD.items() if path != "crew.json"}
    assert problems(values | {"clocks/raid.json": CLOCK | {"filled": 6}}) == []


def test_a_crew_without_a_campaign_is_looked_at_all_the_same() -> None:
    assert faults({"crew.json": CREW | {"heat": 11}})[:1] == [("crew.json", "$.heat", "too_much")]


@settings(max_examples=tries(15))
@given(st.lists(st.sampled_from(["answer", "scenario", "text", "undo", "cancel"]), max_size=5))
def test_what_play_leads_to_is_sound(tmp_path_factory: pytest.TempPathFactory, steps: list[str]) -> None:
    path: Path = tmp_path_factory.mktemp("play") / "c"
    with Campaign.new(path, "scenes", seed="x", clock=clock) as campaign:
        for step in steps:
            request = campaign.state["crew.json"]["request"]
            asked = request["id"] if request else "none"
            turns: dict[str, Json] = {
                "answer": {"answer": {"request_id": asked, "value": CHOICES}},
                "cancel": {"answer": {"request_id": asked, "value": "cancel"}},
                "scenario": {"output": SCENARIO},
                "text": {"user_input": "I look around.", "output": {"narration": "Rain."}},
            }
            if step in turns:
                campaign.process(turns[step])
            else:
                with suppress(BadRequest):  # there may be nothing to undo
                    campaign.undo()
    assert check_directory(path) == []
