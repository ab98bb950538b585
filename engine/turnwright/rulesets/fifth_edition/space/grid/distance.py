"""How far two bodies are apart, in the three ways of counting.

Source: SRD 5.1, "Playing on a Grid", and the variant in which every second diagonal counts double.
"""

from __future__ import annotations

from math import isqrt
from typing import NamedTuple

from turnwright.model.vocabulary import DistanceMode
from turnwright.rulesets.fifth_edition.space.grid.space import FEET, Body

CLOSE = 5
"""Feet: creatures within this distance are adjacent, which matters for help, hits and shots."""


class Delta(NamedTuple):
    """The number of squares between two bodies on each axis, never negative."""

    dx: int
    dy: int
    dz: int

    @property
    def squared(self) -> int:
        """Return the square of the straight distance, in squares."""
        return self.dx**2 + self.dy**2 + self.dz**2

    def is_within(self, feet: float) -> bool:
        """Return whether the straight distance, not rounded, is within a number of feet."""
        return feet >= 0 and FEET**2 * self.squared <= feet * feet


class Distance(NamedTuple):
    """A distance in one mode."""

    feet: int
    squares: int
    mode: DistanceMode
    delta: Delta


def gap(a: Body, b: Body, include_elevation: bool = True) -> Delta:
    """Return the offsets between the nearest squares of two bodies.

    One pair of squares is the nearest in every mode, since no mode shrinks when an axis grows.
    """
    return Delta(
        _apart(a.at.x, a.side, b.at.x, b.side),
        _apart(a.at.y, a.side, b.at.y, b.side),
        abs(a.at.z - b.at.z) if include_elevation else 0,
    )


def measure(a: Body, b: Body, mode: DistanceMode = "euclidean", include_elevation: bool = True) -> Distance:
    """Return the distance between the nearest squares of two bodies."""
    delta = gap(a, b, include_elevation)
    if mode == "euclidean":
        return Distance(_rounded_root(FEET**2 * delta.squared), _rounded_root(delta.squared), mode, delta)
    dx, dy, dz = delta
    squares = max(delta)
    if mode == "grid_5e":
        return Distance(FEET * squares, squares, mode, delta)
    return Distance(FEET * (max(dx, dy) + min(dx, dy) // 2 + dz), squares, mode, delta)


def between(a: Body, b: Body) -> int:
    """Return the feet between two bodies as reach, range and auras count them."""
    return FEET * max(gap(a, b))


def _apart(a: int, a_side: int, b: int, b_side: int) -> int:
    return max(0, b - (a + a_side - 1), a - (b + b_side - 1))


def _rounded_root(number: int) -> int:
    """Return the square root, rounded half up; exact for any size."""
    return (isqrt(4 * number) + 1) // 2
