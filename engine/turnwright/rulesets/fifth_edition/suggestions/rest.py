"""Rests."""

from __future__ import annotations

from collections.abc import Iterable

from turnwright.model.wire.agent import AgentKind
from turnwright.suggestions.rule import Hit, Rule, RuleContext


class ShortRest(Rule):
    """The party takes a short rest."""

    id = "r15_rest_short"
    agents = frozenset({AgentKind.NARRATIVE})
    intents = ("rest.short",)

    def evaluate(self, look: RuleContext) -> Iterable[Hit]:
        """Read words for about an hour of rest."""
        for found in look.found():
            yield look.hit(found, "rest.short", "rest", "the party takes a short rest")


class LongRest(Rule):
    """The party rests until the next day."""

    id = "r16_rest_long"
    agents = frozenset({AgentKind.NARRATIVE})
    intents = ("rest.long",)

    def evaluate(self, look: RuleContext) -> Iterable[Hit]:
        """Read words for a night's rest."""
        for found in look.found():
            yield look.hit(found, "rest.long", "rest", "the party takes a long rest")
