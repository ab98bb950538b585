"""The measure of growth tells work in proportion to its input from work that grows with the square.

A counter is its clock here: each step of the work is one second, so that how busy the machine is changes nothing.
"""

from __future__ import annotations

import pytest
from tests.growth import TRIES, Work, growth


class Counter:
    """A clock that the measured work itself moves on."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def work(self, size: int, power: int) -> Work:
        """Return work that takes `size ** power` seconds."""

        def steps() -> None:
            self.now += size**power

        return steps


@pytest.mark.parametrize(("power", "factor"), [(1, 1), (2, 4), (3, 16)])
def test_growth_is_the_factor_of_the_cost_per_unit(power: int, factor: int) -> None:
    clock = Counter()
    assert growth(lambda size: clock.work(size, power), 100, 400, 2, clock=clock) == factor


def test_repeating_both_sizes_does_not_change_the_factor() -> None:
    clock = Counter()
    assert growth(lambda size: clock.work(size, 2), 100, 400, 2, repeat=3, clock=clock) == 4


def test_one_undisturbed_try_is_enough() -> None:
    clock = Counter()
    delays = iter([10_000.0] * (TRIES - 1) + [0.0])

    def make(size: int) -> Work:
        steps = clock.work(size, 1)

        def delayed() -> None:
            steps()
            if size == 400:
                clock.now += next(delays)

        return delayed

    assert growth(make, 100, 400, 2, clock=clock) == 1
