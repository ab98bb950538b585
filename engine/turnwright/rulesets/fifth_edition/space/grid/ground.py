"""What the ground of an encounter is like, how a mover goes over it, and what lies right beside it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from turnwright.model.vocabulary import DiagonalRule
from turnwright.rulesets.fifth_edition.space.grid.distance import between
from turnwright.rulesets.fifth_edition.space.grid.space import XY, Body, Grid, Square

NONE: frozenset[XY] = frozenset()


class Ground(NamedTuple):
    """A grid and its squares that are not open floor; what lies off the grid is ignored.

    Attributes:
        obstacles: cannot be entered, nor slipped past diagonally.
        difficult: cost double, as water does; double is the most there is.
        barred: cannot be entered, though their corners can be passed: creatures that let nobody through.
        taken: nobody may end there.
        crowded: cost double because of a creature.
    """

    width: int
    height: int
    obstacles: frozenset[XY] = NONE
    difficult: frozenset[XY] = NONE
    water: frozenset[XY] = NONE
    barred: frozenset[XY] = NONE
    taken: frozenset[XY] = NONE
    crowded: frozenset[XY] = NONE

    @property
    def grid(self) -> Grid:
        """Return the bounds."""
        return Grid(self.width, self.height)


class Gait(NamedTuple):
    """How a mover goes.

    Attributes:
        diagonals: under `grid_alt` every second diagonal of a path costs double.
        ignore_difficult: nothing costs double for what the ground is like.
        surcharge: feet added to every step after all doubling: 5 when crawling.
        factor: what the whole cost of a step is multiplied with: 2 when dragging.
    """

    diagonals: DiagonalRule = "grid_5e"
    ignore_difficult: bool = False
    surcharge: int = 0
    factor: int = 1


Status = Literal["open", "obstacle", "occupied", "difficult", "water"]


class Neighbour(NamedTuple):
    """A place right beside a body, and the first status that any of its squares has there."""

    x: int
    y: int
    status: Status


def neighbours(ground: Ground, body: Body) -> list[Neighbour]:
    """Return the places one step away that are on the grid, sorted by y, x."""
    statuses: tuple[tuple[Status, frozenset[XY]], ...] = (
        ("obstacle", ground.obstacles),
        ("occupied", ground.taken | ground.barred | ground.crowded),
        ("difficult", ground.difficult),
        ("water", ground.water),
    )
    found = []
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            there = body._replace(at=Square(body.at.x + dx, body.at.y + dy, body.at.z))
            if (dx or dy) and ground.grid.has(there):
                squares = {(x, y) for x, y, _ in there.squares}
                status: Status = next((word for word, those in statuses if squares & those), "open")
                found.append(Neighbour(there.at.x, there.at.y, status))
    return found


def leaves_reach(path: Sequence[Square], mover: Body, enemy: Body, reach: int) -> int | None:
    """Return which square of a path is the first out of an enemy's reach after one within it, or None.

    A strike at the mover falls while it still stands on the square before that one.

    Args:
        path: where the mover stands from start to end, with heights.
        mover: gives the size.
        enemy: whose reach it is.
        reach: in feet.
    """
    within = False
    for index, square in enumerate(path):
        inside = between(mover._replace(at=square), enemy) <= reach
        if within and not inside:
            return index
        within = inside
    return None
