"""Concentration under fire. Source: SRD 5.1, "Concentration"."""

from __future__ import annotations

_LEAST_DC = 10


def concentration_dc(damage: int) -> int:
    """Return the DC of the Constitution save after damage taken: half of it, at least 10."""
    return max(_LEAST_DC, damage // 2)
