"""Choose the agent that answers a message, and the character it plays.

Source: docs/agents.md, "The agents".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from turnwright.llm.port import Limits
from turnwright.model.base import name_tag
from turnwright.model.campaign import CREW_PATH
from turnwright.model.character import Character
from turnwright.model.settings import Settings, settings_of
from turnwright.model.state.overlay import World
from turnwright.model.wire.agent import NPC_AGENTS, AgentKind
from turnwright.rulesets.core.geography import place_at
from turnwright.rulesets.core.places.lookup import place_of_party
from turnwright.rulesets.core.summary import people_at
from turnwright.rulesets.fifth_edition.fights.running import fight_now, find_body
from turnwright.rulesets.sight import unseen_by_party

_MENTION = re.compile(r"(?<![\w@])@([\w'’.-]{1,80}(?: [\w'’-]{1,80}){0,3})")


class Chosen(NamedTuple):
    """The chosen agent.

    Attributes:
        agent: the agent.
        npc_id: the character it plays: the addressee, or the ally whose turn it is.
        addressees: all addressed characters, who hear it, in the order in which they were named.
        private: only the addressees hear it.
        is_ally_turn: the message describes the action of an ally of the party in a fight.
    """

    agent: AgentKind
    npc_id: str | None = None
    addressees: tuple[str, ...] = ()
    private: bool = False
    is_ally_turn: bool = False


class DueTurn(NamedTuple):
    """A turn in a fight that an agent takes unprompted: that of an enemy, or of an ally without a player."""

    encounter_id: str
    participant_id: str
    character_id: str | None
    name: str
    side: Literal["enemy", "ally"]

    @property
    def acting_id(self) -> str:
        """The acting id: a character's, or that of a participant without a character."""
        return self.character_id or self.participant_id


# who answers


def choose_agent(
    world: World,
    message: str,
    *,
    settings: Settings | None = None,
    actor_id: str | None = None,
    addressees: Iterable[str] = (),
    private: bool = False,
) -> Chosen:
    """Return the agent that answers a message.

    It is a present character named with `@`; else, in a fight, the agent of fights; else the narrative agent. In a
    scene game the game master plays all characters.

    Args:
        world: the campaign.
        message: the player's message.
        settings: the settings in force; by default the campaign's own.
        actor_id: the speaker; by default the active character.
        addressees: the addressed characters, if known; by default those that it names.
        private: whether only the addressees hear it.
    """
    speaker = world.character(actor_id or world.campaign.selected.active_actor_id or "")
    named = tuple(addressees) or (person.id for person in _addressed(world, message, speaker))
    addressed = tuple(dict.fromkeys(named))
    if world.get(CREW_PATH) is not None:
        return Chosen(AgentKind.NARRATIVE, None, addressed, private)
    played = next((one for one in addressed if _is_played(world.character(one))), None)
    if played is not None:
        settings = settings or settings_of(world.campaign.settings)
        return Chosen(agent_of(settings, played), played, addressed, private)
    fight = fight_now(world, speaker.id if speaker else None)
    if fight is None:
        return Chosen(AgentKind.NARRATIVE, None, addressed, private)
    current = fight.current
    is_ally = not current.is_enemy and _is_played(find_body(world, current))
    acting = (current.character_id or current.id) if is_ally else None
    return Chosen(AgentKind.COMBAT, acting, addressed, private, is_ally)


def chosen_as(world: World, settings: Settings, agent: AgentKind, default: Chosen) -> Chosen:
    """Return the choice with another agent; an agent that plays a character gets one to play."""
    if agent == default.agent:
        return default
    if agent not in NPC_AGENTS:
        return Chosen(agent, None, default.addressees, default.private)
    fitting = (
        one for one in people_here(world, None) if _is_played(one) and not one.is_dead and one.character_type != "enemy"
    )
    found = sorted((one.id for one in fitting), key=lambda one: (agent_of(settings, one) != agent, one))
    played = default.npc_id or (found[0] if found else None)
    return Chosen(agent, played, default.addressees or ((played,) if played else ()), default.private)


def agent_of(settings: Settings, character_id: str) -> AgentKind:
    """Return the agent of a non-player character: its own, or the one that minor characters share."""
    own: Sequence[str] = settings["agents.individual_npcs"]
    return AgentKind.NPC_INDIVIDUAL if character_id in own else AgentKind.NPC_PUPPETEER


def find_addressee(world: World, message: str, actor_id: str | None = None) -> str | None:
    """Return the addressee of a message that begins with `@` and a name; None if no other character of that name is
    there.

    Args:
        world: the campaign.
        message: what the player says.
        actor_id: who says it; by default the active character.
    """
    found = _MENTION.match(message)
    speaker = world.character(actor_id or world.campaign.selected.active_actor_id or "")
    return next((person.id for person in _addressed(world, found[0], speaker)), None) if found else None


def _addressed(world: World, message: str, speaker: Character | None) -> Iterator[Character]:
    if "@" not in message:
        return
    unseen = unseen_by_party(world)
    here = [one for one in people_here(world, speaker) if one.id not in unseen]
    for found in _MENTION.finditer(message):
        words = found[1].rstrip(".").split()
        for length in range(len(words), 0, -1):
            person = _named(here, " ".join(words[:length]))
            if person is not None:
                if (speaker is None or person.id != speaker.id) and not person.is_dead:
                    yield person
                break


def _named(here: Sequence[Character], name: str) -> Character | None:
    """Return the character meant by id, by full name, or by a word that occurs in only one name."""
    wanted = {name_tag(name), name_tag(name.replace("_", " "))}
    for one in here:
        if one.id == name or name_tag(one.label) in wanted:
            return one
    partly = [one for one in here if wanted & {name_tag(word) for word in one.label.split()}]
    return partly[0] if len(partly) == 1 else None


def people_here(world: World, speaker: Character | None) -> list[Character]:
    """Return the characters in an actor's area, sorted by id; by default in the active character's."""
    speaker = speaker or world.character(world.campaign.selected.active_actor_id or "")
    place = speaker.position if speaker else None
    known = [*(people_at(world, place) if place else world.party()), *_off_the_map(world, place)]
    found = {one.id: one for one in [*known, *(member for member in world.party() if _is_with(member, place))]}
    return [found[one] for one in sorted(found)]


_MAX_LOOKED_AT = 500


def _off_the_map(world: World, area_id: str | None) -> Iterator[Character]:
    """Yield characters located in an area by story place, not by the map; for no area, also those in no place.

    The people of a scene game have a place of the story, and no position.
    """
    if len(world.paths(Character.collection)) > _MAX_LOOKED_AT:
        return
    here = place_at(world, area_id) if area_id else place_of_party(world)
    for one in world.characters():
        if one.position is None:
            is_here = here is not None and one.location == here.id
            if is_here or (area_id is None and (one.location is None or here is None)):
                yield one


def _is_with(member: Character, place: str | None) -> bool:
    return place is None or member.position is None or member.position == place


def _is_played(person: Character | None) -> bool:
    """Return whether agents play a character: all except players' characters."""
    return person is not None and person.character_type != "pc"


# fights


def due_agent_turn(world: World) -> DueTurn | None:
    """Return the turn in a fight that an agent takes now; None if it is a player's, or without a fight."""
    fight = fight_now(world, world.campaign.selected.active_actor_id)
    if fight is None:
        return None
    current = fight.current
    body = find_body(world, current)
    bodies = (find_body(world, person) for person in fight.participants)
    is_over = not any(one is not None and (one.hp or 0) > 0 and not one.is_dead for one in bodies)
    if body is None or is_over or not _is_played(body):
        return None
    return DueTurn(fight.id, current.id, current.character_id, current.name, "enemy" if current.is_enemy else "ally")


# what it runs on


def model_of(settings: Settings, agent: AgentKind) -> str:
    """Return the name of the model that an agent runs on; empty where none is named."""
    named: str = settings[f"agents.{agent}.model"]
    default: str = settings["agents.default_model"]
    if named == "larger":
        return settings["agents.larger_model"] or default
    return default if named == "default" else named


def limits_of(settings: Settings, agent: AgentKind, seed: int | None = None) -> Limits:
    """Return how freely, how long and for how long an agent may write."""
    return Limits(
        temperature=float(settings[f"agents.{agent}.temperature"]),
        max_tokens=settings[f"agents.{agent}.max_tokens"],
        timeout=float(settings["agents.timeout_seconds"]),
        seed=seed,
    )
