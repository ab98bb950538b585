"""Measures in words: a row each, a column for each way of playing.

Source: docs/score.md, "The measures".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from turnwright.analysis.report.tables import figure, percent

if TYPE_CHECKING:
    from turnwright.analysis.score.shapes import Mean, Measures, PassFigures

Row = list[str]
_Measure = Literal["answered", "well_formed", "cut_off", "legal", "repaired", "abstained", "expected", "findings"]

_FIGURES: Mapping[_Measure, str] = {
    "answered": "messages answered",
    "well_formed": "answers that could be read",
    "cut_off": "answers cut off at their longest",
    "legal": "calls that were applied",
    "repaired": "failed calls repaired",
    "abstained": "abstained when it should",
    "expected": "expected calls made",
    "findings": "findings",
}


def rows_of(columns: Sequence[Measures]) -> list[Row]:
    """Return the rows of a table with one column of measures for each way of playing."""
    rows = [["turns", *(f"{one['turns']} in {one['runs']} runs" for one in columns)]]
    rows += [[name, *(figure(one[key]) for one in columns)] for key, name in _FIGURES.items()]
    rows.append(["tokens a turn", *(_mean(one["tokens"], 0) for one in columns)])
    rows.append(["seconds a turn", *(_mean(one["seconds"], 2) for one in columns)])
    rows.append(["failures of the model", *(_failures(one["failures"]) for one in columns)])
    passes = [one["pass"] for one in columns]
    for pack in sorted({pack for told in passes for pack in told["packs"]}):
        rows.append([f"passed, {pack}", *(_passed(told["packs"].get(pack)) for told in passes)])
    most = max((len(told["all"]["pass_k"]) for told in passes), default=0)
    return rows + [[f"pass^{k + 1}", *(_pass(told["all"], k) for told in passes)] for k in range(most)]


def markdown(heads: Sequence[str], columns: Sequence[Measures]) -> str:
    """Return the table in Markdown."""
    lines = [["", *heads], ["---"] * (len(heads) + 1), *rows_of(columns)]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def _mean(told: Mean, digits: int) -> str:
    middle, low, high = told["mean"], told["low"], told["high"]
    if middle is None or low is None or high is None:
        return f"{told['n']} turns"
    return f"{middle:.{digits}f} ({low:.{digits}f} to {high:.{digits}f}), {told['n']} turns"


def _failures(told: Mapping[str, int]) -> str:
    return ", ".join(f"{kind} {count}" for kind, count in told.items()) or "none"


def _passed(told: PassFigures | None) -> str:
    return "-" if told is None else f"{told['passed']} of {told['n']}"


def _pass(told: PassFigures, place: int) -> str:
    if place >= len(told["pass_k"]):
        return "-"
    row = told["pass_k"][place]
    return f"{percent(row['rate'])} ({row['low'] * 100:.1f} to {row['high'] * 100:.1f}), {told['n']} runs"
