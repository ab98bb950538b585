"""Dice changed before they are thrown: advantage, disadvantage, critical."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from turnwright.model.dice.tree import (
    DiceCode,
    DiceError,
    DiceTerm,
    Expression,
    Group,
    Negate,
    Number,
    Pick,
    Product,
    Sum,
    dice_terms,
    render,
)


def advantage(expression: Expression) -> Expression:
    """Throw the one plain d20 twice and keep the higher.

    Raises:
        DiceError: NO_PLAIN_D20 unless exactly one term is of d20s and that is a single die without `!` or keep.
    """
    return _twice(expression, Pick.KEEP_HIGHEST)


def disadvantage(expression: Expression) -> Expression:
    """Throw the one plain d20 twice and keep the lower; raises as `advantage` does."""
    return _twice(expression, Pick.KEEP_LOWEST)


def _twice(expression: Expression, pick: Pick) -> Expression:
    d20s = [term for term in dice_terms(expression) if term.sides == 20]
    if len(d20s) != 1:
        at = d20s[1].at if d20s else 0
        raise DiceError(DiceCode.NO_PLAIN_D20, f"Advantage needs one d20, here are {len(d20s)}.", at)
    d20 = d20s[0]
    if d20.count != 1 or d20.explode or d20.pick:
        raise DiceError(DiceCode.NO_PLAIN_D20, f"Advantage needs a plain d20, not {render(d20)}.", d20.at)
    return _rebuild(expression, lambda term: [replace(term, count=2, pick=pick, amount=1) if term is d20 else term])


def critical(expression: Expression) -> Expression:
    """Throw every dice term a second time, after all others, and add it; never fails.

    The result is a tree, not a text: it may be past the limits `parse` sets to what people write.
    """
    return _rebuild(expression, lambda term: [term, replace(term, wave=term.wave + 1)])


def _rebuild(node: Expression, change: Callable[[DiceTerm], list[DiceTerm]]) -> Expression:
    """Put the sum of `change(term)` in place of every dice term, in parentheses only where the tree needs them."""
    match node:
        case Number():
            return node
        case DiceTerm(at=at):
            first, *more = change(node)
            return Sum(first, tuple(("+", term) for term in more), at) if more else first
        case Group(inner, label, at):
            return Group(_rebuild(inner, change), label, at)
        case Negate(inner, at):
            return Negate(_grouped(_rebuild(inner, change)), at)
        case Product(first, rest, at):
            rebuilt = [(operator, _grouped(_rebuild(factor, change))) for operator, factor in rest]
            return Product(_grouped(_rebuild(first, change)), tuple(rebuilt), at)
        case Sum(first, rest, at):
            operands = list(_spliced("+", _rebuild(first, change)))
            for operator, operand in rest:
                operands += _spliced(operator, _rebuild(operand, change))
            return Sum(operands[0][1], tuple(operands[1:]), at)


def _grouped(node: Expression) -> Expression:
    return Group(node, at=node.at) if isinstance(node, Sum) else node


def _spliced(operator: str, node: Expression) -> Iterator[tuple[str, Expression]]:
    """Yield the parts of a sum that replaced one term, all under that term's sign."""
    parts = (node.first, *(part for _, part in node.rest)) if isinstance(node, Sum) else (node,)
    for part in parts:
        yield operator, part
