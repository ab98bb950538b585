"""Maps as drawings, read back from the SVG: what is on them, what they touch, and what a name can do to them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from tests.render.drawing import SVG, drawn, edges, graph_of, having, panels, points, well_set
from tests.render.map_samples import CAVE, HOSTILE, area, area_ids, maps, token, well
from tests.sampling import tries

from turnwright.render.map_svg import render_svg
from turnwright.render.map_view import ClosedWay, MapView

TAGS = {"svg", "title", "desc", "style", "g", "rect", "circle", "path", "text"}


@given(maps())
@settings(deadline=None, max_examples=tries(25))
def test_every_area_and_character_is_drawn_once(view: MapView) -> None:
    root = drawn(view)
    assert Counter(group.get("data-area") for group in having(root, "area")) == Counter(a.id for a in view.areas)
    assert Counter(group.get("data-token") for group in having(root, "token")) == Counter(t.id for t in view.tokens)


@given(maps())
@settings(deadline=None, max_examples=tries(25))
def test_drawn_links_are_the_edges_of_the_graph(view: MapView) -> None:
    assert edges(drawn(view)) == set(graph_of(view).edges)


@given(maps(largest=16))
@settings(deadline=None, max_examples=tries(25))
def test_boxes_never_overlap_and_no_line_touches_a_third_box(view: MapView) -> None:
    assert having(well_set(view), "sheet")


@pytest.mark.parametrize("size", [1, 2, 7, 60, 300])
def test_layers_of_any_size_are_well_set(size: int) -> None:
    ids = area_ids(1, size)
    jumps = [[ids[(at + 1) % size], ids[(at * 7 + 3) % size]] for at in range(size)]
    rooms = [
        area(ids[at], f"Room {at}", None, [exit_ for exit_ in jumps[at] if exit_ != ids[at]]) for at in range(size)
    ]
    view = MapView("Rooms", tuple(rooms), (token("Ana", ids[-1], hp=1, max_hp=2), token("Bo", ids[-1], hp=2)))
    assert edges(well_set(view)) == set(graph_of(view).edges)


def test_areas_stand_in_the_panel_of_their_layer() -> None:
    contents = [[group.get("data-area") for group in having(panel, "area")] for panel, _ in panels(drawn(CAVE))]
    assert contents[:3] == [area_ids(1, 3), area_ids(4, 5), area_ids(6, 6)]


def test_one_way_links_have_one_head_at_the_end_they_lead_to() -> None:
    for way in having(drawn(CAVE), "way"):
        heads = having(way, "head")
        assert len(heads) == (way.get("data-ways") == "one")
        for head in heads:
            tip = points((head.get("d") or "").rstrip("z"))[0]
            assert tip == points(having(way, "link")[0].get("d") or "")[-1]


def test_a_layer_deep_inside_layers_is_no_trouble() -> None:
    assert len(panels(drawn(well(600)))) == 601


@given(maps())
@settings(deadline=None, max_examples=tries(25))
def test_the_drawing_stands_alone_and_runs_nothing(view: MapView) -> None:
    source = render_svg(view)
    root = ET.fromstring(source)
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= TAGS
    assert not [name for element in root.iter() for name in element.attrib if name.startswith("on") or "href" in name]
    style = root.findtext(f"{SVG}style") or ""
    assert "url(" not in style
    assert "@" not in style
    assert "<!" not in source


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_changes_texts_and_nothing_else(name: str) -> None:
    def skeleton(given: str) -> list[tuple[str, list[str]]]:
        root = drawn(MapView(given, (area("area_001", given),), (token(given, "area_001"), token(given, None))))
        return [(element.tag, sorted(element.attrib)) for element in root.iter() if element.tag != f"{SVG}text"]

    assert skeleton(name) == skeleton("Ana")


def test_hostile_ids_stay_text_too() -> None:
    bad = '"><script>\x1b'
    view = MapView("", (area(bad, "A", None, ["b"]), area("b", "B", None, [bad]), area("c", "C", bad)), ())
    root = drawn(view)
    assert {group.get("data-area") for group in having(root, "area")} == {'"><script>␛', "b", "c"}
    assert not list(root.iter(f"{SVG}script"))


def test_title_and_description_say_what_is_drawn() -> None:
    root = drawn(CAVE)
    labels = (root.get("aria-labelledby") or "").split()
    named = {element.get("id"): element.text or "" for element in root if element.get("id")}
    assert root.get("version") == "1.1"
    assert named[labels[0]] == "The Drowned Caves"
    assert "Ana is in Entry. Borin is in Entry. Keeper is in Temple. Celeste is nowhere on the map." in named[labels[1]]


def test_an_empty_map_is_a_drawing_too() -> None:
    root = drawn(MapView("", (), ()))
    assert root.findtext(f"{SVG}title") == "Map"
    assert len(panels(root)) == 1


@given(maps())
@settings(deadline=None, max_examples=tries(10))
def test_coordinates_have_at_most_one_decimal(view: MapView) -> None:
    root = drawn(view)
    values = [
        v
        for element in root.iter()
        for name, v in element.attrib.items()
        if name in {"x", "y", "cx", "cy", "d", "width"}
    ]
    assert not [value for value in values if re.search(r"\.\d\d", value)]


def test_the_same_map_gives_the_same_bytes_whatever_the_hash_seed() -> None:
    code = (
        "from tests.render.map_samples import CAVE, chain\n"
        "from turnwright.render.map_svg import render_svg\n"
        "from turnwright.render.map_text import render_text\n"
        "print(ascii([f(v) for f in (render_svg, render_text) for v in (CAVE, chain(25))]))"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-c", code],
            env={
                **os.environ,
                "PYTHONHASHSEED": seed,
                "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
            },
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert runs[0] == runs[1] != ""


def test_closed_ways_are_drawn_apart_and_explained() -> None:
    rooms = tuple(area(room_id, room_id.title()) for room_id in ("hall", "vault", "crypt"))
    closed = (ClosedWay("hall", "vault", True, "locked"), ClosedWay("hall", "crypt", False, "hidden"))
    root = drawn(MapView("The Hall", rooms, (), closed))
    ways = {group.get("data-to"): group for group in having(root, "way")}
    assert {to: group.get("data-passage") for to, group in ways.items()} == {"vault": "locked", "crypt": "hidden"}
    assert [ways[to].findtext(f"{SVG}title") for to in ("vault", "crypt")] == [
        "hall <-> vault (locked)",
        "hall -> crypt (hidden)",
    ]
    legend = {text.text for text in having(root, "who")}
    assert {"locked", "hidden"} <= legend
