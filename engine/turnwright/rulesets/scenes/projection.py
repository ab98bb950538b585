"""The part of a scene game that a reader may see: a player, or the game master.

Fields are picked by name: all others stay hidden, and so do fields that are added to documents later.
Source: docs/tools/scenes.md, "What players see".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Literal

from turnwright.model.character import Character
from turnwright.model.clock import Clock
from turnwright.model.crew import Crew, Playing
from turnwright.model.location import Location
from turnwright.model.scene import Scene
from turnwright.model.settings import Settings
from turnwright.model.state.overlay import World
from turnwright.model.strict_json import copied
from turnwright.model.viewer import request_to
from turnwright.rulesets.in_use import settings_in
from turnwright.rulesets.scenes.play import find_crew
from turnwright.rulesets.scenes.precarity import heat_band, precarity, score, stress_band, wanted_band

if TYPE_CHECKING:
    from turnwright.rulesets.scenes.shapes import (
        Gauge,
        PersonInFull,
        PersonInShort,
        PlayerState,
        SharedState,
        ShownClock,
        ShownScene,
        TableState,
    )


def player_state(world: World, character_id: str) -> PlayerState | None:
    """Return the part of the scene game that a character's player may see, as plain JSON; None without a game.

    It contains no hidden clock, no secret, no text to be told later, and no request to another player. A character
    outside the party only watches.
    """
    crew = find_crew(world)
    if crew is None:
        return None
    settings = settings_in(world.campaign)
    party = world.party()
    me = next((member for member in party if member.id == character_id), None)
    others = [member for member in party if member is not me]
    return {
        **_shared(world, crew, settings, me),
        "you": _in_full(me, settings) if me else None,
        "party": [_in_short(member, settings) for member in others],
        "clocks": [_clock(clock) for clock in _current_clocks(world, crew) if clock.visible],
        "request": request_to(copied(crew.as_written["request"]), character_id),
    }


def table_state(world: World) -> TableState | None:
    """Return the state of the scene game for the game master; None without a game."""
    crew = find_crew(world)
    if crew is None:
        return None
    settings = settings_in(world.campaign)
    acting = crew.awaiting.for_ or world.campaign.selected.active_actor_id
    clocks = _current_clocks(world, crew)
    return {
        **_shared(world, crew, settings, world.character(acting) if acting else None),
        "party": [_in_full(member, settings) for member in world.party()],
        "clocks": [{"id": clock.id, **_clock(clock), "visible": clock.visible} for clock in clocks],
        "unresolved_threats": list(crew.unresolved_threats),
        "request": copied(crew.as_written["request"]),
    }


def place_names(world: World, location_ids: Iterable[str]) -> dict[str, str]:
    """Return the names of places by id."""
    found = ((identifier, world.find(Location, identifier)) for identifier in sorted(set(location_ids)))
    return {identifier: place.name for identifier, place in found if place}


def _shared(world: World, crew: Crew, settings: Settings, whose: Character | None) -> SharedState:
    """Return the state that all readers share, except for the precarity of one character."""
    phase, awaiting = crew.phase, crew.awaiting
    danger = score(whose.stress if whose else 0, crew.heat, crew.wanted)
    heat, wanted = heat_band(crew.heat), wanted_band(crew.wanted)
    return {
        "phase": phase.tag,
        "mood": crew.mood.mood if crew.mood else None,
        "awaiting": {"stage": awaiting.stage, "who": _who(awaiting.stage), "for": awaiting.for_},
        "turn": crew.turn,
        "scene": _scene(world, phase.scene_id) if isinstance(phase, Playing) else None,
        "dice_pool": list(crew.dice_pool),
        "heat": _gauge(crew.heat, settings["scene.heat_max"], heat.word if heat else None),
        "wanted": _gauge(crew.wanted, settings["scene.wanted_max"], wanted.word if wanted else None),
        "precarity": precarity(danger).word,
        "suggested_actions": list(crew.suggested_actions),
        "recent_costs": list(crew.recent_costs),
    }


def _who(stage: str) -> Literal["nobody", "player", "game_master"]:
    if stage == "none":
        return "nobody"
    return "player" if stage.startswith("player_") else "game_master"


def _scene(world: World, scene_id: str) -> ShownScene | None:
    scene = world.find(Scene, scene_id)
    if scene is None:
        return None
    people = (world.character(identifier) for identifier in scene.present)
    location = world.find(Location, scene.location)
    return {
        "location": location.name if location else None,
        "present": [person.label for person in people if person],
        "stakes": scene.stakes,
    }


def _current_clocks(world: World, crew: Crew) -> Iterator[Clock]:
    """Yield the running clocks, and the full ones whose consequence is still due."""
    due = {entry.clock_id for entry in crew.pending_consequences}
    return (clock for clock in world.all(Clock) if clock.completed_at_turn is None or clock.id in due)


def _clock(clock: Clock) -> ShownClock:
    return {"name": clock.name, "type": clock.type, "filled": clock.filled, "segments": clock.segments}


def _in_full(person: Character, settings: Settings) -> PersonInFull:
    return {
        **_in_short(person, settings),
        "coin": person.coin,
        "trauma": list(person.trauma),
        "pending_trauma": person.pending_trauma,
    }


def _in_short(person: Character, settings: Settings) -> PersonInShort:
    stress = _gauge(person.stress, settings["scene.stress_max"], stress_band(person.stress).word)
    return {"id": person.id, "name": person.label, "stress": stress}


def _gauge(value: int, most: int, word: str | None) -> Gauge:
    return {"value": value, "max": most, "word": word}
