"""Draw one layer as a titled panel: its cards on a grid and the links between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import hypot

from turnwright.render.map_cards import Atlas, Card, card_of, draw_card, link_data, link_title
from turnwright.render.map_layout import Cell, place
from turnwright.render.map_route import Box, Grid, Lanes, Point, Route, flatten, route
from turnwright.render.map_shapes import CARD_WIDTH, badge, badge_width, fitted, num, words
from turnwright.render.map_view import Layer, Link, count_of

_FIRST_LANE, _BELOW = 62, 18
_FRAME = 52
_INDENT = 22
_BETWEEN_COLUMNS, _BETWEEN_ROWS = 66, 54
_ARROW = 10.0
_CORNER = 9.0


@dataclass(frozen=True, slots=True)
class Panel:
    """A part of the sheet without its frame, drawn with its upper left corner at 0, 0."""

    width: float
    height: float
    svg: str


def layer_panel(atlas: Atlas, layer: Layer) -> Panel:
    """Draw a layer."""
    cards = [card_of(atlas, area) for area in layer.areas]
    index = {area.id: at for at, area in enumerate(layer.areas)}
    links = atlas.links.get(layer.parent, ())
    cells = place(len(cards), [(index[link.source], index[link.target]) for link in links])
    grid = _grid(cards, cells)
    width = grid.columns[-1] + _FRAME - _BETWEEN_COLUMNS / 2
    height = grid.rows[-1] + _BELOW
    parts = [_heading(atlas, layer, width)]
    lanes = Lanes()
    parts += [_line(link, route(grid, cells[index[link.source]], cells[index[link.target]], lanes)) for link in links]
    for card, cell in zip(cards, cells, strict=True):
        parts.append(draw_card(card, grid.boxes[cell].x, grid.boxes[cell].y))
    return Panel(width, height, "".join(parts))


def _grid(cards: Sequence[Card], cells: Sequence[Cell]) -> Grid:
    tall: dict[int, int] = {}
    for card, (_, row) in zip(cards, cells, strict=True):
        tall[row] = max(tall.get(row, 0), card.height)
    steps = [tall[row] + _BETWEEN_ROWS for row in range(len(tall))]
    rows = list(accumulate(steps, initial=_FIRST_LANE))
    wide = 1 + max(column for column, _ in cells)
    columns = [_FRAME - _BETWEEN_COLUMNS / 2 + column * (CARD_WIDTH + _BETWEEN_COLUMNS) for column in range(wide + 1)]
    boxes = {}
    for card, (column, row) in zip(cards, cells, strict=True):
        top = (rows[row] + rows[row + 1] - card.height) / 2
        boxes[column, row] = Box(columns[column] + _BETWEEN_COLUMNS / 2, top, CARD_WIDTH, card.height)
    return Grid(boxes, columns, rows)


def _heading(atlas: Atlas, layer: Layer, width: float) -> str:
    number = atlas.numbers[layer.parent]
    left = _INDENT + badge_width(number) + 9
    size = count_of(len(layer.areas), "area")
    if layer.parent is None:
        title, note = "Top layer", size
    elif parent := atlas.areas.get(layer.parent):
        title, note = f"Inside {parent.name}", f"{layer.parent} in layer {atlas.numbers[parent.parent]} \u00b7 {size}"
    else:
        title, note = f"Inside {layer.parent}", f"not on the map \u00b7 {size}"
    room = width - left - _INDENT
    texts = words(left, 30, fitted(title, room / 1.15, 16), "heading") + words(left, 46, fitted(note, room, 11), "soft")
    return badge(_INDENT, 17, number) + texts


def _line(link: Link, way: Route) -> str:
    style = "link" if link.two_way else "link one-way"
    style += "" if link.passage == "open" else f" {link.passage}"
    head = "" if link.two_way else _head(way)
    return f'<g {link_data(link)} class="way">{link_title(link)}<path class="{style}" d="{_path(way)}"/>{head}</g>'


def _path(way: Route) -> str:
    first, *rest = way.points
    if way.is_curve:
        return f"M{_at(first)}Q{_at(rest[0])} {_at(rest[1])}"
    steps = [f"M{_at(first)}"]
    for before, corner, after in zip(way.points, way.points[1:], way.points[2:], strict=False):
        steps.append(f"L{_at(_near(corner, before))}Q{_at(corner)} {_at(_near(corner, after))}")
    return "".join(steps) + f"L{_at(rest[-1])}"


def _near(corner: Point, other: Point) -> Point:
    """Find the point where the rounding of a corner begins."""
    length = hypot(other[0] - corner[0], other[1] - corner[1])
    share = min(_CORNER, length / 2) / length if length else 0.0
    return corner[0] + (other[0] - corner[0]) * share, corner[1] + (other[1] - corner[1]) * share


def _head(way: Route) -> str:
    (x, y), before = way.points[-1], flatten(way)[-2]
    length = hypot(x - before[0], y - before[1]) or 1.0
    across, down = (x - before[0]) / length * _ARROW, (y - before[1]) / length * _ARROW
    left, right = (
        (x - across - down * 0.45, y - down + across * 0.45),
        (x - across + down * 0.45, y - down - across * 0.45),
    )
    return f'<path class="head" d="M{_at((x, y))}L{_at(left)}L{_at(right)}z"/>'


def _at(point: Point) -> str:
    return f"{num(point[0])} {num(point[1])}"
