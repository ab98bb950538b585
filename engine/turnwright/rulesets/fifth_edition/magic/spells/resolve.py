"""Apply a spell to its targets: attacks, saves, damage, healing and conditions, as its entry says.

All dice of a step are rolled before it changes any creature. Source: SRD 5.1, "Spellcasting"; docs/content.md,
"Spells by name".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from turnwright.content.kinds.shapes import Inflicted
from turnwright.model.creature import Condition, Effect, EndsBy
from turnwright.model.dice.expression import Roll, parse, render
from turnwright.model.vocabulary import Ability, DamageType
from turnwright.rulesets.fifth_edition import damage as harm
from turnwright.rulesets.fifth_edition.battlefield import are_hostile, cover_between
from turnwright.rulesets.fifth_edition.conditions import afflict
from turnwright.rulesets.fifth_edition.damage import DamageResult, status_of
from turnwright.rulesets.fifth_edition.damage_rules import Damage, Source
from turnwright.rulesets.fifth_edition.fights._attack import Aim, Struck, kept_from, strike
from turnwright.rulesets.fifth_edition.fights.advantage import Sources
from turnwright.rulesets.fifth_edition.fights.traits import MAGIC, is_sleepless
from turnwright.rulesets.fifth_edition.magic.spells.aim import Aimed, why_unaffected
from turnwright.rulesets.fifth_edition.magic.spells.boons import globe_between, is_spell_blocked
from turnwright.rulesets.fifth_edition.magic.spells.casting import Casting, Row, kind_of
from turnwright.rulesets.fifth_edition.magic.spells.coverage import (
    BY_ACTION,
    REPEATS,
    STORM,
    UNSEEN,
    is_at_once,
    is_counted,
    is_harmful,
    is_lasting,
)
from turnwright.rulesets.fifth_edition.magic.spells.figures import (
    UNTIL_DISPELLED,
    damage_dice,
    damage_parts,
    grown,
    healing_dice,
    lasts_until_dispelled,
    pool_dice,
    rounds_in,
    save_abilities,
    temporary_hp_dice,
)
from turnwright.rulesets.fifth_edition.magic.spells.lasting import ENDED_BY, ENDINGS, Fields, ending, leave_effect
from turnwright.rulesets.fifth_edition.magic.spells.special import (
    drain,
    kill_at_zero,
    least_left,
    reduce_maximum,
    special,
)
from turnwright.rulesets.fifth_edition.magic.spells.told import WILLING
from turnwright.rulesets.fifth_edition.magic.spells.zoning import escape_abilities
from turnwright.rulesets.fifth_edition.rolls import (
    NOTHING,
    Save,
    mode_sources,
    save,
    save_dice,
    throw_dice,
)
from turnwright.rulesets.fifth_edition.sheets import checks
from turnwright.rulesets.fifth_edition.sheets.derived_stats import counted_hp
from turnwright.rulesets.fifth_edition.sheets.effect_list import with_effect
from turnwright.rulesets.fifth_edition.sheets.health import with_temp_hp
from turnwright.rulesets.fifth_edition.targets import Creature, now, participant_of, put_creature, reload

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.shapes import DamageReport

SPELL = Source(is_spell=True)


class Part(NamedTuple):
    """One part of the damage as rolled."""

    roll: Roll
    kind: DamageType


class Resolved(NamedTuple):
    """The result of a spell: a row for each target, and the hit points it could affect, as rolled."""

    rows: list[Row]
    pool: int | None = None


def resolve(casting: Casting, aimed: Aimed) -> Resolved:
    """Carry out what the entry says; it cannot fail any more."""
    pool = pool_dice(casting.spell, casting.level)
    if pool is not None:
        return _by_pool(casting, aimed, pool)
    if casting.spell.attack is not None:
        return Resolved(_by_attack(casting, aimed))
    if save_abilities(casting.spell):
        return Resolved(_by_save(casting, aimed))
    return Resolved(_at_once(casting, aimed))


# attacks


def _by_attack(casting: Casting, aimed: Aimed) -> list[Row]:
    """Attack once for each ray, each with its own damage; each ray is fully rolled before the next."""
    rows = []
    for identifier in aimed.ids:
        creature = casting.creature(identifier)
        if casting.encounter_id is None or creature.participant_id is None:
            rows.append(_row(casting, identifier, {"unaffected": "nobody attacks outside of a fight"}))
            continue
        ward = globe_between(casting, creature)
        if creature.character.is_dead or ward is not None:
            why = f"{ward} blocks it" if ward is not None else "it is dead"
            rows.append(_row(casting, identifier, {"unaffected": why}))
            continue
        rows.append(_attack(casting, identifier))
    return rows


def _attack(casting: Casting, identifier: str) -> Row:
    args, encounter_id = casting.args, casting.encounter_id or ""
    extra = mode_sources(advantage=args.advantage, disadvantage=args.disadvantage)
    at_range = casting.spell.attack == "ranged"
    bonus = casting.attack_bonus
    blow = strike(
        casting.world, encounter_id, Aim(casting.caster_id, identifier, bonus, at_range, None, extra), casting.ctx
    )
    casting.triggered += blow.triggered
    row: Row = {"attack": blow.shown()}
    before = None
    if not blow.hits and casting.spell.figures.get("on_miss") == "half_initial" and blow.kept_off is None:
        done = _deal(casting, identifier, _thrown(casting), row, half=True)
        before = done.before if done else None
    if blow.hits:
        parts = _thrown(casting, is_critical=blow.is_critical)
        done = _deal(casting, identifier, parts, row, blow=blow)
        before = done.before if done else None
        if done is not None:
            drain(casting, done, row)
        _inflict(casting, identifier, row, {"always", "hit"})
        _leave(casting, identifier, row)
    return _row(casting, identifier, row, before)


# saves


def _by_save(casting: Casting, aimed: Aimed) -> list[Row]:
    """Roll the damage once, roll all targets' saves, and only then deal it."""
    spared = {each: _why_spared(casting, each) for each in aimed.ids}
    saving = [each for each in aimed.ids if spared[each] is None and not casting.creature(each).character.is_dead]
    parts = _thrown(casting) if saving else []
    abilities = {each: _best(casting, each) for each in saving}
    casting.ctx.dice.expect(
        die
        for each in saving
        if not _is_willing(casting, each)
        for die in save_dice(
            casting.world, casting.creature(each), abilities[each], casting.why_saved(each), _versus(casting)
        )
    )
    willing = [each for each in saving if _is_willing(casting, each)]
    saves = {each: _save(casting, each, abilities[each], aimed) for each in saving if each not in willing}
    rows = []
    for identifier in aimed.ids:
        if identifier in willing:
            row: Row = {}
            _inflict(casting, identifier, row, {"always", "failed_save"})
            _leave(casting, identifier, row)
            rows.append(_row(casting, identifier, row))
            continue
        if identifier not in saves:
            rows.append(_row(casting, identifier, {"unaffected": spared[identifier] or "it is dead"}))
            continue
        rows.append(_saved(casting, identifier, abilities[identifier], saves[identifier], parts))
    return rows


def _saved(casting: Casting, identifier: str, ability: Ability, made: Save, parts: Sequence[Part]) -> Row:
    row: Row = {"save": made.shown_against(ability, casting.save_dc)}
    spell_save = casting.spell.save
    if made.success:
        _withstand(casting, identifier)
    is_half = spell_save is not None and spell_save.success == "half"
    before = None
    if parts and (is_half or not made.success):
        done = _deal(casting, identifier, parts, row, half=made.success)
        before = done.before if done else None
        if done is not None and not made.success:
            reduce_maximum(casting, identifier, done)
    _inflict(casting, identifier, row, {"always"} if made.success else {"always", "failed_save"})
    if not made.success:
        _leave(casting, identifier, row)
    return _row(casting, identifier, row, before)


def _is_willing(casting: Casting, identifier: str) -> bool:
    """Return whether a creature accepts a spell that only unwilling targets save against."""
    if casting.spell.figures.get("willing") != WILLING:
        return False
    caster, person = casting.person(casting.caster_id), casting.person(identifier)
    if caster is None or person is None:
        return casting.creature(identifier).character.character_type == "pc"
    return not are_hostile(caster, person)


def _withstand(casting: Casting, identifier: str) -> None:
    """Record a save that makes a target immune to the spell, for as long as its entry says."""
    said = casting.spell.figures.get("withstood")
    if said is None:
        return
    creature = casting.creature(identifier)
    is_held = said == "duration" and casting.spell.concentration
    rounds = casting.rounds if said == "duration" else rounds_in(said)
    effect = Effect(
        effect_id=casting.world.new_id("effect", held=[each.effect_id for each in creature.character.effects]),
        name=f"{casting.spell.name} withstood",
        type="boon",
        source=casting.source_id,
        blocks_spells=(casting.spell.id,),
        duration="concentration" if is_held else rounds,
        rounds_remaining=None if is_held else rounds,
    )
    put_creature(casting.world, creature, with_effect(creature.character, effect).character)


def _why_spared(casting: Casting, identifier: str) -> str | None:
    """Return why a spell does not affect a creature: its kind, or a protection; None where it does."""
    creature = casting.creature(identifier)
    why = why_unaffected(casting, creature)
    if why is not None:
        return why
    immune = set(casting.spell.figures.get("immune_if", ())) & now(casting.world, creature).condition_immunities
    if immune:
        return f"it cannot be {min(immune)}"
    ward = is_spell_blocked(casting.spell, creature) or globe_between(casting, creature)
    if ward is not None:
        return f"{ward} blocks it"
    if casting.encounter is None or casting.spell.area is not None or not is_harmful(casting.spell):
        return None
    kept_off = kept_from(casting.world, casting.encounter, casting.caster_id, identifier, casting.ctx)
    if kept_off is None or kept_off.success:
        return None
    return f"{casting.caster_id} fails the save that keeps off who would harm {identifier}"


def _best(casting: Casting, identifier: str) -> Ability:
    """Return the ability that a target saves with: the better one, where it may choose."""
    values = now(casting.world, casting.creature(identifier))
    return max(save_abilities(casting.spell), key=lambda each: checks.saving_throw(values, each, {}).total)


def _save(casting: Casting, identifier: str, ability: Ability, aimed: Aimed) -> Save:
    creature = casting.creature(identifier)
    return save(
        casting.world,
        creature,
        ability,
        casting.save_dc,
        casting.ctx,
        why=casting.why_saved(identifier),
        extra=_save_sources(casting, creature),
        bonus=_cover_bonus(casting, creature, ability, aimed) + int(casting.spell.figures.get("target_save_bonus", 0)),
        versus=_versus(casting),
    )


def _versus(casting: Casting) -> frozenset[str]:
    """Return what a save is against, in the terms of the target's traits."""
    return frozenset({MAGIC, *(each.id for each in casting.spell.conditions)})


def _save_sources(casting: Casting, creature: Creature) -> Sources:
    caster, person = casting.person(casting.caster_id), participant_of(casting.world, creature)
    fights = caster is not None and person is not None and are_hostile(caster, person)
    if fights and casting.spell.figures.get("save_advantage") == "fighting_caster":
        return Sources((f"it fights {casting.caster_id}",), ())
    kinds = casting.spell.figures.get("save_disadvantage", ())
    kind = kind_of(casting, creature)
    listed = kinds if isinstance(kinds, (list, tuple)) else (kinds,)
    return Sources((), (f"it is {kind}",)) if kind in listed else NOTHING


def _cover_bonus(casting: Casting, creature: Creature, ability: Ability, aimed: Aimed) -> int:
    """Return what cover adds to a save of Dexterity, unless the spell passes it over."""
    encounter, person = casting.encounter, participant_of(casting.world, creature)
    if ability != "dex" or encounter is None or person is None or creature.id == casting.caster_id:
        return 0
    if "cover" in casting.spell.figures.get("ignores", ()):
        return 0
    origin = aimed.origin or casting.person(casting.caster_id)
    return 0 if origin is None else cover_between(casting.world, encounter, origin, person).bonus or 0


# hit points that are counted off


def _by_pool(casting: Casting, aimed: Aimed, pool: str) -> Resolved:
    """Affect creatures with so many hit points in all, those with the fewest first."""
    thrown = throw_dice(casting.ctx, pool, f"hit points of {casting.spell.name}")
    left = thrown.total
    rows = {}
    reached = sorted(aimed.ids, key=lambda each: counted_hp(casting.creature(each).character)[0] or 0)
    for identifier in reached:
        creature = casting.creature(identifier)
        why, hp = _why_not_counted(casting, creature), counted_hp(creature.character)[0] or 0
        if why is None and hp > left:
            why = f"it has {hp} hit points, and {left} are left"
        row: Row = {"unaffected": why} if why is not None else {}
        if why is None:
            left -= hp
            _inflict(casting, identifier, row, {"hp_pool"})
        rows[identifier] = _row(casting, identifier, row)
    return Resolved([rows[each] for each in aimed.ids], thrown.total)


def _why_not_counted(casting: Casting, creature: Creature) -> str | None:
    ward = globe_between(casting, creature)
    why = f"{ward} blocks it" if ward is not None else why_unaffected(casting, creature)
    if why is not None:
        return why
    names = creature.character.condition_names
    if not counted_hp(creature.character)[0]:
        return "it is at 0 hit points"
    if creature.character.is_dead or "unconscious" in names:
        return "it is dead" if creature.character.is_dead else "it is unconscious"
    if "charm_immune" in casting.spell.no_effect_on and "charmed" in now(casting.world, creature).condition_immunities:
        return "it cannot be charmed"
    if any(each.id == "unconscious" for each in casting.spell.conditions) and is_sleepless(casting.world, creature):
        return "magic cannot put it to sleep"
    gives_blindness = any(each.id == "blinded" and each.on == "hp_pool" for each in casting.spell.conditions)
    return "it cannot see" if gives_blindness and "blinded" in names else None


# effects without a save


def _at_once(casting: Casting, aimed: Aimed) -> list[Row]:
    heal, temporary = _healing(casting), _temporary(casting)
    rows = []
    for identifier in aimed.ids:
        why = _why_spared(casting, identifier)
        if why is not None:
            rows.append(_row(casting, identifier, {"unaffected": why}))
            continue
        row: Row = {}
        before = None
        parts = _thrown(casting)
        if parts:
            done = _deal(casting, identifier, parts, row)
            before = done.before if done else None
        if heal is not None:
            before = _heal(casting, identifier, heal, row)
        if "heal_pool" in casting.spell.figures:
            before = _heal_of_pool(casting, identifier, row)
        if temporary is not None:
            _give_temporary(casting, identifier, temporary, row)
        _raise_maximum(casting, identifier, row)
        _inflict(casting, identifier, row, {"always"} | ({"max_hp"} if _is_low(casting, identifier) else set()))
        _leave(casting, identifier, row)
        rows.append(_row(casting, identifier, row, before))
    return rows


def _is_low(casting: Casting, identifier: str) -> bool:
    most = casting.spell.figures.get("max_hp")
    return isinstance(most, int) and (counted_hp(casting.creature(identifier).character)[0] or 0) <= most


def _healing(casting: Casting) -> Roll | None:
    heal = casting.spell.heal
    if heal is None or heal.kind is not None:
        return None
    dice = healing_dice(casting.spell, heal, casting.level, casting.modifier)
    return throw_dice(casting.ctx, dice, f"healing of {casting.spell.name}")


def _heal(casting: Casting, identifier: str, thrown: Roll, row: Row) -> int | None:
    creature = casting.creature(identifier)
    before = counted_hp(creature.character)[0]
    if creature.character.is_dead:
        row["unaffected"] = "it is dead"
        return before
    amount = harm.healing_from(creature, thrown)
    gained = harm.heal(casting.world, creature, amount, casting.ctx, by=casting.caster)
    faces = [face for term in thrown.terms for face in term.rolls]
    row["healing"] = {"expression": render(thrown.expression), "rolls": faces, "raw": amount, "gained": gained}
    return before


def _heal_of_pool(casting: Casting, identifier: str, row: Row) -> int | None:
    """Give a target its share of a pool of healing: what the call says, or all of it for an only target."""
    creature, amounts = casting.creature(identifier), casting.args.amounts
    before = counted_hp(creature.character)[0]
    if creature.character.is_dead:
        row["unaffected"] = "it is dead"
        return before
    shares: dict[str, int] = {}
    for each, amount in zip(casting.args.target_ids, amounts, strict=False):
        named = casting.creature(each).id
        shares[named] = shares.get(named, 0) + amount
    share = shares.get(identifier, 0) if amounts else int(casting.spell.figures["heal_pool"])
    gained = harm.heal(casting.world, creature, share, casting.ctx, by=casting.caster)
    row["healing"] = {"expression": str(share), "rolls": [], "raw": share, "gained": gained}
    return before


def _temporary(casting: Casting) -> int | None:
    given = casting.spell.temp_hp
    if given is None or given.when is not None or given.option not in (None, casting.choice):
        return None
    dice = temporary_hp_dice(casting.spell, casting.level, casting.modifier)
    return (
        None
        if dice is None
        else max(0, throw_dice(casting.ctx, dice, f"temporary hit points of {casting.spell.name}").total)
    )


def _give_temporary(casting: Casting, identifier: str, amount: int, row: Row) -> None:
    creature = casting.creature(identifier)
    after = with_temp_hp(creature.character, amount)
    put_creature(casting.world, creature, after)
    row["temp_hp"] = after.temp_hp


# damage and conditions


def _thrown(casting: Casting, *, is_critical: bool = False) -> list[Part]:
    """Roll every part of the damage."""
    parts: list[Part] = []
    for part in damage_parts(casting.spell, casting.level):
        kind = casting.damage_type if casting.damage_type in part.types else part.types[0]
        dice = part.dice
        if casting.choice == STORM and not parts:
            dice = grown(dice, casting.spell.figures["outdoor_storm_bonus"], 1)
        if casting.spell.damage_modifier == "spellcasting" and casting.modifier:
            dice = f"{dice}{casting.modifier:+d}"
        thrown = throw_dice(casting.ctx, parse(dice), f"damage of {casting.spell.name}", is_critical=is_critical)
        parts.append(Part(thrown, kind))
    return parts


def _deal(
    casting: Casting,
    identifier: str,
    parts: Iterable[Part],
    row: Row,
    *,
    half: bool = False,
    blow: Struck | None = None,
) -> DamageResult | None:
    """Deal all parts in one blow, each part with what the target resists of it."""
    target = casting.creature(identifier)
    thrown = list(parts)
    if not thrown:
        return None
    thrown += _of_curses(casting, target, is_critical=blow is not None and blow.is_critical)
    first, *others = thrown
    done = harm.damage(
        casting.world,
        target,
        least_left(casting, target, first.roll.total, first.kind, half=half),
        first.kind,
        casting.ctx,
        half=half,
        is_critical=blow is not None and blow.is_critical,
        by=casting.caster,
        more=[(part.roll.total, part.kind) for part in others],
        source=SPELL,
    )
    taken = done.parts or (Damage(done.taken, "none"),)
    shown = [_shown_part(part, each) for part, each in zip(thrown, taken, strict=False)]
    row["damage"] = shown[0]
    if shown[1:]:
        row["further_damage"] = shown[1:]
    casting.suffered(done)
    kill_at_zero(casting, identifier)
    return done


def _of_curses(casting: Casting, target: Creature, *, is_critical: bool) -> list[Part]:
    """Return the extra damage of the caster's spells to a target, rolled."""
    found = []
    for effect in target.character.effects:
        more = effect.damage_from
        if more is not None and more.whose == casting.caster_id and more.type is not None:
            why = f"{effect.name} of {target.id}"
            found.append(Part(throw_dice(casting.ctx, more.dice, why, is_critical=is_critical), more.type))
    return found


def _shown_part(part: Part, taken: Damage) -> DamageReport:
    """Return one part of the damage as results hold it."""
    return {
        "expression": render(part.roll.expression),
        "rolls": [face for term in part.roll.terms for face in term.rolls],
        "raw": part.roll.total,
        "final": taken.damage,
        "type": part.kind,
        "adjusted": taken.adjusted,
    }


def _inflict(casting: Casting, identifier: str, row: Row, moments: set[str]) -> None:
    """Give the conditions that the entry gives at these moments."""
    given = []
    for each in _chosen(casting):
        if each.on not in moments or not is_at_once(each):
            continue
        done = afflict(casting.world, casting.creature(identifier), _condition(casting, identifier, each), casting.ctx)
        casting.warnings += done.warnings
        if done.blocked:
            casting.warnings.append(f"{identifier} is immune to being {each.id}")
        else:
            given.append(each.id)
    if given:
        row["conditions"] = given


def _chosen(casting: Casting) -> Sequence[Inflicted]:
    """Return the conditions of the entry, or the one that its caster chose of them."""
    if casting.spell.figures.get("choose_condition") and casting.args.choice is not None:
        return [each for each in casting.spell.conditions if each.id == casting.args.choice.strip().lower()]
    return casting.spell.conditions


def _condition(casting: Casting, target_id: str, inflicted: Inflicted) -> Condition:
    """Return a condition as the spell gives it: for as long as it lasts, or until a save ends it."""
    spell = casting.spell
    rounds = casting.rounds if inflicted.duration == "duration" else rounds_in(inflicted.duration)
    ends_by_save = inflicted.repeat in (*REPEATS, UNSEEN) or (
        spell.repeat_save == "turn_end" and spell.save is not None
    )
    held = inflicted.duration == "duration" and spell.concentration
    duration: int | str | None = "concentration" if held else rounds
    if duration is None and ends_by_save:
        duration = "save_ends"
    elif duration is None and inflicted.duration == "duration" and lasts_until_dispelled(spell, casting.level):
        duration = UNTIL_DISPELLED
    extra: dict[str, Any] = {}
    if inflicted.duration is not None and inflicted.duration in ENDINGS and casting.encounter_id is not None:
        extra["ends"] = ending(casting, target_id, inflicted.duration)
    if ends_on := [each for each in spell.figures.get("ends_on", ()) if each in ENDED_BY]:
        extra["ends_on"] = ends_on
    if ends_by_save and spell.save is not None:
        ability = spell.save.ability[0] if isinstance(spell.save.ability, tuple) else spell.save.ability
        extra |= {"save_dc": casting.save_dc, "save_ability": ability}
        extra |= _of_saves(casting, inflicted)
        if duration != "save_ends" and inflicted.repeat != "when_damaged":
            extra["repeat_save"] = "turn_end_unseen" if inflicted.repeat == UNSEEN else "turn_end"
    if inflicted.repeat == BY_ACTION and spell.save is not None:
        ability = spell.save.ability[0] if isinstance(spell.save.ability, tuple) else spell.save.ability
        extra["ends_by"] = EndsBy(save=ability, dc=casting.save_dc, within=0)
    if (abilities := escape_abilities(spell)) and inflicted.escape is not None:
        extra["ends_by"] = EndsBy(abilities=abilities, dc=casting.save_dc, within=0)
    if is_lasting(spell):
        extra |= {"spell": spell.name, "slot_level": casting.level.slot}
    return Condition(condition=inflicted.id, source=casting.source_id, duration=duration, **extra)


def _of_saves(casting: Casting, inflicted: Inflicted) -> Fields:
    """Return what the entry says of the saves against a condition: what a failed one deals, and how they count."""
    spell = casting.spell
    told: Fields = {}
    for part in spell.damage:
        if part.when == "turn_end_failed_save" and isinstance(part.type, str):
            told["failed_save_damage"] = {"dice": damage_dice(spell, part, casting.level), "type": part.type}
    worse = next((each for each in spell.conditions if is_counted(spell, each)), None)
    if worse is not None:
        told |= {"tally": {"needed": spell.figures["failures_to_worsen"]}, "worsens_to": worse.id}
    if inflicted.repeat in ("turn_end_or_damage", "when_damaged"):
        told["saves_when_damaged"] = "advantage" if spell.figures.get("damage_save") == "advantage" else "normal"
    return told


def _raise_maximum(casting: Casting, identifier: str, row: Row) -> None:
    """Raise the hit points and their maximum by the same, as Aid does."""
    heal, dice = casting.spell.heal, casting.spell.figures.get("hp_max_bonus")
    amount, faces = 0, list[int]()
    if (heal is None or heal.kind != "hp_and_max_hp") and dice is None:
        return
    if dice is not None:
        thrown = throw_dice(casting.ctx, str(dice), f"{casting.spell.name} of {identifier}")
        amount, faces = thrown.total, [face for term in thrown.terms for face in term.rolls]
    elif heal is not None:
        amount = int(healing_dice(casting.spell, heal, casting.level, 0))
    row["effect"] = leave_effect(casting, identifier, {"max_hp_modifier": amount})
    creature = casting.creature(identifier)
    if not creature.character.is_dead:
        gained = harm.heal(casting.world, creature, amount, casting.ctx, by=casting.caster)
        row["healing"] = {"expression": str(dice or amount), "rolls": faces, "raw": amount, "gained": gained}


def _leave(casting: Casting, identifier: str, row: Row) -> None:
    """Apply the entry's other effects to a target, besides damage and conditions, and leave its effect there."""
    special(casting, identifier, row)
    if "effect" not in row:
        left = leave_effect(casting, identifier, {})
        if left is not None:
            row["effect"] = left


# the row of a target


def _row(casting: Casting, identifier: str, told: Row, before: int | None = None) -> Row:
    """Return the row of a target: what was done to it, and its state."""
    creature = reload(casting.world, casting.creature(identifier))
    character = creature.character
    row: Row = {"target_id": identifier, **told}
    hp, most = counted_hp(character)
    if most is not None and hp is not None:
        was = hp if before is None else before
        row["target_hp"] = {"before": was, "after": hp, "max": most, "temp": character.temp_hp}
        row["target_status"] = status_of(creature)
    return row | {"target_conditions": list(character.condition_names)}
