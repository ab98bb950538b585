"""Costs of casting: slots, concentration, and the one spell a turn. Source: SRD 5.1, "Casting a Spell"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from turnwright.model.creature import Concentration
from turnwright.model.sheet import Sheet
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.fifth_edition.fights._action import ActionContext
from turnwright.rulesets.fifth_edition.fights._economy import why_unable
from turnwright.rulesets.fifth_edition.fights._innate import Innate, innate_of, require_left, with_innate
from turnwright.rulesets.fifth_edition.magic import slots
from turnwright.rulesets.fifth_edition.magic.concentration import is_same_spell
from turnwright.rulesets.fifth_edition.maintained_effects import end_concentration
from turnwright.rulesets.fifth_edition.sheets.sheet_rules import sheet_of
from turnwright.rulesets.fifth_edition.targets import body_of, put_creature, reload

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.shapes import EconomyChanges, SlotReport


class Slot(NamedTuple):
    """A slot to be spent; level 0 is none. `innate` is the spell's alternative cost."""

    level: int
    is_pact: bool = False
    is_free: bool = False
    innate: Innate | None = None


def required_slot(act: ActionContext, level: int = 0) -> Slot:
    """Return the slot that a spell takes, or that it takes none, as the stat block of its caster has it.

    Args:
        act: the casting; a `spell_slot` of 0 asks for a spell that the stat block casts without slots.
        level: the level of such a spell, where it is known.

    Raises:
        CallFailed: `rule_violation` when there is none left, or another spell of this turn forbids it.
    """
    args, sheet = act.args, _sheet(act)
    innate = innate_of(act.encounter, act.actor, args.spell_name) if args.spell_slot == 0 else None
    if innate is not None:
        if not args.ignore_economy:
            require_left(innate, act.actor)
            _require_one_spell(act, level)
        return Slot(level, is_free=True, innate=None if args.ignore_economy else innate)
    pact = sheet.pact_slots if args.pact_magic else None
    if args.pact_magic and pact is None and not args.ignore_economy:
        raise CallFailed(Reason.RULE_VIOLATION, f"{act.actor_id} has no pact slots", hint.ask("args.pact_magic", True))
    slot = Slot(pact.slot_level if pact else args.spell_slot, pact is not None, args.ignore_economy)
    if args.ignore_economy:
        return slot
    if pact is not None and pact.current == 0:
        raise CallFailed(
            Reason.RULE_VIOLATION, f"{act.actor_id} has no pact slot left", hint.ask("args.pact_magic", True)
        )
    if pact is not None and args.spell_slot > pact.slot_level:
        detail = f"the pact slots of {act.actor_id} are of level {pact.slot_level}"
        repair = hint.ask("args.spell_slot", args.spell_slot, [pact.slot_level])
        raise CallFailed(Reason.RULE_VIOLATION, detail, repair)
    pool = None if pact else sheet.spell_slots.get(str(slot.level))
    if pact is None and slot.level and (pool is None or pool.current == 0):
        left = [int(level) for level, each in sheet.spell_slots.items() if each.current]
        better = [level for level in left if level > slot.level] + [level for level in left if level < slot.level]
        repair = hint.ask("args.spell_slot", args.spell_slot, [*better, 0])
        raise CallFailed(Reason.RULE_VIOLATION, f"{act.actor_id} has no slot of level {slot.level} left", repair)
    _require_one_spell(act, slot.level)
    return slot


def _require_one_spell(act: ActionContext, level: int) -> None:
    """Refuse a second spell in a turn with one cast as a bonus action, unless it is a cantrip that takes an action."""
    economy = act.actor.economy
    if act.encounter.current.id != act.actor_id:
        return
    if economy.bonus_spell and level > 0:
        detail = "after a spell cast as a bonus action only a cantrip may be cast this turn"
        raise CallFailed(Reason.RULE_VIOLATION, detail, hint.ask("args.spell_slot", level, [0]))
    if act.cost == "bonus_action" and economy.action_spell > 0:
        detail = "a spell has been cast this turn, so none may be cast as a bonus action"
        raise CallFailed(Reason.RULE_VIOLATION, detail)


def spell_booking(act: ActionContext, slot: Slot | None) -> EconomyChanges:
    """Return what a spell sets in the economy of the turn."""
    if slot is None or act.encounter.current.id != act.actor_id:
        return {}
    if act.cost == "bonus_action":
        return {"bonus_spell": True}
    return {"action_spell": max(slot.level, act.actor.economy.action_spell)}


def spend_slot(act: ActionContext, slot: Slot | None) -> SlotReport | None:
    """Spend a slot, and return it as results hold it; None where none is spent."""
    if slot is not None and slot.innate is not None:
        act.change(act.actor_id, block_use=with_innate(act.actor.block_use, slot.innate))
    if slot is None or slot.is_free or not slot.level:
        return None
    creature = act.creature(act.actor_id)
    sheet = _sheet(act)
    if slot.is_pact and sheet.pact_slots is not None:
        changed, left = slots.spend_pact(sheet), sheet.pact_slots.current - 1
    else:
        changed, left = slots.spend(sheet, slot.level), sheet.spell_slots[str(slot.level)].current - 1
    put_creature(act.world, creature, creature.character.replace(sheet=changed))
    return {"level": slot.level, "remaining": left}


def concentrate(act: ActionContext, spell_name: str, targets: Sequence[str]) -> None:
    """Make the actor concentrate on a spell, if it can; its earlier concentration ends."""
    ended = end_concentration(act.world, act.creature(act.actor_id))
    if ended is not None:
        act.warnings.append(f"{act.actor_id} no longer concentrates on {ended}")
    creature = reload(act.world, act.creature(act.actor_id))
    if why_unable(act.world, act.actor.replace(surprised=False)) is not None:
        act.warnings.append(f"{act.actor_id} cannot concentrate")
        return
    held = Concentration(
        spell_name=spell_name,
        targets=tuple(targets),
        duration=act.args.duration,
        rounds_remaining=act.args.duration,
        started_round=act.encounter.round,
        encounter_id=act.encounter.id,
    )
    put_creature(act.world, creature, creature.character.replace(concentration=held))


def is_released(act: ActionContext) -> bool:
    """Return whether this is the spell that the actor readied, and still holds."""
    readied, held = act.actor.readied, body_of(act.world, act.actor).concentration
    if act.cost != "reaction" or readied is None or readied.spell_name is None or held is None:
        return False
    return is_same_spell(readied.spell_name, act.args.spell_name) and is_same_spell(readied.spell_name, held.spell_name)


def _sheet(act: ActionContext) -> Sheet:
    return sheet_of(body_of(act.world, act.actor))
