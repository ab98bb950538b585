"""What a context pack shows of places: where somebody is, and where they can go.

Source: docs/stages/0-prepare.md, "The context pack".
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import NamedTuple

from turnwright.game_master.prompts.people import MAX_NAME_LENGTH, clipped
from turnwright.game_master.prompts.quoting import Ours
from turnwright.model.area import Area
from turnwright.model.location import Location
from turnwright.model.state.overlay import World
from turnwright.rulesets.core.exits import exits_of
from turnwright.rulesets.core.places import lookup as places

_MAX_DESCRIPTION_LENGTH = 600


class Exit(NamedTuple):
    """A way out: where it leads, and what is to be known of it."""

    id: str
    name: str
    marks: Ours


class PlaceRow(NamedTuple):
    """A place: an area of the map, or a place of the story."""

    id: str
    name: str
    description: str
    exits: tuple[Exit, ...]
    marks: Ours


def area_row(world: World, area_id: str, most: int, *, is_master: bool) -> PlaceRow | None:
    """Return an area of the map with its ways out; those that nobody has found are shown to the game master alone."""
    area = world.area(area_id)
    if area is None:
        return None
    reached = islice(exits_of(world, area, only_known=not is_master), most)
    exits = tuple(Exit(one.id, clipped(one.name, MAX_NAME_LENGTH), _inside(one, area)) for one in reached)
    return PlaceRow(
        area.id,
        clipped(area.name, MAX_NAME_LENGTH),
        clipped(area.description, _MAX_DESCRIPTION_LENGTH),
        exits,
        Ours(""),
    )


def _inside(one: Area, area: Area) -> Ours:
    if one.parent_area_id == area.id:
        return Ours(" (inside it)")
    return Ours(" (what it lies in)") if area.parent_area_id == one.id else Ours("")


def place_row(world: World, most: int, *, is_master: bool) -> PlaceRow | None:
    """Return where the party is in the story; ways that nobody has found are shown to the game master alone."""
    here = places.place_of_party(world)
    if here is None:
        return None
    ways = places.exits(places.ways_of(world, here), show_hidden=is_master)[:most]
    exits = tuple(Exit(way.other.id, clipped(way.other.name, MAX_NAME_LENGTH), _marks(way)) for way in ways)
    return PlaceRow(
        here.id,
        clipped(here.name, MAX_NAME_LENGTH),
        clipped(here.description or "", _MAX_DESCRIPTION_LENGTH),
        exits,
        _kind(here),
    )


def _marks(way: places.Way) -> Ours:
    told = [word for word, holds in (("locked", way.edge.locked), ("not found yet", way.is_secret)) if holds]
    return Ours(f" ({', '.join(told)})" if told else "")


def _kind(place: Location) -> Ours:
    known = [place.location_type, f"{place.lighting} light" if place.lighting else None]
    told = ", ".join(one.replace("_", " ") for one in known if one)
    return Ours(f" ({told})" if told else "")


def known_places(world: World, most: int, but: Iterable[str]) -> tuple[Exit, ...]:
    """Return other places of the story that the party knows of, the first by path."""
    left = set(but)
    found = []
    for path in world.paths(Location.collection):
        place = world.get(path)
        if isinstance(place, Location) and place.discovered and place.id not in left:
            found.append(Exit(place.id, clipped(place.name, MAX_NAME_LENGTH), Ours("")))
        if len(found) == most:
            break
    return tuple(found)
