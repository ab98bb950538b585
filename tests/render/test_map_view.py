"""The layers and links of a map; networkx is the oracle for the shape of the tree."""

from __future__ import annotations

import networkx as nx
from hypothesis import given
from tests.render.map_samples import CAVE, area, maps, token, well

from turnwright.render.map_view import (
    AreaView,
    ClosedWay,
    Link,
    MapView,
    condition_of,
    layers_of,
    links_of,
    summary_of,
    tokens_by_area,
)


def test_layers_come_depth_first_with_their_depth() -> None:
    layers = [(layer.parent, layer.depth, len(layer.areas)) for layer in layers_of(CAVE)]
    assert layers == [(None, 0, 3), ("area_003", 1, 2), ("area_005", 2, 1)]


def test_layers_of_one_layer_come_in_the_order_of_their_areas() -> None:
    rooms = [
        area(name, name, parent) for name, parent in (("a", None), ("b", None), ("b1", "b"), ("a1", "a"), ("a2", "a1"))
    ]
    assert [layer.parent for layer in layers_of(MapView("", tuple(rooms), ()))] == [None, "a", "a1", "b"]


@given(maps())
def test_every_area_is_in_one_layer_and_its_depth_is_its_distance_from_the_root(view: MapView) -> None:
    tree: nx.DiGraph[str] = nx.DiGraph([(area.parent or "root", area.id) for area in view.areas])
    depths = nx.single_source_shortest_path_length(tree, "root") if view.areas else {}
    found = [(area.id, layer.depth + 1) for layer in layers_of(view) for area in layer.areas]
    assert sorted(found) == sorted((area.id, depths[area.id]) for area in view.areas)


@given(maps())
def test_links_are_the_edges_of_the_graph_each_once(view: MapView) -> None:
    edges = [(link.source, link.target) for link in links_of(view)]
    edges += [(link.target, link.source) for link in links_of(view) if link.two_way]
    assert sorted(edges) == sorted(nx.DiGraph([(area.id, exit_) for area in view.areas for exit_ in area.exits]).edges)


def test_a_two_way_link_runs_from_the_area_listed_first() -> None:
    assert links_of(CAVE)[:2] == (Link("area_001", "area_002", True), Link("area_002", "area_003", False))


def test_an_area_that_leads_to_itself_has_a_one_way_link() -> None:
    assert links_of(MapView("", (area("a", "A", None, ["a", "a"]),), ())) == (Link("a", "a", False),)


def test_layers_below_a_missing_area_or_inside_each_other_are_not_lost() -> None:
    ring = (area("a", "A", "b"), area("b", "B", "a"), area("q", "Q", "nowhere"), AreaView("r", "R", None, ()))
    layers = [(layer.parent, layer.depth) for layer in layers_of(MapView("", ring, ()))]
    assert layers == [(None, 0), ("nowhere", 0), ("b", 0), ("a", 1)]


def test_layers_may_nest_deeper_than_the_interpreter() -> None:
    assert layers_of(well(3000))[-1].depth == 2999


def test_characters_at_unknown_areas_are_nowhere() -> None:
    lost, ana = token("Lost", "limbo"), token("Ana", "area_001")
    assert tokens_by_area(MapView("", CAVE.areas, (lost, ana))) == {None: (lost,), "area_001": (ana,)}


def test_a_condition_is_what_is_wrong_with_somebody() -> None:
    states = (None, "alive", "dying", "restrained_permanent", "very_odd")
    assert [condition_of(token("A", None, state=state)) for state in states] == [
        "",
        "",
        "dying",
        "restrained",
        "very odd",
    ]


def test_the_summary_counts_in_good_english() -> None:
    assert summary_of(CAVE) == "6 areas in 3 layers, 4 characters"
    assert summary_of(well(1, token("Ana", None))) == "1 area in 1 layer, 1 character"


def test_closed_ways_are_links_between_areas_that_are_drawn() -> None:
    closed = (
        ClosedWay("a", "b", True, "locked"),
        ClosedWay("b", "a", False, "hidden"),
        ClosedWay("a", "q", True, "locked"),
    )
    view = MapView("", (area("a", "A"), area("b", "B")), (), closed)
    assert [link.label for link in links_of(view)] == ["a <-> b (locked)", "b -> a (hidden)"]
