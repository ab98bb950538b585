"""T1 to T7: what calls of the toolkit cost, against a `move` in the same campaign.

Calls that change nothing or little may cost a few times as much; those that look at a whole grid have a limit in
milliseconds over the `move`, because a player waits for them. Measured until the reply: files follow it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import count, islice
from pathlib import Path
from typing import Any, NamedTuple

from scripts.bench.campaigns import WALKER, clock
from scripts.bench.ground import Ground
from scripts.bench.measuring import cpu, in_turn, timed, unsynced
from scripts.bench.table import Row
from scripts.bench.walk import laps, turn_file

from turnwright import Campaign
from turnwright.rulesets.toolbox import TOOLS

_FLOOR = "a move in the same campaign"
_MAX_TIMES = 5
_MAX_MS = 20
_SIDE = 100
_WALL = 90
"""Squares of the wall across the grid; the rest is the gap to walk through."""
FIGHT = "encounter-1"


class Call(NamedTuple):
    """One call that is measured, and whether it looks at a whole grid."""

    number: str
    what: str
    tool: str
    args: Mapping[str, Any]
    scans: bool = False


CALLS = (
    Call("T1", "roll_dice, 2d6+3", "roll_dice", {"expression": "2d6+3"}),
    Call(
        "T2",
        "measure_distance in a fight",
        "measure_distance",
        {"encounter_id": FIGHT, "from": "hero", "to": "ogre", "mode": "grid_5e"},
    ),
    Call(
        "T3",
        "execute_action, an attack",
        "execute_action",
        {
            "encounter_id": FIGHT,
            "actor_id": "hero",
            "action_type": "attack",
            "target_id": "ogre",
            "ignore_economy": True,
        },
    ),
    Call(
        "T4",
        f"calculate_aoe, a sphere over {_SIDE} x {_SIDE}",
        "calculate_aoe",
        {"shape": "cylinder", "origin": {"x": 50, "y": 50}, "radius": 250, "height": 5},
        scans=True,
    ),
    Call(
        "T5",
        f"check_line_of_sight across {_SIDE} x {_SIDE}",
        "check_line_of_sight",
        {"encounter_id": FIGHT, "from": {"x": 0, "y": 0}, "to": {"x": _SIDE - 1, "y": _SIDE - 1}},
        scans=True,
    ),
    Call(
        "T6",
        f"calculate_movement, the reach of 60 ft on {_SIDE} x {_SIDE}",
        "calculate_movement",
        {"encounter_id": FIGHT, "combatant_id": "hero", "mode": "reach", "movement_remaining": 60},
        scans=True,
    ),
    Call("T7", "get_session_context, a party in a fight", "get_session_context", {}),
)


def calls(ground: Ground) -> Iterator[Row]:
    """T1 to T7: CPU time of turns of one call, syncing off."""
    with unsynced():
        folder = _with_a_fight(ground.small_campaign(ground.memory))
        for call in CALLS:
            ours, move = _seconds(ground, folder, call)
            if call.scans:
                yield Row(call.number, call.what, _FLOOR, (ours - move) * 1000, _MAX_MS, "ms over")
            else:
                yield Row(call.number, call.what, _FLOOR, ours / move, _MAX_TIMES)


def _with_a_fight(folder: Path) -> Path:
    """Allow every tool, and begin a fight on a large grid with a wall across it."""
    place = folder / "campaign.json"
    place.write_text(json.dumps(json.loads(place.read_text()) | {"allowlist": list(TOOLS)}), encoding="utf-8")
    terrain = {"width": _SIDE, "height": _SIDE, "obstacles": [f"{x},50" for x in range(_WALL)]}
    with Campaign.open(folder, clock) as campaign:
        people = [_fighter("hero", 10, 10, is_enemy=False), _fighter("ogre", 11, 10, is_enemy=True)]
        args = {"participants": people, "terrain": terrain}
        reply = campaign.process({"tool_calls": [{"id": "a", "tool": "create_encounter", "args": args}]})
        if reply["status"] != "applied":
            raise RuntimeError(reply)
    return folder


def _fighter(name: str, x: int, y: int, *, is_enemy: bool) -> dict[str, Any]:
    body = {"id": name, "name": name, "hp": 1_000_000, "max_hp": 1_000_000, "attack_bonus": 5}
    return body | {"position": {"x": x, "y": y}, "is_enemy": is_enemy}


def _seconds(ground: Ground, folder: Path, call: Call) -> list[float]:
    """Return how long one turn of the call, and one move, take."""
    turns = ground.pick(300, 60)
    with Campaign.open(folder, clock, lag=3600) as campaign:
        position = campaign.state[f"characters/{WALKER}.json"]["position"]
        ring = sorted(campaign.state["maps/root.json"]["areas"])
        at = ring.index(position)
        walk = laps([*ring[at:], *ring[:at]], f"m{call.number}")
        numbers = count()

        def ours() -> float:
            files = [turn_file(f"{call.number}-{next(numbers)}", call.tool, dict(call.args)) for _ in range(turns)]
            return _until_answered(campaign, files)

        def move() -> float:
            return _until_answered(campaign, [content for _, content in islice(walk, turns)])

        reply = campaign.process(turn_file(f"{call.number}-first", call.tool, dict(call.args)))
        if reply["status"] != "applied":
            raise RuntimeError(reply)
        return in_turn(ground.rounds, ours, move)


def _until_answered(campaign: Campaign, files: list[bytes]) -> float:
    """Return how long a turn takes until its reply is there; files, which follow later, are written between."""
    seconds, statuses = timed(lambda: {campaign.process(file)["status"] for file in files}, cpu)
    if statuses != {"applied"}:
        raise RuntimeError(f"not all turns were applied: {statuses}")
    campaign.flush()
    return seconds / len(files)
