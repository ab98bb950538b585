"""Events of a scene game in words, and how much they weigh."""

from __future__ import annotations

from typing import Any

import pytest

from turnwright.render.scene_story import futures_in_words, happened, in_words, price_in_words, weight
from turnwright.rulesets.scenes.events import EVENTS

Json = Any
SAMPLES: dict[str, tuple[Json, str]] = {
    "NarrativeAdded": ({"text": "Rain.", "source": "dm"}, "Rain."),
    "RandomChoice": ({"label": "left", "index": 0, "weights": [1]}, "by chance: left"),
    "DiceOffered": ({"situation": "a leap", "position": "risky", "dice": []}, "at stake: a leap (risky)"),
    "DieSpent": ({"value": 4, "tier": "success", "narrative": "You land."}, "a 4, success: You land."),
    "DicePoolDepleted": ({"context": "a leap"}, "no dice are left"),
    "DiceGained": ({"values": [4, 1], "pool_size": 3, "source": "bargain"}, "dice: 4, 1 (the pool now has 3)"),
    "StressChanged": ({"from": 2, "to": 4, "reason": "dice"}, "stress 2 -> 4"),
    "HeatChanged": ({"from": 2, "to": 4, "reason": "dice"}, "heat 2 -> 4"),
    "WantedChanged": ({"from": 0, "to": 1, "reason": "dice"}, "wanted 0 -> 1"),
    "CoinChanged": ({"from": 2, "to": 1, "reason": "dice"}, "coin 2 -> 1"),
    "DeltaClamped": ({"field": "heat", "requested": 3, "applied": 1}, "heat: +3 asked, +1 done"),
    "TraumaTriggered": ({"trauma": "cold", "trigger": "dice", "breaking_point": "x"}, "a scar for good: cold"),
    "BargainOffered": ({"context": "x", "can_retreat": True}, "the city offers to lend"),
    "BargainOptionsPresented": (
        {
            "offers": [
                {"label": "A", "cost_type": "heat", "cost_amount": 1, "dice_gained": 1},
                {"label": "B", "cost_type": "faction", "cost_amount": 1, "cost_target": "The Moths", "dice_gained": 2},
                {"label": "C", "cost_type": "trauma", "cost_amount": 1, "trauma_name": "Cold", "dice_gained": 3},
            ]
        },
        "on offer: A (1 heat for 1 die); B (1 faction, The Moths, for 2 dice); C (1 trauma, Cold, for 3 dice)",
    ),
    "BargainAccepted": (
        {"description": "A", "cost_type": "faction", "amount": 1, "target": "moths", "name": "The Moths"},
        "a deal: A (1 faction, The Moths)",
    ),
    "ClockAdvanced": (
        {"id": "w", "name": "The Wardens", "from": 1, "to": 3, "segments": 8, "cause": "x"},
        "The Wardens: 1 -> 3 of 8",
    ),
    "ClockCompleted": (
        {"clock_id": "w", "clock_name": "The Wardens", "consequence": "They come."},
        "The Wardens is full: They come.",
    ),
    "ConsequenceApplied": ({"id": "c", "effects": {}, "note": "The door bursts."}, "The door bursts."),
    "InterruptFired": ({"description": "They come.", "forces_action": True}, "it breaks in: They come."),
    "SceneStarted": ({"location": "anchor"}, "a scene begins: The Rusty Anchor"),
    "SceneEnded": ({"reason": "pass_out"}, "the scene ends: pass out"),
    "SceneStyleChanged": (
        {"from": {"pressure": "calm", "class": "street"}, "to": {"pressure": "urgent", "class": "street"}},
        "the scene is told in another way: pressure urgent",
    ),
    "InterludeEntered": ({"options": []}, "between scenes: what does the crew do?"),
    "InterludeChosen": ({"option": "lay_low"}, "the crew's choice: lay low"),
    "EntanglementStarted": ({"type": "raid"}, "the law closes in: raid"),
    "EntanglementResolved": ({"option": "Pay"}, "out of it: Pay"),
    "CharacterCreated": ({"character_id": "c", "name": "Mira"}, "Mira steps into the story"),
    "ScenarioGenerated": ({"opening": "x"}, "the story is set"),
    "ThreatFaded": ({"text": "a debt"}, "no longer pressing: a debt"),
    "MoodTransition": (
        {"tool": "spend_die", "from_mood": "action", "to_mood": "trauma"},
        "it is too much: somebody breaks",
    ),
    "SceneCompressed": ({"summary": "They came and went."}, "what remains: They came and went."),
    "CompressionFailed": ({"errors": ["a", "b"]}, "nothing remains yet: a; b"),
    "AutoAccepted": ({}, "that is over and done with"),
    "TurnFallback": ({"reason": "x"}, "the engine goes on by itself: x"),
    "TurnLimitReached": ({"reason": "x"}, "the player speaks first: x"),
}
PLACES = {"anchor": "The Rusty Anchor"}


def event(kind: str, **data: Any) -> Json:
    return {"type": kind, "data": data}


@pytest.mark.parametrize("kind", SAMPLES)
def test_an_event_is_told_in_words(kind: str) -> None:
    data, words = SAMPLES[kind]
    assert in_words(event(kind, **data), PLACES) == words


def test_every_event_has_words_but_the_one_that_sums_up_the_others() -> None:
    assert set(EVENTS) - {"TurnCompleted"} == set(SAMPLES)


def test_of_moods_only_the_one_that_nothing_else_tells_is_told() -> None:
    assert in_words(event("MoodTransition", tool="engage", from_mood="scene", to_mood="action"), {}) is None


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        (event("TraumaTriggered"), "critical"),
        (event("ClockCompleted"), "critical"),
        (event("WantedChanged"), "critical"),
        (event("StressChanged", **{"from": 3, "to": 4}), "info"),
        (event("StressChanged", **{"from": 4, "to": 5}), "warning"),
        (event("StressChanged", **{"from": 2, "to": 7}), "warning"),
        (event("HeatChanged", **{"from": 7, "to": 8}), "critical"),
        (event("HeatChanged", **{"from": 10, "to": 0}), "positive"),
        (event("StressChanged", **{"from": 9, "to": 8}), "positive"),
        (event("CoinChanged", **{"from": 1, "to": 2}), "positive"),
        (event("CoinChanged", **{"from": 2, "to": 1}), "warning"),
        (event("BargainAccepted"), "bargain"),
        (event("BargainOffered"), "bargain"),
        (event("SceneStarted"), "info"),
    ],
)
def test_what_weighs_how_much(told: Json, expected: str) -> None:
    assert weight(told) == expected


def test_what_happened_keeps_its_order_and_tells_no_prose_twice() -> None:
    events = [
        event("DieSpent", value=4, tier="success", narrative="You land."),
        event("NarrativeAdded", text="You land.", source="dm"),
        event("StressChanged", **{"from": 7, "to": 8, "reason": "x"}),
        event("TurnCompleted", narration="On."),
        event("ConsequenceApplied", id="c", effects={}, note=""),
        event("NarrativeAdded", text="On.", source="dm"),
    ]
    assert [tuple(line) for line in happened(events, {})] == [
        ("info", "a 4, success: You land.", False, True),
        ("critical", "stress 7 -> 8", False, False),
        ("info", "On.", True, True),
    ]


def test_a_place_without_a_name_is_told_by_its_id_and_an_empty_consequence_by_nothing() -> None:
    assert in_words(event("SceneStarted", location="canal"), PLACES) == "a scene begins: canal"
    assert in_words(event("ClockCompleted", clock_name="Rot", consequence=""), PLACES) == "Rot is full"


@pytest.mark.parametrize(
    ("costs", "words"),
    [((0, 0, 0), ""), ((2, 0, 0), "stress +2"), ((-1, 3, -4), "stress -1, heat +3, coin -4"), ((0, 0, 8), "coin +8")],
)
def test_the_price_of_a_die(costs: tuple[int, int, int], words: str) -> None:
    assert price_in_words(dict(zip(("stress_cost", "heat_cost", "coin_delta"), costs, strict=True))) == words


def test_each_die_on_offer_is_told_with_what_it_would_bring() -> None:
    costs = {"stress_cost": 2, "heat_cost": 1, "coin_delta": 0}
    free = dict.fromkeys(costs, 0)
    dice = [
        {"index": 0, "value": 2, "tier": "partial", "hint": "in, and seen", **costs},
        {"index": 1, "value": 6, "tier": "critical", "hint": "in like smoke", **free},
    ]
    offered = event("DiceOffered", situation="a leap", position="risky", dice=dice)
    assert futures_in_words(offered) == ["2, partial: in, and seen (stress +2, heat +1)", "6, critical: in like smoke"]
    assert futures_in_words(event("SceneEnded", reason="retreat")) == []
