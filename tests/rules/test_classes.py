"""Classes, proficiency, hit points and resources, row by row and by examples worked by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwright.model.vocabulary import Ability, CasterType
from turnwright.rulesets.fifth_edition.sheets.classes import (
    CLASSES,
    ResourceScaling,
    average_gain,
    caster_type,
    hit_die,
    level_gain,
    max_hp,
    proficiency_bonus,
    resource_max,
    save_proficiencies,
    spellcasting_ability,
)

LEVELS = st.integers(1, 20)
DICE = st.integers(4, 12)
MODIFIERS = st.integers(-5, 10)

TABLE: list[tuple[str, int, tuple[Ability, ...], CasterType, Ability | None]] = [
    ("barbarian", 12, ("str", "con"), "none", None),
    ("bard", 8, ("dex", "cha"), "full", "cha"),
    ("cleric", 8, ("wis", "cha"), "full", "wis"),
    ("druid", 8, ("int", "wis"), "full", "wis"),
    ("fighter", 10, ("str", "con"), "none", None),
    ("monk", 8, ("str", "dex"), "none", None),
    ("paladin", 10, ("wis", "cha"), "half", "cha"),
    ("ranger", 10, ("str", "dex"), "half", "wis"),
    ("rogue", 8, ("dex", "int"), "none", None),
    ("sorcerer", 6, ("con", "cha"), "full", "cha"),
    ("warlock", 8, ("wis", "cha"), "warlock", "cha"),
    ("wizard", 6, ("int", "wis"), "full", "int"),
]


@pytest.mark.parametrize("row", TABLE, ids=[row[0] for row in TABLE])
def test_every_class_has_its_row_in_any_case(row: tuple[str, int, tuple[Ability, ...], CasterType, Ability]) -> None:
    for name in (row[0], row[0].title(), row[0].upper(), f" {row[0]} "):
        assert (hit_die(name), save_proficiencies(name), caster_type(name), spellcasting_ability(name)) == row[1:]


def test_there_are_twelve_classes() -> None:
    assert sorted(CLASSES) == [row[0] for row in TABLE]


@pytest.mark.parametrize("name", ["Blood Hunter", "", "wizards", "artificer"])
def test_a_class_of_somebodys_own_has_a_d8_and_nothing_else(name: str) -> None:
    assert (hit_die(name), save_proficiencies(name)) == (8, ())
    assert (caster_type(name), spellcasting_ability(name)) == ("none", None)


@pytest.mark.parametrize("name", ["Wizard", "Blood Hunter"])
def test_what_a_custom_class_says_of_itself_wins_even_over_a_known_name(name: str) -> None:
    assert hit_die(name, 12) == 12
    assert save_proficiencies(name, ["con"]) == ("con",)
    assert save_proficiencies(name, []) == ()
    assert caster_type(name, "third") == "third"
    assert caster_type(name, "none") == "none"
    assert spellcasting_ability(name, "wis") == "wis"


# SRD, "Beyond 1st Level"


@pytest.mark.parametrize(("levels", "bonus"), [("1-4", 2), ("5-8", 3), ("9-12", 4), ("13-16", 5), ("17-20", 6)])
def test_proficiency_rises_every_fourth_level(levels: str, bonus: int) -> None:
    first, last = map(int, levels.split("-"))
    assert {proficiency_bonus(level) for level in range(first, last + 1)} == {bonus}


@pytest.mark.parametrize(
    ("name", "level", "con_modifier", "hp"),
    [
        ("wizard", 5, 2, 32),
        ("fighter", 1, 0, 10),
        ("barbarian", 3, 3, 35),
        ("fighter", 20, 5, 224),
        ("wizard", 1, -5, 1),
        ("wizard", 20, -5, 20),
        ("cleric", 2, -4, 4 + 1),
        ("sorcerer", 3, -4, 2 + 1 + 1),
    ],
)
def test_hit_point_maxima_worked_by_hand(name: str, level: int, con_modifier: int, hp: int) -> None:
    assert max_hp(level, hit_die(name), con_modifier) == hp


@pytest.mark.parametrize(("die", "gain"), [(4, 3), (6, 4), (8, 5), (10, 6), (12, 7), (5, 3), (7, 4)])
def test_the_average_of_a_die_is_rounded_up(die: int, gain: int) -> None:
    assert average_gain(die) == gain


@given(LEVELS, DICE, MODIFIERS)
def test_hit_points_are_the_sum_of_levels_none_of_which_gives_less_than_one(level: int, die: int, con: int) -> None:
    gains = [die + con] + [die // 2 + 1 + con] * (level - 1)
    assert max_hp(level, die, con) == sum(max(1, gain) for gain in gains) >= level


@given(LEVELS, DICE, MODIFIERS)
def test_more_levels_a_bigger_die_and_more_constitution_never_cost_hit_points(level: int, die: int, con: int) -> None:
    hp = max_hp(level, die, con)
    assert hp < max_hp(level + 1, die, con)
    assert hp <= max_hp(level, die + 1, con)
    assert hp <= max_hp(level, die, con + 1)


@pytest.mark.parametrize(("gained", "con", "gain"), [(4, 2, 6), (4, -3, 1), (4, -4, 1), (1, 0, 1), (12, -5, 7)])
def test_a_level_gives_at_least_one(gained: int, con: int, gain: int) -> None:
    assert level_gain(gained, con) == gain


# resources of custom classes


@pytest.mark.parametrize(
    ("scaling", "at_levels"),
    [
        ("none", {1: 3, 2: 3, 20: 3}),
        ("level", {1: 3, 2: 4, 20: 22}),
        ("half", {1: 3, 2: 3, 3: 4, 4: 4, 20: 12}),
        ("third", {1: 3, 3: 3, 4: 4, 6: 4, 7: 5, 20: 9}),
        (2, {1: 3, 2: 5, 20: 41}),
        (0, {1: 3, 20: 3}),
        (0.5, {1: 3, 2: 3, 3: 4, 20: 12}),
        (1.5, {1: 3, 2: 4, 3: 6}),
    ],
)
def test_resources_grow_from_the_second_level_on(scaling: ResourceScaling | float, at_levels: dict[int, int]) -> None:
    assert {level: resource_max(3, level, scaling) for level in at_levels} == at_levels


@given(st.integers(0, 99), LEVELS)
def test_growing_by_half_or_a_third_is_growing_by_that_number(base: int, level: int) -> None:
    assert resource_max(base, level, "level") == resource_max(base, level, 1)
    assert resource_max(base, level, "half") == resource_max(base, level, 0.5)
    assert resource_max(base, level) == base
