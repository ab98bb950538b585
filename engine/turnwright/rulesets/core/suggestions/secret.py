"""Discovery of hidden things."""

from __future__ import annotations

from collections.abc import Iterable

from turnwright.model.wire.agent import AgentKind
from turnwright.suggestions.rule import Hit, Rule, RuleContext


class Secret(Rule):
    """Something hidden is opened or found."""

    id = "r19_secret"
    agents = frozenset({AgentKind.NARRATIVE})
    intents = ("secret.reveal",)

    def evaluate(self, look: RuleContext) -> Iterable[Hit]:
        """Find discoveries; in an area known to hide nothing, only things called hidden count."""
        for found in look.found():
            if found.pattern.name == "mechanism" and look.snapshot.areas.has_hidden is not True:
                continue
            yield look.hit(found, "secret.reveal", "revealed", "something hidden comes to light")
