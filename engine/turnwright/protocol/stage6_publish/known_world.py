"""The campaign as far as a player knows of it: what they do not know is not there, so it is answered like that.

Source: docs/stages/6-publish.md, "Projections".
"""

from __future__ import annotations

from collections.abc import Collection

from turnwright.model.area import Layer
from turnwright.model.aura import Aura
from turnwright.model.character import Character
from turnwright.model.encounter import RUNNING_TAG, Encounter
from turnwright.model.location import Location
from turnwright.model.note import Note
from turnwright.model.state.overlay import World
from turnwright.world.exits import exits_of


def as_known(world: World) -> World:
    """Return an overlay without the people, places and notes that the party does not know.

    Known are the members, who stands where one of them does, and who fights in a running fight; the places that were
    found, those where members stand, and where known ways lead from there. Notes are the game master's.
    """
    known = World(world)
    people = _strangers(world)
    here = {member.position for member in world.party()}
    places = {place.id for place in world.all(Location) if not place.discovered and place.area_id not in here}
    areas = _unknown_areas(world)
    for stranger in people:
        known.remove(Character.path_of(stranger))
    for path in world.paths(Note.collection):
        known.remove(path)
    for aura in world.all(Aura):
        if aura.owner_id in people:
            known.remove(aura.path)
    for place in world.all(Location):
        if place.id in places:
            known.remove(place.path)
        elif any(edge.to_location_id in places for edge in place.edges):
            edges = [edge for edge in place.edges if edge.to_location_id not in places]
            known.put(place.replace(edges=edges))
    if areas:
        _without_areas(world, known, areas)
    return World(known)  # in which nothing was changed yet


def _strangers(world: World) -> set[str]:
    party = world.party()
    here = {member.position for member in party} - {None}
    met = {member.id for member in party}
    for fight in world.all_tagged(Encounter, RUNNING_TAG):
        met.update(one.character_id for one in fight.participants if one.character_id is not None)
    return {person.id for person in world.characters() if person.id not in met and person.position not in here}


def _unknown_areas(world: World) -> set[str]:
    """Return the areas that are no place that was found, no member stands in, and no known way leads to from there."""
    standing = [area for member in world.party() if member.position and (area := world.area(member.position))]
    known = {area.id for area in standing}
    known.update(area.id for here in standing for area in exits_of(world, here, only_known=True))
    known.update(place.area_id for place in world.all(Location) if place.discovered and place.area_id is not None)
    return {area_id for layer in _layers(world) for area_id in layer.areas} - known


def _layers(world: World) -> list[Layer]:
    return [layer for path in world.paths(Layer.collection) if isinstance(layer := world.get(path), Layer)]


def _without_areas(world: World, known: World, areas: Collection[str]) -> None:
    for layer in _layers(world):
        kept = {
            area.id: area.replace(reachable_area_ids=[each for each in area.reachable_area_ids if each not in areas])
            for area in layer.areas.values()
            if area.id not in areas
        }
        known.put(layer.replace(areas=kept))
