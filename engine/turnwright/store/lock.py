"""One writer at a time: an operating system lock on one file, held per turn."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager

from turnwright.model.errors import CampaignBusy
from turnwright.store import platform
from turnwright.store.files import Files

LOCK_PATH = ".turnwright/lock"
_FIRST_PAUSE = 0.002
_LONGEST_PAUSE = 0.05


class Lock:
    """The campaign's lock. Held by this process at most once; the system gives it back when the process dies."""

    def __init__(self, files: Files) -> None:
        self._files = files
        self._descriptor: int | None = None

    @contextmanager
    def held(self, wait: float) -> Iterator[None]:
        """Hold the lock for the duration of a `with` block.

        Args:
            wait: seconds to wait for another process; 0 tries once.

        Raises:
            CampaignBusy: when another process kept the lock for all that time.
        """
        if self._descriptor is None:
            flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0)
            self._descriptor = os.open(self._files.at(LOCK_PATH), flags, 0o666)
        descriptor = self._descriptor
        _take(descriptor, wait)
        try:
            yield
        finally:
            platform.unlock(descriptor)

    def close(self) -> None:
        """Close the lock's file."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def _take(descriptor: int, wait: float) -> None:
    if platform.try_lock(descriptor):
        return
    deadline = time.monotonic() + wait
    pause = _FIRST_PAUSE
    while time.monotonic() < deadline:
        time.sleep(pause)
        pause = min(_LONGEST_PAUSE, pause * 1.5)
        if platform.try_lock(descriptor):
            return
    raise CampaignBusy(f"another process is working on this campaign; waited {wait:g} s")
