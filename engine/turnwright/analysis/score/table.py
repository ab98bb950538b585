"""Measures in words: a row each, a column for each way of playing.

Source: docs/score.md, "The measures".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from turnwright.analysis.report.tables import figure, percent
from turnwright.model.json_types import JsonObject

Json = Mapping[str, Any]
Row = list[str]

_FIGURES = {
    "answered": "messages answered",
    "well_formed": "answers that could be read",
    "cut_off": "answers cut off at their longest",
    "legal": "calls that were applied",
    "repaired": "failed calls repaired",
    "abstained": "abstained when it should",
    "expected": "expected calls made",
    "findings": "findings",
}


def rows_of(columns: Sequence[Json]) -> list[Row]:
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


def markdown(heads: Sequence[str], columns: Sequence[JsonObject]) -> str:
    """Return the table in Markdown."""
    lines = [["", *heads], ["---"] * (len(heads) + 1), *rows_of(columns)]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def _mean(told: JsonObject, digits: int) -> str:
    if told["mean"] is None:
        return f"{told['n']} turns"
    middle, low, high = (f"{told[key]:.{digits}f}" for key in ("mean", "low", "high"))
    return f"{middle} ({low} to {high}), {told['n']} turns"


def _failures(told: Mapping[str, int]) -> str:
    return ", ".join(f"{kind} {count}" for kind, count in told.items()) or "none"


def _passed(told: JsonObject | None) -> str:
    return "-" if told is None else f"{told['passed']} of {told['n']}"


def _pass(told: Json, place: int) -> str:
    if place >= len(told["pass_k"]):
        return "-"
    row = told["pass_k"][place]
    return f"{percent(row['rate'])} ({row['low'] * 100:.1f} to {row['high'] * 100:.1f}), {told['n']} runs"
