"""What makes a map valid; networkx and the table of the map's rules are the oracles."""

from __future__ import annotations

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwright.model.area import Area, Layer, layer_path
from turnwright.model.state.overlay import InMemorySource
from turnwright.rulesets.core.map_rules import connected_pieces, layer_problems

IDS = ("area_001", "area_002", "area_003", "area_004", "b", "c")
Links = dict[str, list[str]]
LINKS = st.dictionaries(st.sampled_from(IDS), st.lists(st.sampled_from((*IDS, "nowhere")), max_size=4), max_size=6)
PLACES = st.fixed_dictionaries({i: st.sampled_from((None, *IDS, "lost")) for i in IDS})


def areas_of(links: Links, parent: str | None = None) -> list[Area]:
    return [Area(id=i, name=i, parent_area_id=parent, reachable_area_ids=links[i]) for i in links]


def graph_of(links: Links) -> nx.Graph[str]:
    graph: nx.Graph[str] = nx.Graph()
    graph.add_nodes_from(links)
    graph.add_edges_from((start, end) for start in links for end in links[start] if end in links)
    return graph


@given(LINKS)
def test_pieces_are_the_connected_components_read_both_ways(links: Links) -> None:
    assert connected_pieces(areas_of(links)) == sorted(nx.connected_components(graph_of(links)), key=min)


@given(LINKS, PLACES)
def test_every_broken_rule_of_a_map_is_reported_by_its_own_tag(links: Links, places: dict[str, str | None]) -> None:
    """The tags of stages 1.5, written anew from the table over a map whose links and parents may be anything."""
    layers: dict[str | None, Links] = {}
    for area_id in links:
        layers.setdefault(places[area_id], {})[area_id] = links[area_id]
    shelf = InMemorySource({layer_path(parent): _layer(parent, own) for parent, own in layers.items()})
    found = sorted(p.rule for parent in layers for p in layer_problems(_layer(parent, layers[parent]), shelf))
    assert found == sorted(tag for parent, own in layers.items() for tag in _tags(parent, own, links, places))


def _layer(parent: str | None, links: Links) -> Layer:
    return Layer(parent_area_id=parent, areas={area.id: area for area in areas_of(links, parent)})


def _tags(parent: str | None, own: Links, links: Links, places: dict[str, str | None]) -> list[str]:
    tags = [f"area:{i}:reachable_duplicate" for i in own if len(set(own[i])) < len(own[i])]
    tags += [f"area:{i}:reachable_self_loop" for i in own if i in own[i]]
    tags += [f"area:{i}:reachable_missing_target" for i in own for target in set(own[i]) if target not in links]
    if not nx.is_connected(graph_of(own)):
        tags.append(f"parent:{parent or 'root'}:disconnected")
    above: list[str] = []
    while parent is not None:
        if parent not in links:
            return [*tags, f"parent:{parent}:missing"]
        if parent in above:
            return [*tags, f"parent:{parent}:cycle"]
        above.append(parent)
        parent = places[parent]
    return tags


def test_the_key_of_an_area_is_its_own_id() -> None:
    layer = Layer(areas={"area_001": Area(id="area_002", name="x", reachable_area_ids=())})
    assert [p.rule for p in layer_problems(layer, InMemorySource({layer.path: layer}))] == ["area:area_001:id_mismatch"]


def test_an_area_lies_in_the_layer_of_its_parent() -> None:
    top = Layer(areas={"area_001": Area(id="area_001", name="x", reachable_area_ids=())})
    layer = Layer(parent_area_id="area_001", areas={"b": Area(id="b", name="x", reachable_area_ids=())})
    (problem,) = layer_problems(layer, InMemorySource({top.path: top, layer.path: layer}))
    assert problem.rule == "area:b:parent_mismatch"
    assert problem.message == "belongs to the root layer, but stands in the layer of area_001"
    child = Area(id="c", name="x", parent_area_id="area_001", reachable_area_ids=())
    (problem,) = layer_problems(Layer(areas={"c": child}), InMemorySource({top.path: top}))
    assert problem.message == "belongs to the layer of area_001, but stands in the root layer"


def test_an_area_stands_in_one_layer_only() -> None:
    top = Layer(areas={"b": Area(id="b", name="x", reachable_area_ids=())})
    layer = Layer(parent_area_id="b", areas={"b": Area(id="b", name="x", parent_area_id="b", reachable_area_ids=())})
    shelf = InMemorySource({top.path: top, layer.path: layer})
    rules = [p.rule for one in (top, layer) for p in layer_problems(one, shelf)]
    assert rules.count("area:b:id_taken") == 1


@pytest.mark.parametrize("stored", [[], [{"from_area_id": "b", "to_area_id": "c"}]])
def test_connections_are_rebuilt_from_the_links_whatever_was_stored(stored: list[dict[str, str]]) -> None:
    areas = {area.id: area for area in areas_of({"c": ["b"], "b": ["elsewhere", "c"]})}
    value = Layer.model_validate({"areas": areas, "connections": stored}).value()
    pairs = [(link["from_area_id"], link["to_area_id"]) for link in value["connections"]]
    assert pairs == [("b", "c"), ("b", "elsewhere"), ("c", "b")]
