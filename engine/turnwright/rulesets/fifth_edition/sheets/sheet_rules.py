"""The values derived from a sheet's class, level and scores: the tables of `classes` and `slots` for one sheet.

Source: SRD 5.1, "Beyond 1st Level", "Spellcasting".
"""

from __future__ import annotations

from turnwright.model.character import Character
from turnwright.model.creature import PactPool, Pool, Resource
from turnwright.model.sheet import Sheet
from turnwright.model.vocabulary import Ability, CasterType
from turnwright.rulesets.fifth_edition.magic import slots
from turnwright.rulesets.fifth_edition.sheets import classes, multiclass
from turnwright.rulesets.fifth_edition.sheets.skills import ability_modifier

DEFAULT = Sheet()


def sheet_of(character: Character) -> Sheet:
    """Return a character's sheet; a character with a hit point maximum and no sheet has the default one."""
    return character.sheet or DEFAULT


def modifier(sheet: Sheet, ability: Ability) -> int:
    """Return the modifier of a base score."""
    return ability_modifier(getattr(sheet.stats, ability))


def proficiency(sheet: Sheet) -> int:
    """Return the proficiency bonus."""
    return classes.proficiency_bonus(sheet.level)


def hit_die(sheet: Sheet) -> int:
    """Return the sides of the hit die."""
    return classes.hit_die(sheet.class_, sheet.custom_class.hit_die if sheet.custom_class else None)


def saves(sheet: Sheet) -> tuple[Ability, ...]:
    """Return the saving throw proficiencies of the character, by ability."""
    if sheet.save_proficiencies is not None:
        return sheet.save_proficiencies
    return classes.save_proficiencies(
        sheet.class_, sheet.custom_class.save_proficiencies if sheet.custom_class else None
    )


def caster_type(sheet: Sheet) -> CasterType:
    """Return the type of the spell slot table; with levels in several caster classes, the full caster's."""
    caster, _ = multiclass.spellcaster(sheet)
    return "warlock" if caster == "none" and multiclass.warlock_level(sheet) else caster


def caster_level(sheet: Sheet) -> int:
    """Return the level in that table; 0 without spellcasting."""
    caster, level = multiclass.spellcaster(sheet)
    return level if caster != "none" else multiclass.warlock_level(sheet)


def casting_ability(sheet: Sheet) -> Ability | None:
    """Return the spellcasting ability, that of the first caster class; None without spellcasting."""
    custom = sheet.custom_class.spellcasting_ability if sheet.custom_class else None
    own = sheet.spellcasting_ability or classes.spellcasting_ability(sheet.class_, custom)
    return own or next(filter(None, map(classes.spellcasting_ability, sheet.other_classes)), None)


def max_hp(sheet: Sheet) -> int:
    """Return the hit point maximum by level, class and CON."""
    con = modifier(sheet, "con")
    others = sum(
        level * classes.level_gain(classes.average_gain(classes.hit_die(name)), con)
        for name, level in sheet.other_classes.items()
    )
    return classes.max_hp(multiclass.own_level(sheet), hit_die(sheet), con) + others


def trait_hp(sheet: Sheet) -> int:
    """Return the hit points that traits add for each level, such as Dwarven Toughness."""
    return sum(trait.figures.get("hp_per_level", 0) for trait in sheet.traits)


def full_slots(sheet: Sheet) -> dict[str, Pool]:
    """Return all spell slots of the level, unspent, by spell level."""
    caster, caster_levels = multiclass.spellcaster(sheet)
    row = slots.spell_slots(caster, caster_levels)
    return {str(level): Pool(current=count, max=count) for level, count in enumerate(row, start=1)}


def full_pact_slots(sheet: Sheet) -> PactPool | None:
    """Return all pact slots of the level, unspent; None for a character who is not a warlock."""
    level = multiclass.warlock_level(sheet)
    row = slots.pact_slots("warlock", level) if level else None
    return PactPool(current=row.slots, max=row.slots, slot_level=row.slot_level) if row else None


def full_resource(sheet: Sheet) -> Resource | None:
    """Return a custom class's resource, unspent; None if the class has none."""
    custom = sheet.custom_class
    if custom is None or custom.resource_name is None or custom.resource_max is None:
        return None
    most = classes.resource_max(custom.resource_max, multiclass.own_level(sheet), custom.resource_scaling)
    return Resource(name=custom.resource_name, current=most, max=most)
