"""Items of an inventory made from entries of content: the figures of weapons, armor, gear and magic items by name.

An item stores the copied values, so that it remains usable and readable without the pack. Source: docs/content.md,
"Items by name".
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, cast

from turnwright.content.library import AmbiguousEntry, Library
from turnwright.content.pack import Found

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.entry_shapes import ArmorEntry, GoodsEntry, MagicItemEntry, WeaponEntry
    from turnwright.rulesets.fifth_edition.item_shapes import ArmorFigures, ItemFigures, WeaponFigures

_KINDS_OF_TYPE: Mapping[str | None, tuple[str, ...]] = {
    None: ("weapons", "armor", "gear", "magic_items"),
    "weapon": ("weapons",),
    "armor": ("armor",),
    "shield": ("armor",),
    "wondrous": ("magic_items",),
    "misc": (),
    "currency": (),
}
"""Kinds of entries for each type of item; None: the type is unknown."""
_OTHER_KINDS = ("gear", "magic_items")
_IN_GOLD = {"cp": Decimal("0.01"), "sp": Decimal("0.1"), "gp": Decimal(1)}
_REACH = 5
_DRUNK = ("potion",)
_FOR_MONKS = "monk"
"""A mark of entries, for a feature of the class, and no property of the weapon."""


def entry_called(library: Library, name: str, item_type: str | None = None) -> Found | None:
    """Return the weapon, armor, gear or magic item that a name means, or None; misspelled names match nothing here.

    Args:
        library: the campaign's entries.
        name: the given name, which may be a plural.
        item_type: the required type of item; None for any.
    """
    for kind in _KINDS_OF_TYPE.get(item_type, _OTHER_KINDS):
        try:
            match = library.look_up_spelled(name, kind)
        except AmbiguousEntry:
            continue
        if match is not None and match.found.kind == kind and "variants" not in match.found.value:
            return match.found
    return None


_SPENT = frozenset(
    {
        *("acid-vial", "alchemists-fire-flask", "antitoxin-vial", "candle", "holy-water-flask", "oil-flask"),
        *("poison-basic-vial", "rations-1-day", "torch"),
    }
)
"""Gear that loses a piece with each use."""


def figures_of(entry: Found) -> ItemFigures:
    """Return an entry's values for one piece, in the form of an `Item`, without name, id and quantity."""
    value = entry.value
    made = _goods(cast("GoodsEntry", value))
    if entry.kind == "weapons":
        return {"type": "weapon", **made, "weapon_stats": _weapon(cast("WeaponEntry", value))}
    if entry.kind == "armor":
        return _armor(cast("ArmorEntry", value), made)
    if entry.kind == "magic_items":
        return _magic(cast("MagicItemEntry", value), made)
    if value.get("kind") == "tool":
        return {"type": "tool", **made}
    if entry.id in _SPENT:
        return {"type": "consumable", **made}
    return {"type": "ammunition" if value.get("category") == "ammunition" else "equipment", **made}


def _goods(value: GoodsEntry) -> ItemFigures:
    """Return the weight in pounds and the cost in gold pieces of one piece."""
    made: ItemFigures = {}
    bundle = value.get("bundle") or 1
    if value.get("weight"):
        made["weight"] = _number(Decimal(str(value["weight"])) / bundle)
    if "cost" in value:
        made["value"] = _number(value["cost"]["amount"] * _IN_GOLD[value["cost"]["unit"]] / bundle)
    return made


def _number(value: Decimal) -> int | float:
    return int(value) if value == int(value) else float(round(value, 4))


def _weapon(value: WeaponEntry) -> WeaponFigures:
    stats: WeaponFigures = {}
    if damage := value.get("damage"):
        bonus = damage.get("bonus", 0)
        stats["damage"] = str(damage.get("dice", damage.get("flat", ""))) + (f"{bonus:+d}" if bonus else "")
        if isinstance(kind := damage.get("type"), str):
            stats["damage_type"] = kind
    if names := [_property(each, value) for each in value.get("properties", ()) if each != _FOR_MONKS]:
        stats["properties"] = names
    if ranges := value.get("range") or value.get("thrown"):
        stats["range"], stats["long_range"] = ranges
    if value.get("reach", _REACH) != _REACH:
        stats["reach"] = value["reach"]
    said = value.get("figures", {})
    if "disadvantage_within" in said:
        stats["disadvantage_within"] = said["disadvantage_within"]
    if "two_handed_unless" in said:
        stats["two_handed_unless"] = said["two_handed_unless"]
    for each in value.get("conditions", ()):
        stats["entangles"] = {
            "condition": each["id"],
            "ability": each["escape"]["check"],
            "dc": each["escape"]["dc"],
            "max_size": said["max_size"],
            "ac": said["ac"],
            "hp": said["hp"],
        }
    return stats


def _property(name: str, value: WeaponEntry) -> str:
    return f"versatile ({value['versatile']})" if name == "versatile" else name.replace("_", "-")


def _armor(value: ArmorEntry, made: ItemFigures) -> ItemFigures:
    if "ac_bonus" in value:
        return {"type": "shield", **made, "ac": value["ac_bonus"]}
    stats: ArmorFigures = {"base_ac": value["ac"]["base"], "category": value["category"]}
    if value.get("str_minimum"):
        stats["min_str"] = value["str_minimum"]
    if value.get("stealth_disadvantage"):
        stats["stealth_disadvantage"] = True
    return {"type": "armor", **made, "armor_stats": stats}


def _magic(value: MagicItemEntry, made: ItemFigures) -> ItemFigures:
    """Return a magic item: its kind and, for a healing potion, the effect of drinking it."""
    is_drunk = value.get("kind") in _DRUNK
    made |= {"type": "consumable" if is_drunk else "wondrous", "rarity": value["rarity"].replace("_", " ")}
    if value.get("attunement"):
        made["requires_attunement"] = True
    healing = value.get("heal")
    if is_drunk and healing and "dice" in healing:
        bonus = healing.get("bonus", 0)
        made["effect"] = f"Heal {healing['dice']}" + (f"{bonus:+d}" if bonus else "")
    return made
