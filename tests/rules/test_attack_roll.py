"""Hits and misses."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwright.rulesets.fifth_edition.fights.attack_roll import attack_result, is_hit


@pytest.mark.parametrize(
    ("natural", "bonus", "ac", "result"),
    [
        (10, 5, 15, "hit"),
        (9, 5, 15, "miss"),
        (20, -10, 30, "critical_hit"),
        (1, 50, 5, "critical_miss"),
        (19, 0, 20, "miss"),
        (2, 30, 10, "hit"),
    ],
)
def test_the_die_and_the_total_decide(natural: int, bonus: int, ac: int, result: str) -> None:
    assert attack_result(natural, natural + bonus, ac) == result


@pytest.mark.parametrize(
    ("natural", "result"),
    [(1, "critical_miss"), (9, "miss"), (10, "critical_hit"), (20, "critical_hit")],
)
def test_close_to_the_helpless_every_hit_is_critical_and_no_miss_is(natural: int, result: str) -> None:
    assert attack_result(natural, natural + 5, 15, hits_are_critical=True) == result


@given(st.integers(1, 20), st.integers(-10, 30), st.integers(0, 40), st.booleans())
def test_what_hits_is_a_twenty_or_reaches_the_armor_class_without_a_one(
    natural: int, bonus: int, ac: int, helpless: bool
) -> None:
    result = attack_result(natural, natural + bonus, ac, hits_are_critical=helpless)
    assert is_hit(result) == (natural == 20 or (natural != 1 and natural + bonus >= ac))
    assert is_hit(attack_result(natural, natural + bonus + 1, ac)) >= is_hit(result)
