"""use_special_ability: use an ability of class or race."""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnwright.model.base import name_tag
from turnwright.model.creature import Resource
from turnwright.model.fuzzy_match import misspelt
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.fifth_edition.fights._action import ActionContext, Prepared
from turnwright.rulesets.fifth_edition.targets import body_of, put_creature

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.shapes import ActionReport, ResourceReport


def use_special_ability(act: ActionContext) -> Prepared:
    """Spend one use of the resource of that name; any other ability is recorded, and the referee decides its effect."""
    name = act.args.ability_name or ""
    sheet = body_of(act.world, act.actor).sheet
    resource = sheet.resource if sheet else None
    _require_no_slip(act, name, resource)
    outcome = f"{act.actor_id} uses {name}"
    if resource is None or name_tag(resource.name) != name_tag(name):
        return Prepared(lambda: {"ability": name, "resource": None, "outcome": outcome})
    if resource.current == 0:
        raise CallFailed(Reason.RULE_VIOLATION, f"{act.actor_id} has no {resource.name} left")

    def carry_out() -> ActionReport:
        creature = act.creature(act.actor_id)
        own = creature.character.sheet
        if own is None or own.resource is None:
            raise LookupError(f"{act.actor_id} has no resource")
        left = own.resource.replace(current=own.resource.current - 1)
        put_creature(act.world, creature, creature.character.replace(sheet=own.replace(resource=left)))
        shown: ResourceReport = {"name": left.name, "current": left.current, "max": left.max}
        return {"ability": left.name, "resource": shown, "outcome": outcome}

    return Prepared(carry_out)


def _require_no_slip(act: ActionContext, name: str, resource: Resource | None) -> None:
    """Refuse a misspelled resource name: the action would be spent, but none of the resource."""
    if resource is None or name_tag(resource.name) == name_tag(name) or misspelt(name, [resource.name]) is None:
        return
    detail = f"{act.actor_id} has no {name}, but {resource.name}"
    raise CallFailed(Reason.NOT_FOUND, detail, hint.repair("args.ability_name", name, resource.name))
