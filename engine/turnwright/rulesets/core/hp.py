"""The one function that changes hit points.

Source: docs/stages/3-tools.md, "Hit points"; for characters with a maximum, SRD 5.1, "Damage and Healing".
"""

from __future__ import annotations

from turnwright.model.character import TERMINAL, Character, CharacterState

State = CharacterState


def without_sheet(character: Character, delta: int, *, changes_state: bool) -> Character:
    """Return the character after `delta` hit points, without a maximum: minimum 0, no upper limit, no dice.

    Args:
        character: a character with hit points.
        delta: hit points; 0 is allowed.
        changes_state: the setting `rules.hp_zero_ends_game`.
    """
    assert character.hp is not None, "the caller refuses characters without hit points"
    hp = max(0, character.hp + delta)
    state = character.state
    if changes_state and state is not None and state not in TERMINAL:
        if hp == 0:
            state = State.DYING
        elif state is State.DYING:
            state = State.ALIVE
        return character.replace(hp=hp, character_state=state.value)
    return character.replace(hp=hp)
