"""Squares, bodies and grids."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwright.model.vocabulary import Size, words
from turnwright.rulesets.fifth_edition.space.grid.space import SIDE, Body, Grid, Square, parse_key, render_key

SIZES: st.SearchStrategy[Size] = st.sampled_from(words(Size))


def test_large_huge_and_gargantuan_creatures_fill_more_than_one_square() -> None:
    assert SIDE == {"tiny": 1, "small": 1, "medium": 1, "large": 2, "huge": 3, "gargantuan": 4}


def test_the_position_of_a_body_is_its_square_with_the_smallest_x_and_y() -> None:
    assert Body(Square(3, 4, 2), "large").squares == ((3, 4, 2), (4, 4, 2), (3, 5, 2), (4, 5, 2))
    assert Body(Square(3, 4)).squares == ((3, 4, 0),)


@given(st.integers(5, 9), st.integers(5, 9), st.integers(-3, 11), st.integers(-3, 11), SIZES)
def test_a_grid_has_a_body_when_it_has_all_its_squares(width: int, height: int, x: int, y: int, size: Size) -> None:
    body = Body(Square(x, y, 7), size)
    assert Grid(width, height).has(body) == all(i in range(width) and j in range(height) for i, j, _ in body.squares)


@given(st.integers(5, 9), st.integers(5, 9), st.integers(-3, 11), st.integers(-3, 11), SIZES)
def test_a_body_over_the_edge_has_a_nearest_place_inside(width: int, height: int, x: int, y: int, size: Size) -> None:
    grid, body = Grid(width, height), Body(Square(x, y, 7), size)
    there = grid.nearest(body)
    assert grid.has(body._replace(at=there))
    apart = (abs(there.x - x), abs(there.y - y))
    inside = [(i, j) for i in range(width) for j in range(height) if grid.has(Body(Square(i, j), size))]
    assert (there.z, apart) == (7, (min(abs(i - x) for i, _ in inside), min(abs(j - y) for _, j in inside)))


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_parsing_a_rendered_key_is_the_identity(x: int, y: int) -> None:
    assert parse_key(render_key(x, y)) == (x, y)


@pytest.mark.parametrize(
    "text", ["", "1", "1,", ",1", "1, 2", " 1,2", "1,2 ", "1,2\n", "-1,2", "+1,2", "1,2,3", "1.0,2", "1;2", "٣,4"]
)
def test_what_is_not_two_plain_numbers_is_no_key(text: str) -> None:
    with pytest.raises(ValueError, match="not a square"):
        parse_key(text)
