"""One campaign directory: documents to read, records to append, and a checkpoint that follows behind.

The log is the truth. A turn is committed by one append; documents, results and checkpoint are brought up to date
afterwards, and whatever a crash left behind is made again from the log. Source: docs/stages/5-commit.md.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from turnwright.model.area import Layer, area_number
from turnwright.model.base import Document
from turnwright.model.documents import model_of
from turnwright.model.errors import CampaignInvalid
from turnwright.model.reason import Problem
from turnwright.model.record import answers_a_turn, reply_of
from turnwright.model.strict_json import JsonError, compact, parse_json, pretty, sha256
from turnwright.store.checkpoint import Checkpoint, RecordRow, Row, Unreadable
from turnwright.store.documents import (
    document_from,
    find_documents,
    holds_a_beginning,
    parse_document,
    read_document,
)
from turnwright.store.files import Files, Seen
from turnwright.store.lock import Lock
from turnwright.store.log import Log, damaged, decode, encode
from turnwright.store.results import RESULTS_FOLDER, prune_results, result_path
from turnwright.world.fold import apply_changes
from turnwright.world.history import History
from turnwright.world.patch import PatchError

_SETTLED_NS = 1_000_000_000
"""A file that changed within this time of being looked at could change again unseen, so it is read again next time."""


P = ParamSpec("P")
R = TypeVar("R")


class DocumentChanged(Exception):
    """A document on disk is not what we left: somebody edited it by hand."""


def _despite_damage(method: Callable[Concatenate[Store, P], R]) -> Callable[Concatenate[Store, P], R]:
    """Let a method start again from the log when the checkpoint proves damaged on the way."""

    @wraps(method)
    def answer(self: Store, /, *args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return method(self, *args, **kwargs)
        except Unreadable:
            self._rebuild(self.history.seq)
            return method(self, *args, **kwargs)

    return answer


class Store:
    """One campaign directory.

    A writer works inside `writing()`; outside it a store only reads, and sees the campaign as of the last record that
    was complete when it was opened.
    """

    def __init__(self, files: Files) -> None:
        self.files = files
        self.log = Log(files)
        self.history = History()
        self._lock = Lock(files)
        self._checkpoint: Checkpoint | None = None
        self._is_loaded = False
        self._was_rebuilt = False
        self._is_compared = True
        self._is_writing = False
        self._documents: dict[str, Document | None] = {}
        self._dirty: dict[str, int] = {}
        self._areas: dict[str, str | None] = {}
        self._rows: dict[str, Row] = {}
        self._looked: set[str] = set()
        self._on_disk: set[str] = set()
        self._edited: dict[str, Row] = {}
        self._records: dict[int, RecordRow] = {}
        self._turns: dict[str, RecordRow] = {}
        self._results: dict[str, dict[str, Any] | RecordRow] = {}

    # opening

    @contextmanager
    def writing(self, wait: float) -> Iterator[None]:
        """Hold the campaign's lock; what others appended is read first.

        Raises:
            CampaignBusy: when another process kept the lock for `wait` seconds.
            CampaignInvalid: when the log is not the one the checkpoint was made from.
        """
        with self._lock.held(wait):
            self._is_writing = True
            self._looked.clear()
            try:
                self._load_or_catch_up()
                yield
            finally:
                self._is_writing = False

    @contextmanager
    def rebuilding(self, wait: float) -> Iterator[None]:
        """Hold the campaign's lock over a checkpoint made anew from the log; the log is left as it is."""
        with self._lock.held(wait):
            self._is_writing = True
            try:
                self._rebuild(None)
                yield
            finally:
                self._is_writing = False

    def load_for_reading(self) -> None:
        """Load the campaign as of its last complete record, without waiting for anybody."""
        try:
            self._open(writable=False)
        except Unreadable:
            self._rebuild(None)
        self._is_loaded = True

    def close(self) -> None:
        """Close all files. What was not flushed is made again by the next writer."""
        self.log.close()
        self._lock.close()
        self._close_checkpoint()

    def _load_or_catch_up(self) -> None:
        is_ours = self._is_loaded and self._checkpoint is not None and self._checkpoint.is_in_place()
        if not (is_ours and self.log.size() == (self.history.size or None) and self.log.is_same_file()):
            if self._is_loaded:
                self._require_known_head()
            self._is_loaded = False  # what fails half way is not built upon next time
            try:
                self._take_in_others() if is_ours else self._open(writable=True)
            except Unreadable:
                self._rebuild(None)
            self._is_loaded = True
        self.log.set_torn_aside(self.history.size)

    def _open(self, *, writable: bool) -> None:
        self._forget()
        self._close_checkpoint()
        self._checkpoint = Checkpoint.open(self.files, writable=writable)
        self.history = self._checkpoint.history()
        self._require_known_head()
        self._catch_up()

    def _rebuild(self, last: int | None) -> None:
        """Make everything that is known again from the log, up to a record: the checkpoint cannot be used."""
        self._forget()
        self._close_checkpoint()
        self.history = History()
        if self._is_writing:
            self._checkpoint = Checkpoint.create(self.files)
            self._was_rebuilt, self._is_compared = True, False
        self._catch_up(last)

    def _take_in_others(self) -> None:
        """Read what other processes appended; where one of them saved a newer checkpoint, begin again from that."""
        self.log.close()
        saved = self._checkpoint.history() if self._checkpoint else History()
        if saved.seq > self.history.seq:
            self._forget()
            self.history = saved
        self._catch_up()

    def _forget(self) -> None:
        for known in (self._documents, self._dirty, self._areas, self._rows, self._results, self._records, self._turns):
            known.clear()
        self._looked.clear()
        self._on_disk.clear()
        self._edited.clear()

    def _close_checkpoint(self) -> None:
        if self._checkpoint:
            self._checkpoint.close()
        self._checkpoint = None

    def _require_known_head(self) -> None:
        """Refuse a log that does not hold the record the checkpoint, or this process, knows as the last."""
        known = self.history
        if known.seq < 0:
            return
        size = self.log.size()
        if size is None:
            raise damaged(known.seq, "the log is missing, but the checkpoint knows of it")
        if size < known.size or sha256(self.log.line_at(known.head_offset)) != known.head:
            raise damaged(known.seq, f"the log no longer holds record {known.seq} as it was written")

    def _catch_up(self, last: int | None = None) -> None:
        """Take in the records that the log holds beyond what is known; `last` ends it early."""
        if self.log.size() is None:
            return
        values: dict[str, Any] = {}
        for offset, line in self.log.lines(self.history.size):
            if self.history.seq == last:
                break
            record = decode(line, self.history.seq + 1, self.history.head)
            try:
                self._take_in(values, record, line, offset)
            except (KeyError, TypeError, AttributeError, ValueError) as error:
                message = f"record {record['seq']} is not what a record holds: {error!r}"
                raise damaged(record["seq"], message) from error
        for path in sorted(values):
            self._take(path, self._validated(path, values[path]), self.history.seq)

    def _take_in(self, values: dict[str, Any], record: Mapping[str, Any], line: bytes, offset: int) -> None:
        for path in record.get("changes", {}):
            if path not in values and (document := self._current(path)):
                values[path] = document.value()
        self._fold_in(values, record)
        row = self._remember(record, line, offset)
        if answers_a_turn(record):
            self._note_result(row, row)

    def _fold_in(self, values: dict[str, Any], record: Mapping[str, Any]) -> None:
        changes = record.get("changes", {})
        try:
            apply_changes(values, changes)
        except PatchError as error:
            raise damaged(record["seq"], f"the changes of record {record['seq']} do not fit: {error}") from None
        for path in changes:
            if path not in values:
                self._take(path, None, record["seq"])

    def _validated(self, path: str, value: Any) -> Document:
        if model_of(path) is None:
            message = "the log holds this document, and this version knows none there; a newer turnwright is needed"
            raise CampaignInvalid([Problem(path, "$", "unknown_file", message)])
        document, problems = document_from(path, value)
        if document is None:
            raise CampaignInvalid(problems)
        return document

    # Source: what tools and readers see

    @_despite_damage
    def get(self, path: str) -> Document | None:
        """Return a document as of the last record; under the lock its file is looked at once a turn.

        Raises:
            DocumentChanged: when the file was edited by hand.
        """
        document = self._current(path)
        if self._is_writing and path not in self._looked:
            self._look_again(path, document)
        return document

    @_despite_damage
    def peek(self, path: str) -> Document | None:
        """Return a document as of the last record, whatever its file may hold."""
        return self._current(path)

    @_despite_damage
    def paths(self, collection: str) -> list[str]:
        """Return the paths of a collection's documents, sorted."""
        below = self._checkpoint.paths(collection) if self._checkpoint else []
        own = {path: document for path, document in self._documents.items() if path.startswith(collection)}
        fresh = [path for path, document in own.items() if document is not None]
        return sorted({*(path for path in below if path not in own), *fresh})

    @_despite_damage
    def layer_of(self, area_id: str) -> str | None:
        """Return the path of the layer that holds an area, or None."""
        if area_id in self._areas or self._checkpoint is None:
            return self._areas.get(area_id)
        return self._checkpoint.layer_of(area_id)

    @_despite_damage
    def highest_area(self) -> int:
        """Return the highest NNN of any `area_NNN`, 0 when there is none."""
        gone = {area_id for area_id, layer in self._areas.items() if layer is None}
        below = self._checkpoint.highest_area(gone) if self._checkpoint else 0
        own = (area_number(area_id) or 0 for area_id, layer in self._areas.items() if layer is not None)
        return max(below, max(own, default=0))

    def _current(self, path: str) -> Document | None:
        if path not in self._documents:
            value = self._checkpoint.value(path) if self._checkpoint else None
            document = None if value is None else document_from(path, value)[0]
            if value is not None and document is None:
                raise Unreadable(path)
            self._documents[path] = document
        return self._documents[path]

    def _look_again(self, path: str, document: Document | None) -> None:
        self._looked.add(path)
        seen = self.files.look(path)
        row = self._row(path)
        if seen is None:
            if document is not None:
                self._dirty.setdefault(path, row.seq if row else self.history.seq)
            return
        if row and (seen.size, seen.mtime_ns) == (row.size, row.mtime_ns):
            return
        if self._checkpoint and (row := self._checkpoint.row(path)):
            self._rows[path] = row
        if row and seen.is_file and sha256(self.files.read(path)) == row.sha256:
            self._rows[path] = Row(path, row.seq, row.sha256, seen.size, seen.mtime_ns)
            return
        raise DocumentChanged(path)

    def _row(self, path: str) -> Row | None:
        if path not in self._rows and self._checkpoint and (row := self._checkpoint.row(path)):
            self._rows[path] = row
        return self._rows.get(path)

    # the log

    def append(self, record: dict[str, Any], documents: Mapping[str, Document | None]) -> None:
        """Commit a record: its line is in the log and durable when this returns.

        Args:
            record: complete, in the documented order.
            documents: what it changed, by path; None for what is gone.
        """
        line = encode(record)
        offset = self.history.size
        self.log.append(line, offset)
        self.log.sync()
        self._remember(record, line, offset)
        if answers_a_turn(record):
            self._note_result(self._records[record["seq"]], reply_of(record))
        for path, document in documents.items():
            self._take(path, document, record["seq"])

    def _remember(self, record: Mapping[str, Any], line: bytes, offset: int) -> RecordRow:
        self.history.take(record, line)
        row = RecordRow(record["seq"], offset, record["kind"], record.get("turn_id"), record.get("source"))
        self._records[row.seq] = row
        if row.turn_id is not None:
            self._turns[row.turn_id] = row
        return row

    def _note_result(self, row: RecordRow, result: dict[str, Any] | RecordRow) -> None:
        assert row.turn_id is not None
        self._results.pop(row.turn_id, None)  # the newest stands last, also when it was wanted again
        self._results[row.turn_id] = result

    def _take(self, path: str, document: Document | None, seq: int) -> None:
        before = self._current(path)
        old = before.areas.keys() if isinstance(before, Layer) else set()
        new = document.areas.keys() if isinstance(document, Layer) else set()
        self._areas.update((area_id, None) for area_id in old - new if self.layer_of(area_id) == path)
        self._areas.update((area_id, path) for area_id in new - old)
        self._documents[path] = document
        self._dirty[path] = seq
        self._on_disk.discard(path)

    @_despite_damage
    def record_of_turn(self, turn_id: str) -> dict[str, Any] | None:
        """Return the last record of a turn, or None when the id is free."""
        found = self._turns.get(turn_id)
        if found is None and self._checkpoint:
            found = self._checkpoint.record_of_turn(turn_id)
        return self._read(found) if found else None

    @_despite_damage
    def record_of_source(self, source: str) -> dict[str, Any] | None:
        """Return the record of a claimed turn file, or None when it was not taken yet."""
        found = next((row for row in self._records.values() if row.source == source), None)
        if found is None and self._checkpoint:
            found = self._checkpoint.record_of_source(source)
        return self._read(found) if found else None

    @_despite_damage
    def record(self, seq: int) -> dict[str, Any] | None:
        """Return a record by number, or None."""
        found = self._row_of(seq)
        return self._read(found) if found else None

    @_despite_damage
    def _row_of(self, seq: int) -> RecordRow | None:
        found = self._records.get(seq)
        if found is None and self._checkpoint:
            found = self._checkpoint.record(seq)
        return found

    def _read(self, row: RecordRow) -> dict[str, Any]:
        try:
            value: dict[str, Any] = parse_json(self.log.line_at(row.offset))
        except JsonError as error:
            raise Unreadable(f"record {row.seq}: {error}") from None
        if (value["seq"], value["kind"], value.get("turn_id")) != (row.seq, row.kind, row.turn_id):
            raise Unreadable(f"record {row.seq} stands elsewhere")
        return value

    def records(self, after: int = -1) -> Iterator[dict[str, Any]]:
        """Yield every record after one and up to the one this store is at, in order, each checked against the chain.

        Raises:
            CampaignInvalid: at the first record that is not the one that belongs there.
        """
        if self.history.seq <= after or self.log.size() is None:
            return
        known = self._row_of(after) if after >= 0 and self.record(after) else None
        head = History()
        for _, line in self.log.lines(known.offset if known else 0):
            if known and head.seq < 0:
                head.seq, head.head = known.seq, sha256(line)
                continue
            record = decode(line, head.seq + 1, head.head)
            head.seq, head.head = record["seq"], sha256(line)
            if head.seq > after:
                yield record
            if head.seq == self.history.seq:
                return

    # hand edits

    @_despite_damage
    def changed_by_hand(self) -> dict[str, Document]:
        """Look at every document's file and return those that people added or edited.

        What is merely behind, or missing, is noted and written by the next flush.

        Raises:
            CampaignInvalid: with everything that is wrong with the edited files.
        """
        self._edited.clear()
        self._is_compared = True
        found = find_documents(self.files)
        rows = {row.path: row for row in self._checkpoint.rows()} if self._checkpoint else {}
        edited: dict[str, Document] = {}
        problems: list[Problem] = []
        unchanged: list[Row] = []
        for path, seen in found.items():
            row = rows.get(path)
            if row and row.mtime_ns is not None and (seen.size, seen.mtime_ns) == (row.size, row.mtime_ns):
                continue
            document, wrong = self._compared(path, seen, row)
            problems += wrong
            if document:
                edited[path] = document
            elif path in self._rows and path not in self._dirty:
                unchanged.append(self._rows[path])
        self._note_missing(found, rows)
        self._note_settled(unchanged)
        self._looked.update(found)
        if problems:
            raise CampaignInvalid(problems)
        return edited

    def _compared(self, path: str, seen: Seen, row: Row | None) -> tuple[Document | None, list[Problem]]:
        """Return the document in a file when it is a hand edit, and what is wrong with the file."""
        data, problems = read_document(self.files, path, seen)
        digest = sha256(data)
        if problems:
            self._edited[path] = Row(path, self.history.seq + 1, digest, seen.size, seen.mtime_ns)
            return None, problems
        if row and digest == row.sha256:
            self._rows[path] = Row(path, row.seq, digest, seen.size, seen.mtime_ns)
            return None, []
        current = self._current(path)
        document, problems = parse_document(path, data)
        if document and current and compact(document.value()) == compact(current.value()):
            seq = self._dirty.get(path, row.seq if row else self.history.seq)
            self._rows[path] = Row(path, seq, digest, seen.size, seen.mtime_ns)
            self._dirty[path] = seq
            self._on_disk.add(path)
            return None, []
        was_once = row is None and self._was_rebuilt and self._was_once(path, data)
        if was_once or (current and document is None and holds_a_beginning(data, current)):
            self._dirty.setdefault(path, self.history.seq)
            return None, []
        self._edited[path] = Row(path, self.history.seq + 1, digest, seen.size, seen.mtime_ns)
        return document, problems

    def leave_as_written(self, paths: Iterable[str]) -> None:
        """Leave the files of adopted hand edits in the words of who wrote them: they hold what the log now says."""
        for path in paths:
            if row := self._edited.pop(path, None):
                self._rows[path] = row
                self._on_disk.add(path)

    def _was_once(self, path: str, data: bytes) -> bool:
        """Return whether a file is an earlier version of its document, as the log tells, and so merely behind."""
        values: dict[str, Any] = {}
        try:
            value = parse_json(data)
        except JsonError:
            return False
        for record in self.records():
            before = values.get(path)
            apply_changes(values, record.get("changes", {}), only={path})
            if values.get(path) is not before and values.get(path) == value:
                return pretty(self._validated(path, value).value()).encode() == data
        return False

    def _note_missing(self, found: Mapping[str, Seen], rows: Mapping[str, Row]) -> None:
        for path, row in rows.items():
            if path not in found and self._current(path) is not None:
                self._dirty.setdefault(path, row.seq)

    def _note_settled(self, unchanged: Iterable[Row]) -> None:
        """Keep how unchanged files look, once they are old enough that no later change can hide in the same instant."""
        rows = list(unchanged)
        if not rows or not self._checkpoint:
            return
        limit = self.files.now_ns() - _SETTLED_NS
        if settled := [row for row in rows if row.mtime_ns is not None and row.mtime_ns < limit]:
            self._checkpoint.note(settled)

    # the checkpoint

    @property
    def is_behind(self) -> bool:
        """Whether documents, results or checkpoint are not yet what the log says."""
        return bool(self._dirty or self._records or self._results)

    def flush(self, keep_results: int, spare: Collection[str] = ()) -> None:
        """Bring documents, results and checkpoint up to the log. Only called under the lock.

        Args:
            keep_results: how many of the newest results stay as files.
            spare: paths of files that are left alone whatever they hold; they will be known for edited by hand.
        """
        if not self.is_behind or self._checkpoint is None:
            return
        try:
            self._flush(self._checkpoint, keep_results, {*spare, *self._edited_unseen()})
        except Unreadable:
            self._rebuild(self.history.seq)
            self._flush(self._checkpoint, keep_results, {*spare, *self._edited_unseen()})

    def _edited_unseen(self) -> Iterable[str]:
        """Return the files edited by hand, when the checkpoint was made again and nobody has looked at them since."""
        if self._is_compared:
            return ()
        with suppress(CampaignInvalid):
            self.changed_by_hand()
        return self._edited

    def _flush(self, checkpoint: Checkpoint, keep_results: int, spare: Collection[str]) -> None:
        gone = sorted(path for path in self._dirty if self._documents[path] is None)
        for path in gone:
            if path not in spare:
                self.files.remove(path)
        dirty = sorted((path, seq) for path, seq in self._dirty.items() if path not in gone)
        written = [self._write(path, seq, is_spared=path in spare) for path, seq in dirty]
        self._write_results(keep_results)
        checkpoint.save(self.history, written, gone, self._records.values())
        prune_results(self.files, checkpoint, keep_results)
        for path in gone:
            self._rows.pop(path, None)
        self._dirty.clear()
        self._areas.clear()
        self._records.clear()
        self._turns.clear()
        self._results.clear()
        self._on_disk.clear()
        self._was_rebuilt = False

    def _write(self, path: str, seq: int, *, is_spared: bool) -> tuple[Row, str, Iterable[str] | None]:
        """Write a document's file unless it holds the document already; return what the checkpoint keeps of it."""
        document = self._documents[path]
        assert document is not None
        value = document.value()
        if is_spared:
            data = pretty(value).encode()
            self._rows[path] = Row(path, seq, sha256(data), len(data), None)
        elif path not in self._on_disk:
            data = pretty(value).encode()
            self.files.make_folder(path.rpartition("/")[0])
            seen = self.files.replace(path, data)
            self._rows[path] = Row(path, seq, sha256(data), seen.size, seen.mtime_ns)
            self._looked.add(path)
        row = self._rows[path]
        area_ids = document.areas.keys() if isinstance(document, Layer) else None
        return Row(path, seq, row.sha256, row.size, None), compact(value), area_ids

    def _write_results(self, keep: int) -> None:
        newest = list(self._results.items())[-keep:]
        if newest:
            self.files.make_folder(RESULTS_FOLDER)
        for turn_id, result in newest:
            reply = reply_of(self._read(result)) if isinstance(result, RecordRow) else result
            self.files.replace(result_path(turn_id), pretty(reply).encode())
