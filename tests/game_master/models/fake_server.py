"""A server on loopback that behaves as badly as it is told to, for the client's side of a model."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

Play = Callable[["Line"], None]


@dataclass
class Line:
    """One connection: what was asked, and the means to answer."""

    socket: socket.socket
    path: str
    headers: dict[str, str]
    body: Any
    over: threading.Event

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def head(self, status: str = "200 OK", kind: str = "text/event-stream", more: str = "") -> None:
        self.send(f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nConnection: close\r\n{more}\r\n".encode())

    def event(self, value: Any) -> None:
        self.send(b"data: " + (value if isinstance(value, bytes) else json.dumps(value).encode()) + b"\n\n")

    def delta(self, finish: str | None = None, **delta: Any) -> None:
        self.event(chunk(delta, finish))

    def end(self, finish: str = "stop", usage: tuple[int, int] | None = (11, 7)) -> None:
        self.delta(finish)
        if usage:
            told = {"prompt_tokens": usage[0], "completion_tokens": usage[1], "total_tokens": sum(usage)}
            self.event({**chunk({}, None), "choices": [], "usage": told})
        self.event(b"[DONE]")

    def wait(self) -> None:
        """Say nothing until the test is over."""
        self.over.wait(60)

    def until_closed(self) -> bool:
        """Return whether the client closes the connection, which ends its requests."""
        self.socket.settimeout(20)
        with suppress(ConnectionError):
            while self.socket.recv(4096):
                pass
        return True


def chunk(delta: dict[str, Any], finish: str | None) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "fake", "choices": [choice]}


@dataclass
class FakeServer:
    """What the server is to do, and what it was asked."""

    url: str
    play: Play
    asked: list[Line] = field(default_factory=list)
    closed: threading.Event = field(default_factory=threading.Event)
    over: threading.Event = field(default_factory=threading.Event)


@contextmanager
def fake_server(play: Play) -> Iterator[FakeServer]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = FakeServer(f"http://127.0.0.1:{listening.getsockname()[1]}/v1", play)
        thread = threading.Thread(target=_serve, args=(listening, server))
        thread.start()
        try:
            yield server
        finally:
            server.over.set()
            with socket.create_connection(listening.getsockname()):
                pass
            thread.join()


def _serve(listening: socket.socket, server: FakeServer) -> None:
    while True:
        connection, _ = listening.accept()
        with connection:
            if server.over.is_set():
                return
            connection.settimeout(20)
            try:
                line = _asked(connection, server.over)
                server.asked.append(line)
                server.play(line)
            except OSError:
                server.closed.set()


def _asked(connection: socket.socket, over: threading.Event) -> Line:
    data = b""
    while b"\r\n\r\n" not in data:
        data += _received(connection)
    head, _, rest = data.partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    while len(rest) < int(headers.get("content-length", "0")):
        rest += _received(connection)
    return Line(connection, first.split()[1], headers, json.loads(rest) if rest else None, over)


def _received(connection: socket.socket) -> bytes:
    if data := connection.recv(65536):
        return data
    raise ConnectionError("the client asked nothing")
