"""How many examples a property is tried on."""

from __future__ import annotations

from hypothesis import settings

USUAL = 25
"""How many are tried where a property says nothing itself."""
QUICK, THOROUGH = 15, 200
"""What becomes of the usual number in the two profiles: `make test` asks for little time, `make test-all` has it."""


def tries(usual: int) -> int:
    """Return how many to try of what is `usual` for a property: fewer in a quick run, more in a thorough one."""
    return usual * settings().max_examples // USUAL
