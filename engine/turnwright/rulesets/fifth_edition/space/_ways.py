"""The paths for `calculate_movement`: their ground, gait, and changes of height.

Source: docs/toolkit.md, "Space".
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from turnwright.model.encounter import Encounter, Participant
from turnwright.model.state.overlay import World
from turnwright.rulesets.fifth_edition.battlefield import ground_for, occupant_of, position_of, values_of
from turnwright.rulesets.fifth_edition.space._movement_args import CalculateMovementArgs
from turnwright.rulesets.fifth_edition.space.grid.ground import Gait, Ground
from turnwright.rulesets.fifth_edition.space.grid.paths import Path, find_path
from turnwright.rulesets.fifth_edition.space.grid.space import FEET, XY, Body, Square, parse_key

_CLIMB, _FLY = 10, 5


class Mover(NamedTuple):
    """The moving creature or thing, and its ground.

    Attributes:
        body: at the start.
        person: the participant of the fight, placed at the start; None for an anonymous mover.
        budget: feet that can be spent.
    """

    encounter: Encounter | None
    body: Body
    person: Participant | None
    budget: int


class Way(NamedTuple):
    """A way to a place.

    Attributes:
        path: the path over the ground, at the height of the movement.
        squares: the mover's squares from start to end, with heights.
        climb: the cost of going up or down, in feet.
    """

    path: Path
    squares: tuple[Square, ...]
    climb: int

    @property
    def cost(self) -> int:
        """All of its feet."""
        return self.path.cost_feet + self.climb


def cheapest_way(world: World, args: CalculateMovementArgs, mover: Mover, goal: Square) -> Way | None:
    """Return the cheapest way; to another height over the ground first or, in a fight, up or down first."""
    ways = filter(None, (lead(world, args, mover, goal) for lead in (_level_first, _height_first)))
    return min(ways, key=lambda way: way.cost, default=None)  # of equal ones the first


def _level_first(world: World, args: CalculateMovementArgs, mover: Mover, goal: Square) -> Way | None:
    ground = ground_of(world, args, mover, goal)
    found = find_path(ground, mover.body, (goal.x, goal.y), gait_of(world, args, mover))
    if found is None:
        return None
    climb = _climb(world, mover, goal)
    return Way(found, (*found.squares, goal) if climb else found.squares, climb)


def _height_first(world: World, args: CalculateMovementArgs, mover: Mover, goal: Square) -> Way | None:
    climb = _climb(world, mover, goal)
    if not climb or mover.person is None or mover.encounter is None:
        return None
    above = mover.body.at._replace(z=goal.z)
    risen = mover._replace(body=mover.body._replace(at=above), person=mover.person.replace(position=position_of(above)))
    if occupant_of(world, mover.encounter, risen.body.squares, {mover.person.id}):
        return None
    ground = ground_of(world, args, risen, goal)
    found = find_path(ground, risen.body, (goal.x, goal.y), gait_of(world, args, mover))
    return Way(found, (mover.body.at, *found.squares), climb) if found else None


def ground_of(world: World, args: CalculateMovementArgs, mover: Mover, goal: Square | None = None) -> Ground:
    """Return the ground as the mover finds it, the squares of its goal free under `creatures_block`."""
    ground = terrain_of(world, mover.encounter, args, mover.person, goal)
    if not args.creatures_block or goal is None:
        return ground
    end = frozenset((x, y) for x, y, _ in mover.body._replace(at=goal).squares)
    crowded = ground.crowded if mover.person else ground.crowded - end
    return ground._replace(barred=ground.barred - end, taken=ground.taken - end, crowded=crowded)


def terrain_of(
    world: World,
    encounter: Encounter | None,
    args: CalculateMovementArgs,
    person: Participant | None = None,
    goal: Square | None = None,
) -> Ground:
    """Return the ground of the fight, or an empty grid, with the terrain that the call adds."""
    ground = Ground(args.grid_width, args.grid_height)
    if encounter is not None:
        end_z = goal.z if goal else None
        ground = ground_for(world, encounter, person, creatures_block=args.creatures_block, end_z=end_z)
    return ground._replace(
        obstacles=ground.obstacles | _squares(args.obstacles),
        difficult=ground.difficult | _squares(args.difficult_terrain),
        water=ground.water | _squares(args.water),
    )


def _squares(keys: Iterable[str]) -> frozenset[XY]:
    return frozenset(map(parse_key, keys))


def gait_of(world: World, args: CalculateMovementArgs, mover: Mover) -> Gait:
    """Return how the mover moves over the ground."""
    crawls = mover.person is not None and values_of(world, mover.person).impairment.can_only_crawl
    return Gait(args.diagonal_rule, args.ignore_difficult_terrain, FEET if crawls else 0)


def _climb(world: World, mover: Mover, goal: Square) -> int:
    """Return the cost in feet of going up or down to a height."""
    sheet = values_of(world, mover.person).sheet if mover.person else None
    return abs(goal.z - mover.body.at.z) * (_FLY if sheet and (sheet.fly_speed or sheet.climb_speed) else _CLIMB)
