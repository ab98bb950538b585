"""From whatever a library raises to one of the ways in which a model fails, in words for the person at the table.

Source: docs/agents.md, "How a model fails".
"""

from __future__ import annotations

from pydantic_ai.exceptions import (
    ModelAPIError,
    ModelConnectionError,
    ModelHTTPError,
    ModelRequestTimeout,
    ModelTimeoutError,
    UserError,
)

from turnwright.llm.http_errors import (
    BROKEN,
    NO_ANSWER,
    Kind,
    chain_of,
    failure_of_status,
    in_words,
    is_late,
    kind_of_connection,
    late,
)
from turnwright.llm.port import Limits, ModelFailed


def failure_of(error: Exception, limits: Limits, secret: str = "") -> ModelFailed:
    """Convert any exception of a request to a failure of the model.

    Args:
        error: the exception.
        limits: the limits of the request.
        secret: a key that a server may have echoed; it is redacted.
    """
    chain = list(chain_of(error))
    for one in chain:
        if isinstance(one, ModelFailed):
            return one
    if is_late(chain) or any(isinstance(one, (ModelTimeoutError, ModelRequestTimeout)) for one in chain):
        return late(limits)
    for one in chain:
        if isinstance(one, ModelHTTPError):
            return failure_of_status(one.status_code, one.body, secret, one.retry_after)
    kind, told = kind_of_connection(chain) or _kind_of(chain)
    return in_words(kind, told, chain, secret)


def _kind_of(chain: list[BaseException]) -> Kind:
    if any(isinstance(one, ModelConnectionError) for one in chain):
        return BROKEN
    if any(isinstance(one, UserError) for one in chain):
        return "refused", "the model cannot be asked this"
    if any(isinstance(one, ModelAPIError) and one.in_stream for one in chain):
        return "unavailable", "the model's server gave up"
    return NO_ANSWER
