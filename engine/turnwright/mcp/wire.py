"""The two streams of a server over standard input and output: one message per line.

The SDK's transport passes each line to a thread three times, to read, write and flush it, and each message to a
separate task. Here one thread reads ahead, and output that fits into the pipe is written immediately, so that a call
has little overhead. Source: docs/mcp.md, "Over stdio".
"""

from __future__ import annotations

import asyncio
import os
import select
import stat
import sys
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from threading import Semaphore, Thread

import anyio
import anyio.lowlevel
import anyio.to_thread
from anyio.abc import ObjectReceiveStream, ObjectSendStream
from mcp.shared.message import SessionMessage
from mcp_types import (
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCMessage,
    jsonrpc_message_adapter,
)
from pydantic import ValidationError

from turnwright.model.byte_lines import blocks_of_lines
from turnwright.store.input_blocks import read_block

MAX_LINE_BYTES = 4 << 20
"""The longest line that is read whole; a longer one is not a message."""
_BLOCKS_AHEAD = 4
"""Maximum number of blocks of lines read ahead."""


@contextmanager
def wire() -> Iterator[tuple[Incoming, Outgoing]]:
    """Take standard input and output over, and give the streams of messages.

    Meanwhile whatever else reads standard input finds it empty, and whatever else is printed goes to standard error.
    """
    with _taken_over(sys.stdin.fileno(), os.O_RDONLY) as source, _taken_over(sys.stdout.fileno(), os.O_WRONLY) as sink:
        outgoing = Outgoing(sink)
        incoming = Incoming(source, outgoing)
        outgoing.on_broken = incoming.end
        yield incoming, outgoing


@contextmanager
def _taken_over(descriptor: int, mode: int) -> Iterator[int]:
    """Give a private copy of a standard stream, in whose place stands nothing to read, or standard error."""
    own = os.dup(descriptor)  # never closed: a thread may still read from it when the server has ended
    instead = os.open(os.devnull, mode) if mode == os.O_RDONLY else os.dup(sys.stderr.fileno())
    os.dup2(instead, descriptor)
    os.close(instead)
    try:
        yield own
    finally:
        os.dup2(own, descriptor)


class Incoming(ObjectReceiveStream[SessionMessage | Exception]):
    """The messages of a client. An invalid line is answered as JSON-RPC requires: with an error and no id.

    Args:
        descriptor: the file descriptor to read.
        outgoing: the stream for such answers.
    """

    def __init__(self, descriptor: int, outgoing: Outgoing) -> None:
        self._outgoing = outgoing
        self._blocks: deque[list[bytes]] = deque()
        self._lines: deque[bytes] = deque()
        self._has_ended = False
        self._came = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._ahead = Semaphore(_BLOCKS_AHEAD)
        Thread(target=self._read, args=[descriptor], name="stdin", daemon=True).start()

    def _read(self, descriptor: int) -> None:
        with suppress(RuntimeError):  # the loop has ended
            with suppress(OSError):
                for lines in blocks_of_lines(partial(read_block, descriptor), MAX_LINE_BYTES):
                    self._ahead.acquire()
                    self._loop.call_soon_threadsafe(self._take, lines)
            self._loop.call_soon_threadsafe(self.end)

    def _take(self, lines: list[bytes]) -> None:
        self._blocks.append(lines)
        self._came.set()

    def end(self) -> None:
        """Let what was read come, and then the end."""
        self._has_ended = True
        self._came.set()

    async def receive(self) -> SessionMessage | Exception:
        """Return the next message.

        Raises:
            EndOfStream: when there are no more.
        """
        while True:
            text = (await self._next_line()).decode("utf-8", "replace")
            try:
                return SessionMessage(jsonrpc_message_adapter.validate_json(text, by_name=False))
            except ValueError as error:
                await self._outgoing.send_message(JSONRPCError(jsonrpc="2.0", id=None, error=_fault(error)))

    async def _next_line(self) -> bytes:
        if self._lines:
            await anyio.lowlevel.cancel_shielded_checkpoint()  # others get a turn while lines wait
        while not self._lines:
            while not self._blocks:
                if self._has_ended:
                    raise anyio.EndOfStream
                self._came.clear()
                await self._came.wait()
            self._lines.extend(self._blocks.popleft())
            self._ahead.release()
        return self._lines.popleft()

    async def aclose(self) -> None:
        """Give no more messages."""
        self._lines.clear()
        self._blocks.clear()
        self.end()


def _fault(error: ValueError) -> ErrorData:
    is_json = isinstance(error, ValidationError) and not any(one["type"] == "json_invalid" for one in error.errors())
    return ErrorData(
        code=INVALID_REQUEST if is_json else PARSE_ERROR,
        message="Invalid request" if is_json else "Parse error",
    )


class Outgoing(ObjectSendStream[SessionMessage]):
    """The messages to a client, in the order in which they are sent, each whole.

    Attributes:
        on_broken: called when the reader is gone.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._lock = anyio.Lock(fast_acquire=True)
        self._is_pipe = hasattr(select, "poll") and stat.S_ISFIFO(os.fstat(descriptor).st_mode)
        self.on_broken: Callable[[], None] = lambda: None

    async def send(self, item: SessionMessage) -> None:
        """Send a message.

        Raises:
            BrokenResourceError: when the reader is gone.
        """
        await self.send_message(item.message)

    async def send_message(self, message: JSONRPCMessage) -> None:
        """Send a message; see `send`."""
        data = message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n"
        async with self._lock:
            try:
                if self._has_room_for(len(data)):
                    os.write(self._descriptor, data)
                else:
                    with anyio.CancelScope(shield=True):  # half a line would spoil all that follow
                        await anyio.to_thread.run_sync(self._write, data)
            except OSError as error:
                self.on_broken()
                raise anyio.BrokenResourceError from error

    def _has_room_for(self, size: int) -> bool:
        """Return whether so many bytes can be written at once: a pipe that is ready takes as many as POSIX says."""
        if not self._is_pipe or size > select.PIPE_BUF:
            return False
        poll = select.poll()
        poll.register(self._descriptor, select.POLLOUT)
        return bool(poll.poll(0))

    def _write(self, data: bytes) -> None:
        rest = memoryview(data)
        while rest:
            try:
                rest = rest[os.write(self._descriptor, rest) :]
            except BlockingIOError:
                select.select([], [self._descriptor], [])

    async def aclose(self) -> None:
        """End; the descriptor stays open."""
