"""A character sheet of the fifth edition: the result of a class, a race and a player's choices.

Source: SRD 5.1, "Using Ability Scores", "Classes"; docs/toolkit.md, "Sheets".
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import ConfigDict, Field, WithJsonSchema

from turnwright.model.base import (
    ABSENT,
    Count,
    FreeMap,
    FrozenMap,
    Id,
    ListOf,
    Model,
    Number,
    SafeInt,
    Text,
    is_empty,
    is_none,
)
from turnwright.model.creature import PactPool, Pool, Resource, Stats, Words
from turnwright.model.strict_json import MAX_INT
from turnwright.model.vocabulary import Ability, CasterType, ConditionName, DamageType, Size, Skill, WeaponDefense

Level = Annotated[int, Field(strict=True, ge=1, le=20)]
Name = Annotated[Text, Field(min_length=1, max_length=100)]
Names = ListOf[Name]
PerLevel = Annotated[Number, Field(ge=0), WithJsonSchema({"type": "number", "minimum": 0, "maximum": MAX_INT})]
"""The gain of a resource at each level."""
Feet = Annotated[int, Field(strict=True, ge=0, le=10_000)]


class CustomClass(Model):
    """A class that is not one of the twelve."""

    name: Name
    hit_die: Annotated[int, Field(strict=True, ge=4, le=12)] = 8
    spellcasting: CasterType = "none"
    spellcasting_ability: Ability | None = ABSENT
    primary_ability: Ability | None = ABSENT
    save_proficiencies: ListOf[Ability] = Field(default=(), exclude_if=is_empty)
    resource_name: Name | None = ABSENT
    resource_max: Count | None = ABSENT
    resource_scaling: Literal["level", "half", "third", "none"] | PerLevel = "none"
    description: Words | None = ABSENT


class CustomRace(Model):
    """A race that is not in the book, or a change to one that is. Speeds and sight in feet; absent: as they were."""

    name: Name
    ability_bonuses: FrozenMap[SafeInt] = Field(default_factory=dict, exclude_if=is_empty)
    speed: Feet | None = ABSENT
    fly_speed: Feet | None = ABSENT
    swim_speed: Feet | None = ABSENT
    climb_speed: Feet | None = ABSENT
    traits: ListOf[Words] = Field(default=(), exclude_if=is_empty)
    resistances: ListOf[DamageType] = Field(default=(), exclude_if=is_empty)
    immunities: ListOf[DamageType] = Field(default=(), exclude_if=is_empty)
    vulnerabilities: ListOf[DamageType] = Field(default=(), exclude_if=is_empty)
    condition_immunities: ListOf[ConditionName] = Field(default=(), exclude_if=is_empty)
    languages: Names = Field(default=(), exclude_if=is_empty)
    size: Size | None = ABSENT
    darkvision: Feet | None = ABSENT
    description: Words | None = ABSENT


def _is_usual(value: object) -> bool:
    return value in (30, "medium")


class RaceGains(Model):
    """The actual gains of a custom race, and the speeds, size and sight it replaced: everything removed with it."""

    ability_bonuses: FrozenMap[SafeInt] = Field(default_factory=dict, exclude_if=is_empty)
    resistances: ListOf[DamageType] = Field(default=(), exclude_if=is_empty)
    immunities: ListOf[DamageType] = Field(default=(), exclude_if=is_empty)
    vulnerabilities: ListOf[DamageType] = Field(default=(), exclude_if=is_empty)
    condition_immunities: ListOf[ConditionName] = Field(default=(), exclude_if=is_empty)
    speed: Feet = Field(default=30, exclude_if=_is_usual)
    fly_speed: Feet | None = ABSENT
    swim_speed: Feet | None = ABSENT
    climb_speed: Feet | None = ABSENT
    size: Size = Field(default="medium", exclude_if=_is_usual)
    darkvision: Feet = Field(default=0, exclude_if=is_empty)


class Senses(Model):
    """The ranges of senses other than ordinary sight, in feet."""

    blindsight: Feet = Field(default=0, exclude_if=is_empty)
    darkvision: Feet = Field(default=0, exclude_if=is_empty)
    tremorsense: Feet = Field(default=0, exclude_if=is_empty)
    truesight: Feet = Field(default=0, exclude_if=is_empty)


class SheetTrait(Model):
    """A trait of a race, copied from the entry of content, so that rules work without the pack."""

    id: Id
    name: Name
    figures: FreeMap = Field(default_factory=dict, exclude_if=is_empty)


def _has_none(senses: Senses) -> bool:
    return senses == Senses()


class Sheet(Model):
    """The base values of a character; equipment, conditions and effects are reckoned in at each use, never stored.

    `race`, `class`, their bonuses and proficiencies are merged in when the sheet is made. What is None is reckoned from
    the rest: `ac` is 10 + DEX, `save_proficiencies` and `spellcasting_ability` are the class's.
    """

    model_config = ConfigDict(serialize_by_alias=True)

    race: Name = "Human"
    class_: Name = Field(default="Fighter", alias="class")
    level: Level = 1
    other_classes: FrozenMap[Level] = Field(
        default_factory=dict,
        exclude_if=is_empty,
        description="Levels in other classes than `class`, by name; `level` counts all of them.",
    )
    experience: Count | None = Field(
        default=None, exclude_if=is_none, description="Experience points; absent if they are not counted."
    )
    subclass: Name | None = ABSENT
    background: Text | None = ABSENT
    stats: Stats = Stats()
    ac: Count | None = Field(default=None, exclude_if=is_none, description="Absent: 10 + DEX modifier.")
    speed: Feet = 30
    fly_speed: Feet | None = ABSENT
    swim_speed: Feet | None = ABSENT
    climb_speed: Feet | None = ABSENT
    size: Size = "medium"
    senses: Senses = Field(default=Senses(), exclude_if=_has_none)
    resistances: ListOf[DamageType] = Field(default=(), exclude_if=is_empty)
    immunities: ListOf[DamageType] = Field(default=(), exclude_if=is_empty)
    vulnerabilities: ListOf[DamageType] = Field(default=(), exclude_if=is_empty)
    halved_weapons: WeaponDefense | None = ABSENT
    harmless_weapons: WeaponDefense | None = ABSENT
    condition_immunities: ListOf[ConditionName] = Field(default=(), exclude_if=is_empty)
    spellcasting_ability: Ability | None = ABSENT
    known_spells: Names = Field(default=(), exclude_if=is_empty)
    prepared_spells: Names = Field(default=(), exclude_if=is_empty)
    cantrips: Names = Field(default=(), exclude_if=is_empty)
    equipment: Names = Field(default=(), exclude_if=is_empty, description="What was chosen in words; see inventory.")
    features: Names = Field(default=(), exclude_if=is_empty)
    traits: ListOf[SheetTrait] = Field(
        default=(), exclude_if=is_empty, description="Of a character made from an entry of content."
    )
    spent_traits: ListOf[Id] = Field(
        default=(), exclude_if=is_empty, description="Traits that can be used no more before a long rest."
    )
    long_rest_at: Count | None = Field(
        default=None, exclude_if=is_none, description="When the last long rest ended, in seconds of `calendar.json`."
    )
    proficiencies: Names = Field(
        default=(), exclude_if=is_empty, description="With armor, weapons and tools, by ids of content."
    )
    languages: Names = Field(default=(), exclude_if=is_empty)
    skill_proficiencies: ListOf[Skill] = Field(default=(), exclude_if=is_empty)
    skill_expertise: ListOf[Skill] = Field(default=(), exclude_if=is_empty)
    save_proficiencies: ListOf[Ability] | None = Field(
        default=None, exclude_if=is_none, description="Absent: the class's own."
    )
    custom_class: CustomClass | None = ABSENT
    custom_race: CustomRace | None = ABSENT
    race_gains: RaceGains | None = Field(
        default=None, exclude_if=is_none, description="Absent: the custom race added just what it says."
    )
    hit_dice: Pool = Pool(current=1, max=1)
    spell_slots: FrozenMap[Pool] = Field(
        default_factory=dict, exclude_if=is_empty, description="By spell level, 1 to 9."
    )
    pact_slots: PactPool | None = ABSENT
    resource: Resource | None = ABSENT

    def replace(self, **changes: Any) -> Self:
        """Return the sheet with these fields changed; the class is `class_`."""
        given = {name: getattr(self, name) for name in self.model_fields_set} | changes
        return type(self).model_validate({_KEYS.get(name, name): value for name, value in given.items()})


_KEYS = {"class_": "class"}
