"""Life and death by the game master's decision, regardless of hit points.

Source: docs/stages/3-tools.md, "Hit points".
"""

from __future__ import annotations

from turnwright.model.character import Character, CharacterState
from turnwright.model.creature import DeathSaves
from turnwright.rulesets.fifth_edition.condition_list import EXHAUSTION, is_of_hp
from turnwright.rulesets.fifth_edition.condition_rules import MAX_EXHAUSTION


def slain(character: Character) -> Character:
    """Return a dead character; one without hit points keeps none."""
    has_sheet = character.max_hp is not None
    return character.replace(
        hp=None if character.hp is None else 0,
        death_saves=DeathSaves(dead=True) if has_sheet else character.death_saves,
        character_state=CharacterState.DEAD.value,
    )


def raised(character: Character, hp: int) -> Character:
    """Return a living character with this many hit points; causes of death and unconsciousness end.

    Unconsciousness from hit points ends, and so does the sixth level of exhaustion, which is fatal.
    """
    conditions = tuple(
        condition.replace(exhaustion_level=MAX_EXHAUSTION - 1)
        if condition.condition == EXHAUSTION and condition.exhaustion_level == MAX_EXHAUSTION
        else condition
        for condition in character.conditions
        if not is_of_hp(condition)
    )
    return character.replace(hp=hp, conditions=conditions, death_saves=None, character_state=CharacterState.ALIVE.value)
