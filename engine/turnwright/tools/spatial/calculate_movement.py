"""calculate_movement: the cheapest way, all that can be reached, or what lies right beside."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from turnwright.model import hint
from turnwright.model.encounter import Encounter, Participant
from turnwright.model.reason import CallFailed, Reason
from turnwright.rules.grid.ground import Gait, Ground, leaves_reach, neighbours
from turnwright.rules.grid.paths import Path, find_path, reach
from turnwright.rules.grid.space import FEET, XY, Body, Square, parse_key
from turnwright.tools._base import Applied, Context
from turnwright.tools.battlefield import (
    are_hostile,
    body_on_grid,
    can_see,
    ground_for,
    living,
    occupant_of,
    position_of,
    square_of,
    values_of,
)
from turnwright.tools.combat._economy import has_reaction, movement_left
from turnwright.tools.combat._weapons import melee_of
from turnwright.tools.spatial._movement_args import CalculateMovementArgs, CalculateMovementResult
from turnwright.tools.spatial._where import fight_meant, require_on_grid, require_somebody
from turnwright.tools.toolkit import toolkit
from turnwright.world.overlay import World

DEFAULT_MOVEMENT = 30
_CLIMB, _FLY = 10, 5


class _Mover(NamedTuple):
    """Who or what moves, and over which ground.

    Attributes:
        body: at the start.
        person: somebody of the fight, standing at the start; None for nobody in particular.
        budget: feet that can be spent.
    """

    encounter: Encounter | None
    body: Body
    person: Participant | None
    budget: int


@toolkit(
    CalculateMovementArgs,
    CalculateMovementResult,
    example={
        "mode": "path",
        "from_position": {"x": 0, "y": 0},
        "to_position": {"x": 4, "y": 2},
        "obstacles": ["2,0", "2,1"],
    },
    reads=True,
)
def calculate_movement(world: World, args: CalculateMovementArgs, ctx: Context) -> Applied:
    """Find the cheapest way to a square, every square within reach, or what lies right beside.

    Use it before somebody moves, to know what it costs and who could strike at them; changes nothing, moving is
    execute_action's. In a fight name the combatant: then its size, what it has left of its movement, and the others in
    the way count. That no way leads somewhere is an answer, not a failure.
    """
    del ctx
    mover = _mover(world, args)
    return Applied(_MODES[args.mode](world, args, mover))


def _mover(world: World, args: CalculateMovementArgs) -> _Mover:
    encounter = fight_meant(world, args.encounter_id)
    start, person = args.from_position, None
    if args.combatant_id is not None:
        person = require_somebody(world, encounter, args.combatant_id, "combatant_id")
    elif start is None:
        repair = hint.add("args.from_position", [{"x": 0, "y": 0}])
        raise CallFailed(Reason.INVALID_ARGS, "args.from_position: is required, or combatant_id", repair)
    grid = _terrain(world, encounter, args).grid
    size = body_on_grid(world, person).size if person else "medium"
    if start is not None:
        require_on_grid(grid, start, "from_position", size)
        person = person.having(position=position_of(start.square)) if person else None
    if args.to_position is not None:
        require_on_grid(grid, args.to_position, "to_position")
    at = start.square if start else square_of(person.position) if person else Square(0, 0)
    left = movement_left(world, person) if person else DEFAULT_MOVEMENT
    budget = left if args.movement_remaining is None else args.movement_remaining
    return _Mover(encounter, Body(at, size), person, budget)


# the modes


def _path(world: World, args: CalculateMovementArgs, mover: _Mover) -> dict[str, Any]:
    goal = args.to_position.square if args.to_position else mover.body.at
    ground = _ground(world, args, mover, goal)
    found = find_path(ground, mover.body, (goal.x, goal.y), _gait(world, args, mover))
    if found is None:
        shown: dict[str, Any] = {"path": [], "cost_feet": None, "steps": None, "difficult_squares": None}
        shown |= {"reachable": False, "within_movement": False}
    else:
        cost = found.cost_feet + abs(goal.z - mover.body.at.z) * _height_cost(world, mover)
        shown = {
            "path": [[x, y] for x, y, _ in found.squares],
            "cost_feet": cost,
            "steps": found.steps,
            "difficult_squares": found.difficult_squares,
            "reachable": True,
            "within_movement": cost <= mover.budget,
        }
    if mover.person is not None and not args.ignore_opportunity_attacks:
        shown["opportunity_attacks_from"] = _strikers(world, mover, found, goal)
    return shown


def _reach(world: World, args: CalculateMovementArgs, mover: _Mover) -> dict[str, Any]:
    ground = _ground(world, args, mover)
    found = reach(ground, mover.body, mover.budget, _gait(world, args, mover))
    return {"squares": [list(square) for square in found], "count": len(found)}


def _adjacent(world: World, args: CalculateMovementArgs, mover: _Mover) -> dict[str, Any]:
    encounter, body = mover.encounter, mover.body
    but = {mover.person.id} if mover.person else set[str]()
    ground = _terrain(world, encounter, args)
    if encounter is not None:
        ground = ground._replace(taken=_occupied(world, encounter, body.at.z, but))
    squares = []
    for x, y, status in neighbours(ground, body):
        there = body._replace(at=Square(x, y, body.at.z))
        occupant = occupant_of(world, encounter, there.squares, but) if encounter else None
        squares.append({"x": x, "y": y, "status": status, "occupant": occupant.id if occupant else None})
    return {"squares": squares, "count": len(squares)}


_MODES: Mapping[str, Callable[[World, CalculateMovementArgs, _Mover], dict[str, Any]]] = {
    "path": _path,
    "reach": _reach,
    "adjacent": _adjacent,
}


# the ground, and how the mover goes over it


def _ground(world: World, args: CalculateMovementArgs, mover: _Mover, goal: Square | None = None) -> Ground:
    """Return the ground as the mover finds it, the squares of its goal free under `creatures_block`."""
    ground = _terrain(world, mover.encounter, args, mover.person, goal)
    if not args.creatures_block or goal is None:
        return ground
    end = frozenset((x, y) for x, y, _ in mover.body._replace(at=goal).squares)
    crowded = ground.crowded if mover.person else ground.crowded - end
    return ground._replace(barred=ground.barred - end, taken=ground.taken - end, crowded=crowded)


def _terrain(
    world: World,
    encounter: Encounter | None,
    args: CalculateMovementArgs,
    person: Participant | None = None,
    goal: Square | None = None,
) -> Ground:
    """Return the ground of the fight, or an empty grid, with what the call adds to it."""
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


def _occupied(world: World, encounter: Encounter, z: int, but: set[str]) -> frozenset[XY]:
    bodies = (body_on_grid(world, person) for person in living(world, encounter, but))
    return frozenset((x, y) for body in bodies if body.at.z == z for x, y, _ in body.squares)


def _gait(world: World, args: CalculateMovementArgs, mover: _Mover) -> Gait:
    crawls = mover.person is not None and values_of(world, mover.person).impairment.can_only_crawl
    return Gait(args.diagonal_rule, args.ignore_difficult_terrain, FEET if crawls else 0)


def _height_cost(world: World, mover: _Mover) -> int:
    """Return the feet that each square up or down costs."""
    sheet = values_of(world, mover.person).sheet if mover.person else None
    return _FLY if sheet and (sheet.fly_speed or sheet.climb_speed) else _CLIMB


def _strikers(world: World, mover: _Mover, found: Path | None, goal: Square) -> list[str]:
    """Return the enemies who may make an attack of opportunity on this way, in the order of their strikes."""
    person, encounter = mover.person, mover.encounter
    if found is None or person is None or encounter is None or person.economy.disengaged:
        return []
    squares = (*found.squares, goal) if goal.z != mover.body.at.z else found.squares
    strikers: list[tuple[int, str]] = []
    for enemy in encounter.participants:
        if not are_hostile(person, enemy) or not has_reaction(world, enemy):
            continue
        left = leaves_reach(squares, mover.body, body_on_grid(world, enemy), melee_of(world, enemy).reach)
        if left is not None:
            there = person.having(position=position_of(squares[left - 1]))
            if can_see(world, encounter, enemy, there):
                strikers.append((left, enemy.id))
    strikers.sort(key=lambda striker: striker[0])  # stable: at one step, in the order of turns
    return [enemy_id for _, enemy_id in strikers]
