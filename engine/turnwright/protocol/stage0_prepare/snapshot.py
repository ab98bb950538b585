"""The view of a campaign that rules of suggestion look at: plain values, bounded, taken when a message comes.

Source: docs/suggestions.md, "The snapshot".
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from turnwright.model.area import Area
from turnwright.model.campaign import CREW_PATH, Protocol
from turnwright.model.character import Character
from turnwright.model.crew import Crew
from turnwright.model.encounter import Encounter
from turnwright.model.json_types import JsonObject
from turnwright.model.location import Location
from turnwright.model.quest import Quest
from turnwright.model.settings import settings_of
from turnwright.model.state.overlay import World
from turnwright.model.wire.agent import AgentKind
from turnwright.protocol.stage0_prepare.prepare import legal_tools
from turnwright.protocol.stage2_settings import between_turns
from turnwright.rulesets.agent_tools import tools_of_agent
from turnwright.rulesets.core.exits import exits_of
from turnwright.rulesets.core.places import lookup as places
from turnwright.rulesets.core.quests.offers import pending_offer
from turnwright.rulesets.core.summary import people_at
from turnwright.rulesets.fifth_edition.fights.running import enemies_standing, fight_now
from turnwright.rulesets.in_use import tables_of
from turnwright.rulesets.sight import hiding_from
from turnwright.rulesets.toolbox import TOOLS, tools_of
from turnwright.suggestions.snapshot import (
    ActorView,
    AreasView,
    Belonging,
    EncounterView,
    ItemsView,
    Named,
    Offer,
    QuestView,
    RecentCall,
    Snapshot,
    Speaker,
)

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import AppliedAction, Record

MAX_PLACES = 200
"""How many places are looked at; those that can be reached come first."""
MAX_QUESTS = 100
MAX_THINGS = 500
"""How many belongings of others are looked at."""
RECENT = 3
"""How many of the last turns tell what was called."""


def snapshot_of(
    world: World,
    agent: AgentKind,
    *,
    turns: Sequence[Record] = (),
    speaker: Speaker = "player",
    actor_id: str | None = None,
    played_id: str | None = None,
) -> Snapshot:
    """Return what the rules may know when somebody says something.

    Args:
        world: the campaign.
        agent: who is to answer.
        turns: records of the last turns, oldest first; an offer that none of them made is too old to be answered.
        speaker: who speaks.
        actor_id: on whose behalf; by default the active character.
        played_id: whom the agent plays: of quests and belongings it is told what that one knows. None: everything.
    """
    campaign = world.campaign
    actor = world.character(actor_id or campaign.selected.active_actor_id or "")
    fight = fight_now(world, actor.id if actor else None)
    party = world.party()
    unseen = hiding_from(world, {played_id}) if played_id else frozenset()
    present = _present(world, actor, fight, {member.id for member in party}, unseen)
    members = tuple(Named(member.name or member.id, member.id) for member in party)
    owners = _owners((*(present or ()), *members), members, played_id)
    crew = world.get(CREW_PATH)
    mood = crew.mood.mood if isinstance(crew, Crew) and crew.mood is not None else None
    return Snapshot(
        speaker=speaker,
        agent=agent,
        encounter=_encounter(world, fight),
        actor=_actor(actor) if actor else ActorView(),
        areas=_areas(world, actor),
        items=ItemsView(
            actor=tuple(item.name for item in actor.inventory) if actor else None,
            owned=tuple(islice(_owned(world, actor, owners), MAX_THINGS)),
        ),
        party=members,
        npcs_present=present,
        pending_offer=_offer(world, present, turns, played_id),
        quests=_quests(world, played_id),
        mood=mood,
        allowlist=frozenset(campaign.allowlist),
        registry=frozenset(tools_of(campaign)),
        legal=_legal(world, agent, actor),
        recent_calls=tuple(_recent(turns)),
        from_area_wanted=campaign.contract.move_from == "required",
    )


def fit_arguments(tool: str, arguments: JsonObject) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return the arguments that a tool's schema takes as they are, and the names of those that it does not.

    What is missing is no fault: suggested arguments are a part of a call.
    """
    model = TOOLS[tool].args_for(Protocol())
    known = {name: value for name, value in arguments.items() if name in model.model_fields}
    try:
        model.model_validate(known)
    except ValidationError as error:
        wrong = {str(fault["loc"][0]) for fault in error.errors() if fault["loc"] and fault["type"] != "missing"}
        known = {name: value for name, value in known.items() if name not in wrong}
    return known, tuple(sorted(set(arguments) - set(known)))


def _legal(world: World, agent: AgentKind, actor: Character | None) -> frozenset[str]:
    """Return the agent's tools of which some call is legal now, in the turn that it makes for the actor."""
    campaign, selected = world.campaign, world.campaign.selected
    acting = actor.id if actor and actor.id in selected.party_character_ids else selected.active_actor_id
    policy = between_turns(campaign, settings_of(campaign.settings), acting)
    own = tools_of_agent(tables_of(campaign), agent)
    return frozenset(tool.name for tool, _ in legal_tools(world, policy, own.intersection(campaign.allowlist)))


def _encounter(world: World, fight: Encounter | None) -> EncounterView:
    if fight is None:
        return EncounterView(active=False)
    current = fight.current
    return EncounterView(
        active=True,
        id=fight.id,
        enemies_alive=enemies_standing(world, fight),
        round=fight.round,
        current_actor_id=current.character_id or current.id,
        controller="enemy" if current.is_enemy else "player",
    )


def _actor(actor: Character) -> ActorView:
    sheet = actor.sheet
    return ActorView(
        id=actor.id,
        name=actor.name or actor.id,
        area=actor.position,
        hp=actor.hp,
        conditions=actor.condition_names,
        concentration=actor.concentration is not None,
        is_dying=_is_dying(actor),
        spells=tuple(dict.fromkeys((*sheet.known_spells, *sheet.prepared_spells))) if sheet else None,
        is_caster=sheet is not None and bool(sheet.known_spells or sheet.prepared_spells or sheet.cantrips),
    )


def _is_dying(actor: Character) -> bool:
    """Return whether a death save can be rolled: for characters of players with a sheet, neither stable nor dead."""
    is_down = actor.max_hp is not None and (actor.hp or 0) <= 0
    is_stable = actor.death_saves is not None and actor.death_saves.stable
    return actor.character_type == "pc" and is_down and not (is_stable or actor.is_dead)


def _areas(world: World, actor: Character | None) -> AreasView:
    here = world.area(actor.position) if actor and actor.position else None
    reachable = list(exits_of(world, here)) if here else []
    layer = world.layer(here.parent_area_id) if here else None
    stands = places.place_of_party(world)
    exits = _exits(world, stands) if stands else None
    known = [*reachable, *(exits or ()), *(layer.areas.values() if layer else ())]
    story = [Named(place.name, place.id) for place in islice(world.all(Location), MAX_PLACES + 1)]
    has_all = len(story) <= MAX_PLACES
    return AreasView(
        current=Named(here.name, here.id) if here else None,
        reachable=_named(reachable) if here else None,
        known=(*_named(islice(known, MAX_PLACES)), *story[:MAX_PLACES]),
        places=tuple(story) if has_all else None,
        place=Named(stands.name, stands.id) if stands else None,
        exits=_named(exits) if exits is not None else None,
    )


def _exits(world: World, here: Location) -> list[Location]:
    """Return the places that an open way leads to from a place."""
    return [way.other for way in places.exits(places.ways_of(world, here)) if not way.edge.locked]


def _named(areas: Iterable[Area | Location]) -> tuple[Named, ...]:
    return tuple(Named(area.name, area.id) for area in areas)


def _present(
    world: World, actor: Character | None, fight: Encounter | None, party: set[str], unseen: Collection[str]
) -> tuple[Named, ...] | None:
    if fight is not None:
        fighting = (one for one in fight.participants if one.id not in unseen)
        return tuple(Named(one.name, one.character_id or one.id, one.is_enemy) for one in fighting)
    if actor is None or actor.position is None:
        return None
    here = (one for one in people_at(world, actor.position) if one.id not in party and one.id not in unseen)
    return tuple(Named(one.name or one.id, one.id, one.character_type == "enemy") for one in here)


def _owners(people: Sequence[Named], members: Sequence[Named], played_id: str | None) -> Sequence[Named]:
    """Return whose belongings are known: somebody who is played knows their own, and as a member the party's."""
    if played_id is None:
        return people
    is_member = any(one.id == played_id for one in members)
    return [one for one in people if one.id == played_id or (is_member and one in members)]


def _owned(world: World, actor: Character | None, people: Iterable[Named]) -> Iterator[Belonging]:
    """Yield what people other than the actor carry."""
    for one in people:
        person = world.character(one.id or "")
        if person is not None and person != actor:
            yield from (Belonging(item.name, one) for item in person.inventory)


def _offer(
    world: World, present: tuple[Named, ...] | None, turns: Sequence[Record], played_id: str | None
) -> Offer | None:
    def messages_since(quest: Quest) -> int | None:
        return _messages_since(turns, quest) if played_id in (None, quest.giver_id) else None

    quest = pending_offer(world, {one.id for one in present or () if one.id}, messages_since)
    return Offer("quest", quest.id, quest.giver_id, quest.offered_turn) if quest else None


def _messages_since(turns: Sequence[Record], quest: Quest) -> int | None:
    """Return how many messages of players came after a quest was offered; None where no turn offered it."""
    messages = 0
    for record in reversed(turns):
        if any(_offers(action, quest) for action in record.get("applied_actions", ())):
            return messages
        messages += bool(record.get("user_input"))
    return None


def _offers(action: AppliedAction, quest: Quest) -> bool:
    """Return whether an action, alone or as one of a batch, offered a quest."""
    if action["tool"] != "manage_quest":
        return False
    args, result = action["args"], action["result"]
    asked = args.get("batch") or [args]
    done = {one["index"]: one.get("result", {}) for one in result["results"]} if "results" in result else {0: result}
    return any(
        one.get("operation") == "offer" and done.get(i, {}).get("quest", {}).get("quest_id") == quest.id
        for i, one in enumerate(asked)
    )


def _quests(world: World, played_id: str | None) -> tuple[QuestView, ...]:
    known = (quest for quest in world.all(Quest) if played_id in (None, quest.giver_id))
    return tuple(
        QuestView(
            title=quest.title,
            id=quest.id,
            status=quest.status,
            giver=quest.giver_id,
            objectives=tuple(Named(one.text, one.id) for one in quest.objectives if not one.done),
        )
        for quest in islice(known, MAX_QUESTS)
    )


def _recent(turns: Sequence[Record]) -> Iterable[RecentCall]:
    """Yield what the last turns called. Whom it hurt asks for nothing: with damage goes the save for concentration."""
    for record in turns[-RECENT:]:
        for action in record.get("applied_actions", ()):
            yield RecentCall(tool=action["tool"])
