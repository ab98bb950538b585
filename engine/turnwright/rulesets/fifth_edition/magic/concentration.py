"""Concentration on a spell, and under fire. Source: SRD 5.1, "Concentration"."""

from __future__ import annotations

from turnwright.model.base import name_tag

_MIN_DC = 10


def concentration_dc(damage: int) -> int:
    """Return the DC of the Constitution save after damage taken: half of it, at least 10."""
    return max(_MIN_DC, damage // 2)


def is_same_spell(one: str, other: str | None) -> bool:
    """Return whether two texts name one spell, whatever case and blanks they are written with."""
    return other is not None and name_tag(one) == name_tag(other)
