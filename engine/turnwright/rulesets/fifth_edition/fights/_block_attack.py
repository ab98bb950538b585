"""One attack of a stat block: the roll, every type of its damage, the save after a hit, and its consequences.

Source: SRD 5.1, "Monsters", "Actions"; docs/content.md, "Actions of a stat block".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from turnwright.model.dice.expression import Expression, critical, parse, render, roll
from turnwright.model.dice.tree import Number, Sum
from turnwright.model.encounter import Participant
from turnwright.model.vocabulary import DamageType, WeaponType
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.fifth_edition.battlefield import are_hostile, feet_between, is_down, living, values_of
from turnwright.rulesets.fifth_edition.condition_list import found
from turnwright.rulesets.fifth_edition.condition_sources import held_by
from turnwright.rulesets.fifth_edition.damage import DamageResult, heal
from turnwright.rulesets.fifth_edition.damage_rules import Source
from turnwright.rulesets.fifth_edition.fights._action import ActionContext, instead_of_target
from turnwright.rulesets.fifth_edition.fights._attack import (
    UNTHROWN,
    Aim,
    Struck,
    Thrown,
    by_type,
    deal_parts,
    shown_target,
    strike,
    throw_damage,
    with_effects,
)
from turnwright.rulesets.fifth_edition.fights._block_lasting import leave, raised
from turnwright.rulesets.fifth_edition.fights._contest import strength
from turnwright.rulesets.fifth_edition.fights._corroding import corrode_armor
from turnwright.rulesets.fifth_edition.fights._economy import has_reaction, spend_reaction
from turnwright.rulesets.fifth_edition.fights._extra_damage import Extra, extras
from turnwright.rulesets.fifth_edition.fights._inflicting import (
    can_be_affected,
    grapples_instead,
    grip,
    inflict,
    inflict_at_zero,
    move_by_force,
    save_against,
    shown_save,
)
from turnwright.rulesets.fifth_edition.fights._weapons import Weapon
from turnwright.rulesets.fifth_edition.fights.advantage import Sources
from turnwright.rulesets.fifth_edition.fights.executable import catches_rocks, not_executed
from turnwright.rulesets.fifth_edition.fights.traits import (
    ability_of,
    attack_of,
    block_materials,
    figures,
    save_of,
    type_of,
)
from turnwright.rulesets.fifth_edition.rolls import Save, mode_sources, save, throw_dice
from turnwright.rulesets.fifth_edition.sheets.checks import weapon_attack_sources
from turnwright.rulesets.fifth_edition.sheets.effect_list import effect_named
from turnwright.rulesets.fifth_edition.space.grid.space import SIZES
from turnwright.rulesets.fifth_edition.targets import body_of

if TYPE_CHECKING:
    from turnwright.model.content_shapes import BlockPart, DamageShape, DiceShape
    from turnwright.model.wire.shapes import Correction
    from turnwright.rulesets.fifth_edition.shapes import ActionReport

_REACH = 5
_ROCK = "rock"
_WITH = "with_"


def weapon_for(act: ActionContext, part: BlockPart, target: Participant) -> Weapon:
    """Return an attack of a stat block as it would be made at a target: from near, where it can be either."""
    attack = attack_of(part)
    reach, ranges = attack.get("reach", 0), attack.get("range", ())
    is_near = feet_between(act.world, act.actor, target) <= reach
    at_range = attack["kind"].startswith("ranged") or (bool(ranges) and not is_near)
    kind: WeaponType = "ranged" if at_range else "melee"
    values = values_of(act.world, act.actor)
    bonus = _to_hit(act, part) + values.attack_bonus if act.args.attack_bonus is None else act.args.attack_bonus
    first, damage_type = next(iter(_damage_of(act, part, at_range=at_range)), (Number(0), "bludgeoning"))
    normal, far = (ranges[0], ranges[-1]) if ranges else (None, None)
    return Weapon(part["name"], kind, bonus, first, damage_type, reach or _REACH, normal, far)


def require_free(act: ActionContext, part: BlockPart, target: Participant) -> None:
    """Refuse an attack that already holds another creature, and one at a target that it is not for.

    Raises:
        CallFailed: `rule_violation`.
    """
    why = _why_unfit(act, part, target)
    if why is not None:
        others = living(act.world, act.encounter, {act.actor_id, target.id})
        fit = [other.id for other in others if are_hostile(act.actor, other) and _why_unfit(act, part, other) is None]
        raise CallFailed(Reason.RULE_VIOLATION, why, instead_of_target(act, fit))
    grapple = part.get("grapple", {})
    if not grapple.get("one_target") and "limbs" not in grapple:
        return
    held = [person.id for person in held_by(act.world, act.encounter, act.actor)]
    most = grapple.get("limbs", 1)
    if target.id not in held and len(held) >= most:
        detail = f"{act.actor_id} holds {' and '.join(held)} with {part['name']} already"
        raise CallFailed(Reason.RULE_VIOLATION, detail, instead_of_target(act, held))


def _why_unfit(act: ActionContext, part: BlockPart, target: Participant) -> str | None:
    """Return why a target is not valid for an attack: its size, or its kind; None where it is valid."""
    said = attack_of(part).get("target", {})
    if "max_size" in said and SIZES.index(values_of(act.world, target).size) > SIZES.index(said["max_size"]):
        return f"{target.id} is too large for {part['name']}"
    missing = [each for each in said.get("requires", ()) if not _is(act, target, each)]
    if missing:
        return f"{target.id} is not {' and '.join(missing)}, which {part['name']} needs"
    some = said.get("requires_any", ())
    if some and not any(_is(act, target, each) for each in some):
        return f"{target.id} is not {' or '.join(some)}, which {part['name']} needs"
    return None


def _is(act: ActionContext, target: Participant, state: str) -> bool:
    """Return whether a creature is in a state: a condition, held by the actor, or willing, as its own side is."""
    body = body_of(act.world, target)
    if state == "willing":
        return not are_hostile(act.actor, target)
    if state == "incapacitated":
        return is_down(body) or values_of(act.world, target).impairment.incapacitated
    condition = found(body, state)
    return condition is not None and (state != "grappled" or condition.source == act.actor_id)


def strike_with(act: ActionContext, part: BlockPart, target_id: str) -> ActionReport:
    """Make one attack of a stat block, and return its outcome as a row of the result."""
    args, world, ctx = act.args, act.world, act.ctx
    weapon = weapon_for(act, part, act.person(target_id))
    act.corrections += _overridden(act, part)
    extra = mode_sources(advantage=args.advantage, disadvantage=args.disadvantage) + _of_grip(act, part, target_id)
    strong = by_strength(act, part, at_range=weapon.at_range)
    is_melee = not weapon.at_range and "weapon" in attack_of(part)["kind"]
    extra += weapon_attack_sources(values_of(world, act.actor), by_strength=strong, is_melee=is_melee)
    manual = args.manual_attack_roll
    aim = Aim(act.actor_id, target_id, weapon.attack_bonus, weapon.at_range, weapon.normal_range, extra, manual)
    blow = _sure_hit(act, part, aim) or strike(world, args.encounter_id, aim, ctx)
    act.triggered += blow.triggered
    row: ActionReport = {
        "target_id": target_id,
        "action": part["name"],
        "attack": blow.shown() | {"weapon": part["name"]},
    }
    row["damage"] = None
    missing = not_executed(part)
    if missing and blow.hits:
        row["not_executed"] = list(missing)
    if not blow.hits:
        return row | shown_target(world, args.encounter_id, target_id)
    hurts = not grapples_instead(act, part)
    thrown = list(_thrown(act, part, weapon, is_critical=blow.is_critical)) if hurts else []
    further = list(extras(act, part, target_id, has_advantage=blow.d20.mode == "advantage"))
    thrown += _thrown_extra(act, further, weapon, is_critical=blow.is_critical) if hurts else []
    thrown, caught = _caught(act, part, target_id, thrown)
    if caught is not None:
        row["caught"] = caught.shown()
    can_be = can_be_affected(act, part, target_id)
    made = save_against(act, part, target_id) if can_be and "save" in part else None
    if made is not None:
        row["save"] = shown_save(act, part, made)
        thrown += _after_save(act, part, made)
    before: int | None = None
    done: DamageResult | None = None
    if thrown:
        thrown = with_effects(
            world,
            act.encounter,
            act.actor_id,
            target_id,
            thrown,
            ctx,
            is_critical=blow.is_critical,
            by_strength=strong,
        )
        target, by = act.creature(target_id), act.creature(act.actor_id)
        materials = block_materials(act.encounter.block_of(act.actor)) | frozenset(act.args.weapon_is)
        if _spell_on(act, part) is not None:
            materials |= {"magical"}
        source = Source(is_attack=True, materials=materials)
        row["damage"], done = deal_parts(world, target, thrown, ctx, by, is_critical=blow.is_critical, source=source)
        act.suffered(done)
        before = done.before
        corrode_armor(act, part, target_id)
        row |= _drained(act, part, done)
    if can_be and not act.creature(target_id).character.is_dead:
        drained = _own_damage(part, done) if done is not None else 0
        if left := leave(act, part, target_id, made, drained):
            row["effects"] = left
    brought = _brought(act, part, target_id, made, done) if can_be else []
    brought += [name for each in further for name in _charged(act, each, target_id, row)]
    if brought:
        row["inflicted"] = brought
    if (rises := raised(act, part, target_id)) is not None:
        row["rises"] = rises
    return row | shown_target(world, args.encounter_id, target_id, before)


def _sure_hit(act: ActionContext, part: BlockPart, aim: Aim) -> Struck | None:
    """Return a hit without a roll on a creature that the actor holds, where the block says so."""
    held = found(body_of(act.world, act.person(aim.target_id)), "grappled")
    if not part.get("grapple", {}).get("auto_hit") or held is None or held.source != act.actor_id:
        return None
    return Struck(UNTHROWN, aim.bonus, values_of(act.world, act.person(aim.target_id)).ac.effective, "none", "hit")


def _caught(
    act: ActionContext, part: BlockPart, target_id: str, thrown: list[Thrown]
) -> tuple[list[Thrown], Save | None]:
    """Let a target catch a rock that hits it, with its reaction: a caught rock deals no damage."""
    target = act.person(target_id)
    reactions = (act.encounter.block_of(target) or {}).get("reactions", ())
    catching = next((each for each in reactions if catches_rocks(each)), None)
    if catching is None or part["id"] != _ROCK or not has_reaction(act.world, target):
        return thrown, None
    spend_reaction(act.world, act.encounter, target)
    said, why = save_of(catching), f"{target_id}, {catching['name']}"
    made = save(act.world, act.creature(target_id), ability_of(said), said["dc"], act.ctx, why=why)
    negated = figures(catching)["negates"]
    kept = [each._replace(roll=0) if made.success and each.kind == negated else each for each in thrown]
    return kept, made


def by_strength(act: ActionContext, part: BlockPart, *, at_range: bool) -> bool:
    """Return whether Strength wields an attack of a stat block: its bonus is that of Strength, and not of Dexterity."""
    if "weapon" not in attack_of(part)["kind"]:
        return False
    values = values_of(act.world, act.actor)
    strength, dexterity = values.stats["str"].base, values.stats["dex"].base
    bonus = attack_of(part)["to_hit"] - (act.encounter.block_of(act.actor) or {}).get("proficiency_bonus", 0)
    matches = {ability for ability, score in (("str", strength), ("dex", dexterity)) if (score - 10) // 2 == bonus}
    return "str" in matches if len(matches) == 1 else not at_range


# damage


def _damage_of(act: ActionContext, part: BlockPart, *, at_range: bool) -> Iterator[tuple[Expression, DamageType]]:
    """Yield the damage dice of a hit, with the type of each; of variants of the first, the one that applies now."""
    listed = part.get("damage", ())
    plain = [each for each in listed if "when" not in each]
    variants = [each for each in listed if each.get("instead") and _holds(act, each)]
    if variants:
        plain[:1] = [max(variants, key=lambda each: str(each["when"]).startswith(_WITH))]
    plain += [each for each in listed if each.get("when") == ("ranged" if at_range else "melee")]
    for each in plain:
        if isinstance(each.get("type"), str):
            yield expression_of(each), type_of(each)


def _holds(act: ActionContext, part: DamageShape) -> bool:
    if part["when"] == "two_handed":
        return act.args.two_handed
    if part["when"] == "enlarged":
        return effect_named(act.creature(act.actor_id).character, "Enlarge") is not None
    if part["when"] == "small_or_medium_form":
        return act.actor.true_shape is not None and values_of(act.world, act.actor).size in ("small", "medium")
    if str(part["when"]).startswith(_WITH):
        return _enchanted(act, str(part["when"])) is not None
    if part["when"] == "half_hp":
        values = values_of(act.world, act.actor)
        return 2 * values.hp <= values.max_hp.effective
    return False


def _enchanted(act: ActionContext, when: str) -> str | None:
    """Return the spell that an attack is made with, by its term, while it lasts on the actor."""
    spell = when.removeprefix(_WITH)
    return spell if effect_named(act.creature(act.actor_id).character, spell.replace("_", " ")) else None


def _spell_on(act: ActionContext, part: BlockPart) -> str | None:
    """Return the spell that changes an attack now, or None."""
    parts = (str(each.get("when", "")) for each in part.get("damage", ()))
    return next((spell for each in parts if each.startswith(_WITH) and (spell := _enchanted(act, each))), None)


def _to_hit(act: ActionContext, part: BlockPart) -> int:
    """Return the bonus of an attack of a stat block, that with a spell while it lasts."""
    attack, spell = attack_of(part), _spell_on(act, part)
    return attack["to_hit"] if spell is None else attack.get("to_hit_with", {}).get(spell, attack["to_hit"])


def expression_of(part: DiceShape) -> Expression:
    """Return the dice of a part of damage, with its bonus; a fixed amount as a number."""
    bonus = part.get("bonus", 0)
    return parse(str(part["flat"]) if "flat" in part else f"{part['dice']}{f'{bonus:+d}' if bonus else ''}")


def _thrown(act: ActionContext, part: BlockPart, weapon: Weapon, *, is_critical: bool) -> Iterator[Thrown]:
    """Roll the damage of a hit; every die counts twice on a critical hit."""
    args, why = act.args, f"{act.actor_id} hits, {part['name']}"
    if args.damage_expression is not None or args.manual_damage_roll is not None:
        own = weapon.damage if args.damage_expression is None else parse(args.damage_expression)
        thrown = throw_damage(act.ctx, own, why, args.manual_damage_roll, is_critical=is_critical)
        yield from by_type(thrown, args.damage_type or weapon.damage_type)
        return
    bonuses = list(values_of(act.world, act.actor).damage_bonuses.values())
    for place, (dice, kind) in enumerate(_damage_of(act, part, at_range=weapon.at_range)):
        whole = Sum(dice, tuple(("+", parse(text)) for text in bonuses)) if bonuses and not place else dice
        own_type = args.damage_type if args.damage_type is not None and not place else kind
        if is_critical and "crit_dice_multiplier" in figures(part) and not place:
            yield Thrown(_multiplied(act, part, whole, why), own_type)
        else:
            yield Thrown(throw_dice(act.ctx, whole, why, is_critical=is_critical), own_type)


def _thrown_extra(
    act: ActionContext, further: Sequence[Extra], weapon: Weapon, *, is_critical: bool
) -> Iterator[Thrown]:
    """Roll the damage that traits add to a hit, of the weapon's type where they name none."""
    for extra in further:
        for each in extra.damage:
            why = f"{act.actor_id}, {extra.part['name']}"
            roll_ = throw_dice(act.ctx, expression_of(each), why, is_critical=is_critical)
            yield Thrown(roll_, type_of(each) if each.get("type") else weapon.damage_type)
        if figures(extra.part).get("per") == "turn":
            economy = act.actor.economy
            act.change(act.actor_id, economy=economy.replace(extras=(*economy.extras, extra.part["id"])))


def _charged(act: ActionContext, extra: Extra, target_id: str, row: ActionReport) -> list[str]:
    """Roll the save of a charge's target, and return the conditions that it got."""
    part = extra.part
    if "save" not in part or not can_be_affected(act, part, target_id) or act.creature(target_id).character.is_dead:
        return []
    made = save_against(act, part, target_id)
    row["save"] = shown_save(act, part, made)
    got = inflict(act, part, target_id, made)
    move_by_force(act, part, target_id, made)
    return got


def _multiplied(act: ActionContext, part: BlockPart, whole: Expression, why: str) -> int:
    """Roll the dice of a critical hit that counts them more than twice."""
    thrown = roll(critical(whole), lambda sides: act.ctx.dice.draw(sides, why)).total
    count, _, sides = str(part["damage"][0]["dice"]).partition("d")
    further = int(count) * (figures(part)["crit_dice_multiplier"] - 2)
    return thrown + sum(act.ctx.dice.draw(int(sides), why) for _ in range(further))


def _after_save(act: ActionContext, part: BlockPart, made: Save) -> Iterator[Thrown]:
    """Roll the damage that depends on the save: all of it, half of it or none. A critical hit does not double it."""
    halves = save_of(part).get("success") == "half"
    for each in part.get("damage", ()):
        if each.get("when") == "failed_save" and (halves or not made.success):
            why = f"{act.actor_id}, {part['name']} after the save"
            yield Thrown(throw_dice(act.ctx, expression_of(each), why), type_of(each), made.success)


def _overridden(act: ActionContext, part: BlockPart) -> Iterator[Correction]:
    """Yield figures in the call that replace the block's."""
    args, first = act.args, next(iter(part.get("damage", ())), None)
    own: dict[str, object] = {"attack_bonus": _to_hit(act, part)}
    if first is not None:
        own |= {"damage_expression": render(expression_of(first)), "damage_type": first.get("type")}
    if isinstance(part.get("save"), Mapping):
        own["save_dc"] = save_of(part).get("dc")
    for name, value in own.items():
        given = getattr(args, name)
        if given is not None and given != value:
            yield {"field": f"args.{name}", "from": value, "to": given, "how": "override"}


def _drained(act: ActionContext, part: BlockPart, done: DamageResult) -> ActionReport:
    """Give the actor the hit points that its attack drains: the damage that is not the weapon's own."""
    if figures(part).get("drain") != "damage_taken" or act.creature(act.actor_id).character.is_dead:
        return {}
    own = act.creature(act.actor_id)
    return {"healing": heal(act.world, own, _own_damage(part, done), act.ctx, by=own)}


def _own_damage(part: BlockPart, done: DamageResult) -> int:
    """Return the damage that an attack dealt besides the weapon's own: all of it, where there is only one part."""
    listed = [each for each in part["damage"] if each.get("when") in (None, "failed_save")]
    return done.parts[-1].damage if len(listed) > 1 and len(done.parts) > 1 else done.taken


# what a hit brings


def _of_grip(act: ActionContext, part: BlockPart, target_id: str) -> Sources:
    """Return the advantage of an attack against a target it holds."""
    if not part.get("grapple", {}).get("figures", {}).get("advantage_vs_grappled"):
        return Sources()
    held = found(body_of(act.world, act.person(target_id)), "grappled")
    return Sources(("grappled",)) if held is not None and held.source == act.actor_id else Sources()


def _wins(act: ActionContext, part: BlockPart, target_id: str) -> bool:
    """Return whether a hit brings the rest: only if the actor wins the contest of strength that the block asks for."""
    return "contest" not in figures(part) or strength(act, act.actor_id) > strength(act, target_id)


def _brought(
    act: ActionContext, part: BlockPart, target_id: str, made: Save | None, done: DamageResult | None
) -> list[str]:
    """Apply the attack's effects besides damage to the target, and return the conditions that it got."""
    if act.creature(target_id).character.is_dead or not _wins(act, part, target_id):
        return []
    got = [*grip(act, part, target_id), *inflict(act, part, target_id, made)]
    if done is not None and done.before > 0 and act.creature(target_id).character.hp == 0:
        got += inflict_at_zero(act, part, target_id)
    move_by_force(act, part, target_id, made)
    return got
