"""The one place that knows the suggestion engine: a labeled case in, its hints out."""

from __future__ import annotations

from scripts.bench_suggest.cases import Case
from scripts.bench_suggest.scoring import Hint

from turnwright.rulesets.suggesting import suggest
from turnwright.rulesets.toolbox import TOOLS
from turnwright.suggestions.snapshot import Snapshot, agent_kind
from turnwright.suggestions.snapshot_overrides import with_overrides


def suggest_case(case: Case) -> list[Hint]:
    """Return the hints for a case; one that names several operations of its tool is given once for each.

    Raises:
        ValueError: when the case's context cannot be read, or a part of the suggestor failed.
    """
    base = Snapshot(agent=agent_kind(case.agent), registry=frozenset(TOOLS))
    seen, problems = with_overrides(base, case.context)
    found = suggest(case.message, seen)
    if problems or found.errors:
        raise ValueError(f"{case.id}: {problems or found.errors}")
    return [
        Hint(one.tool, one.operation, one.confidence, one.rule_id, one.arguments or {}) for one in found.suggestions
    ]
