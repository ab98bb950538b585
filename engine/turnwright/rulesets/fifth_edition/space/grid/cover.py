"""Cover: the obstacles that a straight ray passes between two squares.

Everything is decided in whole numbers: a ray from center to center enters a square when it passes through its inside;
touching an edge or a corner is not enough.

Source: SRD 5.1, "Cover".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Literal, NamedTuple

from turnwright.model.vocabulary import Cover, ObstacleType
from turnwright.rulesets.fifth_edition.space.grid.space import FEET, XY, Body, Square

COVER_BONUS: Mapping[Cover, int | None] = MappingProxyType({"none": 0, "half": 2, "three_quarters": 5, "total": None})
"""The bonus of cover to armor class and Dexterity saves; None if the target cannot be aimed at."""

_COVER_OF: Mapping[ObstacleType, Cover] = MappingProxyType(
    {
        "wall": "total",
        "pillar": "total",
        "total_cover": "total",
        "three_quarters_cover": "three_quarters",
        "half_cover": "half",
    }
)
_RANK: Mapping[Cover, int] = MappingProxyType({cover: rank for rank, cover in enumerate(COVER_BONUS)})


class Obstacle(NamedTuple):
    """An obstacle on one square.

    Attributes:
        z: only repeated in the sources of cover: heights count from the ground.
        height: in feet; a ray that passes higher goes over it. None stops rays at any height.
    """

    x: int
    y: int
    z: int = 0
    type: ObstacleType = "wall"
    height: float | None = None


class Source(NamedTuple):
    """A source of cover, and how much it gives."""

    type: ObstacleType | Literal["creature"]
    x: int
    y: int
    z: int
    cover: Cover


class Screen(NamedTuple):
    """The cover between two bodies.

    Attributes:
        cover: the greatest of a single source; covers do not add up.
        sources: all that the ray passes, the nearest to the observer first.
    """

    cover: Cover
    sources: tuple[Source, ...]

    @property
    def is_clear(self) -> bool:
        """Return whether there is a line of sight."""
        return self.cover != "total"

    @property
    def blocked_by(self) -> Source | None:
        """Return the first source of total cover, if there is no line of sight."""
        return None if self.is_clear else next((source for source in self.sources if source.cover == "total"), None)

    @property
    def bonus(self) -> int | None:
        """Return the bonus to armor class and Dexterity saves; None if the target cannot be aimed at."""
        return COVER_BONUS[self.cover]


class Standing(NamedTuple):
    """An obstacle in a square, up to its height in feet; None: at any height."""

    source: Source
    height: float | None


Scenery = Mapping[XY, Sequence[Standing]]
"""The obstacles by square: built once, queried for any number of rays."""


_EMPTY: Scenery = MappingProxyType({})


def scenery(obstacles: Iterable[Obstacle], creatures: Iterable[Body] = (), on: Scenery = _EMPTY) -> Scenery:
    """Return the obstacles by square. Leave the creatures out if they give no cover.

    Args:
        obstacles: the obstacles.
        creatures: the creatures that give cover.
        on: earlier scenery, which is kept.
    """
    fresh: dict[XY, list[Standing]] = {}
    for x, y, z, kind, height in obstacles:
        fresh.setdefault((x, y), []).append(Standing(Source(kind, x, y, z, _COVER_OF[kind]), height))
    for body in creatures:
        if body.size == "tiny":
            continue
        standing = Standing(Source("creature", *body.at, "half"), None)
        for x, y, _ in body.squares:
            fresh.setdefault((x, y), []).append(standing)
    return {**on, **{square: [*on.get(square, ()), *standing] for square, standing in fresh.items()}}


def screen(observer: Body, target: Body, around: Scenery) -> Screen:
    """Return the cover between two bodies.

    Obstacles in the observer's square never count; those in the target's square do, so leave out the target itself. Of
    all rays between squares of bodies that fill several, the first with the least cover counts.
    """
    beside = {standing.source for x, y, _ in observer.squares for standing in around.get((x, y), ())}
    best, ray = len(_RANK), (observer.at, target.at)
    for start in observer.squares:
        for end in target.squares:
            worst = 0
            for source in _passed(start, end, around):
                if source not in beside:
                    worst = max(worst, _RANK[source.cover])
                if worst >= best:
                    break
            else:
                best, ray = worst, (start, end)
    sources = dict.fromkeys(source for source in _passed(*ray, around) if source not in beside)
    return Screen(tuple(COVER_BONUS)[best], tuple(sources))


def _passed(start: Square, end: Square, around: Scenery) -> Iterator[Source]:
    dx, dy, dz = end.x - start.x, end.y - start.y, end.z - start.z
    length = dx * dx + dy * dy
    for x, y in _entered_of(dx, dy, start, around):
        for source, height in around.get((start.x + x, start.y + y), ()):
            # The nearest point of the ray, in parts of its squared length: never off its ends where the ray enters.
            nearest = x * dx + y * dy
            if height is None or FEET * (start.z * length + nearest * dz) <= height * length:
                yield source


def _entered_of(dx: int, dy: int, start: Square, around: Scenery) -> Iterable[XY]:
    """Return the offsets, in the ray's order, of the squares that it enters, at least those with obstacles."""
    if max(abs(dx), abs(dy)) <= len(around):
        return entered(dx, dy)
    offsets = ((x - start.x, y - start.y) for x, y in around)
    return sorted(
        (xy for xy in offsets if is_entered(*xy, dx, dy)),
        key=lambda xy: (abs(xy[0]), abs(xy[1])) if abs(dx) >= abs(dy) else (abs(xy[1]), abs(xy[0])),
    )


def is_entered(x: int, y: int, dx: int, dy: int) -> bool:
    """Return whether a ray to (dx, dy) passes through the inside of the square at an offset, its own ends included."""
    in_box = min(0, dx) <= x <= max(0, dx) and min(0, dy) <= y <= max(0, dy)
    return in_box and (2 * abs(dx * y - dy * x) < abs(dx) + abs(dy) or dx == dy == 0)


def entered(dx: int, dy: int) -> Iterator[XY]:
    """Yield all offsets for which `is_entered`, in the order in which the ray enters them."""
    long, short = max(abs(dx), abs(dy)), min(abs(dx), abs(dy))
    x_sign, y_sign = (-1 if dx < 0 else 1), (-1 if dy < 0 else 1)
    width = long + short
    for i in range(long + 1):
        first = last = 0
        if long:
            first = max(0, (2 * short * i - width) // (2 * long) + 1)
            last = min(short, -((-2 * short * i - width) // (2 * long)) - 1)
        for j in range(first, last + 1):
            x, y = (i, j) if abs(dx) >= abs(dy) else (j, i)
            yield x * x_sign, y * y_sign
