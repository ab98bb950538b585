"""What single spells do beside damage, healing, conditions and effects.

Source: SRD 5.1, "Spell Descriptions"; docs/content.md, "Spells by name".
"""

from __future__ import annotations

from collections.abc import Mapping

from turnwright.content.kinds.spells import Spell
from turnwright.model.creature import Effect
from turnwright.model.encounter import Encounter, Participant, Position
from turnwright.model.vocabulary import ConditionName, DamageType, words
from turnwright.rulesets.fifth_edition import damage as harm
from turnwright.rulesets.fifth_edition.battlefield import body_on_grid, ground_for, occupant_of, solid_squares
from turnwright.rulesets.fifth_edition.condition_list import without_condition
from turnwright.rulesets.fifth_edition.damage import DamageResult
from turnwright.rulesets.fifth_edition.damage_rules import Source
from turnwright.rulesets.fifth_edition.fights._pushing import pushed_away
from turnwright.rulesets.fifth_edition.fights.survival import kept_by_effect
from turnwright.rulesets.fifth_edition.magic.spells.casting import Casting, Row
from turnwright.rulesets.fifth_edition.magic.spells.dispelling import can_counter, can_dispel, dispel, wait_for_spell
from turnwright.rulesets.fifth_edition.magic.spells.figures import damage_dice, rounds_in
from turnwright.rulesets.fifth_edition.maintained_effects import end_maintained_effects
from turnwright.rulesets.fifth_edition.rolls import throw_dice
from turnwright.rulesets.fifth_edition.sheets import health
from turnwright.rulesets.fifth_edition.sheets.derived_stats import counted_hp
from turnwright.rulesets.fifth_edition.sheets.effect_list import with_effect
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
    if any(each in _CONDITIONS or each == "exhaustion_level" for each in removed):
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
    done |= {"dies_at_0", "heals_self", "hp_floor", "revives", "stabilizes"} & figures.keys()
    reduction = figures.get("hp_max_reduction")
    if isinstance(reduction, Mapping) and reduction.get("by") == "damage_taken":
        done.add("hp_max_reduction")
    if isinstance(figures.get("teleport"), int) and spell.range in ("self", figures["teleport"]):
        done |= {"teleport", "passengers"} & figures.keys()
    return frozenset(done)


def special(casting: Casting, identifier: str, row: Row) -> None:
    """Do to somebody what the figures of the entry say beside all else."""
    figures = casting.spell.figures
    if "no_reactions" in executed_specials(casting.spell):
        _take_reaction(casting, identifier)
    if figures.get("effect") == "dies":
        _kill_weak(casting, identifier, row)
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


def kill_at_zero(casting: Casting, identifier: str) -> None:
    """Kill somebody whom a spell that leaves nothing of its victims has brought to 0 hit points."""
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
    creature, hp = casting.creature(identifier), casting.spell.figures["revives"]["hp"]
    if not creature.character.is_dead:
        row["unaffected"] = "it is not dead"
        return
    most = creature.character.max_hp or 1
    put_creature(casting.world, creature, raised(creature.character, hp if isinstance(hp, int) else most))


def _teleport(casting: Casting, identifier: str, row: Row) -> None:
    """Put the caster on the square that the call names, which `aim` has looked at, and passengers beside it."""
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
    """Return why somebody cannot arrive where they are put; None where they can."""
    body = body_on_grid(casting.world, person)
    squares = {(x, y) for x, y, _ in body.squares}
    ground = ground_for(casting.world, encounter)
    if not ground.grid.has(body) or squares & solid_squares(encounter):
        return "nobody can stand on the square"
    if occupant_of(casting.world, encounter, body.squares, {person.id}) is not None:
        return "the square is taken"
    return None


def _jolt(casting: Casting, identifier: str, row: Row) -> None:
    """Hurt who would arrive where somebody or something is already: nobody is moved."""
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
    """End the conditions that the entry ends, or the one that the caster chose."""
    named = casting.spell.figures["removes"]
    wanted = [each for each in named if casting.choice is None or each == casting.choice]
    gone = []
    for each in wanted:
        name = "exhaustion" if each == "exhaustion_level" else each
        creature = casting.creature(identifier)
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
    """Push somebody straight away from the caster, as far as there is room."""
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
