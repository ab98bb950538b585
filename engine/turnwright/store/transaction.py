"""A writer's transaction: the campaign's lock, with the whole log loaded.

Records of other processes are read first, and a record that was not made durable does not count.
Source: docs/stages/5-commit.md, "One writer at a time".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from turnwright.store.checkpoint_file import Unreadable
from turnwright.store.document_table import DocumentTable
from turnwright.store.files import Files
from turnwright.store.folders import require_own_folders
from turnwright.store.loaded import Loaded
from turnwright.store.lock import Lock
from turnwright.store.log import Log
from turnwright.store.recovery import Recovery


class Transaction:
    """Holds the lock of one campaign directory for one writer at a time.

    Args:
        files: the directory's files.
        kinds: the models of its documents.
        log: its log.
        loaded: the state loaded from it.
        recovery: brings that state up to the log.
    """

    def __init__(self, files: Files, kinds: DocumentTable, log: Log, loaded: Loaded, recovery: Recovery) -> None:
        self._files = files
        self._kinds = kinds
        self._log = log
        self._loaded = loaded
        self._recovery = recovery
        self._lock = Lock(files)

    @contextmanager
    def writing(self, wait: float) -> Iterator[None]:
        """Hold the campaign's lock; records of other processes are read first; see `Store.writing`."""
        self.begin(wait)
        try:
            yield
        finally:
            self.end()

    @contextmanager
    def rebuilding(self, wait: float) -> Iterator[None]:
        """Hold the campaign's lock over a checkpoint rebuilt from the log; the log is left as it is."""
        self._hold(wait, lambda: self._recovery.rebuild_again(None))
        try:
            yield
        finally:
            self.end()

    def begin(self, wait: float) -> None:
        """Take the campaign's lock and read what others appended; see `writing`."""
        if not self._recovery.is_loaded:
            require_own_folders(self._files, self._kinds)
        self._hold(wait, self._recovery.load_or_catch_up)

    def _hold(self, wait: float, load: Callable[[], object]) -> None:
        self._recovery.is_writing = True  # first, so that no signal handler begins in between
        try:
            self._lock.take(wait)
        except BaseException as error:
            self._recovery.is_writing = False
            if isinstance(error, FileNotFoundError):
                self._recovery.require_known_head()  # which is gone with all the rest
            raise
        self._loaded.copies.look_anew()
        try:
            load()
        except BaseException:
            self.end()
            raise

    def end(self) -> None:
        """Give the campaign's lock back. Records that were not made durable were never made."""
        try:
            if self._log.forget_lines():
                self._recovery.is_loaded = False
            if self._loaded.checkpoint and not self._loaded.records.ahead:
                with suppress(Unreadable):  # the next caller rebuilds it
                    self._loaded.checkpoint.release()
            self._lock.give_back()
        finally:
            self._recovery.is_writing = False

    def take_back(self, end: int) -> None:
        """Forget the records that stand from an offset of the log on and are not durable, and what is known by them."""
        if self._log.forget_lines(end):
            self._recovery.load(writable=True)

    def close(self) -> None:
        """Close the lock's file."""
        self._lock.close()
