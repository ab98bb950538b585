"""Maps as drawings, read back from the SVG: what is on them, what they touch, and what a name can do to them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter
from itertools import combinations, pairwise
from xml.etree import ElementTree as ET

import networkx as nx
import pytest
from hypothesis import given, settings
from tests.render.map_samples import CAVE, HOSTILE, STATES, area, area_ids, chain, maps, token, well

from turnwright.render.map_svg import render_svg
from turnwright.render.map_view import MapView
from turnwright.render.measure import ems

SVG = "{http://www.w3.org/2000/svg}"
TAGS = {"svg", "title", "desc", "style", "g", "rect", "circle", "path", "text"}
FONT_SIZES = {"name": 13, "soft": 11, "who": 12, "fact": 9.5}

Rect = tuple[float, float, float, float]
Point = tuple[float, float]


def drawn(view: MapView) -> ET.Element:
    return ET.fromstring(render_svg(view))


def having(root: ET.Element, style: str) -> list[ET.Element]:
    return [element for element in root.iter() if style in (element.get("class") or "").split()]


def panels(root: ET.Element) -> list[tuple[ET.Element, Point]]:
    """List the panels with the offset of what is in them."""
    found = []
    for group in root.findall(f"{SVG}g"):
        x, y = re.findall(r"-?[\d.]+", group.get("transform") or "")
        found.append((group, (float(x), float(y))))
    return found


def rect(element: ET.Element, offset: Point = (0, 0)) -> Rect:
    x, y, width, height = (float(element.get(name) or "nan") for name in ("x", "y", "width", "height"))
    return x + offset[0], y + offset[1], x + width + offset[0], y + height + offset[1]


def apart(a: Rect, b: Rect) -> bool:
    return a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]


def within(inner: Rect, outer: Rect) -> bool:
    return outer[0] <= inner[0] and outer[1] <= inner[1] and inner[2] <= outer[2] and inner[3] <= outer[3]


def points(path: str) -> list[Point]:
    """Walk a path of M, L and Q commands in small steps."""
    walked: list[Point] = []
    for command, numbers in re.findall(r"([MLQ])([^MLQ]*)", path):
        values = [float(number) for number in re.findall(r"-?[\d.]+", numbers)]
        ends = list(zip(values[::2], values[1::2], strict=True))
        if command == "M":
            walked.append(ends[0])
            continue
        start, control = walked[-1], ends[0]
        for step in range(1, 41):
            t = step / 40
            if command == "L":
                walked.append(tuple(a + (b - a) * t for a, b in zip(start, control, strict=True)))  # type: ignore[arg-type]
            else:
                mix = zip(start, control, ends[1], strict=True)
                walked.append(tuple((1 - t) ** 2 * a + 2 * t * (1 - t) * b + t * t * c for a, b, c in mix))  # type: ignore[arg-type]
    return walked


def edges(root: ET.Element) -> set[tuple[str, str]]:
    """Read the links back from lines and doors."""
    found = set()
    for element in root.iter():
        source, target = element.get("data-from"), element.get("data-to")
        if source is not None and target is not None:
            found.add((source, target))
            found.update([(target, source)] if element.get("data-ways") == "two" else [])
    return found


def graph_of(view: MapView) -> nx.DiGraph[str]:
    return nx.DiGraph([(area.id, exit_) for area in view.areas for exit_ in area.exits])


def well_set(view: MapView) -> ET.Element:
    """Draw a map and check that nothing lies over anything else and each line keeps to its panel and its two boxes."""
    root = drawn(view)
    sheet = (0.0, 0.0, float(root.get("width") or 0), float(root.get("height") or 0))
    frames = [rect(having(panel, "panel")[0], offset) for panel, offset in panels(root)]
    assert all(within(frame, sheet) for frame in frames)
    assert all(apart(a, b) for a, b in combinations(frames, 2))
    for panel, _ in panels(root):
        frame = rect(having(panel, "panel")[0])
        boxes = {group.get("data-area"): rect(having(group, "card")[0]) for group in having(panel, "area")}
        assert all(within(box, frame) for box in boxes.values())
        assert all(apart(a, b) for a, b in combinations(boxes.values(), 2))
        for way in having(panel, "way"):
            own = way.get("data-from"), way.get("data-to")
            line = points(having(way, "link")[0].get("d") or "")
            (left, *_, right), (top, *_, bottom) = (sorted(values) for values in zip(*line, strict=True))
            span = left, top, right, bottom
            assert within(span, frame)
            near = [box for name, box in boxes.items() if name not in own and not apart(span, box)]
            assert all(apart((x, y, x, y), box) for x, y in line for box in near)
    return root


@given(maps())
@settings(deadline=None, max_examples=60)
def test_every_area_and_character_is_drawn_once(view: MapView) -> None:
    root = drawn(view)
    assert Counter(group.get("data-area") for group in having(root, "area")) == Counter(a.id for a in view.areas)
    assert Counter(group.get("data-token") for group in having(root, "token")) == Counter(t.id for t in view.tokens)


@given(maps())
@settings(deadline=None, max_examples=60)
def test_drawn_links_are_the_edges_of_the_graph(view: MapView) -> None:
    assert edges(drawn(view)) == set(graph_of(view).edges)


@given(maps(largest=16))
@settings(deadline=None, max_examples=60)
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


def test_a_link_out_of_its_layer_is_a_door_at_both_ends() -> None:
    root = drawn(CAVE)
    doors = {
        group.get("data-area"): [
            (door.get("data-from"), door.get("data-to"), door.get("data-ways")) for door in having(group, "door")
        ]
        for group in having(root, "area")
    }
    assert doors["area_003"] == doors["area_004"] == [("area_003", "area_004", "two")]
    assert doors["area_001"] == [("area_006", "area_001", "one")]
    texts = [element.text for element in root.iter(f"{SVG}text")]
    assert "↔ Entry" in texts
    assert "← Temple" in texts


def test_many_doors_to_the_layer_inside_are_one_line_outside_and_a_door_each_inside() -> None:
    inner = area_ids(2, 31)
    view = MapView("", (area("area_001", "Hub", None, inner), *(area(at, "Spoke", "area_001") for at in inner)), ())
    root = drawn(view)
    assert [len(having(group, "door")) for group in having(root, "area")] == [0] + [1] * 30
    assert "30 doors inside" in [element.text for element in root.iter(f"{SVG}text")]
    assert edges(root) == set(graph_of(view).edges)


def test_a_layer_deep_inside_layers_is_no_trouble() -> None:
    assert len(panels(drawn(well(1200)))) == 1201


def test_the_one_to_act_has_a_ring_and_so_has_nobody_else() -> None:
    rings = [(group.get("data-token"), len(having(group, "ring"))) for group in having(drawn(CAVE), "token")]
    assert sorted(rings) == [("id-of-Ana", 1), ("id-of-Borin", 0), ("id-of-Celeste", 0), ("id-of-Keeper", 0)]


def test_each_state_looks_different() -> None:
    looks = set()
    for state in STATES[1:6]:
        group = having(drawn(chain(1, token("Ana", "area_001", state=state, in_party=True))), "token")[0]
        signs = "".join(
            ET.tostring(element, "unicode") for element in group if element.tag in (f"{SVG}circle", f"{SVG}path")
        )
        looks.add(signs)
    assert len(looks) == 5


def test_the_dead_are_crossed_out_and_the_dying_are_red() -> None:
    groups = {group.get("data-token"): group for group in having(drawn(CAVE), "token")}
    assert [who for who, group in groups.items() if having(group, "cross")] == ["id-of-Keeper"]
    assert having(groups["id-of-Borin"], "disc")[0].get("fill") == "#c62828"
    assert having(groups["id-of-Ana"], "disc")[0].get("fill") != "#c62828"


@pytest.mark.parametrize(
    ("hp", "max_hp", "share"),
    [(10, 10, 1.0), (5, 10, 0.5), (99, 10, 1.0), (0, 10, 0), (-3, 10, 0), (5, None, None), (5, 0, None)],
)
def test_the_health_bar_is_as_long_as_what_is_left(hp: int, max_hp: int | None, share: float | None) -> None:
    group = having(drawn(chain(1, token("Ana", "area_001", hp=hp, max_hp=max_hp))), "token")[0]
    bars = [float(element.get("width") or 0) for element in group.iter(f"{SVG}rect")]
    assert len(bars) == (0 if share is None else 1 + (share > 0))
    if share:
        assert bars[1] / bars[0] == pytest.approx(share)


def test_the_legend_explains_what_occurs_and_nothing_else() -> None:
    def legend(view: MapView) -> list[str | None]:
        return [element.text for element in having(panels(drawn(view))[-1][0], "who")]

    assert legend(chain(2)) == ["two-way"]
    everything = ["two-way", "one-way", "door to another layer", "number of a layer"]
    assert legend(CAVE) == [*everything, "party", "others", "acting", "hit points", "dying", "dead"]


def test_those_without_a_place_have_a_panel() -> None:
    panel = panels(drawn(CAVE))[3][0]
    assert having(panel, "heading")[0].text == "Nowhere on the map"
    assert [group.get("data-token") for group in having(panel, "token")] == ["id-of-Celeste"]


@given(maps())
@settings(deadline=None, max_examples=40)
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


@pytest.mark.parametrize(
    "name", ["W" * 500, "The Endless Stair of Kings and Beggars and More", "漢字" * 60, "\ufdfd" * 9, *HOSTILE]
)
def test_labels_fit_their_box(name: str) -> None:
    people = [token(name, "area_001", state=state, hp=123456, max_hp=999999, active=True) for state in STATES]
    inner = (area("area_002", name, "area_001", ["area_001"]),)
    root = drawn(MapView(name, (area("area_001", name), *inner), tuple(people)))
    for group in having(root, "area"):
        left, top, right, bottom = rect(having(group, "card")[0])
        for text in group.iter(f"{SVG}text"):
            style = (text.get("class") or "").split()[0]
            x, y = float(text.get("x") or 0), float(text.get("y") or 0)
            half = 8 if style == "badge" else 0
            assert left <= x - half
            assert x + half + (0 if half else ems(text.text or "") * FONT_SIZES[style]) <= right
            assert top < y <= bottom


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
@settings(deadline=None, max_examples=20)
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


def test_people_in_one_area_stand_below_each_other() -> None:
    people = [token(f"P{number}", "area_001", hp=number) for number in range(20)]
    ys = [float(having(group, "disc")[0].get("cy") or 0) for group in having(drawn(chain(1, *people)), "token")]
    assert all(b - a >= 20 for a, b in pairwise(ys))
