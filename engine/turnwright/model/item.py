"""Items: the things a character carries, and their effects when worn or wielded.

Source: SRD 5.1, "Equipment"; docs/toolkit.md, "Equipment".
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, WithJsonSchema

from turnwright.model.base import (
    ABSENT,
    Count,
    Flag,
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
from turnwright.model.creature import Words
from turnwright.model.vocabulary import Ability, ConditionName, DamageType, Size

ItemType = Literal[
    "weapon", "armor", "shield", "consumable", "ammunition", "equipment", "currency", "misc", "wondrous", "tool"
]
Slot = Literal[
    "mainhand",
    "offhand",
    "armor",
    "head",
    "hands",
    "feet",
    "neck",
    "ring1",
    "ring2",
    "cloak",
    "belt",
    "quiver",
]
Weight = Annotated[
    Number,
    Field(ge=0, le=1_000_000),
    WithJsonSchema({"type": "number", "minimum": 0, "maximum": 1_000_000}),
]
"""Pounds."""


class Entangling(Model):
    """A weapon that deals no damage and restrains its target, such as a net."""

    condition: ConditionName
    max_size: Size
    ability: Ability = Field(description="Of the check that frees a restrained creature.")
    dc: Count
    ac: Count = Field(description="Of the weapon, for who cuts it.")
    hp: Count = Field(description="Slashing damage that destroys it.")


class WeaponStats(Model):
    """The attack data of a weapon. Ranges are in feet."""

    damage: Text | None = Field(default=None, exclude_if=is_none, description="Dice.")
    damage_type: DamageType | None = ABSENT
    properties: ListOf[Text] = Field(default=(), exclude_if=is_empty, description="Such as light, finesse, thrown.")
    range: Count | None = ABSENT
    long_range: Count | None = ABSENT
    reach: Count | None = ABSENT
    disadvantage_within: Count | None = Field(
        default=None, exclude_if=is_none, description="Feet within which it strikes with disadvantage."
    )
    two_handed_unless: Literal["mounted"] | None = Field(
        default=None, exclude_if=is_none, description="It takes both hands unless its bearer is that."
    )
    entangles: Entangling | None = Field(default=None, exclude_if=is_none, description="In place of damage.")


class ArmorStats(Model):
    """The protection of armor: light adds DEX to the base, medium up to 2 of it, heavy none."""

    base_ac: Annotated[int, Field(strict=True, ge=0, le=100)]
    category: Literal["light", "medium", "heavy"] = "light"
    min_str: Count = Field(default=0, exclude_if=is_empty, description="Below it the wearer is 10 feet slower.")
    stealth_disadvantage: Flag = Field(
        default=False, exclude_if=is_empty, description="The wearer's stealth checks have disadvantage."
    )


class ItemEffects(Model):
    """The effects of an item while it is equipped."""

    ac_bonus: SafeInt = Field(default=0, exclude_if=is_empty)
    ability_bonuses: FrozenMap[SafeInt] = Field(default_factory=dict, exclude_if=is_empty)
    ability_minimums: FrozenMap[SafeInt] = Field(
        default_factory=dict, exclude_if=is_empty, description="Scores that are raised to this value if they are lower."
    )
    speed_bonus: SafeInt = Field(default=0, exclude_if=is_empty)
    resistances: ListOf[DamageType] = Field(default=(), exclude_if=is_empty)
    advantage_on: ListOf[Text] = Field(default=(), exclude_if=is_empty)


class Item(Model):
    """One entry of an inventory."""

    id: Id
    name: Text
    type: Text = "misc"
    quantity: Count = 1
    weight: Weight | None = Field(default=None, exclude_if=is_none, description="Pounds, of one.")
    value: Number | Text | None = ABSENT
    description: Words | None = ABSENT
    properties: ListOf[Text] = Field(default=(), exclude_if=is_empty)
    damage: Text | None = Field(default=None, exclude_if=is_none, description="Dice.")
    damage_type: DamageType | None = ABSENT
    ac: Count | None = ABSENT
    container: Text | None = ABSENT
    rarity: Text | None = ABSENT
    requires_attunement: Flag = Field(default=False, exclude_if=is_empty)
    slot: Slot | None = Field(default=None, exclude_if=is_none, description="Where it is worn when none is named.")
    weapon_stats: WeaponStats | None = ABSENT
    armor_stats: ArmorStats | None = ABSENT
    mechanical_effects: ItemEffects | None = ABSENT
    corrosion: Count = Field(
        default=0, exclude_if=is_empty, description="Taken from the damage of a weapon, or the armor class of armor."
    )
    uses_remaining: Count | None = Field(default=None, exclude_if=is_none, description="Absent: not counted in uses.")
    effect: Words | None = Field(default=None, exclude_if=is_none, description="Such as `Heal 2d4+2`.")
