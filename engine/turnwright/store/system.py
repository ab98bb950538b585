"""The machine's clock and chance: the defaults for doors that are given none. Nothing else reads either.

And how a moment is written, whichever clock it comes from.
"""

from __future__ import annotations

import secrets
from datetime import UTC, datetime


def system_clock() -> datetime:
    """Return the time now, in UTC."""
    return datetime.now(UTC)


def timestamp(moment: datetime) -> str:
    """Return an aware datetime as the protocol writes it: UTC, whole seconds, `+00:00`."""
    if moment.tzinfo is None:
        raise ValueError("the clock must give an aware datetime")
    return (moment if moment.tzinfo is UTC else moment.astimezone(UTC)).isoformat(timespec="seconds")


def new_secret() -> bytes:
    """Return 32 bytes that nobody can guess."""
    return secrets.token_bytes(32)
