"""When documents and results follow the log: at once after a pause, and now and then while turns come fast.

Writing them costs as much as a turn does, or more, and a burst of turns changes the same few again and again.
Source: docs/stages/5-commit.md, "Behind the log".
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from threading import Timer, current_thread

from turnwright.model.errors import CampaignBusy, CampaignError

_SHARE = 10
"""Writing takes at most about one part in so many of the time, however slow the disk is."""
_MAX_LAG = 5.0


class WriteBehind:
    """Writes files immediately if the last write was at least `lag` seconds ago, else once that time has passed.

    After a slow write, the next one waits ten times as long as it took, but never more than five seconds.
    """

    def __init__(
        self,
        now: Callable[[], None],
        later: Callable[[], None],
        lag: float,
        mutex: AbstractContextManager[object],
        wait: float,
    ) -> None:
        """Store the write callbacks and the timing.

        Args:
            now: writes the files, called in the thread that calls `follow`.
            later: writes them too, called from a separate thread; it must not wait for another process.
            lag: seconds, as above.
            mutex: is held by who calls anything here, and for the thread by itself.
            wait: seconds for which the thread tries again while another process is at work.
        """
        self._now = now
        self._later = later
        self._lag = lag
        self._mutex = mutex
        self._wait = wait
        self._pause = lag
        self._done_at = float("-inf")
        self._timer: Timer | None = None

    def follow(self) -> None:
        """Have the files written, now or soon.

        The data is safe in the log, so the caller does not see a failure: the next turn retries the write, and a final
        flush reports it.
        """
        left = self._done_at + self._pause - time.monotonic()
        if left <= 0:
            self._write(self._now)
        elif self._timer is None:
            self._start(left, time.monotonic() + left + self._wait)

    def at_once(self) -> None:
        """Have the files written now, because no further change is expected soon."""
        self._write(self._now)

    def stop(self) -> None:
        """Have nothing written any more."""
        if self._timer:
            self._timer.cancel()
        self._timer = None

    def forget(self) -> None:
        """Forget what is to be written later: after a fork, the thread that will do so is the parent's."""
        self._timer = None

    def _start(self, left: float, until: float) -> None:
        self._timer = Timer(left, self._late, [until])
        self._timer.start()

    def _late(self, until: float) -> None:
        """Have the files written by this thread, unless it was stopped while it waited for its turn."""
        with self._mutex:
            if self._timer is not current_thread():
                return
            self._timer = None
            if self._write(self._later) or time.monotonic() >= until:
                return
            # Waiting here for another process would hold up other threads that use the campaign.
            self._start(self._pause, until)

    def _write(self, work: Callable[[], None]) -> bool:
        """Write; return whether no other process was in the way."""
        with suppress(OSError, CampaignError):
            began_at = time.monotonic()
            try:
                work()
            except CampaignBusy:
                return False
            self._done_at = time.monotonic()
            took = self._done_at - began_at
            self._pause = max(self._lag, min(_SHARE * took, _MAX_LAG)) if self._lag else 0.0
        return True
