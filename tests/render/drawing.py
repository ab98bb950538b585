"""Reading a drawn map back: its panels and boxes, where its lines run, which links it shows."""

from __future__ import annotations

import re
from itertools import combinations
from xml.etree import ElementTree as ET

import networkx as nx

from turnwright.render.map_svg import render_svg
from turnwright.render.map_view import MapView

SVG = "{http://www.w3.org/2000/svg}"

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


def inner(box: Rect) -> Rect:
    return box[0] + 1, box[1] + 1, box[2] - 1, box[3] - 1


def points(path: str) -> list[Point]:
    """Walk a path of M, L and Q commands in small steps."""
    walked: list[Point] = []
    for command, numbers in re.findall(r"([MLQ])([^MLQ]*)", path):
        values = [float(number) for number in re.findall(r"-?[\d.]+", numbers)]
        ends = list(zip(values[::2], values[1::2], strict=True))
        start = walked[-1] if walked else ends[0]
        for step in range(1, 2 if command == "M" else 41):
            t = step / 40
            if command == "Q":
                walked.append(between(between(start, ends[0], t), between(ends[0], ends[1], t), t))
            else:
                walked.append(between(start, ends[0], t))
    return walked


def between(a: Point, b: Point, share: float) -> Point:
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


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
            near = [inner(box) if name in own else box for name, box in boxes.items() if not apart(span, box)]
            assert all(apart((x, y, x, y), box) for x, y in line for box in near)
    return root
