"""Maps as text: a tree that fits its width, hides nobody, and cannot be written into by a name."""

from __future__ import annotations

import re

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.render.map_samples import CAVE, HOSTILE, area, area_ids, chain, maps, token, well

from turnwright.render.escape import terminal_safe
from turnwright.render.map_text import render_text
from turnwright.render.map_view import ClosedWay, MapView
from turnwright.render.measure import columns

CAVE_TEXT = """\
The Drowned Caves
6 areas in 3 layers, 4 characters

Area               Name        Exits                                 Here
├─ area_001        Village     <-> area_002, <- area_006 (far)
├─ area_002        Marsh       <-> area_001, -> area_003
└─ area_003        Cave Mouth  <- area_002, <-> area_004 (in)
   ├─ area_004     Entry       <-> area_003 (out), <-> area_005      * Ana 21/28 hp
   │                                                                 + Borin 0/31 hp, dying
   └─ area_005     Black Pool  <-> area_004, -> area_006 (in)
      └─ area_006  Temple      <- area_005 (out), -> area_001 (far)  - Keeper 0 hp, dead

Nowhere on the map:
  + Celeste

* acting   + in the party   - others"""


def test_a_small_map_is_drawn_like_this() -> None:
    assert render_text(CAVE) == CAVE_TEXT


def test_on_narrow_paper_people_get_lines_of_their_own() -> None:
    lines = render_text(CAVE, width=60).splitlines()
    assert "   ├─ area_004     Entry       <-> area_003 (out)" in lines
    assert "   │               + Borin 0/31 hp, dying" in lines


@given(maps(), st.integers(1, 160), st.booleans())
@settings(deadline=None)
def test_no_line_is_wider_than_the_paper_or_ends_in_a_space(view: MapView, width: int, full: bool) -> None:
    for line in render_text(view, width=width, full=full).split("\n"):
        assert columns(line) <= max(width, 50)
        assert line == line.rstrip()


@given(maps())
@settings(deadline=None)
def test_nothing_in_a_name_reaches_the_terminal_as_a_command(view: MapView) -> None:
    text = render_text(view)
    assert terminal_safe(text.replace("\n", " ")) == text.replace("\n", " ")


@given(maps())
@settings(deadline=None)
def test_a_full_map_shows_every_area_and_exactly_the_links_of_the_graph(view: MapView) -> None:
    shown, here = set(), ""
    for line in render_text(
        MapView("", tuple(area(a.id, "Name", a.parent, a.exits) for a in view.areas), ()), full=True
    ).splitlines():
        if row := re.match(r"[│├└─ ]*[├└]─ (area_\d+)", line):
            here = row[1]
            shown.add(here)
        for arrow, there in re.findall(r"(<->|->|<-) (area_\d+)", line):
            shown.update([(here, there)] if "->" in arrow else [])
            shown.update([(there, here)] if "<-" in arrow else [])
    graph: nx.DiGraph[str] = nx.DiGraph([(a.id, exit_) for a in view.areas for exit_ in a.exits])
    assert shown == {*graph.edges, *(a.id for a in view.areas)}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_cannot_forge_a_line(name: str) -> None:
    def view(given: str) -> MapView:
        return MapView(given, (area("area_001", given),), (token(given, "area_001"), token(given, None)))

    assert len(render_text(view(name)).splitlines()) == len(render_text(view("Ana")).splitlines())


def test_a_long_label_is_cut_but_not_what_follows_it() -> None:
    text = render_text(chain(2, token("A" * 500, "area_001", hp=3, max_hp=9, state="dead")))
    assert re.search(r"  - A+… 3/9 hp, dead$", text, re.MULTILINE)


def test_a_long_layer_is_cut_short_but_hides_nobody() -> None:
    text = render_text(chain(100, token("Ana", "area_070")))
    shown = [area_id for area_id in area_ids(1, 100) if re.search(rf"─ {area_id} ", text)]
    assert shown == [*area_ids(1, 12), "area_070"]
    assert "\n└─ ... and 87 more, nobody in or below them" in text


def test_a_layer_of_forty_empty_areas_is_shown_whole() -> None:
    assert "more" not in render_text(chain(40))
    assert "more" not in render_text(chain(41, token("Ana", "area_001")))
    assert "... and 29 more" in render_text(chain(41))
    assert "more" not in render_text(chain(41), full=True)


def test_an_area_is_shown_when_somebody_is_anywhere_below_it() -> None:
    deep = (area("cellar", "Cellar", "area_090"), area("vault", "Vault", "cellar"))
    text = render_text(MapView("", chain(100).areas + deep, (token("Ana", "vault"),)))
    assert "─ area_090" in text
    assert "* Ana" in text or "- Ana" in text


def test_a_hub_lists_its_first_exits_unless_the_map_is_full() -> None:
    spokes = area_ids(2, 30)
    hub = MapView("", (area("area_001", "Hub", None, spokes), *(area(spoke, "Spoke") for spoke in spokes)), ())
    assert "... and 21 more" in render_text(hub)
    assert "more" not in render_text(hub, full=True)


def test_deep_layers_go_on_further_down_and_stay_on_the_paper() -> None:
    text = render_text(well(1500, token("Ana", "area_1500")), width=80)
    assert re.findall(r"─ (area_\d+)", text) == area_ids(1, 1500)
    assert "Inside area_006 (Level 6):\n└─ area_007" in text
    assert max(map(columns, text.splitlines())) <= 80


def test_layers_that_hang_from_nothing_are_headed_by_what_they_miss() -> None:
    text = render_text(MapView("", (area("q", "Q", "gone"), area("a", "A", "b"), area("b", "B", "a")), ()))
    assert "Inside gone (not on the map):\n└─ q" in text
    assert "Inside b (B):\n└─ a" in text


def test_people_at_unknown_areas_are_listed_with_where_they_should_be() -> None:
    assert "Nowhere on the map:\n  - Ana 3 hp (at limbo)" in render_text(chain(1, token("Ana", "limbo", hp=3)))


def test_a_map_without_anything_still_has_a_head() -> None:
    assert render_text(MapView("Void", (), ())) == "Void\n0 areas in 0 layers, 0 characters"


def test_closed_ways_say_why_nobody_goes_there() -> None:
    rooms = (area("hall", "Hall"), area("vault", "Vault"), area("crypt", "Crypt", "hall"))
    closed = (ClosedWay("hall", "vault", True, "locked"), ClosedWay("hall", "crypt", False, "hidden"))
    text = render_text(MapView("The Hall", rooms, (), closed))
    assert re.search(r"hall +Hall +<-> vault \(locked\), -> crypt \(in, hidden\)", text)
    assert re.search(r"vault +Vault +<-> hall \(locked\)", text)
    assert re.search(r"crypt +Crypt +<- hall \(out, hidden\)", text)
