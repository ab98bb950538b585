"""The ground of an encounter, how a mover moves over it, and the adjacent squares."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from turnwright.model.vocabulary import DiagonalRule
from turnwright.rulesets.fifth_edition.space.grid.distance import between
from turnwright.rulesets.fifth_edition.space.grid.space import XY, Body, Grid, Square

NONE: frozenset[XY] = frozenset()


class Ground(NamedTuple):
    """A grid and its squares that are not open floor; squares off the grid are ignored.

    Attributes:
        obstacles: cannot be entered, nor passed diagonally.
        difficult: cost double, like water; the cost is never more than double.
        barred: cannot be entered, though their corners can be passed: creatures that let no one through.
        taken: movement may not end there.
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
    """The manner of a mover's movement.

    Attributes:
        diagonals: under `grid_alt` every second diagonal of a path costs double.
        ignore_difficult: difficult ground does not cost double.
        surcharge: feet added to every step after all doubling: 5 when crawling.
        factor: the multiplier of a step's whole cost: 2 when dragging.
    """

    diagonals: DiagonalRule = "grid_5e"
    ignore_difficult: bool = False
    surcharge: int = 0
    factor: int = 1


Status = Literal["open", "obstacle", "occupied", "difficult", "water"]


class Neighbour(NamedTuple):
    """A place next to a body, and the first status that any of its squares has there."""

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
    """Return the index of the first square of a path outside an enemy's reach after one within it, or None.

    The opportunity attack occurs while the mover is still on the square before that one.

    Args:
        path: the mover's squares from start to end, with heights.
        mover: the mover, for its size.
        enemy: the enemy with this reach.
        reach: in feet.
    """
    within = False
    for index, square in enumerate(path):
        inside = between(mover._replace(at=square), enemy) <= reach
        if within and not inside:
            return index
        within = inside
    return None
