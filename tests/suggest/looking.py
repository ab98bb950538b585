"""What the tests of suggestions share: one look at a message, as one agent, in a state given as JSON."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from turnwright.rulesets.suggesting import BUILT_IN, PACKS
from turnwright.rulesets.toolbox import TOOLS
from turnwright.suggestions.engine import FitArguments, SuggestionEngine, Tuning
from turnwright.suggestions.pack import Pack
from turnwright.suggestions.rule import Rule
from turnwright.suggestions.snapshot import Snapshot, agent_kind
from turnwright.suggestions.snapshot_overrides import with_overrides
from turnwright.suggestions.suggestion import SuggestionSet

RULES = BUILT_IN.rules
RULE_OF = BUILT_IN.rules_by_id


def engine(
    rules: Sequence[Rule] = RULES,
    packs: Callable[[str], Pack | None] = PACKS.of,
    fit_arguments: FitArguments | None = None,
) -> SuggestionEngine:
    """Return an engine with the tools that come with turnwright, and these rules in this order."""
    tables = replace(BUILT_IN)
    vars(tables)["rules"] = tuple(rules)
    return SuggestionEngine(tables, packs, fit_arguments)


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
    return engine(rules).suggest(message, seen(agent, **context), tuning or Tuning())


def tools_of(found: SuggestionSet) -> list[str]:
    """Return the suggested tools in their order."""
    return [one.tool for one in found.suggestions]


def intents_of(found: SuggestionSet) -> list[str]:
    """Return the suggested intents in their order."""
    return [one.intent for one in found.suggestions]
