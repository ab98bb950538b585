"""Output of a long-running program: printing never waits for a reader. Unread output is dropped, and counted."""

from __future__ import annotations

import io
import os
import select
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from threading import Condition, Thread
from typing import Any

from turnwright.cli._exit_codes import IO_ERROR, READER_LEFT

ROOM = 1 << 20
"""Bytes of output that may wait for their reader."""
_LAST_WORDS_SECONDS = 1.0
"""How long readers may take, in the end, for what waits."""
Notice = Callable[[int], str]
"""Says in a line how many lines were dropped."""


class NonblockingOutput(io.RawIOBase):
    """A descriptor to print whole lines to. A thread writes them; where too much waits, or writing fails, they go.

    Attributes:
        failure: why the last line could not be written; None once one could again.
    """

    def __init__(
        self,
        descriptor: int,
        notice: Notice,
        failed: Callable[[OSError], None],
        *,
        room: int = ROOM,
        encoding: str = "utf-8",
    ) -> None:
        """Begin with nothing that waits.

        Args:
            descriptor: where to write.
            notice: replaces the lines that were dropped.
            failed: is told, by the thread, when writing begins to fail.
            room: bytes that may wait.
            encoding: of the notice.
        """
        super().__init__()
        self.failure: OSError | None = None
        self._descriptor = descriptor
        self._notice = notice
        self._failed = failed
        self._room = room
        self._encoding = encoding
        self._waiting: deque[bytes] = deque()
        self._size = 0
        self._dropped = 0
        self._is_at_work = False
        self._changed = Condition()
        Thread(target=self._write_on, daemon=True).start()

    def fileno(self) -> int:
        """Return the descriptor."""
        return self._descriptor

    def isatty(self) -> bool:
        """Return whether a person reads."""
        return os.isatty(self._descriptor)

    def writable(self) -> bool:
        """Say yes."""
        return True

    def write(self, data: Any, /) -> int:
        """Take lines, or drop them where there is no room; return at once."""
        lines = bytes(data)
        with self._changed:
            if self._size + len(lines) > self._room:
                self._dropped += lines.count(b"\n")
                self._changed.notify_all()
            else:
                self._note_dropped()
                self._put(lines)
        return len(lines)

    def _note_dropped(self) -> None:
        if self._dropped:
            self._put(f"{self._notice(self._dropped)}\n".encode(self._encoding, "replace"))
            self._dropped = 0

    def _put(self, lines: bytes) -> None:
        self._waiting.append(lines)
        self._size += len(lines)
        self._changed.notify_all()

    def _write_on(self) -> None:
        while True:
            with self._changed:
                self._is_at_work = False
                self._changed.notify_all()
                self._changed.wait_for(self._has_work)
                if not self._waiting:
                    self._note_dropped()
                lines = self._waiting.popleft()
                self._is_at_work = True
            failure = self._written(lines)
            with self._changed:
                self._size -= len(lines)
                begins_to_fail = failure is not None and self.failure is None
                self.failure = failure
                if failure:
                    self._dropped += lines.count(b"\n")
            if failure and begins_to_fail:
                self._failed(failure)

    def _has_work(self) -> bool:
        return bool(self._waiting) or (self._dropped > 0 and self.failure is None)

    def _written(self, lines: bytes) -> OSError | None:
        rest = memoryview(lines)
        while rest:
            try:
                rest = rest[os.write(self._descriptor, rest) :]
            except BlockingIOError:  # another process that shares the pipe set it
                select.select([], [self._descriptor], [])
            except OSError as error:
                return error
        return None

    def finish(self, seconds: float) -> int:
        """Wait a little for what waits to be written; return the exit code that says whether it went wrong."""
        with self._changed:
            self._changed.wait_for(lambda: not self._is_at_work and not self._has_work(), seconds)
            if self.failure is None:
                return 0
            return READER_LEFT if isinstance(self.failure, BrokenPipeError) else IO_ERROR


@contextmanager
def nonblocking_output(notice: Notice, *, is_data: bool) -> Iterator[Callable[[], int]]:
    """Let nothing that is printed in a `with` block wait for its reader; give what ends that and returns an exit code.

    Args:
        notice: as for `NonblockingOutput`, on standard output.
        is_data: whether standard output is for programs, so that what befalls standard error is not told there.
    """
    outputs: dict[str, NonblockingOutput] = {}

    def tell(other: str, what: str) -> Callable[[OSError], None]:
        def told(error: OSError) -> None:
            stream = outputs.get(other)
            if stream and not (is_data and other == "stdout"):
                why = "nobody reads it any more" if isinstance(error, BrokenPipeError) else error.strerror
                stream.write(f"{what} is dropped: {why}\n".encode())

        return told

    with ExitStack() as changed:
        for name, other, what, says in (
            ("stdout", "stderr", "standard output", notice),
            ("stderr", "stdout", "standard error", words_of_dropped),
        ):
            stream = getattr(sys, name)
            try:
                descriptor = stream.fileno()
            except (OSError, ValueError):
                continue  # not a system file, so writing never blocks
            stream.flush()
            outputs[name] = NonblockingOutput(descriptor, says, tell(other, what), encoding=stream.encoding)
            text = io.TextIOWrapper(  # type: ignore[type-var]  # without a buffer, as Python has it with -u
                outputs[name], encoding=stream.encoding, errors=stream.errors, write_through=True
            )
            setattr(sys, name, text)
            changed.callback(setattr, sys, name, stream)
        yield lambda: _finish(outputs.values())


def _finish(outputs: Iterable[NonblockingOutput]) -> int:
    until = time.monotonic() + _LAST_WORDS_SECONDS
    return max((output.finish(max(0.0, until - time.monotonic())) for output in outputs), default=0)


def words_of_dropped(lines: int) -> str:
    """Return a line for people that says how many were dropped."""
    return f"dropped  {lines} line{'s' if lines != 1 else ''} that nobody read in time"
