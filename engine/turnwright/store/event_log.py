"""The log and what follows from it: documents as of the last record, and what each record says.

The log is the truth. Source: docs/stages/5-commit.md, "The log is the truth".
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from turnwright.model.base import Document
from turnwright.store.log import encode
from turnwright.store.records import Start
from turnwright.store.recovery import Recovery, rebuild_on_corruption
from turnwright.store.results import require_no_later_reply, unknown_turn

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import Changes, Record


class EventLog(Recovery):
    """The log of one campaign directory, and the documents as of its last record."""

    # documents

    @rebuild_on_corruption
    def peek(self, path: str) -> Document | None:
        """Return a document as of the last record, whatever its file may hold."""
        return self._current.get(path)

    @rebuild_on_corruption
    def paths(self, collection: str) -> Sequence[str]:
        """Return the paths of a collection's documents, sorted; shared, and so not to be changed."""
        return self._current.paths(collection)

    @rebuild_on_corruption
    def tagged(self, collection: str, tag: str) -> Sequence[str]:
        """Return the paths of a collection's documents that are looked up by this tag, sorted."""
        return self._current.tagged(collection, tag)

    @rebuild_on_corruption
    def layer_of(self, area_id: str) -> str | None:
        """Return the path of the layer that holds an area, or None."""
        return self._current.layer_of(area_id)

    @rebuild_on_corruption
    def highest_area(self) -> int:
        """Return the highest NNN of any `area_NNN`, 0 when there is none."""
        return self._current.highest_area()

    # records

    @rebuild_on_corruption
    def append(self, record: Record, documents: Mapping[str, Document | None], *, durable: bool = True) -> None:
        """Commit a record: its line is queued for the log, and durable when this returns unless `durable` is False.

        Args:
            record: complete, in the documented order.
            documents: what it changed, by path; None for what is gone.
            durable: False leaves that to `sync`, before which the record must not be reported.
        """
        line, offset = encode(record), self.history.size
        self.log.append(line, offset)  # first: a failure below leaves a record that `sync` writes or takes back
        for path, document in documents.items():
            self._copies.note_base(path, self._current.get(path))
            self._take(path, document, record["seq"])
        self._remember(record, line, offset)
        if durable:
            self.sync()

    def sync(self) -> None:
        """Make every appended record durable.

        Raises:
            OSError: when the machine refuses; those records are taken back, and must not be reported.
        """
        self._is_loaded = False  # if the write fails, memory holds records that were never stored, and is reloaded
        self.log.write_out()
        self._is_loaded = True

    @rebuild_on_corruption
    def record(self, seq: int) -> Record | None:
        """Return a record by number, or None."""
        found = self._records.at(seq)
        return self._records.read(found) if found else None

    @rebuild_on_corruption
    def record_of_source(self, source: str) -> Record | None:
        """Return the record of a claimed turn file, or None when it was not taken yet."""
        found = self._records.of_source(source)
        return self._records.read(found) if found else None

    @rebuild_on_corruption
    def record_of_turn(self, turn_id: str) -> Record | None:
        """Return the last record of a turn, or None when the id is free."""
        found = self._records.of_turn(turn_id)
        if found is None and self.is_writing and self._answered.has(turn_id):
            # Its record was lost, or what would find it is damaged.
            if self._checkpoint:
                self._checkpoint.records.require_sound()
            raise unknown_turn(turn_id)
        return self._records.read(found) if found else None

    def require_no_later_reply(self) -> None:
        """Refuse a log that ends before a record whose reply lies in `results/`: its end was lost.

        Where the checkpoint knows the head there is no need to look; to be asked before people's edits are adopted,
        which may be what the lost records did.
        """
        require_no_later_reply(self.files, self.history.seq)

    def records(self, after: int = -1) -> Iterator[Record]:
        """Yield every record after one and up to the one this store is at, in order, each checked against the chain.

        Raises:
            CampaignInvalid: at the first record that is not the one that belongs there.
        """
        if self.history.seq <= after or self.log.size() is None:
            return
        for record in self._records.following(self._start_after(after), self.history.seq):
            if record["seq"] > after:
                yield record

    def changes_up_to(self, last: int, paths: Collection[str]) -> Iterator[Changes]:
        """Yield the changes of the records up to one that touch some documents; see `Records.changes_up_to`."""
        return self._records.changes_up_to(last, paths)

    @rebuild_on_corruption
    def _start_after(self, seq: int) -> Start:
        return self._records.start_after(seq)
