"""A fight that begins."""

from __future__ import annotations

from collections.abc import Iterable

from turnwright.language.message_text import words_of
from turnwright.model.wire.agent import AgentKind
from turnwright.suggestions.entities import noun_phrase, person_of
from turnwright.suggestions.rule import Hit, Rule, RuleContext


class CombatStart(Rule):
    """A fight begins."""

    id = "r13_combat_start"
    agents = frozenset({AgentKind.NARRATIVE})
    requires = ("no_encounter",)
    intents = ("combat.start",)

    def evaluate(self, look: RuleContext) -> Iterable[Hit]:
        """Find attacks on a character, ambushes, and calls for initiative."""
        present = look.snapshot.npcs_present
        is_hostile = any(person.hostile for person in present or ())
        for found in look.found():
            words = words_of(found.group("whom") or found.clause.text[found.match.start() :])
            phrase = noun_phrase(look, found.group("whom"), found.group("whom"))
            if found.pattern.name == "jump":
                words = list(phrase.words)
            target = person_of(look, present, words)
            is_person = look.has_any("people", words) or look.has_any("foes", words)
            is_foe = target is not None and target.hostile
            named = (phrase.owner, *phrase.words) if phrase.words else words_of(found.group("whom"))
            if not is_foe and look.has_any("friendly", named):
                continue
            is_not_character = bool(found.group("whom")) and target is None and not is_person
            if is_not_character and (
                not is_hostile or look.has_any("things", words) or look.has("pronouns", words[-1])
            ):
                continue
            arguments = {"participants": [target.name]} if target else {}
            base = "hostile" if is_hostile else "any"
            yield look.hit(found, "combat.start", base, "a fight begins", arguments)
