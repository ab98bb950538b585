"""Rounding and bounds of numbers: the game rounds down, and stored values have limits."""

from __future__ import annotations

from turnwright.model.strict_json import MAX_INT


def bounded(value: int) -> int:
    """Return a number within the bounds of documents: sums of hand-edited values may exceed them."""
    return max(-MAX_INT, min(MAX_INT, value))


def floor_times(value: int, factor: float) -> int:
    """Return `value * factor` rounded down, with the factor as it is written: 0.29 of 100 is 29.

    Args:
        value: the value to multiply.
        factor: finite; a whole number or a decimal fraction.
    """
    if isinstance(factor, int):
        return value * factor

    from fractions import Fraction  # few turns need it

    return value * Fraction(str(factor)) // 1
