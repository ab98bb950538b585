"""Attempts whose outcome is open."""

from __future__ import annotations

from collections.abc import Iterable

from turnwright.model.agent import AgentKind
from turnwright.suggest.rule import Hit, Look, Rule

ABILITY = {
    "acrobatics": "dexterity",
    "animal_handling": "wisdom",
    "arcana": "intelligence",
    "athletics": "strength",
    "deception": "charisma",
    "history": "intelligence",
    "insight": "wisdom",
    "intimidation": "charisma",
    "investigation": "intelligence",
    "medicine": "wisdom",
    "nature": "intelligence",
    "perception": "wisdom",
    "performance": "charisma",
    "persuasion": "charisma",
    "religion": "intelligence",
    "sleight_of_hand": "dexterity",
    "stealth": "dexterity",
    "survival": "wisdom",
}
"""The ability of each skill."""


class Check(Rule):
    """Somebody attempts what may fail; each pattern is named for its skill, with a number where there are several."""

    id = "r18_check"
    agents = frozenset({AgentKind.NARRATIVE})
    requires = ("no_encounter",)
    intents = ("check",)

    def evaluate(self, look: Look) -> Iterable[Hit]:
        """Read attempts and infer the skill; a check names nobody, so it may be any member's."""
        for found in look.found(members=True):
            skill = found.pattern.name.rstrip("0123456789").rstrip("_")
            arguments = (
                {"check_type": "skill", "skill": skill}
                if skill in ABILITY
                else {"check_type": "ability", "ability": skill}
            )
            yield look.hit(found, "check", "attempt", f"an attempt that may fail: {skill.replace('_', ' ')}", arguments)
