"""From the world to what a picture or a page shows."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any, cast

from turnwright.campaign.reader import LastTurn
from turnwright.model.area import Area, Layer
from turnwright.model.authority import NOBODY, player_of
from turnwright.model.campaign import CREW_PATH
from turnwright.model.character import Character
from turnwright.model.encounter import RUNNING_TAG
from turnwright.model.errors import BadRequest
from turnwright.model.fuzzy_match import MAX_COUNT, did_you_mean
from turnwright.model.location import Location
from turnwright.model.numbered import number_of
from turnwright.model.quest import Quest
from turnwright.model.state.overlay import World
from turnwright.model.viewer import Viewer
from turnwright.render.map_view import AreaView, ClosedWay, MapView, TokenView
from turnwright.rulesets.core.exits import exits_of
from turnwright.rulesets.core.geography import is_found, is_open
from turnwright.rulesets.core.party_view import PartyView
from turnwright.rulesets.core.summary import people_at
from turnwright.rulesets.fifth_edition.sheets.derived_stats import counted_hp
from turnwright.rulesets.sight import unseen_by_party

if TYPE_CHECKING:
    from turnwright.views.shapes import (
        CampaignView,
        FightsPart,
        GameView,
        LastTurnSeen,
        NamedThing,
        PersonSeen,
        PlacePart,
        PlaceSeen,
        PlayerView,
        QuestsPart,
    )


def map_view(world: World) -> MapView:
    """Return the whole map with all characters on it."""
    selected = world.campaign.selected
    tokens = [
        TokenView(
            id=person.id,
            label=person.label,
            area=person.position,
            state=person.character_state,
            hp=hp,
            max_hp=most,
            active=person.id == selected.active_actor_id,
            in_party=person.id in selected.party_character_ids,
        )
        for person in world.characters()
        for hp, most in (counted_hp(person),)
    ]
    return MapView(
        title=world.campaign.title or world.campaign.id,
        areas=_areas(world),
        tokens=tuple(tokens),
        closed=_closed_ways(world),
    )


def _areas(world: World) -> tuple[AreaView, ...]:
    layers = [layer for path in world.paths(Layer.collection) if isinstance(layer := world.get(path), Layer)]
    areas = [area for layer in layers for area in layer.areas.values()]
    return tuple(AreaView(a.id, a.name, a.parent_area_id, a.reachable_area_ids) for a in areas)


def _closed_ways(world: World) -> tuple[ClosedWay, ...]:
    """Return the ways between places that are closed now."""
    keepers = world.all(Location) if world.paths(Location.collection) else ()
    return tuple(
        ClosedWay(keeper.area_id, other.area_id, not edge.one_way, "locked" if is_found(edge) else "hidden")
        for keeper in keepers
        for edge in keeper.edges
        if not is_open(edge) and keeper.area_id is not None
        for other in (world.find(Location, edge.to_location_id),)
        if other is not None and other.area_id is not None
    )


def map_of_player(world: World, character_id: str) -> MapView:
    """Return the party's map: areas that members visited or see a way to, with the characters there.

    For a player without a character nothing is drawn.

    Raises:
        BadRequest: as for `player_view`.
    """
    view = player_view(world, character_id)
    here, people = view["here"], people_of(view)
    known = World(PartyView(world))
    areas = _areas(known) if view["you"] is not None else ()
    closed = (way for way in _closed_ways(known) if way.passage != "hidden") if areas else ()
    tokens = tuple(
        TokenView(
            id=person["id"],
            label=table_name(person),
            area=person["position"],
            state=person["state"],
            hp=person["hp"],
            max_hp=person["max_hp"],
            active=person["id"] == character_id,
            in_party=True,
        )
        for person in people
    )
    others = tuple(
        TokenView(
            id=person["id"],
            label=table_name(person),
            area=here["id"],
            state=None,
            hp=None,
            max_hp=None,
            active=False,
            in_party=False,
        )
        for person in view["others"]
        if here
    )
    return MapView(title=view["title"], areas=areas, tokens=tokens + others, closed=tuple(closed))


def table_name(person: PersonSeen | NamedThing) -> str:
    """Return a character's display name; the id distinguishes characters without a name."""
    return str(person["name"]) if person["name"] != person["id"] else unnamed(person["id"])


def unnamed(character_id: str) -> str:
    """Return the display name of a character without a name."""
    return f"someone unnamed ({character_id})"


def campaign_view(world: World) -> CampaignView:
    """Return the output of `show` for the game master: the campaign, its goal, and all characters."""
    campaign = world.campaign
    party = campaign.selected.party_character_ids
    people = sorted(world.characters(), key=lambda person: (person.id not in party, person.id))
    return {
        "id": campaign.id,
        "title": campaign.title,
        "goal": dict(campaign.goal),
        "active_actor_id": campaign.selected.active_actor_id,
        "allowlist": list(campaign.allowlist),
        "ended": campaign.lifecycle.reason if campaign.lifecycle.ended else None,
        "characters": [person_view(world, person, person.id in party) for person in people],
        **_place(world),
        **_fights(world, of_players=False),
        **_quests(world),
    }


def people_of(view: PlayerView) -> list[PersonSeen]:
    """Return the people in the result of `player_view`: the player's character first, then the party."""
    return [person for person in (view["you"], *view["party"]) if person is not None]


def player_view(world: World, character_id: str) -> PlayerView:
    """Return one player's knowledge: the player's character, its area, the characters there, and the party.

    Args:
        world: the campaign.
        character_id: the player's character; empty for a player without one, who knows no characters and no places.

    Raises:
        BadRequest: when there is no such player.
    """
    me = world.character(character_id) if character_id else None
    if character_id and (me is None or character_id not in world.campaign.selected.party_character_ids):
        raise _no_member(world, character_id)
    here = world.area(me.position) if me is not None and me.position else None
    exits = exits_of(world, here, only_known=True) if here else ()
    place: PlacePart = _place(world, with_exits=True) if me is not None else {}
    return {
        "title": world.campaign.title or world.campaign.id,
        "goal": dict(world.campaign.goal),
        "you": person_view(world, me, True) if me is not None else None,
        "here": {"id": here.id, "name": here.name, "description": here.description} if here else None,
        "exits": [{"id": area.id, "name": area.name} for area in exits],
        "others": [{"id": one.id, "name": one.label} for one in _others_at(world, here)] if here else [],
        "party": [person_view(world, member, True) for member in world.party() if me is not None and member is not me],
        **place,
        **_fights(world, of_players=True),
        **_quests(world, ("active", "completed", "failed"), ("id", "title", "status", "objectives")),
    }


def _others_at(world: World, here: Area) -> list[Character]:
    """Return the characters in an area outside the party that the party sees."""
    party, unseen = world.campaign.selected.party_character_ids, unseen_by_party(world)
    return [one for one in people_at(world, here.id) if one.id not in party and one.id not in unseen]


def _place(world: World, *, with_exits: bool = False) -> PlacePart:
    """Return the place of the story where the party is, with the ways out it knows of; nothing where there is none."""
    if not world.paths("locations/") or world.get(CREW_PATH) is not None:  # a scene game has its own places
        return {}
    from turnwright.rulesets.core.places import lookup as places  # most campaigns have no places

    here = places.place_of_party(world)
    if here is None:
        return {}
    told: PlaceSeen = {"id": here.id, "name": here.name}
    if with_exits:
        beyond = (way.other for way in places.exits(places.ways_of(world, here)))
        told["exits"] = [{"id": place.id, "name": place.name} for place in beyond if place.discovered]
    return {"place": told}


def _fights(world: World, *, of_players: bool) -> FightsPart:
    """Return the running fights as the game master or players know them; nothing where there are none."""
    if not world.tagged("encounters/", RUNNING_TAG):
        return {}
    from turnwright.views.fight import fights_of_players, running_fights  # most of the time there is no fight

    fights = fights_of_players(world) if of_players else running_fights(world)
    return {"fights": fights} if fights else {}


def _quests(world: World, statuses: Collection[str] | None = None, keys: Collection[str] | None = None) -> QuestsPart:
    """Return the quests, newest first; nothing if there are none.

    A player sees the quests that the party accepted, and their objectives; offers may be addressed to others.
    """
    quests = sorted(world.all(Quest), key=lambda quest: number_of(quest.id), reverse=True)
    shown: Any = [
        {key: value for key, value in quest.value().items() if key != "extra" and (keys is None or key in keys)}
        for quest in quests
        if statuses is None or quest.status in statuses
    ]
    return {"quests": shown} if shown else {}


def require_member(world: World, reader: str) -> None:
    """Reject a reader or speaker that is an unknown player.

    Raises:
        BadRequest: the message names the characters that may have been meant.
    """
    player = player_of(reader)
    if reader != NOBODY and player is not None and player not in world.campaign.selected.party_character_ids:
        raise _no_member(world, player)


def _no_member(world: World, character_id: str) -> BadRequest:
    """Return the error message for an unknown player."""
    party = world.campaign.selected.party_character_ids
    members = [member for member in map(world.character, party) if member is not None]
    called = [member.id for member in members if (member.name or "").casefold() == character_id.casefold()]
    meant = f"; did you mean {called[0]}?" if len(called) == 1 else did_you_mean(character_id, party)
    listed = ", ".join(map(str, party[:MAX_COUNT])) or "nobody is"
    return BadRequest(f"{character_id} is not in the party{meant or f' ({listed})'}")


def game_view(world: World, reader: str, last_turn: LastTurn) -> GameView | None:
    """Return where a scene game stands and what the last turn brought, as one reader sees it; None without a game."""
    if world.get(CREW_PATH) is None:
        return None
    from turnwright.protocol.stage6_publish.publish import project
    from turnwright.rulesets.scenes.projection import player_state, table_state

    player = player_of(reader)
    state = table_state(world) if player is None else player_state(world, player)
    if state is None:
        return None
    turn = last_turn()
    if turn is None:
        return cast("GameView", {**state, "last_turn": None})
    events = [event for event in project(turn, Viewer.of(reader))["events"] if event["audience"] != "log"]
    seen: LastTurnSeen = {"turn_id": turn["turn_id"], "events": events}
    return cast("GameView", {**state, "last_turn": seen})


def person_view(world: World, person: Character, in_party: bool) -> PersonSeen:
    """Return a character's identity, condition and position."""
    area = world.area(person.position) if person.position else None
    hp, most = counted_hp(person)
    return {
        "id": person.id,
        "name": person.label,
        "type": person.character_type,
        "in_party": in_party,
        "state": person.character_state,
        "hp": hp,
        "max_hp": most,
        "position": person.position,
        "area": area.name if area else None,
    }
