"""use_object, use_magic_item: use something at hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnwright.model.character import Character
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.fifth_edition.belongings._use_item import require_usable, use_item
from turnwright.rulesets.fifth_edition.belongings.inventory import called, probably_called
from turnwright.rulesets.fifth_edition.fights._action import ActionContext, Prepared
from turnwright.rulesets.fifth_edition.fights._attack import shown_target
from turnwright.rulesets.fifth_edition.sheets.derived_stats import counted_hp
from turnwright.rulesets.fifth_edition.targets import body_of

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.shapes import ActionReport


def use_object(act: ActionContext) -> Prepared:
    """Use an item from the actor's inventory; anything else is only recorded, and the referee decides its effect."""
    name = act.args.item_name or ""
    user = body_of(act.world, act.actor)
    item = called(user, name)
    if item is None:
        _require_no_slip(act, user, name)
        return Prepared(lambda: _only_told(act, name))
    target_id = act.target_id or act.actor_id
    require_usable(item, act.creature(target_id))

    def carry_out() -> ActionReport:
        target = act.creature(target_id)
        used = use_item(act.world, act.creature(act.actor_id), item, target, act.ctx)
        told: ActionReport = {
            "item": item.name,
            "used": used,
            "outcome": item.effect or f"{act.actor_id} uses {item.name}",
        }
        if used.get("healing") is None:
            return told
        return told | shown_target(act.world, act.args.encounter_id, target_id, counted_hp(target.character)[0])

    return Prepared(carry_out)


def _require_no_slip(act: ActionContext, user: Character, name: str) -> None:
    """Refuse a near miss of the name of a carried item: the action would be spent without using anything."""
    meant = probably_called(user, name)
    if meant:
        detail = f"{act.actor_id} carries no {name}, but {meant[0]}; name that, or by another name what else is meant"
        raise CallFailed(Reason.NOT_FOUND, detail, hint.ask("args.item_name", name, meant))


def _only_told(act: ActionContext, name: str) -> ActionReport:
    act.warnings.append(f"{act.actor_id} carries nothing called {name}: nothing was used up")
    return {"item": name, "used": None, "outcome": f"{act.actor_id} uses {name}"}
