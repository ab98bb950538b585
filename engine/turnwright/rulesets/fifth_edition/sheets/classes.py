"""Classes and levels: proficiency, hit points, saves, spellcasting, resources.

A name outside the twelve is a custom class. Values of such a class are passed as `custom` and win, whatever its name.
Source: SRD 5.1, "Beyond 1st Level" and the pages of the classes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

from turnwright.model.vocabulary import Ability, CasterType
from turnwright.rulesets.fifth_edition.sheets.rounding import bounded, floor_times

ResourceScaling = Literal["none", "level", "half", "third"]

DEFAULT_HIT_DIE = 8
IMPROVES = "Ability Score Improvement"
"""The feature of the levels that raise ability scores."""


class CharacterClass(NamedTuple):
    """The values of a class that a level grants."""

    hit_die: int
    saves: tuple[Ability, ...]
    caster: CasterType = "none"
    spellcasting: Ability | None = None


CLASSES: Mapping[str, CharacterClass] = MappingProxyType(
    {
        "barbarian": CharacterClass(12, ("str", "con")),
        "bard": CharacterClass(8, ("dex", "cha"), "full", "cha"),
        "cleric": CharacterClass(8, ("wis", "cha"), "full", "wis"),
        "druid": CharacterClass(8, ("int", "wis"), "full", "wis"),
        "fighter": CharacterClass(10, ("str", "con")),
        "monk": CharacterClass(8, ("str", "dex")),
        "paladin": CharacterClass(10, ("wis", "cha"), "half", "cha"),
        "ranger": CharacterClass(10, ("str", "dex"), "half", "wis"),
        "rogue": CharacterClass(8, ("dex", "int")),
        "sorcerer": CharacterClass(6, ("con", "cha"), "full", "cha"),
        "warlock": CharacterClass(8, ("wis", "cha"), "warlock", "cha"),
        "wizard": CharacterClass(6, ("int", "wis"), "full", "int"),
    }
)
_UNKNOWN = CharacterClass(DEFAULT_HIT_DIE, ())
_IMPROVES_AT = (4, 8, 12, 16, 19)
_IMPROVES_MORE_AT: Mapping[str, tuple[int, ...]] = MappingProxyType({"fighter": (6, 14), "rogue": (10,)})


def class_named(name: str) -> CharacterClass:
    """Return the class of this name in any case; if it is unknown, one without saves and spells."""
    return CLASSES.get(name.strip().lower(), _UNKNOWN)


def hit_die(name: str, custom: int | None = None) -> int:
    """Return the sides of the hit die."""
    return class_named(name).hit_die if custom is None else custom


def save_proficiencies(name: str, custom: Iterable[Ability] | None = None) -> tuple[Ability, ...]:
    """Return the abilities whose saving throws the class is proficient in; a custom list may be empty."""
    return class_named(name).saves if custom is None else tuple(custom)


def caster_type(name: str, custom: CasterType | None = None) -> CasterType:
    """Return the type of the spell slot table; `third` only comes from custom classes."""
    return class_named(name).caster if custom is None else custom


def spellcasting_ability(name: str, custom: Ability | None = None) -> Ability | None:
    """Return the spellcasting ability, or None for a class without spells."""
    return class_named(name).spellcasting if custom is None else custom


def proficiency_bonus(level: int) -> int:
    """Return +2 at level 1, and one more at levels 5, 9, 13 and 17."""
    return 1 + (level + 3) // 4


def improvements(name: str, before: int, after: int) -> int:
    """Return how many times the levels of a class above one and up to another raise ability scores."""
    levels = (*_IMPROVES_AT, *_IMPROVES_MORE_AT.get(name.strip().lower(), ()))
    return sum(before < level <= after for level in levels)


def average_gain(die: int) -> int:
    """Return the gain of a hit die that is not rolled: the average, rounded up."""
    return die // 2 + 1


def level_gain(gained: int, con_modifier: int) -> int:
    """Return the hit points of one level from its hit die; no level gives less than 1."""
    return max(1, gained + con_modifier)


def max_hp(level: int, die: int, con_modifier: int) -> int:
    """Return the hit point maximum: the whole die for level 1, the average for every other."""
    return level_gain(die, con_modifier) + (level - 1) * level_gain(average_gain(die), con_modifier)


_PER_LEVELS: Mapping[ResourceScaling, int] = MappingProxyType({"level": 1, "half": 2, "third": 3})


def resource_max(base: int, level: int, scaling: ResourceScaling | float = "none") -> int:
    """Return the maximum of a custom class's resource.

    Args:
        base: the maximum at level 1.
        level: 1..20.
        scaling: one more for each level, each second or each third level after the first, or a number for each.
    """
    if isinstance(scaling, (int, float)):
        return bounded(base + floor_times(level - 1, scaling))
    return base if scaling == "none" else bounded(base + (level - 1) // _PER_LEVELS[scaling])
