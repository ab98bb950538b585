"""One writer at a time: an operating system lock on one file, held per turn."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager

from turnwright.model.errors import CampaignBusy
from turnwright.store import disk
from turnwright.store.disk import Disk
from turnwright.store.files import ENGINE_FOLDER, Files

LOCK_PATH = f"{ENGINE_FOLDER}/lock"
DEFAULT_WAIT = 10.0
"""Seconds to wait for another process before giving up."""
_FIRST_PAUSE = 0.002
_MAX_PAUSE = 0.05


class Lock:
    """The campaign's lock. Held by this process at most once; the system gives it back when the process dies."""

    def __init__(self, files: Files) -> None:
        self._files = files
        self._descriptor: int | None = None
        self._identity: tuple[int, int] | None = None

    @contextmanager
    def held(self, wait: float) -> Iterator[None]:
        """Hold the lock for the duration of a `with` block; see `take`."""
        self.take(wait)
        try:
            yield
        finally:
            self.give_back()

    def take(self, wait: float) -> None:
        """Take the lock on the file that has the lock's name: deleting or replacing that file does not release the
        lock.

        Args:
            wait: seconds to wait for another process; 0 tries once.

        Raises:
            CampaignBusy: when another process kept the lock for all that time.
        """
        deadline = time.monotonic() + wait
        while True:
            if self._descriptor is None:
                self._files.disk.look(str(self._files.root))  # who deleted the campaign does not want it back
                self._files.require_own_folders_of(LOCK_PATH)
                self._files.make_folder(os.path.dirname(LOCK_PATH))
                self._descriptor = self._files.disk.open(self._files.at(LOCK_PATH), disk.KEEP)
                self._identity = self._files.look_at_open(self._descriptor).identity
            _take(self._files.disk, self._descriptor, deadline, wait)
            status = self._files.status(LOCK_PATH)
            if status and (status.st_dev, status.st_ino) == self._identity:
                return
            self.close()

    def give_back(self) -> None:
        """Release the lock; if the system refuses, close the file that holds it."""
        if self._descriptor is None:
            return
        try:
            self._files.disk.unlock(self._descriptor)
        except OSError:
            self.close()

    def close(self) -> None:
        """Close the lock's file."""
        if self._descriptor is not None:
            self._files.close(self._descriptor)
            self._descriptor = self._identity = None


@contextmanager
def locked(files: Files, wait: float) -> Iterator[None]:
    """Hold the lock of a campaign that is not open here, by a separate lock; see `Lock.take`."""
    lock = Lock(files)
    try:
        with lock.held(wait):
            yield
    finally:
        lock.close()


def _take(machine: Disk, descriptor: int, deadline: float, wait: float) -> None:
    if machine.try_lock(descriptor):
        return
    pause = _FIRST_PAUSE
    while time.monotonic() < deadline:
        time.sleep(pause)
        pause = min(_MAX_PAUSE, pause * 1.5)
        if machine.try_lock(descriptor):
            return
    waited = f"; waited {wait:g} s" if wait else ""
    raise CampaignBusy(f"another process is working on this campaign{waited}")
