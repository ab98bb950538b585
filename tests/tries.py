"""How much is tried: less in a quick run, all of it in a thorough one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from hypothesis import settings

T = TypeVar("T")

USUAL = 25
"""How many are tried where a property says nothing itself."""
QUICK, THOROUGH = 15, 200
"""What becomes of the usual number in the two profiles: `make test` asks for little time, `make test-all` has it."""


def tries(usual: int) -> int:
    """Return how many to try of what is `usual` for a property: fewer in a quick run, more in a thorough one."""
    return usual * settings().max_examples // USUAL


def some(cases: Sequence[T], most: int) -> Sequence[T]:
    """Return at most so many cases in a quick run, always the same and spread over all of them; else all."""
    if settings().max_examples >= THOROUGH:
        return cases
    return cases[:: max(1, -(-len(cases) // most))]
