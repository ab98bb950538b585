"""Fights as drawings, read back from the SVG."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest
from tests.render.drawing import SVG, apart, having, panels, rect, within
from tests.render.fight_samples import fight_view
from tests.render.map_samples import HOSTILE

from turnwright.render.battlefield_svg import render_battlefield_svg
from turnwright.render.battlefield_view import FightView
from turnwright.rulesets.fifth_edition.fights.battlefield_rows import Figure, Window

TAGS = {"svg", "title", "desc", "style", "g", "rect", "circle", "path", "text"}


def drawn(view: FightView) -> ET.Element:
    return ET.fromstring(render_battlefield_svg(view))


def at(figure: Figure, x: int, y: int) -> Figure:
    return figure._replace(position=figure.position.model_copy(update={"x": x, "y": y}))


def data(root: ET.Element, name: str) -> list[str]:
    return [value for element in root.iter() if (value := element.get(f"data-{name}")) is not None]


def test_everybody_and_everything_is_drawn_once() -> None:
    root = drawn(fight_view())
    assert Counter(data(root, "token")) == Counter("abc")
    assert data(root, "participant") == ["a", "b", "c"]
    assert data(root, "prop") == ["prop-1"]
    assert data(root, "aura") == ["aura-1"]
    assert Counter(data(root, "square")) == Counter(["5,0", "5,1", "6,5", "7,5", "0,5", "1,5", "2,5"])
    assert data(root, "hazard") == ["0,5", "1,5", "2,5"]
    assert data(root, "light") == ["dim"]
    assert len(having(root, "reach")) == 4 + 1  # and its sign in the legend
    assert len(having(root, "turn")) == 2 + 1  # on the grid, in the list, and its sign in the legend
    assert len(having(root, "strike")) == 2


def test_tokens_stand_on_their_squares() -> None:
    view = fight_view()
    field = view.field
    root = drawn(view)
    floor = rect(having(root, "floor")[0])
    assert (floor[2] - floor[0], floor[3] - floor[1]) == (8 * 30, 6 * 30)
    for group in having(root, "token"):
        figure = next(figure for figure in field.legend if figure.id == group.get("data-token"))
        circle = next(group.iter(f"{SVG}circle"))
        x, y = (float(circle.get(name) or "nan") for name in ("cx", "cy"))
        assert (int(x - floor[0]) // 30, int(y - floor[1]) // 30) == (figure.position.x, figure.position.y)


def test_a_name_that_would_cover_another_is_left_out() -> None:
    view = fight_view()
    first, second, third = view.field.legend
    crowd = (
        at(first, 1, 1)._replace(name="Bartholomew"),
        at(second, 1, 2)._replace(name="Wilhelmina"),
        at(third, 2, 2)._replace(name="Ferdinand"),
        at(first, 5, 4)._replace(id="d", name="Alone"),
    )
    root = drawn(replace(view, field=view.field._replace(legend=crowd)))
    assert sorted(data(root, "token")) == ["a", "b", "c", "d"]
    written = {element.text for element in having(root, "under")}
    assert "Alone" in written
    assert "Bartholomew" not in written  # another stands below
    assert len(written) == 2  # side by side is room for one name
    listed = {element.text for element in having(root, "who")} | {element.text for element in having(root, "bold")}
    assert {figure.name for figure in crowd} <= listed


def test_panels_lie_side_by_side_on_the_sheet() -> None:
    root = drawn(fight_view())
    sheet = rect(having(root, "sheet")[0])
    frames = [rect(having(panel, "panel")[0], offset) for panel, offset in panels(root)]
    assert len(frames) == 3
    assert all(within(frame, sheet) for frame in frames)
    assert all(apart(a, b) for a in frames for b in frames if a is not b)


def test_what_lies_outside_the_window_is_not_drawn() -> None:
    view = fight_view()
    field = view.field._replace(viewport=Window(4, 0, 4, 3), rows=())
    root = drawn(replace(view, field=field, auras=tuple(replace(aura, area=Window(0, 0, 3, 3)) for aura in view.auras)))
    assert data(root, "token") == []
    assert data(root, "prop") == []
    assert data(root, "aura") == []
    assert data(root, "square") == ["5,0", "5,1"]
    assert data(root, "participant") == ["a", "b", "c"]


def test_bright_light_needs_no_shade_and_nobody_acts_once_it_is_over() -> None:
    root = drawn(fight_view(outcome="victory", reach=None, lighting="bright"))
    assert data(root, "light") == []
    assert "within reach" not in ET.tostring(root, encoding="unicode")


def test_the_drawing_stands_alone_and_runs_nothing() -> None:
    source = render_battlefield_svg(fight_view())
    root = ET.fromstring(source)
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= TAGS
    assert not [name for element in root.iter() for name in element.attrib if name.startswith("on") or "href" in name]
    style = root.findtext(f"{SVG}style") or ""
    assert "url(" not in style
    assert "@" not in style
    assert "<!" not in source
    assert source == render_battlefield_svg(fight_view())
    assert not re.search(r"nan|inf\b|e-\d", source)


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_changes_texts_and_nothing_else(name: str) -> None:
    def skeleton(given: str) -> list[tuple[str, list[str]]]:
        root = drawn(fight_view(given, title=given))
        return [(element.tag, sorted(element.attrib)) for element in root.iter() if element.tag != f"{SVG}text"]

    assert skeleton(name.replace("\ud800", "")) == skeleton("Ana")


def test_the_description_says_who_is_where() -> None:
    told = drawn(fight_view()).findtext(f"{SVG}desc") or ""
    assert "round 2" in told
    assert "Ana is at (0,1), 4/10 hp +3, bloodied, prone." in told
