"""What lies beside a body, and when a path leaves a reach."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from turnwright.model.vocabulary import Size, words
from turnwright.rulesets.fifth_edition.space.grid.ground import Ground, Neighbour, leaves_reach, neighbours
from turnwright.rulesets.fifth_edition.space.grid.space import Body, Square

XY = st.tuples(st.integers(0, 6), st.integers(0, 6))
SIZES: st.SearchStrategy[Size] = st.sampled_from(words(Size))
GOBLIN = Body(Square(0, 0))


def along(*xs: int, z: int = 0) -> list[Square]:
    return [Square(x, 0, z) for x in xs]


def test_neighbours_are_told_row_by_row_with_their_status() -> None:
    ground = Ground(
        5,
        5,
        obstacles=frozenset({(0, 0), (1, 0)}),
        difficult=frozenset({(1, 0), (0, 1), (2, 1)}),
        water=frozenset({(0, 1), (0, 2)}),
        barred=frozenset({(1, 0), (2, 0)}),
        taken=frozenset({(2, 1)}),
        crowded=frozenset({(1, 2)}),
    )
    assert neighbours(ground, Body(Square(1, 1))) == [
        Neighbour(0, 0, "obstacle"),
        Neighbour(1, 0, "obstacle"),
        Neighbour(2, 0, "occupied"),
        Neighbour(0, 1, "difficult"),
        Neighbour(2, 1, "occupied"),
        Neighbour(0, 2, "water"),
        Neighbour(1, 2, "occupied"),
        Neighbour(2, 2, "open"),
    ]


def test_in_a_corner_there_are_three_neighbours() -> None:
    found = neighbours(Ground(5, 5), Body(Square(4, 4)))
    assert found == [(3, 3, "open"), (4, 3, "open"), (3, 4, "open")]


@given(SIZES, XY, st.frozensets(XY, max_size=8), st.frozensets(XY, max_size=8), st.frozensets(XY, max_size=8))
def test_a_place_has_the_first_status_of_any_square_there(
    size: Size,
    at: tuple[int, int],
    walls: frozenset[tuple[int, int]],
    mud: frozenset[tuple[int, int]],
    folk: frozenset[tuple[int, int]],
) -> None:
    ground = Ground(7, 7, obstacles=walls, water=mud, taken=folk)
    body = Body(Square(*at), size)
    found = {(x, y): status for x, y, status in neighbours(ground, body)}
    for (x, y), status in found.items():
        squares = {square[:2] for square in Body(Square(x, y), size).squares}
        expected = (
            "obstacle" if squares & walls else "occupied" if squares & folk else "water" if squares & mud else "open"
        )
        assert status == expected
    around = {(at[0] + dx, at[1] + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)} - {at}
    assert set(found) == {xy for xy in around if ground.grid.has(Body(Square(*xy), size))}


def test_walking_away_leaves_reach_at_the_first_square_outside() -> None:
    assert leaves_reach(along(1, 2, 3), GOBLIN, GOBLIN, 5) == 1
    assert leaves_reach(along(1, 2, 3), GOBLIN, GOBLIN, 10) == 2


def test_who_stays_within_reach_or_never_was_in_it_does_not_leave_it() -> None:
    assert leaves_reach([Square(1, 0), Square(1, 1), Square(0, 1), Square(-1, 1)], GOBLIN, GOBLIN, 5) is None
    assert leaves_reach(along(5, 4, 3, 2), GOBLIN, GOBLIN, 5) is None
    assert leaves_reach(along(3, 2, 1), GOBLIN, GOBLIN, 5) is None
    assert leaves_reach(along(1), GOBLIN, GOBLIN, 5) is None
    assert leaves_reach([], GOBLIN, GOBLIN, 5) is None


def test_running_past_leaves_reach_after_entering_it() -> None:
    assert leaves_reach([Square(x, 1) for x in range(-3, 5)], GOBLIN, GOBLIN, 5) == 5


def test_only_the_first_time_counts() -> None:
    assert leaves_reach(along(1, 2, 1, 2), GOBLIN, GOBLIN, 5) == 1


def test_flying_up_leaves_reach() -> None:
    assert leaves_reach([Square(1, 0, 0), Square(1, 0, 2)], GOBLIN, GOBLIN, 5) == 1
    assert leaves_reach(along(1, 2, z=4), GOBLIN, GOBLIN, 5) is None


def test_sizes_count_on_both_sides() -> None:
    ogre, dragon = Body(Square(0, 0), "large"), Body(Square(-9, 0), "gargantuan")
    assert leaves_reach(along(1, 2, 3), GOBLIN, ogre, 5) == 2
    assert leaves_reach([Square(x, 0) for x in (-4, -5, -6)], dragon, ogre, 5) == 1
