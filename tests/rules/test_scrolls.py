"""Spell scrolls."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwright.rulesets.fifth_edition.magic.scrolls import SCROLLS, scroll_check_dc, scroll_spell
from turnwright.rulesets.fifth_edition.magic.slots import highest_spell_level


@pytest.mark.parametrize(
    ("levels", "save_dc", "attack_bonus"),
    [((0, 1, 2), 13, 5), ((3, 4), 15, 7), ((5, 6), 17, 9), ((7, 8), 18, 10), ((9,), 19, 11)],
)
def test_the_table_of_scrolls(levels: tuple[int, ...], save_dc: int, attack_bonus: int) -> None:
    assert {SCROLLS[level] for level in levels} == {(save_dc, attack_bonus)}


def test_there_are_scrolls_of_cantrips_and_of_nine_levels() -> None:
    assert list(SCROLLS) == list(range(10))


@pytest.mark.parametrize(
    ("spell_level", "caster_level", "dc"),
    [(3, 5, None), (3, 4, 13), (1, 1, None), (9, 1, 19), (9, 17, None), (0, 1, None)],
)
def test_a_wizard_checks_for_spells_beyond_the_best_slot(spell_level: int, caster_level: int, dc: int | None) -> None:
    assert scroll_check_dc(spell_level, highest_spell_level("full", caster_level)) == dc


@given(st.integers(0, 9), st.integers(0, 9))
def test_a_check_is_needed_exactly_beyond_what_one_can_cast(spell_level: int, highest: int) -> None:
    assert scroll_check_dc(spell_level, highest) == (None if spell_level <= highest else 10 + spell_level)


@pytest.mark.parametrize(
    ("name", "spell"),
    [
        ("Scroll of Fireball", "Fireball"),
        ("scroll OF  Fireball ", "Fireball"),
        ("Fireball", "Fireball"),
        ("Ancient Scroll of Fireball", "Ancient Scroll of Fireball"),
        ("Scroll of Scroll of Light", "Scroll of Light"),
        ("Scroll of ", "Scroll of"),
        ("Scrolls", "Scrolls"),
    ],
)
def test_the_spell_is_what_the_scroll_is_of(name: str, spell: str) -> None:
    assert scroll_spell(name) == spell
