"""Follow the log: each record as it is committed, by this process or another, as one viewer may see it.

Source: docs/stages/6-publish.md, "Follow".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from turnwright.model.errors import CampaignInvalid
from turnwright.model.viewer import Viewer
from turnwright.model.wire.reason import Problem
from turnwright.model.wire.record import answers_a_turn, as_record
from turnwright.store.log import LOG_PATH

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import Record, Reply

Wait = Callable[[], bool]
"""Waits a moment and returns whether to look again."""


def follow(records: Callable[[int], Iterator[Record]], after: int, wait: Wait) -> Iterator[Record]:
    """Yield the records of a log after one, and those that come, until `wait` says to stop.

    Args:
        records: gives the records after a number, as `Campaign.records` does.
        after: the number of the last record that is left out.
        wait: called after each look at the log.

    Raises:
        CampaignInvalid: when the log no longer holds the record that came last, as when an older copy was put back.
    """
    last: Record | None = None
    is_on = True
    while is_on:
        for record in records(after) if last is None else _since(records, last):
            last = record
            yield record
        is_on = wait()


def _since(records: Callable[[int], Iterator[Record]], last: Record) -> Iterator[Record]:
    """Yield the records after one. It holds the hash of the line before it, and so stands for all that came before."""
    following = records(last["seq"] - 1)
    if next(following, None) != last:
        message = f"does not hold record {last['seq']} as it was told here: it is not the log that was followed"
        raise CampaignInvalid([Problem(LOG_PATH, f"line {last['seq'] + 1}", "log", message)])
    yield from following


def seen_of(record: Record, viewer: Viewer, project: Callable[[Record, Viewer], Reply]) -> Record:
    """Return what a viewer may see of a record of any kind: of a turn its projection, of an undo what it took back.

    Of any other record it is that there is one.
    """
    if viewer.is_game_master:
        return record
    head = {"seq": record["seq"], "kind": record["kind"]}
    if answers_a_turn(record):
        return as_record({**head, **project(record, viewer)})
    kept = ("timestamp", "undone_from", "undone") if record["kind"] == "undo" else ("timestamp",)
    held: Mapping[str, object] = record
    return as_record({**head, **{key: held[key] for key in kept}})
