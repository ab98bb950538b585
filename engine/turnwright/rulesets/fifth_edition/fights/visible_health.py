"""A creature's visible health, for viewers who do not know its hit points.

Source: docs/stages/6-publish.md, "A fight".
"""

from __future__ import annotations

from typing import get_args

from turnwright.model.character import Character, CharacterState
from turnwright.model.vocabulary import ConditionWord
from turnwright.rulesets.fifth_edition.condition_list import found
from turnwright.rulesets.fifth_edition.sheets.derived_stats import counted_hp
from turnwright.rulesets.health_words import Look, look_at

VISIBLE_CONDITIONS = frozenset(get_args(ConditionWord))
"""The conditions that can be seen; one by another name may say what only the game master knows."""


def look_of(character: Character) -> Look | None:
    """Return how healthy a creature looks now; None where that is not visible, as for `look_at`."""
    if character.is_dead:
        return "dead"
    is_asleep = character.state is CharacterState.UNCONSCIOUS or found(character, "unconscious") is not None
    return "down" if is_asleep else look_at(*counted_hp(character))
