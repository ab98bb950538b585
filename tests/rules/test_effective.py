"""What conditions make of a speed and of the maximum of hit points."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwright.model.character import Character
from turnwright.rulesets.fifth_edition.condition_rules import CONDITIONS, MAX_EXHAUSTION
from turnwright.rulesets.fifth_edition.sheets.checks import check_sources
from turnwright.rulesets.fifth_edition.sheets.derived_stats import effective


def exhausted(level: int) -> dict[str, Any]:
    return {"condition": "exhaustion", "exhaustion_level": level}


def speed_and_max_hp(speed: int, max_hp: int, conditions: list[dict[str, Any]]) -> tuple[int, int]:
    person = {"id": "pc", "hp": max_hp, "max_hp": max_hp, "sheet": {"speed": speed}, "conditions": conditions}
    values = effective(Character.model_validate(person))
    return values.speed.effective, values.max_hp.effective


@pytest.mark.parametrize(
    ("level", "speed", "max_hp"), [(1, 25, 45), (2, 12, 45), (3, 12, 45), (4, 12, 22), (5, 0, 22), (6, 0, 22)]
)
def test_exhaustion_slows_and_weakens_level_by_level(level: int, speed: int, max_hp: int) -> None:
    assert speed_and_max_hp(25, 45, []) == (25, 45)
    assert speed_and_max_hp(25, 45, [exhausted(level)]) == (speed, max_hp)


def test_speed_is_rounded_down_after_each_multiplier() -> None:
    mired = {"condition": "mired", "mechanical": {"speed_multiplier": 0.5, "max_hp_multiplier": 2}}
    assert speed_and_max_hp(30, 7, [exhausted(2), mired]) == (7, 14)
    assert speed_and_max_hp(25, 7, [exhausted(2), mired]) == (6, 14)


NAMED = st.sampled_from([{"condition": name} for name in CONDITIONS if name != "exhaustion"])
CONDITION = NAMED | st.integers(1, MAX_EXHAUSTION).map(exhausted)


@given(st.lists(CONDITION, max_size=4, unique_by=lambda one: one["condition"]), CONDITION)
def test_another_condition_makes_nobody_faster_or_hardier(borne: list[dict[str, Any]], more: dict[str, Any]) -> None:
    before, after = speed_and_max_hp(30, 30, borne), speed_and_max_hp(30, 30, [*borne, more])
    assert after[0] <= before[0]
    assert after[1] <= before[1]


@pytest.mark.parametrize(
    "armor",
    [
        {"armor_stats": {"base_ac": 16, "category": "heavy", "stealth_disadvantage": True}},
        {"armor_stats": {"base_ac": 16, "category": "heavy"}, "properties": ["Stealth disadvantage"]},  # older sheets
    ],
)
def test_loud_armor_hampers_stealth_while_it_is_worn(armor: dict[str, Any]) -> None:
    mail = {"id": "mail", "name": "Chain Mail", "type": "armor"} | armor
    worn = Character.model_validate(
        {"id": "a", "hp": 9, "max_hp": 9, "inventory": [mail], "equipped": {"armor": "mail"}}
    )
    carried = worn.replace(equipped={})
    assert check_sources(effective(worn), "dex", "stealth").disadvantage == ("Chain Mail",)
    assert not check_sources(effective(worn), "dex", "acrobatics").disadvantage
    assert not check_sources(effective(carried), "dex", "stealth").disadvantage
