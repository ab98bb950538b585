"""One campaign directory: its log, and files that follow behind.

A turn is committed by one append; documents, results and checkpoint are brought up to date afterwards, and whatever a
crash left behind is made again from the log. Source: docs/stages/5-commit.md.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from turnwright.model.base import Document
from turnwright.model.state.log_state import LogState
from turnwright.store.document_reader import DocumentReader
from turnwright.store.document_table import DocumentTable
from turnwright.store.event_log import EventLog
from turnwright.store.files import Files
from turnwright.store.flusher import Flusher
from turnwright.store.hand_edits import DocumentChanged, EditDetector
from turnwright.store.loaded import Loaded
from turnwright.store.log import Log
from turnwright.store.recovery import Recovery
from turnwright.store.secret import Secrets
from turnwright.store.transaction import Transaction

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import Changes, Record

__all__ = ["DocumentChanged", "Store"]


class Store:
    """One campaign directory, files and all.

    A writer works inside `writing()`; outside it the store is read-only, as of the last record that was complete when
    it was opened.

    Attributes:
        files: the directory's files.
        kinds: the models of its documents.
        log: its log.
        secrets: the secrets that its dice are drawn from.
    """

    def __init__(self, files: Files, kinds: DocumentTable) -> None:
        self.files = files
        self.kinds = kinds
        self.log = Log(files, kinds)
        self.secrets = Secrets(files)
        self._loaded = Loaded(files, kinds, self.log)
        self._recovery = Recovery(files, kinds, self.log, self._loaded)
        self._transaction = Transaction(files, kinds, self.log, self._loaded, self._recovery)
        self._documents = DocumentReader(self._loaded, self._recovery)
        self._records = EventLog(files, self.log, self._loaded, self._recovery)
        self._edits = EditDetector(files, kinds, self._loaded, self._recovery)
        self._flusher = Flusher(files, self.log, self._loaded, self._recovery, self._edits)

    # opening

    @property
    def history(self) -> LogState:
        """The log up to the last record that is known."""
        return self._loaded.history

    @property
    def is_writing(self) -> bool:
        """Whether the campaign's lock is held, or waited for."""
        return self._recovery.is_writing

    @property
    def is_loaded(self) -> bool:
        """Whether what is known is what the log holds; not once records could not be written that it is known by."""
        return self._recovery.is_loaded

    def load_for_reading(self) -> None:
        """Load the campaign as of its last complete record, without waiting for other processes."""
        self._recovery.load_for_reading()

    def rest(self) -> bool:
        """Release the record that was read; return whether the next read may reuse this store.

        It may not if it holds too much memory for a read that may never come.
        """
        return self._recovery.rest()

    def close(self) -> None:
        """Close all files. The next writer rebuilds unflushed files from the log."""
        self.log.close()
        self._transaction.close()
        self._loaded.close_checkpoint()

    # the lock

    def writing(self, wait: float) -> AbstractContextManager[None]:
        """Hold the campaign's lock; records of other processes are read first.

        Raises:
            CampaignBusy: when another process kept the lock for `wait` seconds.
            CampaignInvalid: when the log is not the one the checkpoint was made from.
        """
        return self._transaction.writing(wait)

    def rebuilding(self, wait: float) -> AbstractContextManager[None]:
        """Hold the campaign's lock over a checkpoint rebuilt from the log; the log is left as it is."""
        return self._transaction.rebuilding(wait)

    def begin_writing(self, wait: float) -> None:
        """Take the campaign's lock and read what others appended; see `writing`."""
        self._transaction.begin(wait)

    def end_writing(self) -> None:
        """Give the campaign's lock back. Records that were not made durable were never made."""
        self._transaction.end()

    def take_back(self, end: int) -> None:
        """Forget the records that stand from an offset of the log on and are not durable, and what is known by them."""
        self._transaction.take_back(end)

    # documents

    def get(self, path: str) -> Document | None:
        """Return a document as of the last record; under the lock its file is looked at once a turn.

        Raises:
            DocumentChanged: when the file was edited by hand.
        """
        return self._edits.get(path)

    def has(self, path: str) -> bool:
        """Return whether there is a document at a path; raises like `get`."""
        return self._edits.get(path) is not None

    def peek(self, path: str) -> Document | None:
        """Return a document as of the last record, whatever its file may hold."""
        return self._documents.peek(path)

    def paths(self, collection: str) -> Sequence[str]:
        """Return the paths of a collection's documents, sorted; shared, and so not to be changed."""
        return self._documents.paths(collection)

    def tagged(self, collection: str, tag: str) -> Sequence[str]:
        """Return the paths of a collection's documents that are looked up by this tag, sorted."""
        return self._documents.tagged(collection, tag)

    def layer_of(self, area_id: str) -> str | None:
        """Return the path of the layer that holds an area, or None."""
        return self._documents.layer_of(area_id)

    def highest_area(self) -> int:
        """Return the highest NNN of any `area_NNN`, 0 when there is none."""
        return self._documents.highest_area()

    # records

    def append(self, record: Record, documents: Mapping[str, Document | None], *, durable: bool = True) -> None:
        """Commit a record: its line is queued for the log, and durable when this returns unless `durable` is False.

        Args:
            record: complete, in the documented order.
            documents: the documents it changed, by path; None for deleted ones.
            durable: False leaves that to `sync`, before which the record must not be reported.
        """
        self._records.append(record, documents, durable=durable)

    def sync(self) -> None:
        """Make every appended record durable.

        Raises:
            OSError: when the machine refuses; those records are taken back, and must not be reported.
        """
        self._records.sync()

    def record(self, seq: int) -> Record | None:
        """Return a record by number, or None."""
        return self._records.record(seq)

    def record_of_source(self, source: str) -> Record | None:
        """Return the record of a claimed turn file, or None when it was not taken yet."""
        return self._records.record_of_source(source)

    def record_of_turn(self, turn_id: str) -> Record | None:
        """Return the last record of a turn, or None when the id is free."""
        return self._records.record_of_turn(turn_id)

    def require_no_later_reply(self) -> None:
        """Reject a log that ends before a record whose reply is in `results/`: its end was lost.

        If the checkpoint knows the head, no check is needed. Call this before adopting hand edits, which may be the
        effects of the lost records.
        """
        self._records.require_no_later_reply()

    def records(self, after: int = -1) -> Iterator[Record]:
        """Yield every record after one and up to the one this store is at, in order, each checked against the chain.

        Raises:
            CampaignInvalid: at the first record that is not the one that belongs there.
        """
        return self._records.records(after)

    def changes_up_to(self, last: int, paths: Collection[str]) -> Iterator[Changes]:
        """Yield the changes of the records up to one that touch some documents; see `Records.changes_up_to`."""
        return self._records.changes_up_to(last, paths)

    # files

    def changed_by_hand(self) -> dict[str, Document]:
        """Look at every document's file and return those that people added or edited.

        Files that are merely behind or missing are noted and written by the next flush.

        Raises:
            CampaignInvalid: with all problems of the edited files.
        """
        return self._edits.changed_by_hand()

    def leave_as_written(self, paths: Iterable[str]) -> None:
        """Leave the files of adopted hand edits in the words of who wrote them, if they hold what the log now says."""
        self._edits.leave_as_written(paths)

    @property
    def is_behind(self) -> bool:
        """Whether documents, results or checkpoint are not yet what the log says."""
        return self._flusher.is_behind

    def flush(self, keep_results: int, spare: Collection[str] = ()) -> None:
        """Bring documents, results and checkpoint up to the log. Only called under the lock.

        Args:
            keep_results: how many of the newest results stay as files.
            spare: paths of files to leave alone whatever they hold; they count as edited by hand.

        Raises:
            DocumentChanged: when a file to be written was edited by hand since the last turn checked it.
        """
        self._flusher.flush(keep_results, spare)
