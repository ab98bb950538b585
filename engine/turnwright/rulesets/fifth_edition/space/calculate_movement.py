"""calculate_movement: the cheapest path, all reachable squares, or the adjacent ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from turnwright.model.encounter import Encounter
from turnwright.model.state.overlay import World
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.fifth_edition.battlefield import (
    are_hostile,
    body_on_grid,
    can_see,
    living,
    occupant_of,
    position_of,
    square_of,
)
from turnwright.rulesets.fifth_edition.fights._economy import has_reaction, movement_left
from turnwright.rulesets.fifth_edition.fights._weapons import melee_of
from turnwright.rulesets.fifth_edition.space._movement_args import CalculateMovementArgs, CalculateMovementResult
from turnwright.rulesets.fifth_edition.space._ways import Mover, Way, cheapest_way, gait_of, ground_of, terrain_of
from turnwright.rulesets.fifth_edition.space._where import fight_meant, require_on_grid, require_participant
from turnwright.rulesets.fifth_edition.space.grid.ground import leaves_reach, neighbours
from turnwright.rulesets.fifth_edition.space.grid.paths import reach
from turnwright.rulesets.fifth_edition.space.grid.space import XY, Body, Square
from turnwright.rulesets.tool import Applied, Context
from turnwright.rulesets.toolkit import toolkit

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.space.shapes import AdjacentReport, AdjacentSquare, PathReport, ReachReport

DEFAULT_MOVEMENT = 30


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
    """Find the cheapest path to a square, every square within reach, or the adjacent squares.

    Use it before a creature moves, to know the cost and who could strike at it; changes nothing, execute_action moves.
    In a fight name the combatant: then its size, its remaining movement and the creatures in the way count. "No path"
    is an answer, not a failure.
    """
    del ctx
    mover = _mover(world, args)
    return Applied(_MODES[args.mode](world, args, mover))


def _mover(world: World, args: CalculateMovementArgs) -> Mover:
    encounter = fight_meant(world, args.encounter_id)
    start, person = args.from_position, None
    if args.combatant_id is not None:
        person = require_participant(world, encounter, args.combatant_id, "combatant_id")
    elif start is None:
        repair = hint.ask_for("args.from_position")
        raise CallFailed(Reason.INVALID_ARGS, "args.from_position: is required, or combatant_id", repair)
    grid = terrain_of(world, encounter, args).grid
    size = body_on_grid(world, person).size if person else "medium"
    if start is not None:
        require_on_grid(grid, start, "from_position", size)
        person = person.replace(position=position_of(start.square)) if person else None
    if args.to_position is not None:
        require_on_grid(grid, args.to_position, "to_position")
    at = start.square if start else square_of(person.position) if person else Square(0, 0)
    left = movement_left(world, person) if person else DEFAULT_MOVEMENT
    budget = left if args.movement_remaining is None else args.movement_remaining
    return Mover(encounter, Body(at, size), person, budget)


# the modes


def _path(world: World, args: CalculateMovementArgs, mover: Mover) -> PathReport:
    way = cheapest_way(world, args, mover, args.to_position.square if args.to_position else mover.body.at)
    if way is None:
        shown: PathReport = {
            "path": [],
            "cost_feet": None,
            "steps": None,
            "difficult_squares": None,
            "reachable": False,
            "within_movement": False,
        }
    else:
        shown = {
            "path": [[x, y] for x, y, _ in way.path.squares],
            "cost_feet": way.cost,
            "steps": way.path.steps,
            "difficult_squares": way.path.difficult_squares,
            "reachable": True,
            "within_movement": way.cost <= mover.budget,
        }
    if mover.person is not None and not args.ignore_opportunity_attacks:
        shown["opportunity_attacks_from"] = _strikers(world, mover, way)
    return shown


def _reach(world: World, args: CalculateMovementArgs, mover: Mover) -> ReachReport:
    ground = ground_of(world, args, mover)
    found = reach(ground, mover.body, mover.budget, gait_of(world, args, mover))
    return {"squares": [list(square) for square in found], "count": len(found)}


def _adjacent(world: World, args: CalculateMovementArgs, mover: Mover) -> AdjacentReport:
    encounter, body = mover.encounter, mover.body
    but = {mover.person.id} if mover.person else set[str]()
    ground = terrain_of(world, encounter, args)
    if encounter is not None:
        ground = ground._replace(taken=_occupied(world, encounter, body.at.z, but))
    squares: list[AdjacentSquare] = []
    for x, y, status in neighbours(ground, body):
        there = body._replace(at=Square(x, y, body.at.z))
        occupant = occupant_of(world, encounter, there.squares, but) if encounter else None
        squares.append({"x": x, "y": y, "status": status, "occupant": occupant.id if occupant else None})
    return {"squares": squares, "count": len(squares)}


_MODES: Mapping[str, Callable[[World, CalculateMovementArgs, Mover], PathReport | ReachReport | AdjacentReport]] = {
    "path": _path,
    "reach": _reach,
    "adjacent": _adjacent,
}


def _occupied(world: World, encounter: Encounter, z: int, but: set[str]) -> frozenset[XY]:
    bodies = (body_on_grid(world, person) for person in living(world, encounter, but))
    return frozenset((x, y) for body in bodies if body.at.z == z for x, y, _ in body.squares)


def _strikers(world: World, mover: Mover, way: Way | None) -> list[str]:
    """Return the enemies who may make an opportunity attack on this path, in the order of their strikes."""
    person, encounter = mover.person, mover.encounter
    if way is None or person is None or encounter is None or person.economy.disengaged:
        return []
    strikers: list[tuple[int, str]] = []
    for enemy in encounter.participants:
        if not are_hostile(person, enemy) or not has_reaction(world, enemy):
            continue
        left = leaves_reach(way.squares, mover.body, body_on_grid(world, enemy), melee_of(world, enemy).reach)
        if left is not None:
            there = person.replace(position=position_of(way.squares[left - 1]))
            if can_see(world, encounter, enemy, there):
                strikers.append((left, enemy.id))
    strikers.sort(key=lambda striker: striker[0])  # stable: at one step, in the order of turns
    return [enemy_id for _, enemy_id in strikers]
