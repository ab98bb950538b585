"""The counters that a report begins with: what each record of telemetry adds to them.

A process may take a single turn, so no counter lives in memory. Source: docs/report.md, "Counters".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from turnwright.analysis.report.calls import owed_in
from turnwright.analysis.report.figure import counted
from turnwright.analysis.report.hints import left_out
from turnwright.analysis.report.play import Play
from turnwright.analysis.report.took import looking

if TYPE_CHECKING:
    from turnwright.analysis.report.shapes import Counters, RulesSeen


class RuleState(NamedTuple):
    """A rule that there is, and whether it is switched on."""

    id: str
    enabled: bool


def suggestor(plays: Iterable[Play], rules: Sequence[RuleState]) -> RulesSeen:
    """Return which rules there are, and with which versions of them the campaigns were played."""
    versions = {record["rules_version"] for play in plays for record in play.telemetry if record["rules_version"]}
    return {
        "rules": len(rules),
        "enabled": {rule.id: rule.enabled for rule in rules},
        "rules_versions": sorted(versions),
    }


def counters(plays: Sequence[Play]) -> Counters:
    """Return the counters; keys of several parts are joined by a blank and a dot."""
    suggested: list[str] = []
    used: list[str] = []
    missed: list[str] = []
    for play in plays:
        for exchange in play.exchanges:
            for hint in exchange.hints:
                key = _key(hint.agent, hint.tool, hint.label)
                suggested.append(key)
                used += [key] * (hint.tool in exchange.tools)
            if exchange.was_advised:
                wanted = exchange.tools | owed_in(exchange)
                missed += [_key(exchange.agent, tool) for tool in wanted - exchange.hinted]
    steps = [step for play in plays for step in play.steps]
    fates = left_out(plays)
    arguments = fates["arguments"]
    return {
        "turns": sum(not step.is_attempt for step in steps),
        "suggested": counted(suggested),
        "used": counted(used),
        "missed": counted(missed),
        "suppressed": fates["suppressed"],
        "rule_error": fates["errors"],
        "arg_used": arguments["used"],
        "arg_overridden": arguments["overridden"],
        "arg_dropped": arguments["dropped"],
        "lang_unsupported": fates["language_unsupported"],
        "unmapped": fates["unmapped"],
        "verifier": counted(_key(f["kind"], f["tool"] or "none") for step in steps for f in step.findings),
        "rejected": counted(_key(call.tool, call.reason) for step in steps for call in step.failed),
        "elapsed_us": looking(plays)["histogram"],
    }


def _key(*parts: str) -> str:
    return " · ".join(parts)
