"""What a report says of hints: how many, how many were followed, which rules promise more than they keep.

A hint was used when its tool was applied in the exchange it was shown in.
Source: docs/report.md, "Hints".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from turnwright.analysis.report.figure import commonest, counted, ratio
from turnwright.analysis.report.play import Exchange, Hint, Play
from turnwright.model.wire.telemetry import LABELS

if TYPE_CHECKING:
    from turnwright.analysis.report.shapes import (
        ArgumentFates,
        Calibrated,
        Calibration,
        Figure,
        HintUse,
        HintVolume,
        JudgedRule,
        LeftOut,
        MissedTool,
    )
    from turnwright.model.wire.shapes import TelemetryRow

OVERRATED = 0.2
"""A rule whose hints are used so much less often than it was confident is pointed out."""


class Shown(NamedTuple):
    """A hint, and whether its tool was applied."""

    hint: Hint
    used: bool


def shown_in(plays: Iterable[Play]) -> list[Shown]:
    """Return every hint that was shown."""
    return [
        Shown(hint, hint.tool in exchange.tools)
        for play in plays
        for exchange in play.exchanges
        for hint in exchange.hints
    ]


def _was_undone(exchange: Exchange, tool: str) -> bool:
    return any(step.undone and tool in step.tools for step in exchange.steps)


def volume(plays: Sequence[Play], shown: Sequence[Shown], *, enough: bool) -> HintVolume:
    """Return how many hints there were for how many messages."""
    advised = [exchange for play in plays for exchange in play.exchanges if exchange.was_advised]
    without = sum(not exchange.hints for exchange in advised)
    each = round(len(shown) / len(advised), 3) if advised and enough else None
    return {
        "messages": len(advised),
        "suggestions": len(shown),
        "per_message": each,
        "without_any": ratio(without, len(advised), enough=enough),
    }


def use(shown: Sequence[Shown], *, enough: bool) -> HintUse:
    """Return shown and used hints, in all and by agent, tool, rule and label."""
    by_label = _by(shown, lambda hint: hint.label, enough=enough)
    return {
        "all": _used(shown, enough=enough),
        "by_label": {label: by_label.get(label, _used((), enough=enough)) for label in LABELS},
        "by_agent": _by(shown, lambda hint: hint.agent, enough=enough),
        "by_tool": _by(shown, lambda hint: hint.tool, enough=enough),
        "by_rule": _by(shown, lambda hint: hint.rule, enough=enough),
    }


def _by(shown: Iterable[Shown], key: Callable[[Hint], str], *, enough: bool) -> dict[str, Figure]:
    groups: dict[str, list[Shown]] = {}
    for one in shown:
        groups.setdefault(key(one.hint), []).append(one)
    return {name: _used(groups[name], enough=enough) for name in sorted(groups)}


def _used(shown: Sequence[Shown], *, enough: bool) -> Figure:
    return ratio(sum(one.used for one in shown), len(shown), enough=enough)


def harm(plays: Iterable[Play], *, enough: bool) -> Figure:
    """Return in how many exchanges with hints a hinted call was applied and later undone."""
    hinted = [exchange for play in plays for exchange in play.exchanges if exchange.hints]
    undone = sum(any(_was_undone(exchange, tool) for tool in exchange.hinted) for exchange in hinted)
    return ratio(undone, len(hinted), enough=enough)


def calibration(shown: Sequence[Shown], *, enough: bool) -> Calibration:
    """Return how often hints were used by tenth of confidence and by rule, beside how confident they were."""
    tenths: dict[str, list[Shown]] = {}
    rules: dict[str, list[Shown]] = {}
    for one in shown:
        tenths.setdefault(_tenth(one.hint.confidence), []).append(one)
        rules.setdefault(one.hint.rule, []).append(one)
    return {
        "by_confidence": {name: _calibrated(tenths[name], enough=enough) for name in sorted(tenths)},
        "by_rule": {name: _judged(rules[name], enough=enough) for name in sorted(rules)},
    }


def _tenth(confidence: float) -> str:
    # In thousandths, since 0.7 * 10 is not 7 to a computer.
    tenth = min(9, round(confidence * 1000) // 100)
    return f"{tenth / 10:.1f}-{(tenth + 1) / 10:.1f}"


def _calibrated(shown: Sequence[Shown], *, enough: bool) -> Calibrated:
    mean = round(sum(one.hint.confidence for one in shown) / len(shown), 3)
    return {"mean_confidence": mean, **_used(shown, enough=enough)}


def _judged(shown: Sequence[Shown], *, enough: bool) -> JudgedRule:
    told = _calibrated(shown, enough=enough)
    rate = told["rate"]
    promised_more = rate is not None and round(told["mean_confidence"] - rate, 3) >= OVERRATED
    return {**told, "overrated": promised_more}


def missed(plays: Iterable[Play]) -> dict[str, MissedTool]:
    """Return the tools that were applied although no hint named them, with what was read in those messages."""
    found: dict[str, list[Exchange]] = {}
    for play in plays:
        for exchange in play.exchanges:
            if exchange.was_advised:
                for tool in exchange.tools - exchange.hinted:
                    found.setdefault(tool, []).append(exchange)
    ranked = sorted(found.items(), key=lambda item: (-len(item[1]), item[0]))
    return {
        tool: {"count": len(where), "clause_types": _clause_types(where), "intents": _intents(where)}
        for tool, where in ranked
    }


def _clause_types(exchanges: Iterable[Exchange]) -> list[str]:
    looks = (record for exchange in exchanges for record in exchange.advice)
    return commonest(clause[0] for record in looks for clause in record["clauses"])


def _intents(exchanges: Iterable[Exchange]) -> list[str]:
    return commonest(
        entry["intent"]
        for exchange in exchanges
        for record in exchange.advice
        for entry in (*record["suggestions"], *record["suppressed"])
    )


def left_out(plays: Sequence[Play]) -> LeftOut:
    """Return why hints were left out, what had no tool, which rules failed, and how suggested arguments fared."""
    looks = [record for play in plays for exchange in play.exchanges for record in exchange.advice]
    entries = [entry for record in looks for entry in record["suppressed"]]
    faults = [name for play in plays for exchange in play.exchanges for name in _failed_parts(exchange)]
    return {
        "suppressed": counted(entry["cause"].partition(":")[0] for entry in entries),
        "unmapped": counted(entry["intent"] for entry in entries if entry["cause"] == "unmapped"),
        "errors": counted(faults),
        "language_unsupported": sum("lang_unsupported" in _causes(record) for record in looks),
        "arguments": _arguments(plays, looks),
    }


def _failed_parts(exchange: Exchange) -> list[str]:
    faults = {(fault["rule_id"], fault["error"]) for record in exchange.telemetry for fault in record["errors"]}
    return [name for name, _ in faults]


def _causes(record: TelemetryRow) -> set[str]:
    return {entry["cause"].partition(":")[0] for entry in record["suppressed"]}


def _arguments(plays: Iterable[Play], looks: Iterable[TelemetryRow]) -> ArgumentFates:
    """Return how many suggested arguments were taken over, replaced, not given at all, or dropped as unfitting."""
    fared: Counter[str] = Counter()
    for play in plays:
        for exchange in play.exchanges:
            for hint in exchange.hints:
                fared += _agreement(hint, exchange)
    dropped = sum(len(record["dropped_arguments"]) for record in looks)
    return {
        "used": fared["used"],
        "overridden": fared["overridden"],
        "not_given": fared["not_given"],
        "dropped": dropped,
    }


def _agreement(hint: Hint, exchange: Exchange) -> Counter[str]:
    """Return how the arguments of a hint fared in the call of its tool that is most like it."""
    calls = [call for step in exchange.steps for call in step.applied if call.tool == hint.tool]
    fates = [Counter(_fate(value, call.args.get(key)) for key, value in hint.arguments.items()) for call in calls]
    return max(fates, key=lambda fate: (fate["used"], -fate["overridden"]), default=Counter())


def _fate(suggested: Any, given: Any) -> str:
    if given is None:
        return "not_given"
    return "used" if _plain(suggested) == _plain(given) else "overridden"


def _plain(value: Any) -> Any:
    return value.casefold().strip() if isinstance(value, str) else value
