"""ready: wait for something, and act then."""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnwright.model.encounter import Readied
from turnwright.rulesets.fifth_edition.fights._action import ActionContext, Prepared
from turnwright.rulesets.fifth_edition.fights._readied import let_readied_spell_go
from turnwright.rulesets.fifth_edition.fights._spells import concentrate, required_slot, spell_booking, spend_slot

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.shapes import ActionReport


def ready(act: ActionContext) -> Prepared:
    """Store the trigger and the readied action; a spell is cast now, and held by concentration."""
    args = act.args
    readied = Readied(trigger=args.trigger or "", action=args.readied_action or "", spell_name=args.spell_name)
    if args.spell_name is None:
        return Prepared(lambda: _instead(act, readied))
    slot = required_slot(act)

    def carry_out() -> ActionReport:
        spent = spend_slot(act, slot)
        concentrate(act, args.spell_name or "", act.target_ids)
        return {"slot": spent, **_store(act, readied)}

    return Prepared(carry_out, spell_booking(act, slot))


def _instead(act: ActionContext, readied: Readied) -> ActionReport:
    lost = let_readied_spell_go(act.world, act.encounter, act.actor)
    if lost is not None:
        act.warnings.append(f"{act.actor_id} no longer concentrates on {lost}")
    return _store(act, readied)


def _store(act: ActionContext, readied: Readied) -> ActionReport:
    act.change(act.actor_id, readied=readied)
    return {"readied": readied.as_written}
