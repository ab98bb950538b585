"""Actions of a stat block: named attacks, Multiattack, breaths and gazes, all dice and bonuses its own.

Source: SRD 5.1, "Monsters", "Actions"; docs/content.md, "Actions of a stat block".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from turnwright.model.creature import Condition, Disguise, Effect
from turnwright.model.encounter import Participant
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.fifth_edition.battlefield import can_see, feet_between, is_down
from turnwright.rulesets.fifth_edition.condition_sources import charmer_of, held_by
from turnwright.rulesets.fifth_edition.fights._action import ActionContext, Prepared, instead_of_target, require_target
from turnwright.rulesets.fifth_edition.fights._attack import require_attackable, shown_target
from turnwright.rulesets.fifth_edition.fights._block_attack import require_free, strike_with, weapon_for
from turnwright.rulesets.fifth_edition.fights._block_auras import retaliate
from turnwright.rulesets.fifth_edition.fights._block_effect import (
    affect,
    heal_by,
    hurt_by,
    require_place,
    teleport,
    who_is_affected,
)
from turnwright.rulesets.fifth_edition.fights._block_self import on_itself, shed
from turnwright.rulesets.fifth_edition.fights._contest import Check, ability_check, check
from turnwright.rulesets.fifth_edition.fights._deeds import (
    Blow,
    Deed,
    action_of,
    require_ready,
    rest_of_way,
    ways,
)
from turnwright.rulesets.fifth_edition.fights._economy import is_slowed
from turnwright.rulesets.fifth_edition.fights._inflicting import move_by_force
from turnwright.rulesets.fifth_edition.fights._shapes import is_change_of_shape, required_shape, take_shape
from turnwright.rulesets.fifth_edition.fights._special_weapons import cutting
from turnwright.rulesets.fifth_edition.fights._summoning import summoning
from turnwright.rulesets.fifth_edition.fights._swallowing import require_swallowable, swallow
from turnwright.rulesets.fifth_edition.fights.attack_roll import is_hit
from turnwright.rulesets.fifth_edition.fights.executable import not_executed
from turnwright.rulesets.fifth_edition.fights.traits import MAGIC, attack_of, figures, with_use
from turnwright.rulesets.fifth_edition.maintained_effects import end_spell_on
from turnwright.rulesets.fifth_edition.rolls import save, throw_dice
from turnwright.rulesets.fifth_edition.sheets.effect_list import effect_named, with_effect, without_effect
from turnwright.rulesets.fifth_edition.targets import body_of, put_creature

if TYPE_CHECKING:
    from turnwright.model.content_shapes import BlockPart, StatBlock
    from turnwright.rulesets.fifth_edition.shapes import ActionReport, CheckReport, EconomyChanges

_OWN_FIGURES = ("attack_bonus", "damage_expression", "damage_type", "manual_attack_roll", "manual_damage_roll")
"""Arguments that a call can give for one attack, but not for several."""


def block_action(act: ActionContext) -> Prepared:
    """Carry out the part of the actor's stat block that a call names."""
    deed = act.deed
    assert deed is not None
    if act.args.action_type == "grapple" and not deed.part.get("grapple", {}).get("instead_of_damage"):
        detail = f"args.action_type: {deed.name} of {act.actor_id} does not grapple in place of its damage"
        raise CallFailed(Reason.INVALID_ARGS, detail, hint.remove("args.action_type"))
    if deed.group == "effect":
        return _discerning(act, deed) if deed.discerned is not None else _ending(act, deed)
    if not act.args.ignore_economy:
        require_ready(deed, act.actor)
    if deed.group == "multiattack":
        return _multiattack(act, deed)
    if deed.part.get("uses_actions"):
        return _used(act, deed)
    if deed.is_attack:
        return _one_attack(act, deed)
    if "save" in deed.part:
        return _affecting(act, deed)
    return _for_itself(act, deed)


def _block(act: ActionContext) -> StatBlock:
    block = act.encounter.block_of(act.actor)
    assert block is not None
    return block


def _prepared(
    act: ActionContext, deed: Deed, carry_out: Callable[[], ActionReport], booked: EconomyChanges | None = None
) -> Prepared:
    """Return an action that also counts its uses, and names the parts that the table decides."""

    def done() -> ActionReport:
        shed(act, deed.counted["id"])
        person = act.actor
        act.change(act.actor_id, block_use=with_use(person.block_use, deed.counted))
        report: ActionReport = {"action": deed.name, **carry_out()}
        missing = () if deed.is_attack else not_executed(deed.part)
        return report | ({"not_executed": list(missing)} if missing else {})

    return Prepared(done, booked)


def _rows_report(rows: Sequence[ActionReport]) -> ActionReport:
    if not rows:
        return {}
    first = rows[0].copy()
    first.pop("target_id", None)
    first.pop("action", None)
    return first | ({"targets": list(rows)} if len(rows) > 1 else {})


# attacks


def _one_attack(act: ActionContext, deed: Deed) -> Prepared:
    target = require_target(act)
    weapon = weapon_for(act, deed.part, target)
    require_attackable(act, target, weapon)
    require_free(act, deed.part, target)
    _warn_of_the_dead(act, target)

    def carry_out() -> ActionReport:
        return {**_rows_report([_strike(act, deed.part, target.id)]), "concentration_check": None}

    return _prepared(act, deed, carry_out, _booked(act, deed))


def _strike(act: ActionContext, part: BlockPart, target_id: str) -> ActionReport:
    """Make one attack, and let the target's hide answer a hit from near."""
    row = strike_with(act, part, target_id)
    if is_hit(row["attack"]["result"]) and attack_of(part)["kind"].startswith("melee"):
        act.told += retaliate(act, target_id)
    return row


def _booked(act: ActionContext, deed: Deed) -> EconomyChanges:
    """Return which attacks of a Multiattack an action still holds after one of them."""
    if act.cost != "action":
        return {}
    left = list(act.actor.economy.multiattack)
    if act.actor.economy.action:
        if deed.id in left:
            left.remove(deed.id)
        return {"multiattack": tuple(left)}
    return {"multiattack": tuple(rest_of_way(_block(act), deed.id))}


def _warn_of_the_dead(act: ActionContext, target: Participant) -> None:
    if body_of(act.world, target).is_dead:
        act.warnings.append(f"{target.id} is dead already")


def _multiattack(act: ActionContext, deed: Deed) -> Prepared:
    _require_no_figures(act)
    if not act.target_ids:
        require_target(act)
    way = _way(act)
    if is_slowed(act.world, act.actor):
        way = way[:1]
    due = [blow for blow in way if not blow.is_optional]
    within = [blow for blow in due if any(_can_strike(act, blow.part, each) for each in act.target_ids)]
    if not within:
        target = act.person(act.target_ids[0])
        part = due[0].part
        require_attackable(act, target, weapon_for(act, part, target))
        require_free(act, part, target)
    for each in act.target_ids:
        _warn_of_the_dead(act, act.person(each))

    def carry_out() -> ActionReport:
        rows, left = _struck(act, [each for blow in due for each in _times(act, blow)])
        left = [blow.part["id"] for blow in way if blow.is_optional] + left
        act.change(act.actor_id, economy=act.actor.economy.replace(multiattack=tuple(left)))
        told: ActionReport = {**_rows_report(rows), "concentration_check": None}
        names = [part["name"] for part in (action_of(_block(act), each) for each in left) if part is not None]
        return told | ({"attacks_left": names} if names else {})

    return _prepared(act, deed, carry_out)


def _times(act: ActionContext, blow: Blow) -> list[Blow]:
    """Return an attack as often as it is made; dice may say how often."""
    if blow.times is None:
        return [blow]
    return [blow] * throw_dice(act.ctx, blow.times, f"{act.actor_id}, number of attacks").total


def _require_no_figures(act: ActionContext) -> None:
    for name in _OWN_FIGURES:
        if getattr(act.args, name) is not None:
            detail = f"args.{name}: Multiattack is several attacks; name one of them in action to give its figures"
            raise CallFailed(Reason.INVALID_ARGS, detail, hint.remove(f"args.{name}"))


def _way(act: ActionContext) -> list[Blow]:
    """Return the way of the Multiattack of which the most attacks reach a target; of equal ones the first.

    Raises:
        CallFailed: `not_executable` where every way depends on what the table decides.
    """
    known = [way for way in ways(_block(act)) if any(_is_attack(blow.part) for blow in way)]
    if not known:
        detail = f"args.action: the Multiattack of {act.actor_id} is no list of attacks; name each action instead"
        raise CallFailed(Reason.NOT_EXECUTABLE, detail, hint.ask("args.action", act.args.action))
    known = [[blow for blow in way if _is_attack(blow.part) or blow.is_optional] for way in known]
    return max(
        known,
        key=lambda way: (
            sum(
                any(_can_strike(act, blow.part, each) for each in act.target_ids)
                for blow in way
                if not blow.is_optional
            )
            / max(1, sum(not blow.is_optional for blow in way))
        ),
    )


def _is_attack(part: BlockPart) -> bool:
    return isinstance(part.get("attack"), Mapping)


def _can_strike(act: ActionContext, part: BlockPart, target_id: str) -> bool:
    if not _is_attack(part):
        return False
    target = act.person(target_id)
    try:
        require_attackable(act, target, weapon_for(act, part, target))
        require_free(act, part, target)
    except CallFailed:
        return False
    return True


def _struck(act: ActionContext, due: Sequence[Blow]) -> tuple[list[ActionReport], list[str]]:
    """Make the attacks, one target after the other; return the results and the attacks that were not made.

    The first attack is at the first target, the second at the second, and the last target gets all others. Targets at 0
    hit points are skipped; an attack that can reach no target is not made.
    """
    rows: list[ActionReport] = []
    left: list[str] = []
    for number, blow in enumerate(due):
        target_id = next(_in_turn(act, blow.part, number), None)
        if target_id is None:
            left.append(blow.part["id"])
        else:
            rows.append(_strike(act, blow.part, target_id))
    return rows, left


def _in_turn(act: ActionContext, part: BlockPart, number: int) -> Iterator[str]:
    ids = act.target_ids
    first = min(number, len(ids) - 1)
    were_down = act.down_at_first
    for each in (*ids[first:], *ids[:first]):
        is_down_now = is_down(body_of(act.world, act.person(each))) or body_of(act.world, act.person(each)).is_dead
        if (not is_down_now or each in were_down) and _can_strike(act, part, each):
            yield each


# what a legendary action, or another action, makes of actions


def _used(act: ActionContext, deed: Deed) -> Prepared:
    """Make an action of the block that another one consists of; of several, the first that can be made."""
    block = _block(act)
    parts = [part for use in deed.part["uses_actions"] if (part := action_of(block, use["action"])) is not None]
    usable = [part for part in parts if _is_attack(part)]
    if not usable and len(parts) == 1 and "save" in parts[0]:
        return _affecting(act, deed._replace(part=parts[0]))
    if not usable:
        detail = f"args.action: {deed.name} of {act.actor_id} uses what the engine cannot execute; name it yourself"
        raise CallFailed(Reason.NOT_EXECUTABLE, detail, hint.ask("args.action", act.args.action))
    target = require_target(act)
    part = next((each for each in usable if _can_strike(act, each, target.id)), usable[0])
    require_attackable(act, target, weapon_for(act, part, target))
    require_free(act, part, target)
    if "teleport" in deed.part:
        require_place(act, deed.part)

    def carry_out() -> ActionReport:
        row = _strike(act, part, target.id)
        moved: ActionReport = teleport(act) if "teleport" in deed.part else {}
        return {**_rows_report([row]), **moved, "concentration_check": None}

    return _prepared(act, deed, carry_out)


# what is saved against


def _affecting(act: ActionContext, deed: Deed) -> Prepared:
    affected = who_is_affected(act, deed)

    def carry_out() -> ActionReport:
        rows = affect(act, deed, affected)
        # The call need not name the only creature in the area.
        target: ActionReport = {"target": rows[0]["target_id"]} if len(rows) == 1 else {}
        return {**_rows_report(rows), **target, "concentration_check": None}

    return _prepared(act, deed, carry_out)


# actions without a roll against a target


def _for_itself(act: ActionContext, deed: Deed) -> Prepared:
    part = deed.part
    if "via" in figures(part).get("swallow", {}):
        return _swallowing(act, deed)
    if "summons" in figures(part):
        return summoning(act, deed)
    itself = on_itself(act, part)
    if itself is not None:
        return _prepared(act, deed, itself)
    if is_change_of_shape(part):
        shape = required_shape(act, part)
        return _prepared(act, deed, lambda: take_shape(act, shape))
    if "teleport" in part:
        require_place(act, part)
        return _prepared(act, deed, lambda: teleport(act))
    if "heal" in part:
        target_id = act.target_id or act.actor_id
        apart = feet_between(act.world, act.actor, act.person(target_id))
        if apart > _TOUCH:
            detail = f"{target_id} is {apart} feet away, too far to touch"
            raise CallFailed(Reason.RULE_VIOLATION, detail, hint.ask("args.target_id", act.args.target_id))
        return _prepared(act, deed, lambda: heal_by(act, part, target_id))
    if part.get("damage"):
        return _damaging(act, deed)
    if part.get("forced_move", {}).get("who") == "grappled_by_self":
        return _pulling(act, deed)
    if "check" in figures(part):
        skill = figures(part)["check"]["skill"]
        return _prepared(act, deed, lambda: {"check": _open(check(act, act.actor_id, skill))})
    if "move" in figures(part):
        return _prepared(act, deed, lambda: {"outcome": f"{act.actor_id} uses {deed.name}"})
    if "cast" in figures(part):
        detail = f"args.action: {deed.name} of {act.actor_id} is a spell: cast it with cast_spell, by name"
        raise CallFailed(Reason.NOT_EXECUTABLE, detail, hint.ask("args.action", act.args.action))
    missing = ", ".join(not_executed(part)) or "what it does"
    detail = (
        f"args.action: the engine cannot execute {deed.name} of {act.actor_id} ({missing}); decide at the table what "
        "it does, and say so with manage_condition, update_character or use_special_ability"
    )
    raise CallFailed(Reason.NOT_EXECUTABLE, detail, hint.ask("args.action", act.args.action))


def _open(made: Check) -> CheckReport:
    """Return a check that the table decides."""
    return {**made.shown(0), "dc": None, "success": None}


def _damaging(act: ActionContext, deed: Deed) -> Prepared:
    """Hurt a target without a roll: one that the block allows, such as a creature charmed by the actor."""
    target = require_target(act)
    if deed.part.get("targets", {}).get("kind") == "charmed_by_self" and not _is_charmed(act, target):
        charmed = [other.id for other in act.encounter.participants if _is_charmed(act, other)]
        detail = f"{target.id} is not charmed by {act.actor_id}, which {deed.name} needs"
        raise CallFailed(Reason.RULE_VIOLATION, detail, instead_of_target(act, charmed))
    return _prepared(act, deed, lambda: hurt_by(act, deed.part, target.id))


def _swallowing(act: ActionContext, deed: Deed) -> Prepared:
    """Bite the creature that the actor holds, and swallow it on a hit."""
    target = require_target(act)
    via = action_of(_block(act), figures(deed.part)["swallow"]["via"])
    assert via is not None
    require_swallowable(act, deed.part, target)
    require_attackable(act, target, weapon_for(act, via, target))

    def carry_out() -> ActionReport:
        row = _strike(act, via, target.id)
        if is_hit(row["attack"]["result"]) and not body_of(act.world, act.person(target.id)).is_dead:
            row["effects"] = [*row.get("effects", ()), swallow(act, deed.part, target.id)]
            row |= shown_target(act.world, act.args.encounter_id, target.id, row["target_hp"]["before"])
        return {**_rows_report([row]), "concentration_check": None}

    return _prepared(act, deed, carry_out)


def _is_charmed(act: ActionContext, target: Participant) -> bool:
    charmer = charmer_of(act.world, act.encounter, target)
    return charmer is not None and charmer.id == act.actor_id


def _pulling(act: ActionContext, deed: Deed) -> Prepared:
    """Pull the creatures that the actor has grappled closer."""
    held = [person.id for person in held_by(act.world, act.encounter, act.actor)]
    if not held:
        detail = f"{act.actor_id} has grappled nobody, which {deed.name} needs"
        raise CallFailed(Reason.RULE_VIOLATION, detail, hint.ask("args.action", act.args.action))

    def carry_out() -> ActionReport:
        for each in held:
            move_by_force(act, deed.part, each, None)
        return {"outcome": f"{act.actor_id} uses {deed.name} on {', '.join(held)}"}

    return _prepared(act, deed, carry_out)


def _ending(act: ActionContext, deed: Deed) -> Prepared:
    """End an effect on the actor or on a creature near it by an action, and maybe a check."""
    bearer = next(each for each in (*act.target_ids, act.actor_id) if _bears(act, deed, each))
    if deed.disguise is not None:
        return _unmasking(act, deed, deed.disguise, bearer)
    if act.args.action_type == "attack":
        return _cutting(act, deed, bearer, effect_named(act.creature(bearer).character, deed.name))
    apart = feet_between(act.world, act.actor, act.person(bearer))
    ends_by = deed.ends_by
    assert ends_by is not None
    if apart > ends_by.within:
        detail = f"{bearer} is {apart} feet away, too far to end {deed.name}"
        raise CallFailed(Reason.RULE_VIOLATION, detail, hint.ask("args.target_id", bearer))
    skill, dc = ends_by.skill, ends_by.dc or 0

    def carry_out() -> ActionReport:
        told: ActionReport = {"action": deed.name}
        is_over = True
        tried = check(act, act.actor_id, skill) if skill is not None else None
        if ends_by.abilities:
            tried = ability_check(act, act.actor_id, *ends_by.abilities)
        if tried is not None:
            told["check"] = tried.shown(dc)
            is_over = tried.total >= dc
        if ends_by.save is not None:
            versus = (MAGIC, deed.condition or MAGIC)
            why = f"{bearer} ends {deed.name}"
            made = save(act.world, act.creature(bearer), ends_by.save, dc, act.ctx, why=why, versus=versus)
            told["save"] = made.shown_against(ends_by.save, dc)
            is_over = made.success
        if is_over:
            _end_on(act, deed, bearer)
        return told | {"outcome": f"{deed.name} of {bearer} {'is over' if is_over else 'goes on'}"}

    return Prepared(carry_out)


def _unmasking(act: ActionContext, deed: Deed, disguise: Disguise, bearer: str) -> Prepared:
    """End the disguise of the actor, or examine that of another creature by the check that the block asks for."""
    if bearer == act.actor_id:

        def end() -> ActionReport:
            creature = act.creature(bearer)
            gone = effect_named(creature.character, deed.name)
            if gone is not None:
                put_creature(act.world, creature, without_effect(creature.character, gone.effect_id).character)
            return {"action": deed.name, "outcome": f"{bearer} looks like itself again"}

        return Prepared(end)
    if not can_see(act.world, act.encounter, act.actor, act.person(bearer)):
        detail = f"{act.actor_id} does not see {bearer}"
        raise CallFailed(Reason.RULE_VIOLATION, detail, hint.ask("args.target_id", act.args.target_id))

    def examine() -> ActionReport:
        made = check(act, act.actor_id, disguise.skill).shown(disguise.dc)
        creature = act.creature(bearer)
        effect = effect_named(creature.character, deed.name)
        if made["success"] and effect is not None and effect.disguise is not None:
            known = dict.fromkeys((*effect.disguise.seen_through_by, act.actor_id))
            seen = effect.replace(disguise=effect.disguise.replace(seen_through_by=tuple(known)))
            put_creature(act.world, creature, with_effect(creature.character, seen).character)
        through = "sees through" if made["success"] else "does not see through"
        return {"action": deed.name, "check": made, "outcome": f"{act.actor_id} {through} {deed.name} of {bearer}"}

    return Prepared(examine)


def _cutting(act: ActionContext, deed: Deed, bearer: str, effect: Effect | None) -> Prepared:
    if effect is None or effect.bonds is None:
        detail = f"args.action_type: {deed.name} is nothing that a weapon can cut"
        raise CallFailed(Reason.RULE_VIOLATION, detail, hint.remove("args.action_type"))
    return cutting(act, deed.name, bearer, effect.bonds)


def _discerning(act: ActionContext, deed: Deed) -> Prepared:
    """Look hard at an illusion: a check against its caster's DC sees through it."""
    bearer = next(
        each for each in (*act.target_ids, act.actor_id) if effect_named(act.creature(each).character, deed.name)
    )
    said = deed.discerned
    assert said is not None

    def carry_out() -> ActionReport:
        made = check(act, act.actor_id, said.skill)
        sees = made.total >= said.dc
        creature = act.creature(bearer)
        held = effect_named(creature.character, deed.name)
        if sees and held is not None and held.discerned is not None:
            by = tuple(dict.fromkeys((*held.discerned.by, act.actor_id)))
            seen = held.replace(discerned=held.discerned.replace(by=by))
            kept = tuple(seen if each is held else each for each in creature.character.effects)
            put_creature(act.world, creature, creature.character.replace(effects=kept))
        outcome = f"{act.actor_id} {'sees through' if sees else 'believes'} {deed.name}"
        return {"action": deed.name, "check": made.shown(said.dc), "outcome": outcome}

    return Prepared(carry_out)


def _bears(act: ActionContext, deed: Deed, identifier: str) -> bool:
    """Return whether a creature has the effect, or the condition of the spell, that a deed ends."""
    body = act.creature(identifier).character
    return effect_named(body, deed.name) is not None or any(_is_ended_by(deed, each) for each in body.conditions)


def _is_ended_by(deed: Deed, condition: Condition) -> bool:
    name = condition.spell or condition.condition
    return condition.condition == deed.condition and name == deed.name


def _end_on(act: ActionContext, deed: Deed, identifier: str) -> None:
    creature = act.creature(identifier)
    gone = effect_named(creature.character, deed.name)
    if gone is not None:
        end_spell_on(act.world, creature, gone)
        creature = act.creature(identifier)
    kept = tuple(each for each in creature.character.conditions if not _is_ended_by(deed, each))
    put_creature(act.world, creature, creature.character.replace(conditions=kept))


_TOUCH = 5
