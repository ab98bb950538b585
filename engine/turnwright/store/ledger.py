"""The log and what follows from it: documents as of the last record, and where each record stands.

The log is the truth. What is known comes from the checkpoint, and from the records that the log holds beyond it; where
the checkpoint proves damaged, all is made again from the log. Source: docs/stages/5-commit.md.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from turnwright.model.area import Layer, area_number
from turnwright.model.base import Document
from turnwright.model.errors import CampaignInvalid
from turnwright.model.reason import Problem
from turnwright.model.settings import MOST_RESULTS
from turnwright.model.strict_json import JsonError, parse_json, sha256
from turnwright.store.checkpoint import Checkpoint, RecordRow, Row, Unreadable
from turnwright.store.documents import document_from, require_own_folders
from turnwright.store.files import Files
from turnwright.store.lock import Lock
from turnwright.store.log import Log, damaged, decode, encode, shaped
from turnwright.store.results import RESULTS_FOLDER, result_path
from turnwright.world.fold import apply_changes
from turnwright.world.history import History
from turnwright.world.patch import PatchError

_MOST_AHEAD = 20_000
"""How many records may be known beyond the checkpoint before it is told where they stand."""
_TOLD_BY = ("seq", "kind", "turn_id")
P = ParamSpec("P")
R = TypeVar("R")
L = TypeVar("L", bound="Ledger")


class DocumentChanged(Exception):
    """A document on disk is not what we left: somebody edited it by hand."""


def despite_damage(method: Callable[Concatenate[L, P], R]) -> Callable[Concatenate[L, P], R]:
    """Let a method start again from the log when the checkpoint proves damaged on the way."""

    @wraps(method)
    def answer(self: L, /, *args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return method(self, *args, **kwargs)
        except Unreadable:
            self._rebuild(self.history.seq)
            return method(self, *args, **kwargs)

    return answer


class Ledger:
    """The log of one campaign directory, and the documents as of its last record.

    A writer works inside `writing()`; outside it a ledger only reads, and sees the campaign as of the last record that
    was complete when it was opened.
    """

    def __init__(self, files: Files) -> None:
        self.files = files
        self.log = Log(files)
        self.history = History()
        self._lock = Lock(files)
        self._checkpoint: Checkpoint | None = None
        self._is_loaded = False
        self._is_suspect = False
        self._are_results_suspect = False
        self._is_compared = True
        self._is_writing = False
        self._documents: dict[str, Document | None] = {}
        self._dirty: dict[str, int] = {}
        self._bases: dict[str, Document | None] = {}
        self._areas: dict[str, str | None] = {}
        self._places: dict[str, str] = {}
        self._highest: int | None = None
        self._listed: dict[str, list[str]] = {}
        self._rows: dict[str, Row] = {}
        self._looked: set[str] = set()
        self._fresh: dict[str, Document | None] = {}
        self._on_disk: set[str] = set()
        self._edited: dict[str, Row] = {}
        self._records: dict[int, RecordRow] = {}
        self._turns: dict[str, RecordRow] = {}
        self._sources: dict[str, RecordRow] = {}
        self._results: dict[str, RecordRow] = {}
        self._written_before = -1
        self._answered: set[str] | None = None

    # opening

    @contextmanager
    def writing(self, wait: float) -> Iterator[None]:
        """Hold the campaign's lock; what others appended is read first.

        Raises:
            CampaignBusy: when another process kept the lock for `wait` seconds.
            CampaignInvalid: when the log is not the one the checkpoint was made from.
        """
        self.begin_writing(wait)
        try:
            yield
        finally:
            self.end_writing()

    def begin_writing(self, wait: float) -> None:
        """Take the campaign's lock and read what others appended; see `writing`."""
        if not self._is_loaded:
            require_own_folders(self.files)
        self._lock.take(wait)
        self._is_writing = True
        self._looked.clear()
        self._fresh.clear()
        try:
            self._load_or_catch_up()
        except BaseException:
            self.end_writing()
            raise

    def end_writing(self) -> None:
        """Give the campaign's lock back. Records that were not made durable were never made."""
        self._is_writing = False
        if self.log.forget_lines():
            self._is_loaded = False
        if self._checkpoint and not self._records:
            self._checkpoint.release()
        self._lock.give_back()

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
        require_own_folders(self.files)
        try:
            self._open(writable=False)
        except Unreadable:
            self._rebuild(None)
        self._is_loaded = True

    def close(self) -> None:
        """Close all files. What was not flushed is made again from the log by the next writer."""
        self.log.close()
        self._lock.close()
        self._close_checkpoint()

    def _load_or_catch_up(self) -> None:
        if self._is_loaded and self._checkpoint and self.log.is_as_left(self.history.size):
            return
        if self._is_loaded:
            self._require_known_head()
        is_ours = self._is_loaded and self._checkpoint is not None and self._checkpoint.is_in_place()
        self._is_loaded = False  # what fails half way is not built upon next time
        known = self.history.seq
        try:
            self._take_in_others() if is_ours else self._open(writable=True)
        except Unreadable:
            self._rebuild(None)
            self.require_no_later_reply()
        if self.history.seq > known and self._records:
            self.log.make_durable()
        self.log.set_torn_aside(self.history.size)
        self._is_loaded = True

    def _open(self, *, writable: bool) -> None:
        self._forget()
        self._close_checkpoint()
        self._checkpoint = Checkpoint.open(self.files, writable=writable)
        self.history = self._checkpoint.history()
        self._require_known_head()
        # A power cut may have taken files back to any earlier version, and results away.
        boot = self.files.disk.boot_id()
        self._is_suspect = boot is None or boot != self._checkpoint.boot_id()
        self._are_results_suspect = boot is not None and self._is_suspect
        self._catch_up()

    def _rebuild(self, last: int | None) -> None:
        """Make everything that is known again from the log, up to a record: the checkpoint cannot be used."""
        self._forget()
        self._close_checkpoint()
        self.history = History()
        if self._is_writing:
            self._checkpoint = Checkpoint.create(self.files)
            self._is_suspect, self._is_compared = True, False
        self._catch_up(last)

    def _take_in_others(self) -> None:
        """Read what other processes appended; where one of them saved a newer checkpoint, begin again from that."""
        self.log.close()
        if self._checkpoint:
            self._checkpoint.release()
        saved = self._checkpoint.history() if self._checkpoint else History()
        if saved.seq > self.history.seq:
            self._forget()
            self.history = saved
        self._catch_up()

    def _forget(self) -> None:
        self._answered = None
        self._documents.clear()
        self._listed.clear()
        self._places.clear()
        self._highest = None
        self._rows.clear()
        self._looked.clear()
        self._fresh.clear()
        self._edited.clear()
        self._forget_what_was_ahead()

    def _forget_what_was_ahead(self) -> None:
        """Forget what is known beyond the checkpoint: it knows it now, or is read anew."""
        for known in (self._dirty, self._bases, self._areas, self._results, self._records, self._turns, self._sources):
            known.clear()
        self._on_disk.clear()

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
        self._written_before = max(self._written_before, self.history.seq)
        if self.log.size() is None:
            return
        values: dict[str, Any] = {}
        for offset, line in self.log.lines(self.history.size):
            if self.history.seq == last:
                break
            record = decode(line, self.history.seq + 1, self.history.head)
            self._take_in(values, record, line, offset)
            if len(self._records) >= _MOST_AHEAD:
                self._index()
        for path in sorted(values):
            self._take(path, self._validated(path, values[path]), self.history.seq)

    def _take_in(self, values: dict[str, Any], record: Mapping[str, Any], line: bytes, offset: int) -> None:
        for path in record.get("changes", {}):
            if path not in values and (document := self._current(path)):
                values[path] = document.as_written
        self._fold_in(values, record)
        self._remember(record, line, offset)
        self._written_before = record["seq"]  # whoever appended it may have written its result, too

    def _fold_in(self, values: dict[str, Any], record: Mapping[str, Any]) -> None:
        changes = record.get("changes", {})
        try:
            apply_changes(values, changes)
        except PatchError as error:
            raise damaged(record["seq"], f"the changes of record {record['seq']} do not fit: {error}") from None
        for path in changes:
            if path not in values:
                self._take(path, None, record["seq"])

    def _index(self) -> None:
        """Let the checkpoint know early where records stand: there may be more of them than one wants to remember."""
        if self._checkpoint and self._is_writing:
            self._checkpoint.save_records(self._records.values())
            for known in (self._records, self._turns, self._sources):
                known.clear()
            for turn_id in list(self._results)[:-MOST_RESULTS]:
                del self._results[turn_id]

    def _validated(self, path: str, value: Any) -> Document:
        document, problems = document_from(path, value)
        if document is None:
            raise CampaignInvalid(problems)
        return document

    # Source: what tools and readers see

    def get(self, path: str) -> Document | None:
        """Return a document as of the last record; under the lock its file is looked at once a turn.

        Raises:
            DocumentChanged: when the file was edited by hand.
        """
        try:
            return self._fresh[path]
        except KeyError:
            return self._look(path)

    def _look(self, path: str) -> Document | None:
        document = self.peek(path)
        if self._is_writing:
            self._require_unedited(path)
            self._fresh[path] = document
        return document

    @despite_damage
    def peek(self, path: str) -> Document | None:
        """Return a document as of the last record, whatever its file may hold."""
        return self._current(path)

    def paths(self, collection: str) -> Sequence[str]:
        """Return the paths of a collection's documents, sorted; shared, and so not to be changed."""
        return self._listed.get(collection) or self._list(collection)

    @despite_damage
    def _list(self, collection: str) -> Sequence[str]:
        below = self._checkpoint.paths(collection) if self._checkpoint else []
        own = {path: document for path, document in self._documents.items() if path.startswith(collection)}
        fresh = [path for path, document in own.items() if document is not None]
        listed = self._listed[collection] = sorted({*(path for path in below if path not in own), *fresh})
        return listed

    def layer_of(self, area_id: str) -> str | None:
        """Return the path of the layer that holds an area, or None."""
        return self._places.get(area_id) or self._looked_up(area_id)

    @despite_damage
    def _looked_up(self, area_id: str) -> str | None:
        if area_id in self._areas or self._checkpoint is None:
            return self._areas.get(area_id)
        path = self._checkpoint.layer_of(area_id)
        if path is None:
            return None
        if area_id not in _areas_of(self._current(path)):
            raise Unreadable(f"{area_id} is not in {path}")
        self._places[area_id] = path
        return path

    @despite_damage
    def highest_area(self) -> int:
        """Return the highest NNN of any `area_NNN`, 0 when there is none."""
        if self._highest is None:
            gone = {area_id for area_id, layer in self._areas.items() if layer is None}
            below = self._checkpoint.highest_area(gone) if self._checkpoint else 0
            self._highest = max(below, _highest_of(area_id for area_id, layer in self._areas.items() if layer))
        return self._highest

    def _current(self, path: str) -> Document | None:
        if path not in self._documents:
            value = self._checkpoint.value(path) if self._checkpoint else None
            document = None if value is None else document_from(path, value)[0]
            if value is not None and document is None:
                raise Unreadable(path)
            self._documents[path] = document
        return self._documents[path]

    def _require_unedited(self, path: str) -> None:
        """Look at a document's file, once while the lock is held."""
        if path in self._looked:
            return
        self._looked.add(path)
        row = self._rows.get(path)
        if row is None or not self.files.is_as_left(path, row.size, row.mtime_ns):
            self._look_closer(path)

    @despite_damage
    def _look_closer(self, path: str) -> None:
        seen = self.files.look(path)
        document = self._current(path)
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

    def append(self, record: dict[str, Any], documents: Mapping[str, Document | None], *, durable: bool = True) -> None:
        """Commit a record: its line is in the log, and durable when this returns.

        Args:
            record: complete, in the documented order.
            documents: what it changed, by path; None for what is gone.
            durable: False leaves that to `sync`, before which nobody may be told of the record.
        """
        line = encode(record)
        offset = self.history.size
        self.log.append(line, offset)
        self._remember(record, line, offset)
        for path, document in documents.items():
            if path not in self._dirty:
                self._bases[path] = self._current(path)  # what the file holds until it is written anew
            self._take(path, document, record["seq"])
        if durable:
            self.sync()

    def sync(self) -> None:
        """Make every appended record durable.

        Raises:
            OSError: when the machine refuses; those records are taken back, and nothing may be told of them.
        """
        self._is_loaded = False  # if they cannot be written, what is known with them is not known
        self.log.write_out()
        self._is_loaded = True

    def _remember(self, record: Mapping[str, Any], line: bytes, offset: int) -> None:
        self.history.take(record, line)
        row = RecordRow(record["seq"], offset, record["kind"], record.get("turn_id"), record.get("source"))
        self._records[row.seq] = row
        if row.source is not None:
            self._sources[row.source] = row
        if row.turn_id is not None:
            self._turns[row.turn_id] = row
            self._results.pop(row.turn_id, None)  # the newest stands last, also when it was wanted again
            self._results[row.turn_id] = row

    def _take(self, path: str, document: Document | None, seq: int) -> None:
        before = self._current(path)
        if path.startswith(Layer.collection):
            self._take_areas(path, _areas_of(before), _areas_of(document))
        if (before is None) != (document is None):
            self._listed.pop(path[: path.rfind("/") + 1], None)
        self._documents[path] = document
        if path in self._fresh:
            self._fresh[path] = document
        self._dirty[path] = seq
        self._on_disk.discard(path)

    def _take_areas(self, path: str, old: Collection[str], new: Collection[str]) -> None:
        gone = [area_id for area_id in old if area_id not in new and self.layer_of(area_id) == path]
        fresh = [area_id for area_id in new if area_id not in old]
        for area_id in gone:
            self._areas[area_id] = None
            self._places.pop(area_id, None)
        for area_id in fresh:
            self._areas[area_id] = self._places[area_id] = path
        if self._highest is not None:
            is_lower = self._highest in map(area_number, gone)
            self._highest = None if is_lower else max(self._highest, _highest_of(fresh))

    @despite_damage
    def record_of_turn(self, turn_id: str) -> dict[str, Any] | None:
        """Return the last record of a turn, or None when the id is free."""
        found = self._turns.get(turn_id)
        if found is None and self._checkpoint:
            if self._is_writing:
                self._checkpoint.hold()
            found = self._checkpoint.record_of_turn(turn_id)
        if found is None and self._is_writing:
            self._require_never_answered(turn_id)
        return self._read(found) if found else None

    def require_no_later_reply(self) -> None:
        """Refuse a log that ends before a record whose reply lies in `results/`: its end was lost.

        Where the checkpoint knows the head there is no need to look; to be asked before people's edits are adopted,
        which may be what the lost records did.
        """
        for name in self.files.listing(RESULTS_FOLDER) if self.history.seq >= 0 else ():
            path = f"{RESULTS_FOLDER}/{name}"
            try:
                seq = parse_json(self.files.read(path))["seq"]
            except (OSError, JsonError, KeyError, TypeError):
                continue
            if type(seq) is int and seq > self.history.seq:
                message = f"is the reply to record {seq}, but the log ends with record {self.history.seq}"
                raise CampaignInvalid([Problem(path, "$", "log", f"{message}; bring back the whole log")])

    def _require_never_answered(self, turn_id: str) -> None:
        """Refuse to take a turn for new whose reply lies there: its record was lost, or the index is damaged."""
        if self._answered is None:
            self._answered = set(self.files.listing(RESULTS_FOLDER))
        path = result_path(turn_id)
        if path.rpartition("/")[2] not in self._answered or self.files.look(path) is None:
            return
        if self._checkpoint:
            self._checkpoint.require_sound_records()
        message = f"is the reply to a turn that the log does not hold: bring back the whole log, or take {path} away"
        raise CampaignInvalid([Problem(path, "$", "log", message)])

    @despite_damage
    def record_of_source(self, source: str) -> dict[str, Any] | None:
        """Return the record of a claimed turn file, or None when it was not taken yet."""
        found = self._sources.get(source)
        if found is None and self._checkpoint:
            found = self._checkpoint.record_of_source(source)
        return self._read(found) if found else None

    @despite_damage
    def record(self, seq: int) -> dict[str, Any] | None:
        """Return a record by number, or None."""
        found = self._row_of(seq)
        return self._read(found) if found else None

    @despite_damage
    def _row_of(self, seq: int) -> RecordRow | None:
        found = self._records.get(seq)
        if found is None and self._checkpoint:
            found = self._checkpoint.record(seq)
        return found

    def _read(self, row: RecordRow, line: bytes | None = None) -> dict[str, Any]:
        try:
            value: Any = parse_json(self.log.line_at(row.offset) if line is None else line)
        except JsonError as error:
            raise Unreadable(f"record {row.seq}: {error}") from None
        if not isinstance(value, dict) or [value.get(key) for key in _TOLD_BY] != [row.seq, row.kind, row.turn_id]:
            raise Unreadable(f"record {row.seq} stands elsewhere")
        return shaped(value) if line is None else value

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


def _areas_of(document: Document | None) -> Collection[str]:
    return document.areas.keys() if isinstance(document, Layer) else ()


def _highest_of(area_ids: Iterable[str]) -> int:
    return max((area_number(area_id) or 0 for area_id in area_ids), default=0)
