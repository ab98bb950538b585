"""Hit dice on short and long rests."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwright.rulesets.fifth_edition.sheets.rests import (
    hit_dice_after_long_rest,
    hit_dice_spent,
    hit_die_healing,
    short_rest_healing,
)


@pytest.mark.parametrize(("face", "con", "healing"), [(5, 2, 7), (1, -1, 0), (1, -3, 0), (8, -3, 5), (1, 0, 1)])
def test_a_hit_die_heals_its_face_and_constitution_but_never_harms(face: int, con: int, healing: int) -> None:
    assert hit_die_healing(face, con) == healing


def test_constitution_counts_for_each_die_and_bad_dice_spoil_no_good_ones() -> None:
    assert short_rest_healing([8, 3], 2) == 15
    assert short_rest_healing([1, 8], -3) == 5
    assert short_rest_healing([], 5) == 0


@pytest.mark.parametrize(("asked", "left", "spent"), [(0, 3, 0), (2, 3, 2), (3, 3, 3), (9, 3, 3), (2, 0, 0)])
def test_nobody_spends_more_dice_than_are_left(asked: int, left: int, spent: int) -> None:
    assert hit_dice_spent(asked, left) == spent


@pytest.mark.parametrize(
    ("left", "level", "after"),
    [(0, 1, 1), (0, 2, 1), (0, 3, 1), (0, 5, 2), (0, 8, 4), (1, 8, 5), (6, 8, 8), (8, 8, 8), (0, 20, 10)],
)
def test_a_long_rest_gives_half_of_all_dice_back(left: int, level: int, after: int) -> None:
    assert hit_dice_after_long_rest(left, level) == after


@given(st.integers(1, 20), st.integers(0, 20))
def test_two_long_rests_or_three_fill_up(level: int, left: int) -> None:
    left = min(left, level)
    once = hit_dice_after_long_rest(left, level)
    assert left <= once <= level
    assert once > left or left == level
    assert hit_dice_after_long_rest(hit_dice_after_long_rest(once, level), level) == level
