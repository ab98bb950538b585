"""Distances: each mode against its formula, worked out in another way."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal, localcontext

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwright.model.vocabulary import DistanceMode, Size, words
from turnwright.rulesets.fifth_edition.space.grid.distance import Delta, between, gap, measure
from turnwright.rulesets.fifth_edition.space.grid.space import Body, Square

NEAR = st.integers(-12, 12)
SQUARES = st.builds(Square, NEAR, NEAR, NEAR)
POINTS = st.builds(Body, SQUARES, st.just("medium"))
BODIES = st.builds(Body, SQUARES, st.sampled_from(words(Size)))
MODES: st.SearchStrategy[DistanceMode] = st.sampled_from(words(DistanceMode))


def rounded(feet_a_square: int, squared: int) -> int:
    with localcontext(prec=80):
        return int((feet_a_square * Decimal(squared).sqrt()).to_integral_value(ROUND_HALF_UP))


def walked(dx: int, dy: int, dz: int) -> int:
    """Walk it: diagonals first, every second one 10 feet."""
    feet = diagonals = 0
    while dx or dy:
        diagonals += bool(dx and dy)
        feet += 10 if dx and dy and diagonals % 2 == 0 else 5
        dx, dy = max(0, dx - 1), max(0, dy - 1)
    return feet + 5 * dz


def expected(a: Square, b: Square, mode: DistanceMode) -> tuple[int, int]:
    delta = [abs(p - q) for p, q in zip(a, b, strict=True)]
    squared = sum(side * side for side in delta)
    if mode == "euclidean":
        return rounded(5, squared), rounded(1, squared)
    return (walked(*delta) if mode == "grid_alt" else 5 * max(delta)), max(delta)


@given(POINTS, POINTS, MODES)
def test_every_mode_follows_its_formula(a: Body, b: Body, mode: DistanceMode) -> None:
    found = measure(a, b, mode)
    assert (found.feet, found.squares) == expected(a.at, b.at, mode)
    assert found.mode == mode
    assert found.delta == tuple(abs(p - q) for p, q in zip(a.at, b.at, strict=True))


@given(BODIES, BODIES, MODES)
def test_bodies_are_as_far_apart_as_their_nearest_squares(a: Body, b: Body, mode: DistanceMode) -> None:
    pairs = [expected(p, q, mode) for p in a.squares for q in b.squares]
    found = measure(a, b, mode)
    assert (found.feet, found.squares) == (min(feet for feet, _ in pairs), min(squares for _, squares in pairs))
    assert between(a, b) == measure(a, b, "grid_5e").feet


@given(BODIES, BODIES, MODES, st.booleans())
def test_distance_is_the_same_both_ways(a: Body, b: Body, mode: DistanceMode, elevation: bool) -> None:
    assert measure(a, b, mode, elevation) == measure(b, a, mode, elevation)


@given(POINTS, POINTS, POINTS)
def test_a_detour_is_never_shorter_under_grid_5e(a: Body, b: Body, c: Body) -> None:
    assert between(a, c) <= between(a, b) + between(b, c)


@given(BODIES, BODIES, MODES)
def test_without_elevation_bodies_are_measured_on_the_ground(a: Body, b: Body, mode: DistanceMode) -> None:
    flat_a, flat_b = (body._replace(at=body.at._replace(z=0)) for body in (a, b))
    assert measure(a, b, mode, include_elevation=False) == measure(flat_a, flat_b, mode)


@pytest.mark.parametrize(
    ("delta", "euclidean", "grid_5e", "grid_alt"),
    [
        ((0, 0, 0), (0, 0), (0, 0), (0, 0)),
        ((1, 1, 0), (7, 1), (5, 1), (5, 1)),
        ((2, 2, 0), (14, 3), (10, 2), (15, 2)),
        ((3, 3, 0), (21, 4), (15, 3), (20, 3)),
        ((3, 4, 0), (25, 5), (20, 4), (25, 4)),
        ((1, 0, 6), (30, 6), (30, 6), (35, 6)),
        ((10, 4, 0), (54, 11), (50, 10), (60, 10)),
    ],
)
def test_worked_examples(
    delta: tuple[int, int, int], euclidean: tuple[int, int], grid_5e: tuple[int, int], grid_alt: tuple[int, int]
) -> None:
    a, b = Body(Square(2, 3, 1)), Body(Square(2 + delta[0], 3 - delta[1], 1 + delta[2]))
    assert measure(a, b, "euclidean")[:2] == euclidean
    assert measure(a, b, "grid_5e")[:2] == grid_5e
    assert measure(a, b, "grid_alt")[:2] == grid_alt


def test_creatures_side_by_side_are_5_feet_apart_whatever_their_sizes() -> None:
    dragon = Body(Square(10, 10), "gargantuan")
    assert [between(dragon, Body(Square(*at))) for at in ((14, 10), (14, 14), (9, 9), (13, 13), (15, 9))] == [
        5,
        5,
        5,
        0,
        10,
    ]


def test_a_range_is_not_rounded_to() -> None:
    assert gap(Body(Square(0, 0)), Body(Square(1, 1))) == Delta(1, 1, 0)
    assert [Delta(1, 1, 0).is_within(feet) for feet in (-10, 0, 7, 7.08, 8)] == [False, False, False, True, True]
    assert Delta(3, 4, 0).is_within(25)
    assert Delta(0, 0, 0).is_within(0)


def test_vast_distances_are_exact() -> None:
    far = 10**30
    assert measure(Body(Square(0, 0)), Body(Square(3 * far, 4 * far))).feet == 25 * far
