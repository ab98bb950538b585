"""The tree of a dice expression: its nodes, its limits, its errors, what it can come to and its text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

MAX_TEXT = 200
MAX_DEPTH = 16
MAX_DICE = 100
"""Dice an expression may ask for, and, counted apart, dice one exploding term may add."""
MAX_SIDES = 1000
MAX_NUMBER = 999_999_999
MAX_TOTAL = 999_999_999_999
MAX_REROLLS = 100
"""Maximum number of rerolls of one die."""


class DiceCode(StrEnum):
    """The kinds of faults of a dice expression."""

    EMPTY = "empty"
    TOO_LONG = "too_long"
    TOO_DEEP = "too_deep"
    TOO_MANY_DICE = "too_many_dice"
    NUMBER_TOO_BIG = "number_too_big"
    BAD_COUNT = "bad_count"
    BAD_SIDES = "bad_sides"
    BAD_KEEP = "bad_keep"
    BAD_DIVISOR = "bad_divisor"
    BAD_REROLL = "bad_reroll"
    MIXED_LABELS = "mixed_labels"
    UNEXPECTED = "unexpected"
    UNCLOSED = "unclosed"
    NO_PLAIN_D20 = "no_plain_d20"


class DiceError(ValueError):
    """An expression that is not dice notation, or that cannot take advantage; `position` counts from 0."""

    def __init__(self, code: DiceCode, message: str, position: int) -> None:
        super().__init__(code, message, position)
        self.code = code
        self.message = message
        self.position = position

    def __str__(self) -> str:
        return self.message


class Pick(StrEnum):
    """The dice of a term that are kept (`k`) or dropped (`d`): the highest or the lowest."""

    KEEP_HIGHEST = "kh"
    KEEP_LOWEST = "kl"
    DROP_HIGHEST = "dh"
    DROP_LOWEST = "dl"


@dataclass(frozen=True, slots=True)
class Reroll:
    """The faces that are rerolled: this one, or all below it; once, or until another face comes up."""

    face: int
    below: bool = False
    once: bool = False

    def is_due(self, face: int) -> bool:
        """Return whether a die that shows this face is thrown again."""
        return face < self.face if self.below else face == self.face

    def __str__(self) -> str:
        return f"r{'o' * self.once}{'<' * self.below}{self.face}"


@dataclass(frozen=True, slots=True)
class Number:
    """A whole number, never negative."""

    value: int
    label: str = ""
    at: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class DiceTerm:
    """`count` dice thrown together; `1d20adv` is read as `2d20kh1`, so it is equal to it."""

    count: int
    sides: int
    explode: bool = False
    pick: Pick | None = None
    amount: int = 0
    """How many dice `pick` keeps or drops; 0 without one."""
    reroll: Reroll | None = None
    least: int = 1
    """The minimum value of each face."""
    most: int | None = None
    """The maximum value of each face."""
    label: str = ""
    """A damage type where damage is meant, or any word."""
    wave: int = 0
    """Terms are thrown wave by wave, left to right in each: the extra dice of a critical come last."""
    at: int = field(default=0, compare=False)

    def count_kept(self, thrown: int) -> int:
        """Return how many of `thrown` dice count towards the total."""
        if self.pick is None:
            return thrown
        return self.amount if self.pick in (Pick.KEEP_HIGHEST, Pick.KEEP_LOWEST) else thrown - self.amount

    def worth(self, face: int) -> int:
        """Return what a face counts."""
        counted = max(self.least, face)
        return counted if self.most is None else min(self.most, counted)

    @property
    def faces(self) -> Span:
        """The least and the greatest face that a die can be left with."""
        low, high = 1, self.sides
        if self.reroll is not None and not self.reroll.once:
            left = [face for face in range(1, self.sides + 1) if not self.reroll.is_due(face)]
            low, high = left[0], left[-1]
        return low, high


@dataclass(frozen=True, slots=True)
class Negate:
    """A factor behind a minus sign."""

    inner: Expression
    at: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Group:
    """A pair of parentheses."""

    inner: Expression
    label: str = ""
    at: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Product:
    """Factors applied from left to right, each with `*` or `/`."""

    first: Expression
    rest: tuple[tuple[str, Expression], ...]
    at: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Sum:
    """Terms applied from left to right, each with `+` or `-`."""

    first: Expression
    rest: tuple[tuple[str, Expression], ...]
    at: int = field(default=0, compare=False)


Expression: TypeAlias = Number | DiceTerm | Negate | Group | Product | Sum
Span: TypeAlias = tuple[int, int]


def dice_terms(node: Expression) -> Iterator[DiceTerm]:
    """Yield the dice terms from left to right."""
    match node:
        case DiceTerm():
            yield node
        case Negate(inner) | Group(inner):
            yield from dice_terms(inner)
        case Product(first, rest) | Sum(first, rest):
            yield from dice_terms(first)
            for _, operand in rest:
                yield from dice_terms(operand)


def face_span(term: DiceTerm) -> Span:
    """Return the least and the greatest a term can come to, additions up to their limit included."""
    thrown = term.count + (MAX_DICE if term.explode else 0)
    low, high = term.faces
    return term.count_kept(term.count) * term.worth(low), term.count_kept(thrown) * term.worth(high)


def span_of(node: Expression, leaf: Callable[[DiceTerm], Span]) -> Span:
    """Return the exact least and greatest value of a tree; `leaf` gives those of each dice term, from left to right.

    Terms are independent of each other, so both ends are reached. With spans of one value this is the value of the
    tree: a total is bounds that have met.
    """
    match node:
        case Number(value):
            return value, value
        case DiceTerm():
            return leaf(node)
        case Group(inner):
            return span_of(inner, leaf)
        case Negate(inner):
            low, high = span_of(inner, leaf)
            return -high, -low
        case Product(first, rest) | Sum(first, rest):
            span = span_of(first, leaf)
            for operator, operand in rest:
                span = _join(span, operator, span_of(operand, leaf))
            return span


def _join(left: Span, operator: str, right: Span) -> Span:
    if operator == "+":
        return left[0] + right[0], left[1] + right[1]
    if operator == "-":
        return left[0] - right[1], left[1] - right[0]
    if operator == "*":
        corners = [a * b for a in left for b in right]
        return min(corners), max(corners)
    return left[0] // right[0], left[1] // right[0]  # a divisor is a positive constant


def render(expression: Expression) -> str:
    """Return the canonical text: no blanks, lower case, counts and sides spelled out, `adv` as the keep it stands for.

    A text that would so outgrow what `parse` reads is given in the shortest spelling, so every parsed expression can
    be read back and gives an equal tree.
    """
    text = _text(expression, _long_term)
    return text if len(text) <= MAX_TEXT else _text(expression, _short_term)


def _text(node: Expression, term_text: Callable[[DiceTerm], str]) -> str:
    match node:
        case Number(value, label):
            return f"{value}{_label(label)}"
        case DiceTerm():
            return term_text(node)
        case Negate(inner):
            return "-" + _text(inner, term_text)
        case Group(inner, label):
            return f"({_text(inner, term_text)}){_label(label)}"
        case Product(first, rest) | Sum(first, rest):
            return _text(first, term_text) + "".join(sign + _text(operand, term_text) for sign, operand in rest)


def _label(label: str) -> str:
    return f"[{label}]" if label else ""


def _dialect(term: DiceTerm) -> str:
    """Return what is written behind a term beside keeping and dropping."""
    least = f"mi{term.least}" if term.least > 1 else ""
    most = "" if term.most is None else f"ma{term.most}"
    return f"{term.reroll or ''}{least}{most}{_label(term.label)}"


def _long_term(term: DiceTerm) -> str:
    pick = f"{term.pick}{term.amount}" if term.pick else ""
    return f"{term.count}d{term.sides}{'!' * term.explode}{pick}{_dialect(term)}"


def _short_term(term: DiceTerm) -> str:
    count = "" if term.count == 1 else term.count
    sides = "%" if term.sides == 100 else term.sides
    amount = "" if term.amount < 2 else term.amount
    return f"{count}d{sides}{'!' * term.explode}{term.pick or ''}{amount}{_dialect(term)}"
