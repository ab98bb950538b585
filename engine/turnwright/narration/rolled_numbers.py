"""The numbers in results that dice made: faces, and the sums that they came to.

Source: docs/stages/4-conflicts.md, "What the checks look at".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from turnwright.model.dice.expression import DiceError, bounds, parse
from turnwright.model.dice.tree import dice_terms
from turnwright.model.json_types import JsonObject
from turnwright.narration.facts import CallOutcome
from turnwright.narration.result_shapes import number_of, text_of, walk

_FACES = frozenset(
    {"natural", "rolls", "hit_dice_rolls", "damage_rolls", "healing_rolls", "chosen_die_value", "dice_pool"}
)
"""The keys of results that hold rolled faces."""
_TOTALS = frozenset(
    {"total", "actor_total", "target_total", "initiative", "damage_rolled", "damage_total", "healing_total"}
)
"""The keys that hold totals of dice and their modifiers."""
_SUMS = frozenset({"value", "raw", "final"})
"""Keys that hold such a sum if faces accompany them, and anything else otherwise."""
_D20 = 20


def faces_of(outcomes: Iterable[CallOutcome]) -> frozenset[int]:
    """Return every face in the results."""
    return frozenset(face for part in _parts(outcomes) for face in _numbers_under(part, _FACES))


def totals_of(outcomes: Iterable[CallOutcome]) -> frozenset[int]:
    """Return every sum in the results that dice decided: a sum with only one possible value was not rolled."""
    return frozenset(
        total
        for part in _parts(outcomes)
        if not _is_fixed(part)
        for total in _numbers_under(part, _TOTALS | _SUMS if "rolls" in part else _TOTALS)
    )


def d20_faces_of(outcomes: Iterable[CallOutcome]) -> frozenset[int]:
    """Return every face of a d20 in the results, as far as they tell which die it was."""
    found: set[int] = set()
    for part in _parts(outcomes):
        if number_of(part, "natural") is not None and "terms" not in part:
            found.update(_numbers_under(part, frozenset({"natural", "rolls"})))
        elif _is_of_d20s(text_of(part, "notation")):
            found.update(_numbers_under(part, frozenset({"rolls"})))
    return frozenset(found)


def _parts(outcomes: Iterable[CallOutcome]) -> Iterator[JsonObject]:
    for outcome in outcomes:
        yield from walk(outcome.result)


def _numbers_under(part: JsonObject, keys: frozenset[str]) -> Iterator[int]:
    """Yield the numbers under some keys, and those in lists there."""
    waiting: list[Any] = [part[key] for key in keys.intersection(part)]
    while waiting:
        value = waiting.pop()
        if isinstance(value, (list, tuple)):
            waiting.extend(value)
        elif type(value) is int:
            yield value


def _is_fixed(part: JsonObject) -> bool:
    """Whether no die affects the total of an expression: it has none, or they are multiplied by zero."""
    expression = text_of(part, "expression")
    if expression is None:
        return False
    try:
        limits = bounds(parse(expression))
    except DiceError:
        return False
    return limits.min == limits.max


def _is_of_d20s(notation: str | None) -> bool:
    if notation is None:
        return False
    try:
        return any(term.sides == _D20 for term in dice_terms(parse(notation)))
    except DiceError:
        return False
