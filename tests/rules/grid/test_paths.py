"""Paths: costs and choices against networkx on a graph made square by square, and the rules by example."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.sampling import tries

from turnwright.model.vocabulary import DiagonalRule, Size
from turnwright.rulesets.fifth_edition.space.grid.ground import Gait, Ground
from turnwright.rulesets.fifth_edition.space.grid.paths import Path, find_path, reach
from turnwright.rulesets.fifth_edition.space.grid.space import SIDE, Body, Square

XY = tuple[int, int]
END = "end"
STEPS = [(dx, dy) for dx, dy in product((-1, 0, 1), (-1, 0, 1)) if dx or dy]
RULES: tuple[DiagonalRule, ...] = ("grid_5e", "grid_alt")


def filled(x: int, y: int, side: int) -> set[XY]:
    return {(x + i, y + j) for i in range(side) for j in range(side)}


class Graph:
    """All steps of a mover on a ground, made by asking about each step on its own."""

    def __init__(self, ground: Ground, start: XY, size: Size, gait: Gait) -> None:
        self.ground, self.start, self.side, self.gait = ground, start, SIDE[size], gait
        self.graph: nx.DiGraph[Any] = nx.DiGraph()
        self.graph.add_node((start, 0))
        places = set(product(range(ground.width - self.side + 1), range(ground.height - self.side + 1)))
        for (x, y), (dx, dy), odd in product(places, STEPS, (0, 1)):
            there = (x + dx, y + dy)
            if there in places and self.may_step((x, y), there):
                parity = (odd + 1) % 2 if dx and dy else odd
                dear = gait.diagonals == "grid_alt" and bool(dx and dy and odd)
                self.graph.add_edge(((x, y), odd), (there, parity), feet=self.feet(there, dear))
        for _, _, data in self.graph.edges(data=True):
            data["price"] = data["feet"] * 1000 + 1

    def may_step(self, here: XY, there: XY) -> bool:
        from_squares, to_squares = filled(*here, self.side), filled(*there, self.side)
        if to_squares & (self.ground.obstacles | self.ground.barred):
            return False
        if here[0] == there[0] or here[1] == there[1]:
            return True
        xs, ys = zip(*(from_squares | to_squares), strict=True)
        box = set(product(range(min(xs), max(xs) + 1), range(min(ys), max(ys) + 1)))
        return not (box - from_squares - to_squares) & self.ground.obstacles

    def is_rough(self, there: XY) -> bool:
        slow = self.ground.difficult | self.ground.water | self.ground.crowded
        return not self.gait.ignore_difficult and bool(filled(*there, self.side) & slow)

    def feet(self, there: XY, dear: bool) -> int:
        return ((10 if self.is_rough(there) else 5) * (2 if dear else 1) + self.gait.surcharge) * self.gait.factor

    def costs(self) -> dict[XY, int]:
        found: dict[XY, int] = {}
        lengths = nx.single_source_dijkstra_path_length(self.graph, (self.start, 0), weight="feet")
        for (place, _), feet in lengths.items():
            found[place] = min(int(feet), found.get(place, int(feet)))
        return found

    def can_end(self, place: XY) -> bool:
        return place == self.start or not filled(*place, self.side) & self.ground.taken

    def best_paths(self, goal: XY) -> Iterator[list[XY]]:
        """Yield all paths of the least cost and the fewest steps."""
        if not self.can_end(goal) or not any((goal, odd) in self.graph for odd in (0, 1)):
            return
        graph = self.graph.copy()
        graph.add_edges_from((((goal, odd), END) for odd in (0, 1) if (goal, odd) in graph), price=0)
        if nx.has_path(graph, (self.start, 0), END):
            for nodes in nx.all_shortest_paths(graph, (self.start, 0), END, weight="price"):
                yield [place for place, _ in nodes[:-1]]


@st.composite
def grounds(draw: st.DrawFn, most: int = 6) -> Ground:
    width, height = draw(st.integers(5, most)), draw(st.integers(5, most))
    # Squares off the grid too: a ground ignores them.
    squares = st.tuples(st.integers(-1, width), st.integers(-1, height))
    kinds = [draw(st.frozensets(squares, max_size=size)) for size in (8, 12, 6, 5, 5, 5)]
    return Ground(width, height, *kinds)


GAITS = st.builds(Gait, st.sampled_from(RULES), st.booleans(), st.sampled_from([0, 5]), st.sampled_from([1, 2]))


@st.composite
def movers(draw: st.DrawFn, ground: Ground) -> Body:
    size: Size = draw(st.sampled_from(["medium", "medium", "large", "huge"]))
    x = draw(st.integers(0, ground.width - SIDE[size]))
    y = draw(st.integers(0, ground.height - SIDE[size]))
    return Body(Square(x, y, draw(st.integers(0, 2))), size)


@settings(max_examples=tries(95))
@given(st.data(), grounds(), GAITS)
def test_the_path_is_the_first_of_all_the_best(data: st.DataObject, ground: Ground, gait: Gait) -> None:
    mover = data.draw(movers(ground))
    goal = data.draw(st.tuples(st.integers(0, ground.width - 1), st.integers(0, ground.height - 1)))
    start = mover.at[:2]
    graph = Graph(ground, start, mover.size, gait)
    found = find_path(ground, mover, goal, gait)
    expected = min(graph.best_paths(goal), key=lambda path: [xy[::-1] for xy in path], default=None)
    if expected is None:
        assert found is None
        return
    assert found is not None
    assert [square[:2] for square in found.squares] == expected
    assert {square.z for square in found.squares} == {mover.at.z}
    assert found.cost_feet == graph.costs()[goal]
    assert found.steps == len(expected) - 1
    assert found.difficult_squares == sum(map(graph.is_rough, expected[1:]))


@settings(max_examples=tries(40))
@given(st.data(), grounds(9), GAITS, st.integers(0, 60))
def test_reach_is_all_that_costs_no_more(data: st.DataObject, ground: Ground, gait: Gait, budget: int) -> None:
    mover = data.draw(movers(ground))
    graph = Graph(ground, mover.at[:2], mover.size, gait)
    expected = [(x, y, feet) for (x, y), feet in graph.costs().items() if feet <= budget and graph.can_end((x, y))]
    assert reach(ground, mover, budget, gait) == sorted(expected, key=lambda place: (place[2], place[1], place[0]))


@pytest.mark.parametrize("rule", RULES)
def test_on_wide_ground_costs_are_those_of_networkx(rule: DiagonalRule) -> None:
    chance = Random(3)
    squares = list(product(range(25), range(20)))
    walls, mud = (frozenset(square for square in squares if chance.random() < share) for share in (0.25, 0.4))
    ground = Ground(25, 20, walls - {(0, 0)}, mud)
    costs = Graph(ground, (0, 0), "medium", Gait(rule)).costs()
    assert {(x, y): feet for x, y, feet in reach(ground, Body(Square(0, 0)), 10**6, Gait(rule))} == costs
    for x, y in list(costs)[::3]:
        path = find_path(ground, Body(Square(0, 0)), (x, y), Gait(rule))
        assert path is not None
        assert path.cost_feet == costs[x, y]


@given(st.data(), grounds(), GAITS)
def test_reach_and_path_agree(data: st.DataObject, ground: Ground, gait: Gait) -> None:
    mover = data.draw(movers(ground))
    found = {(x, y): feet for x, y, feet in reach(ground, mover, 10**6, gait)}
    for x, y in product(range(0, ground.width, 2), range(0, ground.height, 2)):
        path = find_path(ground, mover, (x, y), gait)
        assert (path and path.cost_feet) == found.get((x, y))


OPEN = Ground(10, 10)
HERO = Body(Square(0, 0))


def path(ground: Ground, goal: XY, mover: Body = HERO, **gait: Any) -> Path:
    found = find_path(ground, mover, goal, Gait(**gait))
    assert found is not None
    return found


def squares(*places: XY) -> frozenset[XY]:
    return frozenset(places)


def test_who_is_there_already_pays_nothing_even_among_others() -> None:
    assert path(OPEN, (0, 0)) == Path((Square(0, 0),), 0, 0, 0)
    assert path(Ground(10, 10, taken=squares((0, 0)), barred=squares((0, 0))), (0, 0)).steps == 0
    assert reach(Ground(10, 10, taken=squares((0, 0)), barred=squares((0, 0))), HERO, 0) == [(0, 0, 0)]


def test_a_mover_without_movement_stays() -> None:
    assert reach(OPEN, HERO, 0) == reach(OPEN, HERO, 4) == [(0, 0, 0)]


def test_reach_is_sorted_by_cost_then_row_then_column() -> None:
    ground = Ground(5, 5, difficult=squares((1, 0)))
    assert reach(ground, HERO, 10)[:6] == [(0, 0, 0), (0, 1, 5), (1, 1, 5), (1, 0, 10), (2, 0, 10), (2, 1, 10)]


def test_diagonals_cost_5_under_grid_5e_and_5_and_10_in_turn_under_grid_alt() -> None:
    assert [path(OPEN, (n, n)).cost_feet for n in range(1, 6)] == [5, 10, 15, 20, 25]
    assert [path(OPEN, (n, n), diagonals="grid_alt").cost_feet for n in range(1, 6)] == [5, 15, 20, 30, 35]


def test_diagonals_are_counted_along_the_whole_path() -> None:
    assert path(OPEN, (9, 3), diagonals="grid_alt").cost_feet == 50


EVERYWHERE = squares(*product(range(5), range(5)))


@pytest.mark.parametrize(
    "ground",
    [
        Ground(5, 5, difficult=EVERYWHERE),
        Ground(5, 5, water=EVERYWHERE),
        Ground(5, 5, crowded=EVERYWHERE),
        Ground(5, 5, difficult=EVERYWHERE, water=EVERYWHERE, crowded=EVERYWHERE),
    ],
)
def test_difficult_ground_costs_double_and_never_more(ground: Ground) -> None:
    assert path(ground, (3, 0)) == Path((HERO.at, Square(1, 0), Square(2, 0), Square(3, 0)), 30, 3, 3)
    assert path(ground, (3, 0), ignore_difficult=True)[1:] == (15, 3, 0)
    assert path(ground, (2, 2), diagonals="grid_alt").cost_feet == 30


def test_crawling_costs_5_more_a_square_also_in_difficult_terrain() -> None:
    ground = Ground(5, 5, difficult=squares((2, 0), (2, 1)))
    assert [path(ground, (x, 0), surcharge=5).cost_feet for x in (1, 2, 3)] == [10, 25, 35]


def test_dragging_doubles_all_of_it() -> None:
    ground = Ground(5, 5, difficult=squares((2, 0), (2, 1)))
    assert [path(ground, (x, 0), surcharge=5, factor=2).cost_feet for x in (1, 2, 3)] == [20, 50, 70]


def test_a_diagonal_step_does_not_squeeze_past_an_obstacle_but_past_a_creature() -> None:
    assert path(Ground(5, 5, obstacles=squares((1, 0))), (1, 1)).squares == ((0, 0, 0), (0, 1, 0), (1, 1, 0))
    assert find_path(Ground(5, 5, obstacles=squares((1, 0), (0, 1))), HERO, (1, 1)) is None
    assert path(Ground(5, 5, barred=squares((1, 0), (0, 1))), (1, 1)).steps == 1


def test_a_large_body_needs_all_its_squares_and_both_its_corners() -> None:
    ogre = Body(Square(0, 0), "large")
    gate = Ground(9, 6, obstacles=squares(*((4, y) for y in range(6) if y != 3)))
    assert find_path(gate, ogre, (6, 3)) is None
    wide = gate._replace(obstacles=gate.obstacles - {(4, 2)})
    assert path(wide, (5, 2), ogre).squares[-4:] == ((2, 2, 0), (3, 2, 0), (4, 2, 0), (5, 2, 0))
    assert path(Ground(6, 6, obstacles=squares((2, 0))), (1, 1), ogre).steps == 2
    assert path(Ground(6, 6, difficult=squares((2, 1))), (1, 0), ogre).cost_feet == 10


def test_nobody_ends_where_somebody_is_but_may_pass() -> None:
    ground = Ground(
        5, 5, obstacles=squares(*((x, 1) for x in range(5))), taken=squares((1, 0)), crowded=squares((1, 0))
    )
    assert find_path(ground, HERO, (1, 0)) is None
    assert path(ground, (2, 0)) == Path((HERO.at, Square(1, 0), Square(2, 0)), 15, 2, 1)
    assert reach(ground, HERO, 15) == [(0, 0, 0), (2, 0, 15)]


def test_a_goal_that_is_closed_walled_off_or_off_the_grid_has_no_path() -> None:
    walls = squares((5, 5), *((x, 7) for x in range(10)))
    ground = Ground(10, 10, obstacles=walls, barred=squares((3, 3)))
    assert [find_path(ground, HERO, goal) for goal in ((5, 5), (3, 3), (0, 9), (10, 0), (0, -1))] == [None] * 5
    assert find_path(ground, Body(Square(0, 0), "large"), (9, 0)) is None


def test_a_mover_off_the_grid_goes_nowhere() -> None:
    assert find_path(OPEN, Body(Square(-1, 0)), (0, 0)) is None
    assert reach(OPEN, Body(Square(9, 9), "large"), 30) == []


def test_a_mover_on_closed_ground_can_step_off_it() -> None:
    ground = Ground(5, 5, barred=squares((0, 0)), obstacles=squares((0, 0)))
    assert path(ground, (1, 1)).cost_feet == 5
    for rule in RULES:
        assert len(reach(ground, HERO, 100, Gait(rule))) == 25


def test_among_equal_paths_the_smallest_row_then_column_comes_first() -> None:
    assert path(OPEN, (4, 1)).squares == ((0, 0, 0), (1, 0, 0), (2, 0, 0), (3, 0, 0), (4, 1, 0))
    back = path(OPEN, (0, 1), Body(Square(4, 0)))
    assert back.squares == ((4, 0, 0), (3, 0, 0), (2, 0, 0), (1, 0, 0), (0, 1, 0))
    assert path(OPEN, (1, 4)).squares == ((0, 0, 0), (0, 1, 0), (0, 2, 0), (0, 3, 0), (1, 4, 0))


def test_fewer_steps_come_before_smaller_squares() -> None:
    found = path(OPEN, (2, 2), diagonals="grid_alt")
    assert found == Path((HERO.at, Square(1, 1), Square(2, 2)), 15, 2, 0)


def test_least_cost_comes_before_fewer_steps() -> None:
    ground = Ground(5, 5, difficult=squares((1, 1)))
    found = path(ground, (2, 2), diagonals="grid_alt")
    assert found == Path((HERO.at, Square(1, 0), Square(2, 1), Square(2, 2)), 15, 3, 0)


def test_a_path_through_a_long_maze_is_found() -> None:
    walls = {(x, y) for y in range(1, 100, 2) for x in range(100) if x != (99 if y % 4 == 1 else 0)}
    found = path(Ground(100, 100, frozenset(walls)), (0, 98), diagonals="grid_alt")
    assert found.cost_feet == 5 * found.steps == 5 * (49 * 101 + 99)
