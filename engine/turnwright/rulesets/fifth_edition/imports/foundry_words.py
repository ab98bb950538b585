"""The words of Foundry VTT's dnd5e system and ours: skills, sizes, properties of weapons, kinds of items.

The words are those of github.com/foundryvtt/dnd5e (module/config.mjs) in versions 4 and 5.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from types import MappingProxyType

from turnwright.model.vocabulary import CasterType, Size, Skill

SKILLS: Mapping[str, Skill] = MappingProxyType(
    {
        "acr": "acrobatics",
        "ani": "animal_handling",
        "arc": "arcana",
        "ath": "athletics",
        "dec": "deception",
        "his": "history",
        "ins": "insight",
        "itm": "intimidation",
        "inv": "investigation",
        "med": "medicine",
        "nat": "nature",
        "prc": "perception",
        "prf": "performance",
        "per": "persuasion",
        "rel": "religion",
        "slt": "sleight_of_hand",
        "ste": "stealth",
        "sur": "survival",
    }
)
SIZES: Mapping[str, Size] = MappingProxyType(
    {"tiny": "tiny", "sm": "small", "med": "medium", "lg": "large", "huge": "huge", "grg": "gargantuan"}
)
STEALTH_DISADVANTAGE = "stealthDisadvantage"
"""The property of armor that imposes disadvantage on hiding."""
PROPERTIES: Mapping[str, str] = MappingProxyType(
    {
        "ada": "adamantine",
        "amm": "ammunition",
        "fin": "finesse",
        "hvy": "heavy",
        "lgt": "light",
        "lod": "loading",
        "mgc": "magical",
        "rch": "reach",
        "sil": "silvered",
        "spc": "special",
        "thr": "thrown",
        "two": "two-handed",
        "ver": "versatile",
    }
)
ARMOR = ("light", "medium", "heavy")
ITEM_TYPES: Mapping[str, str] = MappingProxyType(
    {
        "weapon": "weapon",
        "equipment": "equipment",
        "consumable": "consumable",
        "tool": "tool",
        "loot": "misc",
        "container": "equipment",
        "backpack": "equipment",
    }
)
"""Types of items that are carried, each with ours."""
CASTERS: Mapping[str, CasterType] = MappingProxyType(
    {"full": "full", "half": "half", "third": "third", "pact": "warlock", "none": "none"}
)
COINS: Mapping[str, str] = MappingProxyType(
    {
        "pp": "Platinum Pieces",
        "gp": "Gold Pieces",
        "ep": "Electrum Pieces",
        "sp": "Silver Pieces",
        "cp": "Copper Pieces",
    }
)
"""Coins, each with the name of the item for it."""
IN_GOLD: Mapping[str, Decimal] = MappingProxyType(
    {"pp": Decimal(10), "gp": Decimal(1), "ep": Decimal("0.5"), "sp": Decimal("0.1"), "cp": Decimal("0.01")}
)
"""The value of a coin in gold pieces."""
FEET: Mapping[str, Decimal] = MappingProxyType(
    {"": Decimal(1), "ft": Decimal(1), "mi": Decimal(5280), "m": 1 / Decimal("0.3"), "km": 1000 / Decimal("0.3")}
)
"""Units of length, each in feet: the system takes 1.5 meters for 5 feet."""
SENSES = ("darkvision", "blindsight", "tremorsense", "truesight")
UNARMORED: Mapping[str, tuple[int, tuple[str, ...]]] = MappingProxyType(
    {
        "unarmoredMonk": (10, ("dex", "wis")),
        "unarmoredBarb": (10, ("dex", "con")),
        "unarmoredBard": (10, ("dex", "cha")),
        "draconic": (13, ("dex",)),
        "mage": (13, ("dex",)),
    }
)
"""Formulas for armor class without armor: a base, and the abilities whose modifiers are added."""


def in_feet(amount: float, units: str) -> int | None:
    """Return a length in whole feet; None for unknown units."""
    return round(Decimal(str(amount)) * FEET[units]) if units in FEET else None
