"""A role's view of the log: messages and narration, and page by page the actions.

Source: docs/mcp.md, "Resources".
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from turnwright.campaign.record_text import TurnTeller
from turnwright.game_master.knowledge.utterances import standing
from turnwright.mcp.door import Door
from turnwright.model.state.overlay import World
from turnwright.rulesets.story import describe_failed_call

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import Record

PAGE = 50
"""Records of one page of the log."""
_MAX_TEXTS = 12
_LOOKED_AT = 200
"""Number of records a recap looks back, from the last turn not undone."""


def recap(door: Door) -> str:
    """Return the last of what was said and told, oldest first, as a role heard it."""
    with door.campaign.moment() as (_, last_turn):
        last = last_turn()
    if last is None:
        return "Nothing was said yet."
    records = list(door.campaign.records(after=last["seq"] - _LOOKED_AT))
    with door.reading() as world:
        teller = _teller(door, world)
        lines = [line for record in standing(records) for line in teller.tell(record).spoken]
    return "\n\n".join(lines[-_MAX_TEXTS:]) or "Nothing was said yet."


def _teller(door: Door, world: World) -> TurnTeller:
    return TurnTeller(world, door.viewer, shows_ids=True, unnamed="player")


def last_page(door: Door) -> int:
    """Return the number of the newest page of the log, from 0."""
    with door.campaign.moment() as (_, last_turn):
        last = last_turn()
    seq = last["seq"] if last else 0
    for record in door.campaign.records(after=seq - 1):
        seq = record["seq"]
    return int(seq) // PAGE


def log_page(door: Door, page: int) -> str:
    """Return one page of the log in words, a paragraph for each record that the role may read of."""
    records = list(islice(door.campaign.records(after=page * PAGE - 1), PAGE))
    with door.reading() as world:
        teller = _teller(door, world)
        told = ["\n".join(lines) for record in records if (lines := list(_lines(record, door, teller)))]
    return "\n\n".join(told) or "Nothing is recorded here."


def _lines(record: Record, door: Door, teller: TurnTeller) -> Iterator[str]:
    head = f"#{record['seq']} {record['timestamp']}"
    if record["kind"] not in ("turn", "attempt"):
        if door.is_game_master or record["kind"] in ("undo", "session"):
            after = f" from record {record['undone_from']}" if record["kind"] == "undo" else ""
            yield f"{head} {record['kind']}{after}"
        return
    if not door.is_game_master and record["kind"] == "attempt":
        return
    told = teller.tell(record)
    yield f"{head} {record['turn_id']} {record['status']}"
    yield from (f"  {line}" for text in told.spoken for line in text.splitlines())
    yield from (f"  {deed.tool}: {deed.words or 'done'}" for deed in told.deeds)
    for call in told.seen["tool_feedback"]["failed_calls"]:
        yield f"  {call['tool']}: not done: {describe_failed_call(call, teller.knowledge)}"
    yield from (f"  {line.text}" for line in told.events if not line.is_prose)
