"""One trace of play and its variant, event by event and value by value, through the public door."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.builders import Json, call, results
from tests.conftest import MakeCampaign
from tests.scenes.doing import ACCEPT, TOLD, city, engage, resolve, spend
from tests.scenes.table import clock, started

from turnwright import Campaign

TEXT = "I go through the skylight."
WARDENS = {
    "label": "the wardens hear of it",
    "hint": "two ticks",
    "cost_type": "clock",
    "cost_amount": 2,
    "cost_target": "wardens",
    "dice_gained": 2,
    "narrative": "A bell, far off.",
}
PAIN = {
    "label": "pain",
    "hint": "it hurts",
    "cost_type": "stress",
    "cost_amount": 1,
    "dice_gained": 1,
    "narrative": "Ouch.",
}


class Trace:
    """The campaign of the trace, and what happens in it, as tuples of part, segment, audience, type and data."""

    def __init__(self, campaign: Campaign) -> None:
        self.campaign = campaign

    def take(self, **turn: Any) -> Json:
        return self.campaign.process(turn)

    def answer(self, value: Any, **how: Any) -> Json:
        request = self.campaign.state["crew.json"]["request"]
        return self.campaign.process({"answer": {"request_id": request["id"], "value": value}}, **how)

    @property
    def crew(self) -> Json:
        crew: Json = self.campaign.state["crew.json"]
        return crew

    @property
    def pc(self) -> Json:
        return {"trauma": [], **self.campaign.state["characters/pc.json"]}

    def waits(self) -> tuple[str, str | None, int, int]:
        awaiting = self.crew["awaiting"]
        return awaiting["stage"], awaiting["mood"], awaiting["segment"], awaiting["transition_count"]


@pytest.fixture
def trace_of(make_campaign: MakeCampaign) -> Callable[..., Trace]:
    def make(pool: list[int], stress: int) -> Trace:
        values = started(dice_pool=pool, heat=3, pc={"stress": stress, "coin": 1}, **clock("wardens", 1))
        return Trace(make_campaign(values))

    return make


def told(reply: Json) -> list[tuple[int, int | None, str, str, Json]]:
    keys = ("part", "segment", "audience", "type", "data")
    return [tuple(event[key] for key in keys) for event in reply["events"]]


def moved(part: int, segment: int, tool: str, before: str, after: str) -> tuple[int, int, str, str, Json]:
    return part, segment, "log", "MoodTransition", {"tool": tool, "from_mood": before, "to_mood": after}


def up_to_the_dice(trace: Trace, faces: list[int]) -> None:
    """Steps 1 to 3: the text, the engagement, the offer."""
    reply = trace.take(user_input=TEXT)
    assert reply["status"] == "empty"
    assert told(reply) == [(0, 1, "player", "NarrativeAdded", {"text": f"> {TEXT}", "source": "player"})]
    assert trace.waits() == ("dm_turn", "scene", 1, 0)
    assert trace.crew["turn"] == 1
    beats = trace.campaign.state["scenes/s.json"]["beats"]
    assert [(beat["beat"], beat["text"], beat["turn"]) for beat in beats] == [("player_action", TEXT, 1)]

    reply = trace.take(tool_calls=[engage("risky", engage_domain="infiltration")])
    assert told(reply) == [moved(1, 1, "engage", "scene", "action")]
    assert results(reply) == [{"position": "risky", "transition": {"from": "scene", "to": "action"}}]
    assert trace.waits() == ("dm_turn", "action", 2, 1)
    assert trace.crew["awaiting"]["player_text"] == TEXT

    costs = {2: {"stress_cost": 2, "heat_cost": 1}, 6: {}}
    offered = spend(faces)
    offered["args"]["outcomes"] = [
        {**outcome, **costs[face]} for outcome, face in zip(offered["args"]["outcomes"], faces, strict=True)
    ]
    reply = trace.take(tool_calls=[offered])
    tiers = {2: "partial", 6: "critical"}
    dice = [
        {
            "index": place,
            "value": face,
            "tier": tiers[face],
            "hint": f"way {place} of some",
            "stress_cost": 2 if face == 2 else 0,
            "heat_cost": 1 if face == 2 else 0,
            "coin_delta": 0,
        }
        for place, face in enumerate(faces)
    ]
    offer = {"situation": "Through the skylight", "position": "risky", "dice": dice}
    assert told(reply) == [(1, 2, "player", "DiceOffered", offer)]
    assert trace.waits() == ("player_dice", "action", 2, 1)
    assert reply["request"]["kind"] == "dice"
    assert (reply["request"]["for"], reply["request"]["to"]) == ("pc", "pc")
    assert reply["request"]["payload"]["dice"] == dice


def test_the_trace_from_the_skylight_to_the_scar(trace_of: Callable[..., Trace]) -> None:
    trace = trace_of([2, 6], 7)
    up_to_the_dice(trace, [2, 6])

    reply = trace.answer(0)
    assert told(reply) == [
        (0, 2, "player", "DieSpent", {"value": 2, "tier": "partial", "narrative": "You land on 2 at 0."}),
        (0, 2, "player", "StressChanged", {"from": 7, "to": 9, "reason": "dice"}),
        (0, 2, "player", "HeatChanged", {"from": 3, "to": 4, "reason": "dice"}),
        moved(0, 2, "spend_die", "action", "trauma"),
    ]
    assert results(reply) == [
        {
            "chosen_die_value": 2,
            "tier": "partial",
            "stress_applied": 2,
            "heat_applied": 1,
            "coin_applied": 0,
            "result_narrative": "You land on 2 at 0.",
            "transition": {"from": "action", "to": "trauma"},
        }
    ]
    assert (trace.crew["dice_pool"], trace.pc["stress"], trace.crew["heat"]) == ([6], 9, 4)
    assert trace.crew["phase"]["mood"] == {
        "mood": "trauma",
        "variant": "breaking",
        "for": "pc",
        "what_broke": "Through the skylight",
        "trigger": "dice",
        "adrenaline": True,
    }
    assert trace.waits() == ("dm_turn", "trauma", 3, 2)

    reply = trace.take(output={**TOLD, "trauma_assigned": "reckless"})
    done = {"narration": "It is done.", "stress_delta": -7, "heat_delta": 1, "coin_delta": 0}
    scar = {"trauma": "reckless", "trigger": "dice", "breaking_point": "Through the skylight"}
    assert told(reply) == [
        (1, 3, "player", "StressChanged", {"from": 9, "to": 0, "reason": "trauma"}),
        (1, 3, "player", "TraumaTriggered", scar),
        moved(1, 3, "trauma_complete", "trauma", "scene"),
        (1, 3, "player", "NarrativeAdded", {"text": "It is done.", "source": "dm"}),
        (1, 3, "player", "TurnCompleted", {**done, "suggested_actions": ["Go on", "Wait"]}),
    ]
    assert (trace.pc["trauma"], trace.crew["pending_outcome"], trace.crew["dice_pool"]) == (["reckless"], None, [6])
    entry = trace.crew["scene_entry_context"]
    assert (entry["origin"], entry["trauma_gained"], entry["adrenaline"]) == ("from_trauma", "reckless", True)
    unresolved = {"die_chosen": 2, "tier": "partial", "position": "risky", "other_dice": [6]}
    assert unresolved.items() <= entry["unresolved_action"].items()
    mood = trace.crew["phase"]["mood"]
    assert (mood["mood"], mood["urgency"], mood["escapable"]) == ("scene", "high", True)
    assert trace.waits()[:2] == ("player_text", "scene")
    assert reply["request"]["kind"] == "text"
    assert reply["request"]["payload"] == {"suggestions": ["Go on", "Wait"]}


def test_the_variant_from_the_skylight_through_the_bargain(trace_of: Callable[..., Trace]) -> None:
    trace = trace_of([2], 4)
    up_to_the_dice(trace, [2])

    reply = trace.answer(0)
    assert [event[3] for event in told(reply)] == [
        "DieSpent",
        "StressChanged",
        "HeatChanged",
        "DicePoolDepleted",
        "BargainOffered",
        "MoodTransition",
    ]
    assert told(reply)[1][4] == {"from": 4, "to": 6, "reason": "dice"}
    assert told(reply)[3:] == [
        (0, 2, "player", "DicePoolDepleted", {"context": "Through the skylight"}),
        (0, 2, "player", "BargainOffered", {"context": "Through the skylight", "can_retreat": True}),
        moved(0, 2, "spend_die", "action", "bargain"),
    ]
    assert trace.crew["pending_outcome"]["chosen_die"] == 2
    assert trace.crew["phase"]["mood"]["previous_mood"]["mood"] == "action"
    assert trace.waits() == ("dm_turn", "bargain", 3, 2)

    reply = trace.take(output=city(WARDENS, PAIN))
    shown = [
        {key: offer[key] for key in ("label", "hint", "cost_type", "cost_amount", "dice_gained")}
        | {"id": f"offer_{place}", "cost_target": target, "trauma_name": None}
        for place, (offer, target) in enumerate([(WARDENS, "The wardens"), (PAIN, None)], start=1)
    ]
    assert told(reply) == [
        (1, 3, "player", "BargainOptionsPresented", {"offers": shown}),
        (1, 3, "player", "NarrativeAdded", {"text": "The city leans in.", "source": "dm"}),
    ]
    keys = [option["key"] for option in reply["request"]["payload"]["options"]]
    assert keys == ["offer_1", "offer_2", "retreat", "pass_out"]
    assert trace.waits() == ("player_choice", "bargain", 3, 2)

    reply = trace.answer("offer_1", dice=[6, 1])
    deal = {
        "description": WARDENS["label"],
        "cost_type": "clock",
        "amount": 2,
        "target": "wardens",
        "name": "The wardens",
    }
    ticked = {"id": "wardens", "name": "The wardens", "from": 1, "to": 3, "segments": 4, "cause": "bargain"}
    assert told(reply) == [
        (0, 3, "player", "BargainAccepted", deal),
        (0, 3, "player", "ClockAdvanced", ticked),
        (0, 3, "player", "DiceGained", {"values": [6, 1], "pool_size": 2, "source": "bargain"}),
        moved(0, 3, "accept_bargain", "bargain", "action"),
        (0, 3, "player", "NarrativeAdded", {"text": "A bell, far off.", "source": "dm"}),
    ]
    assert results(reply)[0]["new_pool_size"] == 2
    assert (trace.crew["dice_pool"], trace.pc["stress"]) == ([6, 1], 6)
    assert trace.waits() == ("dm_turn", "action", 4, 3)

    reply = trace.take(tool_calls=[resolve("costly", resolve_costs=["a torn sleeve"])])
    assert told(reply) == [moved(1, 4, "resolve", "action", "aftermath")]
    mood = trace.crew["phase"]["mood"]
    assert (mood["variant"], mood["costs_paid"]) == ("costly", ["a torn sleeve"])
    context = {"die_chosen": 2, "tier": "partial", "position": "risky", "domain": "infiltration"}
    assert context.items() <= mood["action_context"].items()
    assert mood["action_context"].get("other_dice", []) == []
    assert trace.waits() == ("dm_turn", "aftermath", 5, 4)

    echo = {**TOLD, "cost_description": "a torn sleeve", "threat_description": "the wardens know the roof"}
    reply = trace.take(tool_calls=[ACCEPT], output=echo)
    done = {"narration": "It is done.", "stress_delta": 2, "heat_delta": 1, "coin_delta": 0}
    assert told(reply) == [
        moved(1, 5, "accept", "aftermath", "scene"),
        (2, 5, "player", "NarrativeAdded", {"text": "It is done.", "source": "dm"}),
        (2, 5, "player", "TurnCompleted", {**done, "suggested_actions": ["Go on", "Wait"]}),
    ]
    assert trace.waits()[:2] == ("player_text", "scene")
    assert trace.crew["scene_entry_context"] == {
        "origin": "from_aftermath",
        "transition_note": "The gallery is quiet again.",
        "unresolved_threats": ["the wardens know the roof"],
        "recent_costs": ["a torn sleeve"],
    }
    kinds = [beat["beat"] for beat in trace.campaign.state["scenes/s.json"]["beats"]]
    assert kinds == ["player_action", "dice_roll", "dm_narration", "clock_tick", "dm_narration"]


def test_the_weaver_is_offered_its_three_tools_alone(trace_of: Callable[..., Trace]) -> None:
    trace = trace_of([2, 6], 7)
    trace.take(user_input=TEXT)
    reply = trace.take(tool_calls=[call("resolve", resolve_outcome="clean", resolve_what="no")])
    failure = reply["tool_feedback"]["failed_calls"][0]
    assert failure["reason"] == "tool_not_in_mood"
    assert failure["hint"]["mood"] == "scene"
    assert sorted(failure["hint"]["choices"]) == ["choose", "engage", "set_scene_style"]
