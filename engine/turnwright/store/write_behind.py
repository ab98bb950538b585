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
    """Has files written now, when that was not done for `lag` seconds, or else once when that time is over.

    Where writing took long, the next one waits for ten times as long, but never for more than five seconds.
    """

    def __init__(
        self,
        now: Callable[[], None],
        later: Callable[[], None],
        lag: float,
        mutex: AbstractContextManager[object],
        wait: float,
    ) -> None:
        """Take what writes the files, and when.

        Args:
            now: writes them, called by who calls `follow`.
            later: writes them too, called from a thread of its own; it waits for no other process.
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

        What is to be written is safe in the log, so a failure is nobody's who calls this: it is tried again with the
        next turn, and told when everything must be written.
        """
        left = self._done_at + self._pause - time.monotonic()
        if left <= 0:
            self._write(self._now)
        elif self._timer is None:
            self._start(left, time.monotonic() + left + self._wait)

    def at_once(self) -> None:
        """Have the files written now: nothing that would be written with them comes soon."""
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
