"""Advantage and disadvantage from any number of sources."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwright.rulesets.fifth_edition.fights.advantage import Mode, Sources, d20_count, pick_d20

NAMES = st.lists(st.sampled_from(["prone", "blinded", "hidden", "argument"]), max_size=4)
FACES = st.integers(1, 20)


@pytest.mark.parametrize(
    ("advantage", "disadvantage", "mode"),
    [
        (0, 0, "normal"),
        (1, 0, "advantage"),
        (3, 0, "advantage"),
        (0, 1, "disadvantage"),
        (0, 3, "disadvantage"),
        (1, 1, "cancelled"),
        (3, 1, "cancelled"),
        (1, 3, "cancelled"),
    ],
)
def test_how_many_there_are_of_each_does_not_matter(advantage: int, disadvantage: int, mode: str) -> None:
    reasons = ("a", "b", "c")
    assert Sources(reasons[:advantage], reasons[:disadvantage]).mode == mode


@given(st.lists(st.tuples(NAMES, NAMES), max_size=4))
def test_together_they_are_everything_each_said_once_and_in_order(parts: list[tuple[list[str], list[str]]]) -> None:
    whole = sum((Sources(tuple(good), tuple(bad)) for good, bad in parts), Sources())
    good = [name for names, _ in parts for name in names]
    bad = [name for _, names in parts for name in names]
    assert list(whole.advantage) == sorted(set(good), key=good.index)
    assert list(whole.disadvantage) == sorted(set(bad), key=bad.index)
    assert (whole.mode == "cancelled") == (bool(good) and bool(bad))


@pytest.mark.parametrize(("mode", "count"), [("normal", 1), ("cancelled", 1), ("advantage", 2), ("disadvantage", 2)])
def test_two_dice_are_thrown_only_where_both_can_count(mode: Mode, count: int) -> None:
    assert d20_count(mode) == count


@given(FACES, FACES)
def test_the_better_the_worse_or_the_first_counts(first: int, second: int) -> None:
    better, worse = (first, second) if first > second else (second, first)
    assert pick_d20("advantage", [first, second]) == better
    assert pick_d20("disadvantage", [first, second]) == worse
    assert pick_d20("normal", [first, second]) == pick_d20("cancelled", [first, second]) == first


@given(FACES, st.sampled_from(["normal", "advantage", "disadvantage", "cancelled"]))
def test_a_single_face_counts_in_every_mode(face: int, mode: Mode) -> None:
    assert pick_d20(mode, [face]) == face
