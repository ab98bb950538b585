"""The machine's clock and chance: the defaults for doors that are given none. Nothing else reads either."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime


def system_clock() -> datetime:
    """Return the time now, in UTC."""
    return datetime.now(UTC)


def new_secret() -> bytes:
    """Return 32 bytes that nobody can guess."""
    return secrets.token_bytes(32)
