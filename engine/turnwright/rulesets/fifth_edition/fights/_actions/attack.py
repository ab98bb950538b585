"""attack: strike a target with a weapon."""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnwright.model.character import Character
from turnwright.model.dice.expression import parse
from turnwright.model.item import Item
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.fifth_edition.battlefield import feet_between, values_of
from turnwright.rulesets.fifth_edition.belongings.equipment import (
    ammunition_for,
    has_property,
    with_equipped,
)
from turnwright.rulesets.fifth_edition.belongings.inventory import called, without_item
from turnwright.rulesets.fifth_edition.damage_rules import Source
from turnwright.rulesets.fifth_edition.fights._action import ActionContext, Prepared, require_target
from turnwright.rulesets.fifth_edition.fights._attack import (
    Aim,
    by_type,
    deal_parts,
    require_attackable,
    shown_target,
    strike,
    throw_damage,
    with_effects,
)
from turnwright.rulesets.fifth_edition.fights._block_auras import retaliate
from turnwright.rulesets.fifth_edition.fights._corroding import corrode_weapon
from turnwright.rulesets.fifth_edition.fights._special_weapons import (
    attacks_taken_by,
    awkwardness,
    entangle,
    require_hands,
    require_throwable,
)
from turnwright.rulesets.fifth_edition.fights._weapons import (
    Weapon,
    Wish,
    in_hand,
    is_light,
    versatile_dice,
    weapon_of,
)
from turnwright.rulesets.fifth_edition.fights.traits import block_materials
from turnwright.rulesets.fifth_edition.rolls import mode_sources
from turnwright.rulesets.fifth_edition.sheets.checks import weapon_attack_sources
from turnwright.rulesets.fifth_edition.targets import body_of, put_creature

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.shapes import ActionReport, AmmunitionReport, EconomyChanges


def attack(act: ActionContext) -> Prepared:
    """Strike the target with the weapon in hand, or with what the call says of it."""
    target = require_target(act)
    named = _named(act)
    drawn = named if named is not None and named not in in_hand(body_of(act.world, act.actor)) else None
    weapon = _weapon(act, named)
    require_attackable(act, target, weapon)
    require_hands(act, weapon)
    require_throwable(act, weapon)
    if body_of(act.world, target).is_dead:
        act.warnings.append(f"{target.id} is dead already")
    booked: EconomyChanges = {"light_attack": True} if _pairs(act, weapon) else {}
    if (only := attacks_taken_by(act, weapon)) is not None:
        booked["attacks"] = only

    def carry_out() -> ActionReport:
        if drawn is not None:
            _draw(act, drawn)
        return _strike(act, target.id, weapon)

    return Prepared(carry_out, booked if drawn is None or act.args.ignore_economy else booked | {"free_object": True})


# with what


def _named(act: ActionContext) -> Item | None:
    """Return the weapon that the call names, which the actor carries and holds, or can draw.

    Raises:
        CallFailed: `not_found` for a weapon not carried, `rule_violation` for one that cannot be drawn now.
    """
    name = act.args.weapon
    if name is None:
        return None
    bearer = body_of(act.world, act.actor)
    item = called(bearer, name)
    if item is None or item.type != "weapon" or not item.quantity:
        carried = [each.name for each in bearer.inventory if each.type == "weapon"]
        detail = f"args.weapon: {act.actor_id} carries no weapon called {name}"
        raise CallFailed(Reason.NOT_FOUND, detail, hint.name("args.weapon", name, carried))
    if item in in_hand(bearer) or act.args.ignore_economy:
        return item
    held = [each.name for each in in_hand(bearer)]
    why = None
    if act.cost in ("reaction", "bonus_action"):
        why = f"{item.name} is not in hand"
    elif act.actor.economy.free_object:
        why = f"{act.actor_id} has used an object for free this turn, and cannot draw {item.name}"
    elif has_property(item, "two-handed") and _shield(bearer) is not None:
        why = f"{item.name} takes both hands, and one has a shield"
    if why is not None:
        raise CallFailed(Reason.RULE_VIOLATION, why, hint.ask("args.weapon", name, held))
    return item


def _shield(bearer: Character) -> Item | None:
    held = bearer.equipped.get("offhand")
    return next((each for each in bearer.inventory if each.id == held and each.type == "shield"), None)


def _draw(act: ActionContext, item: Item) -> None:
    """Draw a weapon, letting go of the items it replaces."""
    creature = act.creature(act.actor_id)
    done = with_equipped(creature.character, item, "mainhand")
    put_creature(act.world, creature, done.character)
    names = {each.id: each.name for each in creature.character.inventory}
    gone = [names[each] for each in dict.fromkeys(done.unequipped.values()) if each != item.id]
    act.warnings.append(
        f"{act.actor_id} draws {item.name}" + (f", and lets go of {' and '.join(gone)}" if gone else "")
    )


def _require_two_hands(act: ActionContext, named: Item | None) -> None:
    """Refuse to hold a weapon with both hands while the other hand holds something.

    Raises:
        CallFailed: `rule_violation`.
    """
    bearer = body_of(act.world, act.actor)
    item = named or next(iter(in_hand(bearer)), None)
    free = "mainhand" if item is not None and bearer.equipped.get("offhand") == item.id else "offhand"
    other = next((each for each in bearer.inventory if each.id == bearer.equipped.get(free)), None)
    if other is not None and other is not item:
        detail = f"args.two_handed: the other hand of {act.actor_id} holds {other.name}"
        raise CallFailed(Reason.RULE_VIOLATION, detail, hint.ask("args.two_handed", True, [False]))
    if item is None or not (has_property(item, "two-handed") or versatile_dice(item) is not None):
        act.warnings.append(f"{item.name if item else 'the attack'} is not versatile: both hands change nothing")


def _weapon(act: ActionContext, named: Item | None) -> Weapon:
    args = act.args
    damage = parse(args.damage_expression) if args.damage_expression is not None else None
    if args.two_handed:
        _require_two_hands(act, named)
    wish = Wish(args.weapon_type, args.attack_bonus, damage, args.damage_type, item=named, two_handed=args.two_handed)
    if act.cost != "bonus_action":
        return weapon_of(act.world, act.actor, wish)
    character = body_of(act.world, act.actor)
    if not args.ignore_economy and in_hand(character):
        second = in_hand(character, ("offhand",))
        if named is not None and named not in second:
            detail = f"args.weapon: {named.name} is not in the other hand of {act.actor_id}"
            choices = [each.name for each in second]
            raise CallFailed(Reason.RULE_VIOLATION, detail, hint.ask("args.weapon", args.weapon, choices))
        if not act.actor.economy.light_attack or not second or not is_light(second[0]):
            detail = f"{act.actor_id} needs a light melee weapon in each hand, and to have struck with the first"
            raise CallFailed(Reason.RULE_VIOLATION, detail, hint.ask("args.action_cost", "bonus_action", ["action"]))
    return weapon_of(act.world, act.actor, wish._replace(hands=("offhand",), without_ability=True))


def _pairs(act: ActionContext, weapon: Weapon) -> bool:
    """Return whether a second light weapon may follow as a bonus action."""
    return act.cost == "action" and weapon.is_light


def _strike(act: ActionContext, target_id: str, weapon: Weapon) -> ActionReport:
    args, world, ctx = act.args, act.world, act.ctx
    extra = mode_sources(advantage=args.advantage, disadvantage=args.disadvantage)
    extra += weapon_attack_sources(
        values_of(world, act.actor), by_strength=weapon.by_strength, is_melee=not weapon.at_range
    )
    extra += awkwardness(weapon, feet_between(world, act.actor, act.person(target_id)))
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
    attack = blow.shown()
    if weapon.name:
        attack["weapon"] = weapon.name
    if (shot := _shot(act, weapon)) is not None:
        attack["ammunition"] = shot
    report: ActionReport = {"attack": attack, "damage": None}
    before = None
    if weapon.stats.entangles is not None:
        bound = entangle(act, weapon, weapon.stats.entangles, blow, target_id)
        return report | bound | {"concentration_check": None}
    if blow.hits:
        why = f"{act.actor_id} hits {target_id}"
        thrown = throw_damage(ctx, weapon.damage, why, args.manual_damage_roll, is_critical=blow.is_critical)
        target, by = act.creature(target_id), act.creature(act.actor_id)
        parts = with_effects(
            world,
            act.encounter,
            act.actor_id,
            target_id,
            by_type(thrown, weapon.damage_type),
            ctx,
            is_critical=blow.is_critical,
            by_strength=weapon.by_strength,
        )
        report["damage"], done = deal_parts(
            world, target, parts, ctx, by, is_critical=blow.is_critical, source=source_of(act, weapon)
        )
        act.suffered(done)
        before = done.before
        corrode_weapon(act, act.actor_id, weapon, target_id)
        if not weapon.at_range:
            act.told += retaliate(act, target_id)
    return report | shown_target(world, args.encounter_id, target_id, before) | {"concentration_check": None}


def source_of(act: ActionContext, weapon: Weapon) -> Source:
    """Return where the damage of an attack comes from: the weapon is what it is, and what the call says of it."""
    own = block_materials(act.encounter.block_of(act.actor))
    return weapon.source._replace(materials=weapon.materials | own | frozenset(act.args.weapon_is))


def _shot(act: ActionContext, weapon: Weapon) -> AmmunitionReport | None:
    """Use up a piece of ammunition if the weapon shoots any; the referee decides what happens without one."""
    if weapon.shooter is None:
        return None
    creature = act.creature(act.actor_id)
    ammunition = ammunition_for(creature.character, weapon.shooter)
    if ammunition is None:
        act.warnings.append(f"{act.actor_id} has no ammunition for {weapon.name}")
        return None
    taken = without_item(creature.character, ammunition, 1)
    put_creature(act.world, creature, taken.character)
    return {"name": ammunition.name, "remaining": taken.left}
