"""Levels in several classes: prerequisites, and the combined spell slots and hit dice.

Source: SRD 5.1, "Multiclassing".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from turnwright.model.creature import Stats
from turnwright.model.sheet import Sheet
from turnwright.model.vocabulary import Ability, CasterType
from turnwright.rulesets.fifth_edition.sheets import classes

_LEAST = 13
_NEEDS: Mapping[str, tuple[tuple[Ability, ...], ...]] = MappingProxyType(
    {
        "barbarian": (("str",),),
        "bard": (("cha",),),
        "cleric": (("wis",),),
        "druid": (("wis",),),
        "fighter": (("str",), ("dex",)),
        "monk": (("dex", "wis"),),
        "paladin": (("str", "cha"),),
        "ranger": (("dex", "wis"),),
        "rogue": (("dex",),),
        "sorcerer": (("cha",),),
        "warlock": (("cha",),),
        "wizard": (("int",),),
    }
)
"""The abilities in which a class requires 13, all of one row."""
_PARTS: Mapping[CasterType, int] = MappingProxyType({"full": 1, "half": 2, "third": 3})
"""How many levels in a class count as one of a caster."""


def own_level(sheet: Sheet) -> int:
    """Return the levels in a character's first class."""
    return max(1, sheet.level - sum(sheet.other_classes.values()))


def level_in(sheet: Sheet, name: str) -> int:
    """Return the levels in a class as the sheet spells it; 0 for one that the character has not."""
    return own_level(sheet) if name == sheet.class_ else sheet.other_classes.get(name, 0)


def class_levels(sheet: Sheet) -> dict[str, int]:
    """Return the levels by class, the first class first."""
    return {sheet.class_: own_level(sheet), **sheet.other_classes}


def why_not(sheet: Sheet, name: str) -> str | None:
    """Return why a character can take no level in a new class, or None: both classes require certain scores."""
    for each in (name, *class_levels(sheet)):
        rows = _NEEDS.get(each.strip().lower(), ())
        if rows and not any(_has(sheet.stats, row) for row in rows):
            told = " or ".join(" and ".join(f"{ability} {_LEAST}" for ability in row) for row in rows)
            return f"{each} wants {told}"
    return None


def _has(stats: Stats, abilities: tuple[Ability, ...]) -> bool:
    return all(getattr(stats, ability) >= _LEAST for ability in abilities)


def casters(sheet: Sheet) -> Iterator[tuple[CasterType, int]]:
    """Yield how each class casts, and its level."""
    custom = sheet.custom_class.spellcasting if sheet.custom_class else None
    yield classes.caster_type(sheet.class_, custom), own_level(sheet)
    yield from ((classes.caster_type(name), level) for name, level in sheet.other_classes.items())


def spellcaster(sheet: Sheet) -> tuple[CasterType, int]:
    """Return the table of a character's spell slots, and the level in that table; pact magic is separate.

    A single caster class uses its own table and level. Several add up: all levels of full casters, half of those of
    half casters and a third of those of third casters, each rounded down, are a level of the full caster's table.
    """
    found = [(caster, level) for caster, level in casters(sheet) if caster in _PARTS]
    if len(found) < 2:
        return found[0] if found else ("none", 0)
    level = sum(level // _PARTS[caster] for caster, level in found)
    return ("full", level) if level else ("none", 0)


def warlock_level(sheet: Sheet) -> int:
    """Return the level of pact magic; 0 without any."""
    return sum(level for caster, level in casters(sheet) if caster == "warlock")


def hit_dice_sizes(sheet: Sheet) -> list[int]:
    """Return the sides of all hit dice, the greatest first: in this order they are spent."""
    own = classes.hit_die(sheet.class_, sheet.custom_class.hit_die if sheet.custom_class else None)
    sizes = [own] * own_level(sheet)
    for name, level in sheet.other_classes.items():
        sizes += [classes.hit_die(name)] * level
    return sorted(sizes, reverse=True)
