"""Improvised magic: its DC, what comes of a check, and the most that dice can give."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwright.model.dice.expression import bounds, parse
from turnwright.model.settings import Settings
from turnwright.rulesets.fifth_edition.magic.improvised import SUCCESSES, Numbers, maximum, numbers
from turnwright.rulesets.registry import BUILT_IN

USUAL = Numbers()


@pytest.mark.parametrize(
    ("level", "dc"), [(1, 13), (2, 15), (3, 16), (4, 18), (5, 19), (6, 21), (7, 22), (8, 24), (9, 25)]
)
def test_the_dc_is_12_and_one_and_a_half_for_each_level(level: int, dc: int) -> None:
    assert USUAL.dc(level) == dc == 12 + level + level // 2
    assert USUAL.dc(level, -5) == dc - 5


@pytest.mark.parametrize(
    ("natural", "margin", "reckless", "outcome"),
    [
        (20, -9, False, "critical_success"),
        (1, 30, False, "mishap"),
        (12, 10, False, "strong_success"),
        (12, 9, True, "success"),
        (12, 0, False, "success"),
        (12, -1, False, "failure"),
        (12, -9, False, "failure"),
        (12, -10, False, "mishap"),
        (12, -1, True, "mishap"),
    ],
)
def test_what_comes_of_a_check(natural: int, margin: int, reckless: bool, outcome: str) -> None:
    assert USUAL.outcome(natural, margin, reckless=reckless) == outcome


def test_the_usual_numbers_are_those_of_the_settings() -> None:
    assert numbers(Settings({}, BUILT_IN.settings)) == USUAL
    other = numbers(Settings({"rules": {"improvised_base_dc": 8, "improvised_mishap_die": 10}}, BUILT_IN.settings))
    assert (other.dc(1), other.mishap(3)) == (9, "3d10")


@given(st.integers(2, 19), st.integers(-40, 40), st.booleans())
def test_a_check_succeeds_just_when_it_reaches_the_dc(natural: int, margin: int, reckless: bool) -> None:
    assert (USUAL.outcome(natural, margin, reckless=reckless) in SUCCESSES) is (margin >= 0)


@pytest.mark.parametrize("dice", ["2d6+3", "4d6kh3", "10-1d4", "(1d8+2)*3", "7/2", "1d20dis"])
def test_the_maximum_is_what_the_dice_can_give(dice: str) -> None:
    assert maximum(parse(dice)) == bounds(parse(dice)).max


def test_nothing_explodes_in_a_maximum() -> None:
    assert maximum(parse("3d6!+1")) == 19
