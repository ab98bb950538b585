from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwright.analysis.report.figure import byar, difference, per_hundred, percentile, ratio, spread, wilson


@pytest.mark.parametrize(
    ("count", "n", "low", "high"),
    [(0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (8, 8, 0.6756, 1.0), (9, 9, 0.7009, 1.0), (50, 100, 0.4038, 0.5962)],
)
def test_wilsons_interval_is_the_published_one(count: int, n: int, low: float, high: float) -> None:
    found = wilson(count, n)
    assert (round(found[0], 4), round(found[1], 4)) == (low, high)


@given(n=st.integers(1, 5000), data=st.data())
def test_wilsons_bounds_solve_the_equation_they_come_from(n: int, data: st.DataObject) -> None:
    count = data.draw(st.integers(0, n))
    for bound in wilson(count, n):
        gap = (count / n - bound) ** 2
        assert math.isclose(gap, 1.959964**2 * bound * (1 - bound) / n, abs_tol=1e-12)


def exact_poisson(count: int) -> tuple[float, float]:
    """Return the exact interval: the means under which so few, or so many, are as rare as 2.5 %."""

    def below(mean: float, most: int) -> float:
        return sum(math.exp(-mean + k * math.log(mean) - math.lgamma(k + 1)) for k in range(most + 1))

    def solve(most: int, wanted: float) -> float:
        low, high = 1e-9, 10.0 * (count + 5)
        for _ in range(100):
            middle = (low + high) / 2
            low, high = (middle, high) if below(middle, most) > wanted else (low, middle)
        return low

    return (solve(count - 1, 0.975) if count else 0.0), solve(count, 0.025)


@pytest.mark.parametrize("count", [0, 1, 2, 5, 10, 40, 200])
def test_byars_interval_is_near_the_exact_one(count: int) -> None:
    for found, exact in zip(byar(count), exact_poisson(count), strict=True):
        assert abs(found - exact) < 0.2


def test_without_enough_turns_there_are_counts_alone() -> None:
    assert ratio(3, 4, enough=False) == {"count": 3, "n": 4, "rate": None, "low": None, "high": None}
    assert per_hundred(3, 40, enough=False) == {"count": 3, "n": 40, "per_100": None, "low": None, "high": None}
    assert ratio(0, 0, enough=True)["rate"] is None


def test_a_rate_is_for_a_hundred_turns() -> None:
    assert per_hundred(10, 200, enough=True) == {"count": 10, "n": 200, "per_100": 5.0, "low": 2.39, "high": 9.2}


def test_a_difference_of_ratios_has_newcombes_interval() -> None:
    # The textbook example of two independent shares, 56 of 70 and 48 of 80.
    found = difference(ratio(56, 70, enough=True), ratio(48, 80, enough=True), "rate")
    assert found == {"difference": 0.2, "low": 0.0524, "high": 0.3339, "relative": 0.3333}


def test_percentiles_are_values_that_were_measured() -> None:
    assert spread([5, 1, 9]) == {"n": 3, "p50": 5, "p99": 9, "max": 9}
    assert percentile(list(range(1, 101)), 99) == 99
    assert spread([]) == {"n": 0, "p50": None, "p99": None, "max": None}
