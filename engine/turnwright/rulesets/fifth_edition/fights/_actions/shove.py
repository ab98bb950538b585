"""shove: push a target away, or knock it prone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnwright.model.creature import Condition
from turnwright.rulesets.fifth_edition.battlefield import body_on_grid
from turnwright.rulesets.fifth_edition.conditions import afflict
from turnwright.rulesets.fifth_edition.fights._action import ActionContext, Prepared, require_target
from turnwright.rulesets.fifth_edition.fights._attack import shown_target
from turnwright.rulesets.fifth_edition.fights._contest import contest, require_wrestling
from turnwright.rulesets.fifth_edition.fights._pushing import pushed_away

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.shapes import ActionReport


def shove(act: ActionContext) -> Prepared:
    """Push the target one square straight away, or knock it prone."""
    target = require_target(act)
    require_wrestling(act, target)

    def carry_out() -> ActionReport:
        fought = contest(act, ("athletics",), target.id, ("athletics", "acrobatics"))
        if fought.success:
            _throw_down(act, target.id) if act.args.shove_direction == "prone" else _push(act, target.id)
        report: ActionReport = {"contest": fought.shown(), **shown_target(act.world, act.args.encounter_id, target.id)}
        report["target_position"] = act.person(target.id).position.as_written
        return report

    return Prepared(carry_out)


def _throw_down(act: ActionContext, target_id: str) -> None:
    if afflict(act.world, act.creature(target_id), Condition(condition="prone"), act.ctx).blocked:
        act.warnings.append(f"{target_id} cannot be knocked prone")


def _push(act: ActionContext, target_id: str) -> None:
    pusher = body_on_grid(act.world, act.actor)
    there = pushed_away(act.world, act.encounter, pusher, act.person(target_id))
    if there is not None:
        act.change(target_id, position=there)
    else:
        act.warnings.append(f"{target_id} is shoved, but there is no room behind")
