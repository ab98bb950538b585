"""Entries of content as plain JSON, for type checkers: the keys of goods that the rules of the fifth edition read.

`content/kinds/items.py` holds the models, which check entries and say what each key means.
"""

from collections.abc import Sequence
from typing import Literal, NotRequired, TypedDict


class CostShape(TypedDict):
    """A price."""

    amount: int
    unit: Literal["cp", "sp", "gp"]


class GoodsEntry(TypedDict):
    """What all goods have; keys with a usual value are left out."""

    id: str
    name: str
    cost: NotRequired[CostShape]
    weight: NotRequired[int | float]
    bundle: NotRequired[int]


class WeaponDamage(TypedDict, total=False):
    """The damage of a weapon; several types are a choice."""

    dice: str
    flat: int
    bonus: int
    type: str | Sequence[str]


class WeaponEntry(GoodsEntry):
    """A weapon."""

    damage: NotRequired[WeaponDamage]
    versatile: NotRequired[str]
    properties: NotRequired[Sequence[str]]
    reach: NotRequired[int]
    range: NotRequired[tuple[int, int]]
    thrown: NotRequired[tuple[int, int]]


class ArmorValue(TypedDict):
    """The armor class that armor begins with."""

    base: int


class ArmorEntry(GoodsEntry):
    """Armor or a shield."""

    category: str
    ac: NotRequired[ArmorValue]
    ac_bonus: NotRequired[int]
    str_minimum: NotRequired[int]
    stealth_disadvantage: NotRequired[bool]


class DrinkHealing(TypedDict, total=False):
    """What drinking something heals."""

    dice: str
    bonus: int


class MagicItemEntry(GoodsEntry):
    """A magic item."""

    kind: str
    rarity: str
    attunement: NotRequired[bool]
    heal: NotRequired[DrinkHealing]
