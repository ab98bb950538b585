"""A new item as a call describes it, and as an inventory holds it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from turnwright.model.base import Count, Flag, ListOf, Model, Number, SafeInt, Text
from turnwright.model.creature import Words
from turnwright.model.item import Item, ItemType, Slot, Weight
from turnwright.model.json_types import JsonObject
from turnwright.model.vocabulary import Ability, DamageType, words
from turnwright.rulesets.fifth_edition.belongings.inventory import MAX_PIECES
from turnwright.rulesets.fifth_edition.sheets._sheet_args import AbilityPoints
from turnwright.rulesets.references import Choice, DiceText, NewLabel, NewName

UNNAMED = "-"
"""The id of an item without an id yet."""
Pieces = Annotated[int, Field(strict=True, ge=1, le=MAX_PIECES)]
Score = Annotated[int, Field(strict=True, ge=1, le=30)]
Container = Annotated[Text, Field(max_length=200)]

TYPE = Choice(
    {
        "weapon": ("arms",),
        "armor": ("armour",),
        "consumable": ("potion", "scroll", "food"),
        "ammunition": ("ammo", "arrows", "bolts"),
        "equipment": ("adventuring_gear", "gear"),
        "currency": ("treasure", "money", "coin", "coins", "gold", "gold_coins", "gold_pieces"),
        "misc": ("miscellaneous", "other", "item", "object"),
        "wondrous": ("wondrous_item", "magic_item", "ring", "wand", "rod", "staff"),
        "tool": ("tools", "kit"),
    }
)
SLOT = Choice(
    {
        "mainhand": ("right_hand", "weapon_hand"),
        "offhand": ("left_hand", "shield_hand"),
        "armor": ("body", "armour", "torso", "chest"),
        "head": ("helmet", "helm", "hat"),
        "hands": ("gloves", "gauntlets"),
        "feet": ("boots", "shoes"),
        "neck": ("amulet", "necklace"),
        "ring1": ("ring", "first_ring"),
        "ring2": ("second_ring",),
        "cloak": ("back", "cape", "mantle"),
        "belt": ("waist", "girdle"),
    }
)


class NewWeapon(Model):
    """How a weapon strikes."""

    damage: DiceText | None = Field(default=None, description="Dice, without the ability modifier: 1d8.")
    damage_type: DamageType | None = Field(default=None, description="Slashing, piercing, bludgeoning, or another.")
    properties: ListOf[NewLabel] = Field(default=(), description="Such as light, finesse, heavy, thrown, two-handed.")
    range: Count | None = Field(default=None, description="Normal range in feet, of a ranged or thrown weapon.")
    long_range: Count | None = Field(
        default=None, description="Long range in feet; beyond the normal range attacks have disadvantage."
    )
    reach: Count | None = Field(default=None, description="Reach in melee in feet; 5 if absent.")


class NewArmor(Model):
    """How armor protects."""

    base_ac: Annotated[int, Field(strict=True, ge=0, le=100)] = Field(description="Armor class before DEX.")
    category: Annotated[Literal["light", "medium", "heavy"], Choice()] = Field(
        default="light", description="Light adds DEX, medium at most 2 of it, heavy none."
    )
    min_str: Count = Field(default=0, description="Below this strength the wearer is 10 feet slower.")
    stealth_disadvantage: Flag = Field(default=False, description="Disadvantage on the wearer's stealth checks.")


class NewEffects(Model):
    """The effects of an item while it is equipped."""

    ac_bonus: SafeInt = Field(default=0, ge=-100, le=100, description="Added to armor class.")
    ability_bonuses: AbilityPoints = Field(default_factory=dict, description='Added to scores: {"str": 2}.')
    ability_minimums: AbilityPoints = Field(
        default_factory=dict, description='Scores that are raised to this if they are lower: {"str": 19}.'
    )
    str_set: Score | None = Field(default=None, description="The same as ability_minimums.str.")
    dex_set: Score | None = Field(default=None, description="The same as ability_minimums.dex.")
    con_set: Score | None = Field(default=None, description="The same as ability_minimums.con.")
    int_set: Score | None = Field(default=None, description="The same as ability_minimums.int.")
    wis_set: Score | None = Field(default=None, description="The same as ability_minimums.wis.")
    cha_set: Score | None = Field(default=None, description="The same as ability_minimums.cha.")
    speed_bonus: SafeInt = Field(default=0, ge=-1000, le=1000, description="Feet added to the speed.")
    resistances: ListOf[DamageType] = Field(default=(), description="Damage that is halved.")
    advantage_on: ListOf[NewLabel] = Field(
        default=(), description="Rolls: attack_rolls, ability_checks, saving_throws, a skill, dex_saves and the like."
    )


class NewItem(Model):
    """A new item for a character."""

    name: NewName = Field(description="Its display name.", examples=["Rope"])
    type: Annotated[ItemType, TYPE] = Field(default="misc", description="Its kind; decides where it is worn.")
    quantity: Pieces = Field(default=1, description="How many.")
    weight: Weight | None = Field(default=None, description="Pounds, of one.")
    value: Number | NewLabel | None = Field(default=None, description="The value of one: gold pieces, or words.")
    description: Words | None = Field(default=None, description="For readers; rules ignore it.")
    properties: ListOf[NewLabel] = Field(default=(), description="Words about it, such as silvered.")
    damage: DiceText | None = Field(default=None, description="Dice; weapon_stats has more details.")
    damage_type: DamageType | None = Field(default=None, description="Of that damage.")
    ac: Count | None = Field(default=None, le=100, description="Of a shield: its bonus to armor class, 2 if absent.")
    container: Container | None = Field(default=None, description="Its container, such as backpack.")
    rarity: NewLabel | None = Field(default=None, description="Such as common or very rare.")
    requires_attunement: Flag = Field(default=False, description="At most three such items can be equipped at once.")
    slot: Annotated[Slot, SLOT] | None = Field(default=None, description="The slot if equip names none.")
    weapon_stats: NewWeapon | None = Field(default=None, description="How a weapon strikes.")
    armor_stats: NewArmor | None = Field(default=None, description="How armor protects.")
    mechanical_effects: NewEffects | None = Field(default=None, description="Its effects while equipped.")
    uses_remaining: Count | None = Field(
        default=None, le=1_000_000_000, description="Uses of all pieces together, such as charges; absent: not counted."
    )
    effect: Words | None = Field(
        default=None, description="The effect of using it; `Heal 2d4+2` is rolled and applied."
    )


def made(item: NewItem, quantity: int) -> Item:
    """Return a new item as an inventory holds it; its id is still to be given."""
    given = item.model_dump(exclude_none=True, exclude_unset=True, mode="json")
    given |= {"id": UNNAMED, "name": item.name.strip(), "quantity": quantity}
    container = (item.container or "").strip()
    given = {key: value for key, value in given.items() if key != "container"} | (
        {"container": container} if container else {}
    )
    if item.mechanical_effects is not None:
        given["mechanical_effects"] = _effects(item.mechanical_effects)
    return Item.model_validate(given)


def _effects(effects: NewEffects) -> JsonObject:
    """Return effects with the two ways to write a least score made one; the greater counts."""
    given = effects.model_dump(exclude_none=True, exclude_unset=True, mode="json")
    least = dict(given.get("ability_minimums", {}))
    for ability in words(Ability):
        if f"{ability}_set" in given:
            least[ability] = max(least.get(ability, 0), given[f"{ability}_set"])
    kept = {key: value for key, value in given.items() if not key.endswith("_set")}
    return {**kept, "ability_minimums": least} if least else kept
