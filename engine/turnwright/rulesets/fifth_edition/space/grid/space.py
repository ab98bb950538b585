"""Squares, the bodies that fill them, and the grid that bounds them.

Source: SRD 5.1, "Movement and Position"; x grows right, y grows down, one square is 5 feet on all three axes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from turnwright.model.vocabulary import Size

FEET = 5
"""The side of a square, in feet."""

SIDE: Mapping[Size, int] = MappingProxyType(
    {"tiny": 1, "small": 1, "medium": 1, "large": 2, "huge": 3, "gargantuan": 4}
)
"""How many squares wide and deep a creature of each size is."""
SIZES = tuple(SIDE)
"""All sizes, the smallest first."""

_KEY = re.compile("([0-9]+),([0-9]+)")

XY = tuple[int, int]
"""A square of the ground, without its height."""


class Square(NamedTuple):
    """A square of space; `z` is its height above the ground, in squares."""

    x: int
    y: int
    z: int = 0


class Body(NamedTuple):
    """A creature or a bare position (the default size), with the squares that it fills.

    Attributes:
        at: the square with the smallest x and y of those it fills.
        size: determines how many squares it fills, always at one height.
    """

    at: Square
    size: Size = "medium"

    @property
    def side(self) -> int:
        """Return its width and depth in squares."""
        return SIDE[self.size]

    @property
    def squares(self) -> tuple[Square, ...]:
        """Return the squares it fills, row by row."""
        (x, y, z), side = self.at, self.side
        return tuple(Square(x + i, y + j, z) for j in range(side) for i in range(side))


class Grid(NamedTuple):
    """The bounds of an encounter, in squares."""

    width: int
    height: int

    def has(self, body: Body) -> bool:
        """Return whether a body is inside with all its squares."""
        x, y, _ = body.at
        return 0 <= x <= self.width - body.side and 0 <= y <= self.height - body.side

    def nearest(self, body: Body) -> Square:
        """Return the position nearest to a body's own at which it is inside."""
        x, y, z = body.at
        return Square(max(0, min(x, self.width - body.side)), max(0, min(y, self.height - body.side)), z)


def parse_key(text: str) -> XY:
    """Return the square that a key such as `"3,12"` names.

    Raises:
        ValueError: when the text is not two non-negative integers with a comma between them, and nothing else.
    """
    found = _KEY.fullmatch(text)
    if found is None:
        raise ValueError(f"not a square: {text!r}")
    return int(found[1]), int(found[2])


def render_key(x: int, y: int) -> str:
    """Return the key of a square of the ground."""
    return f"{x},{y}"
