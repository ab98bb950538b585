"""A client that sends any bytes: a server over stdio, with one thread that reads what it answers."""

from __future__ import annotations

import json
import queue
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import Any

from tests import warm_python
from tests.mcp.harness import PATIENCE

VERSION = "2025-11-25"
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "raw", "version": "1"},
}
"""The envelope of a request of 2026-07-28."""


class RawServer:
    """A running server, and what it said."""

    def __init__(self, path: Path, *arguments: str) -> None:
        command = [*warm_python.command(), "-m", "turnwright", "mcp", str(path), *arguments]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe)
        self._lines: queue.Queue[bytes] = queue.Queue()
        self._errors: list[bytes] = []
        takers = ((self.process.stdout, self._lines.put), (self.process.stderr, self._errors.append))
        self._readers = [Thread(target=_read, args=pair, daemon=True) for pair in takers]
        for reader in self._readers:
            reader.start()

    def send(self, *lines: bytes | dict[str, Any]) -> None:
        """Send lines."""
        assert self.process.stdin is not None
        whole = [line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines]
        self.process.stdin.write(b"".join(line + b"\n" for line in whole))
        self.process.stdin.flush()

    def receive(self) -> dict[str, Any]:
        """Return the next message."""
        message: dict[str, Any] = json.loads(self._lines.get(timeout=PATIENCE))
        return message

    def ask(self, request_id: Any, method: str, params: Any = None) -> dict[str, Any]:
        """Send a request, and return the answer to it; what comes before it is left out."""
        self.send(request(request_id, method, params))
        while (answer := self.receive()).get("id") != request_id or "method" in answer:
            pass
        return answer

    def shake_hands(self) -> None:
        """Begin as a client of the handshake versions does."""
        client = {"protocolVersion": VERSION, "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"}}
        assert self.ask("hello", "initialize", client)["result"]["protocolVersion"] == VERSION
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def end(self) -> str:
        """Close the input, wait for the end, and return what was printed on standard error."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        assert self.process.wait(PATIENCE) == 0, self.errors
        return self.errors

    @property
    def errors(self) -> str:
        """What was printed on standard error so far."""
        return b"".join(self._errors).decode()

    def kill(self) -> None:
        """End the process at once, and close what led to it."""
        warm_python.kill(self.process)
        self.process.wait(PATIENCE)
        for reader in self._readers:
            reader.join(PATIENCE)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert stream is not None
            with suppress(BrokenPipeError):
                stream.close()


def _read(stream: Any, take: Any) -> None:
    for line in stream:
        take(line)


def request(request_id: Any, method: str, params: Any = None) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": request_id, "method": method, **({} if params is None else {"params": params})}


@contextmanager
def raw_server(path: Path, *arguments: str) -> Iterator[RawServer]:
    server = RawServer(path, *arguments)
    try:
        yield server
    finally:
        server.kill()
