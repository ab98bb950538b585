"""shove: push somebody away, or throw them down."""

from __future__ import annotations

from turnwright.model.creature import Condition
from turnwright.rulesets.fifth_edition.battlefield import (
    body_on_grid,
    ground_for,
    occupant_of,
    position_of,
    solid_squares,
)
from turnwright.rulesets.fifth_edition.conditions import afflict
from turnwright.rulesets.fifth_edition.fights._action import ActionContext, Prepared, Report, require_target
from turnwright.rulesets.fifth_edition.fights._attack import shown_target
from turnwright.rulesets.fifth_edition.fights._contest import contest, require_wrestling
from turnwright.rulesets.fifth_edition.space.grid.space import Body, Square


def shove(act: ActionContext) -> Prepared:
    """Push the target one square straight away, or knock it prone."""
    target = require_target(act)
    require_wrestling(act, target)

    def carry_out() -> Report:
        fought = contest(act, ("athletics",), target.id, ("athletics", "acrobatics"))
        if fought.success:
            _throw_down(act, target.id) if act.args.shove_direction == "prone" else _push(act, target.id)
        report = {"contest": fought.shown(), **shown_target(act.world, act.args.encounter_id, target.id)}
        return report | {"target_position": act.person(target.id).position.as_written}

    return Prepared(carry_out)


def _throw_down(act: ActionContext, target_id: str) -> None:
    if afflict(act.world, act.creature(target_id), Condition(condition="prone"), act.ctx).blocked:
        act.warnings.append(f"{target_id} cannot be knocked prone")


def _push(act: ActionContext, target_id: str) -> None:
    world, encounter = act.world, act.encounter
    body = body_on_grid(world, act.person(target_id))
    dx, dy = _away(body_on_grid(world, act.actor), body)
    there = body._replace(at=Square(body.at.x + dx, body.at.y + dy, body.at.z))
    solid = {(x, y) for x, y, _ in there.squares} & solid_squares(encounter)
    is_free = ground_for(world, encounter).grid.has(there) and not solid
    if (dx or dy) and is_free and occupant_of(world, encounter, there.squares, {target_id}) is None:
        act.change(target_id, position=position_of(there.at))
    else:
        act.warnings.append(f"{target_id} is shoved, but there is no room behind")


def _away(pusher: Body, pushed: Body) -> tuple[int, int]:
    """Return the direction from one body to another, 0 on an axis where they overlap."""
    return (
        _sign(pusher.at.x, pusher.side, pushed.at.x, pushed.side),
        _sign(pusher.at.y, pusher.side, pushed.at.y, pushed.side),
    )


def _sign(a: int, a_side: int, b: int, b_side: int) -> int:
    return int(b >= a + a_side) - int(a >= b + b_side)
