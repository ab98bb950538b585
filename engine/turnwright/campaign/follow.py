"""Follow the log: each record as it is committed, by this process or another, as one viewer may see it.

Source: docs/stages/6-publish.md, "Follow".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple, Self

from turnwright.model.errors import CampaignInvalid
from turnwright.model.strict_json import compact, sha256
from turnwright.model.viewer import Viewer
from turnwright.model.wire.reason import Problem
from turnwright.model.wire.record import answers_a_turn, as_record
from turnwright.store.log import LOG_PATH

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import Record, Reply

RecordsAfter = Callable[[int], "Iterator[Record]"]
Project = Callable[["Record", Viewer], "Reply"]
Wait = Callable[[], bool]
"""Waits a moment and returns whether to look again."""


class _Known(NamedTuple):
    """A record that was given: its number, and the hash of what it says."""

    seq: int
    sha256: str

    @classmethod
    def of(cls, record: Record) -> Self:
        return cls(record["seq"], sha256(compact(record)))


class Follower:
    """Looks at a log again and again for what came since.

    Args:
        records: gives the records after a number, as `Campaign.records` does.
        project: cuts a record of a turn to what a viewer may see, as `Campaign.project` does.
        viewer: the reader.
        after: the number of the last record that is left out.
    """

    def __init__(self, records: RecordsAfter, project: Project, viewer: Viewer, after: int) -> None:
        self._records = records
        self._project = project
        self._viewer = viewer
        self._after = after
        self._last: _Known | None = None

    def look(self) -> Iterator[Record]:
        """Yield what came since the last record that was given, as the viewer may see it.

        Raises:
            CampaignInvalid: when the log no longer holds that record, as when an older copy was put back.
        """
        for record in self._records(self._after) if self._last is None else self._since(self._last):
            self._last = _Known.of(record)  # its reader may change the record
            yield self._seen(record)

    def _since(self, last: _Known) -> Iterator[Record]:
        """Yield the records after one. It holds the hash of the line before it, so it stands for all before."""
        following = self._records(last.seq - 1)
        found = next(following, None)
        if found is None or _Known.of(found) != last:
            message = f"does not hold record {last.seq} as it was told here: it is not the log that was followed"
            raise CampaignInvalid([Problem(LOG_PATH, f"line {last.seq + 1}", "log", message)])
        yield from following

    def _seen(self, record: Record) -> Record:
        """Return what the viewer may see of a record: of a turn its projection, of an undo what it took back.

        Of any other record it is that there is one.
        """
        if self._viewer.is_game_master:
            return record
        head = {"seq": record["seq"], "kind": record["kind"]}
        if answers_a_turn(record):
            return as_record({**head, **self._project(record, self._viewer)})
        kept = ("timestamp", "undone_from", "undone") if record["kind"] == "undo" else ("timestamp",)
        held: Mapping[str, object] = record
        return as_record({**head, **{key: held[key] for key in kept}})


def follow(follower: Follower, wait: Wait) -> Iterator[Record]:
    """Yield what a follower finds, look after look, until `wait` says to stop."""
    is_on = True
    while is_on:
        yield from follower.look()
        is_on = wait()
