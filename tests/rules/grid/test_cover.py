"""Cover: rays against clipping in exact fractions, and the rules about what counts."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwright.model.vocabulary import Cover, ObstacleType, Size, words
from turnwright.rulesets.fifth_edition.space.grid.cover import (
    COVER_BONUS,
    Obstacle,
    Screen,
    Source,
    entered,
    is_entered,
    scenery,
    screen,
)
from turnwright.rulesets.fifth_edition.space.grid.space import Body, Square

SHRUNK = Fraction(1, 2) - Fraction(1, 10**9)
RANK: dict[Cover, int] = {"none": 0, "half": 1, "three_quarters": 2, "total": 3}
GIVES: dict[str, Cover] = {
    "wall": "total",
    "pillar": "total",
    "total_cover": "total",
    "three_quarters_cover": "three_quarters",
    "half_cover": "half",
}

STEPS = st.integers(-9, 9)
PLACES = st.integers(0, 6)
HEIGHTS = st.integers(0, 4)
SIZES: st.SearchStrategy[Size] = st.sampled_from(words(Size))
BODIES = st.builds(Body, st.builds(Square, PLACES, PLACES, HEIGHTS), SIZES)
POINTS = st.builds(Body, st.builds(Square, PLACES, PLACES, HEIGHTS), st.just("medium"))
OBSTACLES = st.builds(
    Obstacle, PLACES, PLACES, HEIGHTS, st.sampled_from(words(ObstacleType)), st.none() | st.integers(0, 25)
)
STANDING = st.lists(OBSTACLES, max_size=12)
CREATURES = st.lists(BODIES, max_size=4)


def clipped(x: int, y: int, dx: int, dy: int) -> tuple[Fraction, Fraction] | None:
    """Return the part of the segment to (dx, dy) that lies in the shrunken square at (x, y)."""
    first, last = Fraction(0), Fraction(1)
    for at, by in ((x, dx), (y, dy)):
        if not by:
            if abs(at) > SHRUNK:
                return None
            continue
        near, far = sorted(((at - SHRUNK) / by, (at + SHRUNK) / by))
        first, last = max(first, near), min(last, far)
    return (first, last) if first <= last else None


def crossing(start: Square, end: Square, obstacles: list[Obstacle]) -> list[Source]:
    """Return what a ray passes, by the rules told literally, as they are given."""
    dx, dy, dz = end.x - start.x, end.y - start.y, end.z - start.z
    found = []
    for x, y, z, kind, height in obstacles:
        if (x, y) == start[:2] or clipped(x - start.x, y - start.y, dx, dy) is None:
            continue
        along = (x - start.x) * dx + (y - start.y) * dy
        t = min(Fraction(1), max(Fraction(0), Fraction(along, dx * dx + dy * dy)))
        if height is None or start.z + t * dz <= Fraction(height) / 5:
            found.append(Source(kind, x, y, z, GIVES[kind]))
    return found


def greatest(sources: list[Source]) -> Cover:
    return max((source.cover for source in sources), key=RANK.__getitem__, default="none")


@given(STEPS, STEPS)
def test_a_ray_enters_the_squares_that_exact_clipping_finds_in_that_order(dx: int, dy: int) -> None:
    box = list(product(range(-10, 11), range(-10, 11)))
    expected = {xy: part for xy in box if (part := clipped(*xy, dx, dy)) is not None}
    found = list(entered(dx, dy))
    assert found == sorted(expected, key=lambda xy: expected[xy])
    assert {xy for xy in box if is_entered(*xy, dx, dy)} == set(expected)


@given(STEPS, STEPS)
def test_a_ray_enters_the_same_squares_on_its_way_back(dx: int, dy: int) -> None:
    assert {(x + dx, y + dy) for x, y in entered(-dx, -dy)} == set(entered(dx, dy))


@given(POINTS, POINTS, STANDING)
def test_cover_between_two_squares_is_the_greatest_of_what_the_ray_passes(
    a: Body, b: Body, obstacles: list[Obstacle]
) -> None:
    sources = crossing(a.at, b.at, obstacles)
    found = screen(a, b, scenery(obstacles))
    assert set(found.sources) == set(sources)
    assert len(found.sources) == len(set(sources))
    assert found.cover == greatest(sources)


@given(BODIES, BODIES, STANDING)
def test_between_large_bodies_the_ray_with_the_least_cover_counts(a: Body, b: Body, obstacles: list[Obstacle]) -> None:
    others = [obstacle for obstacle in obstacles if obstacle[:2] not in {square[:2] for square in a.squares}]
    rays = [crossing(start, end, others) for start, end in product(a.squares, b.squares)]
    covers = [greatest(ray) for ray in rays]
    least = min(covers, key=RANK.__getitem__)
    found = screen(a, b, scenery(obstacles))
    assert found.cover == least
    assert set(found.sources) == set(rays[covers.index(least)])


@given(BODIES, BODIES, STANDING, CREATURES, OBSTACLES)
def test_one_more_obstacle_never_lessens_cover(
    a: Body, b: Body, obstacles: list[Obstacle], creatures: list[Body], more: Obstacle
) -> None:
    before = screen(a, b, scenery(obstacles, creatures))
    after = screen(a, b, scenery([*obstacles, more], creatures))
    assert RANK[after.cover] >= RANK[before.cover]


@given(BODIES, BODIES, STANDING, CREATURES)
def test_the_order_in_which_things_are_told_decides_nothing_about_cover(
    a: Body, b: Body, obstacles: list[Obstacle], creatures: list[Body]
) -> None:
    found = screen(a, b, scenery(obstacles, creatures))
    again = screen(a, b, scenery(obstacles[::-1], creatures[::-1]))
    assert (found.cover, set(found.sources)) == (again.cover, set(again.sources))


@given(POINTS, POINTS, STANDING)
def test_few_things_far_apart_are_looked_at_one_by_one_with_the_same_result(
    a: Body, b: Body, obstacles: list[Obstacle]
) -> None:
    crowd = dict.fromkeys(product(range(50, 57), range(50, 57)), ())
    around = scenery(obstacles)
    assert screen(a, b, around) == screen(a, b, {**around, **crowd})


def test_a_ray_across_the_world_is_looked_at_at_once() -> None:
    far = 10**12
    view = screen(Body(Square(0, 0)), Body(Square(far, far)), scenery([Obstacle(far // 2, far // 2), Obstacle(1, 0)]))
    assert view.sources == (Source("wall", far // 2, far // 2, 0, "total"),)


A, B = Body(Square(0, 0)), Body(Square(6, 0))


def view(*obstacles: Obstacle, a: Body = A, b: Body = B, creatures: tuple[Body, ...] = ()) -> Screen:
    return screen(a, b, scenery(obstacles, creatures))


@pytest.mark.parametrize("kind", words(ObstacleType))
def test_each_kind_of_obstacle_gives_its_cover(kind: ObstacleType) -> None:
    found = view(Obstacle(3, 0, 0, kind))
    assert found.cover == GIVES[kind]
    assert found.is_clear == (GIVES[kind] != "total")
    assert found.bonus == {"half": 2, "three_quarters": 5, "total": None}[GIVES[kind]]


def test_no_cover_adds_nothing() -> None:
    assert view() == Screen("none", ())
    assert (view().bonus, view().blocked_by, view().is_clear) == (0, None, True)
    assert COVER_BONUS["none"] == 0


def test_sources_are_told_nearest_first_and_the_first_total_one_blocks() -> None:
    found = view(Obstacle(5, 0, 0, "pillar"), Obstacle(2, 0, 0, "half_cover"), Obstacle(4, 0, 1, "wall"))
    assert [source.x for source in found.sources] == [2, 4, 5]
    assert found.blocked_by == Source("wall", 4, 0, 1, "total")
    assert view(Obstacle(2, 0, 0, "half_cover")).blocked_by is None


def test_covers_do_not_add_up() -> None:
    found = view(*(Obstacle(x, 0, 0, "half_cover") for x in range(1, 6)))
    assert (found.cover, found.bonus, len(found.sources)) == ("half", 2, 5)


def test_what_stands_with_the_observer_never_counts_and_with_the_target_it_does() -> None:
    assert view(Obstacle(0, 0)).cover == "none"
    assert view(Obstacle(6, 0)).cover == "total"


def test_within_one_square_all_is_clear_at_any_height() -> None:
    assert view(Obstacle(0, 0), b=Body(Square(0, 0, 5))).cover == "none"


def test_slipping_past_a_corner_or_along_an_edge_is_not_passing() -> None:
    corner = [Obstacle(1, 0), Obstacle(0, 1)]
    assert view(*corner, b=Body(Square(1, 1))).cover == "none"
    assert view(Obstacle(1, 1), b=Body(Square(2, 2))).cover == "total"
    assert view(Obstacle(1, 1), b=Body(Square(1, 0))).cover == "none"
    assert view(Obstacle(3, 1), Obstacle(3, -1)).cover == "none"


def test_a_ray_between_two_rows_passes_squares_of_both() -> None:
    assert view(Obstacle(1, 0), b=Body(Square(2, 1))).cover == "total"
    assert view(Obstacle(1, 1), b=Body(Square(2, 1))).cover == "total"


@pytest.mark.parametrize(("height", "cover"), [(None, "total"), (9, "none"), (10, "total"), (11, "total"), (0, "none")])
def test_a_ray_passes_over_what_is_lower_than_it(height: int | None, cover: Cover) -> None:
    high = view(Obstacle(3, 0, 0, "wall", height), a=Body(Square(0, 0, 2)), b=Body(Square(6, 0, 2)))
    assert high.cover == cover


def test_height_is_taken_where_the_ray_passes() -> None:
    climb = Body(Square(6, 0, 6))
    assert [view(Obstacle(x, 0, 0, "wall", 20), b=climb).cover for x in range(1, 7)] == ["total"] * 4 + ["none"] * 2


def test_on_the_ground_even_the_lowest_obstacle_counts() -> None:
    assert view(Obstacle(3, 0, 0, "half_cover", 0)).cover == "half"


@pytest.mark.parametrize("size", words(Size))
def test_creatures_give_half_cover_but_tiny_ones_none(size: Size) -> None:
    found = view(creatures=(Body(Square(3, 0, 1), size),))
    assert found.sources == (() if size == "tiny" else (Source("creature", 3, 0, 1, "half"),))


def test_a_large_creature_covers_with_each_of_its_squares_and_is_told_once() -> None:
    assert view(creatures=(Body(Square(2, -2), "huge"),)).sources == (Source("creature", 2, -2, 0, "half"),)
    assert view(creatures=(Body(Square(2, -3), "huge"),)).cover == "none"


def test_a_creature_that_shares_a_square_with_the_observer_never_counts() -> None:
    assert view(creatures=(Body(Square(0, 0), "huge"),)).cover == "none"
    assert view(a=Body(Square(0, 0), "large"), creatures=(Body(Square(1, 0), "large"),)).cover == "none"
