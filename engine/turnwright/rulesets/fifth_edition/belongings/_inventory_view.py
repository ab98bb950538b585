"""An inventory as results show it: its entries, emptied slots, and the total weight."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, cast

from turnwright.model.character import Character
from turnwright.model.item import Item
from turnwright.rulesets.fifth_edition.belongings.inventory import capacity, total_weight
from turnwright.rulesets.fifth_edition.sheets.derived_stats import effective, protects_nothing

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.item_shapes import EmptiedSlot, Load, ShownItem


def shown_item(item: Item) -> ShownItem:
    """Return an entry."""
    shown = {"item_id": item.id, **{key: value for key, value in item.as_written.items() if key != "id"}}
    return cast("ShownItem", shown)


def told_of_armor(item: Item) -> tuple[str, ...]:
    """Warn about armor that has no effect while worn: it can still be removed and given again."""
    return (f"{item.name} changes no armor class: it has no armor_stats",) if protects_nothing(item) else ()


def shown_freed(item: Item, slots: Iterable[str]) -> list[EmptiedSlot]:
    """Return the slots that an item left."""
    return [{"slot": slot, "item_id": item.id, "name": item.name} for slot in slots]


def shown_emptied(character: Character, emptied: Mapping[str, str]) -> list[EmptiedSlot]:
    """Return the emptied slots, given what a character carries: ids by slot."""
    names = {item.id: item.name for item in character.inventory}
    return [{"slot": slot, "item_id": held, "name": names.get(held, held)} for slot, held in emptied.items()]


def shown_load(character: Character) -> Load:
    """Return a character's load and capacity; the capacity is unknown without a sheet."""
    weight = total_weight(character)
    if character.max_hp is None:
        return {"total_weight": weight, "capacity": None, "encumbered": False}
    values = effective(character)
    most = capacity(values.stats["str"].effective, values.size)
    return {"total_weight": weight, "capacity": most, "encumbered": weight > most}
