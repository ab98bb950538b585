"""The people, clocks, factions and places in a prompt: less than their documents, never secrets.

Source: docs/tools/scenes.md, "Prompts".
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import NamedTuple

from turnwright.game_master.prompts.quoting import Ours
from turnwright.model.character import Character
from turnwright.model.clock import Clock
from turnwright.model.intrigue import Attitude, Faction, Rumor, Thread
from turnwright.model.location import Location
from turnwright.model.person import WANT_URGENCIES, CharacterChoices, Want
from turnwright.model.scene import Scene, SceneSummary
from turnwright.model.state.overlay import World

_PRONOUNS = {"he_him": Ours("he/him"), "she_her": Ours("she/her"), "they_them": Ours("they/them")}


class PlayerView(NamedTuple):
    """The character whose stress and coin it is about; empty texts where nothing was chosen."""

    id: str
    name: str
    pronouns: str
    archetype: str
    background: str
    stress: int
    room: int
    coin: int
    trauma: tuple[str, ...]


class PersonView(NamedTuple):
    """A character present: identity, main want, manner of speech."""

    id: str
    name: str
    disposition: str
    faction: str | None
    want: Want | None
    voice_notes: str | None
    location: str | None


class ClockView(NamedTuple):
    """A clock that is not full; `last` where one tick is left."""

    id: str
    name: str
    type: str
    filled: int
    segments: int
    last: bool
    consequence: str


class FactionView(NamedTuple):
    """A faction and what it is after now."""

    id: str
    name: str
    attitude: Attitude
    goal: str | None


class PlaceView(NamedTuple):
    """A place, and whose it is."""

    id: str
    name: str
    description: str | None
    features: tuple[str, ...]
    controlled_by: str | None


class SummaryView(NamedTuple):
    """What remains of a stretch of an earlier scene."""

    text: str
    key_moments: tuple[str, ...]
    place: str


def player_view(person: Character, stress_max: int) -> PlayerView:
    """Return what is shown of the acting character."""
    choices: CharacterChoices | None = person.choices
    return PlayerView(
        person.id,
        person.label,
        _pronouns(choices),
        choices.archetype if choices else "",
        choices.background if choices else "",
        person.stress,
        max(0, stress_max - person.stress),
        person.coin,
        tuple(person.trauma),
    )


def _pronouns(choices: CharacterChoices | None) -> str:
    if choices is None:
        return ""
    return _PRONOUNS[choices.pronouns] if isinstance(choices.pronouns, str) else choices.pronouns.custom


def person_view(world: World, person: Character) -> PersonView:
    """Return the view of a character; of several wants, the first among the most urgent."""
    want = max(person.wants, key=lambda want: WANT_URGENCIES.index(want.urgency), default=None)
    faction = world.find(Faction, person.faction) if person.faction else None
    named = faction.name if faction else None
    return PersonView(
        person.id, person.label, person.disposition or "neutral", named, want, person.voice_notes, person.location
    )


def clock_views(world: World, *, visible: bool) -> tuple[ClockView, ...]:
    """Return the clocks that are not full, by id."""
    clocks = (clock for clock in world.all(Clock) if clock.visible is visible and not clock.is_full)
    return tuple(_clock_view(clock) for clock in sorted(clocks, key=lambda clock: clock.id))


def _clock_view(clock: Clock) -> ClockView:
    last = clock.filled == clock.segments - 1
    return ClockView(clock.id, clock.name, clock.type, clock.filled, clock.segments, last, clock.consequence)


def faction_views(world: World) -> tuple[FactionView, ...]:
    """Return all factions with the first goal that each pursues, by id."""
    factions = sorted(world.all(Faction), key=lambda faction: faction.id)
    return tuple(FactionView(one.id, one.name, one.attitude, _pursued(one)) for one in factions)


def _pursued(faction: Faction) -> str | None:
    return next((goal.description for goal in faction.goals if goal.status == "pursuing"), None)


def place_view(world: World, place: Location) -> PlaceView:
    """Return what is shown of a place."""
    owner = world.find(Faction, place.controlled_by) if place.controlled_by else None
    return PlaceView(place.id, place.name, place.description, place.features, owner.name if owner else None)


def summary_views(world: World, newest_first: Iterable[str]) -> tuple[SummaryView, ...]:
    """Return what remains of earlier scenes, the oldest first."""
    summaries = [found for one in newest_first if (found := world.find(SceneSummary, one))]
    return tuple(
        SummaryView(one.text, one.key_moments, name_of(world, Location, one.scene_location))
        for one in reversed(summaries)
    )


def threads_of(world: World) -> tuple[Thread, ...]:
    """Return all threads, by id."""
    return tuple(sorted(world.all(Thread), key=lambda thread: thread.id))


def rumors_of(world: World) -> tuple[Rumor, ...]:
    """Return the rumors that have spread beyond a whisper, by id."""
    return tuple(sorted((one for one in world.all(Rumor) if one.spread != "whisper"), key=lambda rumor: rumor.id))


def names_of(world: World, clock_ids: Iterable[str]) -> tuple[str, ...]:
    """Return the names of clocks."""
    return tuple(name_of(world, Clock, one) for one in clock_ids)


def name_of(world: World, model: type[Character] | type[Clock] | type[Location], identifier: str) -> str:
    """Return the name of a character or thing; the id if it is gone."""
    found: Character | Clock | Location | None = world.find(model, identifier)
    if isinstance(found, Character):
        return found.label
    return found.name if isinstance(found, (Clock, Location)) else identifier


def present_views(world: World, scene: Scene) -> tuple[PersonView, ...]:
    """Return the characters present, without those who have left the world."""
    people = (world.character(one) for one in scene.present)
    return tuple(person_view(world, person) for person in people if person is not None)


def some_places(world: World, most: int) -> tuple[PlaceView, ...]:
    """Return so many places of a world, the first by path."""
    places = (
        found for path in world.paths(Location.collection)[:most] if isinstance(found := world.get(path), Location)
    )
    return tuple(place_view(world, place) for place in places)


def some_people(world: World, most: int) -> tuple[PersonView, ...]:
    """Return so many of the people of a world who live, the first by path."""
    people = (person for person in world.characters() if person.character_type == "npc" and not person.is_dead)
    return tuple(person_view(world, person) for person in islice(people, most))
