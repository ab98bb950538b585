"""What the tests of suggestions share: one look at a message, as one agent, in a state given as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from turnwright.rulesets.toolbox import TOOLS
from turnwright.suggestions.engine import SuggestionEngine, Tuning
from turnwright.suggestions.rule import Rule
from turnwright.suggestions.rules import RULES
from turnwright.suggestions.snapshot import Snapshot, agent_kind
from turnwright.suggestions.snapshot_overrides import with_overrides
from turnwright.suggestions.suggestion import SuggestionSet

RULE_OF = {rule.id: rule for rule in RULES}


def seen(agent: str = "narrative", **context: Any) -> Snapshot:
    """Return a snapshot with what a JSON context says; every tool is registered."""
    base = Snapshot(agent=agent_kind(agent), language="en", registry=frozenset(TOOLS))
    made, problems = with_overrides(base, context)
    assert problems == ()
    return made


def look(
    message: str,
    agent: str = "narrative",
    *,
    rules: Sequence[Rule] = RULES,
    tuning: Tuning | None = None,
    **context: Any,
) -> SuggestionSet:
    """Return the hints for a message."""
    return SuggestionEngine(rules=rules).suggest(message, seen(agent, **context), tuning or Tuning())


def tools_of(found: SuggestionSet) -> list[str]:
    """Return the suggested tools in their order."""
    return [one.tool for one in found.suggestions]


def intents_of(found: SuggestionSet) -> list[str]:
    """Return the suggested intents in their order."""
    return [one.intent for one in found.suggestions]
