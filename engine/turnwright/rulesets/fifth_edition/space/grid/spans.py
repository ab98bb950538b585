"""An area on the grid: the squares that it covers, as runs."""

from __future__ import annotations

from bisect import bisect_left
from typing import NamedTuple

from turnwright.rulesets.fifth_edition.space.grid.space import XY, Grid, Square


class Span(NamedTuple):
    """A run of covered squares in one row, both ends included."""

    z: int
    y: int
    left: int
    right: int


class Area(NamedTuple):
    """The squares of an area as runs, sorted and apart from each other, so that a vast one stays cheap."""

    origin: Square
    spans: tuple[Span, ...]

    @property
    def tile_count(self) -> int:
        """Return how many squares are covered."""
        return sum(right - left + 1 for _, _, left, right in self.spans)

    def tiles(self) -> list[tuple[int, int, int]]:
        """Return the covered squares as (x, y, z), sorted by z, y, x; there may be very many."""
        return [(x, y, z) for z, y, left, right in self.spans for x in range(left, right + 1)]

    def footprint(self) -> list[XY]:
        """Return the covered squares on the height of the origin as (x, y), sorted by y, x."""
        level = self.origin.z
        return [(x, y) for z, y, left, right in self.spans if z == level for x in range(left, right + 1)]

    def covers(self, square: Square) -> bool:
        """Return whether a square is covered."""
        x, y, z = square
        at = bisect_left(self.spans, (z, y, x + 1)) - 1
        return at >= 0 and self.spans[at][:2] == (z, y) and x <= self.spans[at].right

    def within(self, grid: Grid) -> Area:
        """Return the part of the area on a grid, at any height."""
        clipped = (
            Span(z, y, max(0, left), min(grid.width - 1, right))
            for z, y, left, right in self.spans
            if 0 <= y < grid.height
        )
        return Area(self.origin, tuple(span for span in clipped if span.left <= span.right))
