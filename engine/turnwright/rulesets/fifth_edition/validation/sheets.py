"""Validate a character's sheet and belongings: states that no tool could have produced.

Source: docs/stages/2-settings.md, "Hand edits".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from turnwright.model.character import Character
from turnwright.model.creature import Pool
from turnwright.model.sheet import Sheet
from turnwright.model.wire.reason import Problem
from turnwright.rulesets.fifth_edition.belongings.equipment import SLOTS
from turnwright.rulesets.validation import duplicates

_SPELL_LEVELS = frozenset("123456789")


def sheet_problems(file: str, person: Character, where: str = "$") -> Iterator[Problem]:
    """Yield the problems of a character's sheet, effects and belongings; `where` is their place in the file."""
    if person.sheet is not None:
        yield from _pool_problems(file, person.sheet, f"{where}.sheet")
        if (others := sum(person.sheet.other_classes.values())) >= person.sheet.level:
            message = f"are {others} levels, and all are {person.sheet.level}: the first class has one at least"
            yield Problem(file, f"{where}.sheet.other_classes", "too_many_levels", message)
        if person.sheet.race_gains is not None and person.sheet.custom_race is None:
            message = "tells what a custom race brought, and there is no custom_race"
            yield Problem(file, f"{where}.sheet.race_gains", "no_custom_race", message)
    yield from duplicates(file, f"{where}.effects", "effect_id", [effect.effect_id for effect in person.effects])
    items = [item.id for item in person.inventory]
    yield from duplicates(file, f"{where}.inventory", "id", items)
    for slot, item_id in person.equipped.items():
        place = f"{where}.equipped.{slot}"
        if slot not in SLOTS:
            yield Problem(file, place, "unknown_slot", f"there is no slot {slot}; the slots are {', '.join(SLOTS)}")
        if item_id not in items:
            yield Problem(file, place, "unknown_item", f"{person.id} carries no {item_id}")


def slot_problems(file: str, slots: Mapping[str, Pool], where: str) -> Iterator[Problem]:
    """Yield the problems of spell slots by level."""
    for level, pool in slots.items():
        if level not in _SPELL_LEVELS:
            yield Problem(file, f"{where}.{level}", "spell_level", f"{level} is no level of spells: those are 1 to 9")
        yield from _above(file, f"{where}.{level}", pool)


def _pool_problems(file: str, sheet: Sheet, where: str) -> Iterator[Problem]:
    yield from slot_problems(file, sheet.spell_slots, f"{where}.spell_slots")
    for name in ("hit_dice", "pact_slots", "resource"):
        yield from _above(file, f"{where}.{name}", getattr(sheet, name))


def _above(file: str, where: str, pool: Pool | None) -> Iterator[Problem]:
    if pool is not None and pool.current > pool.max:
        message = f"{pool.current} are left, of {pool.max}"
        yield Problem(file, f"{where}.current", "above_maximum", message)
