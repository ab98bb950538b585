"""Items as plain JSON, for type checkers: the keys of an entry of an inventory as its document writes it.

`model/item.py` holds the same as models, which validate it and document each key.
"""

from collections.abc import Mapping, Sequence
from typing import Literal, TypedDict

from turnwright.model.item import Slot
from turnwright.model.vocabulary import DamageType


class EntanglingFigures(TypedDict):
    """How a weapon restrains the creature it hits."""

    condition: str
    max_size: str
    ability: str
    dc: int
    ac: int
    hp: int


class WeaponFigures(TypedDict, total=False):
    """The figures of a weapon."""

    damage: str
    damage_type: str
    properties: Sequence[str]
    range: int
    long_range: int
    reach: int
    disadvantage_within: int
    two_handed_unless: str
    entangles: EntanglingFigures


class ArmorFigures(TypedDict, total=False):
    """How armor protects."""

    base_ac: int
    category: str
    min_str: int
    stealth_disadvantage: bool


class EffectFigures(TypedDict, total=False):
    """The effects of an item while it is equipped."""

    ac_bonus: int
    ability_bonuses: Mapping[str, int]
    ability_minimums: Mapping[str, int]
    speed_bonus: int
    resistances: Sequence[DamageType]
    advantage_on: Sequence[str]


class ItemFigures(TypedDict, total=False):
    """The figures of one piece of an item."""

    type: str
    quantity: int
    weight: int | float
    value: int | float | str
    description: str
    properties: Sequence[str]
    damage: str
    damage_type: DamageType
    ac: int
    container: str
    rarity: str
    requires_attunement: bool
    slot: Slot
    weapon_stats: WeaponFigures
    armor_stats: ArmorFigures
    mechanical_effects: EffectFigures
    uses_remaining: int
    effect: str


class _Name(TypedDict):
    name: str


class NewItem(_Name, ItemFigures):
    """An item that has no id yet."""


class _ItemId(TypedDict):
    item_id: str


class ShownItem(_ItemId, NewItem):
    """An entry of an inventory as results hold it."""


class EmptiedSlot(TypedDict):
    """A slot, and the item that left it."""

    slot: str
    item_id: str
    name: str


class Load(TypedDict):
    """A character's load and capacity; None: the capacity is unknown."""

    total_weight: int | float
    capacity: int | float | None
    encumbered: bool


class ItemHealing(TypedDict):
    """The healing by an item, with the dice."""

    target_id: str
    expression: str
    rolls: Sequence[int]
    total: int
    healed: int
    hp: int | None
    max_hp: int | None


class UsedItem(TypedDict):
    """The result of using an item."""

    item: ShownItem
    quantity: Literal[1]
    remaining: int | None
    unequipped: Sequence[EmptiedSlot]
    healing: ItemHealing | None
