"""Amounts of damage and hit points: "5 points of fire damage", "3 HP", "some damage"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from turnwright.narration.claims._clause_reader import ClauseView

REACH = 9
"""How many words a verb may stand before its amount, or an amount before its unit."""
_AFTER_NUMBER = 3


@dataclass(frozen=True, slots=True)
class Quantity:
    """An amount of damage or hit points; `amount` is None for "some", "2d6" or "almost 5". It ends before `past`."""

    amount: int | None
    past: int


def unit_past(reading: ClauseView, at: int, units: str) -> int | None:
    """Return where a unit that begins at `at` ends ("HP", "hit points", "damage"), or None."""
    if reading.has("hit_points", at) and reading.has("points", at + 1):
        return None if units == "harm_units" else at + 2
    return at + 1 if reading.has(units, at) else None


def quantity_at(reading: ClauseView, at: int, units: str) -> Quantity | None:
    """Return the amount that begins at `at` and has one of `units`, with only describing words between."""
    numbers: list[int] = []
    exact, since = True, 0
    for i in range(at, min(at + REACH, len(reading.words))):
        past = unit_past(reading, i, units)
        if past:
            told = reading.is_end(past) or reading.has("unit_tail", past) or reading.is_per_head(past)
            loose = units == "hp_units" and not told
            refused = loose or reading.has("damage_tail", past) or numbers[:1] == [0]
            return None if refused else Quantity(numbers[0] if exact and len(numbers) == 1 else None, past)
        word = reading.words[i]
        number = reading.lexicon.number(word)
        since += bool(numbers)
        if number is not None:
            numbers.append(number)
            since = 0
        elif reading.has("about", i) or (word.norm[:1].isdigit() and not word.is_mark):
            exact = False
        elif reading.has("not_hp", i) or not (
            _joins(reading, i, numbers) or _describes(reading, i, bool(numbers), since)
        ):
            return None
    return None


def _joins(reading: ClauseView, at: int, numbers: Sequence[int]) -> bool:
    following = reading.words[at + 1] if at + 1 < len(reading.words) else None
    return (
        bool(numbers)
        and reading.has("plus", at)
        and following is not None
        and reading.lexicon.number(following) is not None
    )


def _describes(reading: ClauseView, at: int, counted: bool, since: int) -> bool:
    if reading.has("fillers", at):
        return True
    return counted and since <= _AFTER_NUMBER and not reading.words[at].is_mark and not reading.has("function", at)


def for_amount(reading: ClauseView, at: int, since: int) -> Quantity | None:
    """Return the amount of "for 5 (damage)" at `at`, if no mark parts it from `since`."""
    if not reading.has("for", at) or any(
        word.is_mark or reading.lexicon.has("charges", word) for word in reading.words[since:at]
    ):
        return None
    quantity = quantity_at(reading, at + 1, "harm_units") or quantity_at(reading, at + 1, "hp_units")
    if quantity:
        return quantity
    return bare_number(reading, next((i for i in range(at + 1, at + 3) if not reading.has("fillers", i)), at + 1))


def bare_number(reading: ClauseView, at: int) -> Quantity | None:
    """Return the number at `at` if it counts no things: "for 5 in all", not "for 5 minutes"."""
    if at >= len(reading.words) or not (reading.is_end(at + 1) or reading.has("function", at + 1)):
        return None
    number = reading.lexicon.number(reading.words[at])
    return Quantity(number, at + 1) if number else None
