"""The world as known to an agent-played character: the people and things that its schemas and hints may name.

It matches the content of the character's prompt. Source: docs/stages/0-prepare.md, "What they may name".
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from turnwright.game_master.agents import Chosen, people_here
from turnwright.game_master.prompts.people import persona_of
from turnwright.game_master.tool_permissions import tools_for
from turnwright.model.character import Character
from turnwright.model.location import Location
from turnwright.model.note import Note
from turnwright.model.quest import Quest
from turnwright.model.state.overlay import World
from turnwright.rulesets.agent_tools import operations_of_agent
from turnwright.rulesets.core.exits import exits_of
from turnwright.rulesets.core.places import lookup as places
from turnwright.rulesets.in_use import tables_of
from turnwright.rulesets.sight import hiding_from


class KnownWorld(NamedTuple):
    """One character's knowledge.

    Attributes:
        tools: the tools it may request.
        operations: by tool, the allowed operations, if not all are.
        people: the names of the character, the party, and visible creatures present, by id.
        owners: the ids of characters whose belongings it knows: its own, and for a member the party's.
        areas: the ids of its area and of the exits that the party has found.
        places: the names of the places that the party or the character knows, by id.
        quests: the titles of the quests it gave, by id.
    """

    tools: Sequence[str]
    operations: Mapping[str, Sequence[str]]
    people: Mapping[str, str]
    owners: Collection[str]
    areas: Collection[str]
    places: Mapping[str, str]
    quests: Mapping[str, str]

    @property
    def ids(self) -> dict[str, Collection[str]]:
        """The ids that a call may name, by the kind of the marks of arguments."""
        return {
            "character": self.people.keys(),
            "participant": self.people.keys(),
            "combatant": self.people.keys(),
            "location": self.places.keys(),
            "quest": self.quests.keys(),
        }


def horizon_of(world: World, chosen: Chosen, actor_id: str | None) -> KnownWorld:
    """Return the knowledge of an agent-played character.

    Args:
        world: the campaign.
        chosen: the character, and the agent that plays it.
        actor_id: the character that the turn acts for: the one speaking to it, or itself.
    """
    npc_id, party = chosen.npc_id, world.campaign.selected.party_character_ids
    played, actor = world.character(npc_id or ""), world.character(actor_id or "")
    own = [npc_id] if npc_id else []
    return KnownWorld(
        tools=tools_for(world, chosen),
        operations=operations_of_agent(tables_of(world.campaign), chosen.agent),
        people={one.id: one.label for one in _people(world, played, actor)},
        owners=frozenset([*own, *party] if npc_id in party else own),
        areas=frozenset(_areas(world, played)),
        places={one.id: one.name for one in _places(world, played)},
        quests={one.id: one.title for one in world.all(Quest) if one.giver_id == npc_id} if npc_id else {},
    )


def notes_of(world: World, person: Character) -> list[Note]:
    """Return a character's notes: those tagged with its id or name."""
    own = {person.id.casefold(), person.label.casefold()}
    return [note for note in world.all(Note) if own & {tag.casefold() for tag in note.tags}]


def _people(world: World, played: Character | None, actor: Character | None) -> Iterator[Character]:
    unseen = hiding_from(world, {played.id} if played else ())
    yield from (one for one in [*world.party(), *people_here(world, played or actor)] if one.id not in unseen)
    yield from (one for one in (played, actor) if one is not None)


def _areas(world: World, played: Character | None) -> Iterator[str]:
    here = world.area(played.position) if played and played.position else None
    if here is not None:
        yield here.id
        yield from (one.id for one in exits_of(world, here, only_known=True))


def _places(world: World, played: Character | None) -> Iterator[Location]:
    stands = places.place_of_party(world)
    if stands is not None:
        yield stands
        yield from (way.other for way in places.exits(places.ways_of(world, stands)))
    told = "\n".join(_told(world, played)) if played else ""
    yield from (one for one in places.some_places(world) if one.discovered or _is_named(one, told))


def _told(world: World, person: Character) -> Iterator[str]:
    """Yield the texts a character got or knows itself: it may reveal places that the party has not found."""
    persona = persona_of(world, person)
    yield from (note.content for note in notes_of(world, person))
    yield from (persona.background, persona.voice, *persona.wants, *persona.fears)


def _is_named(place: Location, text: str) -> bool:
    names = (re.escape(name) for name in (place.id, place.name) if name.strip())
    return re.search(rf"(?<!\w)(?:{'|'.join(names)})(?!\w)", text, re.IGNORECASE) is not None
