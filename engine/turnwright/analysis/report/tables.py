"""A report as tables of words, which a terminal and a page show alike.

Source: docs/report.md, "The sections".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from turnwright.analysis.report.figure import ENOUGH, interval

if TYPE_CHECKING:
    from turnwright.analysis.report.shapes import (
        ComparisonRow,
        Counters,
        Figure,
        LeftOut,
        ModelFigures,
        ModelsFigures,
        Report,
        Spread,
    )


class Table(NamedTuple):
    """A section: its title, the names of its columns, its rows, and what has to be said below it."""

    title: str
    head: tuple[str, ...]
    rows: list[list[str]]
    note: str = ""


def tables_of(report: Report) -> list[Table]:
    """Return the sections of a report; those without rows are left out."""
    return [table for table in _sections(report) if table.rows]


def comparison_table(rows: Iterable[ComparisonRow]) -> Table:
    """Return two groups beside each other."""
    told = [[row["measure"], figure(row["this"]), figure(row["against"]), _apart(row)] for row in rows]
    head = ("measure", "this group", "against", "difference")
    return Table("Compared", head, told, "The interval of a difference that holds 0 shows none.")


def figure(told: Figure) -> str:
    """Return a ratio or a rate in words: the counts, and the rate with its interval where there are enough turns."""
    if "per_100" in told:
        counts = f"{told['count']} in {told['n']} turns"
        return counts if told["per_100"] is None else f"{told['per_100']:g} per 100 ({_rates(told)}), {counts}"
    counts, rate = f"{told['count']} of {told['n']}", told["rate"]
    return counts if rate is None else f"{percent(rate)} ({_percents(told)}), {counts}"


def percent(share: float) -> str:
    """Return a share in percent."""
    return f"{share * 100:.1f} %"


def _percents(told: Figure) -> str:
    low, high = interval(told)
    return f"{low * 100:.1f} to {high * 100:.1f}"


def _rates(told: Figure) -> str:
    low, high = interval(told)
    return f"{low:g} to {high:g}"


def _apart(row: ComparisonRow) -> str:
    apart, low, high = row["difference"], row["low"], row["high"]
    if apart is None or low is None or high is None:
        return "-"
    if "rate" in row["this"]:
        gap = f"{apart * 100:+.1f} points ({low * 100:+.1f} to {high * 100:+.1f})"
    else:
        gap = f"{apart:+.2f} ({low:+.2f} to {high:+.2f})"
    return gap if row["relative"] is None else f"{gap}, {row['relative'] * 100:+.0f} %"


def _sections(report: Report) -> Iterator[Table]:
    yield _campaigns(report)
    yield Table("Counters", ("counter", "count"), list(_counters(report["counters"])))
    yield _suggestor(report)
    yield from _hints(report)
    yield from _calls(report)
    yield from _findings(report)
    yield from _models(report["models"])


def _campaigns(report: Report) -> Table:
    rows = [
        [
            told["name"],
            *map(str, (told["turns"], told["exchanges"], told["telemetry"], told["unjoined"], told["undone"])),
        ]
        for told in report["campaigns"]
    ]
    few = f"Fewer than {ENOUGH} turns: counts only." if not report["enough_turns"] else ""
    return Table("Campaigns", ("campaign", "turns", "exchanges", "telemetry", "without a turn", "undone"), rows, few)


def _counters(counters: Counters) -> Iterator[list[str]]:
    for name, value in counters.items():
        if name == "elapsed_us":
            continue
        if not isinstance(value, Mapping):
            yield [name, str(value)]
            continue
        for key, count in value.items():
            yield [f"{name} · {key}", str(count)]


def _suggestor(report: Report) -> Table:
    told = report["suggestor"]
    off = [rule for rule, enabled in told["enabled"].items() if not enabled]
    rows = [["rules", str(told["rules"])], ["switched off", ", ".join(off) or "none"]]
    rows.append(["versions of the rules", ", ".join(told["rules_versions"]) or "none"])
    rows.append(["time of a look, µs", _spread(told["elapsed_us"])])
    rows += [[f"  {name}", str(count)] for name, count in told["elapsed_us"]["histogram"].items() if count]
    return Table("Rules", ("", ""), rows)


def _spread(told: Spread) -> str:
    return f"p50 {told['p50']} · p99 {told['p99']} · max {told['max']} · n {told['n']}" if told["n"] else "none"


def _hints(report: Report) -> Iterator[Table]:
    volume, use = report["suggestions"], report["use"]
    rows = [
        ["messages looked at", str(volume["messages"])],
        ["hints shown", str(volume["suggestions"])],
        ["hints a message", "-" if volume["per_message"] is None else f"{volume['per_message']:g}"],
        ["messages without any", figure(volume["without_any"])],
        ["used", figure(use["all"])],
        ["hinted, applied and undone", figure(report["harm"])],
    ]
    yield Table("Hints", ("", ""), rows)
    parts = (("label", use["by_label"]), ("agent", use["by_agent"]), ("tool", use["by_tool"]), ("rule", use["by_rule"]))
    for part, figures in parts:
        yield Table(f"Hints used, by {part}", (part, "used"), _figures(figures))
    told = report["calibration"]
    by_confidence = [[name, f"{one['mean_confidence']:g}", figure(one)] for name, one in told["by_confidence"].items()]
    yield Table("Confidence and use", ("confidence", "mean", "used"), by_confidence)
    rules = [
        [name, f"{one['mean_confidence']:g}", figure(one), "promises more than it keeps" if one["overrated"] else ""]
        for name, one in told["by_rule"].items()
    ]
    yield Table("Confidence and use, by rule", ("rule", "mean", "used", ""), rules)
    missed = [
        [tool, str(one["count"]), ", ".join(one["clause_types"]), ", ".join(one["intents"])]
        for tool, one in report["missed"].items()
    ]
    yield Table("Applied without a hint", ("tool", "exchanges", "clauses", "intents"), missed)
    yield Table("Left out", ("what", "count"), list(_left_out(report["left_out"])))


def _figures(told: Mapping[str, Figure]) -> list[list[str]]:
    return [[name, figure(one)] for name, one in told.items()]


def _left_out(told: LeftOut) -> Iterator[list[str]]:
    parts = (("suppressed", told["suppressed"]), ("no tool for", told["unmapped"]), ("failed", told["errors"]))
    for name, counts in parts:
        for key, count in counts.items():
            yield [f"{name}: {key}", str(count)]
    fates = told["arguments"]
    for fate, count in (
        ("used", fates["used"]),
        ("overridden", fates["overridden"]),
        ("not given", fates["not_given"]),
        ("dropped", fates["dropped"]),
    ):
        yield [f"arguments {fate}", str(count)]
    yield ["messages in a language without rules", str(told["language_unsupported"])]


def _calls(report: Report) -> Iterator[Table]:
    told, covered = report["failures"], report["coverage"]
    rows = [
        ["coverage", figure(covered)],
        ["calls", str(told["calls"])],
        ["applied", figure(told["applied"])],
        ["failed", figure(told["failed"])],
        ["repaired", figure(told["repaired"])],
        ["repaired after hint", figure(told["repaired_after_hint"])],
        ["exchanges with a retry", figure(report["retried"])],
    ]
    yield Table("Calls", ("", ""), rows)
    yield Table("Told and not called", ("tool", "exchanges"), _counts(covered["not_called"]))
    reasons = [
        [reason, figure(one), *(_beside(part, reason) for part in (told["with_hints"], told["without_hints"]))]
        for reason, one in told["by_reason"].items()
    ]
    yield Table("Failed calls, by reason", ("reason", "all", "with hints", "without hints"), reasons)
    yield Table("Failed calls, by tool", ("tool", "failed"), _counts(told["by_tool"]))


def _beside(told: Mapping[str, Figure], reason: str) -> str:
    return figure(told[reason]) if reason in told else "none"


def _counts(told: Mapping[str, int]) -> list[list[str]]:
    return [[name, str(count)] for name, count in told.items()]


def _findings(report: Report) -> Iterator[Table]:
    told = report["findings"]
    head = ("found", "called", "amended", "ignored")
    for part, fates in (("kind", told["by_kind"]), ("tool", told["by_tool"])):
        rows = [
            [name, *map(str, (one["found"], one["called"], one["amended"], one["ignored"]))]
            for name, one in fates.items()
        ]
        yield Table(f"Findings, by {part}", (part, *head), rows)
    rows = [[severity, figure(one)] for severity, one in told["published"].items()]
    rows.append(["turns closed in conflict", str(told["turns_closed_in_conflict"])])
    yield Table("Findings in what was published", ("severity", ""), rows)


def _models(told: ModelsFigures) -> Iterator[Table]:
    if not told["asked"]:
        return
    named: Sequence[tuple[str, ModelFigures]] = [("all", told), *told["by_model"].items()]
    head = ("model", "asked", "no answer", "ms", "tokens read", "tokens written", "US dollars")
    note = f"{told['tokens_per_message']:g} tokens a message" if told["tokens_per_message"] is not None else ""
    yield Table("Models", head, [_model(name, one) for name, one in named], note)


def _model(name: str, told: ModelFigures) -> list[str]:
    failures = ", ".join(f"{kind} {count}" for kind, count in told["failures"].items()) or "none"
    cost = "unknown" if told["cost"] is None else f"{told['cost']:g}"
    part = f" and {told['cost_unknown']} unknown" if told["cost_unknown"] and told["cost"] is not None else ""
    tokens = [str(told["input_tokens"]), str(told["output_tokens"])]
    return [name, str(told["asked"]), failures, _spread(told["ms"]), *tokens, cost + part]
