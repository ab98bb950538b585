"""Obstacles on a line between two ends: the things and creatures that a call names, and those of the fight.

Source: docs/toolkit.md, "Space".
"""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import Field

from turnwright.model.base import Model
from turnwright.model.encounter import Encounter
from turnwright.model.state.overlay import World
from turnwright.model.vocabulary import ObstacleType, Size
from turnwright.rulesets.fifth_edition.battlefield import creatures_in_the_way, obstacles
from turnwright.rulesets.fifth_edition.space._where import Coordinate, End, Range
from turnwright.rulesets.fifth_edition.space.grid.cover import Obstacle, Scenery, scenery
from turnwright.rulesets.fifth_edition.space.grid.space import Body, Square


class ObstacleArgs(Model):
    """An obstacle on one square that gives cover."""

    x: Coordinate
    y: Coordinate
    z: Coordinate = 0
    type: ObstacleType = "wall"
    height: Range | None = Field(default=None, description="In feet from the ground; default: too high to look over.")


class CreatureArgs(Model):
    """A creature at a position; for large ones, the square with the smallest x and y."""

    x: Coordinate
    y: Coordinate
    z: Coordinate = 0
    size: Size = "medium"


def on_the_way(
    world: World,
    encounter: Encounter | None,
    ends: tuple[End, End],
    things: Iterable[ObstacleArgs],
    people: Iterable[CreatureArgs],
    *,
    creatures_cover: bool,
) -> Scenery:
    """Return what may cover one end from the other, without the bodies at the ends."""
    solid = [Obstacle(one.x, one.y, one.z, one.type, one.height) for one in things]
    bodies = [Body(Square(one.x, one.y, one.z), one.size) for one in people]
    if encounter is not None:
        solid += obstacles(world, encounter)
        but = [identifier for end in ends for identifier in end.but]
        bodies += creatures_in_the_way(world, encounter, ends[0].body, ends[1].body, but)
    return scenery(solid, (body for body in bodies if creatures_cover and not _stands_there(body, ends)))


def _stands_there(body: Body, ends: Iterable[End]) -> bool:
    """Return whether a body is the end of a line that is given only by its square."""
    squares = set(body.squares)
    return any(end.person is None and end.body.at in squares for end in ends)
