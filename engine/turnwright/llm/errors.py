"""From whatever a library raises to one of the ways in which a model fails, in words for the person at the table.

Source: docs/agents.md, "How a model fails".
"""

from __future__ import annotations

import json
from collections.abc import Iterator

import httpx2
from pydantic_ai.exceptions import (
    ModelAPIError,
    ModelConnectionError,
    ModelHTTPError,
    ModelRequestTimeout,
    ModelTimeoutError,
    UserError,
)

from turnwright.llm.port import FailureKind, Limits, ModelFailed

_MAX_LENGTH = 300
_NOT_HTTP = ("illegal", "malformed", "invalid")


def failure_of(error: Exception, limits: Limits, secret: str = "") -> ModelFailed:
    """Return what a request raised as a failure of the model; every exception becomes one.

    Args:
        error: what was raised.
        limits: the limits of the request.
        secret: a key that a server may have sent back, which is taken out.
    """
    chain = list(_chain(error))
    for one in chain:
        if isinstance(one, ModelFailed):
            return one
    if any(
        isinstance(one, (TimeoutError, ModelTimeoutError, ModelRequestTimeout, httpx2.TimeoutException))
        for one in chain
    ):
        return ModelFailed("timeout", f"the model did not answer within {limits.timeout:g} seconds")
    for one in chain:
        if isinstance(one, ModelHTTPError):
            return _of_status(one, secret)
    kind, told = _kind_of(chain)
    if kind == "garbage":  # what libraries say of it leads nobody further
        return ModelFailed(kind, told)
    return ModelFailed(kind, f"{told}: {_short(str(chain[-1]) or type(chain[-1]).__name__, secret)}")


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__


def _kind_of(chain: list[BaseException]) -> tuple[FailureKind, str]:
    if any(isinstance(one, httpx2.HTTPStatusError) for one in chain):
        return "refused", "the model's server sends its clients elsewhere"
    if any(isinstance(one, (json.JSONDecodeError, UnicodeDecodeError)) for one in chain):
        return "garbage", "what the model's server sent is no answer"
    if any(isinstance(one, httpx2.RemoteProtocolError) and _is_no_http(one) for one in chain):
        return "garbage", "what answers there does not speak HTTP"
    if any(isinstance(one, (httpx2.ConnectError, httpx2.UnsupportedProtocol, httpx2.ProxyError)) for one in chain):
        return "unavailable", "the model's server cannot be reached"
    if any(isinstance(one, (ModelConnectionError, httpx2.TransportError)) for one in chain):
        return "disconnected", "the connection to the model's server broke"
    if any(isinstance(one, UserError) for one in chain):
        return "refused", "the model cannot be asked this"
    if any(isinstance(one, ModelAPIError) and one.in_stream for one in chain):
        return "unavailable", "the model's server gave up"
    return "garbage", "what the model's server sent is no answer"


def _is_no_http(error: BaseException) -> bool:
    return any(word in str(error).lower() for word in _NOT_HTTP)


def _of_status(error: ModelHTTPError, secret: str) -> ModelFailed:
    code = error.status_code
    body = error.body if isinstance(error.body, str) else _message_of(error.body)
    detail = f" ({code}{': ' if body else ''}{_short(body, secret)})"
    if code == 408:
        return ModelFailed("timeout", f"the model's server gave up waiting{detail}")
    if code >= 500:
        return ModelFailed("unavailable", f"the model's server has a fault{detail}")
    if code == 429:
        wait = f"; it asks to wait {error.retry_after:g} seconds" if error.retry_after else ""
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


def _short(text: str, secret: str) -> str:
    text = " ".join((text.replace(secret, "***") if secret else text).split())
    return text if len(text) <= _MAX_LENGTH else text[: _MAX_LENGTH - 3] + "..."
