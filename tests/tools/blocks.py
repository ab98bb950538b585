"""Fights with monsters of the packs, with dice that are given."""

from __future__ import annotations

from typing import Any

from tests.builders import Json

from turnwright import Campaign

POST: Json = {"id": "post", "name": "Post", "hp": 200, "max_hp": 200, "ac": 10, "position": {"x": 10, "y": 10}}


def reply_to(campaign: Campaign, tool: str, args: Json, *dice: int) -> Json:
    found: Json = campaign.process({"tool_calls": [{"id": "a", "tool": tool, "args": args}]}, dice=list(dice))
    return found


def call(campaign: Campaign, tool: str, args: Json, *dice: int) -> Json:
    reply = reply_to(campaign, tool, args, *dice)
    assert reply["status"] == "applied", str(reply["tool_feedback"])
    action: Json = reply["applied_actions"][0]
    return action


def fails(campaign: Campaign, args: Json) -> Json:
    reply = reply_to(campaign, "execute_action", {"encounter_id": "encounter-1", **args})
    failed: Json = reply["tool_feedback"]["failed_calls"][0]
    return failed


def begin(campaign: Campaign, *monsters: Json, post: Json | None = None) -> None:
    """Begin a fight in which the monsters have their turns before the post, in the order of the call."""
    squares = [{"x": 11, "y": 10}, {"x": 9, "y": 10}, {"x": 10, "y": 12}]
    placed = [{"positions": [squares[n]], **each} for n, each in enumerate(monsters)]
    args = {"participants": [{**POST, **(post or {})}], "monsters": placed}
    call(campaign, "create_encounter", args, 1, *range(20, 20 - len(monsters), -1))


def act(campaign: Campaign, actor: str, action: str, *dice: int, **more: Any) -> Json:
    args = {"encounter_id": "encounter-1", "actor_id": actor, "action": action, "target_id": "post", **more}
    found: Json = call(campaign, "execute_action", args, *dice)["result"]
    return found


def advance(campaign: Campaign, *dice: int) -> Json:
    found: Json = call(campaign, "advance_turn", {"encounter_id": "encounter-1"}, *dice)["result"]
    return found


def person(campaign: Campaign, identifier: str) -> Json:
    people = campaign.state["encounters/encounter-1.json"]["participants"]
    found: Json = next(each for each in people if each["id"] == identifier)
    return found
