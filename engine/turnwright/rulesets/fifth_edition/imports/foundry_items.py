"""The items of a Foundry VTT actor as entries of an inventory. Source: docs/characters.md, "Foundry VTT"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Literal

from turnwright.model.vocabulary import DamageType, words
from turnwright.rulesets.fifth_edition.belongings.inventory import MAX_PIECES
from turnwright.rulesets.fifth_edition.imports.draft import MAX_NAME, Draft, is_monk_weapon
from turnwright.rulesets.fifth_edition.imports.fields import Node
from turnwright.rulesets.fifth_edition.imports.foundry_words import (
    ARMOR,
    IN_GOLD,
    ITEM_TYPES,
    PROPERTIES,
    STEALTH_DISADVANTAGE,
    in_feet,
)

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.item_shapes import ArmorFigures, NewItem, WeaponFigures

_DAMAGE = frozenset(words(DamageType))
_PLUS = re.compile(r"([+-]?) ?([0-9]{1,4})")
_MAX_FEET = 100_000
_MAX_POUNDS = 1_000_000
_POUNDS_A_KILOGRAM = 2
"""By the system's own metric conversion, which halves pounds."""
_MAX_DICE, _MAX_SIDES = 100, 1000


def take_item(item: Node, containers: Mapping[Any, str | None], draft: Draft) -> None:
    """Put an item into the inventory of a draft.

    Args:
        item: the item.
        containers: names of the containers by id.
        draft: the draft of the carrying character.
    """
    system = item["system"]
    name = item["name"].text(MAX_NAME)
    if name is None:
        raise item["name"].fault("wants a name")
    item["name"].taken("inventory")
    item["type"].taken("inventory")
    kind = system["type.value"]
    entry: NewItem = {"name": name, "type": _type_of(item, kind)}
    _take_plain(system, containers, entry)
    properties = _properties(system["properties"])
    if entry["type"] == "weapon":
        entry["weapon_stats"] = _weapon(system, properties)
    elif entry["type"] == "armor":
        entry["armor_stats"] = _armor(system, kind.word)
        kind.taken("inventory.armor_stats")
        properties = [each for each in properties if each == "magical"]
    elif entry["type"] == "shield":
        entry["ac"] = system["armor.value"].integer(0, 100) or 0
        system["armor.value"].taken("inventory.ac")
    if properties and entry["type"] != "weapon":
        entry["properties"] = properties
    _take_magic(system, entry)
    if entry["type"] == "weapon" and is_monk_weapon(name, is_simple_melee=kind.word == "simpleM"):
        draft.monk_weapons.append(len(draft.items))
    if system["equipped"].is_said or system["equipped"].value is False:
        if system["equipped"].flag():
            draft.worn.append(len(draft.items))
        system["equipped"].taken("equipped")
    draft.items.append(entry)


def _type_of(item: Node, kind: Node) -> str:
    own = ITEM_TYPES[item["type"].word]
    if item["type"].word == "equipment" and kind.word in ARMOR:
        return "armor"
    if item["type"].word == "equipment" and kind.word == "shield":
        return "shield"
    if item["type"].word == "equipment" and kind.word == "wondrous":
        kind.taken("inventory.type")
        return "wondrous"
    if item["type"].word == "consumable" and kind.word == "ammo":
        kind.taken("inventory.type")
        return "ammunition"
    return own


def _take_plain(system: Node, containers: Mapping[Any, str | None], entry: NewItem) -> None:
    quantity = system["quantity"].integer(0, MAX_PIECES)
    if quantity is not None:
        entry["quantity"] = quantity
        system["quantity"].taken("inventory.quantity")
    weight = system["weight"] if not isinstance(system["weight"].value, Mapping) else system["weight.value"]
    pounds = weight.number(_MAX_POUNDS)
    if pounds is not None:
        units = system["weight.units"].word if weight is not system["weight"] else "lb"
        if units in ("lb", ""):
            entry["weight"] = pounds
            weight.taken("inventory.weight")
        elif units == "kg":
            entry["weight"] = pounds * _POUNDS_A_KILOGRAM
            weight.derived("inventory.weight", "in pounds")
    price, coin = system["price.value"], system["price.denomination"].text(20) or "gp"
    amount = price.number(2**40)
    if amount and coin in IN_GOLD:
        entry["value"] = in_gold(amount, coin)
        if coin == "gp":
            price.taken("inventory.value")
        else:
            price.derived("inventory.value", "in gold pieces")
        system["price.denomination"].derived("inventory.value")
    rarity = system["rarity"].text(50)
    if rarity:
        entry["rarity"] = rarity
        system["rarity"].taken("inventory.rarity")
    if system["attunement"].word == "required":
        entry["requires_attunement"] = True
        system["attunement"].taken("inventory.requires_attunement")
    inside = containers.get(system["container"].word)
    if inside:
        entry["container"] = inside
        system["container"].derived("inventory.container")
    _take_uses(system["uses"], entry)


def in_gold(amount: float, coin: str) -> int | float:
    """Return the value of so many coins of a kind in gold pieces."""
    value = Decimal(str(amount)) * IN_GOLD[coin]
    return int(value) if value == int(value) else float(round(value, 4))


def _take_uses(uses: Node, entry: NewItem) -> None:
    most = _whole(uses["max"])
    if most is None:
        return
    spent = uses["spent"].integer(0, most) or 0
    entry["uses_remaining"] = most - spent
    uses["max"].derived("inventory.uses_remaining")
    uses["spent"].derived("inventory.uses_remaining")


def _whole(node: Node) -> int | None:
    """Return a whole number from 0 up; None for a formula, or if there is none."""
    text = str(node.value).strip() if node.is_said and not isinstance(node.value, (bool, Mapping, list)) else ""
    return int(text) if re.fullmatch(r"[0-9]{1,6}", text) else None


def _properties(node: Node) -> list[str]:
    """Return the names of properties: a list of words, or in older files an object of flags."""
    found = []
    for each in node.each():
        word = each.path[-1] if isinstance(node.value, Mapping) and each.value is True else each.value
        name = PROPERTIES.get(word) if isinstance(word, str) else None
        if name is not None:
            found.append(name)
            each.taken("inventory.properties")
    return list(dict.fromkeys(found))


# weapons and armor


def _weapon(system: Node, properties: Iterable[str]) -> WeaponFigures:
    stats: WeaponFigures = {}
    base = system["damage.base"]
    dice = _dice(base, system["magicalBonus"])
    if dice is not None:
        stats["damage"] = dice
    kind = next((each for each in base["types"].each() if each.word in _DAMAGE), None)
    if kind is not None:
        stats["damage_type"] = kind.word
        kind.taken("inventory.weapon_stats.damage_type")
    reach = system["range"]
    ranges: tuple[tuple[Node, Literal["range", "long_range", "reach"]], ...] = (
        (reach["value"], "range"),
        (reach["long"], "long_range"),
        (reach["reach"], "reach"),
    )
    for node, name in ranges:
        length = node.number(_MAX_FEET)
        if not length or _is_reach(name, system):
            continue
        feet = in_feet(length, reach["units"].word)
        if not feet or feet > _MAX_FEET:
            node.dropped("in units that are not known")
        elif reach["units"].word in ("", "ft"):
            stats[name] = feet
            node.taken(f"inventory.weapon_stats.{name}")
        else:
            stats[name] = feet
            node.derived(f"inventory.weapon_stats.{name}", "in feet")
    versatile = _dice(system["damage.versatile"], None)
    named = [f"versatile ({versatile})" if each == "versatile" and versatile else each for each in properties]
    if named:
        stats["properties"] = named
    return stats


def _is_reach(name: str, system: Node) -> bool:
    """Return whether a range is the reach of a melee weapon: older files give it as a range of 5."""
    thrown_or_shot = any(each.word in ("thr", "amm") for each in system["properties"].each())
    return name == "range" and system["type.value"].word.endswith("M") and not thrown_or_shot


def _dice(node: Node, magic: Node | None) -> str | None:
    """Return a damage part as dice notation; None if it has no dice and no number."""
    if node["custom.enabled"].value is True and node["custom.formula"].is_said:
        text = node["custom.formula"].text(100) or ""
        if re.fullmatch(r"[0-9d+\- ]{1,100}", text):
            node["custom.formula"].taken("inventory.weapon_stats.damage")
            return text.replace(" ", "")
        node["custom.formula"].dropped("a formula, which is not worked out")
        return None
    number, sides = node["number"].integer(0, _MAX_DICE), node["denomination"].integer(0, _MAX_SIDES)
    bonus = _bonus(node["bonus"]) + (_bonus(magic) if magic is not None else 0)
    if not number or not sides:
        return str(bonus) if bonus > 0 else None
    node["number"].taken("inventory.weapon_stats.damage")
    node["denomination"].taken("inventory.weapon_stats.damage")
    return f"{number}d{sides}" + (f"{bonus:+d}" if bonus else "")


def _bonus(node: Node) -> int:
    match = _PLUS.fullmatch(str(node.value).strip()) if node.is_said and not isinstance(node.value, bool) else None
    if match is None:
        if node.is_said:
            node.dropped("a formula, which is not worked out")
        return 0
    node.taken("inventory.weapon_stats.damage")
    return int(f"{match[1]}{match[2]}")


def _armor(system: Node, category: str) -> ArmorFigures:
    base = system["armor.value"].integer(0, 100)
    if base is None:
        raise system["armor.value"].fault("wants the armor class of the armor")
    system["armor.value"].taken("inventory.armor_stats.base_ac")
    stats: ArmorFigures = {"base_ac": base, "category": category}
    strength = _whole(system["strength"])
    if strength:
        stats["min_str"] = strength
        system["strength"].taken("inventory.armor_stats.min_str")
    hinders = next((each for each in system["properties"].each() if each.word == STEALTH_DISADVANTAGE), None)
    if hinders is not None:
        stats["stealth_disadvantage"] = True
        hinders.taken("inventory.armor_stats.stealth_disadvantage")
    return stats


def _take_magic(system: Node, entry: NewItem) -> None:
    bonus = system["armor.magicalBonus"]
    plus = _whole(bonus)
    if plus and entry["type"] in ("armor", "shield"):
        entry["mechanical_effects"] = {"ac_bonus": plus}
        bonus.taken("inventory.mechanical_effects.ac_bonus")
