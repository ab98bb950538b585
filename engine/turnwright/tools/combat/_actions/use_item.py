"""use_object, use_magic_item: use something at hand."""

from __future__ import annotations

from turnwright.model.base import name_tag
from turnwright.rules.effective import counted_hp
from turnwright.tools.combat._act import Act, Prepared, Report
from turnwright.tools.combat._attack import shown_target
from turnwright.tools.creatures import body_of
from turnwright.tools.data._use_item import require_usable, use_item


def use_object(act: Act) -> Prepared:
    """Use an item from the actor's inventory; anything else is only told, and the referee says what it does."""
    name = act.args.item_name or ""
    inventory = body_of(act.world, act.actor).inventory
    item = next((each for each in inventory if name_tag(each.name) == name_tag(name)), None)
    if item is None:
        return Prepared(lambda: {"item": name, "used": None, "outcome": f"{act.actor_id} uses {name}"})
    target_id = act.target_id or act.actor_id
    require_usable(item, act.creature(target_id))

    def carry_out() -> Report:
        target = act.creature(target_id)
        used = use_item(act.world, act.creature(act.actor_id), item, target, act.ctx)
        told = {"item": item.name, "used": used, "outcome": item.effect or f"{act.actor_id} uses {item.name}"}
        if used.get("healing") is None:
            return told
        return told | shown_target(act.world, act.args.encounter_id, target_id, counted_hp(target.character)[0])

    return Prepared(carry_out)
