"""Outcomes written beforehand: what is wrong with them, and which die each belongs to."""

from __future__ import annotations

from itertools import permutations
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwright.rulesets.scenes.outcomes import Fault, aligned, fault, lints


class Made(NamedTuple):
    die_value: int
    narrative: str = "The rope holds."
    hint: str = "over the wall"
    stress_cost: int = 0
    heat_cost: int = 0
    coin_delta: int = 0


def made(*faces: int) -> list[Made]:
    return [Made(face, f"Future {place}.") for place, face in enumerate(faces)]


def only(**given: Any) -> Fault | None:
    """Return what is wrong with one outcome for a pool of one 3."""
    return fault([3], [Made(**{"die_value": 3} | given)])


def found(result: Fault | None) -> tuple[str, str, Any, list[Any]]:
    assert result is not None
    assert result.detail
    return result.reason, result.field, result.got, result.choices


BAD_TEXTS = st.sampled_from(["", " \t\n", "x" * 81, "y" * 601, "   padded   ", "A.", "B."])
GOOD_TEXTS = st.text("abc", min_size=3, max_size=9)
TEXTS = st.one_of(GOOD_TEXTS, GOOD_TEXTS, BAD_TEXTS)
POOLS = st.lists(st.integers(1, 6), max_size=6)


def outcomes_for(faces: st.SearchStrategy[int], costs: st.SearchStrategy[int]) -> st.SearchStrategy[Made]:
    return st.builds(Made, faces, TEXTS, TEXTS, costs, costs, costs)


FAULTS = ("outcome_count_mismatch", "outcome_die_not_in_pool", "outcome_cost_range", "outcome_text")
"""In the order in which they are looked for."""


@st.composite
def drafts(draw: st.DrawFn) -> tuple[list[int], list[Made]]:
    """Make a pool with outcomes that mostly fit it, and are spoilt in some places."""
    pool = draw(POOLS)
    costs = draw(st.sampled_from([st.integers(-1, 3), st.integers(-6, 10)]))
    outcomes = [draw(outcomes_for(st.just(face), costs)) for face in draw(st.permutations(pool))]
    if draw(st.booleans()):
        outcomes += draw(st.lists(outcomes_for(st.integers(-1, 8), costs), max_size=2))
    if outcomes and draw(st.integers(0, 3)) == 0:
        outcomes.pop(draw(st.integers(0, len(outcomes) - 1)))
    return pool, outcomes


def by_the_letter(pool: list[int], outcomes: list[Made]) -> str | None:
    """Read the rules one after the other, as slowly as can be."""
    if len(outcomes) != len(pool):
        return "outcome_count_mismatch"
    if not any([each.die_value for each in order] == pool for order in permutations(outcomes)):
        return "outcome_die_not_in_pool"
    for each in outcomes:
        if each.stress_cost not in range(-3, 5) or each.heat_cost not in range(-1, 4):
            return "outcome_cost_range"
        if each.coin_delta not in range(-4, 9):
            return "outcome_cost_range"
    hints, narratives = [each.hint.strip() for each in outcomes], [each.narrative.strip() for each in outcomes]
    if "" in hints or "" in narratives or len(set(narratives)) < len(narratives):
        return "outcome_text"
    return "outcome_text" if any(len(t) > 80 for t in hints) or any(len(t) > 600 for t in narratives) else None


@given(drafts())
def test_the_reason_is_that_of_the_first_rule_that_is_broken(draft: tuple[list[int], list[Made]]) -> None:
    pool, outcomes = draft
    wrong = fault(pool, outcomes)
    assert (wrong and wrong.reason) == by_the_letter(pool, outcomes)


@given(POOLS.flatmap(lambda pool: st.tuples(st.just(pool), st.permutations(pool))))
def test_aligning_binds_equal_faces_in_the_order_in_which_they_come(case: tuple[list[int], list[int]]) -> None:
    pool, faces = case
    outcomes = made(*faces)
    bound = aligned(pool, outcomes)
    assert [each.die_value for each in bound] == pool
    assert sorted(bound) == sorted(outcomes)
    for face in pool:
        assert [o for o in bound if o.die_value == face] == [o for o in outcomes if o.die_value == face]


@given(POOLS)
def test_outcomes_in_the_order_of_the_pool_stay_where_they_are(pool: list[int]) -> None:
    assert [*aligned(pool, made(*pool))] == made(*pool)


@pytest.mark.parametrize(("pool", "faces"), [([2, 6, 6], (6,)), ([2, 6], (4, 6, 6, 2))])
def test_for_too_few_or_too_many_outcomes_none_are_made_up(pool: list[int], faces: tuple[int, ...]) -> None:
    assert found(fault(pool, made(*faces))) == ("outcome_count_mismatch", "outcomes", [*faces], [])


def test_a_count_that_does_not_fit_is_told_before_anything_else() -> None:
    assert found(fault([], [Made(9, "", stress_cost=99)]))[0] == "outcome_count_mismatch"


@pytest.mark.parametrize(
    ("pool", "faces", "field", "choices"),
    [
        ([2, 4, 6], (2, 2, 6), "outcomes.1.die_value", [4]),
        ([1, 4, 5], (3, 3, 5), "outcomes.0.die_value", [4, 1]),
        ([5, 5], (5, 7), "outcomes.1.die_value", [5]),
        ([2, 4], (3, 4), "outcomes.0.die_value", [2]),
        ([2, 4], (3, 3), "outcomes.0.die_value", [2, 4]),
    ],
)
def test_for_a_face_without_die_those_are_named_that_have_no_outcome(
    pool: list[int], faces: tuple[int, ...], field: str, choices: list[int]
) -> None:
    place = int(field.split(".")[1])
    assert found(fault(pool, made(*faces))) == ("outcome_die_not_in_pool", field, faces[place], choices)


@pytest.mark.parametrize(
    ("field", "low", "high"), [("stress_cost", -3, 4), ("heat_cost", -1, 3), ("coin_delta", -4, 8)]
)
def test_a_cost_has_a_lowest_and_a_highest_value(field: str, low: int, high: int) -> None:
    assert only(**{field: low}) is None
    assert only(**{field: high}) is None
    assert found(only(**{field: low - 1})) == ("outcome_cost_range", f"outcomes.0.{field}", low - 1, [])
    assert found(only(**{field: high + 1})) == ("outcome_cost_range", f"outcomes.0.{field}", high + 1, [])


def test_costs_are_looked_at_outcome_by_outcome_and_before_texts() -> None:
    outcomes = [Made(1, "", coin_delta=9), Made(2, "B", stress_cost=5)]
    assert found(fault([1, 2], outcomes))[1] == "outcomes.0.coin_delta"


@pytest.mark.parametrize(("field", "most"), [("hint", 80), ("narrative", 600)])
def test_a_text_has_one_to_so_many_characters_without_the_blanks_around_it(field: str, most: int) -> None:
    assert only(**{field: "a"}) is None
    assert only(**{field: f"   {'a' * most}\n"}) is None
    start = "a" * (most - 3)
    words = f"{start} tail "
    assert found(only(**{field: words})) == ("outcome_text", f"outcomes.0.{field}", words, [])
    assert found(only(**{field: "a" * (most + 1)}))[3] == []


def test_an_empty_text_is_made_up_by_nobody() -> None:
    assert found(only(hint="  ")) == ("outcome_text", "outcomes.0.hint", "  ", [])
    assert found(only(narrative="")) == ("outcome_text", "outcomes.0.narrative", "", [])


def test_two_dice_never_have_the_same_future() -> None:
    outcomes = [Made(4, "It holds."), Made(4, "It holds. (2)"), Made(5, "  It holds. ")]
    assert found(fault([4, 4, 5], outcomes)) == (
        "outcome_text",
        "outcomes.2.narrative",
        "  It holds. ",
        [],
    )
    assert fault([4, 5], [Made(4, "It holds."), Made(5, "It Holds.")]) is None


@pytest.mark.parametrize(
    ("outcomes", "expected"),
    [
        ([Made(2, stress_cost=2, heat_cost=1), Made(6)], ()),
        ([Made(2, stress_cost=2), Made(6, heat_cost=2)], ()),
        ([Made(6, stress_cost=1, heat_cost=2), Made(2, stress_cost=2)], ("lint_outcome_inverted",)),
        ([Made(4, stress_cost=2), Made(4)], ()),
        ([Made(1, coin_delta=5), Made(6, coin_delta=-4)], ()),
        ([Made(1, hint="two words")], ("lint_hint_length",)),
        ([Made(1, hint="  now it is three "), Made(2, hint="a b c d e f g h")], ()),
        ([Made(1, hint="a b c d e f g h i")], ("lint_hint_length",)),
        (
            [Made(1, hint="x"), Made(2, hint="y", stress_cost=1), Made(3, stress_cost=2)],
            ("lint_outcome_inverted", "lint_hint_length"),
        ),
        ([], ()),
    ],
)
def test_what_could_be_better_is_said_once(outcomes: list[Made], expected: tuple[str, ...]) -> None:
    assert lints(outcomes) == expected
