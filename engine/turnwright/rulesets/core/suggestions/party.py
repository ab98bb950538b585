"""Characters who join or leave the party."""

from __future__ import annotations

from collections.abc import Iterable

from turnwright.language.message_text import words_of
from turnwright.model.wire.agent import AgentKind
from turnwright.suggestions.entities import person_of
from turnwright.suggestions.rule import Hit, Rule, RuleContext


class Party(Rule):
    """A character joins the party or leaves it."""

    id = "r17_party"
    agents = frozenset({AgentKind.NARRATIVE})
    intents = ("party.add", "party.remove")

    def evaluate(self, look: RuleContext) -> Iterable[Hit]:
        """Find characters present who join without being members, and members who leave."""
        members = look.snapshot.party or ()
        for found in look.found(spoken=True):
            intent = found.pattern.intents[0]
            words = words_of(found.clause.text)
            present = look.snapshot.npcs_present or ()
            is_known = look.snapshot.party is not None
            wanted = present if intent == "party.add" else members if is_known else (*members, *present)
            person = person_of(look, wanted, words) or person_of(look, wanted, _names(look.message.words))
            others = [one for one in look.snapshot.npcs_present or () if one not in members]
            if person is None and len(others) == 1 and intent == "party.add" and look.has_any("someone", words):
                person = others[0]
            if person is None or (intent == "party.add" and any(one.name == person.name for one in members)):
                continue
            arguments = {"character_name": person.name}
            told = "joins" if intent == "party.add" else "leaves"
            yield look.hit(found, intent, "named", f"somebody {told} the party", arguments, person.name.lower())


def _names(words: Iterable[str]) -> list[str]:
    """Return the words without a possessive ending or a contracted "is"."""
    return [word.removesuffix("'s") for word in words]
