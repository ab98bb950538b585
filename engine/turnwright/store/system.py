"""The machine's clock and chance: the defaults for doors that are given none. Nothing else reads either.

And how a moment is written, whichever clock it comes from.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from datetime import UTC, datetime

from turnwright.model.errors import BadRequest

_PAUSE = 0.25


def system_clock() -> datetime:
    """Return the time now, in UTC."""
    return datetime.now(UTC)


def timestamp(moment: object) -> str:
    """Return an aware datetime as the protocol writes it: UTC, whole seconds, `+00:00`.

    Raises:
        BadRequest: when it is none, or has no such spelling.
    """
    if not isinstance(moment, datetime) or moment.tzinfo is None:  # the clock is the caller's, and may return anything
        raise BadRequest("the clock must give an aware datetime")
    try:
        return (moment if moment.tzinfo is UTC else moment.astimezone(UTC)).isoformat(timespec="seconds")
    except OverflowError:
        raise BadRequest("the clock gives a time before the year 1 or after the year 9999 in UTC") from None


def timestamps(clock: Callable[[], object]) -> Callable[[], str]:
    """Return a function that gives the time by a clock, as records hold it."""
    return lambda: timestamp(clock())


def pause() -> bool:
    """Wait until it is worth looking at a log again, and say that it is."""
    time.sleep(_PAUSE)
    return True


async def pause_async() -> bool:
    """Do what `pause` does without holding up an event loop."""
    import asyncio  # only programs with an event loop need it, and it takes long to load

    await asyncio.sleep(_PAUSE)
    return True


def new_secret() -> bytes:
    """Return 32 unpredictable bytes."""
    return secrets.token_bytes(32)
