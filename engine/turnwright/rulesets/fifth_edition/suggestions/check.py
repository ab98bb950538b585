"""Attempts with an open outcome."""

from __future__ import annotations

from collections.abc import Iterable

from turnwright.model.wire.agent import AgentKind
from turnwright.suggestions.rule import Found, Hit, Rule, RuleContext

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
    """A character attempts something uncertain; each pattern is named for its skill, numbered if there are several."""

    id = "r18_check"
    agents = frozenset({AgentKind.NARRATIVE})
    requires = ("no_encounter",)
    intents = ("check",)

    def evaluate(self, look: RuleContext) -> Iterable[Hit]:
        """Find attempts and infer the skill; a check names no character, so it may be any member's."""
        for found in look.found(members=True):
            skill = found.pattern.name.rstrip("0123456789").rstrip("_")
            if skill == "roll":
                yield look.hit(found, "check", "attempt", "a check is called for", _rolled(look, found))
                continue
            reason = f"an attempt that may fail: {skill.replace('_', ' ')}"
            yield look.hit(found, "check", "attempt", reason, _asked(skill))


def _rolled(look: RuleContext, found: Found) -> dict[str, str]:
    """Return the arguments of the roll: the skill or ability in the words of the language, or a saving throw."""
    names = dict(entry.split("=") for entry in look.words.lists.get("skill_names", ()))
    said = found.group("skill") or found.group("skill_b")
    asked = _asked(names.get(said, said).replace(" ", "_"))
    is_save = look.has("saves", found.match[0].rpartition(" ")[2]) and "skill" not in asked
    return {**asked, "check_type": "save"} if is_save else asked


def _asked(name: str) -> dict[str, str]:
    if name in ABILITY:
        return {"check_type": "skill", "skill": name}
    return {"check_type": "ability", "ability": name} if name in ABILITY.values() or name == "constitution" else {}
