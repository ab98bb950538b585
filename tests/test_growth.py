"""The measure of growth tells work in proportion to its input from work that grows with the square."""

from __future__ import annotations

import re

from tests.growth import Work, growth


def linear(size: int) -> Work:
    return lambda: [number * number for number in range(size)]


def square(size: int) -> Work:
    return lambda: [left for left in range(size) for right in range(size) if left == right]


def backtracking(size: int) -> Work:
    return lambda: re.search(r"a+$", "a" * size + "b")


def test_work_in_proportion_to_its_input_is_below_the_bound() -> None:
    assert growth(linear, 20_000, 80_000, 2) < 2


def test_work_that_grows_with_the_square_is_above_it() -> None:
    assert growth(square, 100, 400, 2) > 2
    assert growth(backtracking, 1_000, 4_000, 2) > 2
