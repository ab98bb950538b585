"""help: give another creature advantage."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from turnwright.model.encounter import Help
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.fifth_edition.battlefield import are_hostile, feet_between, living
from turnwright.rulesets.fifth_edition.fights._action import (
    ActionContext,
    Prepared,
    instead_of_target,
    require_target,
    why_not_oneself,
)
from turnwright.rulesets.fifth_edition.space.grid.distance import CLOSE

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.shapes import ActionReport


def help_action(act: ActionContext) -> Prepared:
    """Lend an ally advantage: on an attack, where an enemy is close to the helper, else on a check."""
    target = require_target(act)
    actor, encounter = act.actor, act.encounter
    why = why_not_oneself(actor, target)
    if are_hostile(actor, target):
        why = f"{target.id} is no ally of {actor.id}"
    if why is not None:
        friends = [other.id for other in living(act.world, encounter, {actor.id}) if not are_hostile(actor, other)]
        raise CallFailed(Reason.RULE_VIOLATION, why, instead_of_target(act, friends))
    kind = _kind(act)

    def carry_out() -> ActionReport:
        ally = act.person(target.id)
        act.change(target.id, helped=(*ally.helped, Help(helper_id=actor.id, kind=kind)))
        return {"helps_with": kind}

    return Prepared(carry_out)


def _kind(act: ActionContext) -> Literal["check", "attack"]:
    actor = act.actor
    foes = (other for other in living(act.world, act.encounter) if are_hostile(actor, other))
    is_close = any(feet_between(act.world, actor, foe) <= CLOSE for foe in foes)
    return "attack" if is_close and act.args.skill is None else "check"
