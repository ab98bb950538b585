"""Weapons with rules of their own: a lance that is awkward from near, and a net that restrains its target.

Source: SRD 5.1, "Special Weapons"; docs/content.md, "Weapons with rules of their own".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnwright.model.base import name_tag
from turnwright.model.creature import Bonds, Condition, Effect, EndsBy
from turnwright.model.encounter import Participant
from turnwright.model.item import Entangling, Item
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.fifth_edition.battlefield import feet_between, values_of
from turnwright.rulesets.fifth_edition.belongings.inventory import entry, without_item
from turnwright.rulesets.fifth_edition.bonus_dice import throw_bonus_dice
from turnwright.rulesets.fifth_edition.condition_sources import fear_in_sight
from turnwright.rulesets.fifth_edition.conditions import afflict
from turnwright.rulesets.fifth_edition.fights._action import ActionContext, Prepared
from turnwright.rulesets.fifth_edition.fights._attack import Struck, by_type, shown_target, throw_damage
from turnwright.rulesets.fifth_edition.fights._weapons import Weapon, Wish, weapon_of
from turnwright.rulesets.fifth_edition.fights.advantage import Sources
from turnwright.rulesets.fifth_edition.fights.attack_roll import attack_result, is_hit
from turnwright.rulesets.fifth_edition.rolls import NOTHING, mode_sources, throw
from turnwright.rulesets.fifth_edition.sheets import checks
from turnwright.rulesets.fifth_edition.sheets.effect_list import effect_named, with_effect, without_effect
from turnwright.rulesets.fifth_edition.sheets.race_traits import is_lucky
from turnwright.rulesets.fifth_edition.space.grid.space import SIZES
from turnwright.rulesets.fifth_edition.targets import body_of, put_creature

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.shapes import ActionReport

_CUTS = "slashing"


# a lance


def awkwardness(weapon: Weapon, apart: int) -> Sources:
    """Return the reason that hinders an attack with a weapon that is too long for a target so near."""
    least = weapon.stats.disadvantage_within
    if weapon.at_range or least is None or apart > least:
        return NOTHING
    return Sources((), (f"{weapon.name} within {least} feet",))


def require_hands(act: ActionContext, weapon: Weapon) -> None:
    """Refuse a weapon that takes both hands while the other one holds something.

    Raises:
        CallFailed: `rule_violation`.
    """
    needed = weapon.stats.two_handed_unless
    bearer = body_of(act.world, act.actor)
    if needed is None or weapon.item is None or name_tag(needed) in map(name_tag, bearer.condition_names):
        return
    others = (entry(bearer, bearer.equipped.get(slot, "")) for slot in ("mainhand", "offhand"))
    other = next((each for each in others if each is not None and each.id != weapon.item.id), None)
    if other is not None:
        detail = (
            f"{weapon.name} takes both hands of {act.actor_id}, who holds {other.name}; who is {needed} has that as a "
        )
        detail += f"condition (custom_name {needed} of manage_condition)"
        raise CallFailed(Reason.RULE_VIOLATION, detail, hint.ask("args.weapon", act.args.weapon))


# a net


def require_throwable(act: ActionContext, weapon: Weapon) -> None:
    """Refuse a net as one attack of several, and one that already covers a target.

    Raises:
        CallFailed: `rule_violation`.
    """
    if weapon.stats.entangles is None or weapon.item is None:
        return
    why = None
    if act.cost == "action" and act.actor.economy.attacks and not act.args.ignore_economy:
        why = f"{weapon.name} is the only attack of an action, and {act.actor_id} has made one"
    bound = [each.id for each in act.encounter.participants if _is_in(act, each, weapon.item)]
    if len(bound) >= weapon.item.quantity:
        why = f"{weapon.name} of {act.actor_id} lies on {' and '.join(bound)}"
    if why is not None:
        raise CallFailed(Reason.RULE_VIOLATION, why, hint.ask("args.weapon", act.args.weapon))


def _is_in(act: ActionContext, person: Participant, item: Item) -> bool:
    effects = body_of(act.world, person).effects
    return any(
        each.bonds is not None and (each.source, each.bonds.item_id) == (act.actor_id, item.id) for each in effects
    )


def attacks_taken_by(act: ActionContext, weapon: Weapon) -> int | None:
    """Return how many attacks of an action a weapon takes: all of them for a net, None for any other."""
    return None if weapon.stats.entangles is None else max(1, act.actor.strike.attacks)


def entangle(act: ActionContext, weapon: Weapon, binds: Entangling, blow: Struck, target_id: str) -> ActionReport:
    """Restrain the target hit by a net, unless it is too large, or has no form that a net could hold."""
    report: ActionReport = {}
    why = _why_free(act, binds, act.person(target_id)) if blow.hits else None
    if why is not None:
        act.warnings.append(f"{weapon.name} does nothing to {target_id}: {why}")
    elif blow.hits and weapon.item is not None:
        given = Condition(condition=binds.condition, source=act.actor_id, hangs_on=weapon.item.name)
        done = afflict(act.world, act.creature(target_id), given, act.ctx)
        act.warnings += done.warnings
        if done.blocked:
            act.warnings.append(f"{target_id} is immune to being {binds.condition}")
        else:
            _lay(act, weapon.item, binds, target_id)
            report = {"inflicted": [binds.condition], "effects": [weapon.item.name]}
    return report | shown_target(act.world, act.args.encounter_id, target_id)


def _why_free(act: ActionContext, binds: Entangling, target: Participant) -> str | None:
    size = values_of(act.world, target).size
    if SIZES.index(size) > SIZES.index(binds.max_size):
        return f"it is {size}"
    for part in (act.encounter.block_of(target) or {}).get("traits", ()):
        said = part.get("figures", {})
        if part.get("kind") == "movement" and ("squeeze_inches" in said or "objects" in said.get("through", ())):
            return "it is formless"
    return None


def _lay(act: ActionContext, item: Item, binds: Entangling, target_id: str) -> None:
    creature = act.creature(target_id)
    effect = Effect(
        effect_id=act.world.new_id("effect", held=[each.effect_id for each in creature.character.effects]),
        name=item.name,
        type="curse",
        source=act.actor_id,
        ends_by=EndsBy(abilities=(binds.ability,), dc=binds.dc),
        bonds=Bonds(item_id=item.id, ac=binds.ac, hp=binds.hp),
    )
    put_creature(act.world, creature, with_effect(creature.character, effect).character)


def cutting(act: ActionContext, name: str, bearer_id: str, bonds: Bonds) -> Prepared:
    """Attack what binds a creature with the weapon in hand, or the one that the call names.

    Raises:
        CallFailed: `not_found` for a weapon not carried, `rule_violation` for one that does not slash or reach.
    """
    weapon = weapon_of(act.world, act.actor, Wish(item=_carried(act)))
    apart = feet_between(act.world, act.actor, act.person(bearer_id))
    why = None
    if weapon.damage_type != _CUTS:
        why = f"{weapon.name or 'a blow'} deals {weapon.damage_type} damage, and only {_CUTS} damage cuts {name}"
    elif apart > (weapon.farthest or apart):
        why = f"{bearer_id} is {apart} feet away, out of reach of {weapon.name or 'the attack'}"
    if why is not None:
        raise CallFailed(Reason.RULE_VIOLATION, why, hint.ask("args.weapon", act.args.weapon))
    return Prepared(lambda: _cut(act, weapon, name, bearer_id, bonds))


def _carried(act: ActionContext) -> Item | None:
    name = act.args.weapon
    if name is None:
        return None
    weapons = [each for each in body_of(act.world, act.actor).inventory if each.type == "weapon" and each.quantity]
    found = next((each for each in weapons if each.id == name or each.name.casefold() == name.casefold()), None)
    if found is None:
        detail = f"args.weapon: {act.actor_id} carries no weapon called {name}"
        raise CallFailed(Reason.NOT_FOUND, detail, hint.name("args.weapon", name, [each.name for each in weapons]))
    return found


def _cut(act: ActionContext, weapon: Weapon, name: str, bearer_id: str, bonds: Bonds) -> ActionReport:
    world, ctx, args = act.world, act.ctx, act.args
    own = act.creature(act.actor_id)
    sources = mode_sources(advantage=args.advantage, disadvantage=args.disadvantage)
    in_sight = fear_in_sight(world, act.encounter, act.actor)
    sources += checks.attack_sources(values_of(world, act.actor), fear_in_sight=in_sight)
    lucky = is_lucky(own.character, "attack")
    d20 = throw(ctx, f"{act.actor_id} cuts {name}", sources, args.manual_attack_roll, lucky=lucky)
    bonus = weapon.attack_bonus + throw_bonus_dice(world, own, "attack", ctx)
    result = attack_result(d20.natural, d20.natural + bonus, bonds.ac)
    blow = Struck(d20, bonus, bonds.ac, "none", result)
    report: ActionReport = {"action": name, "attack": blow.shown() | ({"weapon": weapon.name} if weapon.name else {})}
    if not is_hit(result):
        return report | {"outcome": f"{name} of {bearer_id} goes on"}
    why = f"{act.actor_id} cuts {name}"
    thrown = throw_damage(ctx, weapon.damage, why, args.manual_damage_roll, is_critical=blow.is_critical)
    done = sum(part.amount for part in by_type(thrown, weapon.damage_type) if part.kind == _CUTS)
    left = max(0, bonds.hp - done)
    creature = act.creature(bearer_id)
    effect = effect_named(creature.character, name)
    assert effect is not None
    if left:
        weaker = effect.replace(bonds=bonds.replace(hp=left))
        put_creature(world, creature, with_effect(creature.character, weaker).character)
        return report | {"outcome": f"{name} of {bearer_id} holds: {done} damage, {left} more destroys it"}
    put_creature(world, creature, without_effect(creature.character, effect.effect_id).character)
    _lose(act, effect.source, bonds)
    return report | {"outcome": f"{name} of {bearer_id} is destroyed: {done} damage"}


def _lose(act: ActionContext, owner_id: str | None, bonds: Bonds) -> None:
    """Remove a destroyed net from its thrower."""
    if owner_id is None or act.encounter.participant(owner_id) is None:
        return
    owner = act.creature(owner_id)
    item = entry(owner.character, bonds.item_id)
    if item is not None:
        put_creature(act.world, owner, without_item(owner.character, item, 1).character)
