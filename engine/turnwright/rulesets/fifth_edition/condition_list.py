"""The conditions of a creature as a list: adding, removing and expiry.

Source: SRD 5.1, "Conditions"; docs/toolkit.md, "Conditions".
"""

from __future__ import annotations

from typing import NamedTuple

from turnwright.model.character import Character
from turnwright.model.creature import Condition
from turnwright.rulesets.fifth_edition.condition_rules import MAX_EXHAUSTION

AT_ZERO = "hp_zero"
"""The source of the unconsciousness at 0 hit points: only healing ends it."""
EXHAUSTION = "exhaustion"


class Changed(NamedTuple):
    """A character after a change, and whether anything changed."""

    character: Character
    changed: bool


def is_of_hp(condition: Condition) -> bool:
    """Return whether a condition is the unconsciousness of a character at 0 hit points."""
    return (condition.condition, condition.source) == ("unconscious", AT_ZERO)


def found(character: Character, name: str) -> Condition | None:
    """Return the condition of this name, or None; of two, the one that was not caused by hit points."""
    named = (condition for condition in character.conditions if condition.condition == name)
    return min(named, key=is_of_hp, default=None)


def alike(character: Character, condition: Condition) -> Condition | None:
    """Return the existing condition that makes an equal one redundant, or None.

    A condition caused by hit points is separate from one with another cause: each ends by itself.
    """
    wanted = condition.condition, is_of_hp(condition)
    return next((each for each in character.conditions if (each.condition, is_of_hp(each)) == wanted), None)


def gained(before: Character, after: Character) -> tuple[str, ...]:
    """Return the names of the conditions that a character has now and did not have before, in order of arrival."""
    return tuple(condition.condition for condition in after.conditions if alike(before, condition) is None)


def with_condition(character: Character, condition: Condition) -> Changed:
    """Return a character with a condition; an equal one is kept unless the new one lasts longer.

    Levels of exhaustion add up, to 6 at most. The caller checks for immunity and death.
    """
    present = alike(character, condition)
    if present is None:
        return Changed(character.replace(conditions=(*character.conditions, condition)), True)
    if condition.condition == EXHAUSTION:
        level = min(MAX_EXHAUSTION, (present.exhaustion_level or 1) + (condition.exhaustion_level or 1))
        return _replaced(character, present, present.replace(exhaustion_level=level))
    return _replaced(character, present, condition if _outlasts(condition, present) else present)


def without_condition(character: Character, name: str, levels: int = 1) -> Changed:
    """Return a character without a condition; exhaustion is reduced by so many levels."""
    present = found(character, name)
    if present is None:
        return Changed(character, False)
    left = (present.exhaustion_level or 1) - levels if name == EXHAUSTION else 0
    if left > 0:
        return _replaced(character, present, present.replace(exhaustion_level=left))
    kept = tuple(condition for condition in character.conditions if condition is not present)
    return Changed(character.replace(conditions=kept), True)


def without_ended_on(character: Character, deed: str) -> Character:
    """Return a character without the conditions and effects that this ends, such as `damage` or `attacks`."""
    conditions = tuple(each for each in character.conditions if deed not in each.ends_on)
    effects = tuple(each for each in character.effects if deed not in each.ends_on)
    if (len(conditions), len(effects)) == (len(character.conditions), len(character.effects)):
        return character
    return character.replace(conditions=conditions, effects=effects)


class Ticked(NamedTuple):
    """A character after a round: the conditions that expired, and those with rounds left."""

    character: Character
    expired: tuple[str, ...]
    ticked: tuple[Condition, ...]


def with_conditions_ticked(character: Character, rounds: int = 1) -> Ticked:
    """Return a character some rounds later: conditions counted in rounds are shortened, or end."""
    counted = [condition for condition in character.conditions if condition.rounds_remaining is not None]
    if not counted:
        return Ticked(character, (), ())
    kept: list[Condition] = []
    expired: list[str] = []
    for condition in character.conditions:
        left = condition.rounds_remaining
        if left is None:
            kept.append(condition)
        elif left > rounds:
            kept.append(condition.replace(rounds_remaining=left - rounds))
        else:
            expired.append(condition.condition)
    ticked = tuple(condition for condition in kept if condition.rounds_remaining is not None)
    return Ticked(character.replace(conditions=tuple(kept)), tuple(expired), ticked)


def _replaced(character: Character, old: Condition, new: Condition) -> Changed:
    conditions = tuple(new if condition is old else condition for condition in character.conditions)
    return Changed(character.replace(conditions=conditions), True) if new != old else Changed(character, False)


_ENDS_LAST = 1_000_000_001


def _outlasts(new: Condition, old: Condition) -> bool:
    return _length(new) > _length(old)


def _length(condition: Condition) -> int:
    """Return how long a condition lasts: rounds, or longer than any rounds if something else ends it."""
    if condition.duration is None:
        return _ENDS_LAST
    return condition.rounds_remaining if condition.rounds_remaining is not None else _ENDS_LAST - 1
