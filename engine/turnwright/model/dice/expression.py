"""Dice: throw a parsed expression and keep every die it threw; the one door to the notation.

No randomness lives here: `roll` asks its `draw` for one face after the other, term by term from left to right (the
extra dice of a critical after all others), so given faces make a given roll. Source: docs/stages/3-tools.md, "Dice".
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TypedDict

from turnwright.model.dice.change import advantage, critical, disadvantage
from turnwright.model.dice.labels import has_unlabeled, labels, split_by_label
from turnwright.model.dice.parse import parse
from turnwright.model.dice.tree import (
    MAX_DICE,
    MAX_REROLLS,
    DiceCode,
    DiceError,
    DiceTerm,
    Expression,
    Pick,
    Span,
    dice_terms,
    face_span,
    render,
    span_of,
)

__all__ = [
    "Bounds",
    "DiceCode",
    "DiceError",
    "Die",
    "Expression",
    "Roll",
    "TermRoll",
    "advantage",
    "bounds",
    "critical",
    "dice_ahead",
    "disadvantage",
    "has_unlabeled",
    "labels",
    "parse",
    "render",
    "roll",
    "split_by_label",
]


class TermResult(TypedDict):
    """The result of one term of an expression."""

    notation: str
    rolls: Sequence[int]
    kept: Sequence[int]
    value: int


class BoundsResult(TypedDict):
    """The possible range of a total; `max` is None if it is unbounded."""

    min: int
    max: int | None


class RollResult(TypedDict):
    """The result of `roll_dice`."""

    expression: str
    rolls: list[int]
    kept: list[int]
    dropped: list[int]
    terms: list[TermResult]
    total: int
    bounds: BoundsResult
    natural: int | None


@dataclass(frozen=True, slots=True)
class Bounds:
    """The lowest and the highest total; `max` is None when the expression has exploding dice.

    `min` is exact nevertheless: subtracted dice may explode, but add at most `MAX_DICE` dice.
    """

    min: int
    max: int | None


@dataclass(frozen=True, slots=True)
class Die:
    """One die as it fell, and what its face counts."""

    face: int
    kept: bool
    worth: int


@dataclass(frozen=True, slots=True)
class TermRoll:
    """One dice term and its dice in the order they were drawn."""

    term: DiceTerm
    dice: tuple[Die, ...]

    @property
    def rolls(self) -> list[int]:
        """Every face, in draw order."""
        return [die.face for die in self.dice]

    @property
    def kept(self) -> list[int]:
        """The values of the dice that count: highest first if the term keeps or drops, else in draw order."""
        faces = [die.worth for die in self.dice if die.kept]
        return sorted(faces, reverse=True) if self.term.pick else faces

    @property
    def dropped(self) -> list[int]:
        """The faces that do not count, in draw order."""
        return [die.face for die in self.dice if not die.kept]

    @property
    def value(self) -> int:
        """The sum of the kept faces, before any sign or factor around the term."""
        return sum(die.worth for die in self.dice if die.kept)


@dataclass(frozen=True, slots=True)
class Roll:
    """A rolled expression; `terms` are in draw order."""

    expression: Expression
    terms: tuple[TermRoll, ...]
    total: int

    @property
    def natural(self) -> int | None:
        """The face of the one kept d20; None when no d20 is kept, or more than one."""
        d20s = [die.face for thrown in self.terms if thrown.term.sides == 20 for die in thrown.dice if die.kept]
        return d20s[0] if len(d20s) == 1 else None

    @property
    def bounds(self) -> Bounds:
        """The possible range of the total."""
        return bounds(self.expression)

    def split(self, among: Collection[str], default: str) -> list[tuple[str, Roll]]:
        """Return what fell apart by labels, as `split_by_label` takes the expression apart; the totals add up."""
        fallen = {id(thrown.term): thrown for thrown in self.terms}
        return [(label, _roll_of(part, fallen)) for label, part in split_by_label(self.expression, among, default)]

    def to_result(self) -> RollResult:
        """Return the result of `roll_dice` as plain JSON values, without a label."""
        limits = self.bounds
        return {
            "expression": render(self.expression),
            "rolls": [face for term in self.terms for face in term.rolls],
            "kept": [face for term in self.terms for face in term.kept],
            "dropped": [face for term in self.terms for face in term.dropped],
            "terms": [
                {"notation": render(term.term), "rolls": term.rolls, "kept": term.kept, "value": term.value}
                for term in self.terms
            ],
            "total": self.total,
            "bounds": {"min": limits.min, "max": limits.max},
            "natural": self.natural,
        }


def roll(expression: Expression, draw: Callable[[int], int]) -> Roll:
    """Throw every die of an expression; `draw(sides)` gives a face from 1 to `sides` and is trusted to."""
    terms = list(dice_terms(expression))
    order = sorted(range(len(terms)), key=lambda index: terms[index].wave)
    thrown = {index: _throw(terms[index], draw) for index in order}
    values = iter([thrown[index].value for index in range(len(terms))])

    def value(_: DiceTerm) -> Span:
        worth = next(values)
        return worth, worth

    return Roll(expression, tuple(thrown[index] for index in order), span_of(expression, value)[0])


def _roll_of(part: Expression, fallen: Mapping[int, TermRoll]) -> Roll:
    """Return the roll of a part whose terms were rolled with the whole; terms are matched by identity."""
    terms = sorted((fallen[id(term)] for term in dice_terms(part)), key=lambda thrown: thrown.term.wave)
    total = span_of(part, lambda term: (fallen[id(term)].value, fallen[id(term)].value))[0]
    return Roll(part, tuple(terms), total)


def dice_ahead(expression: Expression) -> list[int]:
    """Return the sides of the dice that `roll` draws first whatever the results, in the order of drawing.

    An exploding or rerolling term may roll more dice before the next one, so the list ends there.
    """
    ahead: list[int] = []
    for term in sorted(dice_terms(expression), key=lambda term: term.wave):
        ahead += [term.sides] * (1 if term.reroll else term.count)
        if term.explode or term.reroll:
            break
    return ahead


def _throw(term: DiceTerm, draw: Callable[[int], int]) -> TermRoll:
    faces: list[int] = []
    gone: set[int] = set()
    to_throw = term.count
    while len(faces) - len(gone) < to_throw:
        face = draw(term.sides)
        faces.append(face)
        if _is_thrown_again(term, faces, gone):
            gone.add(len(faces) - 1)
        elif term.explode and face == term.sides and to_throw < term.count + MAX_DICE:
            to_throw += 1
    kept = _kept_places(term, faces, gone)
    return TermRoll(term, tuple(Die(face, place in kept, term.worth(face)) for place, face in enumerate(faces)))


def _is_thrown_again(term: DiceTerm, faces: list[int], gone: set[int]) -> bool:
    """Return whether the last die is thrown again: not if it was already, and that is allowed once."""
    if term.reroll is None or not term.reroll.is_due(faces[-1]):
        return False
    again = 0
    while len(faces) - 2 - again in gone:
        again += 1
    return again < (1 if term.reroll.once else MAX_REROLLS)


def _kept_places(term: DiceTerm, faces: list[int], gone: Collection[int]) -> set[int]:
    """Return the places of the dice that count; of equal faces the earlier is kept, or dropped, first."""
    places = [place for place in range(len(faces)) if place not in gone]
    if term.pick is None:
        return set(places)
    sign = -1 if term.pick in (Pick.KEEP_HIGHEST, Pick.DROP_HIGHEST) else 1
    picked = sorted(places, key=lambda place: sign * faces[place])[: term.amount]
    return set(picked) if term.pick in (Pick.KEEP_HIGHEST, Pick.KEEP_LOWEST) else set(places).difference(picked)


def bounds(expression: Expression) -> Bounds:
    """Return what the total can be, exactly."""
    low, high = span_of(expression, face_span)
    return Bounds(low, None if any(term.explode for term in dice_terms(expression)) else high)
