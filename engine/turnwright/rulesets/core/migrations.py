"""Migrate campaigns of earlier formats, and places written by hand, to a single geography.

Each function changes the documents of a world from one format to the next. It draws nothing, and the same documents
give the same changes. Source: docs/upgrading.md, "Formats".
"""

from __future__ import annotations

from collections.abc import Callable

from turnwright.model.campaign import CAMPAIGN_PATH, FORMAT, PARTY_PATH
from turnwright.model.dice.draws import PartDice
from turnwright.model.location import Location
from turnwright.model.party import Step
from turnwright.model.state.overlay import InMemorySource, World
from turnwright.rulesets.core.geography import draw_ways, rename_areas, settle
from turnwright.rulesets.core.places import lookup as places
from turnwright.rulesets.migration import ChangedDocuments, Documents, tables_for
from turnwright.store.documents import document_from


def to_format_2(values: Documents) -> ChangedDocuments:
    """Make one geography of two; see `unite_geographies`."""
    return migrated_by(unite_geographies, values)


def migrated_by(change: Callable[[World], None], values: Documents) -> ChangedDocuments:
    """Return the documents that a change alters, as plain JSON by path; None for removed ones.

    Args:
        change: changes a world whose documents are those of `values`.
        values: every document, as plain JSON by path. Documents that the models of this version cannot read are left as
            they are.
    """
    kinds = tables_for(values).documents
    values = {**values, CAMPAIGN_PATH: {**values[CAMPAIGN_PATH], "format": FORMAT}}
    read = ((path, document_from(path, value, kinds)[0]) for path, value in values.items())
    world = World(InMemorySource({path: document for path, document in read if document is not None}))
    change(world)
    return {path: document.value() if document is not None else None for path, document in world.touched.items()}


def unite_geographies(world: World) -> None:
    """Format 1 to 2: every place of the story becomes an area of the map, of its name, and its ways become the map's.

    A way of the story overrides the map's way between the same two areas: while it is locked, or hidden and not found,
    the map has none. Party members without a position are put where the party was.
    """
    if _draw_places(world) or world.has(PARTY_PATH):
        _place_party(world)
        _remember_areas(world)


def keep_one_geography(world: World, dice: PartDice) -> None:
    """Update the map from places that were written by hand: their areas, names and ways."""
    del dice
    _draw_places(world)


def _draw_places(world: World) -> bool:
    """Write every place into the map; return whether there is any."""
    found = places.all_places(world)
    for place in found:
        if place.area_id is None:
            settle(world, place)
    settled = world.each(Location, [place.path for place in found])
    rename_areas(world, settled)
    for place in settled:
        draw_ways(world, place)
    return bool(found)


def _place_party(world: World) -> None:
    last = places.party_of(world).location_id
    there = world.find(Location, last) if last is not None else None
    for member in world.party():
        if there is not None and member.position is None:
            world.put(member.replace(position=there.area_id))


def _remember_areas(world: World) -> None:
    """Record the areas that the party was in, as far as its history tells, and those it sees a way to now."""
    visited = (world.find(Location, step.to_location_id) for step in world.all(Step))
    known = {place.area_id for place in visited if place is not None and place.area_id is not None}
    party = places.party_of(world)
    if known:
        world.put(party.replace(known_area_ids=sorted({*party.known_area_ids, *known})))
    for area_id in dict.fromkeys(member.position for member in world.party()):
        if area_id is not None:
            places.learn_area(world, area_id)
