"""What people do at a table, in one line each: text, calls, outputs and answers that are as they should be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.builders import Json, call, failed
from tests.scenes.table import Table

ENGAGEMENT = {
    "engage_intent": "get in",
    "engage_approach": "on the rope",
    "engage_threat": "the guard looks up",
    "engage_opportunity": "the vault is below",
}
ESCAPE = {"escape_route": "back up the rope"}
TOLD: Json = {"narration": "It is done.", "suggested_actions": ["Go on", "Wait"]}
CITY_OFFERS: list[Json] = [
    {
        "label": "grit your teeth",
        "hint": "it hurts",
        "cost_type": "stress",
        "cost_amount": 1,
        "dice_gained": 1,
        "narrative": "You find one more breath.",
    },
    {
        "label": "be seen",
        "hint": "they look",
        "cost_type": "heat",
        "cost_amount": 1,
        "dice_gained": 1,
        "narrative": "A shutter opens.",
    },
]


def say(table: Table, text: str = "I go through the skylight.", **turn: Any) -> Json:
    return table.process({"user_input": text, **turn})


def do(table: Table, *calls: Json, **turn: Any) -> Json:
    """Hand in calls, with an output if there is one."""
    return table.process({"tool_calls": list(calls), **turn} if calls else turn)


def tell(table: Table, *calls: Json, **fields: Any) -> Json:
    """Hand in calls and the output of a turn of play."""
    return do(table, *calls, output={**TOLD, **fields})


def answer(table: Table, value: Any, **turn: Any) -> Json:
    return table.process({"answer": {"request_id": table.request_id, "value": value}, **turn})


def engage(position: str = "risky", **args: Any) -> Json:
    return call("engage", **{**ENGAGEMENT, "engage_position": position, **args})


def outcome(face: int, place: int = 0, **fields: Any) -> Json:
    told = {"hint": f"way {place} of some", "narrative": f"You land on {face} at {place}."}
    return {"die_value": face, "stress_cost": 0, "heat_cost": 0, "coin_delta": 0, **told, **fields}


def spend(pool: Sequence[int], **fields: Any) -> Json:
    """Commit the same costs for each die."""
    outcomes = [outcome(face, place, **fields) for place, face in enumerate(pool)]
    return call("spend_die", situation="Through the skylight", outcomes=outcomes)


def resolve(how: str, **args: Any) -> Json:
    return call("resolve", **{"resolve_outcome": how, "resolve_what": "onto the gallery", **args})


ACCEPT = call("accept", accept_transition="The gallery is quiet again.")
RETREAT = call("retreat", retreat_narration="You leave the way you came.")
CHOOSE = call("choose", options=[[1, "left"], [1, "right"]])


def pass_out(place: str = "a coal barge", *clocks: str, **args: Any) -> Json:
    told = {"pass_out_narration": "The lights go out.", "wake_up_location": place, "clocks_to_advance": list(clocks)}
    return call("pass_out", **{**told, **args})


def bargain(kind: str = "stress", amount: int = 1, dice: int = 1, **args: Any) -> Json:
    told = {"bargain_description": "a deal", "bargain_cost_type": kind, "bargain_cost_amount": amount}
    return call("accept_bargain", **told, bargain_dice_gained=dice, **args)


def city(*offers: Json, **fields: Any) -> Json:
    """Return the output of a bargain."""
    return {"narration": "The city leans in.", "offers": list(offers or CITY_OFFERS), **fields}


def to_action(table: Table, position: str = "risky") -> None:
    say(table)
    do(table, engage(position))


def choose_die(table: Table, index: int = 0, **costs: Any) -> Json:
    """Commit outcomes for the pool, and let the player spend the die of this index."""
    reply = do(table, spend(table.crew["dice_pool"], **costs))
    assert reply["status"] == "applied", reply["tool_feedback"]
    return answer(table, index)


# what to look at


def types(reply: Json) -> list[str]:
    return [event["type"] for event in reply["events"]]


def data(reply: Json, kind: str) -> list[Json]:
    """Return what the events of one type hold."""
    return [event["data"] for event in reply["events"] if event["type"] == kind]


def edges(reply: Json) -> list[tuple[str, str, str]]:
    """Return the moods that changed, as tool, from and to."""
    return [(edge["tool"], edge["from_mood"], edge["to_mood"]) for edge in data(reply, "MoodTransition")]


def reasons(reply: Json) -> list[str]:
    """Return why parts failed."""
    return [reason for _, reason in failed(reply)]


def waits(table: Table) -> tuple[str, str | None, int, int]:
    """Return what is awaited: the stage, the mood, the segment, and how often the mood changed."""
    awaiting = table.crew["awaiting"]
    return awaiting["stage"], (table.mood or {}).get("mood"), awaiting["segment"], awaiting["transition_count"]


def pc(table: Table, who: str = "pc") -> Json:
    person: Json = table.state[f"characters/{who}.json"]
    return {"stress": 0, "coin": 0, "trauma": [], "pending_trauma": False, **person}
