"""Draw a fight as text: its squares with their numbers, and a line for each participant and thing on them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from turnwright.render.battlefield_view import (
    FightView,
    aura_text,
    facts_of,
    hazards_of,
    headline_of,
    place_of,
    prop_text,
    squares_text,
)
from turnwright.render.escape import terminal_safe
from turnwright.render.measure import clip, column_width, columns
from turnwright.rulesets.fifth_edition.fights.battlefield_rows import (
    CURRENT,
    DEAD,
    DIFFICULT,
    DOWN,
    FLOOR,
    HAZARD,
    IN_ASCII,
    OBSTACLE,
    PROP,
    WATER,
    Window,
    column_header,
)

_REACH = "+"
_NAME = 24
_NARROWEST = 50
_GROUND = {OBSTACLE: "obstacle", DIFFICULT: "difficult terrain", WATER: "water", HAZARD: "hazard", PROP: "prop"}


def render_battlefield_text(view: FightView, *, width: int = 100, ascii: bool = False) -> str:
    """Draw a fight, no newline at the end; no line but those of the grid is wider than `width` (at least 50) columns.

    Args:
        view: the fight; its squares are drawn with the marks that `ascii` wants.
        width: terminal columns.
        ascii: the marks beside names are plain ASCII, too.
    """
    width = max(width, _NARROWEST)

    def mark(sign: str) -> str:
        return IN_ASCII.get(sign, sign) if ascii else sign

    below = ["", *_people(view, mark), *_things(view, mark), "", *_signs(view, mark, width)]
    above, below = ([clip(line, width, column_width) for line in lines] for lines in (_title(view), below))
    return "\n".join(line.rstrip() for line in (*above, *_grid(view, mark), *below)).rstrip("\n")


def _title(view: FightView) -> list[str]:
    return [terminal_safe(view.title), terminal_safe(headline_of(view)), ""]


def _grid(view: FightView, mark: Callable[[str], str]) -> Iterator[str]:
    window = view.field.viewport
    gutter = len(str(window.y + window.height - 1))
    for header in column_header(window):
        yield " " * (gutter + 1) + header
    for y, row in enumerate(view.field.rows, window.y):
        yield f"{y:>{gutter}} {_with_reach(view, y, row, window, mark(FLOOR))}"


def _with_reach(view: FightView, y: int, row: str, window: Window, floor: str) -> str:
    if view.reach is None:
        return row
    cells = ((window.x + index, cell) for index, cell in enumerate(row))
    return "".join(_REACH if cell == floor and (x, y) in (view.reach or ()) else cell for x, cell in cells)


def _people(view: FightView, mark: Callable[[str], str]) -> Iterator[str]:
    names = [clip(terminal_safe(figure.name), _NAME, column_width) for figure in view.field.legend]
    places = [place_of(figure.position) for figure in view.field.legend]
    wide, far = max(map(columns, names), default=0), max(map(len, places), default=0)
    for figure, name, place in zip(view.field.legend, names, places, strict=True):
        padded = name + " " * (wide - columns(name))
        sign = mark(CURRENT) if figure.current else " "
        state = mark(DEAD) if figure.dead else mark(DOWN) if figure.down else " "
        side = "enemy" if figure.is_enemy else "ally "
        yield f"{sign}{state} {figure.symbol} {padded}  {side}  {place:<{far}}  {terminal_safe(facts_of(figure))}"


def _things(view: FightView, mark: Callable[[str], str]) -> Iterator[str]:
    things = [f"{mark(PROP)} {prop_text(prop)}" for prop in view.props]
    things += [f"{mark(HAZARD)} {told} {squares_text(squares)}" for told, squares in hazards_of(view.terrain)]
    things += [f"aura: {aura_text(aura)}" for aura in view.auras]
    if things:
        yield ""
    yield from map(terminal_safe, things)


def _signs(view: FightView, mark: Callable[[str], str], width: int) -> Iterator[str]:
    drawn = {cell for row in view.field.rows for cell in row}
    signs = [f"{mark(sign)} {word}" for sign, word in _GROUND.items() if mark(sign) in drawn]
    current = view.current
    if view.reach is not None and current is not None:
        signs.append(f"{_REACH} within reach of {terminal_safe(current.name)}")
    people = view.field.legend
    signs += [f"{mark(CURRENT)} whose turn it is"] if current else []
    signs += [f"{mark(DOWN)} down"] if any(figure.down for figure in people) else []
    signs += [f"{mark(DEAD)} dead"] if any(figure.dead for figure in people) else []
    line = ""
    for sign in signs:
        if line and columns(line) + 3 + columns(sign) > width:
            yield line
            line = ""
        line += ("   " if line else "") + sign
    yield line
