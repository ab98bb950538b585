"""Rounding down, with factors as they are written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwright.rulesets.fifth_edition.sheets.rounding import floor_times


@pytest.mark.parametrize(
    ("value", "factor", "product"),
    [(30, 1, 30), (30, 0.5, 15), (25, 0.5, 12), (1, 0.5, 0), (0, 0.5, 0), (100, 0.29, 29), (-5, 0.5, -3), (30, 0, 0)],
)
def test_products_are_rounded_down(value: int, factor: float, product: int) -> None:
    assert floor_times(value, factor) == product


@given(st.integers(-(10**6), 10**6), st.integers(0, 1000), st.sampled_from([1, 10, 100]))
def test_a_decimal_factor_counts_as_the_fraction_it_says(value: int, numerator: int, denominator: int) -> None:
    assert floor_times(value, numerator / denominator) == value * numerator // denominator
