"""The ground as flat lists for a search: every place of one mover's body, and the cost of each step.

A place is the position of the body's square with the smallest x and y. Places are numbered row by row, with a margin
around the grid, so the smaller number has the smaller (y, x). Under `grid_alt` a place has two states: reached by an
even and by an odd number of diagonal steps.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from turnwright.rulesets.fifth_edition.space.grid.ground import Gait, Ground
from turnwright.rulesets.fifth_edition.space.grid.space import FEET, XY

_DIAGONALS = ((-1, -1), (1, -1), (-1, 1), (1, 1))

Step = tuple[int, list[int]]
"""How much a step adds to the number of a state, and its cost in feet by the state where it ends."""


class Board(NamedTuple):
    """The states of a search, and the steps between them.

    Attributes:
        stride: the difference to the number of the place below.
        size: the number of places, including the margin; a state's number modulo it is its place.
        closed: by state, 1 where the body does not fit.
        taken: by place, 1 where the body may not end.
        rough: by place, 1 where a step costs double.
        least: the lower bound of a step's cost, in feet.
        steps: by state, the steps that no obstacle bars; the caller checks whether their end is closed. Every step is
            reversible, at the cost of its other end.
    """

    stride: int
    size: int
    closed: bytes
    taken: bytes
    rough: bytes
    least: int
    steps: list[tuple[Step, ...]]

    def states(self, xy: XY) -> range:
        """Return the states of a place on the grid, the one with even parity first."""
        x, y = xy
        return range(x + 1 + (y + 1) * self.stride, len(self.closed), self.size)

    def xy(self, state: int) -> XY:
        """Return the place of a state."""
        y, x = divmod(state % self.size, self.stride)
        return x - 1, y - 1


def lay_out(ground: Ground, side: int, gait: Gait) -> Board:
    """Return the board of a mover with a width in squares."""
    stride = ground.width + 2
    size = stride * (ground.height + 2)
    footprint = [i + j * stride for j in range(side) for i in range(side)]
    solid = _mask(ground, ground.obstacles)
    closed = _any(solid | _mask(ground, ground.barred) | _margin(ground), footprint, size)
    taken = _any(_mask(ground, ground.taken), footprint, size)
    slow = () if gait.ignore_difficult else (ground.difficult, ground.water, ground.crowded)
    rough = _any(_mask(ground, *slow), footprint, size).to_bytes(size, "little")

    barred = 0
    for bit, (dx, dy) in enumerate(_DIAGONALS):
        # A step squeezes between the two corners that neither footprint fills of the box around both.
        left, right = min(0, dx), side - 1 + max(0, dx)
        top, bottom = min(0, dy), side - 1 + max(0, dy)
        corners = ((right, top), (left, bottom)) if dx == dy else ((left, top), (right, bottom))
        barred |= _any(solid, [x + y * stride for x, y in corners], size) << bit

    once, twice = _costs(rough, FEET, gait), _costs(rough, 2 * FEET, gait)
    flips, diagonal = ((0,), once) if gait.diagonals == "grid_5e" else ((size, -size), twice + once)
    straight = once * len(flips)
    steps = [
        step for flip in flips for step in _steps(barred.to_bytes(size, "little"), stride, flip, straight, diagonal)
    ]
    return Board(
        stride,
        size,
        closed.to_bytes(size, "little") * len(flips),
        taken.to_bytes(size, "little"),
        rough,
        _price(FEET, gait),
        steps,
    )


def _price(feet: int, gait: Gait) -> int:
    return (feet + gait.surcharge) * gait.factor


def _costs(rough: bytes, feet: int, gait: Gait) -> list[int]:
    single, double = _price(feet, gait), _price(2 * feet, gait)
    return [double if slow else single for slow in rough]


def _steps(
    barred: bytes, stride: int, flip: int, straight: list[int], diagonal: list[int]
) -> Iterable[tuple[Step, ...]]:
    straights = tuple((offset, straight) for offset in (-stride, -1, 1, stride))
    diagonals = [(dx + dy * stride + flip, diagonal) for dx, dy in _DIAGONALS]
    table = [
        straights + tuple(step for bit, step in enumerate(diagonals) if not code >> bit & 1)
        for code in range(1 << len(diagonals))
    ]
    return (table[code] for code in barred)


# A mask is one number with a byte a place, so that one operation works on all places at once.


def _mask(ground: Ground, *sets: frozenset[XY]) -> int:
    width, height = ground.grid
    marks = bytearray((width + 2) * (height + 2))
    for squares in sets:
        for x, y in squares:
            if 0 <= x < width and 0 <= y < height:
                marks[x + 1 + (y + 1) * (width + 2)] = 1
    return int.from_bytes(marks, "little")


def _margin(ground: Ground) -> int:
    edge, row = b"\1" * (ground.width + 2), b"\1" + bytes(ground.width) + b"\1"
    return int.from_bytes(edge + row * ground.height + edge, "little")


def _any(mask: int, offsets: Iterable[int], size: int) -> int:
    """Return the places from which at least one of the offsets leads to a marked place."""
    found = 0
    for offset in offsets:
        found |= mask >> 8 * offset if offset >= 0 else mask << -8 * offset
    return found & ((1 << 8 * size) - 1)
