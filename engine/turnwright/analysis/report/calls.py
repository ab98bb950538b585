"""What a report says of calls: what should have been called and was, what failed and why, what was mended.

Source: docs/report.md, "Calls".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from turnwright.analysis.report.figure import ENOUGH, counted, per_hundred, ratio
from turnwright.analysis.report.play import NOT_MADE_GOOD, Exchange, Play, Step

if TYPE_CHECKING:
    from turnwright.analysis.report.shapes import Coverage, Failures, Figure, FindingFates, Findings


def exchanges_of(plays: Iterable[Play]) -> list[Exchange]:
    """Return the exchanges of all campaigns."""
    return [exchange for play in plays for exchange in play.exchanges]


def coverage(plays: Iterable[Play], *, enough: bool) -> Coverage:
    """Return in how many exchanges every tool was applied that was to be expected.

    Expected are the tools that were applied, and those of which the text told without their having been applied.
    """
    expecting = covered = 0
    lacking: Counter[str] = Counter()
    for exchange in exchanges_of(plays):
        owed = owed_in(exchange)
        expecting += bool(owed or exchange.tools)
        covered += not owed and bool(exchange.tools)
        lacking.update(owed)
    return {**ratio(covered, expecting, enough=enough), "not_called": counted(lacking.elements())}


def owed_in(exchange: Exchange) -> set[str]:
    """Return the tools of which an exchange tells without their having been applied then or later in it."""
    return {
        finding["tool"]
        for step in exchange.steps
        if step.is_published
        for finding in step.findings
        if finding["kind"] in NOT_MADE_GOOD and finding["tool"] and not exchange.applied_after(step, finding["tool"])
    }


def failures(plays: Sequence[Play], *, enough: bool) -> Failures:
    """Return failed calls by reason and by tool, with and without hints, and how many were mended."""
    turns = sum(len(play.turns) for play in plays)
    exchanges = exchanges_of(plays)
    with_hints = [exchange for exchange in exchanges if exchange.hints]
    without = [exchange for exchange in exchanges if not exchange.hints]
    failed = [call for exchange in exchanges for step in exchange.steps for call in step.failed]
    mended = [
        exchange.applied_after(step, call.tool)
        for exchange in exchanges
        for step in exchange.steps
        for call in step.failed
    ]
    told = [was_mended for call, was_mended in zip(failed, mended, strict=True) if call.has_hint]
    applied = sum(len(step.applied) for exchange in exchanges for step in exchange.steps)
    return {
        "calls": applied + len(failed),
        "applied": ratio(applied, applied + len(failed), enough=enough),
        "failed": per_hundred(len(failed), turns, enough=enough),
        "by_reason": _by_reason(exchanges),
        "by_tool": counted(call.tool for call in failed),
        "with_hints": _by_reason(with_hints),
        "without_hints": _by_reason(without),
        "repaired": ratio(sum(mended), len(mended), enough=enough),
        "repaired_after_hint": ratio(sum(told), len(told), enough=enough),
    }


def _by_reason(exchanges: Sequence[Exchange]) -> dict[str, Figure]:
    """Return how often calls failed for each reason in these exchanges, which are a group of their own."""
    turns = sum(not step.is_attempt for exchange in exchanges for step in exchange.steps)
    reasons = counted(call.reason for exchange in exchanges for step in exchange.steps for call in step.failed)
    return {reason: per_hundred(count, turns, enough=turns >= ENOUGH) for reason, count in reasons.items()}


def findings(plays: Sequence[Play], *, enough: bool) -> Findings:
    """Return what the check of narrations found, by kind and tool, how that ended, and what was published."""
    turns = sum(len(play.turns) for play in plays)
    ended = [fate for exchange in exchanges_of(plays) for fate in _fates(exchange)]
    told = [step for play in plays for step in play.turns if step.is_published]
    published = Counter(finding["severity"] for step in told for finding in step.findings)
    kinds = counted(kind for kind, _, _ in ended)
    tools = counted(tool or "none" for _, tool, _ in ended)
    ends = Counter(end for _, _, end in ended)
    return {
        "found": len(ended),
        "by_kind": {kind: _ended(ended, 0, kind) for kind in kinds},
        "by_tool": {tool: _ended(ended, 1, tool) for tool in tools},
        "ended": {end: ends[end] for end in _ENDS},
        "published": {
            severity: per_hundred(published[severity], turns, enough=enough) for severity in ("error", "warn", "info")
        },
        "turns_closed_in_conflict": sum(step.in_conflict for play in plays for step in play.turns),
    }


_ENDS = ("called", "amended", "ignored")
_Fate = tuple[str, str | None, str]


def _ended(ended: Iterable[_Fate], place: int, name: str) -> FindingFates:
    ends = Counter(fate[2] for fate in ended if (fate[place] or "none") == name)
    return {
        "found": sum(ends.values()),
        "called": ends["called"],
        "amended": ends["amended"],
        "ignored": ends["ignored"],
    }


def _fates(exchange: Exchange) -> list[_Fate]:
    """Return each finding of an exchange once a turn, and how it ended.

    `called`: its tool was applied later. `amended`: the turn was handed in again without it. `ignored`: neither, as
    in a turn that was closed in conflict.
    """
    given_up = {step.turn_id for step in exchange.steps if step.in_conflict}
    found: dict[tuple[str, str, str | None], tuple[Step, bool]] = {}
    for step in exchange.steps:
        for finding in step.findings:
            key = (step.turn_id, finding["kind"], finding["tool"])
            first, stands = found.get(key, (step, step.turn_id in given_up))
            found[key] = (first, stands or not step.is_attempt)
    return [
        (kind, tool, _end(exchange, first, tool, stands=stands)) for (_, kind, tool), (first, stands) in found.items()
    ]


def _end(exchange: Exchange, first: Step, tool: str | None, *, stands: bool) -> str:
    if tool and exchange.applied_after(first, tool):
        return "called"
    return "ignored" if stands else "amended"
