"""How many examples a property is tried on."""

from __future__ import annotations

from hypothesis import settings

QUICK, THOROUGH = 25, 200
"""What the two profiles try where a property says nothing itself."""


def tries(usual: int) -> int:
    """Return how many to try where `usual` are tried in a quick run: more, in proportion, in a thorough one."""
    return usual * settings().max_examples // QUICK
