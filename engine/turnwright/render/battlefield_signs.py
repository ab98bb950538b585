"""Draw the legend of a fight: the signs that occur on it, and what props, hazards and auras are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from turnwright.render.battlefield_people import ALLY, DEAD, ENEMY
from turnwright.render.battlefield_view import FightView, aura_text, hazards_of, prop_text, squares_text
from turnwright.render.map_panel import Panel
from turnwright.render.map_shapes import fitted, num, text_width, words

_INDENT = 22.0
_LINE = 26
_MAX_COUNT = 40
_Sign: TypeAlias = Callable[[float, float], str]
"""Draws a sign, its left and top corner given."""


def signs_panel(view: FightView, width: float) -> Panel:
    """Explain the signs in a panel of a given width."""
    parts = [words(_INDENT, 30, "Legend", "heading")]
    x, y = _INDENT, 44.0
    for draw, text in (*_people(view), *_signs(view)):
        needed = 18 + 8 + text_width(text, 12) + 20
        if x + needed > width and x > _INDENT:
            x, y = _INDENT, y + _LINE
        parts.append(draw(x, y + 3))
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


def _people(view: FightView) -> Iterator[tuple[_Sign, str]]:
    figures = view.field.legend
    if any(not figure.is_enemy and not figure.dead for figure in figures):
        yield _disc(f'fill="{ALLY}"'), "ally"
    if any(figure.is_enemy and not figure.dead for figure in figures):
        yield _disc(f'fill="{ENEMY}"'), "enemy"
    if any(figure.dead for figure in figures):
        yield _disc(f'fill="{DEAD}"'), "dead"
    if view.current is not None:
        yield _disc('class="turn"'), "has the turn"


def _signs(view: FightView) -> Iterator[tuple[_Sign, str]]:
    terrain = view.terrain
    if terrain.obstacles:
        yield _box("obstacle"), "obstacle"
    if terrain.difficult_terrain:
        yield _box("difficult"), "difficult terrain"
    if terrain.water:
        yield _box("water"), "water"
    if terrain.hazards:
        yield _box("hazard"), "hazard"
    if view.props:
        yield _box("prop"), "prop"
    if view.auras:
        yield _box("aura"), "aura"
    if view.reach is not None and view.current is not None:
        yield _box("reach"), f"within reach of {view.current.name}"


def _box(style: str) -> _Sign:
    return lambda x, y: f'<rect class="{style}" x="{num(x)}" y="{num(y)}" width="18" height="18"/>'


def _disc(look: str) -> _Sign:
    return lambda x, y: f'<circle cx="{num(x + 9)}" cy="{num(y + 9)}" r="8" {look}/>'


def _things(view: FightView) -> Iterator[str]:
    yield from map(prop_text, view.props)
    yield from (f"{told} {squares_text(squares)}" for told, squares in hazards_of(view.terrain))
    yield from map(aura_text, view.auras)
