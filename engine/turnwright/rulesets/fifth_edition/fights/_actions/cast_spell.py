"""cast_spell: spend a slot, and apply the effects that the call gives for the spell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from turnwright.content.names import key_of
from turnwright.model.dice.expression import Roll, critical, dice_ahead, roll
from turnwright.model.encounter import Participant
from turnwright.model.vocabulary import Ability, DamageType
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.fifth_edition.battlefield import cover_between, feet_between, square_of, values_of
from turnwright.rulesets.fifth_edition.condition_sources import charmer_of
from turnwright.rulesets.fifth_edition.fights._action import ActionContext, Prepared, instead_of_target
from turnwright.rulesets.fifth_edition.fights._attack import Aim, Struck, deal, shown_target, strike
from turnwright.rulesets.fifth_edition.fights._readied import wait_no_more
from turnwright.rulesets.fifth_edition.fights._spells import (
    concentrate,
    is_released,
    required_slot,
    spell_booking,
    spend_slot,
)
from turnwright.rulesets.fifth_edition.fights.traits import MAGIC
from turnwright.rulesets.fifth_edition.rolls import Save, mode_sources, save, save_dice, throw_dice
from turnwright.rulesets.fifth_edition.sheets import checks

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.shapes import ActionReport

_TOUCH = 5


def cast_spell(act: ActionContext) -> Prepared:
    """Cast a spell: at targets that save, or that are attacked, or with no effect that the engine knows."""
    released = is_released(act)
    _require_some_target(act)
    slot = None if released else required_slot(act)
    _require_targets(act)

    def carry_out() -> ActionReport:
        if released:
            wait_no_more(act.world, act.encounter, act.actor)
        report: ActionReport = {
            "spell": act.args.spell_name,
            "slot": spend_slot(act, slot),
            "concentration_check": None,
        }
        if act.args.concentration:
            concentrate(act, act.args.spell_name or "", act.target_ids)
        rows = _saved(act, act.args.save_ability) if act.args.save_ability else _attacked(act)
        if rows:
            first = rows[0].copy()
            first.pop("target_id", None)
            report |= first
        return report | ({"targets": rows} if len(rows) > 1 else {})

    return Prepared(carry_out, {} if released else spell_booking(act, slot))


# what forbids it


def _require_some_target(act: ActionContext) -> None:
    if _harms(act) and not act.target_ids and act.args.target_position is None:
        others = [person.id for person in act.encounter.participants if person.is_enemy != act.actor.is_enemy]
        repair = hint.ask_for("args.target_ids", [[each] for each in others])
        raise CallFailed(Reason.INVALID_ARGS, "args.target_ids: nobody is named for the damage", repair)


def _require_targets(act: ActionContext) -> None:
    for identifier in act.target_ids:
        why = _why_not(act, act.person(identifier))
        if why is not None:
            raise CallFailed(Reason.RULE_VIOLATION, why, _without(act, identifier))


def _why_not(act: ActionContext, target: Participant) -> str | None:
    args, world, encounter = act.args, act.world, act.encounter
    charmer = charmer_of(world, encounter, act.actor)
    if charmer is not None and charmer.id == target.id and (_harms(act) or args.save_ability):
        return f"{act.actor_id} is charmed by {target.id}"
    if target.id == act.actor_id:
        return None
    origin = square_of(args.target_position) if args.target_position else act.actor
    if cover_between(world, encounter, origin, target).cover == "total":
        return f"{target.id} has total cover"
    if _is_touch(act) and feet_between(world, act.actor, target) > _TOUCH:
        return f"{target.id} is {feet_between(world, act.actor, target)} feet away, too far to touch"
    return None


def _without(act: ActionContext, identifier: str) -> hint.Hint:
    """Return how to name all targets but one."""
    given = list(act.args.target_ids)
    if identifier in given:
        return hint.ask("args.target_ids", given)
    others = [p.id for p in act.encounter.participants if p.is_enemy != act.actor.is_enemy]
    return instead_of_target(act, [each for each in others if _why_not(act, act.person(each)) is None])


def _harms(act: ActionContext) -> bool:
    """Return whether the spell deals damage, rolled here or at the table."""
    return act.args.damage_expression is not None or act.args.manual_damage_roll is not None


def _is_touch(act: ActionContext) -> bool:
    return act.args.weapon_type in ("melee", "melee_finesse")


# what it does


def _damage_type(act: ActionContext) -> DamageType:
    return act.args.damage_type or "slashing"


def _saved(act: ActionContext, ability: Ability) -> list[ActionReport]:
    """Roll the damage once, roll every target's save, and deal it."""
    args, world, ctx = act.args, act.world, act.ctx
    thrown = _thrown(act)
    dc = checks.spell_save_dc(values_of(world, act.actor)) if args.save_dc is None else args.save_dc
    ctx.dice.expect(
        die
        for each in act.target_ids
        for die in save_dice(world, act.creature(each), ability, _why_saved(act, each), _versus(act))
    )
    saves = [(each, _save(act, each, ability, dc)) for each in act.target_ids]
    rows = []
    for identifier, made in saves:
        row: ActionReport = {"target_id": identifier, "save": made.shown_against(ability, dc), "damage": None}
        before = None
        if thrown is not None and (args.half_on_save or not made.success):
            target, by = act.creature(identifier), act.creature(act.actor_id)
            row["damage"], done = deal(world, target, thrown, _damage_type(act), ctx, by, half=made.success)
            act.suffered(done)
            before = done.before
        rows.append(row | shown_target(world, args.encounter_id, identifier, before))
    return rows


def _save(act: ActionContext, identifier: str, ability: Ability, dc: int) -> Save:
    args, target = act.args, act.person(identifier)
    bonus = 0
    if ability == "dex" and identifier != act.actor_id:
        origin = square_of(args.target_position) if args.target_position else act.actor
        bonus = cover_between(act.world, act.encounter, origin, target).bonus or 0
    why = _why_saved(act, identifier)
    return save(act.world, act.creature(identifier), ability, dc, act.ctx, why=why, bonus=bonus, versus=_versus(act))


def _versus(act: ActionContext) -> tuple[str, ...]:
    """Return what a save is against, in the terms of traits: magic, and this by its name, such as Turn Undead."""
    return MAGIC, key_of(act.args.spell_name or "").replace("-", "_")


def _why_saved(act: ActionContext, identifier: str) -> str:
    return f"{identifier} saves against {act.args.spell_name}"


def _attacked(act: ActionContext) -> list[ActionReport]:
    """Attack every target, roll the damage once for all that are hit, and deal it."""
    args, world, ctx = act.args, act.world, act.ctx
    if not _harms(act):
        return []
    bonus = _spell_attack(act) if args.attack_bonus is None else args.attack_bonus
    extra = mode_sources(advantage=args.advantage, disadvantage=args.disadvantage)
    blows: list[tuple[str, Struck]] = []
    for identifier in act.target_ids:
        aim = Aim(act.actor_id, identifier, bonus, not _is_touch(act), None, extra, args.manual_attack_roll)
        blows.append((identifier, strike(world, args.encounter_id, aim, ctx)))
        act.triggered += blows[-1][1].triggered
    thrown = _thrown(act) if any(blow.hits for _, blow in blows) else None
    doubled = _doubled(act, thrown) if any(blow.is_critical for _, blow in blows) else thrown
    rows = []
    for identifier, blow in blows:
        row: ActionReport = {"target_id": identifier, "attack": blow.shown(), "damage": None}
        before = None
        due = doubled if blow.is_critical else thrown
        if blow.hits and due is not None:
            target, by = act.creature(identifier), act.creature(act.actor_id)
            row["damage"], done = deal(world, target, due, _damage_type(act), ctx, by, is_critical=blow.is_critical)
            act.suffered(done)
            before = done.before
        rows.append(row | shown_target(world, args.encounter_id, identifier, before))
    return rows


def _spell_attack(act: ActionContext) -> int:
    actor, values = act.actor, values_of(act.world, act.actor)
    if not actor.has_sheet:
        return (actor.strike.attack_bonus or 0) + values.attack_bonus
    return checks.spell_attack(values)


def _thrown(act: ActionContext) -> Roll | int | None:
    args, why = act.args, f"damage of {act.args.spell_name}"
    if args.manual_damage_roll is not None:
        return act.ctx.dice.take_total(args.manual_damage_roll, why)
    return None if args.damage_expression is None else throw_dice(act.ctx, args.damage_expression, why)


def _doubled(act: ActionContext, thrown: Roll | int | None) -> Roll | int | None:
    """Return the damage of a critical hit: the dice already rolled, and as many more."""
    if not isinstance(thrown, Roll):
        return thrown
    fallen: Sequence[int] = [face for term in thrown.terms for face in term.rolls]
    given, why = iter(fallen), f"damage of {act.args.spell_name}, critical"
    doubled = critical(thrown.expression)
    act.ctx.dice.expect((sides, why) for sides in dice_ahead(doubled)[len(fallen) :])

    def draw(sides: int) -> int:
        face = next(given, None)
        return act.ctx.dice.draw(sides, why) if face is None else face

    return roll(doubled, draw)
