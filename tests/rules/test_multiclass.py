"""Several classes: slots by the rules' own example, each class alone as it was, prerequisites, hit dice."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwright.model.creature import Stats
from turnwright.model.sheet import CustomClass, Sheet
from turnwright.rulesets.fifth_edition.magic import slots
from turnwright.rulesets.fifth_edition.sheets import classes, multiclass, sheet_rules

NAMES = sorted(classes.CLASSES)


def sheet(level: int, class_: str, **others: int) -> Sheet:
    return Sheet.model_validate({"class": class_, "level": level, "other_classes": others})


def counts(found: Sheet) -> list[int]:
    return [pool.max for pool in sheet_rules.full_slots(found).values()]


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (sheet(7, "Ranger", Wizard=3), [4, 3, 2]),  # SRD 5.1: a ranger 4 and wizard 3 is a caster of level 5
        (sheet(5, "Fighter", Wizard=2), [3]),  # one class that casts: its own table
        (sheet(6, "Paladin", Fighter=1), [4, 2]),
        (sheet(2, "Paladin", Ranger=1), []),  # half of one is none, twice
        (sheet(3, "Paladin", Cleric=1), [3]),
        (sheet(20, "Bard", Druid=10), [4, 3, 3, 3, 3, 2, 2, 1, 1]),
        (sheet(5, "Warlock", Sorcerer=2), [3]),
        (sheet(4, "Rogue", Monk=2), []),
    ],
)
def test_levels_of_casters_add_up(found: Sheet, expected: list[int]) -> None:
    assert counts(found) == expected


def test_a_third_caster_counts_a_third() -> None:
    knight = CustomClass(name="Eldritch Knight", hit_die=10, spellcasting="third")
    found = Sheet.model_validate(
        {"class": "Eldritch Knight", "level": 8, "custom_class": knight, "other_classes": {"Wizard": 1}}
    )
    assert multiclass.spellcaster(found) == ("full", 3)


def test_pact_magic_goes_by_the_levels_of_the_warlock() -> None:
    found = sheet(8, "Fighter", Warlock=5)
    pact = sheet_rules.full_pact_slots(found)
    assert pact is not None
    assert (pact.max, pact.slot_level, counts(found)) == (2, 3, [])
    assert sheet_rules.caster_type(found) == "warlock"
    assert sheet_rules.full_pact_slots(sheet(8, "Fighter", Wizard=5)) is None


@given(st.sampled_from(NAMES), st.integers(1, 20))
def test_one_class_alone_is_as_it_was(name: str, level: int) -> None:
    found, caster = sheet(level, name), classes.caster_type(name)
    assert sheet_rules.caster_type(found) == caster
    assert counts(found) == list(slots.spell_slots(caster, level))
    assert multiclass.hit_dice_sizes(found) == [classes.hit_die(name)] * level
    assert sheet_rules.max_hp(found) == classes.max_hp(level, classes.hit_die(name), 0)


@given(st.sampled_from(NAMES), st.sampled_from(NAMES), st.integers(1, 10), st.integers(1, 9))
def test_another_level_never_takes_slots_hit_dice_or_hit_points_away(
    first: str, second: str, own: int, other: int
) -> None:
    if first == second:
        return
    before, after = sheet(own + other, first, **{second: other}), sheet(own + other + 1, first, **{second: other + 1})
    assert sum(counts(after)) >= sum(counts(before))
    assert len(multiclass.hit_dice_sizes(after)) == after.level
    assert sheet_rules.max_hp(after) > sheet_rules.max_hp(before)


def test_the_greatest_hit_dice_come_first() -> None:
    assert multiclass.hit_dice_sizes(sheet(5, "Wizard", Barbarian=1, Fighter=2)) == [12, 10, 10, 6, 6]


@pytest.mark.parametrize(
    ("own", "new", "scores", "is_allowed"),
    [
        ("Fighter", "Wizard", {"str": 13, "int": 13}, True),
        ("Fighter", "Wizard", {"dex": 13, "int": 13}, True),
        ("Fighter", "Wizard", {"str": 13, "int": 12}, False),
        ("Fighter", "Wizard", {"str": 12, "int": 13}, False),
        ("Monk", "Cleric", {"dex": 13, "wis": 13}, True),
        ("Monk", "Cleric", {"dex": 12, "wis": 13}, False),
        ("Rogue", "Paladin", {"dex": 13, "str": 13, "cha": 13}, True),
        ("Rogue", "Paladin", {"dex": 13, "str": 13, "cha": 12}, False),
        ("Chronomancer", "Wizard", {"int": 13}, True),
    ],
)
def test_both_classes_want_their_scores(own: str, new: str, scores: dict[str, int], is_allowed: bool) -> None:
    found = Sheet.model_validate({"class": own, "level": 3, "stats": Stats.model_validate(scores)})
    assert (multiclass.why_not(found, new) is None) == is_allowed
