"""The report of a group of campaigns, and of two groups beside each other. Pure: records in, plain JSON out.

Source: docs/report.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal

from turnwright.analysis.report.calls import coverage, exchanges_of, failures, findings
from turnwright.analysis.report.counters import RuleState, counters, suggestor
from turnwright.analysis.report.figure import ENOUGH, difference, per_hundred, ratio
from turnwright.analysis.report.hints import calibration, harm, left_out, missed, shown_in, use, volume
from turnwright.analysis.report.play import Play
from turnwright.analysis.report.took import looking, models

if TYPE_CHECKING:
    from turnwright.analysis.report.shapes import CampaignCounts, ComparisonRow, Difference, Figure, Report


def report_of(plays: Sequence[Play], rules: Sequence[RuleState] = ()) -> Report:
    """Return the report of a group of campaigns, in the order in which it is read.

    With fewer than 100 turns it holds counts alone: shares, rates and intervals are null.
    """
    turns = sum(len(play.turns) for play in plays)
    exchanges = exchanges_of(plays)
    enough = turns >= ENOUGH
    shown = shown_in(plays)
    return {
        "campaigns": [_campaign(play) for play in plays],
        "turns": turns,
        "exchanges": len(exchanges),
        "enough_turns": enough,
        "suggestor": {**suggestor(plays, rules), "elapsed_us": looking(plays)},
        "counters": counters(plays),
        "suggestions": volume(plays, shown, enough=enough),
        "use": use(shown, enough=enough),
        "calibration": calibration(shown, enough=enough),
        "missed": missed(plays),
        "left_out": left_out(plays),
        "findings": findings(plays, enough=enough),
        "coverage": coverage(plays, enough=enough),
        "failures": failures(plays, enough=enough),
        "retried": ratio(sum(exchange.was_retried for exchange in exchanges), len(exchanges), enough=enough),
        "harm": harm(plays, enough=enough),
        "models": models(plays),
    }


def _campaign(play: Play) -> CampaignCounts:
    return {
        "name": play.name,
        "turns": len(play.turns),
        "exchanges": len(play.exchanges),
        "telemetry": len(play.telemetry),
        "unjoined": play.unjoined,
        "undone": sum(step.undone for step in play.turns),
    }


def comparison(this: Report, other: Report) -> list[ComparisonRow]:
    """Return what can be compared of two reports, measure by measure; differences need enough turns in both."""
    enough = this["enough_turns"] and other["enough_turns"]
    rows: list[ComparisonRow] = []
    for (name, ours), (_, theirs) in zip(_measures(this, other), _measures(other, this), strict=True):
        key: Literal["rate", "per_100"] = "rate" if "rate" in ours else "per_100"
        unknown: Difference = {"difference": None, "low": None, "high": None, "relative": None}
        apart = difference(ours, theirs, key) if enough else unknown
        rows.append({"measure": name, "this": ours, "against": theirs, **apart})
    return rows


def _measures(one: Report, other: Report) -> Iterator[tuple[str, Figure]]:
    """Yield the measures that two reports are compared by, under the same names in the same order."""
    yield "coverage", one["coverage"]
    yield "calls applied", one["failures"]["applied"]
    yield "failed calls", one["failures"]["failed"]
    reasons = sorted(one["failures"]["by_reason"].keys() | other["failures"]["by_reason"].keys())
    none = per_hundred(0, one["turns"], enough=one["enough_turns"])
    for reason in reasons:
        yield f"failed: {reason}", one["failures"]["by_reason"].get(reason, none)
    yield "repaired", one["failures"]["repaired"]
    yield "repaired after hint", one["failures"]["repaired_after_hint"]
    for severity, told in one["findings"]["published"].items():
        yield f"findings: {severity}", told
    for label, told in one["use"]["by_label"].items():
        yield f"used: {label}", told
    yield "retried", one["retried"]
    yield "hinted and undone", one["harm"]
