"""Expressions taken apart by the labels of their terms."""

from __future__ import annotations

from itertools import count

import pytest

from turnwright.model.dice.expression import DiceCode, DiceError, critical, parse, render, roll, split_by_label

KINDS = ("slashing", "fire", "cold")


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("1d8[slashing]+2d6[fire]", [("slashing", "1d8[slashing]"), ("fire", "2d6[fire]")]),
        ("2d6[fire]+3", [("fire", "2d6[fire]"), ("", "3")]),
        ("1d8[slashing]+1d4[fire]+2[slashing]", [("slashing", "1d8[slashing]+2[slashing]"), ("fire", "1d4[fire]")]),
        ("1d8[blade]-1d4[cold]", [("", "1d8[blade]"), ("cold", "-1d4[cold]")]),
        ("(1d8+2)[fire]*2", [("fire", "(1d8+2)[fire]*2")]),
        ("-(1d4[fire]-2d6[cold])", [("fire", "-1d4[fire]"), ("cold", "2d6[cold]")]),
    ],
)
def test_a_sum_is_taken_apart_and_the_parts_add_up(text: str, parts: list[tuple[str, str]]) -> None:
    tree = parse(text)
    assert [(label, render(part)) for label, part in split_by_label(tree, KINDS)] == parts
    for thrown in (tree, critical(tree)):
        faces = count(1)
        fallen = roll(thrown, lambda sides, faces=faces: 1 + next(faces) % sides)  # type: ignore[misc]
        assert sum(part.total for _, part in fallen.split(KINDS, "")) == fallen.total


@pytest.mark.parametrize("text", ["(1d8[slashing]+2d6[fire])*2", "(1d8+1d6[fire])[cold]"])
def test_what_is_rounded_together_cannot_be_taken_apart(text: str) -> None:
    with pytest.raises(DiceError) as caught:
        split_by_label(parse(text), KINDS)
    assert caught.value.code is DiceCode.MIXED_LABELS
