"""Cover from corners: how much of a target's square is hidden from the corner of the observer's own that sees the most.

Four straight lines run from a corner of the observer's space to the four corners of one of the target's squares. A line
is stopped where it passes through the inside of a covered square, between two that touch along it, or between two whose
corners touch across it; running along the edge of one is not enough. Everything is decided in whole numbers.

Source: SRD 5.1, "Cover": half of a target hidden is half cover, three quarters three-quarters cover, all of it total
cover; of several sources only the most protective counts. docs/toolkit.md, "Cover".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import gcd
from typing import NamedTuple

from turnwright.model.vocabulary import Cover
from turnwright.rulesets.fifth_edition.space.grid.cover import Scenery, Screen, Source, Standing
from turnwright.rulesets.fifth_edition.space.grid.space import FEET, XY, Body, Square

_NOTHING, _HALF, _THREE_QUARTERS, _TOTAL = range(4)
_RANKS: Mapping[Cover, int] = {
    "none": _NOTHING,
    "half": _HALF,
    "three_quarters": _THREE_QUARTERS,
    "total": _TOTAL,
}
_COVERS = tuple(_RANKS)
_LINES = 4

Near = Mapping[XY, Sequence[Standing]]


class _Line(NamedTuple):
    """A line between corners of squares; heights count in squares."""

    x: int
    y: int
    z: int
    to_x: int
    to_y: int
    to_z: int


def screen_from_corners(observer: Body, target: Body, around: Scenery) -> Screen:
    """Return the cover between two bodies, seen from the observer's best corner.

    Obstacles in the observer's square never count; obstacles in a square of the target's are in front of all of that
    square. Of all corners and squares, the first with the least cover counts.
    """
    near = _between(observer, target, around)
    if not near:
        return Screen("none", ())
    best, seen = len(_COVERS), (observer.at, target.at)
    for corner in _corners_of(observer):
        for square in target.squares:
            rank = _rank(corner, square, near)
            if rank < best:
                best, seen = rank, (corner, square)
        if best == _NOTHING:
            break
    return Screen(_COVERS[best], _sources(*seen, near, observer))


def _between(observer: Body, target: Body, around: Scenery) -> Near:
    """Return the obstacles that can count: in the box of both bodies, and not in the observer's own squares."""
    low_x, high_x = min(observer.at.x, target.at.x), max(observer.at.x + observer.side, target.at.x + target.side)
    low_y, high_y = min(observer.at.y, target.at.y), max(observer.at.y + observer.side, target.at.y + target.side)
    beside = {standing.source for x, y, _ in observer.squares for standing in around.get((x, y), ())}
    # Two squares that touch across a line's end are outside the box by one.
    found = {
        xy: [standing for standing in standings if standing.source not in beside]
        for xy, standings in around.items()
        if low_x - 1 <= xy[0] <= high_x and low_y - 1 <= xy[1] <= high_y
    }
    return {xy: standings for xy, standings in found.items() if standings}


def _corners_of(body: Body) -> Iterator[Square]:
    """Yield the corners of all squares of a body, row by row; a corner is named by the square below and right of it."""
    for down in range(body.side + 1):
        for right in range(body.side + 1):
            yield Square(body.at.x + right, body.at.y + down, body.at.z)


def _rank(corner: Square, square: Square, near: Near) -> int:
    """Return the rank of the cover that a square of the target has from a corner."""
    own = max((_RANKS[each.source.cover] for each in near.get((square.x, square.y), ())), default=_NOTHING)
    ranks = [max(own, _rank_of_line(line, square, near)) for line in _lines(corner, square)]
    total, three_quarters, half = (ranks.count(rank) for rank in (_TOTAL, _THREE_QUARTERS, _HALF))
    if total == _LINES:
        return _TOTAL
    # A wall hides a target in proportion to the lines it stops; lesser cover counts if half the lines pass through it.
    if three_quarters >= _LINES // 2 or total + three_quarters >= _LINES - 1:
        return _THREE_QUARTERS
    return _HALF if total + three_quarters + half >= _LINES // 2 else _NOTHING


def _lines(corner: Square, square: Square) -> Iterator[_Line]:
    for down in (0, 1):
        for right in (0, 1):
            yield _Line(*corner, square.x + right, square.y + down, square.z)


def _rank_of_line(line: _Line, goal: Square, near: Near) -> int:
    return max((_pair_rank(pair, line, near) for pair in _met(line, goal, near)), default=_NOTHING)


def _pair_rank(squares: tuple[XY, ...], line: _Line, near: Near) -> int:
    """Return the cover of a square, or of two touching ones, on a line: of two the lesser cover."""
    return min(
        max((_RANKS[each.source.cover] for each in near.get(xy, ()) if _is_as_high(each, xy, line)), default=_NOTHING)
        for xy in squares
    )


def _is_as_high(standing: Standing, xy: XY, line: _Line) -> bool:
    """Return whether a line passes no higher than the top of an obstacle, where it comes nearest to its center."""
    if standing.height is None:
        return True
    # In halves of squares, so that middles are whole numbers.
    dx, dy = 2 * (line.to_x - line.x), 2 * (line.to_y - line.y)
    length = dx * dx + dy * dy
    along = (2 * xy[0] + 1 - 2 * line.x) * dx + (2 * xy[1] + 1 - 2 * line.y) * dy
    along = max(0, min(length, along))
    return FEET * (line.z * length + along * (line.to_z - line.z)) <= standing.height * length


def _met(line: _Line, goal: Square, near: Near) -> Iterator[tuple[XY, ...]]:
    """Yield each square whose inside a line crosses, and each two touching squares that it passes between."""
    dx, dy = line.to_x - line.x, line.to_y - line.y
    if dx == 0 or dy == 0:
        for step in range(abs(dx) + abs(dy)):
            x = line.x if dx == 0 else min(line.x, line.to_x) + step
            y = line.y if dy == 0 else min(line.y, line.to_y) + step
            yield ((x - 1, y), (x, y)) if dx == 0 else ((x, y - 1), (x, y))
        return
    low_x, high_x = sorted((line.x, line.to_x))
    low_y, high_y = sorted((line.y, line.to_y))
    for x, y in near:
        if low_x <= x < high_x and low_y <= y < high_y and _passes(x - line.x, y - line.y, dx, dy):
            yield ((x, y),)
    points = gcd(abs(dx), abs(dy))
    for step in range(points + 1):
        x, y = line.x + dx // points * step, line.y + dy // points * step
        if step == points and (x if dx < 0 else x - 1, y if dy < 0 else y - 1) == (goal.x, goal.y):
            break  # it ends inside the target's square, and does not pass on
        yield ((x, y - 1), (x - 1, y)) if dx * dy > 0 else ((x - 1, y - 1), (x, y))


def _passes(x: int, y: int, dx: int, dy: int) -> bool:
    """Return whether a line from the origin towards (dx, dy) passes through the inside of a square."""
    sides = [dx * (y + down) - dy * (x + right) for down in (0, 1) for right in (0, 1)]
    return min(sides) < 0 < max(sides)


def _sources(corner: Square, square: Square, near: Near, observer: Body) -> tuple[Source, ...]:
    """Return everything that stops or hampers one of the four lines, the nearest to the observer first."""
    met = {
        each.source
        for line in _lines(corner, square)
        for pair in _met(line, square, near)
        if _pair_rank(pair, line, near)
        for xy in pair
        for each in near.get(xy, ())
        if _is_as_high(each, xy, line)
    }
    met |= {each.source for each in near.get((square.x, square.y), ())}
    at = observer.at
    return tuple(sorted(met, key=lambda each: ((each.x - at.x) ** 2 + (each.y - at.y) ** 2, each)))
