"""The log and what its records say. The log is the truth.

Source: docs/stages/5-commit.md, "The log is the truth".
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING

from turnwright.model.base import Document
from turnwright.store.files import Files
from turnwright.store.loaded import Loaded
from turnwright.store.log import Log, encode
from turnwright.store.records import Start
from turnwright.store.recovery import Recovery, rebuild_on_corruption
from turnwright.store.results import require_no_later_reply, unknown_turn

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import Changes, Record


class EventLog:
    """Appends records to the log of one campaign directory, and reads them.

    Args:
        files: the directory's files.
        log: its log.
        loaded: the state loaded from it.
        recovery: rebuilds that state from the log.
    """

    def __init__(self, files: Files, log: Log, loaded: Loaded, recovery: Recovery) -> None:
        self._files = files
        self._log = log
        self._loaded = loaded
        self._recovery = recovery

    @rebuild_on_corruption
    def append(self, record: Record, documents: Mapping[str, Document | None], *, durable: bool = True) -> None:
        """Commit a record, durably unless `durable` is False; see `Store.append`."""
        line, offset = encode(record), self._loaded.history.size
        self._log.append(line, offset)  # first: a failure below leaves a record that `sync` writes or takes back
        for path, document in documents.items():
            self._loaded.copies.note_base(path, self._loaded.current.get(path))
            self._loaded.take(path, document, record["seq"])
        self._loaded.remember(record, line, offset)
        if durable:
            self.sync()

    def sync(self) -> None:
        """Make every appended record durable; see `Store.sync`."""
        # If the write fails, memory holds records that were never stored, and is reloaded.
        self._recovery.is_loaded = False
        self._log.write_out()
        self._recovery.is_loaded = True

    @rebuild_on_corruption
    def record(self, seq: int) -> Record | None:
        """Return a record by number, or None."""
        found = self._loaded.records.at(seq)
        return self._loaded.records.read(found) if found else None

    @rebuild_on_corruption
    def record_of_source(self, source: str) -> Record | None:
        """Return the record of a claimed turn file, or None when it was not taken yet."""
        found = self._loaded.records.of_source(source)
        return self._loaded.records.read(found) if found else None

    @rebuild_on_corruption
    def record_of_turn(self, turn_id: str) -> Record | None:
        """Return the last record of a turn, or None when the id is free."""
        found = self._loaded.records.of_turn(turn_id)
        if found is None and self._recovery.is_writing and self._loaded.answered.has(turn_id):
            # Its record was lost, or what would find it is damaged.
            if self._loaded.checkpoint:
                self._loaded.checkpoint.records.require_sound()
            raise unknown_turn(turn_id)
        return self._loaded.records.read(found) if found else None

    def require_no_later_reply(self) -> None:
        """Refuse a log whose end was lost; see `Store.require_no_later_reply`."""
        require_no_later_reply(self._files, self._loaded.history.seq)

    def records(self, after: int = -1) -> Iterator[Record]:
        """Yield every record after one, up to the last that is known; see `Store.records`."""
        if self._loaded.history.seq <= after or self._log.size() is None:
            return
        for record in self._loaded.records.following(self._start_after(after), self._loaded.history.seq):
            if record["seq"] > after:
                yield record

    def changes_up_to(self, last: int, paths: Collection[str]) -> Iterator[Changes]:
        """Yield the changes of the records up to one that touch some documents; see `Records.changes_up_to`."""
        return self._loaded.records.changes_up_to(last, paths)

    @rebuild_on_corruption
    def _start_after(self, seq: int) -> Start:
        return self._loaded.records.start_after(seq)
