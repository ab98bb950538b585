"""Areas: every cell of a box judged by the formulas in whole numbers, and what must hold of any area."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from itertools import product

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from turnwright.rulesets.fifth_edition.space.grid.areas import cone, cube, cylinder, line, sphere
from turnwright.rulesets.fifth_edition.space.grid.space import Grid, Square
from turnwright.rulesets.fifth_edition.space.grid.spans import Area

Offset = tuple[int, int, int]
FEET = st.integers(1, 32)
LENGTHS = st.integers(1, 55)
ORIGINS = st.builds(Square, st.integers(-9, 9), st.integers(-9, 9), st.integers(-3, 3))
DIRECTIONS = st.tuples(st.integers(-9, 9), st.integers(-9, 9)).filter(any)
WISHES = st.sampled_from([None, True, False])
ORIGIN = Square(0, 0)


def judged(
    origin: Square, inside: Callable[[int, int, int], bool], with_origin: bool, side: int, heights: Iterable[int] = (0,)
) -> set[Offset]:
    """Return the cells of a box around the origin that are inside, the origin's own by its rule."""
    box = product(range(-side, side + 1), range(-side, side + 1), heights)
    found = {(x + origin.x, y + origin.y, z + origin.z) for x, y, z in box if inside(x, y, z)}
    own = {(origin.x, origin.y, origin.z)}
    return found | own if with_origin else found - own


def at_most(whole: int, feet: int, squared: int) -> bool:
    """Return whether whole <= feet * sqrt(squared), in whole numbers."""
    return whole <= 0 or whole**2 <= feet**2 * squared


def below(whole: int, feet: int, squared: int) -> bool:
    """Return whether whole < feet * sqrt(squared)."""
    return whole <= 0 or whole**2 < feet**2 * squared


@given(ORIGINS, FEET, WISHES)
def test_a_sphere_holds_the_centres_within_its_radius(origin: Square, radius: int, wish: bool | None) -> None:
    def inside(x: int, y: int, z: int) -> bool:
        return 25 * (x * x + y * y + z * z) <= radius**2

    expected = judged(origin, inside, wish is not False, 7, range(-7, 8))
    assert set(sphere(origin, radius, wish).tiles()) == expected


@given(ORIGINS, FEET, st.integers(1, 23), WISHES)
def test_a_cylinder_is_a_disc_that_goes_up(origin: Square, radius: int, height: int, wish: bool | None) -> None:
    def inside(x: int, y: int, z: int) -> bool:
        return 25 * (x * x + y * y) <= radius**2 and 0 <= z < math.ceil(height / 5)

    expected = judged(origin, inside, wish is not False, 7, range(-2, 6))
    assert set(cylinder(origin, radius, height, wish).tiles()) == expected


@given(ORIGINS, FEET, WISHES)
def test_a_cube_without_direction_lies_around_its_origin(origin: Square, side: int, wish: bool | None) -> None:
    n = math.ceil(side / 5)

    def inside(*offset: int) -> bool:
        return all(-(n // 2) <= value <= -(n // 2) + n - 1 for value in offset)

    expected = judged(origin, inside, wish is not False, 7, range(-7, 8))
    assert set(cube(origin, side, include_origin=wish).tiles()) == expected


@given(ORIGINS, FEET, DIRECTIONS, WISHES)
def test_a_cube_with_a_direction_begins_beside_its_origin(
    origin: Square, side: int, direction: tuple[int, int], wish: bool | None
) -> None:
    n, (ux, uy) = math.ceil(side / 5), direction

    def inside(x: int, y: int, z: int) -> bool:
        along, across = (x * ux, y) if abs(ux) >= abs(uy) else (y * uy, x)
        depth = abs(x) if abs(ux) >= abs(uy) else abs(y)
        beside = -math.floor((n - 1) / 2) <= across <= math.ceil((n - 1) / 2)
        return along > 0 and depth <= n and beside and 0 <= z < n

    expected = judged(origin, inside, wish is True, 8, range(-1, 9))
    assert set(cube(origin, side, direction, wish).tiles()) == expected


@given(ORIGINS, LENGTHS, DIRECTIONS, WISHES)
@example(ORIGIN, 55, (2, 1), None)
def test_a_cone_is_as_wide_as_it_is_long(
    origin: Square, length: int, direction: tuple[int, int], wish: bool | None
) -> None:
    ux, uy = direction

    def inside(x: int, y: int, z: int) -> bool:
        along, across = x * ux + y * uy, y * ux - x * uy
        return along > 0 and at_most(5 * along, length, ux * ux + uy * uy) and 2 * abs(across) <= along

    expected = judged(origin, inside, wish is True, 13)
    assert set(cone(origin, length, direction, wish).tiles()) == expected


@given(ORIGINS, LENGTHS, st.integers(1, 31), DIRECTIONS, WISHES)
@example(ORIGIN, 5, 30, (1, 0), None)
def test_a_line_is_a_band_that_is_open_on_one_side(
    origin: Square, length: int, width: int, direction: tuple[int, int], wish: bool | None
) -> None:
    ux, uy = direction
    squared = ux * ux + uy * uy

    def inside(x: int, y: int, z: int) -> bool:
        along, across = x * ux + y * uy, y * ux - x * uy
        in_width = at_most(10 * across, width, squared) and below(-10 * across, width, squared)
        return along > 0 and at_most(5 * along, length, squared) and in_width

    expected = judged(origin, inside, wish is True, 13)
    assert set(line(origin, length, width, direction, wish).tiles()) == expected


@st.composite
def areas(draw: st.DrawFn) -> Area:
    origin, feet, direction, wish = draw(ORIGINS), draw(FEET), draw(DIRECTIONS), draw(WISHES)
    return draw(
        st.sampled_from(
            [
                sphere(origin, feet, wish),
                cylinder(origin, feet, feet / 2, wish),
                cube(origin, feet, None, wish),
                cube(origin, feet, direction, wish),
                cone(origin, feet, direction, wish),
                line(origin, feet, feet / 3, direction, wish),
            ]
        )
    )


@given(areas())
def test_tiles_are_sorted_by_height_then_row_and_each_is_there_once(area: Area) -> None:
    tiles = area.tiles()
    assert tiles == sorted(set(tiles), key=lambda tile: tile[::-1])
    assert area.tile_count == len(tiles)
    assert area.footprint() == [(x, y) for x, y, z in tiles if z == area.origin.z]


@given(areas(), ORIGINS)
def test_a_square_is_covered_when_it_is_a_tile(area: Area, near: Square) -> None:
    tiles = set(area.tiles())
    around = [Square(near.x + i, near.y + j, near.z) for i, j in product(range(-4, 5), range(-4, 5))]
    assert [area.covers(square) for square in around] == [tuple(square) in tiles for square in around]


@given(areas(), st.integers(5, 8), st.integers(5, 8))
def test_within_a_grid_only_its_squares_remain(area: Area, width: int, height: int) -> None:
    kept = [tile for tile in area.tiles() if tile[0] in range(width) and tile[1] in range(height)]
    assert area.within(Grid(width, height)).tiles() == kept


def turned(tiles: Iterable[Offset]) -> set[Offset]:
    return {(-y, x, z) for x, y, z in tiles}


def mirrored(tiles: Iterable[Offset]) -> set[Offset]:
    return {(x, -y, z) for x, y, z in tiles}


@given(LENGTHS, st.integers(1, 31), DIRECTIONS)
def test_a_quarter_turn_of_the_direction_turns_the_area(length: int, width: int, direction: tuple[int, int]) -> None:
    x, y = direction
    assert set(cone(ORIGIN, length, (-y, x)).tiles()) == turned(cone(ORIGIN, length, (x, y)).tiles())
    assert set(line(ORIGIN, length, width, (-y, x)).tiles()) == turned(line(ORIGIN, length, width, (x, y)).tiles())


@given(LENGTHS, DIRECTIONS, FEET)
def test_cones_spheres_and_cylinders_look_the_same_in_a_mirror(
    length: int, direction: tuple[int, int], radius: int
) -> None:
    x, y = direction
    assert set(cone(ORIGIN, length, (x, -y)).tiles()) == mirrored(cone(ORIGIN, length, (x, y)).tiles())
    assert (
        set(sphere(ORIGIN, radius).tiles())
        == mirrored(sphere(ORIGIN, radius).tiles())
        == turned(sphere(ORIGIN, radius).tiles())
    )
    disc = cylinder(ORIGIN, radius, 5).tiles()
    assert set(disc) == mirrored(disc) == turned(disc)


@given(LENGTHS, FEET, DIRECTIONS, st.sampled_from([2, 10**400, 0.1, 1 / 3, 1e-300, 1e300]))
def test_only_where_a_direction_points_matters(
    length: int, width: int, direction: tuple[int, int], times: float
) -> None:
    x, y = direction
    longer = (x * times, y * times)
    assert cone(ORIGIN, length, longer) == cone(ORIGIN, length, direction)
    assert line(ORIGIN, length, width, longer) == line(ORIGIN, length, width, direction)


@pytest.mark.parametrize("eighth", range(8))
def test_a_direction_from_an_angle_means_the_grid_direction_next_to_it(eighth: int) -> None:
    angle = eighth * math.pi / 4
    about = (math.cos(angle), math.sin(angle))
    exact = (round(about[0]), round(about[1]))
    assert cone(ORIGIN, 60, about) == cone(ORIGIN, 60, exact)
    assert line(ORIGIN, 60, 10, about) == line(ORIGIN, 60, 10, exact)


@given(LENGTHS, LENGTHS, DIRECTIONS)
def test_a_longer_cone_holds_the_shorter_one(a: int, b: int, direction: tuple[int, int]) -> None:
    short, long = sorted((a, b))
    assert set(cone(ORIGIN, short, direction).tiles()) <= set(cone(ORIGIN, long, direction).tiles())


def drawn(area: Area) -> list[str]:
    tiles = area.footprint()
    xs, ys = [x for x, _ in tiles], [y for _, y in tiles]
    rows = range(min(ys), max(ys) + 1)
    return ["".join("#" if (x, y) in tiles else "." for x in range(min(xs), max(xs) + 1)) for y in rows]


def test_a_15_foot_cone_is_one_then_three_squares_wide() -> None:
    assert drawn(cone(ORIGIN, 15)) == [".##", "###", ".##"]


def test_a_15_foot_cone_towards_a_corner() -> None:
    assert cone(ORIGIN, 15, (1, 1)).footprint() == [(1, 1), (2, 1), (3, 1), (1, 2), (2, 2), (1, 3)]


def test_a_10_foot_line_is_two_squares_wide() -> None:
    assert line(ORIGIN, 15, 10).footprint() == [(1, 0), (2, 0), (3, 0), (1, 1), (2, 1), (3, 1)]
    assert line(ORIGIN, 15, 5).footprint() == [(1, 0), (2, 0), (3, 0)]


def test_a_line_towards_a_corner_is_as_long_as_one_along_a_row() -> None:
    assert line(ORIGIN, 30, 5, (1, 1)).footprint() == [(n, n) for n in range(1, 5)]


def test_a_20_foot_sphere_has_the_usual_shape() -> None:
    assert drawn(sphere(ORIGIN, 20)) == [
        "....#....",
        "..#####..",
        ".#######.",
        ".#######.",
        "#########",
        ".#######.",
        ".#######.",
        "..#####..",
        "....#....",
    ]


def test_a_cylinder_of_seven_feet_is_two_squares_high() -> None:
    assert cylinder(Square(1, 1, 3), 1, 7).tiles() == [(1, 1, 3), (1, 1, 4)]


def test_a_cube_without_direction_and_with_an_even_side_leans_to_the_smaller_side() -> None:
    assert cube(ORIGIN, 10).footprint() == [(-1, -1), (0, -1), (-1, 0), (0, 0)]


@pytest.mark.parametrize(
    ("direction", "footprint"),
    [
        ((1, 1), [(1, 0), (2, 0), (1, 1), (2, 1)]),
        ((-3, 2), [(-2, 0), (-1, 0), (-2, 1), (-1, 1)]),
        ((1, -2), [(0, -2), (1, -2), (0, -1), (1, -1)]),
    ],
)
def test_a_cube_with_a_direction_takes_the_axis_that_dominates(
    direction: tuple[int, int], footprint: list[tuple[int, int]]
) -> None:
    assert cube(ORIGIN, 10, direction).footprint() == footprint


def test_by_default_only_areas_around_their_origin_cover_it() -> None:
    around = [sphere(ORIGIN, 1), cylinder(ORIGIN, 1, 1), cube(ORIGIN, 1)]
    away = [cone(ORIGIN, 15), line(ORIGIN, 15), cube(ORIGIN, 15, (1, 0))]
    assert [area.covers(ORIGIN) for area in around + away] == [True] * 3 + [False] * 3


def test_the_origin_is_covered_as_it_is_wished_whatever_the_shape() -> None:
    makers: list[Callable[[bool], Area]] = [
        lambda wish: sphere(ORIGIN, 10, wish),
        lambda wish: cylinder(ORIGIN, 10, 10, wish),
        lambda wish: cube(ORIGIN, 15, None, wish),
        lambda wish: cube(ORIGIN, 15, (0, -1), wish),
        lambda wish: cone(ORIGIN, 15, (0, -1), wish),
        lambda wish: line(ORIGIN, 15, 5, (0, -1), wish),
    ]
    for make in makers:
        assert set(make(True).tiles()) - set(make(False).tiles()) == {(0, 0, 0)}
        assert make(False).tile_count == make(True).tile_count - 1


def test_an_area_may_be_empty() -> None:
    assert cone(ORIGIN, 4).tiles() == []
    assert cube(ORIGIN, 5, include_origin=False).tiles() == []


@pytest.mark.parametrize("make", [cone, cube, line])
def test_a_direction_must_point_somewhere(make: Callable[..., Area]) -> None:
    with pytest.raises(ValueError, match="somewhere"):
        make(ORIGIN, 15, direction=(0, 0))
