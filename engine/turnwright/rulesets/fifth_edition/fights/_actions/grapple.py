"""grapple: grab a target, or break free of a grappler."""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnwright.model.creature import Condition
from turnwright.model.encounter import Participant
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.fifth_edition.condition_list import found
from turnwright.rulesets.fifth_edition.condition_sources import holder_of, let_go
from turnwright.rulesets.fifth_edition.conditions import afflict
from turnwright.rulesets.fifth_edition.fights._action import ActionContext, Prepared, instead_of_target, require_target
from turnwright.rulesets.fifth_edition.fights._attack import shown_target
from turnwright.rulesets.fifth_edition.fights._contest import check, contest, require_wrestling
from turnwright.rulesets.fifth_edition.targets import body_of, put_creature

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.shapes import ActionReport


def grapple(act: ActionContext) -> Prepared:
    """Take hold of the target, or with `escape` break free of it."""
    if act.args.escape:
        return _escape(act)
    target = require_target(act)
    require_wrestling(act, target)
    if found(body_of(act.world, target), "grappled") is not None:
        act.warnings.append(f"{target.id} is grappled already")

    def carry_out() -> ActionReport:
        fought = contest(act, ("athletics",), target.id, ("athletics", "acrobatics"))
        if fought.success:
            grappled = Condition(condition="grappled", source=act.actor_id)
            done = afflict(act.world, act.creature(target.id), grappled, act.ctx)
            if done.blocked:
                act.warnings.append(f"{target.id} cannot be grappled")
        return {"contest": fought.shown(), **shown_target(act.world, act.args.encounter_id, target.id)}

    return Prepared(carry_out)


def _escape(act: ActionContext) -> Prepared:
    holder = _holder(act)

    def carry_out() -> ActionReport:
        held = found(body_of(act.world, act.actor), "grappled")
        if held is not None and held.escape_dc is not None:
            tried = check(act, act.actor_id, "athletics", "acrobatics")
            told: ActionReport = {"check": tried.shown(held.escape_dc)}
            is_free = tried.total >= held.escape_dc
        else:
            fought = contest(act, ("athletics", "acrobatics"), holder.id, ("athletics",))
            told = {"contest": fought.shown()}
            is_free = fought.success
        if is_free:
            creature = act.creature(act.actor_id)
            put_creature(act.world, creature, let_go(creature.character))
        conditions = body_of(act.world, act.actor).condition_names
        return {**told, "actor_conditions": list(conditions)}

    return Prepared(carry_out)


def _holder(act: ActionContext) -> Participant:
    """Return the grappler of the actor; it must be the target where the call names one."""
    if found(body_of(act.world, act.actor), "grappled") is None:
        raise CallFailed(Reason.RULE_VIOLATION, f"nobody holds {act.actor_id}", hint.ask("args.escape", True))
    holder = holder_of(act.world, act.encounter, act.actor)
    if holder is None:
        detail = f"what holds {act.actor_id} is nobody in the fight; the referee removes the condition"
        raise CallFailed(Reason.RULE_VIOLATION, detail)
    if act.target_id not in (None, holder.id):
        detail = f"{holder.id} holds {act.actor_id}, not {act.target_id}"
        raise CallFailed(Reason.RULE_VIOLATION, detail, instead_of_target(act, [holder.id]))
    return holder
