"""Suggestions by the rules of the rulesets in use: their tables, the packs of words, and an engine made of both.

Source: docs/suggestions.md, "How it works".
"""

from __future__ import annotations

from functools import lru_cache

from turnwright.model.lazy import load
from turnwright.model.wire.agent import AgentKind
from turnwright.rulesets import registry
from turnwright.rulesets.agent_tools import operations_of_agent, tools_of_agent
from turnwright.rulesets.registry import RulesetTables
from turnwright.suggestions.engine import SuggestionEngine, Tuning
from turnwright.suggestions.pack import Packs
from turnwright.suggestions.snapshot import Snapshot
from turnwright.suggestions.suggestion import SuggestionSet
from turnwright.suggestions.tables import SuggestionRows, SuggestionTables


@lru_cache(maxsize=64)
def suggestions_of(tables: RulesetTables) -> SuggestionTables:
    """Return the suggestion rows of a set of rulesets. The core's tools come last, as others are more specific."""
    rulesets = [each for each in (*tables.rulesets[1:], *tables.rulesets[:1]) if each.suggestions]
    parts: list[SuggestionRows] = [load(each.suggestions) for each in rulesets]
    tools = {agent: tools_of_agent(tables, agent) for agent in AgentKind}
    return SuggestionTables(parts, tools, {agent: operations_of_agent(tables, agent) for agent in AgentKind})


BUILT_IN = suggestions_of(registry.BUILT_IN)
"""The rows of the built-in rulesets."""
PACKS = Packs(BUILT_IN)
"""The packs of this process. They have words for the rules of the built-in rulesets."""
_ENGINE = SuggestionEngine(BUILT_IN, PACKS.of)


def suggest(message: str, seen: Snapshot, tuning: Tuning = Tuning()) -> SuggestionSet:  # noqa: B008 - frozen
    """Return the hints of all built-in rules, and all packs, for a message."""
    return _ENGINE.suggest(message, seen, tuning)
