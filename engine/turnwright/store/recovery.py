"""Open a campaign directory: bring the existing checkpoint up to the log, or rebuild it from the log.

Under the lock this starts a writer's transaction: records of other processes are read first, and a record that cannot
be made durable does not count. Source: docs/stages/5-commit.md.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Protocol, TypeVar

from turnwright.model.base import Document
from turnwright.model.errors import CampaignInvalid, StorageFailed
from turnwright.model.state.fold import apply_changes
from turnwright.model.state.log_state import LogState
from turnwright.model.state.patch import PatchError
from turnwright.store import hard_links as sharing
from turnwright.store.checkpoint import Checkpoint
from turnwright.store.checkpoint_file import CHECKPOINT_PATH, WENT_BACK, Unreadable
from turnwright.store.document_table import DocumentTable
from turnwright.store.documents import document_from
from turnwright.store.files import Files
from turnwright.store.folders import require_own_folders
from turnwright.store.loaded import Loaded
from turnwright.store.log import LOG_PATH, Log, damaged, decode, line_hash, require_line_feed
from turnwright.store.records import MAX_AHEAD
from turnwright.store.results import require_no_later_reply
from turnwright.store.secret import close_to_others

if TYPE_CHECKING:
    from turnwright.model.state.fold import Values
    from turnwright.model.wire.shapes import Record

_BRING_BACK = f"bring {LOG_PATH} back from a copy"
WENT_BACK_OR_LOST = f"{WENT_BACK}; otherwise {_BRING_BACK}"
"""Advice for a log that no longer holds records that the checkpoint knows."""
_MAX_REBUILDS = 8
"""How often to rebuild a checkpoint that another process keeps deleting."""
_MAX_AT_REST = 200
"""Documents in memory that may wait for the next reading."""
P = ParamSpec("P")
R = TypeVar("R")


class _Part(Protocol):
    """A part of a store: knows what is loaded, and what makes that again."""

    _loaded: Loaded
    _recovery: Recovery


L = TypeVar("L", bound=_Part)


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
                self._recovery.rebuild_again(self._loaded.history.seq)
        raise _taken_away()

    return answer


def _taken_away() -> StorageFailed:
    """Return the error for a checkpoint that is damaged as often as it is made."""
    return StorageFailed(f"somebody keeps taking {CHECKPOINT_PATH} away while it is made again from the log")


class Recovery:
    """Brings the loaded state of one campaign directory up to its log.

    Args:
        files: the directory's files.
        kinds: the models of its documents.
        log: its log.
        loaded: the state loaded from it.

    Attributes:
        is_writing: whether the campaign's lock is held, or waited for.
        is_loaded: whether the loaded state matches the log; False once records that it includes could not be written.
        is_suspect: whether document files may hold any earlier version.
        are_results_suspect: whether result files may be missing.
        is_compared: whether files were checked for hand edits since the last rebuild.
        written_before: the last record whose result another process may have written.
    """

    def __init__(self, files: Files, kinds: DocumentTable, log: Log, loaded: Loaded) -> None:
        self._files = files
        self._kinds = kinds
        self._log = log
        self._loaded = loaded
        self.is_writing = False
        self.is_loaded = False
        self.is_suspect = False
        self.are_results_suspect = False
        self.is_compared = True
        self.written_before = -1

    def load_for_reading(self) -> None:
        """Load the campaign as of its last complete record, without waiting for other processes."""
        if not self._goes_on():
            require_own_folders(self._files, self._kinds)
            self.load(writable=False)

    def _goes_on(self) -> bool:
        """Catch up from where `rest` left off; return whether that went well: otherwise opening tells what is wrong.

        Without a checkpoint, as in a copy of the files alone, each reading would else begin with the first record.
        """
        if not self.is_loaded or (self._loaded.checkpoint and not self._is_checkpoint_in_place()):
            return False
        if self._loaded.checkpoint is None:
            require_own_folders(self._files, self._kinds)
        self.is_loaded = False
        with suppress(Unreadable, CampaignInvalid):
            self.require_known_head()
            self._take_in_others()
            self.is_loaded = True
        return self.is_loaded

    def rest(self) -> bool:
        """Release the record that was read; return whether the next read may reuse this state.

        It may not if it holds too much memory for a read that may never come.
        """
        if self.is_loaded and self._loaded.current.size <= _MAX_AT_REST and len(self._loaded.records.ahead) < MAX_AHEAD:
            with suppress(Unreadable):
                if self._loaded.checkpoint:
                    self._loaded.checkpoint.release()
                return True
        return False

    def load(self, *, writable: bool) -> None:
        """Open the checkpoint and bring it up to the log, or make everything again from the log."""
        self.is_loaded = False
        try:
            self._open(writable=writable)
        except Unreadable:
            self.rebuild_again(None)
        self.is_loaded = True

    def load_or_catch_up(self) -> None:
        """Bring the loaded state up to the log, under the lock; records of other processes are made durable."""
        if self.is_loaded and self._loaded.checkpoint and self._log.is_as_left(self._loaded.history.size):
            return
        if self.is_loaded:
            self.require_known_head()
        self._log.close()  # another file may carry its name by now
        is_ours, self.is_loaded = self.is_loaded and self._is_checkpoint_in_place(), False
        # What fails half way is not built upon next time.
        close_to_others(self._files)
        is_copy = False
        if sharing.is_shared(self._files):
            self._loaded.close_checkpoint()
            is_ours, is_copy = False, sharing.give_own_files(self._files)
        try:
            has_more = self._take_in_others() if is_ours else self._open(writable=True, is_copy=is_copy)
        except Unreadable:
            has_more = self.rebuild_again(None)
            require_no_later_reply(self._files, self._loaded.history.seq)
        if has_more:
            self._log.make_durable()
        self._log.prepare(self._loaded.history.size)
        self.is_loaded = True

    def _is_checkpoint_in_place(self) -> bool:
        return self._loaded.checkpoint is not None and self._loaded.checkpoint.is_in_place()

    def _open(self, *, writable: bool, is_copy: bool = False) -> bool:
        """Begin with the checkpoint that is there; return whether the log holds more.

        Args:
            writable: whether the checkpoint is to be written to.
            is_copy: whether files may be from before turns that were taken in another directory.
        """
        self._loaded.close_checkpoint()
        self._loaded.checkpoint = checkpoint = Checkpoint.open(self._files, writable=writable)
        self._loaded.begin(checkpoint, checkpoint.history())
        self.require_known_head()
        # A power cut may have taken files back to any earlier version, and results away.
        boot = self._files.disk.boot_id()
        is_same_boot = boot is not None and boot == checkpoint.boot_id()
        self.is_suspect = is_copy or not is_same_boot
        self.are_results_suspect = boot is not None and not is_same_boot
        return self._catch_up()

    def _rebuild(self, last: int | None) -> bool:
        """Make everything that is known again from the log, up to a record: the checkpoint cannot be used."""
        self._loaded.close_checkpoint()
        if self.is_writing:
            self._loaded.checkpoint = Checkpoint.create(self._files)
            self.is_suspect, self.is_compared = True, False
        self._loaded.begin(self._loaded.checkpoint, LogState())
        return self._catch_up(last)

    def rebuild_again(self, last: int | None) -> bool:
        """Rebuild the loaded state; another process may delete the new checkpoint meanwhile.

        Raises:
            StorageFailed: when that happens repeatedly.
            CampaignInvalid: when the log holds records that this version cannot read.
        """
        was_loaded, self.is_loaded = self.is_loaded, False  # what fails half way is not built upon next time
        for _ in range(_MAX_REBUILDS):
            with suppress(Unreadable):
                has_more = self._rebuild(last)
                self.is_loaded = was_loaded
                return has_more
        raise _taken_away()

    def _take_in_others(self) -> bool:
        """Read the records of other processes; if one of them saved a newer checkpoint, restart from that."""
        if self._loaded.checkpoint:
            self._loaded.checkpoint.release()
            self._loaded.checkpoint.hold()
            saved = self._loaded.checkpoint.history()
            if saved.seq > self._loaded.history.seq:
                self._loaded.begin(self._loaded.checkpoint, saved)
        return self._catch_up()

    def require_known_head(self) -> None:
        """Refuse a log that does not hold the record the checkpoint, or this process, knows as the last."""
        known = self._loaded.history
        if known.seq < 0:
            return
        size = self._log.size()
        if size is None:
            raise damaged(known.seq, f"the log is missing, but the checkpoint knows of it; {_BRING_BACK}")
        if size < known.size or line_hash(self._log.line_at(known.head_offset)) != known.head:
            require_line_feed(self._log.line_at(0), 0)
            message = f"the log no longer holds record {known.seq} as it was written; {WENT_BACK_OR_LOST}"
            raise damaged(known.seq, message)

    def _catch_up(self, last: int | None = None) -> bool:
        """Take in the records that the log holds beyond what is known, up to one; return whether there were any."""
        known, values = self._loaded.history.seq, dict[str, Any]()
        for offset, line in self._log.lines(self._loaded.history.size) if self._log.size() is not None else ():
            if self._loaded.history.seq == last:
                break
            record = decode(line, self._loaded.history.seq + 1, self._loaded.history.head, self._kinds)
            self._fold_in(values, record)
            try:
                self._loaded.remember(record, line, offset)
            except ValueError:
                raise damaged(record["seq"], f"record {record['seq']} tells of other calls than it lists") from None
            if self.is_writing:
                self._loaded.records.save_early()
        for path in sorted(values):
            self._loaded.take(path, _validated(path, values[path], self._kinds), self._loaded.history.seq)
        self.written_before = self._loaded.history.seq  # their writer may have written their results, too
        return self._loaded.history.seq > known

    def _fold_in(self, values: Values, record: Record) -> None:
        changes = record.get("changes", {})
        for path in changes:
            if path not in values and (document := self._loaded.current.get(path)):
                values[path] = document.as_written
            before = None if self.is_suspect else self._loaded.current.get(path)
            edit = changes[path] if record["kind"] == "edit" else None
            self._loaded.copies.note_change_elsewhere(path, before, edit)
        try:
            apply_changes(values, changes)
        except PatchError as error:
            raise damaged(record["seq"], f"the changes of record {record['seq']} do not fit: {error}") from None
        for path in changes:
            if path not in values:
                self._loaded.take(path, None, record["seq"])


def _validated(path: str, value: Any, kinds: DocumentTable) -> Document:
    document, problems = document_from(path, value, kinds)
    if document is None:
        raise CampaignInvalid(problems)
    return document
