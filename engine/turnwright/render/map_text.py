"""Draw a map as text: a tree of layers and areas with their exits and the characters there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from turnwright.render.escape import terminal_safe
from turnwright.render.map_columns import Piece, Row, fit, set_columns
from turnwright.render.map_view import (
    AreaView,
    Layer,
    MapView,
    Passage,
    TokenView,
    condition_of,
    count_of,
    layers_of,
    links_of,
    summary_of,
    tokens_by_area,
)
from turnwright.render.measure import clip, column_width

_NARROWEST = 50
_LONG_LAYER = 40
_SHOWN_OF_LONG_LAYER = 12
_MAX_EXITS = 9


@dataclass(frozen=True, slots=True)
class _Plan:
    """The input of the rows. A layer leaves `undrawn` when it is drawn, so none is drawn twice."""

    names: dict[str, str]
    undrawn: dict[str | None, Layer]
    exits: dict[str, list[Piece]]
    tokens: dict[str | None, tuple[TokenView, ...]]
    busy: set[str]
    deepest: int
    full: bool
    postponed: list[Layer] = field(default_factory=list)


def render_text(view: MapView, *, width: int = 100, full: bool = False) -> str:
    """Draw the map as a tree, no line wider than `width` (at least 50) terminal columns, no newline at the end.

    A layer of more than 40 areas without characters in or below them is cut short unless `full`. Layers nested too deep
    to indent continue in a separate block further down.
    """
    width = max(width, _NARROWEST)
    layers, tokens = layers_of(view), tokens_by_area(view)
    plan = _Plan(
        names={area.id: area.name for area in view.areas},
        undrawn={layer.parent: layer for layer in layers},
        exits=_exits(view),
        tokens=tokens,
        busy=_busy(view, tokens),
        deepest=max(2, width // 12),
        full=full,
    )
    rows = list(_rows(plan, layers))
    lines = [clip(terminal_safe(view.title), width, column_width), summary_of(view), ""]
    lines += set_columns(rows, width) if rows else ()
    lines += _footer(view, tokens, width)
    return "\n".join(line.rstrip() for line in lines).rstrip("\n")


def _rows(plan: _Plan, layers: Sequence[Layer]) -> Iterator[Row]:
    """List every row, the blocks of deep layers after everything that could be indented."""
    plan.postponed.extend(layer for layer in layers if layer.depth == 0)
    for layer in plan.postponed:  # grows while it is read
        plan.undrawn.pop(layer.parent, None)
        if layer.parent is not None:
            name = plan.names.get(layer.parent, "not on the map")
            yield from (Row(""), Row("", note=f"Inside {terminal_safe(layer.parent)} ({terminal_safe(name)}):"))
        yield from _layer_rows(plan, layer, "", 1)


def _layer_rows(plan: _Plan, layer: Layer, indent: str, level: int) -> Iterator[Row]:
    shown = _worth_showing(plan, layer.areas)
    hidden = len(layer.areas) - len(shown)
    for index, area in enumerate(shown):
        is_last = index == len(shown) - 1 and not hidden
        tee, bar = ("└─ ", "   ") if is_last else ("├─ ", "│  ")
        inner = plan.undrawn.pop(area.id, None)
        here = tuple(_token(token) for token in plan.tokens.get(area.id, ()))
        name, exits = terminal_safe(area.name), _few(plan.exits.get(area.id, []), plan.full)
        below = indent + bar + ("│" if inner else "")
        yield Row(indent + tee + terminal_safe(area.id), below, name, exits, here)
        if inner and level < plan.deepest:
            yield from _layer_rows(plan, inner, indent + bar, level + 1)
        elif inner:
            plan.postponed.append(inner)
            yield Row(indent + bar + "└─ ", note=f"{count_of(len(inner.areas), 'area')} inside, see below")
    if hidden:
        yield Row(indent + "└─ ", note=f"... and {hidden} more, nobody in or below them")


def _worth_showing(plan: _Plan, areas: tuple[AreaView, ...]) -> list[AreaView]:
    quiet = [area.id for area in areas if area.id not in plan.busy]
    if plan.full or len(quiet) <= _LONG_LAYER:
        return list(areas)
    kept = plan.busy.union(quiet[:_SHOWN_OF_LONG_LAYER])
    return [area for area in areas if area.id in kept]


def _busy(view: MapView, tokens: dict[str | None, tuple[TokenView, ...]]) -> set[str]:
    """Find the areas with a character in them or in any layer below them."""
    parents = {area.id: area.parent for area in view.areas}
    busy: set[str] = set()
    for area in tokens:
        while area in parents and area not in busy:
            busy.add(area)
            area = parents[area]
    return busy


def _exits(view: MapView) -> dict[str, list[Piece]]:
    areas = {area.id: area for area in view.areas}
    exits: dict[str, list[Piece]] = {}
    for link in links_of(view):
        source, target = areas[link.source], areas.get(link.target)
        arrow = "<->" if link.two_way else "->"
        exits.setdefault(source.id, []).append(_exit(arrow, source, link.target, target, link.passage))
        if target and target is not source:
            back = arrow if link.two_way else "<-"
            exits.setdefault(target.id, []).append(_exit(back, target, source.id, source, link.passage))
    return exits


def _exit(arrow: str, here: AreaView, there_id: str, there: AreaView | None, passage: Passage) -> Piece:
    notes = [_whereabouts(here, there), "" if passage == "open" else passage]
    note = ", ".join(filter(None, notes))
    return f"{arrow} {terminal_safe(there_id)}", f" ({note})" if note else ""


def _whereabouts(here: AreaView, there: AreaView | None) -> str:
    if there is None:
        return "missing"
    if there.parent == here.parent:
        return ""
    if there.parent == here.id:
        return "in"
    return "out" if here.parent == there.id else "far"


def _few(exits: list[Piece], full: bool) -> tuple[Piece, ...]:
    """Cut a long list of exits short; the areas they lead to show the same links."""
    if full or len(exits) <= _MAX_EXITS:
        return tuple(exits)
    return (*exits[: _MAX_EXITS - 1], (f"... and {len(exits) - _MAX_EXITS + 1} more", ""))


def _token(token: TokenView) -> Piece:
    mark = "*" if token.active else "+" if token.in_party else "-"
    facts = [] if token.hp is None else [f"{token.hp} hp" if token.max_hp is None else f"{token.hp}/{token.max_hp} hp"]
    facts += [terminal_safe(condition)] if (condition := condition_of(token)) else []
    return f"{mark} {terminal_safe(token.label)}", f" {', '.join(facts)}" if facts else ""


def _footer(view: MapView, tokens: dict[str | None, tuple[TokenView, ...]], width: int) -> list[str]:
    lost = tokens.get(None, ())
    pieces = [(*_token(token), f" (at {terminal_safe(token.area)})" if token.area else "") for token in lost]
    lines = ["", "Nowhere on the map:"] if lost else []
    lines += [f"  {fit((label, facts + at), width - 2)}" for label, facts, at in pieces]
    return [*lines, "", "* acting   + in the party   - others"] if view.tokens else lines
