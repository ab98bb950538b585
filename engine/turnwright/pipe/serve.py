"""Read requests, answer them in order, and tell of records in between.

One thread reads lines, one follows the log, and the caller's own thread does everything else: it takes what the two
bring from one queue, and it alone writes. So answers keep the order of the requests, a record of a turn of this pipe
comes after the answer to it, and no line is ever torn by another. Both threads wait when they are too far ahead.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from queue import SimpleQueue
from threading import Event, Semaphore, Thread
from typing import Any, NamedTuple

from turnwright.campaign.campaign import Campaign
from turnwright.model.byte_lines import blocks_of_lines
from turnwright.model.errors import CampaignError
from turnwright.model.strict_json import compact
from turnwright.model.viewer import Viewer
from turnwright.pipe.requests import MAX_LINE_BYTES, RequestId
from turnwright.pipe.session import PipeAnswer, PipeEvent, PipeSession, Report, error_for

Read = Callable[[], bytes]
Write = Callable[[bytes], None]
_MAX_RECORDS_AHEAD = 64
_PAUSE = 0.25
"""Seconds between two looks at the log."""


class _Told(NamedTuple):
    """The output of a follower: an event to write, or None when it has ended; and the error that ended it."""

    follower: _Follower
    event: PipeEvent | None
    error: CampaignError | None = None


_END = object()


class Server:
    """Serves one pipe, until its input ends or `stop` is called."""

    def __init__(self, campaign: Campaign, authority: str, read: Read, write: Write, report: Report) -> None:
        """Take what to serve.

        Args:
            campaign: the campaign, opened.
            authority: `gm` or `player:<character id>`.
            read: returns the next bytes of input, and none at its end; it may block.
            write: writes all of some bytes.
            report: is given faults of ours.
        """
        self._campaign = campaign
        self._authority = authority
        self._viewer = Viewer.of(authority)
        self._read = read
        self._write = write
        self._inbox: SimpleQueue[Any] = SimpleQueue()
        self._lines: deque[bytes] = deque()
        self._blocks_ahead = Semaphore(1)
        self._has_ended = False
        self._follower: _Follower | None = None
        self._is_stopped = False
        self._session = PipeSession(
            campaign, authority, follow=self._follow, stop_following=self._stop_following, report=report
        )

    def stop(self) -> None:
        """End after the request that is being done; may be called by a signal handler or another thread."""
        self._is_stopped = True
        self._inbox.put(_END)  # put is reentrant, so a handler may interrupt it anywhere

    def run(self) -> None:
        """Serve until the end. When the input ends, a follower tells of all records that there are by then.

        Raises:
            OSError: when an answer cannot be written.
        """
        Thread(target=self._read_lines, name="pipe input", daemon=True).start()
        try:
            while not self._is_stopped and self._take_what_came():
                if self._lines:
                    self._send(self._session.answer(self._lines.popleft()))
                    if not self._lines:
                        self._blocks_ahead.release()
        finally:
            self._stop_following()

    def _take_what_came(self) -> bool:
        """Dispatch the threads' output, waiting for it if there is nothing to do; return False at the end."""
        while not self._lines or not self._inbox.empty():
            if self._has_ended and not self._lines:
                if self._follower is None:
                    return False
                self._follower.finish()  # only now: the last line may make a record, too
            item = self._inbox.get()
            if self._is_stopped:
                return False
            if isinstance(item, _Told):
                self._pass_on(item)
            elif item is _END:
                self._has_ended = True
            else:
                self._lines.extend(item)
        return True

    def _send(self, line: PipeAnswer | PipeEvent) -> None:
        self._write(compact(line) + b"\n")

    def _read_lines(self) -> None:
        """Put lines into the inbox, a block at a time; runs in a separate daemon thread."""
        try:
            for lines in blocks_of_lines(self._read, MAX_LINE_BYTES):
                self._blocks_ahead.acquire()
                self._inbox.put(lines)
        except OSError:
            pass  # input that cannot be read has ended
        finally:
            self._inbox.put(_END)

    def _follow(self, request_id: RequestId, after: int | None) -> None:
        """Report records from now on, replacing an earlier follower.

        Raises:
            BadRequest: when `after` is not the number of a record.
        """
        follower = _Follower(request_id, self._inbox, partial(self._campaign.follow, viewer=self._viewer, after=after))
        self._stop_following()
        self._follower = follower
        follower.begin()

    def _stop_following(self) -> None:
        if self._follower is not None:
            self._follower.stop()
            self._follower = None

    def _pass_on(self, told: _Told) -> None:
        """Write what a follower brings, unless another took its place in the meantime."""
        told.follower.ahead.release()
        if told.follower is not self._follower:
            return
        if told.event is None:
            self._follower = None
        elif told.error is not None:
            self._send({**told.event, "error": error_for(self._authority, told.error)})
        else:
            self._send(told.event)


class _Follower:
    """Follows the log in a separate thread.

    Attributes:
        ahead: the number of further events it may queue.
    """

    def __init__(self, request_id: RequestId, inbox: SimpleQueue[Any], follow: Callable[..., Iterator[Any]]) -> None:
        self.ahead = Semaphore(_MAX_RECORDS_AHEAD)
        self._request_id = request_id
        self._inbox = inbox
        self._wake = Event()
        self._is_stopped = self._is_finishing = self._is_last_look = False
        self._records = follow(wait=self._wait)

    def begin(self) -> None:
        """Begin to bring events."""
        Thread(target=self._run, name="pipe follower", daemon=True).start()

    def stop(self) -> None:
        """End as soon as possible."""
        self._is_stopped = True
        self._wake.set()
        self.ahead.release()

    def finish(self) -> None:
        """End after one more look at the log."""
        self._is_finishing = True
        self._wake.set()

    def _wait(self) -> bool:
        """Wait until it is time to look again; return False when it is time to end."""
        if self._is_last_look:
            return False
        self._wake.wait(_PAUSE)
        self._is_last_look = self._is_finishing
        return not self._is_stopped

    def _run(self) -> None:
        try:
            for record in self._records:
                self._bring({"event": "record", "of": self._request_id, "record": record})
                if self._is_stopped:
                    return
        except CampaignError as error:
            self._bring({"event": "follow_ended", "of": self._request_id}, error)
        finally:
            self._bring(None)

    def _bring(self, event: PipeEvent | None, error: CampaignError | None = None) -> None:
        self.ahead.acquire()
        self._inbox.put(_Told(self, event, error))
