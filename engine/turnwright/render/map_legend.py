"""Draw the legend of a map: only the signs that occur on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from turnwright.render.map_cards import Atlas
from turnwright.render.map_panel import Panel
from turnwright.render.map_shapes import badge, disc, door, health, num, text_width, words
from turnwright.render.map_view import MapView, TokenView

_LINE = 30
_SIZE = 12
_STATES = {"dying": "dying", "unconscious": "unconscious", "restrained_permanent": "restrained", "dead": "dead"}


@dataclass(frozen=True, slots=True)
class _Sign:
    width: int
    draw: Callable[[float, float], str]


def legend_panel(view: MapView, atlas: Atlas, width: float) -> Panel:
    """Explain the signs in a panel of a given width."""
    parts = [words(22, 30, "Legend", "heading")]
    x, y = 22.0, 44.0
    for text, sign in _entries(view, atlas):
        needed = sign.width + 8 + text_width(text, _SIZE) + 20
        if x + needed > width and x > 22:
            x, y = 22.0, y + _LINE
        parts += [sign.draw(x, y), words(x + sign.width + 8, y + 16, text, "who")]
        x += needed
    return Panel(width, y + _LINE + 14, "".join(parts))


def _entries(view: MapView, atlas: Atlas) -> Iterator[tuple[str, _Sign]]:
    drawn = [link for group in atlas.links.values() for link in group]
    ways = {link.two_way for link in drawn}
    if True in ways:
        yield "two-way", _Sign(40, lambda x, y: _stroke(x, y, "link"))
    if False in ways:
        yield "one-way", _Sign(42, lambda x, y: _stroke(x, y, "link one-way") + _tip(x + 42, y + 12))
    passages = {link.passage for link in drawn}
    if "locked" in passages:
        yield "locked", _Sign(40, lambda x, y: _stroke(x, y, "link locked"))
    if "hidden" in passages:
        yield "hidden", _Sign(40, lambda x, y: _stroke(x, y, "link hidden"))
    if atlas.doors:
        yield "door to another layer", _Sign(10, lambda x, y: door(x, y + 5))
    if len(atlas.layers) > 1:
        yield "number of a layer", _Sign(17, lambda x, y: badge(x, y + 4, 1))
    yield from _people(view)


def _people(view: MapView) -> Iterator[tuple[str, _Sign]]:
    if any(token.in_party for token in view.tokens):
        yield "party", _person(_sample(in_party=True))
    if not all(token.in_party for token in view.tokens):
        yield "others", _person(_sample())
    if any(token.active for token in view.tokens):
        yield "acting", _person(_sample(in_party=True, active=True))
    if any(token.hp is not None and token.max_hp for token in view.tokens):
        yield "hit points", _Sign(36, lambda x, y: health(x, y + 8, _sample(hp=7, max_hp=10)))
    states = {token.state for token in view.tokens}
    for state, word in _STATES.items():
        if state in states:
            yield word, _person(_sample(state=state))


def _person(token: TokenView) -> _Sign:
    return _Sign(20, lambda x, y: disc(x + 10, y + 12, token, 0))


def _sample(
    *,
    state: str = "alive",
    hp: int | None = None,
    max_hp: int | None = None,
    active: bool = False,
    in_party: bool = False,
) -> TokenView:
    return TokenView("", "", None, state, hp, max_hp, active, in_party)


def _stroke(x: float, y: float, style: str) -> str:
    return f'<path class="{style}" d="M{num(x + 2)} {num(y + 12)}h36"/>'


def _tip(x: float, y: float) -> str:
    return f'<path class="head" d="M{num(x)} {num(y)}l-10 4.5v-9z"/>'
