"""The words in brackets behind terms, and an expression taken apart by them: `1d8[slashing]+2d6[fire]`.

Source: docs/stages/3-tools.md, "Dice".
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from turnwright.model.dice.tree import DiceCode, DiceError, Expression, Group, Negate, Product, Sum

Signed = tuple[str, Expression]
"""A term of a sum with its sign."""


def labels(expression: Expression, among: Collection[str]) -> list[str]:
    """Return the labels of an expression that are among these words, each once, from left to right."""
    return list(dict.fromkeys(label for label in _labels(expression, "") if label in among))


def has_unlabeled(expression: Expression, among: Collection[str]) -> bool:
    """Return whether a term has none of these words behind it, or behind a parenthesis around it."""
    return any(label not in among for label in _labels(expression, ""))


def split_by_label(expression: Expression, among: Collection[str], default: str = "") -> list[tuple[str, Expression]]:
    """Return the sums that an expression consists of, one for each label, in the order in which they begin.

    Their values add up to its own.

    Args:
        expression: of any shape.
        among: the labels that count.
        default: the label of what has none of them.

    Raises:
        DiceError: MIXED_LABELS where a product has several labels in it: rounding belongs to all of them together.
    """
    parts: dict[str, list[Signed]] = {}
    for sign, term in _terms("+", expression, among):
        own = labels(term, among)
        if len(own) > 1 or (own and has_unlabeled(term, among)):
            raise DiceError(DiceCode.MIXED_LABELS, "What is multiplied together has one label, or none.", term.at)
        parts.setdefault(own[0] if own else default, []).append((sign, term))
    return [(label, _sum(terms)) for label, terms in parts.items()]


def _labels(node: Expression, outer: str) -> Iterator[str]:
    """Yield the label of each term from left to right: its own, else that of the parenthesis around it."""
    match node:
        case Group(inner, label):
            yield from _labels(inner, label or outer)
        case Negate(inner):
            yield from _labels(inner, outer)
        case Sum(first, rest):
            for each in (first, *(operand for _, operand in rest)):
                yield from _labels(each, outer)
        case Product(first, rest):
            found = [label for each in (first, *(factor for _, factor in rest)) for label in _labels(each, outer)]
            yield from [label for label in found if label] or [""]  # a plain factor is of what it multiplies
        case _:
            yield node.label or outer


def _terms(sign: str, node: Expression, among: Collection[str]) -> Iterator[Signed]:
    """Yield the terms of a sum; parentheses around terms of several labels are dissolved, and others kept."""
    match node:
        case Sum(first, rest):
            yield from _terms(sign, first, among)
            for operator, operand in rest:
                yield from _terms(sign if operator == "+" else _opposite(sign), operand, among)
        case Group(Sum() as inner, label) if label not in among and _is_mixed(inner, among):
            yield from _terms(sign, inner, among)
        case Negate(Group(Sum() as inner, label)) if label not in among and _is_mixed(inner, among):
            yield from _terms(_opposite(sign), inner, among)
        case _:
            yield sign, node


def _is_mixed(node: Expression, among: Collection[str]) -> bool:
    own = labels(node, among)
    return len(own) > 1 or (bool(own) and has_unlabeled(node, among))


def _opposite(sign: str) -> str:
    return "-" if sign == "+" else "+"


def _sum(terms: list[Signed]) -> Expression:
    (sign, first), *rest = terms
    start = first if sign == "+" else _negative(first)
    return Sum(start, tuple(rest), start.at) if rest else start


def _negative(node: Expression) -> Expression:
    if isinstance(node, Negate):
        return node.inner
    return Negate(Group(node, at=node.at) if isinstance(node, Sum | Product) else node, node.at)
