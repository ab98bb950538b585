"""Lasting areas of spells: the active ones in a fight, and the squares that they cover.

Source: SRD 5.1, "Areas of Effect"; docs/content.md, "Lasting areas".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from turnwright.model.encounter import Encounter
from turnwright.model.state.overlay import World
from turnwright.model.vocabulary import Cover
from turnwright.model.zone import Zone, ZoneSpot
from turnwright.rulesets.fifth_edition.fights.running import find_body
from turnwright.rulesets.fifth_edition.magic.concentration import is_same_spell
from turnwright.rulesets.fifth_edition.space.grid import areas
from turnwright.rulesets.fifth_edition.space.grid.space import FEET, XY, Body, Square
from turnwright.rulesets.fifth_edition.space.grid.spans import Area, Span


def lying(world: World, encounter: Encounter) -> list[Zone]:
    """Return the areas that are still maintained, or that end at a set turn."""
    return [zone for zone in encounter.zones if zone.ends is not None or _is_kept(world, encounter, zone)]


def _is_kept(world: World, encounter: Encounter, zone: Zone) -> bool:
    source = encounter.meant(zone.source)
    body = find_body(world, source) if source is not None else None
    if body is None:
        return False
    held = body.concentration
    if held is not None and is_same_spell(zone.spell, held.spell_name):
        return True
    return any(is_same_spell(zone.spell, each.name) for each in body.effects)


def spot(square: Square) -> ZoneSpot:
    """Return a square in the form that an area stores."""
    return ZoneSpot(x=square.x, y=square.y, z=square.z)


def square_at(at: ZoneSpot) -> Square:
    """Return the position of an area as a square of the grid."""
    return Square(at.x, at.y, at.z)


def area_of(zone: Zone) -> Area:
    """Return the squares of an area on the ground; for one around a creature, those around its stored position."""
    return zone.once("area", _area)


def _area(zone: Zone) -> Area:
    at = square_at(zone.at)
    toward = square_at(zone.toward) if zone.toward is not None else at._replace(x=at.x + 1)
    match zone.shape:
        case "sphere" | "emanation":
            return areas.sphere(at, zone.size)
        case "cylinder":
            return areas.cylinder(at, zone.size, zone.height or FEET)
        case "cube":
            return areas.cube(at, zone.size)
        case "line":
            return areas.line(at, zone.size, zone.width, (toward.x - at.x, toward.y - at.y))
        case "ring":
            return _upright(at, _ring(at, zone.size), zone.height)
        case "wall":
            return _upright(at, {(x, y) for x, y, _ in between_squares(at, toward._replace(z=at.z))}, zone.height)


def _ring(at: Square, size: int) -> set[XY]:
    """Return the squares of a ring: those of a disc that are not in the disc one square smaller."""
    whole = {(x, y) for x, y, _ in areas.cylinder(at, size, FEET).tiles()}
    return whole - {(x, y) for x, y, _ in areas.cylinder(at, max(0, size - FEET), FEET).tiles()}


def _upright(at: Square, squares: Iterable[XY], height: int) -> Area:
    """Return the area above these squares up to a height in feet."""
    levels = range(max(1, -(-height // FEET)))
    ground = sorted(squares, key=lambda xy: (xy[1], xy[0]))
    return Area(at, tuple(Span(at.z + dz, y, x, x) for dz in levels for x, y in ground))


def between_squares(one: Square, other: Square) -> Iterator[Square]:
    """Yield the squares of the straight line between the centers of two squares, both ends included."""
    steps = max(abs(other.x - one.x), abs(other.y - one.y), abs(other.z - one.z))
    for step in range(steps + 1):
        yield Square(*(_part(a, b, step, steps) for a, b in zip(one, other, strict=True)))


def _part(start: int, end: int, step: int, steps: int) -> int:
    """Return the coordinate after a number of steps from one to another, rounded half up; in whole numbers only."""
    return start if not steps else (2 * (start * (steps - step) + end * step) + steps) // (2 * steps)


def difficult_squares(world: World, encounter: Encounter) -> frozenset[XY]:
    """Return the squares of the ground that areas make difficult."""
    return frozenset(
        xy
        for zone in lying(world, encounter)
        if zone.difficult and zone.lies_on_ground
        for xy in area_of(zone).footprint()
    )


def covering_squares(world: World, encounter: Encounter) -> list[tuple[Square, Cover, int]]:
    """Return the ground squares where areas give cover, with the cover and its height."""
    return [
        (Square(x, y, zone.at.z), zone.cover, zone.height)
        for zone in lying(world, encounter)
        if zone.cover is not None
        for x, y in area_of(zone).footprint()
    ]


def veil_between(world: World, encounter: Encounter, observer: Body, target: Body) -> str | None:
    """Return the veil between observer and target: a heavily obscured area, or magical darkness; None if none.

    It hides a target in it or behind it, also from an observer in it.
    """
    thick = [zone for zone in lying(world, encounter) if zone.obscured in ("heavily", "magical_darkness")]
    if not thick:
        return None
    way = list(between_squares(observer.at, target.at))
    veils = {zone.obscured for zone in thick if any(area_of(zone).covers(square) for square in way)}
    return "heavily" if "heavily" in veils else "magical_darkness" if veils else None
