"""The context pack: one agent's view of a campaign without a scene game.

A pure function of the state and of past messages. Source: docs/stages/0-prepare.md, "The context pack".
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple

from turnwright.game_master.agents import Chosen, DueTurn, people_here
from turnwright.game_master.knowledge.known_world import notes_of
from turnwright.game_master.knowledge.visibility import Line
from turnwright.game_master.prompts.people import (
    MAX_NAME_LENGTH,
    FightView,
    Persona,
    PersonRow,
    Sight,
    clipped,
    fight_view,
    person_row,
    persona_of,
)
from turnwright.game_master.prompts.places import Exit, PlaceRow, area_row, known_places, place_row
from turnwright.game_master.prompts.quoting import Ours
from turnwright.game_master.prompts.token_budget import Budget
from turnwright.game_master.prompts.wishes import Wishes, wishes_of
from turnwright.model.campaign import Protocol
from turnwright.model.character import Character
from turnwright.model.encounter import Encounter
from turnwright.model.note import Note
from turnwright.model.numbered import number_of
from turnwright.model.quest import Quest, QuestStatus, status_tag
from turnwright.model.state.overlay import World
from turnwright.model.wire.agent import NPC_AGENTS, AgentKind
from turnwright.rulesets.fifth_edition.fights.running import fight_now
from turnwright.rulesets.sight import hiding_from

EXCHANGES_OF_PERSONS = 6
MAX_LINE_LENGTH = 4000
"""Characters of one earlier message; of a longer one the beginning is shown."""
_MAX_NOTE_LENGTH = 300
_OPEN: Sequence[QuestStatus] = ("offered", "active")
_BRIDGED = (AgentKind.NARRATIVE, AgentKind.COMBAT)
"""The agents that know of each other's play by summaries alone."""
_IMPORTANCE = ("critical", "high", "medium", "low")


class QuestRow(NamedTuple):
    """An active or offered quest."""

    id: str
    title: str
    status: Ours
    giver: str
    left: tuple[tuple[str, str], ...]


class Heard(NamedTuple):
    """A quoted message with its speaker, empty for the game master's voice."""

    who: str
    text: str


class PackContext(NamedTuple):
    """The variables of the agents' templates."""

    room: Budget
    tools: tuple[Ours, ...]
    hints: bool
    move_from: str
    title: str
    goal: str
    story: str
    actor: PersonRow | None
    is_private: bool
    area: PlaceRow | None
    place: PlaceRow | None
    places: tuple[Exit, ...]
    party: tuple[PersonRow, ...]
    people: tuple[PersonRow, ...]
    quests: tuple[QuestRow, ...]
    notes: tuple[str, ...]
    summaries: tuple[str, ...]
    untold: tuple[Ours, ...]
    fight: FightView | None
    due: DueTurn | None
    ally: str
    persona: Persona | None
    heard: tuple[Heard, ...]
    last_fight: str
    can_quest: Collection[str]
    wishes: Wishes

    def values(self) -> dict[str, Any]:
        """Return what templates are filled in from."""
        return {**self._asdict(), "has": self.has, "shows": self.shows}

    def has(self, *names: str) -> bool:
        """Return whether one of these tools may be asked for."""
        return any(name in self.tools for name in names)

    def shows(self, rank: int, *names: str) -> bool:
        """Return whether there is room for the example of this rank, and all tools it uses are there."""
        return rank <= self.room.examples and all(name in self.tools for name in names)


class Asked(NamedTuple):
    """The input of a pack.

    Attributes:
        chosen: the answering agent.
        actor_id: the character who speaks or acts.
        tools: the tools that may be asked for.
        operations: the operations of `manage_quest` among them.
        due: the turn that is taken without a message, or None.
        lines: the messages that the agent may see, oldest first.
        untold: claims of the last text that no call applied, in lines.
        has_hints: whether there are suggestions for the message.
    """

    chosen: Chosen
    actor_id: str | None
    tools: tuple[str, ...]
    operations: Collection[str] = ()
    due: DueTurn | None = None
    lines: tuple[Line, ...] = ()
    untold: tuple[Ours, ...] = ()
    has_hints: bool = False


def context_of(world: World, asked: Asked, room: Budget) -> PackContext:
    """Return what a prompt of an agent is made from, with as much as there is room for."""
    chosen, campaign = asked.chosen, world.campaign
    speaks = asked.actor_id and asked.due is None and chosen.agent is not AgentKind.SUMMARIZER
    actor = world.character(asked.actor_id) if asked.actor_id and speaks else None
    played = world.character(chosen.npc_id) if chosen.agent in NPC_AGENTS and chosen.npc_id else None
    fight = fight_now(world, asked.actor_id) if chosen.agent is AgentKind.COMBAT else None
    stands = played or actor
    here = stands.position if stands else None
    is_master = chosen.agent not in NPC_AGENTS
    sight: Sight = "all" if is_master else "outside"
    is_member = played is not None and played.id in campaign.selected.party_character_ids
    of_party: Sight = "all" if is_master or is_member else "outside"
    unseen = frozenset() if is_master else hiding_from(world, {played.id} if played else ())
    area = area_row(world, here, room.listed, is_master=is_master) if here and fight is None else None
    place = place_row(world, room.listed, here, is_master=is_master) if fight is None else None
    context = PackContext(
        room=room,
        tools=tuple(map(Ours, asked.tools)),
        hints=asked.has_hints,
        move_from=(campaign.protocol or Protocol()).move_from,
        title=clipped(campaign.title, 120),
        goal=clipped(campaign.goal.text, 300) if is_master else "",
        story=clipped(campaign.milestone.summary, 300) if is_master else "",
        actor=person_row(world, actor, "all" if is_master or is_member else "outside") if actor else None,
        is_private=chosen.private,
        area=area,
        place=place,
        places=_places(world, [area, place], room) if chosen.agent is AgentKind.NARRATIVE else (),
        party=_party(world, of_party, here, room, played, fight, unseen),
        people=_others(world, actor, sight, room, played, unseen) if fight is None else (),
        quests=_quests(world, played, room) if (is_master or played) and fight is None else (),
        notes=_notes(world, played, room) if is_master or played else (),
        summaries=_summaries(asked.lines, room) if chosen.agent in _BRIDGED else (),
        untold=asked.untold,
        fight=fight_view(world, fight, room.listed) if fight else None,
        due=asked.due,
        ally=_name(world, chosen.npc_id) if chosen.is_ally_turn and chosen.npc_id else "",
        persona=persona_of(world, played) if played else None,
        heard=_heard(world, asked.lines, chosen, room),
        last_fight=_fight_of_bridge(world, chosen),
        can_quest=asked.operations,
        wishes=wishes_of(world),
    )
    return context if room.has_details else _plain(context)


def _plain(context: PackContext) -> PackContext:
    """Return a context without descriptions, spells and belongings."""

    def plain(rows: Iterable[PersonRow]) -> tuple[PersonRow, ...]:
        return tuple(row._replace(spells=(), things=(), role="") for row in rows)

    area, place, fight, persona = context.area, context.place, context.fight, context.persona
    if fight:
        fighters = tuple(one._replace(person=plain((one.person,))[0]) for one in fight.fighters)
        fight = fight._replace(fighters=fighters, current=fighters[0])
    if persona:
        persona = persona._replace(row=plain((persona.row,))[0], background="", fears=())
    return context._replace(
        goal="",
        story="",
        actor=plain((context.actor,))[0] if context.actor else None,
        area=area._replace(description="") if area else None,
        place=place._replace(description="") if place else None,
        party=plain(context.party),
        people=plain(context.people),
        fight=fight,
        persona=persona,
    )


# the parts


def _party(
    world: World,
    sight: Sight,
    here: str | None,
    room: Budget,
    but: Character | None,
    fight: Encounter | None,
    unseen: Collection[str],
) -> tuple[PersonRow, ...]:
    """Return the party members shown nowhere else: without the played character and participants of the fight."""
    known = {*unseen, but.id} if but else set(unseen)
    known |= {person.character_id for person in fight.participants if person.character_id} if fight else set()
    members = [one for one in world.party() if one.id not in known]
    return tuple(person_row(world, one, sight, here=here) for one in members[: room.listed])


def _others(
    world: World, actor: Character | None, sight: Sight, room: Budget, but: Character | None, unseen: Collection[str]
) -> tuple[PersonRow, ...]:
    """Return the characters present besides the party and the played one."""
    known = {*world.campaign.selected.party_character_ids, *unseen, *([but.id] if but else [])}
    found = [one for one in people_here(world, but or actor) if one.id not in known]
    return tuple(person_row(world, one, sight)._replace(spells=(), things=()) for one in found[: room.listed])


def _places(world: World, rows: Iterable[PlaceRow | None], room: Budget) -> tuple[Exit, ...]:
    shown = [one for row in rows if row for one in (row.id, *(exit.id for exit in row.exits))]
    return known_places(world, room.known_places, shown) if room.known_places else ()


def _quests(world: World, played: Character | None, room: Budget) -> tuple[QuestRow, ...]:
    """Return the open quests, newest first; an agent-played character knows those it gave."""
    found = [one for status in _OPEN for one in world.all_tagged(Quest, status_tag(status))]
    found = [one for one in found if played is None or one.giver_id == played.id]
    found.sort(key=lambda one: number_of(one.id), reverse=True)
    return tuple(_quest(world, one) for one in found[: room.notes])


def _quest(world: World, quest: Quest) -> QuestRow:
    left = tuple((one.id, clipped(one.text, 120)) for one in quest.objectives if not one.done)
    giver = _name(world, quest.giver_id) if quest.giver_id else ""
    return QuestRow(quest.id, clipped(quest.title, 120), Ours(quest.status), giver, left[:5])


def _notes(world: World, played: Character | None, room: Budget) -> tuple[str, ...]:
    """Return the most important notes, newest first among equals; a character has those tagged as its own."""
    if not room.notes:
        return ()
    found = list(world.all(Note)) if played is None else notes_of(world, played)
    found.sort(key=lambda note: number_of(note.id), reverse=True)
    found.sort(key=lambda note: _IMPORTANCE.index(note.importance))
    return tuple(clipped(note.content, _MAX_NOTE_LENGTH) for note in found[: room.notes])


def _summaries(lines: Sequence[Line], room: Budget) -> tuple[str, ...]:
    told = [clipped(line.text, 600) for line in lines if line.agent is AgentKind.SUMMARIZER]
    return tuple(told[-(room.notes // 4) :]) if room.notes else ()


def _heard(world: World, lines: Sequence[Line], chosen: Chosen, room: Budget) -> tuple[Heard, ...]:
    """Return the messages of others that an agent knows: those outside its own conversation."""
    if chosen.agent is AgentKind.SUMMARIZER:
        kept = last_exchanges(lines, 2 * room.exchanges)
    elif chosen.agent in NPC_AGENTS:
        own = own_exchanges(lines, chosen.npc_id)
        kept = last_exchanges([line for line in lines if line.exchange not in own], room.exchanges // 2)
    else:
        return ()
    return tuple(Heard(_speaker(world, line), clipped(line.text, 600)) for line in kept)


def _speaker(world: World, line: Line) -> str:
    return _name(world, line.speaker_id) if line.role == "player" and line.speaker_id else ""


def own_exchanges(lines: Sequence[Line], npc_id: str | None) -> frozenset[int]:
    """Return the exchanges in which the character spoke."""
    return frozenset(line.exchange for line in lines if line.role == "game_master" and line.speaker_id == npc_id)


def last_exchanges(lines: Sequence[Line], most: int) -> list[Line]:
    """Return the lines of so many exchanges, the last ones."""
    kept = set(list(dict.fromkeys(line.exchange for line in lines))[-most:]) if most > 0 else set()
    return [line for line in lines if line.exchange in kept]


def _fight_of_bridge(world: World, chosen: Chosen) -> str:
    """Return whether the summary leads into a fight or out of one."""
    if chosen.agent is not AgentKind.SUMMARIZER:
        return ""
    return "began" if fight_now(world, None) else "ended"


def _name(world: World, identifier: str) -> str:
    person = world.character(identifier)
    return clipped(person.label if person else identifier, MAX_NAME_LENGTH)
