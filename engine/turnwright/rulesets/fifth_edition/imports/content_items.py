"""Items of an inventory made from entries of content: the figures of a weapon, of armor or of gear by its name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from turnwright.content.library import AmbiguousEntry, Library, UnknownEntry
from turnwright.content.pack import Found

_KINDS = ("weapons", "armor", "gear", "magic_items")
_REACH = 5


def item_called(library: Library | None, name: str) -> tuple[dict[str, Any], Found | None]:
    """Return an item with the figures of the entry that has its name, and that entry.

    A name that no entry has, or that is only near to one, is an item without figures; the entry is None then.

    Args:
        library: the campaign's entries; None where it has none.
        name: as it was written.
    """
    found = _entry(library, name) if library is not None else None
    if found is None:
        return {"name": name}, None
    return {"name": found.name, **_figures(found)}, found


def _entry(library: Library, name: str) -> Found | None:
    for kind in _KINDS:
        try:
            match = library.look_up(name, kind)
        except (UnknownEntry, AmbiguousEntry):
            continue
        if match.how != "spelling":
            return match.found
    return None


def _figures(found: Found) -> dict[str, Any]:
    value = found.value
    item: dict[str, Any] = _goods(value)
    if found.kind == "weapons":
        return {"type": "weapon", **item, "weapon_stats": _weapon(value)}
    if found.kind == "armor":
        return _armor(value, item)
    if found.kind == "magic_items":
        return {"type": "wondrous", **item}
    category = value.get("category")
    kind = "ammunition" if category == "ammunition" else "tool" if value.get("kind") == "tool" else "equipment"
    return {"type": kind, **item}


def _goods(value: Mapping[str, Any]) -> dict[str, Any]:
    item: dict[str, Any] = {}
    bundle = value.get("bundle") or 1
    if "weight" in value:
        item["weight"] = value["weight"] / bundle if bundle > 1 else value["weight"]
    if "cost" in value and bundle == 1:
        item["value"] = f"{value['cost']['amount']} {value['cost']['unit']}"
    if "rarity" in value and isinstance(value["rarity"], str):
        item["rarity"] = value["rarity"]
    return item


def _weapon(value: Mapping[str, Any]) -> dict[str, Any]:
    stats: dict[str, Any] = {}
    damage = value.get("damage")
    if damage:
        bonus = damage.get("bonus", 0)
        stats["damage"] = str(damage.get("dice", damage.get("flat", ""))) + (f"{bonus:+d}" if bonus else "")
        if isinstance(damage.get("type"), str):
            stats["damage_type"] = damage["type"]
    names = [each.replace("_", "-") for each in value.get("properties", ()) if each != "monk"]
    if "versatile" in value:
        names = [f"versatile ({value['versatile']})" if each == "versatile" else each for each in names]
    if names:
        stats["properties"] = names
    ranges = value.get("range") or value.get("thrown")
    if ranges:
        stats["range"], stats["long_range"] = ranges
    if value.get("reach", _REACH) != _REACH:
        stats["reach"] = value["reach"]
    return stats


def _armor(value: Mapping[str, Any], item: dict[str, Any]) -> dict[str, Any]:
    if "ac_bonus" in value:
        return {"type": "shield", **item, "ac": value["ac_bonus"]}
    stats: dict[str, Any] = {"base_ac": value["ac"]["base"], "category": value["category"]}
    if value.get("str_minimum"):
        stats["min_str"] = value["str_minimum"]
    return {"type": "armor", **item, "armor_stats": stats}
