"""Hidden things that come to light."""

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
        """Read what reveals; where the area is known to hide nothing, only what is called hidden counts."""
        for found in look.found():
            if found.pattern.name == "mechanism" and look.snapshot.areas.has_hidden is not True:
                continue
            yield look.hit(found, "secret.reveal", "revealed", "something hidden comes to light")
