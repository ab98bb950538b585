"""Edit distance against the textbook recursion and by walking from word to word."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwright.model.edit_distance import edit_distance

WORDS = st.text("abc", max_size=7)


@cache
def by_recursion(left: str, right: str) -> int:
    if not left or not right:
        return len(left) + len(right)
    if left[0] == right[0]:
        return by_recursion(left[1:], right[1:])
    return 1 + min(by_recursion(left[1:], right), by_recursion(left, right[1:]), by_recursion(left[1:], right[1:]))


def one_edit_away(word: str) -> set[str]:
    cuts = [(word[:place], word[place:]) for place in range(len(word) + 1)]
    inserted = {head + letter + tail for head, tail in cuts for letter in "ab"}
    deleted = {head + tail[1:] for head, tail in cuts if tail}
    replaced = {head + letter + tail[1:] for head, tail in cuts if tail for letter in "ab"}
    return inserted | deleted | replaced


@pytest.mark.parametrize(
    ("left", "right", "edits"),
    [
        ("", "", 0),
        ("str", "str", 0),
        ("kitten", "sitting", 3),
        ("lnog", "long", 2),
        ("shrt", "short", 1),
        ("wisdm", "wis", 2),
        ("", "pc", 2),
        ("flaw", "lawn", 2),
    ],
)
def test_known_distances(left: str, right: str, edits: int) -> None:
    assert edit_distance(left, right, 9) == edits
    assert edit_distance(left, right, edits) == edits


@given(WORDS, WORDS, st.integers(0, 8))
def test_it_is_the_distance_of_the_textbook_or_none_beyond_the_bound(left: str, right: str, most: int) -> None:
    wanted = by_recursion(left, right)
    assert edit_distance(left, right, most) == (wanted if wanted <= most else None)


@given(st.text("ab", max_size=5))
def test_it_is_the_number_of_single_edits_that_lead_there(word: str) -> None:
    reached, edge = {word: 0}, {word}
    for edits in (1, 2):
        edge = {new for old in edge for new in one_edit_away(old)} - reached.keys()
        reached |= dict.fromkeys(edge, edits)
    assert {other: edit_distance(word, other, 2) for other in reached} == reached


@given(WORDS, WORDS, WORDS)
def test_it_is_a_metric(first: str, second: str, third: str) -> None:
    there, back = edit_distance(first, second, 20), edit_distance(second, first, 20)
    onward, all_the_way = edit_distance(second, third, 20), edit_distance(first, third, 20)
    assert there is not None
    assert there == back
    assert (there == 0) == (first == second)
    assert onward is not None
    assert all_the_way is not None
    assert all_the_way <= there + onward


def test_a_text_far_too_long_is_not_looked_at() -> None:
    assert edit_distance("a" * 10_000_000, "abc", 3) is None
