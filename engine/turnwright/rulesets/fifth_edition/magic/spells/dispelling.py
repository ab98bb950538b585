"""Spells that end other spells: spells lasting on a creature, and whether their level yields.

Source: SRD 5.1, "Dispel Magic"; docs/content.md, "Spells by name".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from turnwright.content.kinds.spells import Spell
from turnwright.model.base import name_tag
from turnwright.model.creature import Counter, Effect, Ending
from turnwright.model.wire.reason import CallFailed
from turnwright.rulesets.fifth_edition.bonus_dice import throw_bonus_dice
from turnwright.rulesets.fifth_edition.magic.concentration import is_same_spell
from turnwright.rulesets.fifth_edition.magic.spells.casting import Casting, Row
from turnwright.rulesets.fifth_edition.maintained_effects import end_concentration
from turnwright.rulesets.fifth_edition.rolls import throw
from turnwright.rulesets.fifth_edition.sheets import checks
from turnwright.rulesets.fifth_edition.sheets.effect_list import with_effect, without_effect
from turnwright.rulesets.fifth_edition.sheets.race_traits import is_lucky
from turnwright.rulesets.fifth_edition.targets import Creature, now, put_creature, reload, require_creature

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.magic.shapes import CounterReport, DispelCheck, DispelledReport

_KNOWN = {"automatic_max_level", "check", "per_slot"}
_CHECK = {"ability": "spellcasting", "dc": "10+spell_level"}


class OnSomebody(NamedTuple):
    """A spell that lasts on a creature: its name, its level, and its source."""

    name: str
    level: int
    source: str | None


def can_dispel(spell: Spell) -> bool:
    """Return whether a spell ends others in the one way that the engine knows."""
    said = spell.figures.get("dispels")
    return isinstance(said, Mapping) and said.keys() == _KNOWN and dict(said["check"]) == _CHECK


def can_counter(spell: Spell) -> bool:
    """Return whether a spell interrupts others in the one way that the engine knows."""
    said = spell.figures.get("counters")
    return isinstance(said, Mapping) and said.keys() == _KNOWN and dict(said["check"]) == _CHECK


def wait_for_spell(casting: Casting, identifier: str) -> None:
    """Set the spell against the next spell that a creature casts in this turn."""
    said, creature = casting.spell.figures["counters"], casting.creature(identifier)
    encounter = casting.encounter
    level = said["automatic_max_level"] + said["per_slot"] * (casting.level.slot - casting.spell.level)
    effect = Effect(
        effect_id=casting.world.new_id("effect", held=[each.effect_id for each in creature.character.effects]),
        name=casting.spell.name,
        type="curse",
        source=casting.source_id,
        counters=Counter(level=level, modifier=casting.modifier),
        ends=None if encounter is None else Ending(whose=encounter.current.id, at="end"),
    )
    put_creature(casting.world, creature, with_effect(creature.character, effect).character)


def countered(casting: Casting) -> CounterReport | None:
    """Return the result of a spell that waited for this one, and use it up; None without one."""
    caster = casting.caster
    waiting = next((each for each in caster.character.effects if each.counters is not None), None)
    if waiting is None or waiting.counters is None:
        return None
    put_creature(casting.world, caster, without_effect(caster.character, waiting.effect_id).character)
    if casting.level.slot <= waiting.counters.level:
        return {"by": waiting.source, "success": True}
    dc = 10 + casting.level.slot
    natural = throw(casting.ctx, f"{waiting.source} counters {casting.spell.name}").natural
    total = natural + waiting.counters.modifier
    check: DispelCheck = {"dc": dc, "natural": natural, "total": total, "success": total >= dc}
    return {"by": waiting.source, "check": check, "success": total >= dc}


def spells_on(creature: Creature) -> list[OnSomebody]:
    """Return the spells of the packs that last on a creature, each once, in the order they were applied."""
    character = creature.character
    found = [OnSomebody(each.spell, each.slot_level or 0, each.source) for each in character.conditions if each.spell]
    found += [
        OnSomebody(each.name, each.slot_level, each.source) for each in character.effects if each.slot_level is not None
    ]
    return list(dict.fromkeys(found))


def dispel(casting: Casting, identifier: str, row: Row) -> None:
    """End the spells on a creature, the higher ones by a check of the caster's."""
    said = casting.spell.figures["dispels"]
    least = said["automatic_max_level"] + said["per_slot"] * (casting.level.slot - casting.spell.level)
    told: list[DispelledReport] = []
    for each in spells_on(casting.creature(identifier)):
        check = _check(casting, each) if each.level > least else None
        ends = check is None or check["success"]
        if ends:
            _end(casting, identifier, each)
        if check is None:
            told.append({"spell": each.name, "level": each.level, "ended": ends})
        else:
            told.append({"spell": each.name, "level": each.level, "check": check, "ended": ends})
    row["dispelled"] = told


def _check(casting: Casting, spell: OnSomebody) -> DispelCheck:
    """Roll the check of the caster's own ability against the level of a spell."""
    caster, ability, dc = casting.caster, casting.ability, 10 + spell.level
    values = now(casting.world, caster)
    sources = checks.check_sources(values, ability) if ability else checks.check_sources(values, "int")
    why = f"{caster.id} dispels {spell.name}"
    d20 = throw(casting.ctx, why, sources, lucky=is_lucky(caster.character, "check"))
    added = checks.ability_check(values, ability).total if ability else 0
    total = d20.natural + added + throw_bonus_dice(casting.world, caster, "check", casting.ctx)
    return {"dc": dc, "natural": d20.natural, "total": total, "success": total >= dc}


def _end(casting: Casting, identifier: str, spell: OnSomebody) -> None:
    """End a spell on a creature; with its last target its caster's concentration ends, too."""
    creature = casting.creature(identifier)
    character = creature.character
    conditions = tuple(each for each in character.conditions if (each.spell, each.source) != (spell.name, spell.source))
    effects = tuple(
        each
        for each in character.effects
        if each.slot_level is None or (name_tag(each.name), each.source) != (name_tag(spell.name), spell.source)
    )
    put_creature(casting.world, creature, character.replace(conditions=conditions, effects=effects))
    try:
        caster = require_creature(casting.world, spell.source, None, casting.encounter_id)
    except CallFailed:
        return
    held = reload(casting.world, caster).character.concentration
    if held is not None and is_same_spell(spell.name, held.spell_name) and {*held.targets} <= {identifier}:
        end_concentration(casting.world, caster)
