"""The cards of a drawn map: doors to other layers, who stands there and how they are, and what the legend says."""

from __future__ import annotations

from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest
from tests.render.drawing import SVG, drawn, edges, graph_of, having, panels, rect
from tests.render.map_samples import CAVE, HOSTILE, STATES, area, area_ids, chain, token

from turnwright.render.map_view import MapView
from turnwright.render.measure import ems

FONT_SIZES = {"name": 13, "soft": 11, "who": 12, "fact": 9.5}


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


def test_people_in_one_area_stand_below_each_other() -> None:
    people = [token(f"P{number}", "area_001", hp=number) for number in range(20)]
    ys = [float(having(group, "disc")[0].get("cy") or 0) for group in having(drawn(chain(1, *people)), "token")]
    assert all(b - a >= 20 for a, b in pairwise(ys))
