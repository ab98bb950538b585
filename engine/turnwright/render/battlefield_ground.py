"""Draw the squares of a fight: terrain, hazards, props, reach, auras, light, and the participants' tokens on top."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from turnwright.model.encounter import Prop
from turnwright.render.battlefield_people import names_of, token
from turnwright.render.battlefield_view import AuraView, FightView, aura_text, hazard_text, prop_text
from turnwright.render.map_panel import Panel
from turnwright.render.map_shapes import num, shown, words
from turnwright.rulesets.fifth_edition.fights.battlefield_rows import Window
from turnwright.rulesets.fifth_edition.space.grid.space import XY, parse_key

SQUARE = 30
_LEFT, _TOP, _EDGE = 34, 34, 14
_NARROWEST = 200.0
_DARKNESS = {"bright": "", "dim": "0.14", "darkness": "0.34", "magical_darkness": "0.48"}


def ground_panel(view: FightView) -> Panel:
    """Draw the grid with all that is on it."""
    window = view.field.viewport
    wide, high = window.width * SQUARE, window.height * SQUARE
    parts = [_box(_LEFT, _TOP, wide, high, "floor"), *_terrain(view), _mesh(window), *_rulers(window)]
    parts += _reach(view)
    parts += [drawn for aura in view.auras if (drawn := _aura(aura, window))]
    parts += [_prop(prop, window) for prop in view.props if window.has(prop.position.x, prop.position.y)]
    if shade := _DARKNESS.get(view.lighting, ""):
        parts.append(_box(_LEFT, _TOP, wide, high, "light", f' fill-opacity="{shade}" data-light="{view.lighting}"'))
    figures = sorted(view.field.legend, key=lambda figure: (figure.position.z, not figure.dead, figure.current))
    placed = [
        (figure, *_corner((figure.position.x, figure.position.y), window))
        for figure in figures
        if any(window.has(x, y) for x, y in figure.squares)
    ]
    parts += [token(figure, left, top, SQUARE) for figure, left, top in placed]
    parts += names_of(placed, SQUARE)
    return Panel(max(_LEFT + wide + _EDGE, _NARROWEST), _TOP + high + _EDGE, "".join(parts))


def _corner(square: XY, window: Window) -> tuple[float, float]:
    return _LEFT + (square[0] - window.x) * SQUARE, _TOP + (square[1] - window.y) * SQUARE


def _box(x: float, y: float, width: float, height: float, style: str, more: str = "", inside: str = "") -> str:
    size = f'x="{num(x)}" y="{num(y)}" width="{num(width)}" height="{num(height)}"'
    head = f'<rect class="{style}" {size}{more}'
    return f"{head}>{inside}</rect>" if inside else f"{head}/>"


def _terrain(view: FightView) -> Iterator[str]:
    terrain, window = view.terrain, view.field.viewport
    drawn: set[str] = set()
    told = {hazard.position: hazard_text(hazard) for hazard in terrain.hazards}
    kinds: Iterable[tuple[str, str, Iterable[str]]] = (
        ("obstacle", "", terrain.obstacles),
        ("difficult", "", terrain.difficult_terrain),
        ("water", "\u2248", terrain.water),
        ("hazard", "", told),
    )
    for style, sign, keys in kinds:
        for key in keys:
            if key in drawn or not window.has(*parse_key(key)):
                continue
            drawn.add(key)
            left, top = _corner(parse_key(key), window)
            yield _box(left, top, SQUARE, SQUARE, style, f' data-square="{shown(key)}"')
            yield words(left + SQUARE / 2, top + SQUARE * 0.64, sign, "sign") if sign else ""
    for key, text in told.items():
        if window.has(*parse_key(key)):
            left, top = _corner(parse_key(key), window)
            star = words(left + SQUARE / 2, top + SQUARE * 0.72, "*", "sign bold")
            yield f'<g data-hazard="{shown(key)}"><title>{shown(text)}</title>{star}</g>'


def _mesh(window: Window) -> str:
    """Draw the lines between the squares."""
    wide, high = window.width * SQUARE, window.height * SQUARE
    down = (f"M{_LEFT + column * SQUARE} {_TOP}v{high}" for column in range(window.width + 1))
    across = (f"M{_LEFT} {_TOP + row * SQUARE}h{wide}" for row in range(window.height + 1))
    return f'<path class="square" d="{"".join((*down, *across))}"/>'


def _rulers(window: Window) -> Iterator[str]:
    for column in range(window.width):
        yield words(_LEFT + (column + 0.5) * SQUARE, _TOP - 7, str(window.x + column), "ruler")
    for row in range(window.height):
        yield words(_LEFT - 14, _TOP + (row + 0.5) * SQUARE + 3.5, str(window.y + row), "ruler")


def _reach(view: FightView) -> Iterator[str]:
    window = view.field.viewport
    for square in sorted(view.reach or (), key=lambda square: (square[1], square[0])):
        if window.has(*square):
            left, top = _corner(square, window)
            yield _box(left + 1, top + 1, SQUARE - 2, SQUARE - 2, "reach")


def _aura(aura: AuraView, window: Window) -> str:
    """Draw what of an aura the window shows."""
    left, top = max(aura.area.x, window.x), max(aura.area.y, window.y)
    right = min(aura.area.x + aura.area.width, window.x + window.width)
    bottom = min(aura.area.y + aura.area.height, window.y + window.height)
    if left >= right or top >= bottom:
        return ""
    x, y = _corner((left, top), window)
    data, title = f' data-aura="{shown(aura.id)}" rx="6"', f"<title>{shown(aura_text(aura))}</title>"
    return _box(x + 1, y + 1, (right - left) * SQUARE - 2, (bottom - top) * SQUARE - 2, "aura", data, title)


def _prop(prop: Prop, window: Window) -> str:
    left, top = _corner((prop.position.x, prop.position.y), window)
    faint = ' opacity="0.4"' if prop.is_broken or prop.hidden else ""
    box = _box(left + 6, top + 6, SQUARE - 12, SQUARE - 12, "prop", ' rx="3"')
    return f'<g data-prop="{shown(prop.id)}"{faint}><title>{shown(prop_text(prop))}</title>{box}</g>'
