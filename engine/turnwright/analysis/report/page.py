"""A report as one self-contained HTML page, and its plots as one SVG drawing: no script, nothing fetched.

Whatever logs hold is escaped where it is put in. Source: docs/report.md, "A page with plots".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from turnwright.analysis.report.tables import Table, comparison_table, figure, tables_of
from turnwright.render import chart, html_page
from turnwright.render.html_page import shown

if TYPE_CHECKING:
    from turnwright.analysis.report.shapes import Calibrated, ComparisonRow, Figure, FindingFates, Report

TITLE = "How the game master's turns went"
Comparison = Sequence["ComparisonRow"]


def svg_of(report: Report, other: Report | None = None, rows: Comparison = ()) -> str:
    """Return the plots of a report as one SVG document; with those of another, both side by side."""
    return chart.page(TITLE, _plots(report, other, rows))


def html_of(report: Report, other: Report | None = None, rows: Comparison = ()) -> str:
    """Return a report as a page: the comparison first where there is one, the plots, then every table."""
    parts = [f"<h1>{shown(TITLE)}</h1>"]
    if rows:
        parts.append(_table(comparison_table(rows)))
    parts += ["<h2>Plots</h2>", svg_of(report, other, rows)]
    parts += [_table(table) for table in tables_of(report)]
    if other is not None:
        parts.append("<h1>Against</h1>")
        parts += [_table(table) for table in tables_of(other)]
    return html_page.page(TITLE, parts)


def _table(table: Table) -> str:
    head = table.head if any(table.head) else ()
    note = f"\n<p>{shown(table.note)}</p>" if table.note else ""
    return f"<h2>{shown(table.title)}</h2>\n{html_page.table(head, table.rows)}{note}"


def _plots(report: Report, other: Report | None, rows: Comparison) -> Iterator[chart.Plot]:
    if rows and report["enough_turns"] and other is not None and other["enough_turns"]:
        shares = [row for row in rows if "rate" in row["this"]]
        yield chart.bars("Shares, this group above the one it is compared with", list(_pairs(shares, "rate")), most=1)
        rates = [row for row in rows if "per_100" in row["this"]]
        yield chart.bars("Per 100 turns, this group above the one it is compared with", list(_pairs(rates, "per_100")))
    yield chart.bars("Hints by label: shown, then used", list(_shown_and_used(report["use"]["by_label"])))
    yield chart.bars("Hints by tool: shown, then used", list(_shown_and_used(report["use"]["by_tool"])))
    if dots := list(_dots(report["calibration"]["by_confidence"])):
        yield chart.scatter("Confidence of hints and how often they were used", dots, "mean confidence", "share used")
    reasons = report["failures"]["by_reason"]
    counts = [chart.Bar(name, one["count"], str(one["count"])) for name, one in reasons.items()]
    yield chart.bars("Failed calls by reason", counts)
    kinds = report["findings"]["by_kind"]
    yield chart.bars("Findings by kind", [chart.Bar(name, one["found"], _ended(one)) for name, one in kinds.items()])
    classes = report["suggestor"]["elapsed_us"]["histogram"]
    yield chart.bars("Time of a look for hints, µs", [chart.Bar(name, n, str(n)) for name, n in classes.items()])


def _pairs(rows: Comparison, key: Literal["rate", "per_100"]) -> Iterator[chart.Bar]:
    for row in rows:
        for series, told in enumerate((row["this"], row["against"])):
            label = row["measure"] if series == 0 else ""
            value = told[key]
            yield chart.Bar(
                label,
                value if value is not None else 0,
                f"{told['count']} of {told['n']}",
                told["low"],
                told["high"],
                series,
            )


def _shown_and_used(told: Mapping[str, Figure]) -> Iterator[chart.Bar]:
    for name, one in told.items():
        yield chart.Bar(name, one["n"], f"{one['n']} shown")
        yield chart.Bar("", one["count"], f"{one['count']} used", series=1)


def _dots(told: Mapping[str, Calibrated]) -> Iterator[chart.Dot]:
    for name, one in told.items():
        if one["rate"] is not None:
            yield chart.Dot(one["mean_confidence"], one["rate"], one["n"], f"{name}: {figure(one)}")


def _ended(one: FindingFates) -> str:
    fates = (("called", one["called"]), ("amended", one["amended"]), ("ignored", one["ignored"]))
    return ", ".join(f"{key} {count}" for key, count in fates if count)
