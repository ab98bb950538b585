"""Draw a map as one self-contained SVG document: a panel for each layer, those without a place, a legend."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate

from turnwright.render.map_cards import Atlas, atlas_of
from turnwright.render.map_legend import legend_panel
from turnwright.render.map_panel import Panel, layer_panel
from turnwright.render.map_shapes import CARD_WIDTH, token_strip, words
from turnwright.render.map_view import MapView, summary_of
from turnwright.render.sheet import GAP, MARGIN, TOP, Sheet, framed

_NARROWEST = 546.0
_PAGE_SHAPE = 1.4
_ABREAST = 12


def render_svg(view: MapView) -> str:
    """Draw the map as SVG 1.1; the same map always gives the same bytes, ending in a newline.

    For programs: areas carry `data-area`, characters `data-token`, links and doors `data-from`, `data-to` and
    `data-ways` ("one" or "two"), and closed ones `data-passage` ("locked" or "hidden"). A link inside a layer is drawn
    as a line, any other as a door at its ends.
    """
    atlas = atlas_of(view)
    shelves = _on_a_page([layer_panel(atlas, layer) for layer in atlas.layers])
    width = max(_size(shelves)[0], _NARROWEST)
    if atlas.tokens.get(None):
        shelves.append([_nowhere(atlas, width)])
    shelves.append([legend_panel(view, atlas, width)])
    height = TOP + _size(shelves)[1] + MARGIN
    sheet = Sheet("map", view.title, _description(view, atlas), summary_of(view), width + 2 * MARGIN, height)
    return sheet.drawn(_draw(shelves))


def _on_a_page(panels: Sequence[Panel]) -> list[list[Panel]]:
    """Put panels on shelves so that they come out largest on a landscape page."""
    widest = max((panel.width for panel in panels), default=0.0)
    rows = accumulate(panel.width + GAP for panel in panels[:_ABREAST])
    choices = [_fill(panels, max(widest, row)) for row in (widest, *rows)]
    return min(choices, key=lambda shelves: max(_size(shelves)[0], _PAGE_SHAPE * _size(shelves)[1]))


def _fill(panels: Sequence[Panel], width: float) -> list[list[Panel]]:
    """Put panels side by side and begin a new shelf when one is full."""
    shelves: list[list[Panel]] = []
    left = 0.0
    for panel in panels:
        if not shelves or left + panel.width > width:
            shelves.append([])
            left = 0.0
        shelves[-1].append(panel)
        left += panel.width + GAP
    return shelves


def _size(shelves: Sequence[Sequence[Panel]]) -> tuple[float, float]:
    widths = [sum(panel.width + GAP for panel in shelf) - GAP for shelf in shelves]
    return max(widths, default=0.0), sum(map(_height, shelves)) + GAP * (len(shelves) - 1)


def _height(shelf: Sequence[Panel]) -> float:
    return max(panel.height for panel in shelf)


def _draw(shelves: Sequence[Sequence[Panel]]) -> Iterator[str]:
    """Draw every panel in a frame as high as its shelf."""
    top = float(TOP)
    for shelf in shelves:
        left, height = float(MARGIN), _height(shelf)
        for panel in shelf:
            yield framed(panel, left, top, height)
            left += panel.width + GAP
        top += height + GAP


def _nowhere(atlas: Atlas, width: float) -> Panel:
    """Draw the characters who are not on the map."""
    parts = [words(22, 30, "Nowhere on the map", "heading")]
    abreast = int((width - 20) // CARD_WIDTH)
    strips = [token_strip(token, atlas.party.get(token.id, 0)) for token in atlas.tokens[None]]
    for index, strip in enumerate(strips):
        row, column = divmod(index, abreast)
        parts.append(strip.draw(10 + column * CARD_WIDTH, 42 + row * 34))
    return Panel(width, 42 + 34 * -(-len(strips) // abreast) + 8, "".join(parts))


def _description(view: MapView, atlas: Atlas) -> str:
    """Describe the drawing in words: the numbers of things, and the positions of characters."""
    places = []
    for token in view.tokens:
        area = atlas.areas.get(token.area or "")
        places.append(f"{token.label} is in {area.name}" if area else f"{token.label} is nowhere on the map")
    return ". ".join([f"A map of {summary_of(view)}", *places]) + "."
