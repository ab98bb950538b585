"""Hit points as words: how somebody looks to those who do not know the numbers.

Source: docs/stages/6-publish.md, "A fight".
"""

from __future__ import annotations

from typing import Literal

Look = Literal["unhurt", "hurt", "bloodied", "down", "dead"]


def look_at(hp: int | None, most: int | None) -> Look | None:
    """Return how somebody looks who is awake or at 0; None for who has no maximum and is above 0."""
    if hp == 0:
        return "down"
    if hp is None or most is None:
        return None
    return "bloodied" if 2 * hp <= most else "hurt" if hp < most else "unhurt"
