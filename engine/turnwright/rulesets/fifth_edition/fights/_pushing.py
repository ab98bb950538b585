"""Moves that somebody does not choose: pushed away, or pulled near, as far as there is room."""

from __future__ import annotations

from turnwright.rulesets.fifth_edition.battlefield import (
    body_on_grid,
    ground_for,
    occupant_of,
    position_of,
    solid_squares,
)
from turnwright.rulesets.fifth_edition.fights._action import ActionContext
from turnwright.rulesets.fifth_edition.space.grid.space import Body, Square


def push(act: ActionContext, target_id: str, squares: int = 1, *, toward: bool = False) -> int:
    """Push a target straight away from the actor, or pull it near, and return how many squares that was."""
    for done in range(squares):
        if not _step(act, target_id, toward=toward):
            return done
    return squares


def _step(act: ActionContext, target_id: str, *, toward: bool) -> bool:
    world, encounter = act.world, act.encounter
    body = body_on_grid(world, act.person(target_id))
    dx, dy = _away(body_on_grid(world, act.actor), body)
    if toward:
        dx, dy = -dx, -dy
    there = body._replace(at=Square(body.at.x + dx, body.at.y + dy, body.at.z))
    solid = {(x, y) for x, y, _ in there.squares} & solid_squares(encounter)
    is_free = ground_for(world, encounter).grid.has(there) and not solid
    if (dx or dy) and is_free and occupant_of(world, encounter, there.squares, {target_id}) is None:
        act.change(target_id, position=position_of(there.at))
        return True
    return False


def _away(pusher: Body, pushed: Body) -> tuple[int, int]:
    """Return the direction from one body to another, 0 on an axis where they overlap."""
    return (
        _sign(pusher.at.x, pusher.side, pushed.at.x, pushed.side),
        _sign(pusher.at.y, pusher.side, pushed.at.y, pushed.side),
    )


def _sign(a: int, a_side: int, b: int, b_side: int) -> int:
    return int(b >= a + a_side) - int(a >= b + b_side)
