"""The places in a context pack: a character's area, and its exits.

Source: docs/stages/0-prepare.md, "The context pack".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from turnwright.game_master.prompts.people import MAX_NAME_LENGTH, clipped
from turnwright.game_master.prompts.quoting import Ours
from turnwright.model.area import Area
from turnwright.model.location import Location
from turnwright.model.state.overlay import World
from turnwright.rulesets.core.geography import place_at
from turnwright.rulesets.core.places import lookup as places
from turnwright.rulesets.core.places.lookup import Way

_MAX_DESCRIPTION_LENGTH = 600


class Exit(NamedTuple):
    """An exit: its destination, and its known properties."""

    id: str
    name: str
    marks: Ours


class PlaceRow(NamedTuple):
    """An area of the map, with what the story adds to it."""

    id: str
    name: str
    description: str
    exits: tuple[Exit, ...]
    marks: Ours


def area_row(world: World, area_id: str, most: int, *, is_master: bool) -> PlaceRow | None:
    """Return an area with its exits; undiscovered ones are shown only to the game master."""
    area, place = world.area(area_id), place_at(world, area_id)
    if area is None or place is None:
        return None
    ways = (way for way in _exits(world, place, is_master=is_master) if world.area(way.other.area_id or ""))
    exits = tuple(_area_exit(world, way, area) for way in islice(ways, most))
    return PlaceRow(
        area.id,
        clipped(area.name, MAX_NAME_LENGTH),
        clipped(place.description or area.description, _MAX_DESCRIPTION_LENGTH),
        exits,
        _kind(place),
    )


def _exits(world: World, place: Location, *, is_master: bool) -> Iterator[Way]:
    """Yield the ways out of a place that the reader knows of."""
    for way in places.exits(places.ways_of(world, place), show_hidden=is_master):
        if is_master or way.other.discovered:
            yield way


def _area_exit(world: World, way: Way, area: Area) -> Exit:
    there = world.area(way.other.area_id or "") or area
    return Exit(there.id, clipped(there.name, MAX_NAME_LENGTH), Ours(_inside(there, area) + _marks(way)))


def _inside(one: Area, area: Area) -> Ours:
    if one.parent_area_id == area.id:
        return Ours(" (inside it)")
    return Ours(" (what it lies in)") if area.parent_area_id == one.id else Ours("")


def place_row(world: World, most: int, but: str | None, *, is_master: bool) -> PlaceRow | None:
    """Return where the party is, unless that is the area shown already; hidden ways are the game master's."""
    here = places.place_of_party(world)
    if here is None or (but is not None and here.area_id == but):
        return None
    ways = islice(_exits(world, here, is_master=is_master), most)
    exits = tuple(Exit(way.other.id, clipped(way.other.name, MAX_NAME_LENGTH), _marks(way)) for way in ways)
    return PlaceRow(
        here.id,
        clipped(here.name, MAX_NAME_LENGTH),
        clipped(here.description or "", _MAX_DESCRIPTION_LENGTH),
        exits,
        _kind(here),
    )


def _marks(way: Way) -> Ours:
    marks = [word for word, holds in (("locked", way.edge.locked), ("not found yet", way.is_secret)) if holds]
    return Ours(f" ({', '.join(marks)})" if marks else "")


def _kind(place: Location) -> Ours:
    known = [place.location_type, f"{place.lighting} light" if place.lighting else None]
    kind = ", ".join(one.replace("_", " ") for one in known if one)
    return Ours(f" ({kind})" if kind else "")


def known_places(world: World, most: int, but: Iterable[str]) -> tuple[Exit, ...]:
    """Return other places of the story that the party knows of, the first by path."""
    left = set(but)
    found = []
    for path in world.paths(Location.collection):
        place = world.get(path)
        if isinstance(place, Location) and place.discovered and not {place.id, place.area_id} & left:
            found.append(Exit(place.id, clipped(place.name, MAX_NAME_LENGTH), Ours("")))
        if len(found) == most:
            break
    return tuple(found)
