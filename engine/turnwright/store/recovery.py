"""How a campaign directory is opened: the checkpoint that is there, brought up to the log, or made again from it.

Under the lock that is a writer's transaction: what others appended is read first, and what cannot be made durable was
never made. Source: docs/stages/5-commit.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import wraps
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from turnwright.model.base import Document
from turnwright.model.documents import DocumentTable
from turnwright.model.errors import CampaignInvalid, StorageFailed
from turnwright.model.state.fold import apply_changes
from turnwright.model.state.log_state import LogState
from turnwright.model.state.patch import PatchError
from turnwright.model.strict_json import sha256
from turnwright.store import hard_links as sharing
from turnwright.store.checkpoint import Checkpoint
from turnwright.store.checkpoint_file import CHECKPOINT_PATH, WENT_BACK, Unreadable
from turnwright.store.document_cache import Current
from turnwright.store.documents import document_from
from turnwright.store.files import Files
from turnwright.store.folders import require_own_folders
from turnwright.store.lock import Lock
from turnwright.store.log import LOG_PATH, Log, damaged, decode, require_line_feed
from turnwright.store.records import MAX_AHEAD, Records
from turnwright.store.results import Answered, require_no_later_reply
from turnwright.store.secret import close_to_others
from turnwright.store.working_files import Copies

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import Record

_BRING_BACK = f"bring {LOG_PATH} back from a copy"
WENT_BACK_OR_LOST = f"{WENT_BACK}; otherwise {_BRING_BACK}"
"""What to do about a log that no longer holds what the checkpoint knows."""
_MAX_REBUILDS = 8
"""How often a checkpoint is made again that somebody takes away at once."""
_MAX_AT_REST = 200
"""Documents in memory that may wait for the next reading."""
P = ParamSpec("P")
R = TypeVar("R")
L = TypeVar("L", bound="Recovery")


def rebuild_on_corruption(method: Callable[Concatenate[L, P], R]) -> Callable[Concatenate[L, P], R]:
    """Let a method start again from the log when the checkpoint proves damaged on the way.

    Everything known is rebuilt then, so such a method holds on to nothing of it while it calls another one.
    """

    @wraps(method)
    def answer(self: L, /, *args: P.args, **kwargs: P.kwargs) -> R:
        for _ in range(_MAX_REBUILDS):
            try:
                return method(self, *args, **kwargs)
            except Unreadable:
                self._rebuild_again(self.history.seq)
        raise _taken_away()

    return answer


def _taken_away() -> StorageFailed:
    """Return the error for a checkpoint that is damaged as often as it is made."""
    return StorageFailed(f"somebody keeps taking {CHECKPOINT_PATH} away while it is made again from the log")


class Recovery:
    """What is known of one campaign directory, and how it comes to be known.

    A writer works inside `writing()`; outside it everything is only read, and seen as of the last record that was
    complete when it was opened.
    """

    def __init__(self, files: Files, kinds: DocumentTable) -> None:
        self.files = files
        self.kinds = kinds
        """The models of the campaign's documents."""
        self.log = Log(files, kinds)
        self._lock = Lock(files)
        self._is_loaded = False
        self.is_writing = False
        """Whether the campaign's lock is held, or waited for."""
        self._is_suspect = False
        """Whether the files of documents may be as they were at any time before."""
        self._are_results_suspect = False
        """Whether results may be gone."""
        self._is_compared = True
        """Whether somebody has looked for hand edits since everything was made again."""
        self._written_before = -1
        """The last record whose result another process may have written."""
        self._know(None, LogState())

    def _know(self, checkpoint: Checkpoint | None, history: LogState) -> None:
        """Know what a checkpoint holds, and nothing else."""
        self._checkpoint = checkpoint
        self.history = history
        self._records = Records(self.log, checkpoint)
        self._current = Current(checkpoint, self.kinds)
        self._copies = Copies(checkpoint)
        self._answered = Answered(self.files)

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

    @contextmanager
    def rebuilding(self, wait: float) -> Iterator[None]:
        """Hold the campaign's lock over a checkpoint rebuilt from the log; the log is left as it is."""
        self._begin(wait, lambda: self._rebuild_again(None))
        try:
            yield
        finally:
            self.end_writing()

    def begin_writing(self, wait: float) -> None:
        """Take the campaign's lock and read what others appended; see `writing`."""
        if not self._is_loaded:
            require_own_folders(self.files, self.kinds)
        self._begin(wait, self._load_or_catch_up)

    def _begin(self, wait: float, load: Callable[[], object]) -> None:
        self.is_writing = True  # first, so that no signal handler begins in between
        try:
            self._lock.take(wait)
        except BaseException as error:
            self.is_writing = False
            if isinstance(error, FileNotFoundError):
                self._require_known_head()  # which is gone with all the rest
            raise
        self._copies.look_anew()
        try:
            load()
        except BaseException:
            self.end_writing()
            raise

    @property
    def is_loaded(self) -> bool:
        """Whether what is known is what the log holds; not once records could not be written that it is known by."""
        return self._is_loaded

    def end_writing(self) -> None:
        """Give the campaign's lock back. Records that were not made durable were never made."""
        try:
            if self.log.forget_lines():
                self._is_loaded = False
            if self._checkpoint and not self._records.ahead:
                with suppress(Unreadable):  # the next caller rebuilds it
                    self._checkpoint.release()
            self._lock.give_back()
        finally:
            self.is_writing = False

    def take_back(self, end: int) -> None:
        """Forget the records that stand from an offset of the log on and are not durable, and what is known by them."""
        if self.log.forget_lines(end):
            self._load(writable=True)

    def load_for_reading(self) -> None:
        """Load the campaign as of its last complete record, without waiting for anybody."""
        if not self._goes_on():
            require_own_folders(self.files, self.kinds)
            self._load(writable=False)

    def _goes_on(self) -> bool:
        """Catch up from where `rest` left off; return whether that went well: otherwise opening tells what is wrong.

        Without a checkpoint, as in a copy of the files alone, each reading would else begin with the first record.
        """
        if not self._is_loaded or (self._checkpoint and not self._is_checkpoint_in_place()):
            return False
        if self._checkpoint is None:
            require_own_folders(self.files, self.kinds)
        self._is_loaded = False
        with suppress(Unreadable, CampaignInvalid):
            self._require_known_head()
            self._take_in_others()
            self._is_loaded = True
        return self._is_loaded

    def rest(self) -> bool:
        """Let go of the record that was read; return whether the next reading may go on from here.

        It may not where it holds too much memory for a read that may never come.
        """
        if self._is_loaded and self._current.size <= _MAX_AT_REST and len(self._records.ahead) < MAX_AHEAD:
            with suppress(Unreadable):
                if self._checkpoint:
                    self._checkpoint.release()
                return True
        return False

    def _load(self, *, writable: bool) -> None:
        self._is_loaded = False
        try:
            self._open(writable=writable)
        except Unreadable:
            self._rebuild_again(None)
        self._is_loaded = True

    def close(self) -> None:
        """Close all files. What was not flushed is made again from the log by the next writer."""
        self.log.close()
        self._lock.close()
        self._close_checkpoint()

    def _close_checkpoint(self) -> None:
        if self._checkpoint:
            self._checkpoint.close()
        self._checkpoint = None

    def _load_or_catch_up(self) -> None:
        if self._is_loaded and self._checkpoint and self.log.is_as_left(self.history.size):
            return
        if self._is_loaded:
            self._require_known_head()
        self.log.close()  # another file may carry its name by now
        is_ours, self._is_loaded = self._is_loaded and self._is_checkpoint_in_place(), False
        # What fails half way is not built upon next time.
        close_to_others(self.files)
        is_copy = False
        if sharing.is_shared(self.files):
            self._close_checkpoint()
            is_ours, is_copy = False, sharing.give_own_files(self.files)
        try:
            has_more = self._take_in_others() if is_ours else self._open(writable=True, is_copy=is_copy)
        except Unreadable:
            has_more = self._rebuild_again(None)
            require_no_later_reply(self.files, self.history.seq)
        if has_more:
            self.log.make_durable()
        self.log.prepare(self.history.size)
        self._is_loaded = True

    def _is_checkpoint_in_place(self) -> bool:
        return self._checkpoint is not None and self._checkpoint.is_in_place()

    def _open(self, *, writable: bool, is_copy: bool = False) -> bool:
        """Begin with the checkpoint that is there; return whether the log holds more.

        Args:
            writable: whether the checkpoint is to be written to.
            is_copy: whether files may be from before turns that were taken in another directory.
        """
        self._close_checkpoint()
        self._checkpoint = checkpoint = Checkpoint.open(self.files, writable=writable)
        self._know(checkpoint, checkpoint.history())
        self._require_known_head()
        # A power cut may have taken files back to any earlier version, and results away.
        boot = self.files.disk.boot_id()
        is_same_boot = boot is not None and boot == checkpoint.boot_id()
        self._is_suspect = is_copy or not is_same_boot
        self._are_results_suspect = boot is not None and not is_same_boot
        return self._catch_up()

    def _rebuild(self, last: int | None) -> bool:
        """Make everything that is known again from the log, up to a record: the checkpoint cannot be used."""
        self._close_checkpoint()
        if self.is_writing:
            self._checkpoint = Checkpoint.create(self.files)
            self._is_suspect, self._is_compared = True, False
        self._know(self._checkpoint, LogState())
        return self._catch_up(last)

    def _rebuild_again(self, last: int | None) -> bool:
        """Make everything that is known again; somebody may take the new checkpoint away while that is done.

        Raises:
            StorageFailed: when that happens again and again.
            CampaignInvalid: when the log holds what this version cannot read.
        """
        was_loaded, self._is_loaded = self._is_loaded, False  # what fails half way is not built upon next time
        for _ in range(_MAX_REBUILDS):
            with suppress(Unreadable):
                has_more = self._rebuild(last)
                self._is_loaded = was_loaded
                return has_more
        raise _taken_away()

    def _take_in_others(self) -> bool:
        """Read what other processes appended; where one of them saved a newer checkpoint, begin again from that."""
        if self._checkpoint:
            self._checkpoint.release()
            self._checkpoint.hold()
            saved = self._checkpoint.history()
            if saved.seq > self.history.seq:
                self._know(self._checkpoint, saved)
        return self._catch_up()

    def _require_known_head(self) -> None:
        """Refuse a log that does not hold the record the checkpoint, or this process, knows as the last."""
        known = self.history
        if known.seq < 0:
            return
        size = self.log.size()
        if size is None:
            raise damaged(known.seq, f"the log is missing, but the checkpoint knows of it; {_BRING_BACK}")
        if size < known.size or sha256(self.log.line_at(known.head_offset)) != known.head:
            require_line_feed(self.log.line_at(0), 0)
            message = f"the log no longer holds record {known.seq} as it was written; {WENT_BACK_OR_LOST}"
            raise damaged(known.seq, message)

    def _catch_up(self, last: int | None = None) -> bool:
        """Take in the records that the log holds beyond what is known, up to one; return whether there were any."""
        known, values = self.history.seq, dict[str, Any]()
        for offset, line in self.log.lines(self.history.size) if self.log.size() is not None else ():
            if self.history.seq == last:
                break
            record = decode(line, self.history.seq + 1, self.history.head, self.kinds)
            self._fold_in(values, record)
            try:
                self._remember(record, line, offset)
            except ValueError:
                raise damaged(record["seq"], f"record {record['seq']} tells of other calls than it lists") from None
            if self.is_writing:
                self._records.save_early()
        for path in sorted(values):
            self._take(path, _validated(path, values[path], self.kinds), self.history.seq)
        self._written_before = self.history.seq  # their writer may have written their results, too
        return self.history.seq > known

    def _fold_in(self, values: dict[str, Any], record: Record) -> None:
        changes = record.get("changes", {})
        for path in changes:
            if path not in values and (document := self._current.get(path)):
                values[path] = document.as_written
            before = None if self._is_suspect else self._current.get(path)
            edit = changes[path] if record["kind"] == "edit" else None
            self._copies.note_change_elsewhere(path, before, edit)
        try:
            apply_changes(values, changes)
        except PatchError as error:
            raise damaged(record["seq"], f"the changes of record {record['seq']} do not fit: {error}") from None
        for path in changes:
            if path not in values:
                self._take(path, None, record["seq"])

    def _remember(self, record: Record, line: bytes, offset: int) -> None:
        self.history.take(record, line)
        self._records.take(record, offset)

    def _take(self, path: str, document: Document | None, seq: int) -> None:
        self._current.take(path, document)
        self._copies.take(path, seq)


def _validated(path: str, value: Any, kinds: DocumentTable) -> Document:
    document, problems = document_from(path, value, kinds)
    if document is None:
        raise CampaignInvalid(problems)
    return document
