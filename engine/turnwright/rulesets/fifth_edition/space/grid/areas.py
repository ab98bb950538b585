"""Areas of effect: which squares a sphere, cylinder, cube, cone or line covers, judged by their centers.

Each takes `most`, if it may not have more squares than that, and raises `TooManySquares` then.

Source: SRD 5.1, "Areas of Effect", laid on a grid.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from math import ceil, floor, hypot, isqrt
from typing import NamedTuple

from turnwright.rulesets.fifth_edition.space.grid.space import FEET, Square
from turnwright.rulesets.fifth_edition.space.grid.spans import Area, Span

_TOLERANCE = 1e-9


class TooManySquares(Exception):
    """An area has more squares than allowed."""


def sphere(origin: Square, radius: float, include_origin: bool | None = None, *, most: int | None = None) -> Area:
    """Return the squares whose centers are at most `radius` feet from the origin's."""
    limit = _squared(radius)
    reach = isqrt(limit)
    discs = (_disc(dz, limit - dz * dz) for dz in range(-reach, reach + 1))
    return _placed(origin, (span for disc in discs for span in disc), include_origin is not False, most)


def cylinder(
    origin: Square, radius: float, height: float, include_origin: bool | None = None, *, most: int | None = None
) -> Area:
    """Return the squares of a disc of `radius` feet, and as many layers on top of it as `height` feet need."""
    limit = _squared(radius)
    discs = (_disc(dz, limit) for dz in range(_squares(height)))
    return _placed(origin, (span for disc in discs for span in disc), include_origin is not False, most)


def cube(
    origin: Square,
    side_length: float,
    direction: tuple[float, float] | None = None,
    include_origin: bool | None = None,
    *,
    most: int | None = None,
) -> Area:
    """Return the squares of a cube around the origin, or one that begins next to it, towards a direction."""
    side = _squares(side_length)
    if direction is None:
        around = range(-(side // 2), side - side // 2)
        return _placed(origin, _box(around, around, around), include_origin is not False, most)
    x, y = direction
    _unit(direction)
    along_x = abs(x) >= abs(y)
    away = range(1, side + 1) if (x if along_x else y) > 0 else range(-side, 0)
    across = range(-((side - 1) // 2), side // 2 + 1)
    box = _box(*((away, across) if along_x else (across, away)), range(side))
    return _placed(origin, box, bool(include_origin), most)


def cone(
    origin: Square,
    length: float,
    direction: tuple[float, float] = (1, 0),
    include_origin: bool | None = None,
    *,
    most: int | None = None,
) -> Area:
    """Return the squares of a cone that is as wide as it is long at every distance; it is flat."""
    ux, uy = _unit(direction)
    far = length / FEET
    sides = (
        _HalfPlane(-ux, -uy, -_TOLERANCE),
        _HalfPlane(ux, uy, far + _TOLERANCE),
        _HalfPlane(-uy - ux / 2, ux - uy / 2, _TOLERANCE),
        _HalfPlane(uy - ux / 2, -ux - uy / 2, _TOLERANCE),
    )
    return _placed(origin, _convex(sides, hypot(far, far / 2)), bool(include_origin), most)


def line(
    origin: Square,
    length: float,
    width: float = FEET,
    direction: tuple[float, float] = (1, 0),
    include_origin: bool | None = None,
    *,
    most: int | None = None,
) -> Area:
    """Return the squares of a straight band that begins next to the origin; it is flat."""
    ux, uy = _unit(direction)
    far, half = length / FEET, width / FEET / 2
    sides = (
        _HalfPlane(-ux, -uy, -_TOLERANCE),
        _HalfPlane(ux, uy, far + _TOLERANCE),
        _HalfPlane(-uy, ux, half + _TOLERANCE),
        _HalfPlane(uy, -ux, half - _TOLERANCE),
    )
    return _placed(origin, _convex(sides, hypot(far, half)), bool(include_origin), most)


class _HalfPlane(NamedTuple):
    """The offsets with `a * dx + b * dy <= bound`."""

    a: float
    b: float
    bound: float


def _placed(origin: Square, offsets: Iterable[Span], include_origin: bool, most: int | None) -> Area:
    """Return the area at its place; its origin is covered on request, whatever the shape.

    Raises:
        TooManySquares: as soon as there are more than `most`, however many more there would be.
    """
    x, y, z = origin
    offsets = offsets if most is None else _counted(offsets, most)
    spans = [Span(z + dz, y + dy, x + left, x + right) for dz, dy, left, right in offsets if left <= right]
    kept = [part for span in spans for part in _without(span, origin)]
    if include_origin:
        kept.append(Span(z, y, x, x))
    return Area(origin, tuple(sorted(kept)))


def _counted(offsets: Iterable[Span], most: int) -> Iterator[Span]:
    for span in offsets:
        most -= max(0, span.right - span.left + 1)
        if most < 0:
            raise TooManySquares
        yield span


def _without(span: Span, square: Square) -> tuple[Span, ...]:
    z, y, left, right = span
    x = square.x
    if (z, y) != (square.z, square.y) or not left <= x <= right:
        return (span,)
    return tuple(part for part in (Span(z, y, left, x - 1), Span(z, y, x + 1, right)) if part.left <= part.right)


def _disc(dz: int, limit: int) -> Iterator[Span]:
    """Yield the rows of squares whose squared distance from the center, seen from above, is within a limit."""
    reach = isqrt(limit)
    for dy in range(-reach, reach + 1):
        half = isqrt(limit - dy * dy)
        yield Span(dz, dy, -half, half)


def _box(dx: range, dy: range, dz: range) -> Iterator[Span]:
    return (Span(z, y, dx[0], dx[-1]) for z in dz for y in dy)


def _convex(sides: Iterable[_HalfPlane], radius: float) -> Iterator[Span]:
    """Yield the rows of a convex figure around the origin within a radius, in squares."""
    reach = ceil(radius)
    for dy in range(-reach, reach + 1):
        left, right = -reach, reach
        for a, b, bound in sides:
            rest = bound - b * dy
            if abs(a) < _TOLERANCE**2:
                if rest < 0:
                    right = left - 1
            elif a > 0:
                right = min(right, floor(rest / a))
            else:
                left = max(left, ceil(rest / a))
        yield Span(0, dy, left, right)


def _unit(direction: tuple[float, float]) -> tuple[float, float]:
    """Return the direction with length 1; no finite one is too long or too short for it.

    Raises:
        ValueError: when it points nowhere.
    """
    x, y = direction
    scale = max(abs(x), abs(y))
    if not scale:
        raise ValueError("a direction must point somewhere")
    x, y = x / scale, y / scale
    return x / hypot(x, y), y / hypot(x, y)


def _squared(feet: float) -> int:
    """Return the greatest squared distance in squares within a distance in feet; exact."""
    return floor((Fraction(feet) / FEET) ** 2)


def _squares(feet: float) -> int:
    """Return the number of squares that a length in feet takes."""
    return ceil(Fraction(feet) / FEET)
