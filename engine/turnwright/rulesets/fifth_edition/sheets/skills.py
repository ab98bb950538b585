"""Abilities and skills. Source: SRD 5.1, "Using Ability Scores"."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from turnwright.model.vocabulary import Ability, Skill
from turnwright.rulesets.fifth_edition.fights.advantage import Mode

SKILL_ABILITIES: Mapping[Skill, Ability] = MappingProxyType(
    {
        "acrobatics": "dex",
        "animal_handling": "wis",
        "arcana": "int",
        "athletics": "str",
        "deception": "cha",
        "history": "int",
        "insight": "wis",
        "intimidation": "cha",
        "investigation": "int",
        "medicine": "wis",
        "nature": "int",
        "perception": "wis",
        "performance": "cha",
        "persuasion": "cha",
        "religion": "int",
        "sleight_of_hand": "dex",
        "stealth": "dex",
        "survival": "wis",
    }
)

_PASSIVE = 10
_PASSIVE_MODE = 5


def ability_modifier(score: int) -> int:
    """Return half of a score's distance from 10, rounded down: 9 gives -1."""
    return (score - 10) // 2


def passive_score(modifier: int, mode: Mode = "normal") -> int:
    """Return a passive score: 10 and the modifier of the check, 5 more or less with advantage or disadvantage."""
    return _PASSIVE + modifier + {"advantage": _PASSIVE_MODE, "disadvantage": -_PASSIVE_MODE}.get(mode, 0)
