"""A fight as rows of symbols, one a square: the base of every picture of it, in any form.

Source: docs/toolkit.md, "Fights".
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from turnwright.model.character import Character
from turnwright.model.encounter import Encounter, Participant, Position
from turnwright.rulesets.fifth_edition.fights.visible_health import look_of
from turnwright.rulesets.fifth_edition.sheets.derived_stats import effective
from turnwright.rulesets.fifth_edition.space.grid.space import SIDE, XY, parse_key
from turnwright.rulesets.health_words import Look

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.shapes import FigureReport

FLOOR, OBSTACLE, DIFFICULT, WATER, HAZARD, PROP = "·", "█", "░", "≈", "*", "◘"
DEAD, DOWN, CURRENT = "†", "○", "▶"
IN_ASCII: Mapping[str, str] = MappingProxyType(
    {FLOOR: ".", OBSTACLE: "#", DIFFICULT: ":", WATER: "~", HAZARD: "*", PROP: "%", DEAD: "x", DOWN: "o", CURRENT: ">"}
)
"""The marks in plain ASCII."""
FOCUS = 15
"""Squares along one side of a window around a participant, where no other size is given."""
_UPPER, _LOWER, _DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz", "123456789"
_NAMELESS_ALLY, _NAMELESS_ENEMY = "@", "&"
_LAST_CASED = "\u052f"
"""Letters beyond the Latin, Greek and Cyrillic ones are too wide, or have no case to tell friend from foe by."""


class Window(NamedTuple):
    """The squares that are shown: the first of them, and how many along each side."""

    x: int
    y: int
    width: int
    height: int

    def has(self, x: int, y: int) -> bool:
        """Return whether a square is inside."""
        return 0 <= x - self.x < self.width and 0 <= y - self.y < self.height


_MARGIN = 3
"""Squares of margin around all participants."""


class Figure(NamedTuple):
    """One participant as the legend shows it; `hp` is never more than `max_hp`, both as they count now.

    Attributes:
        side: how many squares wide and deep it is.
        hp: None for a viewer who must not know it.
        max_hp: the same.
        look: its visible health, whether or not its hit points are known.
        current: whether it is its turn.
    """

    id: str
    symbol: str
    name: str
    position: Position
    side: int
    is_enemy: bool
    hp: int | None
    max_hp: int | None
    temp_hp: int
    bloodied: bool
    look: Look | None
    current: bool
    conditions: tuple[str, ...]

    @property
    def down(self) -> bool:
        """Whether it is at 0 hit points or unconscious, and not dead."""
        return self.look == "down"

    @property
    def dead(self) -> bool:
        """Whether it is dead."""
        return self.look == "dead"

    @property
    def squares(self) -> Iterator[XY]:
        """The squares of the ground that it fills."""
        x, y = self.position.x, self.position.y
        return ((x + i, y + j) for j in range(self.side) for i in range(self.side))

    def to_result(self) -> FigureReport:
        """Return the figure as the results of tools hold it."""
        return {
            "id": self.id,
            "symbol": self.symbol,
            "name": self.name,
            "position": self.position.as_written,
            "hp": self.hp,
            "max_hp": self.max_hp,
            "bloodied": self.bloodied,
            "down": self.down,
            "dead": self.dead,
            "current": self.current,
            "conditions": list(self.conditions),
        }


class Battlefield(NamedTuple):
    """A fight, drawn: the cells of the window row by row, and all participants in turn order.

    Attributes:
        viewport: the window.
        rows: one character a square.
        symbols: by id of the participant.
        legend: all participants, in the window or not.
    """

    viewport: Window
    rows: tuple[str, ...]
    symbols: Mapping[str, str]
    legend: tuple[Figure, ...]


def battlefield(
    encounter: Encounter,
    bodies: Mapping[str, Character],
    *,
    viewport: Window | None = None,
    focus_on: str | None = None,
    ascii: bool = False,
    unseen: Collection[str] = (),
) -> Battlefield:
    """Draw a fight.

    Args:
        encounter: the fight, running or ended.
        bodies: the values of each participant, by its id.
        viewport: the squares to show, clipped to the grid; all of them by default.
        focus_on: a participant to center the window on: of the size of `viewport`, else 15 squares each way.
        ascii: draw with plain ASCII characters only.
        unseen: ids of participants and props that are left out.
    """
    people = [person for person in encounter.participants if person.id not in unseen]
    symbols = symbols_of(people, ascii=ascii)
    legend = tuple(_figure(encounter, person, bodies[person.id], symbols[person.id]) for person in people)
    window = _window(encounter, viewport, next((figure for figure in legend if figure.id == focus_on), None))
    marks = _marks(encounter, unseen)
    if ascii:
        marks = {square: IN_ASCII[mark] for square, mark in marks.items()}
    marks |= {square: figure.symbol for figure in _from_below(legend) for square in figure.squares}
    floor = IN_ASCII[FLOOR] if ascii else FLOOR
    columns = range(window.x, window.x + window.width)
    rows = ("".join(marks.get((x, y), floor) for x in columns) for y in range(window.y, window.y + window.height))
    return Battlefield(window, tuple(rows), MappingProxyType(symbols), legend)


def around_people(field: Battlefield) -> Battlefield:
    """Return the part of a fight that holds all participants, with a margin."""
    squares = [square for figure in field.legend for square in figure.squares]
    window = field.viewport
    if not squares:
        return field
    left = max(window.x, min(x for x, _ in squares) - _MARGIN)
    top = max(window.y, min(y for _, y in squares) - _MARGIN)
    right = min(window.x + window.width, max(x for x, _ in squares) + _MARGIN + 1)
    bottom = min(window.y + window.height, max(y for _, y in squares) + _MARGIN + 1)
    rows = field.rows[top - window.y : bottom - window.y]
    cut = tuple(row[left - window.x : right - window.x] for row in rows)
    return field._replace(viewport=Window(left, top, right - left, bottom - top), rows=cut)


def column_header(window: Window) -> tuple[str, ...]:
    """Return the rows of digits above the columns: the units, below the tens where there are any."""
    columns = range(window.x, window.x + window.width)
    units = "".join(str(x % 10) for x in columns)
    if window.x + window.width <= 10:
        return (units,)
    return ("".join(str(x // 10) if x >= 10 else " " for x in columns), units)


def symbols_of(people: Iterable[Participant], *, ascii: bool = False) -> dict[str, str]:
    """Return a symbol for each participant: allies upper case, enemies lower case, of the name if that letter is free.

    If it is taken, use the first free letter (allies) or digit (enemies); where all are taken, enemies get
    a letter, and the last ones share a mark.
    """
    people = list(people)
    taken: dict[str, str] = {}
    for enemy, spare, last in ((False, _UPPER, _NAMELESS_ALLY), (True, _DIGITS + _LOWER, _NAMELESS_ENEMY)):
        for person in (person for person in people if person.is_enemy is enemy):
            letter = _first_letter(person.name, ascii=ascii)
            wanted = letter.lower() if enemy else letter.upper()
            used = set(taken.values())
            free = (symbol for symbol in (wanted, *spare) if symbol and symbol not in used)
            taken[person.id] = next(free, last)
    return {person.id: taken[person.id] for person in people}


def _first_letter(name: str, *, ascii: bool) -> str:
    """Return the first letter of a name without its accents, or "" where it has none that fits a square."""
    first = next((char for char in name if char.isalpha()), "")
    plain = unicodedata.normalize("NFKD", first)[:1]
    if plain.isascii() and plain.isalpha():
        return plain
    fits = not ascii and first <= _LAST_CASED and len(first.upper()) == len(first.lower()) == 1
    return first if fits and first.upper() != first.lower() else ""


def _figure(encounter: Encounter, person: Participant, body: Character, symbol: str) -> Figure:
    values = effective(body, person.overrides)
    hp, most = values.hp, values.max_hp.effective
    return Figure(
        id=person.id,
        symbol=symbol,
        name=person.name,
        position=person.position,
        side=SIDE[values.size],
        is_enemy=person.is_enemy,
        hp=hp,
        max_hp=most,
        temp_hp=body.temp_hp,
        bloodied=0 < 2 * hp <= most,
        look=look_of(body),
        current=encounter.is_running and person.id == encounter.current.id,
        conditions=body.condition_names,
    )


def _window(encounter: Encounter, viewport: Window | None, focus: Figure | None) -> Window:
    wide, high = encounter.terrain.width, encounter.terrain.height
    if focus is None:
        asked = viewport or Window(0, 0, wide, high)
        left, top = max(0, asked.x), max(0, asked.y)
        right, bottom = min(wide, asked.x + asked.width), min(high, asked.y + asked.height)
        return Window(left, top, max(0, right - left), max(0, bottom - top))
    width, height = (viewport.width, viewport.height) if viewport else (FOCUS, FOCUS)
    width, height = min(width, wide), min(height, high)
    middle = (focus.side - 1) // 2
    left = max(0, min(focus.position.x + middle - width // 2, wide - width))
    top = max(0, min(focus.position.y + middle - height // 2, high - height))
    return Window(left, top, width, height)


def _marks(encounter: Encounter, unseen: Collection[str]) -> dict[XY, str]:
    """Return the terrain and props, by square; the most important comes last."""
    terrain = encounter.terrain
    marks = {parse_key(hazard.position): HAZARD for hazard in terrain.hazards}
    for keys, mark in ((terrain.water, WATER), (terrain.difficult_terrain, DIFFICULT), (terrain.obstacles, OBSTACLE)):
        marks |= {parse_key(key): mark for key in keys}
    props = (prop for prop in encounter.props if not prop.is_broken and prop.id not in unseen)
    marks |= {(prop.position.x, prop.position.y): PROP for prop in props}
    return marks


def _from_below(legend: Sequence[Figure]) -> list[Figure]:
    """Sort the figures so that the visible one of several in a square comes last: the highest, living, standing."""
    ordered = sorted(legend, key=lambda figure: (-figure.position.z, figure.dead, figure.down))
    return ordered[::-1]
