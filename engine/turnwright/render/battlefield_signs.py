"""Draw the legend of a fight: the signs that occur on it, and what props, hazards and auras are."""

from __future__ import annotations

from collections.abc import Iterator

from turnwright.render.battlefield_view import FightView, aura_text, hazards_of, prop_text, squares_text
from turnwright.render.map_panel import Panel
from turnwright.render.map_shapes import fitted, num, text_width, words

_INDENT = 22.0
_LINE = 26
_MAX_COUNT = 40


def signs_panel(view: FightView, width: float) -> Panel:
    """Explain the signs in a panel of a given width."""
    parts = [words(_INDENT, 30, "Legend", "heading")]
    x, y = _INDENT, 44.0
    for style, text in _signs(view):
        needed = 18 + 8 + text_width(text, 12) + 20
        if x + needed > width and x > _INDENT:
            x, y = _INDENT, y + _LINE
        parts.append(f'<rect class="{style}" x="{num(x)}" y="{num(y + 3)}" width="18" height="18"/>')
        parts.append(words(x + 26, y + 16, fitted(text, width - _INDENT - 50, 12), "who"))
        x += needed
    y += _LINE if x > _INDENT else 0
    things = list(_things(view))
    for text in things[:_MAX_COUNT]:
        parts.append(words(_INDENT, y + 14, fitted(text, width - 2 * _INDENT, 11), "soft"))
        y += 18
    if len(things) > _MAX_COUNT:
        parts.append(words(_INDENT, y + 14, f"and {len(things) - _MAX_COUNT} more", "soft"))
        y += 18
    return Panel(width, y + 16, "".join(parts))


def _signs(view: FightView) -> Iterator[tuple[str, str]]:
    terrain = view.terrain
    if terrain.obstacles:
        yield "obstacle", "obstacle"
    if terrain.difficult_terrain:
        yield "difficult", "difficult terrain"
    if terrain.water:
        yield "water", "water"
    if terrain.hazards:
        yield "hazard", "hazard"
    if view.props:
        yield "prop", "prop"
    if view.auras:
        yield "aura", "aura"
    if view.reach is not None and view.current is not None:
        yield "reach", f"within reach of {view.current.name}"


def _things(view: FightView) -> Iterator[str]:
    yield from map(prop_text, view.props)
    yield from (f"{told} {squares_text(squares)}" for told, squares in hazards_of(view.terrain))
    yield from map(aura_text, view.auras)
