"""Experience points, and the level that is due for them. Source: SRD 5.1, "Beyond 1st Level"."""

from __future__ import annotations

from bisect import bisect_right

from turnwright.model.sheet import Sheet

XP_FOR_LEVEL = (
    *(0, 300, 900, 2700, 6500, 14_000, 23_000, 34_000, 48_000, 64_000),
    *(85_000, 100_000, 120_000, 140_000, 165_000, 195_000, 225_000, 265_000, 305_000, 355_000),
)
"""The experience points required for level 1, 2, 3, ..."""


def level_for(experience: int) -> int:
    """Return the level for a number of experience points."""
    return bisect_right(XP_FOR_LEVEL, experience)


def level_due(sheet: Sheet) -> int | None:
    """Return the level that a character has earned but not reached; None if there is none, or without experience."""
    if sheet.experience is None:
        return None
    earned = level_for(sheet.experience)
    return earned if earned > sheet.level else None
