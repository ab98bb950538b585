"""Numbers of a report: ratios and rates with their 95 % intervals, percentiles.

All are rounded where they are made, so that the same logs give the same bytes. Source: docs/report.md, "Numbers".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import ceil, sqrt
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from turnwright.analysis.report.shapes import Difference, Figure, Spread

Z = 1.959964
"""Of a two-sided 95 % interval."""
ENOUGH = 100
"""Turns below which a report gives counts alone."""
_DIGITS = 4


def wilson(count: int, n: int) -> tuple[float, float]:
    """Return the 95 % interval of a ratio by Wilson's score; `(0, 1)` for none of nothing."""
    if n == 0:
        return 0.0, 1.0
    share, weight = count / n, Z * Z / n
    middle = (share + weight / 2) / (1 + weight)
    half = Z * sqrt(share * (1 - share) / n + weight / (4 * n)) / (1 + weight)
    return max(0.0, middle - half), min(1.0, middle + half)


def byar(count: int) -> tuple[float, float]:
    """Return the 95 % interval of a count of independent events, by Byar's approximation of Poisson's."""
    low = count * (1 - 1 / (9 * count) - Z / (3 * sqrt(count))) ** 3 if count else 0.0
    more = count + 1
    return max(0.0, low), more * (1 - 1 / (9 * more) + Z / (3 * sqrt(more))) ** 3


def ratio(count: int, n: int, *, enough: bool) -> Figure:
    """Return a share of `n` things. Without enough turns, or of nothing, the share itself is null."""
    if not enough or n == 0:
        return {"count": count, "n": n, "rate": None, "low": None, "high": None}
    low, high = wilson(count, n)
    return {
        "count": count,
        "n": n,
        "rate": round(count / n, _DIGITS),
        "low": round(low, _DIGITS),
        "high": round(high, _DIGITS),
    }


def per_hundred(count: int, turns: int, *, enough: bool) -> Figure:
    """Return how often something happened in 100 turns. Without enough turns the rate itself is null."""
    if not enough or turns == 0:
        return {"count": count, "n": turns, "per_100": None, "low": None, "high": None}
    scale = 100 / turns
    low, high = byar(count)
    rate, low, high = (round(value * scale, 2) for value in (count, low, high))
    return {"count": count, "n": turns, "per_100": rate, "low": low, "high": high}


def difference(this: Figure, other: Figure, key: Literal["rate", "per_100"]) -> Difference:
    """Return how far a ratio or rate lies from another, with the 95 % interval that follows from theirs.

    The two intervals are put together by the square-and-add rule, which is Newcombe's for ratios.
    """
    ours, theirs = this[key], other[key]
    if ours is None or theirs is None:
        return {"difference": None, "low": None, "high": None, "relative": None}
    (low, high), (their_low, their_high) = interval(this), interval(other)
    gap = ours - theirs
    below = sqrt((ours - low) ** 2 + (their_high - theirs) ** 2)
    above = sqrt((high - ours) ** 2 + (theirs - their_low) ** 2)
    return {
        "difference": round(gap, _DIGITS),
        "low": round(gap - below, _DIGITS),
        "high": round(gap + above, _DIGITS),
        "relative": round(gap / theirs, _DIGITS) if theirs else None,
    }


def interval(told: Figure) -> tuple[float, float]:
    """Return the 95 % interval of a figure that has one."""
    low, high = told["low"], told["high"]
    assert low is not None
    assert high is not None
    return low, high


def spread(values: Iterable[int]) -> Spread:
    """Return how many values there are, their median, 99th percentile and greatest, each one of the values."""
    ranked = sorted(values)
    if not ranked:
        return {"n": 0, "p50": None, "p99": None, "max": None}
    return {"n": len(ranked), "p50": percentile(ranked, 50), "p99": percentile(ranked, 99), "max": ranked[-1]}


def percentile(ranked: Sequence[int], percent: int) -> int:
    """Return the smallest of sorted values that at least this share of them does not exceed."""
    return ranked[max(0, ceil(len(ranked) * percent / 100) - 1)]


def counted(keys: Iterable[str]) -> dict[str, int]:
    """Return how often each key occurs, the most frequent first."""
    return dict(sorted(Counter(keys).items(), key=lambda item: (-item[1], item[0])))


def commonest(keys: Iterable[str]) -> list[str]:
    """Return the three most frequent keys."""
    return list(counted(keys))[:3]
