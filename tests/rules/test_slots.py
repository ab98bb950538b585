"""Spell slots, against the way they grow from level to level."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwright.model.vocabulary import CasterType
from turnwright.rulesets.fifth_edition.magic.slots import PactSlots, highest_spell_level, pact_slots, spell_slots

LEVELS = range(1, 21)
CASTERS: tuple[CasterType, ...] = ("full", "half", "third", "warlock", "none")

NEW_SLOTS = {
    1: [1, 1],
    2: [1],
    3: [1, 2, 2],
    4: [2],
    5: [3, 3],
    6: [3],
    7: [4],
    8: [4],
    9: [4, 5],
    10: [5],
    11: [6],
    13: [7],
    15: [8],
    17: [9],
    18: [5],
    19: [6],
    20: [7],
}
"""The spell levels of the slots that a full caster gains at each level."""


def grown_to(level: int) -> tuple[int, ...]:
    slots = [spell for gained_at, spells in NEW_SLOTS.items() if gained_at <= level for spell in spells]
    return tuple(slots.count(spell) for spell in sorted(set(slots)))


@pytest.mark.parametrize("level", LEVELS)
def test_a_full_caster_has_what_all_levels_so_far_have_given(level: int) -> None:
    assert spell_slots("full", level) == grown_to(level)


@pytest.mark.parametrize("level", LEVELS)
def test_a_half_caster_begins_at_the_second_level_and_grows_half_as_fast(level: int) -> None:
    assert spell_slots("half", level) == (grown_to((level + 1) // 2) if level >= 2 else ())


@pytest.mark.parametrize("level", LEVELS)
def test_a_third_caster_begins_at_the_third_level_and_grows_a_third_as_fast(level: int) -> None:
    assert spell_slots("third", level) == (grown_to((level + 2) // 3) if level >= 3 else ())


@pytest.mark.parametrize("level", LEVELS)
def test_a_warlock_has_few_slots_of_one_level_up_to_the_fifth(level: int) -> None:
    slots = 1 + sum(level >= more for more in (2, 11, 17))
    assert pact_slots("warlock", level) == PactSlots(slots, min(5, (level + 1) // 2))
    assert spell_slots("warlock", level) == ()


@pytest.mark.parametrize(
    ("caster", "level", "slots"),
    [
        ("full", 1, (2,)),
        ("full", 5, (4, 3, 2)),
        ("full", 20, (4, 3, 3, 3, 3, 2, 2, 1, 1)),
        ("half", 1, ()),
        ("half", 5, (4, 2)),
        ("half", 20, (4, 3, 3, 3, 2)),
        ("third", 2, ()),
        ("third", 7, (4, 2)),
        ("third", 20, (4, 3, 3, 1)),
    ],
)
def test_rows_as_the_books_print_them(caster: CasterType, level: int, slots: tuple[int, ...]) -> None:
    assert spell_slots(caster, level) == slots


@given(st.sampled_from(LEVELS))
def test_who_casts_nothing_has_nothing_and_only_warlocks_have_a_pact(level: int) -> None:
    assert (spell_slots("none", level), pact_slots("none", level), highest_spell_level("none", level)) == ((), None, 0)
    assert [caster for caster in CASTERS if pact_slots(caster, level)] == ["warlock"]


@pytest.mark.parametrize("caster", CASTERS)
def test_slots_never_get_fewer_or_lower_with_levels(caster: CasterType) -> None:
    for before, after in pairwise(LEVELS):
        old, new = spell_slots(caster, before), spell_slots(caster, after)
        assert all(few <= many for few, many in zip(old, new, strict=False))
        assert len(old) <= len(new)
        assert highest_spell_level(caster, before) <= highest_spell_level(caster, after)
    pacts = [pact_slots(caster, level) for level in LEVELS]
    assert [pact for pact in pacts if pact] == sorted(pact for pact in pacts if pact)


@pytest.mark.parametrize("level", LEVELS)
def test_the_highest_spell_level_is_that_of_the_best_slot(level: int) -> None:
    assert highest_spell_level("full", level) == min(9, -(-level // 2))
    assert highest_spell_level("warlock", level) == min(5, -(-level // 2))
    assert highest_spell_level("half", level) == (0 if level < 2 else 1 + (level - 1) // 4)
    assert highest_spell_level("third", level) == (0 if level < 3 else 1 + (level - 1) // 6)


@pytest.mark.parametrize("level", [-1, 0, 21])
@pytest.mark.parametrize("caster", ["full", "half", "third", "warlock"])
def test_there_are_no_other_levels(caster: CasterType, level: int) -> None:
    with pytest.raises(KeyError):
        highest_spell_level(caster, level)
