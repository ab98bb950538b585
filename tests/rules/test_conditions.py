"""The table of conditions, row by row, as queries tell it."""

from __future__ import annotations

from typing import Any

import pytest

from turnwright.model.vocabulary import ConditionName, words
from turnwright.rulesets.fifth_edition.condition_rules import (
    ALL_DAMAGE,
    CONDITIONS,
    HANDICAPS,
    MAX_EXHAUSTION,
    Mechanics,
    from_mechanical,
    mechanical,
    mechanics_of,
)

NOTHING: dict[str, Any] = {
    "disadvantage_on": [],
    "speed_multiplier": 1,
    "max_hp_multiplier": 1,
    "cannot_move": False,
    "can_only_crawl": False,
    "incapacitated": False,
    "auto_fail_saves": [],
    "dead": False,
}
HELPLESS: dict[str, Any] = {"incapacitated": True, "cannot_move": True, "auto_fail_saves": ["str", "dex"]}
ROLLS_FAIL = {"disadvantage_on": ["attack_rolls", "ability_checks", "saving_throws"]}

TOLD: dict[ConditionName, dict[str, Any]] = {
    "blinded": {"disadvantage_on": ["attack_rolls"]},
    "charmed": {},
    "deafened": {},
    "frightened": {"disadvantage_on": ["attack_rolls", "ability_checks"]},
    "grappled": {"cannot_move": True},
    "incapacitated": {"incapacitated": True},
    "invisible": {},
    "paralyzed": HELPLESS,
    "petrified": HELPLESS,
    "poisoned": {"disadvantage_on": ["attack_rolls", "ability_checks"]},
    "prone": {"disadvantage_on": ["attack_rolls"], "can_only_crawl": True},
    "restrained": {"disadvantage_on": ["attack_rolls", "dex_saves"], "cannot_move": True},
    "stunned": HELPLESS,
    "unconscious": HELPLESS,
    "exhaustion": {},
}
EXHAUSTED: list[dict[str, Any]] = [
    {},
    {"disadvantage_on": ["ability_checks"]},
    {"disadvantage_on": ["ability_checks"], "speed_multiplier": 0.5},
    {**ROLLS_FAIL, "speed_multiplier": 0.5},
    {**ROLLS_FAIL, "speed_multiplier": 0.5, "max_hp_multiplier": 0.5},
    {**ROLLS_FAIL, "speed_multiplier": 0.5, "max_hp_multiplier": 0.5, "cannot_move": True},
    {**ROLLS_FAIL, "speed_multiplier": 0.5, "max_hp_multiplier": 0.5, "cannot_move": True, "dead": True},
]


@pytest.mark.parametrize("condition", TOLD)
def test_what_is_told_of_each_condition(condition: ConditionName) -> None:
    told = mechanical(mechanics_of(condition))
    assert told == NOTHING | TOLD[condition]
    assert list(told) == list(NOTHING)


@pytest.mark.parametrize("level", range(7))
def test_what_is_told_of_each_level_of_exhaustion(level: int) -> None:
    assert mechanical(mechanics_of("exhaustion", level)) == NOTHING | EXHAUSTED[level]


def test_exhaustion_ends_with_the_sixth_level() -> None:
    assert mechanics_of("exhaustion", 7) == mechanics_of("exhaustion", MAX_EXHAUSTION)
    assert mechanics_of("exhaustion", -1) == mechanics_of("exhaustion", 0) == Mechanics()


def test_levels_are_those_of_exhaustion_alone() -> None:
    assert mechanics_of("prone", 6) == mechanics_of("prone")


def test_the_table_has_a_row_for_each_condition_of_the_vocabulary() -> None:
    assert tuple(CONDITIONS) == words(ConditionName) == tuple(TOLD)


@pytest.mark.parametrize(
    ("attribute", "bearers"),
    [
        ("critical_when_close", {"paralyzed", "unconscious"}),
        ("fails_sight", {"blinded"}),
        ("fails_hearing", {"deafened"}),
        ("attacks_with_advantage", {"invisible"}),
        ("only_unseen", {"invisible"}),
        ("only_in_sight_of_source", {"frightened"}),
        ("falls_prone", {"unconscious"}),
        ("resistances", {"petrified"}),
        ("immunities", {"petrified"}),
        ("condition_immunities", {"petrified"}),
    ],
)
def test_what_queries_do_not_tell_holds_for_these(attribute: str, bearers: set[str]) -> None:
    assert {name for name, row in CONDITIONS.items() if getattr(row, attribute)} == bearers


@pytest.mark.parametrize(
    ("how", "bearers"),
    [
        ("advantage", {"blinded", "paralyzed", "petrified", "restrained", "stunned", "unconscious"}),
        ("disadvantage", {"invisible"}),
        ("by_distance", {"prone"}),
    ],
)
def test_how_each_is_attacked(how: str, bearers: set[str]) -> None:
    assert {name for name, row in CONDITIONS.items() if row.attacks_against == how} == bearers


def test_stone_resists_everything_and_no_poison_touches_it() -> None:
    stone = mechanics_of("petrified")
    assert stone.resistances == ALL_DAMAGE
    assert len(ALL_DAMAGE) == 13
    assert stone.immunities == {"poison"}
    assert stone.condition_immunities == {"poisoned"}


@pytest.mark.parametrize("condition", ["blinded", "grappled", "poisoned", "restrained"])
def test_what_a_condition_of_ones_own_does_is_read_as_it_is_told(condition: ConditionName) -> None:
    told = mechanical(mechanics_of(condition))
    assert mechanical(from_mechanical(told)) == told


def test_what_a_condition_of_ones_own_leaves_out_it_does_not_do() -> None:
    assert from_mechanical({}) == Mechanics()
    assert from_mechanical({"speed_multiplier": None, "cannot_move": True}) == Mechanics(cannot_move=True)
    assert from_mechanical({"auto_fail_saves": ["wis"]}) == Mechanics(auto_fail_saves=("wis",))


def test_rolls_are_told_in_one_order() -> None:
    told = mechanical(from_mechanical({"disadvantage_on": list(reversed(HANDICAPS))}))
    assert told["disadvantage_on"] == list(HANDICAPS)
