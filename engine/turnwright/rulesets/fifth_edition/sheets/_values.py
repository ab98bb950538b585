"""The current values of a character as results show them."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from pydantic import Field

from turnwright.model.base import Count, Flag, FrozenMap, ListOf, Model, Number, SafeInt, Text
from turnwright.model.character import Character
from turnwright.model.creature import Condition, Mechanical
from turnwright.rulesets.fifth_edition.belongings.inventory import total_weight
from turnwright.rulesets.fifth_edition.condition_rules import mechanical
from turnwright.rulesets.fifth_edition.sheets.derived_stats import Effective, mechanics, worn

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.sheets.shapes import CarriedCondition, EffectiveReport, InventoryReport


class ValueView(Model):
    """One value: the sheet's, the current one, and the reasons for the difference."""

    base: SafeInt
    effective: SafeInt
    modified: Flag
    modifiers: ListOf[Text]


class EffectiveView(Model):
    """The values that count: base, then equipment, then conditions, then effects. Speed in feet."""

    hp: Count = Field(description="Never more than the maximum that counts now.")
    max_hp: ValueView
    speed: ValueView
    ac: ValueView
    stats: FrozenMap[ValueView]


class ConditionView(Condition):
    """A condition and its mechanics."""

    mechanical: Mechanical


class InventorySummary(Model):
    """A summary of a character's belongings; manage_inventory lists them."""

    entries: Count
    total_weight: Number = Field(description="Pounds.")
    equipped: FrozenMap[Text] = Field(description="Names of items, by slot.")


def shown_values(values: Effective) -> EffectiveReport:
    """Return the current values, an `EffectiveView`."""
    return {
        "hp": values.hp,
        "max_hp": values.max_hp.shown(),
        "speed": values.speed.shown(),
        "ac": values.ac.shown(),
        "stats": {ability: value.shown() for ability, value in values.stats.items()},
    }


def shown_conditions(character: Character) -> list[CarriedCondition]:
    """Return conditions in the order they came, each a `ConditionView`."""
    told = ({**each.as_written, "mechanical": mechanical(mechanics(each))} for each in character.conditions)
    return [cast("CarriedCondition", each) for each in told]


def shown_inventory(character: Character) -> InventoryReport:
    """Return an `InventorySummary`."""
    names = {item.id: item.name for item in worn(character)}
    equipped = {slot: names[item_id] for slot, item_id in character.equipped.items() if item_id in names}
    return {"entries": len(character.inventory), "total_weight": total_weight(character), "equipped": equipped}
