"""What tests of openings begin with: a crew at a point of the game, and documents as a game master hands them in."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from turnwright.model.base import Document
from turnwright.model.dice.draws import Dice
from turnwright.model.settings import settings_of
from turnwright.model.state.overlay import InMemorySource, World
from turnwright.rulesets.registry import BUILT_IN
from turnwright.rulesets.scenes.play import Play
from turnwright.store.documents import document_from

Json = Any
CHOICES = {"name": "Ash Vale", "pronouns": "they_them", "archetype": "lurk", "background": "a roof-runner"}
SCENARIO: Json = {
    "fate_narration": "The lamp goes out behind you.",
    "opening_thread": "Rain drums on the tannery roof.",
    "opening_hook": "The watch is at the door.",
    "clocks": [
        {"from_card": "past", "name": "The Debt", "segments": 4, "filled": 2, "consequence": "They come to collect."},
        {"from_card": "present", "name": "The Raid", "segments": 6, "filled": 1, "consequence": "The doors give."},
        {"id": "way-out", "from_card": "future", "name": "A Way Out", "segments": 8, "consequence": "The ship sails."},
    ],
    "starting_stress": 2,
    "starting_coin": 1,
    "starting_heat": 2,
    "starting_wanted": 1,
    "starting_trauma": "Haunted",
    "locations": [
        {"id": "tannery", "name": "The Tannery", "description": "It stinks.", "controlled_by": "lampblacks"},
        {"id": "quay", "name": "The Quay", "features": ["cranes", "fog"]},
    ],
    "factions": [
        {"id": "lampblacks", "name": "Lampblacks", "attitude": "wary", "goal": "hold the canal", "secrets": ["a mole"]},
        {"id": "watch", "name": "The Watch", "goal": "an arrest"},
    ],
    "npcs": [
        {"id": "harrow", "name": "Mother Harrow", "faction": "lampblacks", "location": "tannery", "want": "her son"},
        {"id": "pell", "name": "Pell", "want": "out", "fear": "the dark", "knows": ["the code"], "voice_notes": "slow"},
    ],
    "scene_location": "tannery",
    "scene_present_npcs": ["harrow"],
    "scene_stakes": "get out unseen",
    "suggested_actions": ["Talk to Harrow", "Through the skylight"],
}
SCENE: Json = {
    "location_id": "quay",
    "present_npcs": ["harrow"],
    "stakes": "find the ship",
    "style": {"class": "gutter"},
    "variant": {"variant": "encounter", "source": "a customs man", "urgency": "high"},
    "opening_narration": "Fog eats the lamps one by one.",
    "suggested_actions": ["Ask for the captain", "Wait in the dark"],
}
PC: Json = {"id": "character-1", "name": "Ash", "hp": 10}


def changed(document: Json, **changes: Any) -> Json:
    """Return a document with some keys changed; a double underscore leads into lists and objects, None takes away."""
    result = deepcopy(document)
    for path, value in changes.items():
        *steps, last = (int(step) if step.isdigit() else step for step in path.split("__"))
        place: Any = result
        for step in steps:
            place = place[step]
        if value is None and isinstance(place, dict):
            place.pop(last, None)
        else:
            place[last] = value
    return result


def world_of(crew: Json, documents: Mapping[str, Json] | None = None, **campaign: Any) -> World:
    """Return a campaign with this crew and these further documents."""
    values: dict[str, Json] = {"campaign.json": {"format": 2, "id": "c"} | campaign, "crew.json": crew}
    values |= documents or {}
    found: dict[str, Document] = {}
    for path, value in values.items():
        document, problems = document_from(path, value, BUILT_IN.documents)
        assert document is not None, problems
        found[path] = document
    return World(InMemorySource(found))


def play_of(world: World, acting_id: str | None = None, settings: Json | None = None) -> Play:
    """Return one part of a turn at work, with fixed dice."""
    return Play(
        world, Dice(b"s", "1").part(1), settings_of(settings or {}, BUILT_IN.settings), acting_id, seq=1, cause="output"
    )


def told(play: Play) -> list[tuple[str, dict[str, Any]]]:
    """Return type and data of each event."""
    return [(event.type, dict(event.data)) for event in play.events]


def values(world: World) -> dict[str, Any]:
    """Return what was put into a world, as plain JSON by path."""
    return {path: document.value() if document else None for path, document in world.touched.items()}
