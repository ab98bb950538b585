"""Weapons, armor, gear and magic items. Source: SRD 5.1, "Equipment", "Magic Items"; docs/content.md, "Items"."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, model_validator

from turnwright.content.kinds.entry import (
    ContentEntry,
    EntryId,
    Term,
    described,
    listed_as,
    refused,
)
from turnwright.content.kinds.shapes import (
    Cost,
    Counted,
    Damage,
    Dc,
    Dice,
    DiceOrNumber,
    Healing,
    Inflicted,
    Resistance,
    Save,
)
from turnwright.model.base import ABSENT, Count, Flag, FrozenMap, ListOf, Model, Number, SafeInt, is_empty
from turnwright.model.sheet import Feet

Pounds = Annotated[Number, Field(ge=0)]
Range = Annotated[tuple[Feet, ...], Field(min_length=2, max_length=2)]
"""Normal and long range."""


class Goods(ContentEntry):
    """Goods that can be bought."""

    cost: Cost | None = ABSENT
    weight: Pounds | None = described("Pounds; of the bundle where there is one.")
    bundle: Count | None = described("How many one buys at once.")


class Weapon(Goods):
    """A weapon."""

    collection: ClassVar[str] = "content/weapons/"

    category: Literal["simple", "martial"]
    kind: Literal["melee", "ranged"]
    damage: Damage | None = ABSENT
    versatile: Dice | None = described("Dice with two hands.")
    properties: ListOf[
        Literal[
            "ammunition",
            "finesse",
            "heavy",
            "light",
            "loading",
            "monk",
            "reach",
            "special",
            "thrown",
            "two_handed",
            "versatile",
        ]
    ] = listed_as("Properties.")
    reach: Feet | None = ABSENT
    range: Range | None = ABSENT
    thrown: Range | None = ABSENT
    ammunition: EntryId | None = ABSENT
    conditions: ListOf[Inflicted] = listed_as("Conditions that a hit gives.")

    @model_validator(mode="after")
    def _agrees(self) -> Self:
        for name, is_given in (("versatile", self.versatile is not None), ("thrown", self.thrown is not None)):
            if (name in self.properties) != is_given:
                raise refused(f"{name} must be a property and a figure, or neither")
        return self


class ArmorValue(Model):
    """Armor class of armor: a base, and how much of the Dexterity modifier counts."""

    base: Annotated[int, Field(strict=True, ge=1, le=30)]
    dex: Literal["full"] | Annotated[int, Field(strict=True, ge=0, le=10)] = "full"


class Armor(Goods):
    """Armor or a shield."""

    collection: ClassVar[str] = "content/armor/"

    category: Literal["light", "medium", "heavy", "shield"]
    ac: ArmorValue | None = ABSENT
    ac_bonus: Annotated[int, Field(strict=True, ge=1, le=10)] | None = described("Of a shield.")
    str_minimum: Count | None = ABSENT
    stealth_disadvantage: Flag = Field(default=False, exclude_if=is_empty)

    @model_validator(mode="after")
    def _protects(self) -> Self:
        if (self.ac is None) == (self.ac_bonus is None):
            raise refused("must have ac, or ac_bonus for a shield")
        return self


class Speed(Model):
    """How fast a mount or vehicle goes."""

    amount: Number
    unit: Literal["ft", "mph"]


class Gear(Goods):
    """Equipment that is not a weapon or armor: gear, tools, packs, mounts, vehicles."""

    collection: ClassVar[str] = "content/gear/"

    kind: Literal["gear", "tool", "mount_or_vehicle"] = "gear"
    category: Term
    contents: ListOf[Counted] = listed_as("What a pack holds.")
    damage: ListOf[Damage] = listed_as("Parts of damage.")
    save: Save | None = ABSENT
    conditions: ListOf[Inflicted] = listed_as("Conditions that it gives.")
    speed: Speed | None = ABSENT
    capacity: Pounds | None = described("Pounds that it carries.")


class Charges(Model):
    """Charges of a magic item."""

    max: Count | DiceOrNumber
    regains: Regain | None = ABSENT
    last_charge: LastCharge | None = ABSENT


class Regain(Model):
    """How charges come back."""

    amount: DiceOrNumber
    at: Term


class LastCharge(Model):
    """The roll when the last charge is spent."""

    die: Literal["d20"] = "d20"
    destroyed_on: Annotated[int, Field(strict=True, ge=1, le=20)]


class ItemBonus(Model):
    """The bonuses of a magic item."""

    ac: SafeInt | None = ABSENT
    attack: SafeInt | None = ABSENT
    check: SafeInt | None = ABSENT
    damage: SafeInt | None = ABSENT
    proficiency: SafeInt | None = ABSENT
    save: SafeInt | None = ABSENT
    spell_attack: SafeInt | None = ABSENT


class ExtraDamage(Model):
    """Damage against some creatures."""

    dice: Dice
    type: Term
    versus: Term


class ItemSpell(Model):
    """A spell that an item casts."""

    id: EntryId
    charges: Count | None = ABSENT


class MagicItem(ContentEntry):
    """A magic item, or a family of them (`variants`)."""

    collection: ClassVar[str] = "content/magic_items/"

    kind: Term
    rarity: Literal["common", "uncommon", "rare", "very_rare", "legendary", "artifact", "varies"]
    attunement: Flag = Field(default=False, exclude_if=is_empty)
    attunement_by: ListOf[Term] = listed_as("Who can attune to it.")
    base: Term | None = described("The item it is made from.")
    weapons: ListOf[EntryId] = listed_as("Weapons it works with.")
    bonus: ItemBonus | None = ABSENT
    sets_ability: FrozenMap[Count] = Field(default_factory=dict, exclude_if=is_empty)
    ability_bonus: FrozenMap[Count] = Field(default_factory=dict, exclude_if=is_empty)
    charges: Charges | None = ABSENT
    spells: ListOf[ItemSpell] = listed_as("Spells that it casts.")
    spell_save_dc: Dc | None = ABSENT
    damage: ListOf[Damage] = listed_as("Parts of damage.")
    extra_damage: ExtraDamage | None = described("Damage against some creatures.")
    saves: ListOf[Save] = listed_as("Saves that it calls for.")
    heal: Healing | None = ABSENT
    resistances: ListOf[Resistance] = listed_as("Damage of which its bearer takes half.")
    immunities: ListOf[Resistance] = listed_as("Damage of which its bearer takes none.")
    resistance_choice: ListOf[Term] = listed_as("Types of which one is chosen.")
    duration: Term | None = ABSENT
    variants: ListOf[EntryId] = listed_as("The items of this family.")
    is_variant: Flag = Field(default=False, exclude_if=is_empty)
