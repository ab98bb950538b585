"""Describe connection errors and statuses of a model's server in words for the person at the table.

Source: docs/agents.md, "How a model fails".
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

import httpx2

from turnwright.llm.port import FailureKind, Limits, ModelFailed

_MAX_LENGTH = 300
Kind = tuple[FailureKind, str]
NO_ANSWER: Kind = ("garbage", "what the model's server sent is no answer")
BROKEN: Kind = ("disconnected", "the connection to the model's server broke")
_NOT_HTTP = ("illegal", "malformed", "invalid")


def chain_of(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an exception and those that it came from, the outermost first."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__


def failure_of_connection(error: Exception, limits: Limits, secret: str = "") -> ModelFailed:
    """Convert any exception of a request to a failure of the model.

    Args:
        error: the exception.
        limits: the limits of the request.
        secret: a key that a server may have sent back, which is taken out.
    """
    chain = list(chain_of(error))
    for one in chain:
        if isinstance(one, ModelFailed):
            return one
    if is_late(chain):
        return late(limits)
    kind, told = kind_of_connection(chain) or NO_ANSWER
    return in_words(kind, told, chain, secret)


def is_late(chain: Sequence[BaseException]) -> bool:
    """Return whether an answer was not there in time."""
    return any(isinstance(one, (TimeoutError, httpx2.TimeoutException)) for one in chain)


def late(limits: Limits) -> ModelFailed:
    """Return the failure of a model that took too long."""
    return ModelFailed("timeout", f"the model did not answer within {limits.timeout:g} seconds")


def in_words(kind: FailureKind, told: str, chain: Sequence[BaseException], secret: str) -> ModelFailed:
    """Return a failure with the message of the root exception, except for garbage, where that is useless."""
    if kind == "garbage":
        return ModelFailed(kind, told)
    return ModelFailed(kind, f"{told}: {short_text(str(chain[-1]) or type(chain[-1]).__name__, secret)}")


def kind_of_connection(chain: Sequence[BaseException]) -> Kind | None:
    """Return how a connection failed, and the same in words; None where it was something else."""
    if any(isinstance(one, httpx2.HTTPStatusError) for one in chain):
        return "refused", "the model's server sends its clients elsewhere"
    if any(isinstance(one, (json.JSONDecodeError, UnicodeDecodeError)) for one in chain):
        return NO_ANSWER
    if any(isinstance(one, httpx2.RemoteProtocolError) and _is_no_http(one) for one in chain):
        return "garbage", "what answers there does not speak HTTP"
    if any(isinstance(one, (httpx2.ConnectError, httpx2.UnsupportedProtocol, httpx2.ProxyError)) for one in chain):
        return "unavailable", "the model's server cannot be reached"
    if any(isinstance(one, httpx2.TransportError) for one in chain):
        return BROKEN
    return None


def _is_no_http(error: BaseException) -> bool:
    return any(word in str(error).lower() for word in _NOT_HTTP)


def failure_of_status(code: int, body: object, secret: str = "", retry_after: float | None = None) -> ModelFailed:
    """Return the failure that a status of a server means.

    Args:
        code: the status code.
        body: the response body: a text, or JSON.
        secret: a key that a server may have sent back, which is taken out.
        retry_after: the seconds that the server asks to wait.
    """
    body = body if isinstance(body, str) else _message_of(body)
    detail = f" ({code}{': ' if body else ''}{short_text(body, secret)})"
    if code == 408:
        return ModelFailed("timeout", f"the model's server gave up waiting{detail}")
    if code >= 500:
        return ModelFailed("unavailable", f"the model's server has a fault{detail}")
    if code == 429:
        wait = f"; it asks to wait {retry_after:g} seconds" if retry_after else ""
        return ModelFailed("refused", f"the model's server has had too many requests{detail}{wait}")
    if code in (401, 403):
        return ModelFailed("refused", f"the model's server does not accept the key, or there is none{detail}")
    if code == 404:
        return ModelFailed("refused", f"the server has no such model, or the URL is not that of its API{detail}")
    return ModelFailed("refused", f"the model's server refuses the request{detail}")


def _message_of(body: object) -> str:
    if isinstance(body, dict):
        inner = body.get("error", body)
        told = inner.get("message", inner) if isinstance(inner, dict) else inner
        return told if isinstance(told, str) else json.dumps(told, ensure_ascii=False, default=str)
    return "" if body is None else str(body)


def short_text(text: str, secret: str) -> str:
    """Return a text of a server on one line, no longer than people read, without its key."""
    text = " ".join((text.replace(secret, "***") if secret else text).split())
    return text if len(text) <= _MAX_LENGTH else text[: _MAX_LENGTH - 3] + "..."
