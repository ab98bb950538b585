"""Dice notation read into a frozen tree: `2d6+3`, `4d6dl1`, `(1d8+2)*3`, `1d20adv`, `3d6!/2`.

Dialects of other programs are read too: `4d6k3`, `4d6d1`, `2d6r1`, `2d6ro<3`, `1d20mi10`, `1d6ma5`, a word in brackets
behind a term, a comment behind `#`, and the minus sign of typesetters.

Operators bind as in arithmetic, a minus sign tighter than `*` and `/`, and `/` rounds down: `-7/2` is -4. Letters may
be upper or lower case. Blanks (space, tab, line end) may stand between tokens, never inside a number or a word, so
`1d6 2` is an error rather than `1d62`. Where the notation is silent: one number is at most `MAX_NUMBER`, and an
expression that could leave +-`MAX_TOTAL`, even as a critical, is refused.

Source: docs/stages/3-tools.md, "Dice".
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from turnwright.model.dice.tree import (
    MAX_DEPTH,
    MAX_DICE,
    MAX_NUMBER,
    MAX_SIDES,
    MAX_TEXT,
    MAX_TOTAL,
    DiceCode,
    DiceError,
    DiceTerm,
    Expression,
    Group,
    Negate,
    Number,
    Pick,
    Product,
    Reroll,
    Span,
    Sum,
    dice_terms,
    face_span,
    span_of,
)


@lru_cache(maxsize=256)
def parse(text: str) -> Expression:
    """Read dice notation; the same few weapons are read over and over.

    Raises:
        DiceError: for any text that is not dice notation or is past a limit; nothing else is raised.
    """
    if len(text) > MAX_TEXT:
        raise DiceError(DiceCode.TOO_LONG, f"A dice expression has at most {MAX_TEXT} characters.", MAX_TEXT)
    return _Parser(text.partition("#")[0].replace(_MINUS, "-")).read_all()


class _Token(NamedTuple):
    kind: str
    text: str
    at: int


# re.ASCII: without it, IGNORECASE would take the Kelvin sign for a k and \d other scripts' digits.
_TOKEN = re.compile(
    r"(?P<int>[0-9]+)|(?P<word>kh|kl|dh|dl|adv|dis|ro|mi|ma|[rkd%!()+*/<-])"
    r"|(?P<label>\[[^\[\]]*\])|(?P<other>[^ \t\r\n])",
    re.ASCII | re.IGNORECASE,
)
_LABEL = re.compile(r"[a-z][a-z0-9 _-]{0,39}", re.ASCII | re.IGNORECASE)
_MINUS = "\u2212"
"""A minus sign as texts set it."""


def _tokens(text: str) -> Iterator[_Token]:
    for found in _TOKEN.finditer(text):
        kind = found.group().lower() if found.lastgroup == "word" else str(found.lastgroup)
        yield _Token(kind, found.group(), found.start())
    yield _Token("end", "", len(text))


class _Parser:
    """Recursive descent with one token of lookahead; `MAX_DEPTH` bounds the recursion."""

    def __init__(self, text: str) -> None:
        self._rest = _tokens(text)
        self._token = next(self._rest)
        self._depth = 0
        self._dice = 0

    def read_all(self) -> Expression:
        if self._token.kind == "end":
            raise DiceError(DiceCode.EMPTY, "The dice expression is empty.", 0)
        tree = self._sum()
        if self._token.kind != "end":
            raise self._unexpected()
        # A critical doubles every dice term and must not fail once the attack is rolled, so it is measured here.
        for leaf in (face_span, _critical_span):
            low, high = span_of(tree, leaf)
            if max(-low, high) > MAX_TOTAL:
                raise DiceError(DiceCode.NUMBER_TOO_BIG, f"The total could pass {MAX_TOTAL}.", 0)
        return tree

    def _take(self, *kinds: str) -> _Token | None:
        token = self._token
        if token.kind not in kinds:
            return None
        self._token = next(self._rest)
        return token

    def _unexpected(self) -> DiceError:
        what = f"{self._token.text!r} does not fit here." if self._token.text else "The expression ends too early."
        return DiceError(DiceCode.UNEXPECTED, what, self._token.at)

    def _sum(self) -> Expression:
        first, rest = self._product(), []
        while operator := self._take("+", "-"):
            rest.append((operator.kind, self._product()))
        return Sum(first, tuple(rest), first.at) if rest else first

    def _product(self) -> Expression:
        first, rest = self._factor(), []
        while operator := self._take("*", "/"):
            factor = self._factor()
            if operator.kind == "/":
                _check_divisor(factor)
            rest.append((operator.kind, factor))
        return Product(first, tuple(rest), first.at) if rest else first

    def _factor(self) -> Expression:
        minus = self._take("-")
        atom = self._atom()
        return Negate(atom, minus.at) if minus else atom

    def _atom(self) -> Expression:
        if opened := self._take("("):
            return self._group(opened)
        number = self._take("int")
        if letter := self._take("d"):
            return self._dice_term(number, letter.at)
        if number is None:
            raise self._unexpected()
        return Number(_value(number), self._label(), at=number.at)

    def _label(self) -> str:
        """Return the word in brackets behind a term, in lower case; empty where there is none."""
        token = self._take("label")
        if token is None:
            return ""
        word = token.text[1:-1].strip()
        if not _LABEL.fullmatch(word):
            raise DiceError(DiceCode.UNEXPECTED, f"{token.text!r} does not fit here.", token.at)
        return word.lower()

    def _group(self, opened: _Token) -> Group:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise DiceError(DiceCode.TOO_DEEP, f"Parentheses nest at most {MAX_DEPTH} deep.", opened.at)
        inner = self._sum()
        if not self._take(")"):
            if self._token.kind != "end":
                raise self._unexpected()
            raise DiceError(DiceCode.UNCLOSED, "This parenthesis is never closed.", opened.at)
        self._depth -= 1
        return Group(inner, self._label(), at=opened.at)

    def _dice_term(self, number: _Token | None, letter_at: int) -> DiceTerm:
        at = number.at if number else letter_at
        count = _value(number) if number else 1
        if count == 0:
            raise DiceError(DiceCode.BAD_COUNT, "At least one die is thrown.", at)
        sides = self._sides()
        explode = self._take("!") is not None
        early = self._dialects(sides)
        pick: Pick | None
        if both := self._take("adv", "dis"):
            if count != 1:
                raise DiceError(DiceCode.BAD_COUNT, f"{both.kind} takes a single die.", at)
            count = 2
            pick, amount = (Pick.KEEP_HIGHEST if both.kind == "adv" else Pick.KEEP_LOWEST), 1
        else:
            pick, amount = self._pick(count)
        late = self._dialects(sides)
        reroll, least = late[0] or early[0], max(late[1], early[1])
        most = early[2] if late[2] is None else late[2]
        self._dice += count
        if self._dice > MAX_DICE:
            raise DiceError(DiceCode.TOO_MANY_DICE, f"An expression throws at most {MAX_DICE} dice.", at)
        return DiceTerm(
            count, sides, explode, pick, amount, reroll=reroll, least=least, most=most, label=self._label(), at=at
        )

    def _dialects(self, sides: int) -> tuple[Reroll | None, int, int | None]:
        """Return which faces are thrown again, and what a face counts at the least and at the most."""
        reroll: Reroll | None = None
        least, most = 1, None
        while word := self._take("r", "ro", "mi", "ma"):
            below = word.kind in ("r", "ro") and self._take("<") is not None
            number = self._take("int")
            if number is None:
                raise self._unexpected()
            value = _value(number)
            if not 1 <= value <= sides:
                raise DiceError(DiceCode.BAD_REROLL, f"{word.kind} takes a face from 1 to {sides}.", number.at)
            if word.kind in ("r", "ro"):
                reroll = Reroll(value, below, once=word.kind == "ro")
            elif word.kind == "mi":
                least = value
            else:
                most = value
        if reroll is not None and not reroll.once and 2 * _again(reroll) > sides:
            raise DiceError(DiceCode.BAD_REROLL, "More than half of the faces would be thrown again and again.", 0)
        return reroll, least, most

    def _sides(self) -> int:
        token = self._take("int", "%")
        if token is None:
            raise self._unexpected()
        sides = 100 if token.kind == "%" else _value(token)
        if not 2 <= sides <= MAX_SIDES:
            raise DiceError(DiceCode.BAD_SIDES, f"A die has 2 to {MAX_SIDES} sides.", token.at)
        return sides

    def _pick(self, count: int) -> tuple[Pick | None, int]:
        word = self._take(*Pick, "k", "d")
        if word is None:
            return None, 0
        number = self._take("int")
        if number is None and word.kind in _SHORT:
            raise self._unexpected()
        amount = _value(number) if number else 1
        pick = _SHORT.get(word.kind) or Pick(word.kind)
        most = count if pick in (Pick.KEEP_HIGHEST, Pick.KEEP_LOWEST) else count - 1
        if not 1 <= amount <= most:
            message = f"Of {count} dice, {pick} takes 1 to {most}." if most else "The only die cannot be dropped."
            raise DiceError(DiceCode.BAD_KEEP, message, (number or word).at)
        return pick, amount


_SHORT = {"k": Pick.KEEP_HIGHEST, "d": Pick.DROP_LOWEST}
"""What other notations write for two of them, always with a number."""


def _again(reroll: Reroll) -> int:
    """Return how many faces are thrown again."""
    return reroll.face - 1 if reroll.below else 1


def _value(token: _Token) -> int:
    value = int(token.text)  # at most MAX_TEXT digits, well below Python's own limit
    if value > MAX_NUMBER:
        raise DiceError(DiceCode.NUMBER_TOO_BIG, f"A number is at most {MAX_NUMBER}.", token.at)
    return value


def _check_divisor(factor: Expression) -> None:
    constant = next(dice_terms(factor), None) is None
    if not constant or span_of(factor, face_span)[0] < 1:
        raise DiceError(DiceCode.BAD_DIVISOR, "Only a positive number without dice can divide.", factor.at)


def _critical_span(term: DiceTerm) -> Span:
    low, high = face_span(term)
    return 2 * low, 2 * high
