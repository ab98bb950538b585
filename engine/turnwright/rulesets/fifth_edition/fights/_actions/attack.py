"""attack: strike somebody with a weapon."""

from __future__ import annotations

from turnwright.model.dice.expression import parse
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.fifth_edition.belongings.equipment import ammunition_for
from turnwright.rulesets.fifth_edition.belongings.inventory import without_item
from turnwright.rulesets.fifth_edition.damage_rules import Source
from turnwright.rulesets.fifth_edition.fights._action import ActionContext, Prepared, Report, require_target
from turnwright.rulesets.fifth_edition.fights._attack import (
    Aim,
    deal,
    require_attackable,
    shown_target,
    strike,
    throw_damage,
)
from turnwright.rulesets.fifth_edition.fights._block_auras import retaliate
from turnwright.rulesets.fifth_edition.fights._weapons import Weapon, Wish, in_hand, is_light, weapon_of
from turnwright.rulesets.fifth_edition.fights.traits import block_materials
from turnwright.rulesets.fifth_edition.rolls import mode_sources
from turnwright.rulesets.fifth_edition.targets import body_of, put_creature


def attack(act: ActionContext) -> Prepared:
    """Strike the target with the weapon in hand, or with what the call says of it."""
    target = require_target(act)
    weapon = _weapon(act)
    require_attackable(act, target, weapon)
    if body_of(act.world, target).is_dead:
        act.warnings.append(f"{target.id} is dead already")
    return Prepared(lambda: _strike(act, target.id, weapon), {"light_attack": True} if _pairs(act, weapon) else {})


def _weapon(act: ActionContext) -> Weapon:
    args = act.args
    damage = parse(args.damage_expression) if args.damage_expression is not None else None
    wish = Wish(args.weapon_type, args.attack_bonus, damage, args.damage_type)
    if act.cost != "bonus_action":
        return weapon_of(act.world, act.actor, wish)
    character = body_of(act.world, act.actor)
    if not args.ignore_economy and in_hand(character):
        second = in_hand(character, ("offhand",))
        if not act.actor.economy.light_attack or not second or not is_light(second[0]):
            detail = f"{act.actor_id} needs a light melee weapon in each hand, and to have struck with the first"
            raise CallFailed(Reason.RULE_VIOLATION, detail, hint.ask("args.action_cost", "bonus_action", ["action"]))
    return weapon_of(act.world, act.actor, wish._replace(hands=("offhand",), without_ability=True))


def _pairs(act: ActionContext, weapon: Weapon) -> bool:
    """Return whether a second light weapon may follow as a bonus action."""
    return act.cost == "action" and weapon.is_light


def _strike(act: ActionContext, target_id: str, weapon: Weapon) -> Report:
    args, world, ctx = act.args, act.world, act.ctx
    extra = mode_sources(advantage=args.advantage, disadvantage=args.disadvantage)
    aim = Aim(
        act.actor_id,
        target_id,
        weapon.attack_bonus,
        weapon.at_range,
        weapon.normal_range,
        extra,
        args.manual_attack_roll,
    )
    blow = strike(world, args.encounter_id, aim, ctx)
    act.triggered += blow.triggered
    named = {"weapon": weapon.name} if weapon.name else {}
    report: Report = {"attack": blow.shown() | named | _shot(act, weapon), "damage": None}
    before = None
    if blow.hits:
        why = f"{act.actor_id} hits {target_id}"
        thrown = throw_damage(ctx, weapon.damage, why, args.manual_damage_roll, is_critical=blow.is_critical)
        target, by = act.creature(target_id), act.creature(act.actor_id)
        report["damage"], done = deal(
            world,
            target,
            thrown,
            weapon.damage_type,
            ctx,
            by,
            is_critical=blow.is_critical,
            source=source_of(act, weapon),
        )
        act.suffered(done)
        before = done.before
        if not weapon.at_range:
            act.told += retaliate(act, target_id)
    return report | shown_target(world, args.encounter_id, target_id, before) | {"concentration_check": None}


def source_of(act: ActionContext, weapon: Weapon) -> Source:
    """Return where the damage of an attack comes from: the weapon is what it is, and what the call says of it."""
    own = block_materials(act.encounter.block_of(act.actor))
    return weapon.source._replace(materials=weapon.materials | own | frozenset(act.args.weapon_is))


def _shot(act: ActionContext, weapon: Weapon) -> Report:
    """Use up a piece of ammunition if the weapon shoots any; the referee says what it means when there is none."""
    if weapon.shooter is None:
        return {}
    creature = act.creature(act.actor_id)
    ammunition = ammunition_for(creature.character, weapon.shooter)
    if ammunition is None:
        act.warnings.append(f"{act.actor_id} has no ammunition for {weapon.name}")
        return {}
    taken = without_item(creature.character, ammunition, 1)
    put_creature(act.world, creature, taken.character)
    return {"ammunition": {"name": ammunition.name, "remaining": taken.left}}
