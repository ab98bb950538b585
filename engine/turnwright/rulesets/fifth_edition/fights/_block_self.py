"""Actions of monsters on themselves by their stat block: turn invisible, grow, strike without care, bless their blows.

Source: SRD 5.1, "Monsters"; docs/content.md, "Actions of a stat block".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from turnwright.model.creature import Blow, Condition, Disguise, Effect, Ending
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.fifth_edition.condition_list import without_ended_on
from turnwright.rulesets.fifth_edition.conditions import afflict
from turnwright.rulesets.fifth_edition.fights._action import ActionContext
from turnwright.rulesets.fifth_edition.fights.executable import (
    DISGUISES,
    ENLARGES,
    HASTES,
    INVISIBLE,
    PLANE_SHIFT,
    RECKLESS,
    ROUNDS,
    takes_a_slot,
)
from turnwright.rulesets.fifth_edition.fights.traits import figures, type_of
from turnwright.rulesets.fifth_edition.magic import slots
from turnwright.rulesets.fifth_edition.maintained_effects import begin_concentration
from turnwright.rulesets.fifth_edition.sheets.effect_list import with_effect, without_effect
from turnwright.rulesets.fifth_edition.sheets.sheet_rules import sheet_of
from turnwright.rulesets.fifth_edition.targets import put_creature

if TYPE_CHECKING:
    from collections.abc import Callable

    from turnwright.model.content_shapes import BlockPart
    from turnwright.rulesets.fifth_edition.shapes import ActionReport, SlotReport

Done: TypeAlias = "Callable[[], ActionReport]"


def on_itself(act: ActionContext, part: BlockPart) -> Done | None:
    """Return how a part that its monster uses on itself is carried out, or None for any other part.

    Raises:
        CallFailed: `rule_violation` where the moment is past, or no slot is left.
    """
    match part.get("kind"):
        case kind if kind == INVISIBLE:
            return lambda: _vanish(act, part)
        case kind if kind == DISGUISES:
            return lambda: _disguise(act, part)
        case kind if kind == ENLARGES:
            return lambda: _grow(act, part)
        case kind if kind == HASTES:
            return lambda: _hasten(act, part)
        case kind if kind == PLANE_SHIFT:
            return lambda: _shift(act, part)
        case kind if kind == RECKLESS:
            _require_fresh(act, part)
            return lambda: _rage(act, part)
    if takes_a_slot(part):
        level = _slot(act, part)
        return lambda: _bless(act, part, level)
    return None


def shed(act: ActionContext, part_id: str) -> None:
    """End effects that end when their bearer uses a part of its stat block."""
    creature = act.creature(act.actor_id)
    after = without_ended_on(creature.character, part_id)
    if after is not creature.character:
        put_creature(act.world, creature, after)


def _effect(act: ActionContext, name: str, **more: Any) -> None:
    creature = act.creature(act.actor_id)
    held = [each.effect_id for each in creature.character.effects]
    effect = Effect(
        effect_id=act.world.new_id("effect", held=held), name=name, type="boon", source=act.actor_id, **more
    )
    put_creature(act.world, creature, with_effect(creature.character, effect).character)


def _vanish(act: ActionContext, part: BlockPart) -> ActionReport:
    """Turn invisible, as if by concentration, until an event that the block names."""
    rounds = ROUNDS.get(figures(part).get("duration", ""))
    begin_concentration(act.world, act.creature(act.actor_id), part["name"], (act.actor_id,), rounds)
    condition = Condition(
        condition="invisible",
        source=act.actor_id,
        duration="concentration",
        ends_on=tuple(figures(part)["ends_on"]),
    )
    afflict(act.world, act.creature(act.actor_id), condition, act.ctx)
    return {"outcome": f"{act.actor_id} turns invisible"}


def _disguise(act: ActionContext, part: BlockPart) -> ActionReport:
    """Take on a false appearance until that is ended; an examiner may see through it."""
    said = figures(part)["check"]
    _effect(act, part["name"], disguise=Disguise(skill=said["skill"], dc=said["dc"]))
    return {"outcome": f"{act.actor_id} looks like somebody else"}


def _hasten(act: ActionContext, part: BlockPart) -> ActionReport:
    """Be quicker until the end of the next turn; a call names the attack that is a bonus action then."""
    said = figures(part)
    _effect(
        act,
        part["name"],
        ac_bonus=said["ac_bonus"],
        advantage_on=tuple(f"{each}s" for each in said["advantage"]),
        ends=Ending(whose=act.actor_id, at="end", turns=2),
    )
    return {"outcome": f"{act.actor_id} uses {part['name']}"}


def _shift(act: ActionContext, part: BlockPart) -> ActionReport:
    """Leave for the Ethereal Plane, or come back from it."""
    creature = act.creature(act.actor_id)
    gone = next((each for each in creature.character.effects if each.ethereal), None)
    if gone is not None:
        put_creature(act.world, creature, without_effect(creature.character, gone.effect_id).character)
        return {"outcome": f"{act.actor_id} is on the Material Plane"}
    _effect(act, part["name"], ethereal=True)
    return {"outcome": f"{act.actor_id} is on the Ethereal Plane"}


def _grow(act: ActionContext, part: BlockPart) -> ActionReport:
    """Grow by a size for a while; its attacks apply their own figures for that size."""
    said = figures(part)
    rolls = tuple(f"{each}s" for each in said["advantage"])
    rounds = ROUNDS[said["duration"]]
    _effect(
        act,
        part["name"],
        size_change=said["size_change"],
        advantage_on=rolls,
        duration=rounds,
        rounds_remaining=rounds,
    )
    return {"outcome": f"{act.actor_id} grows"}


def _require_fresh(act: ActionContext, part: BlockPart) -> None:
    """Refuse a start-of-turn choice to a combatant that has already acted this turn.

    Raises:
        CallFailed: `rule_violation`.
    """
    if act.encounter.current.id != act.actor_id or act.actor.economy.action:
        detail = f"{part['name']} is decided as the turn of {act.actor_id} begins"
        raise CallFailed(Reason.RULE_VIOLATION, detail, hint.ask("args.action", act.args.action))


def _rage(act: ActionContext, part: BlockPart) -> ActionReport:
    """Strike with advantage for this turn, and be struck with advantage until the next one begins."""
    own = act.actor_id
    rolls = ("melee_weapon_attack_rolls",)
    _effect(act, part["name"], advantage_on=rolls, ends=Ending(whose=own, at="end"))
    _effect(act, f"{part['name']} defense", attacks_against="advantage", ends=Ending(whose=own, at="start"))
    return {"outcome": f"{own} strikes without care"}


def _slot(act: ActionContext, part: BlockPart) -> int:
    """Return the level of the slot that a part takes: as the call says, else the lowest left.

    Raises:
        CallFailed: `rule_violation` where none is left.
    """
    pools = sheet_of(act.creature(act.actor_id).character).spell_slots
    left = sorted(int(level) for level, pool in pools.items() if pool.current)
    level = act.args.spell_slot or (left[0] if left else 0)
    if level not in left:
        detail = f"{act.actor_id} has no slot of level {level or 1} left for {part['name']}"
        raise CallFailed(Reason.RULE_VIOLATION, detail, hint.ask("args.spell_slot", act.args.spell_slot, left))
    return level


def _bless(act: ActionContext, part: BlockPart, level: int) -> ActionReport:
    """Spend a slot on damage that melee hits deal in addition until the turn ends; higher slots add dice."""
    creature = act.creature(act.actor_id)
    spent = slots.spend(sheet_of(creature.character), level)
    put_creature(act.world, creature, creature.character.replace(sheet=spent))
    (extra,) = part["damage"]
    more = figures(part)["per_slot_above_1st"]
    dice = "+".join([extra["dice"], *[more] * (level - 1)])
    blow = Blow(dice=dice, type=type_of(extra))
    _effect(act, part["name"], hit_damage=blow, ends=Ending(whose=act.actor_id, at="end"))
    return {"outcome": f"{act.actor_id} uses {part['name']}", "slot": _shown(act, level)}


def _shown(act: ActionContext, level: int) -> SlotReport:
    pool = sheet_of(act.creature(act.actor_id).character).spell_slots[str(level)]
    return {"level": level, "remaining": pool.current}
