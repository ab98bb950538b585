"""How much is tried: less in a quick run, all of it in a thorough one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

import pytest
from hypothesis import settings

T = TypeVar("T")

USUAL = 25
"""How many are tried where a property says nothing itself."""
QUICK, THOROUGH = 8, 200
"""What becomes of the usual number in the two profiles: `make test` asks for little time, `make test-all` has it."""


def tries(usual: int) -> int:
    """Return how many to try of what is `usual` for a property: fewer in a quick run, more in a thorough one."""
    return usual * settings().max_examples // USUAL


def count(*, quick: int, thorough: int) -> int:
    """Return how much of something there is in the run that there is: what takes long is a sample in a quick one."""
    return thorough if settings().max_examples >= THOROUGH else quick


def some(cases: Sequence[T], most: int) -> Sequence[T]:
    """Return at most so many cases in a quick run, always the same and spread over all of them; else all."""
    if settings().max_examples >= THOROUGH:
        return cases
    return cases[:: max(1, -(-len(cases) // most))]


def sampled(cases: Iterable[Any], most: int) -> list[Any]:
    """Return parameters of a test: at most so many cases, spread over all, are for any run, and the others are slow."""
    every = [case if isinstance(case, tuple) else (case,) for case in cases]
    step = max(1, -(-len(every) // most))
    return [pytest.param(*case, marks=[pytest.mark.slow] if at % step else []) for at, case in enumerate(every)]
