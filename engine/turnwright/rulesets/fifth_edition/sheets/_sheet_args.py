"""The arguments for a sheet that the tools for creating and changing a character share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, ValidationError, WithJsonSchema, WrapValidator
from pydantic_core import PydanticCustomError

from turnwright.model.base import Count, FrozenMap, ListOf, Model, SafeInt, Text, is_empty
from turnwright.model.creature import Score, Words
from turnwright.model.fuzzy_words import AmbiguousWord, UnknownWord, match
from turnwright.model.sheet import CustomClass, CustomRace, Feet, Level, PerLevel
from turnwright.model.vocabulary import (
    Ability,
    CharacterType,
    ConditionName,
    DamageType,
    Size,
    Skill,
    WeaponDefense,
    words,
)
from turnwright.rulesets.references import Choice, NewLabel
from turnwright.rulesets.toolkit import ToolkitArgs

ABILITY_KEYS = words(Ability)
Points = Annotated[int, Field(strict=True, ge=-10_000, le=10_000)]
"""An amount added to a value of a sheet, or subtracted from it."""
Amount = Annotated[int, Field(strict=True, ge=0, le=10_000)]
"""How much there is of a resource."""
MorePerLevel = Annotated[
    PerLevel, Field(le=10_000), WithJsonSchema({"type": "number", "minimum": 0, "maximum": 10_000})
]
"""How much more there is of a resource at each level; a part of one, too."""
MaxHp = Annotated[int, Field(strict=True, ge=1, le=1_000_000)]
CharacterName = Annotated[Text, Field(min_length=1, max_length=200, pattern=r"\S", examples=["Mira"])]


def wants(told: str) -> WrapValidator:
    """Return a check that reports one sentence when a value fits none of several types."""

    def check(value: Any, handler: Callable[[Any], Any]) -> Any:
        try:
            return handler(value)
        except ValidationError:
            raise ValueError(told) from None

    return WrapValidator(check)


def _by_ability(value: Mapping[str, int]) -> Mapping[str, int]:
    if strange := sorted(set(value) - set(ABILITY_KEYS)):
        told = f"{strange[0]} is none of {', '.join(ABILITY_KEYS)}"
        raise PydanticCustomError("misspelt", "{told}", {"told": told, "meant": _spelt(value)})
    return value


def _spelt(value: Mapping[str, int]) -> dict[str, int] | None:
    """Return points by the corrected ability names; None if a key is unknown, or two mean the same."""
    try:
        meant = {match("ability", key).word: points for key, points in value.items()}
    except (UnknownWord, AmbiguousWord):
        return None
    return meant if len(meant) == len(value) else None


AbilityPoints = Annotated[
    FrozenMap[Points],
    AfterValidator(_by_ability),
    Field(json_schema_extra={"propertyNames": {"enum": list(ABILITY_KEYS)}}),
]
"""Points by ability."""


class StatsArgs(Model):
    """Ability scores; missing ones stay as they are, or are 10."""

    str: Score | None = Field(default=None, description="Strength.")
    dex: Score | None = Field(default=None, description="Dexterity.")
    con: Score | None = Field(default=None, description="Constitution.")
    int: Score | None = Field(default=None, description="Intelligence.")
    wis: Score | None = Field(default=None, description="Wisdom.")
    cha: Score | None = Field(default=None, description="Charisma.")

    @property
    def given(self) -> dict[Text, SafeInt]:
        """The scores that were given."""
        return {name: value for name, value in self if value is not None}


_CASTER_WORDS = {"full": ("full caster",), "half": ("half caster",), "third": ("third caster",), "none": ("no",)}


class CustomClassArgs(CustomClass):
    """A class that is not one of the twelve."""

    name: NewLabel = Field(description="The name of the class.")
    hit_die: Annotated[int, Field(strict=True, ge=4, le=12)] = Field(default=8, description="Sides of its hit die.")
    spellcasting: Annotated[Literal["full", "half", "third", "warlock", "none"], Choice(_CASTER_WORDS)] = Field(
        default="none", description="How it gains spell slots: like a wizard, a paladin, at a third, a warlock, or not."
    )
    resource_max: Amount | None = Field(default=None, description="The amount of its resource at level 1.")
    resource_scaling: Annotated[
        Annotated[Literal["level", "half", "third", "none"], Choice()] | MorePerLevel,
        wants("wants level, half, third, none or a number"),
    ] = Field(
        default="none", description="How that grows: by 1 each level, each 2nd, each 3rd, or by that amount each level."
    )


class CustomRaceArgs(CustomRace):
    """A race that is not in the book, or a change to one that is."""

    name: NewLabel = Field(description="The name of the race.")
    ability_bonuses: AbilityPoints = Field(default_factory=dict, exclude_if=is_empty, description="Added to scores.")
    speed: Feet | None = Field(default=None, description="Walking speed in feet. Absent: unchanged.")
    fly_speed: Feet | None = Field(default=None, description="In feet. Absent: unchanged.")
    swim_speed: Feet | None = Field(default=None, description="In feet. Absent: unchanged.")
    climb_speed: Feet | None = Field(default=None, description="In feet. Absent: unchanged.")
    size: Size | None = Field(default=None, description="The size. Absent: unchanged.")
    darkvision: Feet | None = Field(
        default=None, description="Range of its darkvision, in feet; 0: none. Absent: unchanged."
    )


class SheetArgs(ToolkitArgs):
    """The values that a call can give for a character, all of them optional."""

    race: NewLabel | None = Field(default=None, description="Such as Human, Elf, Dwarf.")
    class_: NewLabel | None = Field(
        default=None, alias="class", description="Such as Fighter, Wizard, Rogue; any case."
    )
    level: Level | None = Field(default=None, description="Level, 1 to 20.")
    background: Words | None = Field(default=None, description="Their background, in a few words.")
    character_type: CharacterType | None = Field(
        default=None, description="pc: a player's; npc: the game master's; enemy: hostile; neutral: on neither side."
    )
    stats: StatsArgs | None = Field(default=None, description="Ability scores 1 to 30: str, dex, con, int, wis, cha.")
    ac: Count | None = Field(default=None, description="Armor class without equipment. Absent: 10 + DEX modifier.")
    speed: Feet | None = Field(default=None, description="Walking speed in feet, usually 30.")
    size: Size | None = Field(default=None, description="How big they are; people are medium or small.")
    resistances: ListOf[DamageType] | None = Field(default=None, description="Damage types that deal half.")
    immunities: ListOf[DamageType] | None = Field(default=None, description="Damage types that deal none.")
    vulnerabilities: ListOf[DamageType] | None = Field(default=None, description="Damage types that deal double.")
    halved_weapons: Annotated[WeaponDefense, Choice()] | None = Field(
        default=None, description="Weapons whose bludgeoning, piercing and slashing damage is halved."
    )
    harmless_weapons: Annotated[WeaponDefense, Choice()] | None = Field(
        default=None, description="The same, without any damage."
    )
    condition_immunities: ListOf[ConditionName] | None = Field(
        default=None, description="Conditions they cannot get, such as charmed."
    )
    spellcasting_ability: Ability | None = Field(default=None, description="Absent: the class's own.")
    known_spells: ListOf[NewLabel] | None = Field(default=None, description="Names of spells.")
    prepared_spells: ListOf[NewLabel] | None = Field(default=None, description="Names of spells.")
    cantrips: ListOf[NewLabel] | None = Field(default=None, description="Names of cantrips.")
    equipment: ListOf[NewLabel] | None = Field(
        default=None, description="Their belongings, in words only. Use manage_inventory for items with effects."
    )
    skill_proficiencies: ListOf[Skill] | None = Field(default=None, description="Skills they are trained in.")
    skill_expertise: ListOf[Skill] | None = Field(
        default=None, description="Skills to which they add the proficiency bonus twice."
    )
    save_proficiencies: ListOf[Ability] | None = Field(
        default=None, description="Saving throws they are trained in. Absent: those of the class."
    )
    custom_class: CustomClassArgs | None = Field(default=None, description="A class other than the twelve.")
    custom_race: CustomRaceArgs | None = Field(
        default=None, description="A race of your own; its bonuses are added to the scores."
    )
