"""From runs to measures: shares and means with their 95 % intervals, and pass^k. Pure.

Source: docs/score.md, "The measures".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from math import comb, sqrt
from typing import TYPE_CHECKING, Literal

from turnwright.analysis.report.figure import ENOUGH, Z, counted, per_hundred, ratio, wilson

if TYPE_CHECKING:
    from turnwright.analysis.score.shapes import Mean, Measures, Passes, PassFigures, PassRow, PlayedMessage, Run

_DIGITS = 4
Counted = Literal[
    "answered",
    "well_formed",
    "cut_off",
    "made",
    "applied",
    "repaired",
    "abstained",
    "expected",
    "met",
    "asked",
    "findings",
]
"""What is counted of each message."""


def measures_of(runs: Sequence[Run]) -> Measures:
    """Return the measures over all runs. Below 100 turns shares, rates and means are null; counts always stand.

    A turn is one message of a player with everything that was done about it.
    """
    turns = [message for run in runs for message in run["messages"]]
    enough = len(turns) >= ENOUGH
    failed = _sum(turns, "made") - _sum(turns, "applied")
    tempted = [turn for turn in turns if turn["abstained"] is not None]
    return {
        "runs": len(runs),
        "turns": len(turns),
        "enough_turns": enough,
        "answered": ratio(_sum(turns, "answered"), len(turns), enough=enough),
        "well_formed": ratio(_sum(turns, "well_formed"), _sum(turns, "asked"), enough=enough),
        "cut_off": ratio(_sum(turns, "cut_off"), _sum(turns, "asked"), enough=enough),
        "legal": ratio(_sum(turns, "applied"), _sum(turns, "made"), enough=enough),
        "repaired": ratio(_sum(turns, "repaired"), failed, enough=enough),
        "abstained": ratio(_sum(tempted, "abstained"), len(tempted), enough=enough),
        "expected": ratio(_sum(turns, "met"), _sum(turns, "expected"), enough=enough),
        "findings": per_hundred(_sum(turns, "findings"), len(turns), enough=enough),
        "tokens": mean([turn["tokens"] for turn in turns], enough=enough),
        "seconds": mean([turn["ms"] / 1000 for turn in turns], enough=enough),
        "failures": counted(kind for turn in turns for kind, n in turn["failures"].items() for _ in range(n)),
        "pass": passes(runs),
    }


def _sum(turns: Iterable[PlayedMessage], key: Counted) -> int:
    return sum(turn[key] or 0 for turn in turns)


def mean(values: Sequence[float], *, enough: bool) -> Mean:
    """Return a mean and its 95 % interval, by the normal distribution; the lower end is at least 0."""
    n = len(values)
    if not enough or n < 2:
        return {"n": n, "mean": None, "low": None, "high": None}
    middle = sum(values) / n
    half = Z * sqrt(sum((value - middle) ** 2 for value in values) / (n - 1) / n)
    return {
        "n": n,
        "mean": round(middle, _DIGITS),
        "low": round(max(0.0, middle - half), _DIGITS),
        "high": round(middle + half, _DIGITS),
    }


# pass^k


def pass_hat(passed: int, n: int, k: int) -> float:
    """Return the unbiased estimate of the chance that `k` runs all pass: the share of `k` of the `n` that did."""
    return comb(passed, k) / comb(n, k)


def passes(runs: Sequence[Run]) -> Passes:
    """Return pass^k for each pack and over all of them, for every k up to the number of runs.

    The interval of a pack is Wilson's of its share of passes, to the power of k, and reaches as far as the estimate,
    which few runs can bring out of it; that over all packs is the mean of theirs, which is wider than it has to be.
    """
    of_packs: dict[str, PassFigures] = {}
    judged = sorted((run for run in runs if run["passed"] is not None), key=lambda run: str(run["pack"]))
    for pack, group in groupby(judged, key=lambda run: str(run["pack"])):
        outcomes = [bool(run["passed"]) for run in group]
        of_packs[pack] = _of_pack(sum(outcomes), len(outcomes))
    return {"packs": of_packs, "all": _over(list(of_packs.values()))}


def _of_pack(passed: int, n: int) -> PassFigures:
    low, high = wilson(passed, n)
    rows: list[PassRow] = []
    for k in range(1, n + 1):
        rate = pass_hat(passed, n, k)
        least, most = min(low**k, rate), max(high**k, rate)
        rows.append({"k": k, "rate": round(rate, _DIGITS), "low": round(least, _DIGITS), "high": round(most, _DIGITS)})
    return {"passed": passed, "n": n, "pass_k": rows}


def _over(packs: Sequence[PassFigures]) -> PassFigures:
    """Return the means over packs, for every k for which all of them have enough runs."""
    most = min((pack["n"] for pack in packs), default=0)
    rows = [_mean_row(k + 1, [pack["pass_k"][k] for pack in packs]) for k in range(most)]
    return {"passed": sum(pack["passed"] for pack in packs), "n": sum(pack["n"] for pack in packs), "pass_k": rows}


def _mean_row(k: int, rows: Sequence[PassRow]) -> PassRow:
    return {
        "k": k,
        "rate": _mean(row["rate"] for row in rows),
        "low": _mean(row["low"] for row in rows),
        "high": _mean(row["high"] for row in rows),
    }


def _mean(values: Iterable[float]) -> float:
    found = list(values)
    return round(sum(found) / len(found), _DIGITS)
