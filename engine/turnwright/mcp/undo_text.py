"""Describe the turns an undo reverted: for each its calls and its dice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from turnwright.model.knowledge import Knowledge
from turnwright.rulesets.story import describe_action, describe_draw

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import Record


def describe_undone(records: Iterable[Record], knowledge: Knowledge) -> list[str]:
    """Return a line for each record that was taken back, and below it what its calls did and which dice fell.

    Args:
        records: the records, oldest first.
        knowledge: the names as they were before they were taken back.
    """
    return [line for record in records for line in _lines(record, knowledge)]


def _lines(record: Record, knowledge: Knowledge) -> Iterator[str]:
    yield f"record {record['seq']}: {record['kind']} {record.get('turn_id') or ''}".rstrip()
    if said := record.get("user_input"):
        yield f"  said: {said}"
    for action in record.get("applied_actions", ()):
        yield f"  {action['tool']}: {describe_action(action, knowledge, record) or 'done'}"
    for draw in record.get("draws", ()):
        given = ", given" if draw["given"] else ""
        yield f"  d{draw['sides'] or '?'} showed {draw['value']} ({describe_draw(draw, knowledge)}{given})"
