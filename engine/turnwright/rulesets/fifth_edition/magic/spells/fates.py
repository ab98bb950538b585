"""Spells in which a die or a target's hit points decide what happens: omens, words of power, new bodies.

Source: SRD 5.1, "Augury", "Divine Word", "Reincarnate" and the like; docs/content.md, "Spells by name".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from turnwright.content.kinds.spells import Spell
from turnwright.model.creature import Condition, Effect
from turnwright.model.vocabulary import ConditionName, words
from turnwright.rulesets.fifth_edition.conditions import afflict
from turnwright.rulesets.fifth_edition.magic.spells.casting import Casting, Row, kind_of
from turnwright.rulesets.fifth_edition.magic.spells.figures import rounds_in
from turnwright.rulesets.fifth_edition.sheets.derived_stats import counted_hp
from turnwright.rulesets.fifth_edition.sheets.effect_list import effect_named, with_effect
from turnwright.rulesets.fifth_edition.sheets.sheet_rules import sheet_of
from turnwright.rulesets.fifth_edition.targets import put_creature

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.magic.shapes import HpStep, OmenReport

PERCENT = 100
_CONDITIONS = frozenset(words(ConditionName))


def tells_omens(spell: Spell) -> bool:
    """Return whether the answers of a spell are the less sure the more often it is cast before a long rest."""
    said = spell.figures.get("omen")
    return isinstance(said, Mapping) and said.keys() == {"percent", "on"} and isinstance(said["percent"], int)


def omen(casting: Casting, row: Row) -> None:
    """Roll in secret whether an answer is a random one: each casting since the last long rest adds its chance."""
    creature, said = casting.caster, casting.spell.figures["omen"]
    name = f"{casting.spell.name} asked"
    before = effect_named(creature.character, name)
    asked = 1 + ((before.castings or 0) if before is not None else 0)
    chance = min(PERCENT, said["percent"] * (asked - 1))
    told: OmenReport = {"castings": asked, "chance": chance, "goes_wrong": False}
    if chance:
        thrown = casting.ctx.dice.draw(PERCENT, f"{casting.spell.name} of {creature.id}", hidden=True)
        told["rolled"], told["goes_wrong"] = thrown, thrown <= chance
    row["omen"] = told
    noted = Effect(
        effect_id=casting.world.new_id("effect", held=[each.effect_id for each in creature.character.effects]),
        name=name,
        source=creature.id,
        castings=asked,
        duration="until_long_rest",
    )
    put_creature(casting.world, creature, with_effect(creature.character, noted).character)


def sorts_by_hp(spell: Spell) -> bool:
    """Return whether the hit points that are left decide what a spell does, in steps that the engine knows."""
    steps = spell.figures.get("by_hp")
    if not isinstance(steps, Sequence) or not steps:
        return False
    return all(
        each.get("effect") == "dies"
        or (set(each.get("conditions", ())) <= _CONDITIONS and rounds_in(each.get("duration")) is not None)
        for each in steps
    )


def least_step(casting: Casting, identifier: str) -> HpStep | None:
    """Return the effects on a target with so few hit points; None for a target that has too many."""
    hp = counted_hp(casting.creature(identifier).character)[0] or 0
    steps = sorted(casting.spell.figures["by_hp"], key=lambda each: int(each["max_hp"]))
    return next((each for each in steps if hp <= each["max_hp"]), None)


def befall(casting: Casting, identifier: str, step: HpStep, row: Row) -> None:
    """Give a target the conditions of a step."""
    given, rounds = [], rounds_in(step["duration"])
    for name in step["conditions"]:
        condition = Condition(condition=name, source=casting.source_id, duration=rounds)
        done = afflict(casting.world, casting.creature(identifier), condition, casting.ctx)
        casting.warnings += done.warnings
        if not done.blocked:
            given.append(name)
    row["conditions"] = given


def send_home(casting: Casting, identifier: str, row: Row) -> None:
    """Send a target of the kinds that the entry names back to its home plane, for as long as the entry says."""
    said, creature = casting.spell.figures["banishes"], casting.creature(identifier)
    if kind_of(casting, creature) not in said or creature.character.is_dead:
        return
    rounds = rounds_in(casting.spell.figures["banishes_for"])
    gone = Effect(
        effect_id=casting.world.new_id("effect", held=[each.effect_id for each in creature.character.effects]),
        name=casting.spell.name,
        type="curse",
        source=casting.source_id,
        away=True,
        duration=rounds,
        rounds_remaining=rounds,
    )
    put_creature(casting.world, creature, with_effect(creature.character, gone).character)
    row["effect"] = casting.spell.name


def has_race_table(spell: Spell) -> bool:
    """Return whether a die decides the race of a reincarnated creature."""
    said = spell.figures.get("roll")
    return "revives" in spell.figures and isinstance(said, Mapping) and said.keys() == {"die", "races"}


def new_body(casting: Casting, identifier: str, row: Row) -> None:
    """Roll the race of a new body, and record it."""
    creature, said = casting.creature(identifier), casting.spell.figures["roll"]
    sides = int(said["die"].removeprefix("d"))
    why = f"{casting.spell.name} of {identifier}"
    casting.ctx.dice.expect([(sides, why)])
    thrown = casting.ctx.dice.draw(sides, why)
    race = next(
        race for most, race in sorted((int(key), race) for key, race in said["races"].items()) if thrown <= most
    )
    sheet = sheet_of(creature.character).replace(race=race)
    put_creature(casting.world, creature, creature.character.replace(sheet=sheet))
    row["new_race"] = {"rolled": thrown, "race": race}
