"""Cover from corners: what the rules say of halves and quarters, against lines in exact fractions."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwright.model.vocabulary import Cover, ObstacleType, Size, words
from turnwright.rulesets.fifth_edition.space.grid.corners import screen_from_corners
from turnwright.rulesets.fifth_edition.space.grid.cover import Obstacle, Screen, scenery, screen
from turnwright.rulesets.fifth_edition.space.grid.space import Body, Square

RANK: dict[Cover, int] = {"none": 0, "half": 1, "three_quarters": 2, "total": 3}
PLACES = st.integers(0, 7)
BODIES = st.builds(Body, st.builds(Square, PLACES, PLACES), st.sampled_from(words(Size)))
SMALL = st.builds(Body, st.builds(Square, PLACES, PLACES), st.just("medium"))
KINDS = st.sampled_from(words(ObstacleType))
STANDING = st.lists(st.builds(Obstacle, PLACES, PLACES, st.just(0), KINDS), max_size=14)


def at(x: int, y: int, size: Size = "medium", z: int = 0) -> Body:
    return Body(Square(x, y, z), size)


def looked(observer: Body, target: Body, *things: Obstacle, creatures: tuple[Body, ...] = ()) -> Screen:
    return screen_from_corners(observer, target, scenery(things, creatures))


def walls(*squares: tuple[int, int], kind: ObstacleType = "wall") -> list[Obstacle]:
    return [Obstacle(x, y, 0, kind) for x, y in squares]


@pytest.mark.parametrize(
    ("squares", "cover"),
    [
        ([], "none"),
        ([(3, 3)], "half"),  # a pillar between, in one row
        ([(3, 2), (3, 3)], "half"),  # from the lower corners, the lower half is seen
        ([(3, 2), (3, 3), (3, 4)], "total"),
        ([(3, 2), (3, 4)], "none"),  # through a gap as wide as the target
        ([(3, 2)], "none"),
        ([(9, 3)], "none"),  # behind the target
        ([(0, 3)], "none"),  # behind the observer
        ([(1, 2), (1, 4)], "none"),  # out of a corridor
        ([(2, 3)], "half"),  # round a corner
        ([(5, 3)], "half"),  # close to the target
        ([(x, y) for x in (2, 4) for y in range(3)] + [(x, y) for x in (2, 4) for y in range(3, 7)], "total"),
    ],
)
def test_a_wall_hides_as_much_as_lines_end_at_it(squares: list[tuple[int, int]], cover: Cover) -> None:
    assert looked(at(1, 3), at(6, 3), *walls(*squares)).cover == cover


def test_three_of_four_lines_are_three_quarters() -> None:
    found = looked(at(0, 0), at(4, 2), *walls((2, 1), (1, 0)))
    assert (found.cover, found.bonus, found.is_clear, found.blocked_by) == ("three_quarters", 5, True, None)


def test_all_four_lines_are_total_and_the_nearest_wall_blocks() -> None:
    found = looked(at(0, 0), at(6, 0), *walls((2, -1), (2, 0), (2, 1), (4, 0)))
    assert (found.cover, found.bonus, found.is_clear) == ("total", None, False)
    assert found.blocked_by is not None
    assert (found.blocked_by.x, found.blocked_by.type) == (2, "wall")


@pytest.mark.parametrize(
    ("kind", "cover"),
    [("half_cover", "half"), ("three_quarters_cover", "three_quarters"), ("pillar", "half"), ("total_cover", "half")],
)
def test_what_gives_less_gives_that_to_whom_half_the_lines_pass_through_it(kind: ObstacleType, cover: Cover) -> None:
    assert looked(at(1, 3), at(6, 3), *walls((3, 3), kind=kind)).cover == cover


def test_a_low_wall_in_a_row_gives_half_and_no_more() -> None:
    row = walls((3, 2), (3, 3), (3, 4), kind="half_cover")
    assert looked(at(1, 3), at(6, 3), *row).cover == "half"


def test_covers_do_not_add_up() -> None:
    found = looked(at(1, 3), at(8, 3), *walls((3, 3), (5, 3), kind="half_cover"), creatures=(at(6, 3),))
    assert found.cover == "half"
    assert [source.x for source in found.sources] == [3, 5, 6]


def test_creatures_in_between_give_half_cover_and_tiny_ones_none() -> None:
    assert looked(at(1, 3), at(6, 3), creatures=(at(3, 3),)).cover == "half"
    assert looked(at(1, 3), at(6, 3), creatures=(at(3, 3, "tiny"),)).cover == "none"


def test_what_is_in_the_target_s_square_is_before_all_of_it() -> None:
    assert looked(at(1, 3), at(6, 3), *walls((6, 3), kind="half_cover")).cover == "half"
    assert looked(at(1, 3), at(6, 3), *walls((6, 3))).cover == "total"


def test_what_is_in_the_observer_s_squares_never_counts() -> None:
    assert looked(at(1, 3), at(6, 3), *walls((1, 3))).cover == "none"
    assert looked(at(0, 2, "large"), at(6, 3), *walls((1, 3))).cover == "none"


def test_of_a_large_target_the_square_that_is_seen_best_counts() -> None:
    hidden = walls((4, 3), (4, 4))
    assert looked(at(1, 3), at(6, 2, "large"), *hidden).cover == "none"
    assert looked(at(1, 3), at(6, 3), *hidden).cover != "none"


def test_nobody_sees_through_a_wall_where_its_squares_touch() -> None:
    across = walls(*((4, y) for y in range(8)))
    slanted = walls(*((x, 7 - x) for x in range(8)))
    for y in range(8):
        assert looked(at(1, 3), at(7, y), *across).cover == "total"
    assert looked(at(1, 1), at(6, 6), *slanted).cover == "total"
    assert looked(at(2, 1), at(6, 5), *slanted).cover == "total"


@pytest.mark.parametrize(("height", "cover"), [(4, "none"), (5, "half"), (None, "half")])
def test_a_line_that_passes_above_is_not_stopped(height: int | None, cover: Cover) -> None:
    thing = Obstacle(3, 3, 0, "wall", height)
    assert screen_from_corners(at(1, 3, z=1), at(6, 3, z=1), scenery([thing])).cover == cover


@given(BODIES, BODIES, STANDING)
def test_cover_looks_the_same_in_a_mirror(observer: Body, target: Body, things: list[Obstacle]) -> None:
    def mirrored(body: Body) -> Body:
        return body._replace(at=Square(20 - body.at.x - body.side, body.at.y, body.at.z))

    other = [thing._replace(x=19 - thing.x) for thing in things]
    found = screen_from_corners(observer, target, scenery(things))
    assert screen_from_corners(mirrored(observer), mirrored(target), scenery(other)).cover == found.cover

    def turned(body: Body) -> Body:
        return body._replace(at=Square(body.at.y, body.at.x, body.at.z))

    quarter = [thing._replace(x=thing.y, y=thing.x) for thing in things]
    assert screen_from_corners(turned(observer), turned(target), scenery(quarter)).cover == found.cover


@given(SMALL, SMALL, STANDING, STANDING)
def test_more_things_never_take_cover_away(
    observer: Body, target: Body, things: list[Obstacle], more: list[Obstacle]
) -> None:
    few = screen_from_corners(observer, target, scenery(things))
    many = screen_from_corners(observer, target, scenery([*things, *more]))
    assert RANK[many.cover] >= RANK[few.cover]


@given(BODIES, BODIES, STANDING)
def test_cover_comes_of_something_and_the_first_of_the_sources_is_the_nearest(
    observer: Body, target: Body, things: list[Obstacle]
) -> None:
    found = screen_from_corners(observer, target, scenery(things))
    assert (found.cover == "none") or found.sources
    far = [(each.x - observer.at.x) ** 2 + (each.y - observer.at.y) ** 2 for each in found.sources]
    assert far == sorted(far)
    if found.cover == "total":
        assert found.blocked_by is not None


@given(SMALL, SMALL, st.lists(st.tuples(PLACES, PLACES), max_size=14))
def test_lines_are_stopped_as_exact_fractions_say(observer: Body, target: Body, squares: list[tuple[int, int]]) -> None:
    """A line is stopped where, shifted by next to nothing to either side, it is in a wall at one and the same place."""
    solid = {xy for xy in squares if xy not in ((observer.at.x, observer.at.y), (target.at.x, target.at.y))}
    stopped = min(
        sum(_is_stopped((observer.at.x + i, observer.at.y + j), target, (k, m), solid) for k in (0, 1) for m in (0, 1))
        for i in (0, 1)
        for j in (0, 1)
    )
    cover = screen_from_corners(observer, target, scenery(walls(*solid))).cover
    assert cover == ("none", "none", "half", "three_quarters", "total")[stopped]


Span = tuple[Fraction, Fraction]


def _is_stopped(start: tuple[int, int], target: Body, corner: tuple[int, int], solid: set[tuple[int, int]]) -> bool:
    """Return whether a line to a corner is in a wall on either side of it, at one and the same place."""
    end = (target.at.x + corner[0], target.at.y + corner[1])
    dx, dy = end[0] - start[0], end[1] - start[1]
    # A line that comes through the target's own square does not pass on between those behind it.
    is_through = bool(dx and dy) and (dx > 0, dy > 0) == (corner[0] == 1, corner[1] == 1)
    last = 1 - Fraction(1, 10**3) if is_through else Fraction(1)
    left, right = (list(_spans(start, (dx, dy), side, last, solid)) for side in (-1, 1))
    return any(max(one[0], other[0]) < min(one[1], other[1]) for one in left for other in right)


def _spans(
    start: tuple[int, int], way: tuple[int, int], side: int, end: Fraction, solid: set[tuple[int, int]]
) -> Iterator[Span]:
    """Yield the parts of a line, shifted to one side by next to nothing, that are inside of a wall."""
    dx, dy = way
    if (dx, dy) == (0, 0):
        return
    tiny = Fraction(side, 10**6)
    shifted = (start[0] - dy * tiny, start[1] + dx * tiny)
    for x, y in solid:
        first, last = Fraction(0), end
        for low, place, by in ((x, shifted[0], dx), (y, shifted[1], dy)):
            if not by:
                if not low < place < low + 1:
                    break
                continue
            near, far = sorted(((low - place) / by, (low + 1 - place) / by))
            first, last = max(first, near), min(last, far)
        else:
            if first < last:
                yield first, last


def test_the_ray_and_the_corners_agree_where_nothing_stands() -> None:
    for y in range(6):
        assert looked(at(0, 0), at(5, y)) == screen(at(0, 0), at(5, y), scenery([])) == Screen("none", ())
