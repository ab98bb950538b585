"""The one function that changes hit points.

Source: docs/stages/3-tools.md, "Hit points"; for characters with a maximum, SRD 5.1, "Damage and Healing".
"""

from __future__ import annotations

from turnwright.model.character import TERMINAL, Character, CharacterState, DeathSaves

State = CharacterState


def with_hp_delta(character: Character, delta: int, *, changes_state: bool) -> Character:
    """Return the character after `delta` hit points of untyped damage (negative) or healing (positive).

    Args:
        character: anybody who has hit points; `max_hp` decides which rules hold.
        delta: hit points; 0 is allowed.
        changes_state: the setting `rules.hp_zero_ends_game`.
    """
    if character.max_hp is None:
        return _without_sheet(character, delta, changes_state)
    changed = _damaged(character, -delta, character.max_hp) if delta < 0 else _healed(character, delta)
    return changed if changes_state else changed.having(character_state=character.character_state)


def _without_sheet(character: Character, delta: int, changes_state: bool) -> Character:
    hp = max(0, _hp(character) + delta)
    state = character.state
    if changes_state and state is not None and state not in TERMINAL:
        if hp == 0:
            state = State.DYING
        elif state is State.DYING:
            state = State.ALIVE
        return character.having(hp=hp, character_state=state.value)
    return character.having(hp=hp)


def _damaged(character: Character, damage: int, maximum: int) -> Character:
    absorbed = min(character.temp_hp, damage)
    rest = damage - absorbed
    hp = max(0, _hp(character) - rest)
    overflow = max(0, rest - _hp(character))
    hurt = character.having(hp=hp, temp_hp=character.temp_hp - absorbed)
    if hp > 0 or character.state in TERMINAL:
        return hurt
    if overflow >= maximum:
        return hurt.having(character_state=State.DEAD.value, death_saves=DeathSaves(dead=True))
    if _hp(character) > 0:
        return _dropped(hurt)
    return _hit_while_down(hurt) if rest else hurt


def _dropped(character: Character) -> Character:
    saves = DeathSaves() if character.character_type == "pc" else None
    return character.having(character_state=State.DYING.value, death_saves=saves)


def _hit_while_down(character: Character) -> Character:
    """Count damage at 0 HP as a failed death save; only player characters make those, all others are just dying."""
    if character.character_type != "pc":
        return character.having(character_state=State.DYING.value)
    saves = character.death_saves or DeathSaves()
    failures = min(3, saves.failures + 1)
    state = State.DEAD if failures == 3 else State.DYING
    marks = DeathSaves(successes=saves.successes, failures=failures, stable=False, dead=failures == 3)
    return character.having(character_state=state.value, death_saves=marks)


def _healed(character: Character, amount: int) -> Character:
    ceiling = max(character.max_hp or 0, _hp(character))
    hp = min(ceiling, _hp(character) + amount)
    healed = character.having(hp=hp)
    if amount == 0 or character.state in TERMINAL:
        return healed
    if character.state in (State.DYING, State.UNCONSCIOUS):
        return healed.having(character_state=State.ALIVE.value, death_saves=None)
    # Where hit points change no state, somebody at 0 may be alive and yet have failed saves.
    return healed if _hp(character) > 0 else healed.having(death_saves=None)


def _hp(character: Character) -> int:
    assert character.hp is not None, "the caller refuses characters without hit points"
    return character.hp
