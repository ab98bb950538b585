"""Special effects of single spells besides damage, healing, conditions and effects.

Source: SRD 5.1, "Spell Descriptions"; docs/content.md, "Spells by name".
"""

from __future__ import annotations

from collections.abc import Mapping

from turnwright.content.kinds.spells import Spell
from turnwright.model.creature import Effect
from turnwright.model.encounter import Encounter, Participant, Position
from turnwright.model.vocabulary import ConditionName, DamageType, words
from turnwright.rulesets.fifth_edition import damage as harm
from turnwright.rulesets.fifth_edition.battlefield import (
    body_on_grid,
    ground_for,
    is_away,
    is_ethereal,
    occupant_of,
    solid_squares,
)
from turnwright.rulesets.fifth_edition.condition_list import without_condition
from turnwright.rulesets.fifth_edition.damage import DamageResult
from turnwright.rulesets.fifth_edition.damage_rules import Source
from turnwright.rulesets.fifth_edition.fights._pushing import pushed_away
from turnwright.rulesets.fifth_edition.fights.survival import kept_by_effect
from turnwright.rulesets.fifth_edition.magic.spells.casting import Casting, Row
from turnwright.rulesets.fifth_edition.magic.spells.control import take_control
from turnwright.rulesets.fifth_edition.magic.spells.dispelling import can_counter, can_dispel, dispel, wait_for_spell
from turnwright.rulesets.fifth_edition.magic.spells.fates import (
    PERCENT,
    befall,
    has_race_table,
    least_step,
    new_body,
    omen,
    send_home,
    sorts_by_hp,
    tells_omens,
)
from turnwright.rulesets.fifth_edition.magic.spells.figures import damage_dice, rounds_in
from turnwright.rulesets.fifth_edition.magic.spells.finding import can_detect, can_locate, detect, locate
from turnwright.rulesets.fifth_edition.maintained_effects import end_maintained_effects
from turnwright.rulesets.fifth_edition.rolls import throw_dice
from turnwright.rulesets.fifth_edition.sheets import health
from turnwright.rulesets.fifth_edition.sheets.derived_stats import counted_hp
from turnwright.rulesets.fifth_edition.sheets.effect_list import CURABLE, cured_of, with_effect
from turnwright.rulesets.fifth_edition.sheets.life_override import raised
from turnwright.rulesets.fifth_edition.targets import Creature, now, put_creature, put_participant

_CONDITIONS = frozenset(words(ConditionName))
_STEP = 5


def executed_specials(spell: Spell) -> frozenset[str]:
    """Return the figures of a spell that are carried out here."""
    figures, done = spell.figures, set[str]()
    if can_dispel(spell):
        done.add("dispels")
    if can_counter(spell):
        done.add("counters")
    if figures.get("no_reactions") == "target_next_turn_start":
        done.add("no_reactions")
    if figures.get("effect") == "dies" and isinstance(figures.get("max_hp"), int):
        done |= {"effect", "max_hp"}
    if any(each.on == "max_hp" for each in spell.conditions):
        done.add("max_hp")
    removed = figures.get("removes", ())
    if any(each in _CONDITIONS | CURABLE or each == "exhaustion_level" for each in removed):
        done |= {"removes", "choose"} & figures.keys()
    if figures.get("on_miss") == "half_initial":
        done.add("on_miss")
    if {"disease", "poison"} >= set(figures.get("cures", ())) or figures.get("neutralizes") == "one_poison":
        done |= {"cures", "neutralizes"} & figures.keys()
    if isinstance(figures.get("heal_pool"), int):
        done |= {"heal_pool", "removes"} & figures.keys()
    done |= {"hp_max_bonus"} & figures.keys()
    if figures.get("immune_if") == ["charmed"] or figures.get("immune_if") == ("charmed",):
        done.add("immune_if")
    if can_detect(spell):
        done.add("detects")
    if can_locate(spell):
        done.add("locates")
    if tells_omens(spell):
        done.add("omen")
    if sorts_by_hp(spell):
        done |= {"by_hp"}
    if rounds_in(figures.get("banishes_for")) is not None:
        done |= {"banishes", "banishes_for"} & figures.keys()
    if has_race_table(spell):
        done.add("roll")
    if isinstance(figures.get("fails_across_planes"), int):
        done.add("fails_across_planes")
    if isinstance(figures.get("lifts"), int):
        done.add("lifts")
    done |= {"dies_at_0", "heals_self", "hp_floor", "revives", "stabilizes"} & figures.keys()
    reduction = figures.get("hp_max_reduction")
    if isinstance(reduction, Mapping) and reduction.get("by") == "damage_taken":
        done.add("hp_max_reduction")
    if isinstance(figures.get("teleport"), int) and spell.range in ("self", figures["teleport"]):
        done |= {"teleport", "passengers"} & figures.keys()
    return frozenset(done)


def special(casting: Casting, identifier: str, row: Row) -> None:
    """Apply the entry's remaining figures to a target."""
    figures = casting.spell.figures
    if "no_reactions" in executed_specials(casting.spell):
        _take_reaction(casting, identifier)
    if figures.get("effect") == "dies":
        _kill_weak(casting, identifier, row)
    if "by_hp" in executed_specials(casting.spell):
        _by_hp(casting, identifier, row)
    if can_detect(casting.spell):
        detect(casting, row)
    if can_locate(casting.spell):
        locate(casting, identifier, row)
    if tells_omens(casting.spell):
        omen(casting, row)
    if "fails_across_planes" in figures:
        _may_be_lost(casting, identifier, row)
    if "lifts" in figures:
        _lift(casting, identifier, row)
    if "revives" in figures:
        _revive(casting, identifier, row)
    if "teleport" in executed_specials(casting.spell):
        _teleport(casting, identifier, row)
    if figures.get("stabilizes"):
        _stabilize(casting, identifier, row)
    if "removes" in executed_specials(casting.spell):
        _remove(casting, identifier, row)
    if "poison" in figures.get("cures", ()) or "neutralizes" in figures:
        _cure_poison(casting, identifier, row)
    if can_dispel(casting.spell):
        dispel(casting, identifier, row)
    if can_counter(casting.spell):
        wait_for_spell(casting, identifier)
    take_control(casting, identifier)
    if casting.spell.forced_move is not None:
        _push(casting, identifier, row)


def _take_reaction(casting: Casting, identifier: str) -> None:
    person = casting.person(identifier)
    if person is not None and casting.encounter_id is not None:
        put_participant(
            casting.world, casting.encounter_id, person.replace(economy=person.economy.replace(reaction=True))
        )


def _kill_weak(casting: Casting, identifier: str, row: Row) -> None:
    creature, most = casting.creature(identifier), casting.spell.figures["max_hp"]
    hp = counted_hp(creature.character)[0] or 0
    if hp > most:
        row["unaffected"] = f"it has more than {most} hit points"
        return
    _kill(casting, identifier)


def _by_hp(casting: Casting, identifier: str, row: Row) -> None:
    """Apply what a target's few hit points allow, and send creatures of another plane home."""
    step = least_step(casting, identifier)
    if step is not None and step.get("effect") == "dies":
        _kill(casting, identifier)
    elif step is not None:
        befall(casting, identifier, step, row)
    if "banishes" in executed_specials(casting.spell):
        send_home(casting, identifier, row)


def _may_be_lost(casting: Casting, identifier: str, row: Row) -> None:
    """Roll whether a message is lost on its way to another plane, where the engine knows that it goes to one."""
    here, there = casting.caster.character, casting.creature(identifier).character
    if is_away(here) == is_away(there) and is_ethereal(here) == is_ethereal(there):
        return
    why = f"{casting.spell.name} to {identifier}"
    casting.ctx.dice.expect([(PERCENT, why)])
    thrown = casting.ctx.dice.draw(PERCENT, why)
    row["crossing"] = {"rolled": thrown, "is_lost": thrown <= casting.spell.figures["fails_across_planes"]}


def _lift(casting: Casting, identifier: str, row: Row) -> None:
    """Raise a target straight up, as far as the call says and the entry allows."""
    person, farthest = casting.person(identifier), int(casting.spell.figures["lifts"]) // _STEP
    if person is None or casting.encounter_id is None:
        return
    point = casting.args.target_position
    rise = farthest if point is None else max(-farthest, min(farthest, point.z - person.position.z))
    there = person.position.replace(z=max(0, person.position.z + rise))
    put_participant(casting.world, casting.encounter_id, person.replace(position=there))
    row["position"] = there.as_written


def kill_at_zero(casting: Casting, identifier: str) -> None:
    """Kill a target at 0 hit points, by a spell that leaves no remains."""
    if casting.spell.figures.get("dies_at_0") and not counted_hp(casting.creature(identifier).character)[0]:
        _kill(casting, identifier)


def _kill(casting: Casting, identifier: str) -> None:
    creature = casting.creature(identifier)
    changes = casting.ctx.settings["rules.hp_zero_ends_game"]
    warded = kept_by_effect(creature.character, health.killed(creature.character, changes_state=changes))
    if warded is not None:
        put_creature(casting.world, creature, warded.after)
        casting.warnings += warded.told
        return
    dead = put_creature(casting.world, creature, health.killed(creature.character, changes_state=changes))
    casting.warnings += end_maintained_effects(casting.world, dead).notices(dead)


def least_left(casting: Casting, target: Creature, damage: int, kind: DamageType, *, half: bool) -> int:
    """Return damage, before it is halved, that leaves at least as many hit points as the entry says."""
    least = casting.spell.figures.get("hp_floor")
    if not isinstance(least, int):
        return damage
    left = (counted_hp(target.character)[0] or 0) + target.character.temp_hp - least
    if kind in now(casting.world, target).vulnerabilities:
        left //= 2
    return max(0, min(damage, left * 2 + 1 if half else left))


def reduce_maximum(casting: Casting, identifier: str, done: DamageResult) -> None:
    """Lower the hit point maximum by the damage that was taken."""
    reduction = casting.spell.figures.get("hp_max_reduction")
    if isinstance(reduction, Mapping) and done.taken:
        rounds = rounds_in(str(reduction.get("duration")))
        creature = casting.creature(identifier)
        held = [each.effect_id for each in creature.character.effects]
        effect = Effect(
            effect_id=casting.world.new_id("effect", held=held),
            name=casting.spell.name,
            type="curse",
            source=casting.caster_id,
            max_hp_modifier=-done.taken,
            duration=rounds,
            rounds_remaining=rounds,
        )
        put_creature(casting.world, creature, with_effect(creature.character, effect).character)


def _revive(casting: Casting, identifier: str, row: Row) -> None:
    """Bring the dead back to life with the hit points that the entry gives."""
    creature, hp = casting.creature(identifier), casting.spell.figures["revives"].get("hp", "max")
    if not creature.character.is_dead:
        row["unaffected"] = "it is not dead"
        return
    most = creature.character.max_hp or 1
    put_creature(casting.world, creature, raised(creature.character, hp if isinstance(hp, int) else most))
    if has_race_table(casting.spell):
        new_body(casting, identifier, row)


def _teleport(casting: Casting, identifier: str, row: Row) -> None:
    """Put the caster on the square that the call names, which `aim` has checked, and passengers beside it."""
    point, person = casting.args.target_position, casting.person(identifier)
    if point is None or person is None or casting.encounter_id is None:
        return
    if casting.is_landing_taken:
        _jolt(casting, identifier, row)
        return
    if identifier != casting.caster_id:
        point = _beside(casting, person)
    if point is not None:
        put_participant(casting.world, casting.encounter_id, person.replace(position=point))
        row["position"] = point.as_written


def _beside(casting: Casting, passenger: Participant) -> Position | None:
    """Return the nearest free square to the caster for a passenger, or None."""
    caster, encounter = casting.person(casting.caster_id), casting.encounter
    if caster is None or encounter is None:
        return None
    at = caster.position
    around = [(abs(dx) + abs(dy), dy, dx) for dx in range(-2, 3) for dy in range(-2, 3) if dx or dy]
    places = (passenger.replace(position=at.replace(x=at.x + dx, y=at.y + dy)) for _, dy, dx in sorted(around))
    return next((each.position for each in places if not why_no_room(casting, encounter, each)), None)


def why_no_room(casting: Casting, encounter: Encounter, person: Participant) -> str | None:
    """Return why a target cannot arrive at its goal; None where it can."""
    body = body_on_grid(casting.world, person)
    squares = {(x, y) for x, y, _ in body.squares}
    ground = ground_for(casting.world, encounter)
    if not ground.grid.has(body) or squares & solid_squares(encounter):
        return "nobody can stand on the square"
    if occupant_of(casting.world, encounter, body.squares, {person.id}) is not None:
        return "the square is taken"
    return None


def _jolt(casting: Casting, identifier: str, row: Row) -> None:
    """Hurt a target that would arrive on an occupied square: it is not moved."""
    for part in casting.spell.damage:
        if part.when == "arrives_in_occupied_space" and isinstance(part.type, str) and part.type != "weapon":
            dice = damage_dice(casting.spell, part, casting.level)
            thrown = throw_dice(casting.ctx, dice, f"damage of {casting.spell.name}")
            creature = casting.creature(identifier)
            done = harm.damage(
                casting.world, creature, thrown.total, part.type, casting.ctx, source=Source(is_spell=True)
            )
            casting.suffered(done)
            faces = [face for term in thrown.terms for face in term.rolls]
            row["damage"] = {
                "expression": dice,
                "rolls": faces,
                "raw": thrown.total,
                "final": done.taken,
                "type": part.type,
                "adjusted": done.adjusted,
            }


def _stabilize(casting: Casting, identifier: str, row: Row) -> None:
    creature = casting.creature(identifier)
    character = creature.character
    if counted_hp(character)[0] or character.is_dead or character.death_saves is None:
        row["unaffected"] = "it is not dying"
        return
    changes = casting.ctx.settings["rules.hp_zero_ends_game"]
    put_creature(casting.world, creature, health.stabilized(character, changes_state=changes))


def _remove(casting: Casting, identifier: str, row: Row) -> None:
    """End the conditions and effects that the entry ends, or those that the caster chose."""
    named = casting.spell.figures["removes"]
    wanted = [each for each in named if casting.choice is None or each == casting.choice]
    gone: list[str] = []
    for each in wanted:
        name = "exhaustion" if each == "exhaustion_level" else each
        creature = casting.creature(identifier)
        if each in CURABLE:
            cured = cured_of(creature.character, each)
            put_creature(casting.world, creature, cured.character)
            gone += cured.gone
            continue
        after, changed = without_condition(creature.character, name)
        if name in _CONDITIONS and changed:
            put_creature(casting.world, creature, after)
            gone.append(name)
    row["ended"] = gone


def _cure_poison(casting: Casting, identifier: str, row: Row) -> None:
    creature = casting.creature(identifier)
    after, changed = without_condition(creature.character, "poisoned")
    if changed:
        put_creature(casting.world, creature, after)
        row["ended"] = ["poisoned"]


def drain(casting: Casting, done: DamageResult, row: Row) -> None:
    """Heal the caster by a part of the damage that was taken."""
    share = casting.spell.figures.get("heals_self")
    if not isinstance(share, (int, float)):
        return
    amount = int(done.taken * share)
    row["caster_healed"] = harm.heal(casting.world, casting.caster, amount, casting.ctx, by=casting.caster)


def _push(casting: Casting, identifier: str, row: Row) -> None:
    """Push a target straight away from the caster, as far as there is room."""
    move, encounter_id = casting.spell.forced_move, casting.encounter_id
    caster = casting.person(casting.caster_id)
    if move is None or encounter_id is None or caster is None:
        return
    for _ in range(move.ft // _STEP):
        person, encounter = casting.person(identifier), casting.encounter
        if person is None or encounter is None:
            return
        there = pushed_away(casting.world, encounter, body_on_grid(casting.world, caster), person)
        if there is None:
            break
        put_participant(casting.world, encounter_id, person.replace(position=there))
        row["position"] = there.as_written
