"""The connection to a model's server: bounded in bytes, watched for its end, and closed with each answer.

Source: docs/agents.md, "How a model fails".
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from functools import cache
from ipaddress import ip_address
from ssl import SSLContext
from urllib.parse import urlsplit

import httpx2

from turnwright.llm.port import Limits, ModelFailed

_BYTES_A_TOKEN = 4096
_SLACK = 1 << 20
_END = b"[DONE]"


class Wire:
    """The state of the connections of one answer.

    Attributes:
        is_complete: whether the last response ended with the mark that OpenAI-compatible streams end with.
    """

    def __init__(self, limits: Limits) -> None:
        self._left = limits.max_tokens * _BYTES_A_TOKEN + _SLACK
        self._most = self._left
        self._tail = b""

    @property
    def is_complete(self) -> bool:
        """Whether the stream said that it is over."""
        return _END in self._tail

    def take(self, data: bytes) -> None:
        """Count bytes that came, and refuse what is more than any answer needs."""
        self._left -= len(data)
        if self._left < 0:
            raise ModelFailed("too_long", f"the server did not stop: it sent more than {self._most} bytes")
        self._tail = (self._tail + data)[-64:]

    def client(self, timeout: float, *, is_near: bool) -> httpx2.AsyncClient:
        """Return a client for one answer. Local servers are never contacted through a proxy."""

        async def watch(response: httpx2.Response) -> None:
            if isinstance(response.stream, httpx2.AsyncByteStream):
                response.stream = _Watched(response.stream, self)

        return httpx2.AsyncClient(
            timeout=httpx2.Timeout(timeout, connect=min(timeout, 10.0)),
            headers={"Accept-Encoding": "identity"},
            event_hooks={"response": [watch]},
            trust_env=not is_near,
            verify=_authorities(trust_env=not is_near),
        )


@cache
def _authorities(*, trust_env: bool) -> SSLContext:
    """Return whose certificates are believed: reading them takes as long as a short answer, and so is done once."""
    return httpx2.create_ssl_context(trust_env=trust_env)


class _Watched(httpx2.AsyncByteStream):
    """A stream whose bytes are counted."""

    def __init__(self, stream: httpx2.AsyncByteStream, wire: Wire) -> None:
        self._stream = stream
        self._wire = wire

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for data in self._stream:
            self._wire.take(data)
            yield data

    async def aclose(self) -> None:
        await self._stream.aclose()


def is_loopback(url: str) -> bool:
    """Return whether a URL leads to this machine."""
    host = urlsplit(url).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
