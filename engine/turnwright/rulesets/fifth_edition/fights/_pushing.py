"""One square straight away from a creature, as shoves and spells push. Source: SRD 5.1, "Shoving a Creature"."""

from __future__ import annotations

from turnwright.model.encounter import Encounter, Participant, Position
from turnwright.model.state.overlay import World
from turnwright.rulesets.fifth_edition.battlefield import (
    body_on_grid,
    ground_for,
    occupant_of,
    position_of,
    solid_squares,
)
from turnwright.rulesets.fifth_edition.space.grid.space import Body, Square


def pushed_away(world: World, encounter: Encounter, pusher: Body, target: Participant) -> Position | None:
    """Return a body's position one square farther away; None without room or direction."""
    body = body_on_grid(world, target)
    dx, dy = _away(pusher, body)
    there = body._replace(at=Square(body.at.x + dx, body.at.y + dy, body.at.z))
    solid = {(x, y) for x, y, _ in there.squares} & solid_squares(encounter)
    is_free = ground_for(world, encounter).grid.has(there) and not solid
    if (dx or dy) and is_free and occupant_of(world, encounter, there.squares, {target.id}) is None:
        return position_of(there.at)
    return None


def _away(pusher: Body, pushed: Body) -> tuple[int, int]:
    """Return the direction from one body to another, 0 on an axis where they overlap."""
    return (
        _sign(pusher.at.x, pusher.side, pushed.at.x, pushed.side),
        _sign(pusher.at.y, pusher.side, pushed.at.y, pushed.side),
    )


def _sign(a: int, a_side: int, b: int, b_side: int) -> int:
    return int(b >= a + a_side) - int(a >= b + b_side)
