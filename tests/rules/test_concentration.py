"""The save that keeps a spell."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwright.rulesets.fifth_edition.magic.concentration import concentration_dc


@pytest.mark.parametrize(
    ("damage", "dc"), [(1, 10), (19, 10), (20, 10), (21, 10), (22, 11), (23, 11), (24, 12), (101, 50)]
)
def test_the_dc_is_half_the_damage_and_at_least_ten(damage: int, dc: int) -> None:
    assert concentration_dc(damage) == dc


@given(st.integers(0, 1000))
def test_more_damage_is_never_easier(damage: int) -> None:
    assert concentration_dc(damage + 1) - concentration_dc(damage) in (0, 1)
