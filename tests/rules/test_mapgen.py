"""Generated maps: the promises G1 to G10 over random maps; networkx is the oracle for what hangs together."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable
from contextlib import suppress
from itertools import pairwise
from typing import Any

import networkx as nx
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from turnwright.model.area import Area, Layer, layer_path
from turnwright.model.campaign import Protocol
from turnwright.model.dice.draws import Dice
from turnwright.model.settings import settings_of
from turnwright.model.state.overlay import InMemorySource, World
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.core.actions.map_generate import map_generate
from turnwright.rulesets.core.map_rules import layer_problems
from turnwright.rulesets.core.mapgen import shortcuts
from turnwright.rulesets.tool import Context

Json = Any
Links = dict[str, tuple[str, ...]]
ODD_IDS = (
    "area_",
    "area_²",
    "area_٣",
    "area_１２",
    "area_9x",
    "Area_900",
    "area_-5",
    "area_1_0",
    "area_ 8",
    "cellar",
    "area",
)
PLAIN_IDS = ("area_001", "area_7", "area_0042", "area_099", "area_998", "area_999", "area_1000")


def world_of(areas: Iterable[Area]) -> World:
    layers: dict[str | None, dict[str, Area]] = {}
    for area in areas:
        layers.setdefault(area.parent_area_id, {})[area.id] = area
    return World(InMemorySource({layer_path(p): Layer(parent_area_id=p, areas=own) for p, own in layers.items()}))


def generate(world: World, parent: str | None, theme: Any = None, **constraints: Any) -> Json:
    args = {"parent_area_id": parent, "theme": theme, "constraints": constraints or None}
    ctx = Context("pc_001", Dice(b"", "0").part(1), args, settings_of({}), Protocol())
    return map_generate.apply(world, map_generate.args.model_validate(args), ctx).result


def areas_in(world: World) -> dict[str, Area]:
    layers = (world.get(path) for path in world.paths("maps/"))
    return {area.id: area for layer in layers if isinstance(layer, Layer) for area in layer.areas.values()}


def links_in(world: World) -> Links:
    return {area_id: area.reachable_area_ids for area_id, area in areas_in(world).items()}


def is_valid(world: World) -> bool:
    layers = [layer for path in world.paths("maps/") if isinstance(layer := world.get(path), Layer)]
    return not [problem for layer in layers for problem in layer_problems(layer, world)]


@st.composite
def maps(draw: st.DrawFn) -> World:
    """Give a valid map: trees of layers, each a random spanning tree with some links more, ids of every kind."""
    ids = draw(st.lists(st.sampled_from(ODD_IDS + PLAIN_IDS), max_size=8, unique=True))
    placed: list[Area] = []
    for area_id in ids:
        parent = draw(st.sampled_from([None, *(area.id for area in placed)]))
        others = [place for place, area in enumerate(placed) if area.parent_area_id == parent]
        placed.append(Area(id=area_id, name=area_id, parent_area_id=parent, reachable_area_ids=()))
        if others:
            place = draw(st.sampled_from(others))
            placed[place] = placed[place].reaching(area_id)
    for _ in range(draw(st.integers(0, 4)) if len(placed) > 1 else 0):
        start, end = draw(st.permutations(range(len(placed))))[:2]
        placed[start] = placed[start].reaching(placed[end].id)
    return world_of(placed)


@st.composite
def requests(draw: st.DrawFn) -> tuple[World, str | None, Json]:
    world = draw(maps())
    parent = draw(st.sampled_from([None, *areas_in(world)]))
    wanted: Json = {"size": draw(st.integers(1, 30))}
    if draw(st.booleans()):
        wanted["seed"] = draw(st.text(max_size=3))
    if draw(st.booleans()):
        wanted["two_way"] = draw(st.booleans())
    return world, parent, wanted


REQUESTS = requests()
Request = tuple[World, str | None, Json]


@given(maps())
def test_the_maps_of_these_tests_are_valid(world: World) -> None:
    assert is_valid(world)


@given(REQUESTS)
def test_g1_the_same_map_and_request_give_the_same_areas(request: Request) -> None:
    world, parent, wanted = request
    again = World(InMemorySource({path: d for path in reversed(world.paths("maps/")) if (d := world.get(path))}))
    assert generate(world, parent, "Cave", **wanted) == generate(again, parent, "Cave", **wanted)
    assert areas_in(world) == areas_in(again)


@given(maps(), st.integers(1, 30))
def test_g1_an_absent_seed_is_one_fixed_seed_and_an_empty_one_is_a_seed_of_its_own(world: World, size: int) -> None:
    ways = [World(world), World(world), World(world)]
    seeds: list[Json] = [{}, {"seed": None}, {"seed": ""}]
    results = [generate(way, None, size=size, **seed) for way, seed in zip(ways, seeds, strict=True)]
    assert links_in(ways[0]) == links_in(ways[1])
    assert [result["warnings"] for result in results] == [["seed_defaulted"], ["seed_defaulted"], []]
    if size == 30:
        assert links_in(ways[0]) != links_in(ways[2])


def test_g1_no_process_has_a_say() -> None:
    code = (
        "from turnwright.rulesets.core.mapgen import shortcuts; import json; print(json.dumps(shortcuts('alpha', 30)))"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": salt, "PYTHONPATH": "engine"},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for salt in ("0", "1", "77")
    }
    assert found == {json.dumps([list(pair) for pair in shortcuts("alpha", 30)]) + "\n"}


@given(REQUESTS)
def test_g2_ids_are_numbered_upward_from_the_highest_ascii_number(request: Request) -> None:
    world, parent, wanted = request
    numbers = [int(m[1]) for area_id in areas_in(world) if (m := re.fullmatch(r"area_([0-9]+)", area_id))]
    start = max(numbers, default=0) + 1
    created = generate(world, parent, **wanted)["created_area_ids"]
    assert created == [f"area_{number:03d}" for number in range(start, start + wanted["size"])]


def test_g2_after_999_comes_1000() -> None:
    world = world_of([Area(id="area_998", name="x", reachable_area_ids=())])
    assert generate(world, None, size=3)["created_area_ids"] == ["area_999", "area_1000", "area_1001"]


@pytest.mark.parametrize("area_id", ODD_IDS)
def test_g2_names_of_another_form_do_not_count_and_do_no_harm(area_id: str) -> None:
    world = world_of([Area(id=area_id, name="x", reachable_area_ids=())])
    assert generate(world, area_id, size=1)["created_area_ids"] == ["area_001"]


@pytest.mark.parametrize("digits", [99, 100, 150])
def test_g2_numbers_that_grow_out_of_hand_never_give_an_id_twice(digits: int) -> None:
    world = world_of([Area(id="area_" + "9" * digits, name="x", reachable_area_ids=())])
    given_out: list[str] = []
    for _ in range(3):
        with suppress(CallFailed):
            given_out += generate(world, None, size=2)["created_area_ids"]
    assert len(set(given_out)) == len(given_out)
    assert len(areas_in(world)) == 1 + len(given_out)


@given(REQUESTS)
def test_g3_every_new_area_lies_in_the_parent_that_was_asked_for(request: Request) -> None:
    world, parent, wanted = request
    result = generate(world, parent, **wanted)
    assert result["root_parent_area_id"] == parent
    for area_id in result["created_area_ids"]:
        assert areas_in(world)[area_id].parent_area_id == parent
        assert world.layer_of(area_id) == layer_path(parent)


@given(REQUESTS)
def test_g4_the_first_new_area_is_the_entry_with_a_way_in_and_a_way_back(request: Request) -> None:
    world, parent, wanted = request
    entry = generate(world, parent, **wanted)["created_area_ids"][0]
    if parent is not None:
        assert entry in links_in(world)[parent]
        assert parent in links_in(world)[entry]


def test_g4_layers_nest_as_deep_as_one_likes() -> None:
    world, parent = world_of([]), None
    for _ in range(25):
        parent = generate(world, parent, size=1)["created_area_ids"][0]
    assert len(world.paths("maps/")) == 25
    assert is_valid(world)
    ways: nx.DiGraph[str] = nx.DiGraph([(start, end) for start, ends in links_in(world).items() for end in ends])
    assert nx.shortest_path_length(ways, "area_001", "area_025") == 24
    assert nx.has_path(ways, "area_025", "area_001")


@given(REQUESTS)
def test_g5_a_chain_in_creation_order_and_about_a_shortcut_for_three_areas(request: Request) -> None:
    world, parent, wanted = request
    created = generate(world, parent, **wanted)["created_area_ids"]
    place = {area_id: number for number, area_id in enumerate(created)}
    inside = [(place[a], place[b]) for a in created for b in links_in(world)[a] if b in place]
    assert len(inside) == len(set(inside))
    forward = {(a, b) for a, b in inside if a < b}
    backward = {(b, a) for a, b in inside if a > b}
    assert backward == (forward if wanted.get("two_way") else set())
    assert set(pairwise(range(len(created)))) <= forward
    extra = [(a, b) for a, b in forward if b - a > 1]
    size = wanted["size"]
    assert len(extra) == 0 if size < 4 else abs(len(extra) - size / 3) < 1


@given(REQUESTS)
def test_g6_a_batch_is_joined_to_the_lowest_area_of_its_layer(request: Request) -> None:
    world, parent, wanted = request
    before = links_in(world)
    layer = world.layer(parent)
    existing = sorted(layer.areas) if layer else []
    created = generate(world, parent, **wanted)["created_area_ids"]
    after = links_in(world)
    touching = [(a, b) for a in existing for b in after[a] if b in created]
    touching += [(a, b) for a in created for b in after[a] if b in existing]
    if not existing:
        assert touching == []
    else:
        assert touching == [(existing[0], created[0]) if parent is None else (created[0], existing[0])]
    changed = {area_id for area_id in before if before[area_id] != after[area_id]}
    assert changed <= {parent, *(existing[:1] if parent is None else ())}


@given(REQUESTS)
def test_g7_the_map_stays_valid_and_every_layer_is_one_piece(request: Request) -> None:
    world, parent, wanted = request
    generate(world, parent, **wanted)
    assert is_valid(world)
    for path in world.paths("maps/"):
        layer = world.get(path)
        assert isinstance(layer, Layer)
        graph: nx.Graph[str] = nx.Graph()
        graph.add_nodes_from(layer.areas)
        graph.add_edges_from((a.id, b) for a in layer.areas.values() for b in a.reachable_area_ids if b in layer.areas)
        assert nx.is_connected(graph)


@given(maps(), st.integers(1, 30))
def test_g7_g8_on_a_broken_layer_the_call_fails_and_nothing_is_touched(world: World, size: int) -> None:
    lonely = [Area(id=i, name=i, parent_area_id=None, reachable_area_ids=()) for i in ("lonely", "lonelier")]
    broken = world_of([*areas_in(world).values(), *lonely])
    with pytest.raises(CallFailed) as failure:
        generate(broken, None, size=size)
    assert failure.value.reason is Reason.INVALID_ARGS
    assert dict(broken.touched) == {}


@given(maps(), st.text(max_size=8))
def test_g8_an_unknown_parent_consumes_no_ids(world: World, parent: str) -> None:
    assume(parent not in areas_in(world))
    expected = generate(World(world), None, size=2)
    with pytest.raises(CallFailed):
        generate(world, parent)
    assert generate(world, None, size=2) == expected


@given(REQUESTS, st.sampled_from(["Cave", "  Deep Wood ", "é", "x" * 300, "Area", " "]))
def test_g9_a_theme_changes_words_and_never_ids_or_links(request: Request, theme: str) -> None:
    world, parent, wanted = request
    plain, themed = World(world), World(world)
    results = [generate(plain, parent, **wanted), generate(themed, parent, theme, **wanted)]
    for result in results:
        result["warnings"] = [word for word in result["warnings"] if word != "theme_defaulted"]
    assert results[0] == results[1]
    assert links_in(plain) == links_in(themed)
    word = theme.strip() or "Generated"
    names = [areas_in(themed)[area_id].name for area_id in results[1]["created_area_ids"]]
    assert names == [f"{word} Entry", *(f"{word} Area {number:02d}" for number in range(2, wanted["size"] + 1))]


@pytest.mark.parametrize(("theme", "warned"), [(None, False), ("", True), (" \t", True), ("Cave", False)])
def test_g9_only_a_blank_theme_is_warned_of(theme: str | None, warned: bool) -> None:
    result = generate(world_of([]), None, theme, size=1, seed="x")
    assert result["warnings"] == (["theme_defaulted"] if warned else [])


@pytest.mark.parametrize(("size", "distinct"), [(8, 60), (12, 98), (30, 100)])
def test_g10_different_seeds_give_different_shortcuts(size: int, distinct: int) -> None:
    assert len({tuple(shortcuts(f"seed {number}", size)) for number in range(100)}) >= distinct


@given(REQUESTS)
def test_created_connections_is_the_growth_of_all_reachable_lists(request: Request) -> None:
    world, parent, wanted = request
    before = sum(map(len, links_in(world).values()))
    result = generate(world, parent, **wanted)
    assert result["created_connections"] == sum(map(len, links_in(world).values())) - before


@given(REQUESTS, st.integers(1, 6))
def test_what_was_there_is_kept_and_batch_follows_on_batch(request: Request, size: int) -> None:
    world, parent, wanted = request
    before = links_in(world)
    first = generate(world, parent, **wanted)["created_area_ids"]
    second = generate(world, first[-1], size=size)["created_area_ids"]
    third = generate(world, parent, size=size)["created_area_ids"]
    after = links_in(world)
    assert set(after) == {*before, *first, *second, *third}
    assert len(after) == len(before) + len(first) + 2 * size
    assert all(set(before[area_id]) <= set(after[area_id]) for area_id in before)
    assert is_valid(world)
