"""Draw the participants of a fight: a token on the grid, and a line in the list of turns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from turnwright.render.battlefield_view import FightView, facts_of, hp_of, place_of, state_of
from turnwright.render.map_panel import Panel
from turnwright.render.map_shapes import fitted, num, shown, text_width, words
from turnwright.rulesets.fifth_edition.fights.battlefield_rows import Figure
from turnwright.rulesets.fifth_edition.space.grid.space import FEET

ROSTER = 300.0
ALLY, ENEMY, DEAD = "#1f6fb2", "#b3592a", "#aeb4bd"
_WELL, _HURT, _CRITICAL = "#3f9a55", "#d89a1d", "#c62828"
_LINE = 46
_INDENT = 22
_BAR = 90
_NAME = 9


def token(figure: Figure, left: float, top: float, square: float) -> str:
    """Draw a participant on the squares it occupies; the first square's corner is at the given point."""
    size = figure.side * square
    x, y, radius = left + size / 2, top + size / 2 - 2, size / 2 - 5
    title = f"<title>{shown(f'{figure.name} {place_of(figure.position)}: {facts_of(figure)}')}</title>"
    parts = [_disc(figure, x, y, radius), _health(figure, x - radius, top + size - 7, 2 * radius)]
    if figure.position.z:
        parts.append(words(left + size - 6, top + 9, f"{FEET * figure.position.z:+d}", "sign bold"))
    return f'<g class="token" data-token="{shown(figure.id)}">{title}{"".join(parts)}</g>'


def names_of(placed: Sequence[tuple[Figure, float, float]], square: float) -> Iterator[str]:
    """Write the names of figures under their tokens.

    A name that would cover another token or name is left out: the list of turns has it, beside the same symbol.

    Args:
        placed: the figures drawn, each with the left and top of its first square.
    """
    taken = [(left, top, left + figure.side * square, top + figure.side * square) for figure, left, top in placed]
    for figure, left, top in placed:
        size = figure.side * square
        name = fitted(figure.name, size + square * 0.9, _NAME)
        half, middle, line = text_width(name, _NAME) / 2, left + size / 2, top + size
        box = (middle - half, line, middle + half, line + _NAME)
        if not any(
            box[0] < other[2] and other[0] < box[2] and box[1] < other[3] and other[1] < box[3] for other in taken
        ):
            taken.append(box)
            yield words(middle, line + 5, name, "under")


def roster_panel(view: FightView) -> Panel:
    """List the participants in initiative order."""
    parts = [words(_INDENT, 30, "In the order of turns", "heading")]
    for index, figure in enumerate(view.field.legend):
        parts.append(_line(figure, 46 + index * _LINE))
    return Panel(ROSTER, 46 + len(view.field.legend) * _LINE + 8, "".join(parts))


def _line(figure: Figure, y: float) -> str:
    left = _INDENT + 34
    room = ROSTER - left - 14
    name = fitted(figure.name, room / (1.08 if figure.current else 1), 12)
    facts = ", ".join(filter(None, (state_of(figure), *figure.conditions, place_of(figure.position))))
    parts = [
        _disc(figure, _INDENT + 12, y + 15, 11),
        words(left, y + 10, name, "who bold" if figure.current else "who"),
        _health(figure, left, y + 15, _BAR),
        words(left + _BAR + 8, y + 21, fitted(hp_of(figure), room - _BAR - 8, 9.5), "fact"),
        words(left, y + 34, fitted(facts, room, 9.5), "fact"),
    ]
    title = f"<title>{shown(f'{figure.name} {facts_of(figure)}')}</title>"
    return f'<g class="turn-of" data-participant="{shown(figure.id)}">{title}{"".join(parts)}</g>'


def _disc(figure: Figure, x: float, y: float, radius: float) -> str:
    color = DEAD if figure.dead else ENEMY if figure.is_enemy else ALLY
    center = f'cx="{num(x)}" cy="{num(y)}"'
    faint = ' fill-opacity="0.45"' if figure.down else ""
    parts = [f'<circle {center} r="{num(radius)}" fill="{color}"{faint}/>']
    if figure.current:
        parts.append(f'<circle class="turn" {center} r="{num(radius + 2)}"/>')
    size = min(radius * 1.15, 26)
    text = shown(figure.symbol)
    place = f'x="{num(x)}" y="{num(y + size * 0.36)}" font-size="{num(size)}"'
    parts.append(f'<text {place} class="symbol">{text}</text>')
    if figure.dead:
        side = radius * 0.8
        step = num(2 * side)
        parts.append(
            f'<path class="strike" d="M{num(x - side)} {num(y - side)}l{step} {step}M{num(x + side)} '
            f'{num(y - side)}l-{step} {step}"/>'
        )
    return "".join(parts)


def _health(figure: Figure, x: float, y: float, width: float) -> str:
    """Draw a participant's remaining hit points, if known."""
    if figure.hp is None or figure.max_hp is None:
        return ""
    share = max(0, figure.hp) / max(1, figure.max_hp)
    color = _WELL if share > 0.5 else _HURT if share > 0.25 else _CRITICAL
    place = f'x="{num(x)}" y="{num(y)}" height="5" rx="2.5"'
    filled = f'<rect {place} width="{num(width * share)}" fill="{color}"/>' if share > 0 else ""
    back = f'<rect {place} width="{num(width)}" fill="#e4e1d8" stroke="#b9b2a2" stroke-width="0.6"/>'
    return back + filled
