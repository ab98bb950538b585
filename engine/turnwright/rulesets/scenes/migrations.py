"""Migrate scene games of earlier formats to the next one. Source: docs/upgrading.md, "Formats"."""

from __future__ import annotations

from turnwright.model.campaign import CREW_PATH
from turnwright.model.crew import Crew, Playing
from turnwright.model.location import Location
from turnwright.model.scene import Scene
from turnwright.model.state.overlay import World
from turnwright.rulesets.core.migrations import migrated_by
from turnwright.rulesets.core.places.lookup import note_arrival
from turnwright.rulesets.migration import ChangedDocuments, Documents


def to_format_2(values: Documents) -> ChangedDocuments:
    """Put party members without a position at their scene's location."""
    return migrated_by(_place_party, values)


def _place_party(world: World) -> None:
    crew = world.get(CREW_PATH)
    if not isinstance(crew, Crew) or not isinstance(crew.phase, Playing):
        return
    scene = world.find(Scene, crew.phase.scene_id)
    place = world.find(Location, scene.location) if scene else None
    if place is None or place.area_id is None:
        return
    for member in world.party():
        if member.position is None:
            world.put(member.replace(position=place.area_id))
    note_arrival(world, place.area_id)
