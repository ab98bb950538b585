"""The input for drawing a campaign's map: plain values, and the layers and links they form."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Passage = Literal["open", "locked", "hidden"]
"""Whether a way can be taken: not while it is locked, or hidden and not found."""


@dataclass(frozen=True, slots=True)
class AreaView:
    """One area; `exits` are the ids it leads to, in any layer."""

    id: str
    name: str
    parent: str | None
    exits: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TokenView:
    """One character; `area` is None for a character who is not on the map."""

    id: str
    label: str
    area: str | None
    state: str | None
    hp: int | None
    max_hp: int | None
    active: bool
    in_party: bool


@dataclass(frozen=True, slots=True)
class ClosedWay:
    """A way between two areas that is closed now, and so not among their exits."""

    source: str
    target: str
    two_way: bool
    passage: Passage


@dataclass(frozen=True, slots=True)
class MapView:
    """A whole map as one reader may see it. Area ids are unique; the given order is the order of display."""

    title: str
    areas: tuple[AreaView, ...]
    tokens: tuple[TokenView, ...]
    closed: tuple[ClosedWay, ...] = ()


@dataclass(frozen=True, slots=True)
class Layer:
    """The areas that share one parent (None: the root); `depth` counts from 0."""

    parent: str | None
    depth: int
    areas: tuple[AreaView, ...]


@dataclass(frozen=True, slots=True)
class Link:
    """A way between two areas; a two-way link is listed once, from the end that comes first on the map."""

    source: str
    target: str
    two_way: bool
    passage: Passage = "open"

    @property
    def label(self) -> str:
        """The ends of the link in words."""
        arrow = "<->" if self.two_way else "->"
        closed = "" if self.passage == "open" else f" ({self.passage})"
        return f"{self.source} {arrow} {self.target}{closed}"


def layers_of(view: MapView) -> tuple[Layer, ...]:
    """List the layers depth first, each after the layer of its parent area.

    Layers whose parent is missing or lies inside itself follow at depth 0, so that no area is lost.
    """
    members: dict[str | None, list[AreaView]] = {}
    for area in view.areas:
        members.setdefault(area.parent, []).append(area)
    known = {area.id for area in view.areas}
    strays = [parent for parent in members if parent is not None and parent not in known]
    found: list[Layer] = []
    for start in (None, *strays, *list(members)):
        found.extend(_descend(members, start))
    return tuple(found)


def _descend(members: dict[str | None, list[AreaView]], start: str | None) -> Iterator[Layer]:
    # A stack, not recursion: maps may nest deeper than the interpreter does.
    waiting = [(start, 0)]
    while waiting:
        parent, depth = waiting.pop()
        areas = tuple(members.pop(parent, ()))
        if areas:
            yield Layer(parent, depth, areas)
        waiting.extend((area.id, depth + 1) for area in reversed(areas))


def links_of(view: MapView) -> tuple[Link, ...]:
    """List every link once, in the order of the areas and their exits, closed ways last; repeated exits count once."""
    ways = dict.fromkeys((area.id, target) for area in view.areas for target in area.exits)
    found: dict[tuple[str, str], Link] = {}
    for source, target in ways:
        if source == target or (target, source) not in found:
            found[source, target] = Link(source, target, source != target and (target, source) in ways)
    drawn = {area.id for area in view.areas}
    shut = (way for way in view.closed if {way.source, way.target} <= drawn)
    return (*found.values(), *(Link(way.source, way.target, way.two_way, way.passage) for way in shut))


def tokens_by_area(view: MapView) -> dict[str | None, tuple[TokenView, ...]]:
    """Group the characters by area; those not on the map, or in an unknown area, are under None."""
    known = {area.id for area in view.areas}
    groups: dict[str | None, list[TokenView]] = {}
    for token in view.tokens:
        groups.setdefault(token.area if token.area in known else None, []).append(token)
    return {area: tuple(group) for area, group in groups.items()}


def condition_of(token: TokenView) -> str:
    """Describe a character's impairment in a word or two; empty for one who is alive and free."""
    if token.state in (None, "", "alive"):
        return ""
    return "restrained" if token.state == "restrained_permanent" else str(token.state).replace("_", " ")


def summary_of(view: MapView) -> str:
    """Say how much there is on the map."""
    layers = count_of(len({area.parent for area in view.areas}), "layer")
    return f"{count_of(len(view.areas), 'area')} in {layers}, {count_of(len(view.tokens), 'character')}"


def count_of(number: int, noun: str) -> str:
    """Put a number before a noun, in the plural where it belongs."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
