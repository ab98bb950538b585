"""The pieces a map drawing is put together from: texts, badges, doors, and the lines of an area's card."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from turnwright.render.escape import terminal_safe, xml_safe
from turnwright.render.map_view import TokenView, condition_of
from turnwright.render.measure import clip, em_width, ems, wrap

CARD_WIDTH = 196
PAD = 12
ACCENTS = ("#3b6ea5", "#8a5a2b", "#3f7f5f", "#7b4f9d", "#a0446b", "#2f7f8c")
OTHER = "#a98f6b"
_PARTY = ("#1f6fb2", "#1b8a6b", "#c2703d", "#8d5fb0", "#c05b91", "#5f7f2e", "#3f8fb8", "#8a6a12")
_DYING, _DEAD, _INK = "#c62828", "#aeb4bd", "#2b2f36"
_INNER = CARD_WIDTH - 2 * PAD
_BAR = 36

STYLE = """
.turnwright-map{font-family:'Helvetica Neue',Helvetica,Arial,'Liberation Sans','DejaVu Sans',sans-serif;fill:#2b2f36}
.turnwright-map .sheet{fill:#ffffff}
.turnwright-map .headline{font:bold 26px Georgia,'Liberation Serif','DejaVu Serif',serif}
.turnwright-map .heading{font:bold 16px Georgia,'Liberation Serif','DejaVu Serif',serif}
.turnwright-map .soft{font-size:11px;fill:#6a7280}
.turnwright-map .summary{font-size:13px;fill:#6a7280}
.turnwright-map .panel{fill:#fbf9f4;stroke:#ded7c8}
.turnwright-map .card{fill:#ffffff;stroke:#8d97a5;stroke-width:1.3}
.turnwright-map .acting-here{stroke:#c8961e;stroke-width:2.4}
.turnwright-map .name{font-size:13px;font-weight:bold}
.turnwright-map .who{font-size:12px}
.turnwright-map .bold{font-weight:bold}
.turnwright-map .fact{font-size:9.5px;fill:#555d69}
.turnwright-map .link{fill:none;stroke:#69727f;stroke-width:2.2}
.turnwright-map .one-way{stroke:#b3592a;stroke-width:1.8}
.turnwright-map .locked{stroke-dasharray:9 5}
.turnwright-map .hidden{stroke-dasharray:1.5 5;stroke-linecap:round}
.turnwright-map .head{fill:#b3592a}
.turnwright-map .badge{font-size:9.5px;font-weight:bold;fill:#ffffff;text-anchor:middle}
"""


@dataclass(frozen=True, slots=True)
class Strip:
    """A horizontal strip of a card: its height, and how to draw it with its upper left corner at a place."""

    height: int
    draw: Callable[[float, float], str]


def num(value: float) -> str:
    """Write a coordinate with at most one decimal."""
    return f"{round(value, 1) + 0.0:.1f}".removesuffix(".0")


def shown(value: str) -> str:
    """Make a text safe to print in the drawing."""
    return xml_safe(terminal_safe(value))


def words(x: float, y: float, content: str, style: str) -> str:
    """Write one line of text from x on, standing on y."""
    return f'<text x="{num(x)}" y="{num(y)}" class="{style}">{shown(content)}</text>'


def fitted(content: str, width: float, size: float) -> str:
    """Cut a text to a width in pixels at a font size."""
    return clip(terminal_safe(content), width / size, em_width)


def badge_width(number: int) -> float:
    """Tell how wide a layer's numbered badge is."""
    return 11.0 + 6 * len(str(number))


def badge(x: float, y: float, number: int) -> str:
    """Draw a layer's numbered badge, 16 high."""
    width, color = badge_width(number), ACCENTS[(number - 1) % len(ACCENTS)]
    return (
        f'<rect class="layer-badge" x="{num(x)}" y="{num(y)}" width="{num(width)}" height="16" rx="8" fill="{color}"/>'
        + words(x + width / 2, y + 11.5, str(number), "badge")
    )


def door(x: float, y: float) -> str:
    """Draw a small door, 9 wide and 12 high."""
    return (
        f'<path d="M{num(x)} {num(y + 12)}v-7.5a4.5 4.5 0 0 1 9 0v7.5z" fill="#d9b98a" stroke="#7a5a2c"/>'
        f'<circle cx="{num(x + 6.7)}" cy="{num(y + 7.5)}" r="1" fill="#7a5a2c"/>'
    )


def name_strip(area_id: str, name: str) -> Strip:
    """Write an area's name, on two lines if need be, and its id."""
    lines = wrap(terminal_safe(name), _INNER / 13 / 1.08, 2, em_width)

    def draw(x: float, y: float) -> str:
        texts = [words(x + PAD, y + 13 + 15 * row, line, "name") for row, line in enumerate(lines)]
        return "".join(texts) + words(x + PAD, y + 12 + 15 * len(lines), fitted(area_id, _INNER, 11), "soft")

    return Strip(15 * len(lines) + 18, draw)


def inside_strip(number: int, text: str) -> Strip:
    """Say that a layer lies inside the area."""

    def draw(x: float, y: float) -> str:
        left = x + PAD + badge_width(number) + 6
        return badge(x + PAD, y + 2, number) + words(left, y + 14, text, "soft bold")

    return Strip(21, draw)


def door_strip(text: str, number: int | None) -> Strip:
    """Draw a door out of the layer, with the badge of the layer it leads to (None: it leads nowhere)."""
    room = _INNER - 16 - (badge_width(number) + 4 if number else 0)

    def draw(x: float, y: float) -> str:
        line = words(x + PAD + 15, y + 14, fitted(text, room, 11), "soft")
        mark = badge(x + CARD_WIDTH - PAD - badge_width(number), y + 2, number) if number else ""
        return door(x + PAD + 1, y + 3) + line + mark

    return Strip(20, draw)


def token_strip(token: TokenView, party_number: int) -> Strip:
    """Draw one character: a disc, the label, and below it a health bar and what there is to say."""
    facts = _facts(token)
    has_bar = token.hp is not None and token.max_hp is not None and token.max_hp > 0
    room = _INNER - 25

    def draw(x: float, y: float) -> str:
        left, middle = x + PAD + 25, y + (14 if facts else 12)
        label = fitted(token.label, room / (1.08 if token.active else 1), 12)
        parts = [disc(x + PAD + 9, middle, token, party_number)]
        parts.append(words(left, y + (12 if facts else 16), label, "who bold" if token.active else "who"))
        parts += [health(left, y + 16, token)] if has_bar else []
        start = left + (_BAR + 6 if has_bar else 0)
        parts += [words(start, y + 23, fitted(facts, room - (start - left), 9.5), "fact")] if facts else []
        title = f"<title>{shown(' '.join(filter(None, (token.label, facts, token.id))))}</title>"
        return f'<g class="token" data-token="{shown(token.id)}">{title}{"".join(parts)}</g>'

    return Strip(30 if facts else 25, draw)


def disc(x: float, y: float, token: TokenView, party_number: int) -> str:
    """Draw a character's disc: colored, marked by its state, ringed if it is the one to act."""
    state = token.state
    color = _PARTY[party_number % len(_PARTY)] if token.in_party else OTHER
    color = {"dying": _DYING, "dead": _DEAD}.get(state or "", color)
    center = f'cx="{num(x)}" cy="{num(y)}"'
    look = f'fill="#ffffff" stroke="{color}" stroke-width="2" stroke-dasharray="3 2"'
    look = look if state == "unconscious" else f'fill="{color}"'
    parts = [f'<circle class="disc" {center} r="8" {look}/>']
    if token.active:
        parts.append(f'<circle class="ring" {center} r="10.3" fill="none" stroke="#c8961e" stroke-width="2"/>')
    if state == "dead":
        cross = f"M{num(x - 4.5)} {num(y - 4.5)}l9 9m0 -9l-9 9"
        parts.append(f'<path class="cross" d="{cross}" stroke="#4a5059" stroke-width="2" fill="none"/>')
    elif state == "restrained_permanent":
        bars = f"M{num(x - 3)} {num(y - 7)}v14m6 -14v14M{num(x - 8)} {num(y)}h16"
        parts.append(f'<path class="bars" d="{bars}" stroke="#ffffff" stroke-width="1.5" fill="none"/>')
    elif initial := terminal_safe(token.label).strip()[:1].upper():
        ink = color if state == "unconscious" else "#ffffff"
        parts.append(
            f'<text x="{num(x)}" y="{num(y + 3.5)}" class="badge" style="fill:{ink}">{xml_safe(initial)}</text>'
        )
    return "".join(parts)


def health(x: float, y: float, token: TokenView) -> str:
    """Draw how many of its hit points a character has left."""
    full = token.max_hp or 1
    share = min(max(token.hp or 0, 0), full) / full
    color = "#3f9a55" if share > 0.5 else "#d89a1d" if share > 0.25 else _DYING
    place = f'x="{num(x)}" y="{num(y + 1)}" height="6" rx="3"'
    filled = f'<rect {place} width="{num(_BAR * share)}" fill="{color}"/>' if share > 0 else ""
    return f'<rect class="bar" {place} width="{_BAR}" fill="#e4e1d8" stroke="#b9b2a2" stroke-width="0.6"/>{filled}'


def _facts(token: TokenView) -> str:
    hp = "" if token.hp is None else f"{token.hp} hp" if token.max_hp is None else f"{token.hp}/{token.max_hp}"
    return " \u00b7 ".join(filter(None, (hp, terminal_safe(condition_of(token)))))


def text_width(content: str, size: float) -> float:
    """Estimate how many pixels a text takes."""
    return ems(terminal_safe(content)) * size
