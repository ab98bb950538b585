"""Abilities, skills and passive scores."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwright.model.vocabulary import Ability, Skill, words
from turnwright.rulesets.fifth_edition.fights.advantage import Mode
from turnwright.rulesets.fifth_edition.sheets.skills import SKILL_ABILITIES, ability_modifier, passive_score

BY_ABILITY = {
    "str": "athletics",
    "dex": "acrobatics sleight_of_hand stealth",
    "int": "arcana history investigation nature religion",
    "wis": "animal_handling insight medicine perception survival",
    "cha": "deception intimidation performance persuasion",
}


def test_every_skill_has_its_ability() -> None:
    wanted = {skill: ability for ability, skills in BY_ABILITY.items() for skill in skills.split()}
    assert dict(SKILL_ABILITIES) == wanted
    assert tuple(SKILL_ABILITIES) == words(Skill)
    assert set(words(Ability)) - set(SKILL_ABILITIES.values()) == {"con"}


@pytest.mark.parametrize(
    ("scores", "modifier"),
    [
        ((1,), -5),
        ((2, 3), -4),
        ((4, 5), -3),
        ((6, 7), -2),
        ((8, 9), -1),
        ((10, 11), 0),
        ((12, 13), 1),
        ((14, 15), 2),
        ((16, 17), 3),
        ((18, 19), 4),
        ((20, 21), 5),
        ((22, 23), 6),
        ((24, 25), 7),
        ((26, 27), 8),
        ((28, 29), 9),
        ((30,), 10),
    ],
)
def test_the_table_of_ability_scores_and_modifiers(scores: tuple[int, ...], modifier: int) -> None:
    assert {ability_modifier(score) for score in scores} == {modifier}


@given(st.integers(-50, 100))
def test_modifiers_never_fall_with_the_score(score: int) -> None:
    assert ability_modifier(score + 1) - ability_modifier(score) in (0, 1)
    assert ability_modifier(score + 2) == ability_modifier(score) + 1


@pytest.mark.parametrize(("mode", "score"), [("normal", 14), ("advantage", 19), ("disadvantage", 9), ("cancelled", 14)])
def test_passive_scores_take_advantage_as_five(mode: Mode, score: int) -> None:
    assert passive_score(4, mode) == score


def test_the_passive_perception_of_the_srd_example() -> None:
    # "Passive Checks": a 1st-level character with Wisdom 15 and proficiency in Perception has 14.
    assert passive_score(ability_modifier(15) + 2) == 14
