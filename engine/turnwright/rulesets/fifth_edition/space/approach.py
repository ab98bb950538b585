"""Find the square from which a combatant can strike a target."""

from __future__ import annotations

from turnwright.model.encounter import Encounter, Participant
from turnwright.model.state.overlay import World
from turnwright.rulesets.fifth_edition.battlefield import body_on_grid, feet_between
from turnwright.rulesets.fifth_edition.fights._economy import movement_left
from turnwright.rulesets.fifth_edition.fights._weapons import weapon_of
from turnwright.rulesets.fifth_edition.space._movement_args import CalculateMovementArgs
from turnwright.rulesets.fifth_edition.space._ways import Mover, gait_of, ground_of
from turnwright.rulesets.fifth_edition.space.grid.distance import between
from turnwright.rulesets.fifth_edition.space.grid.paths import reach
from turnwright.rulesets.fifth_edition.space.grid.space import Square


def square_to_strike_from(
    world: World, encounter: Encounter, attacker: Participant, target: Participant
) -> Square | None:
    """Return the nearest free square from which the attacker's weapon reaches the target.

    None if it reaches the target already or shoots, and if no such square is within the remaining movement.
    """
    weapon = weapon_of(world, attacker)
    if weapon.at_range or feet_between(world, attacker, target) <= weapon.reach:
        return None
    args = CalculateMovementArgs(mode="reach")
    mover = Mover(encounter, body_on_grid(world, attacker), attacker, movement_left(world, attacker))
    goal = body_on_grid(world, target)
    found = reach(ground_of(world, args, mover), mover.body, mover.budget, gait_of(world, args, mover))
    height = mover.body.at.z
    near = [
        (cost, y, x)
        for x, y, cost in found
        if between(mover.body._replace(at=Square(x, y, height)), goal) <= weapon.reach
    ]
    if not near:
        return None
    _, y, x = min(near)
    return Square(x, y, height)
