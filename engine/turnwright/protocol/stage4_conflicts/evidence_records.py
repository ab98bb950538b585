"""The effects of calls as seen by the narration check: of one turn, and of turns that a later text describes.

Source: docs/stages/4-conflicts.md, "A text by itself".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from turnwright.model.json_types import JsonObject
from turnwright.model.state.log_state import parts_as_called
from turnwright.model.state.overlay import World
from turnwright.narration.facts import CallOutcome
from turnwright.protocol.table_talk import is_aside
from turnwright.rulesets.hit_points import hit_points

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import Record

MAX_RECORDS = 16
"""Maximum number of records that a text submitted by itself is compared with."""


class Earlier(NamedTuple):
    """The effects of previous turns that this text is the first to describe: their calls and draws."""

    outcomes: tuple[CallOutcome, ...] = ()
    faces: tuple[int, ...] = ()


def call_outcome(
    tool: str,
    args: JsonObject,
    result: JsonObject,
    reason: str | None,
    world: World,
    *,
    told: bool = False,
) -> CallOutcome:
    """Return a call as the check of narrations sees it; `reason` is None for one that was applied."""
    target = world.character(str(args.get("target_character_id", "")))
    most = hit_points(world, target)[1] if target is not None else None
    is_full = most is not None and result.get("new_hp") == most
    return CallOutcome(tool, args, reason is None, reason, result, is_full, told)


def lone_records(turn: JsonObject, record_at: Callable[[int], Record | None], last: int, world: World) -> list[Record]:
    """Return the turns that a text submitted by itself may describe, oldest first; none for any other turn.

    These are the turns since a player last spoke to the game master, among the last records, up to the one numbered
    `last`; talk among players may come in between. An undo ends them: turns before it may have been reverted.
    """
    found: list[Record] = []
    if any(turn.get(key) for key in ("user_input", "tool_calls", "output", "answer")):
        return found
    for seq in range(last, max(last - MAX_RECORDS, -1), -1):
        record = record_at(seq)
        if record is None or record["kind"] in ("undo", "new"):
            break
        if record["kind"] == "turn" and not is_aside(record, world):
            found.append(record)
            if record.get("user_input"):
                break
    return found[::-1]


def earlier_of(records: Sequence[Record], world: World) -> Earlier:
    """Return the calls and draws of some turns, except those that a text among them could already have described."""
    calls: list[CallOutcome] = []
    faces: list[int] = []
    for i, record in enumerate(records):
        told = any(later.get("assistant_text") for later in records[i:])
        calls.extend(_recorded(record, world, told=told))
        faces.extend(int(draw["value"]) for draw in record.get("draws", ()) if draw["sides"])
    return Earlier(tuple(calls), tuple(faces))


def _recorded(record: Record, world: World, *, told: bool) -> Iterator[CallOutcome]:
    for action in record["applied_actions"]:
        yield call_outcome(action["tool"], action["args"], action["result"], None, world, told=told)
    asked = list(parts_as_called(record))
    for failed in record["tool_feedback"]["failed_calls"]:
        label = (failed["id"], failed["tool"])
        args: Mapping[str, Any] = next((call["args"] for call in asked if (call["id"], call["tool"]) == label), {})
        yield call_outcome(failed["tool"], args, {}, failed["reason"], world, told=told)
