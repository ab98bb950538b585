"""One night in the city: a scene game that can be played through the public door, from the opening on.

Whatever must stay hidden from players says `HUSH`.
"""

from __future__ import annotations

from typing import Any

from tests.builders import call

from turnwright import Campaign

Json = Any
HUSH = "hush"
CHOICES: Json = {"name": "Mira", "pronouns": "she_her", "archetype": "lurk", "background": "a sailor's child"}
OPENING: Json = {
    "fate_narration": "Three cards, and none of them kind.",
    "opening_thread": "Rain on the skylight of the Anchor; below, the ledger.",
    "clocks": [
        {"from_card": "past", "name": "The Wardens", "segments": 8, "filled": 2, "consequence": f"{HUSH} wardens come"},
        {
            "id": f"{HUSH}-id",
            "from_card": "present",
            "name": f"{HUSH} rot below",
            "segments": 4,
            "filled": 1,
            "consequence": f"{HUSH} the floor gives way",
            "visible": False,
        },
        {"from_card": "future", "name": "Own the ledger", "segments": 4, "consequence": f"{HUSH} it is yours"},
    ],
    "starting_coin": 1,
    "starting_heat": 1,
    "locations": [
        {"id": "anchor", "name": "The Rusty Anchor", "description": f"{HUSH} a cellar nobody knows"},
        {"id": "canal", "name": "Coalridge Canal"},
    ],
    "factions": [
        {"id": "wardens", "name": "Wardens", "goal": f"{HUSH} find the crew", "secrets": [f"{HUSH} a traitor"]},
        {"id": "lampblacks", "name": "Lampblacks", "attitude": "wary", "goal": f"{HUSH} burn the docks"},
    ],
    "npcs": [
        {"id": "marrow", "name": "Old Marrow", "want": f"{HUSH} gold", "fear": f"{HUSH} fire", "knows": [f"{HUSH} x"]},
        {"id": "cass", "name": f"{HUSH} Cass", "want": f"{HUSH} out", "voice_notes": f"{HUSH} whispers"},
    ],
    "scene_location": "anchor",
    "scene_present_npcs": ["marrow"],
    "scene_stakes": "get the ledger out before dawn",
    "suggested_actions": ["Drop through the skylight", "Talk to Marrow"],
}
POOL = (2, 6, 4, 1, 3)
"""The faces to throw for the opening."""


def answer(campaign: Campaign, value: Any, **how: Any) -> Json:
    """Answer the open request."""
    request = campaign.state["crew.json"]["request"]
    return campaign.process({"answer": {"request_id": request["id"], "value": value}}, **how)


def play(campaign: Campaign, *calls: Json, dice: tuple[int, ...] = (), **output: Any) -> Json:
    """Take a game master's turn."""
    turn: Json = {"dm_note": f"{HUSH} to myself"}
    turn |= {"tool_calls": list(calls)} if calls else {}
    return campaign.process(turn | ({"output": output} if output else {}), dice=dice)


def begin(campaign: Campaign) -> None:
    """Make the character and open the story."""
    answer(campaign, CHOICES)
    play(campaign, dice=POOL, **OPENING)


ENGAGE = call(
    "engage",
    engage_intent="the ledger",
    engage_approach="through the skylight",
    engage_position="risky",
    engage_threat="the watch looks up",
    engage_opportunity="nobody is below",
)
CHOOSE = call("choose", options=[[1, f"{HUSH} left"], [1, f"{HUSH} right"]])


def spend(*faces: int, stress: int = 2, heat: int = 1) -> Json:
    """Return the call that commits an outcome for each of these dice; what the first one tells is no secret."""
    outcomes = [
        {
            "die_value": face,
            "hint": f"way number {place} through the glass",
            "stress_cost": stress,
            "heat_cost": heat,
            "coin_delta": 0,
            "narrative": f"You land at {place}." if place == 0 else f"{HUSH} you would land at {place}",
        }
        for place, face in enumerate(faces)
    ]
    return call("spend_die", situation="Through the skylight", outcomes=outcomes)
