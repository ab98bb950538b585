"""Damage, dying and healing of creatures with a hit point maximum.

Source: SRD 5.1, "Damage and Healing"; docs/stages/3-tools.md, "Hit points".
"""

from __future__ import annotations

from turnwright.model.character import TERMINAL, Character, CharacterState
from turnwright.model.creature import Condition, DeathSaves
from turnwright.rulesets.core.hp import without_sheet
from turnwright.rulesets.fifth_edition.condition_list import AT_ZERO, is_of_hp, with_condition
from turnwright.rulesets.fifth_edition.sheets.derived_stats import effective

State = CharacterState
_MAX_FAILURES = 3


def harmed(character: Character, damage: int, *, changes_state: bool, critical: bool = False) -> Character:
    """Apply damage: temporary hit points are lost first, and massive excess damage may kill.

    Hit points above the current maximum do not absorb damage: they vanish with the first lost point. If the setting was
    off when the character died, death takes effect at the next change of hit points after it is re-enabled.

    Args:
        character: a character with hit points and a maximum.
        damage: the damage taken, after resistances.
        changes_state: the setting `rules.hp_zero_ends_game`.
        critical: the blow was a critical hit, which counts twice against a dying character.
    """
    absorbed = min(character.temp_hp, damage)
    rest = damage - absorbed
    values = effective(character)
    had = values.hp if rest > 0 else character.hp or 0
    overflow = max(0, rest - had)
    hurt = character.replace(hp=max(0, had - rest), temp_hp=character.temp_hp - absorbed)
    if character.is_dead:
        return _in_state(hurt, State.DEAD, changes_state)
    if had > rest or character.state in TERMINAL:
        return hurt
    if rest == 0:
        return _still_down(hurt, changes_state)
    if overflow >= values.max_hp.effective:
        return killed(hurt, changes_state=changes_state)
    return _dropped(hurt, changes_state) if had > 0 else _hit_while_down(hurt, changes_state, 2 if critical else 1)


def killed(character: Character, *, changes_state: bool) -> Character:
    """Return a dead character: no hit points, and death saves to match."""
    dead = character.replace(hp=0, death_saves=DeathSaves(dead=True))
    return _in_state(dead, State.DEAD, changes_state)


def healed(character: Character, amount: int, *, changes_state: bool) -> Character:
    """Return a character with regained hit points, never above the effective maximum; the dead stay dead."""
    had = character.hp or 0
    ceiling = max(effective(character).max_hp.effective, had)
    better = character.replace(hp=min(ceiling, had + amount))
    if character.is_dead:
        return _in_state(better, State.DEAD, changes_state)
    if amount == 0 or character.state in TERMINAL:
        return better
    if had == 0 or character.state in (State.DYING, State.UNCONSCIOUS):
        return _awake(better, changes_state)
    return better


def stabilized(character: Character, *, changes_state: bool) -> Character:
    """Return a character stabilized at 0 hit points, who stays unconscious."""
    return _in_state(character.replace(death_saves=DeathSaves(stable=True)), State.UNCONSCIOUS, changes_state)


def with_temp_hp(character: Character, amount: int) -> Character:
    """Return a character with temporary hit points; they never add up, the larger number is kept."""
    return character.replace(temp_hp=max(character.temp_hp, amount))


def at_zero(character: Character, *, changes_state: bool) -> Character:
    """Return a character who has just dropped to 0 hit points."""
    return _dropped(character.replace(hp=0), changes_state)


def _dropped(character: Character, changes_state: bool) -> Character:
    if character.character_type != "pc":
        return _in_state(character.replace(death_saves=None), State.DYING, changes_state)
    down = with_condition(character, Condition(condition="unconscious", source=AT_ZERO)).character
    if "prone" not in effective(character).condition_immunities:
        down = with_condition(down, Condition(condition="prone")).character
    return _in_state(down.replace(death_saves=DeathSaves()), State.DYING, changes_state)


def _hit_while_down(character: Character, changes_state: bool, marks: int) -> Character:
    """Count damage at 0 as failed death saves; only player characters make them, all others are just dying."""
    if character.character_type != "pc":
        return _still_down(character, changes_state)
    saves = character.death_saves or DeathSaves()
    failures = min(_MAX_FAILURES, saves.failures + marks)
    if failures == _MAX_FAILURES:
        dead = DeathSaves(successes=saves.successes, failures=failures, dead=True)
        return _in_state(character.replace(death_saves=dead), State.DEAD, changes_state)
    marked = DeathSaves(successes=saves.successes, failures=failures)
    return _in_state(character.replace(death_saves=marked), State.DYING, changes_state)


def _still_down(character: Character, changes_state: bool) -> Character:
    is_stable = character.death_saves is not None and character.death_saves.stable
    return character if is_stable else _in_state(character, State.DYING, changes_state)


def _awake(character: Character, changes_state: bool) -> Character:
    conditions = tuple(condition for condition in character.conditions if not is_of_hp(condition))
    awake = character.replace(conditions=conditions, death_saves=None)
    is_down = character.state in (State.DYING, State.UNCONSCIOUS)
    return _in_state(awake, State.ALIVE, changes_state) if is_down else awake


def _in_state(character: Character, state: CharacterState, changes_state: bool) -> Character:
    if not changes_state or character.state is state or character.state in TERMINAL:
        return character
    return character.replace(character_state=state.value)


def with_hp_delta(character: Character, delta: int, *, changes_state: bool) -> Character:
    """Return the character after `delta` hit points of untyped damage (negative) or healing (positive).

    Args:
        character: a character with hit points; `max_hp` decides which rules apply.
        delta: hit points; 0 is allowed.
        changes_state: the setting `rules.hp_zero_ends_game`.
    """
    if character.max_hp is None:
        return without_sheet(character, delta, changes_state=changes_state)
    change = harmed if delta < 0 else healed
    return change(character, abs(delta), changes_state=changes_state)
