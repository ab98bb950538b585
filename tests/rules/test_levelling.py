"""What levels bring."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwright.model.vocabulary import CasterType
from turnwright.rulesets.fifth_edition.magic.slots import spell_slots
from turnwright.rulesets.fifth_edition.sheets.classes import max_hp
from turnwright.rulesets.fifth_edition.sheets.leveling import HpMethod, Slots, grown, grown_slots, hp_gain, raised_hp

COUNTS = st.integers(0, 30)


@pytest.mark.parametrize(
    ("method", "die", "con", "given_value", "gain"),
    [
        ("average", 10, 2, 0, 8),
        ("average", 6, -5, 0, 1),
        ("max", 8, 3, 0, 11),
        ("max", 6, -5, 0, 1),
        ("roll", 10, 2, 7, 9),
        ("roll", 12, -1, 1, 1),
        ("roll", 12, 0, 12, 12),
        ("manual", 8, 5, 1, 1),
        ("manual", 8, 5, 3, 3),
        ("manual", 8, -5, 3, 3),
    ],
)
def test_the_four_ways_to_find_hit_points(method: HpMethod, die: int, con: int, given_value: int, gain: int) -> None:
    assert hp_gain(method, die, con, given_value) == gain


@given(st.integers(1, 19), st.integers(4, 12), st.integers(-5, 10))
def test_an_average_level_is_what_the_maximum_rises_by(level: int, die: int, con: int) -> None:
    assert max_hp(level + 1, die, con) - max_hp(level, die, con) == hp_gain("average", die, con)


@pytest.mark.parametrize("method", ["average", "max", "roll", "manual"])
@given(die=st.integers(4, 12), con=st.integers(-5, 10), given_value=st.integers(0, 12))
def test_every_level_brings_something(method: HpMethod, die: int, con: int, given_value: int) -> None:
    assert 1 <= hp_gain(method, die, con, given_value) <= max(12, die) + max(0, con)


@pytest.mark.parametrize(("hp", "gain", "after"), [(10, 8, 18), (1, 8, 9), (0, 8, 0)])
def test_a_level_strengthens_the_living_and_wakes_nobody(hp: int, gain: int, after: int) -> None:
    assert raised_hp(hp, gain) == after


@pytest.mark.parametrize(
    ("current", "maximum", "new_maximum", "after"),
    [(2, 3, 4, 3), (0, 4, 4, 0), (4, 4, 4, 4), (0, 0, 2, 2), (3, 4, 2, 2), (1, 4, 2, 1), (9, 9, 4, 4)],
)
def test_what_is_left_rises_by_the_increase_only(current: int, maximum: int, new_maximum: int, after: int) -> None:
    assert grown(current, maximum, new_maximum) == after


@given(COUNTS, COUNTS, COUNTS)
def test_what_was_spent_stays_spent(spent: int, maximum: int, more: int) -> None:
    current = max(0, maximum - spent)
    assert maximum + more - grown(current, maximum, maximum + more) == maximum - current
    assert grown(current, maximum, maximum) == current


def test_a_wizard_who_reaches_the_third_level_gets_the_new_slots_alone() -> None:
    before = {1: Slots(0, 3)}
    assert grown_slots(before, spell_slots("full", 3)) == {1: Slots(1, 4), 2: Slots(2, 2)}


def test_slots_that_the_table_does_not_know_go() -> None:
    assert grown_slots({1: Slots(1, 2), 9: Slots(1, 1)}, (2,)) == {1: Slots(1, 2)}
    assert grown_slots({1: Slots(2, 2)}, ()) == {}


@given(st.sampled_from(["full", "half", "third"]), st.integers(1, 19), st.integers(1, 19), st.data())
def test_levels_one_by_one_or_at_once_leave_the_same_slots(
    caster: CasterType, start: int, levels: int, data: st.DataObject
) -> None:
    end = min(20, start + levels)
    row = spell_slots(caster, start)
    slots = {level: Slots(data.draw(st.integers(0, most)), most) for level, most in enumerate(row, 1)}
    step_by_step = slots
    for level in range(start + 1, end + 1):
        step_by_step = grown_slots(step_by_step, spell_slots(caster, level))
    assert grown_slots(slots, spell_slots(caster, end)) == step_by_step
    assert all(0 <= left <= most for left, most in step_by_step.values())
