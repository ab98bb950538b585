"""The game master's word about life and death."""

from __future__ import annotations

import pytest

from turnwright.model.character import Character
from turnwright.model.creature import Condition, DeathSaves
from turnwright.rulesets.fifth_edition.sheets.life_override import raised, slain


@pytest.mark.parametrize("state", ["alive", "dying", "unconscious", "restrained_permanent", "dead"])
def test_the_word_overrules_every_state(state: str) -> None:
    somebody = Character(id="mira", hp=5, max_hp=9, character_state=state)
    assert (slain(somebody).character_state, slain(somebody).hp, slain(somebody).is_dead) == ("dead", 0, True)
    assert (raised(somebody, 3).character_state, raised(somebody, 3).hp) == ("alive", 3)


@pytest.mark.parametrize(("hp", "left"), [(5, 0), (None, None)])
def test_who_has_no_sheet_dies_by_state_alone(hp: int | None, left: int | None) -> None:
    dead = slain(Character(id="mira", hp=hp))
    assert (dead.hp, dead.death_saves, dead.is_dead) == (left, None, True)


def test_the_raised_keep_what_has_nothing_to_do_with_dying() -> None:
    conditions = (
        Condition(condition="unconscious", source="hp_zero"),
        Condition(condition="prone"),
        Condition(condition="exhaustion", exhaustion_level=6),
    )
    dead = Character(
        id="mira", hp=0, max_hp=9, character_state="dead", conditions=conditions, death_saves=DeathSaves(dead=True)
    )
    risen = raised(dead, 1)
    assert [(each.condition, each.exhaustion_level) for each in risen.conditions] == [
        ("prone", None),
        ("exhaustion", 5),
    ]
    assert risen.death_saves is None
    asleep = dead.replace(conditions=(Condition(condition="unconscious", source="a spell"),))
    assert [each.condition for each in raised(asleep, 1).conditions] == ["unconscious"]
