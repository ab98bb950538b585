"""Rounding: the game rounds down."""

from __future__ import annotations


def floor_times(value: int, factor: float) -> int:
    """Return `value * factor` rounded down, with the factor as it is written: 0.29 of 100 is 29.

    Args:
        value: what is multiplied.
        factor: finite; a whole number or a decimal fraction.
    """
    if isinstance(factor, int):
        return value * factor

    from fractions import Fraction  # few turns need it

    return value * Fraction(str(factor)) // 1
