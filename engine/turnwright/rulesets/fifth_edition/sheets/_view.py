"""A character as results show it: the document, and the values derived from class, level and scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import Field

from turnwright.model.base import FrozenMap, SafeInt, Text, is_none
from turnwright.model.character import Character
from turnwright.model.creature import PactPool, Pool, Resource
from turnwright.model.json_types import JsonObject
from turnwright.model.sheet import Sheet
from turnwright.rulesets.fifth_edition.sheets import sheet_rules as sheets
from turnwright.rulesets.fifth_edition.sheets.derived_stats import ABILITIES
from turnwright.rulesets.fifth_edition.sheets.experience import level_due

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.sheets.shapes import CastingReport, ClassAndLevel


class CharacterView(Character):
    """A character's document; fields after `equipped` are derived, and null without a sheet."""

    ability_modifiers: FrozenMap[SafeInt] | None = Field(default=None, description="By ability, without equipment.")
    proficiency_bonus: SafeInt | None = None
    initiative_bonus: SafeInt | None = None
    hit_die: SafeInt | None = Field(default=None, description="Its sides.")
    hit_dice: Pool | None = Field(default=None, description="The remaining hit dice and their maximum.")
    caster_type: Text | None = Field(default=None, description="full, half, third, warlock or none.")
    spell_slots: FrozenMap[Pool] | None = Field(default=None, description="By spell level.")
    pact_slots: PactPool | None = None
    resource: Resource | None = None
    level_due: SafeInt | None = Field(
        default=None,
        exclude_if=is_none,
        description="The level that the experience points suffice for; absent if reached.",
    )


def shown(character: Character) -> JsonObject:
    """Return a character as results hold it, a `CharacterView`."""
    value = character.value()
    if character.max_hp is None:
        reckoned = (name for name in CharacterView.model_fields if name not in Character.model_fields)
        return value | dict.fromkeys(name for name in reckoned if name != "level_due")
    sheet = sheets.sheet_of(character)
    modifiers = {ability: sheets.modifier(sheet, ability) for ability in ABILITIES}
    return value | {
        "ability_modifiers": modifiers,
        "proficiency_bonus": sheets.proficiency(sheet),
        "initiative_bonus": modifiers["dex"],
        "hit_die": sheets.hit_die(sheet),
        "hit_dice": hit_dice(sheet).as_written,
        **shown_slots(sheet),
        "resource": sheet.resource and sheet.resource.as_written,
        **({} if (due := level_due(sheet)) is None else {"level_due": due}),
    }


def shown_slots(sheet: Sheet) -> CastingReport:
    """Return a sheet's caster type and slots."""
    return {
        "caster_type": sheets.caster_type(sheet),
        "spell_slots": {level: pool.as_written for level, pool in sheet.spell_slots.items()},
        "pact_slots": sheet.pact_slots.as_written if sheet.pact_slots is not None else None,
    }


def hit_dice(sheet: Sheet) -> Pool:
    """Return the hit dice: their maximum is the level, whatever the sheet says."""
    return Pool(current=min(sheet.hit_dice.current, sheet.level), max=sheet.level)


def race_class_level(character: Character) -> ClassAndLevel:
    """Return the values of a sheet in lists; nulls without a sheet."""
    if character.max_hp is None:
        return {"race": None, "class": None, "level": None}
    sheet = sheets.sheet_of(character)
    return {"race": sheet.race, "class": sheet.class_, "level": sheet.level}
