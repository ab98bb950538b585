"""What the core ruleset adds to a snapshot: characters present, reachable places, belongings, quests and offers.

Source: docs/suggestions.md, "The snapshot".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from turnwright.model.area import Area
from turnwright.model.character import Character
from turnwright.model.location import Location
from turnwright.model.quest import Quest
from turnwright.model.state.overlay import World
from turnwright.rulesets.core.exits import exits_of
from turnwright.rulesets.core.places import lookup as places
from turnwright.rulesets.core.quests.offers import pending_offer
from turnwright.rulesets.core.summary import people_at
from turnwright.rulesets.snapshots import SnapshotContext
from turnwright.suggestions.snapshot import (
    AreasView,
    Belonging,
    EncounterView,
    ItemsView,
    Named,
    Offer,
    QuestView,
    Snapshot,
)

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import AppliedAction, Record

MAX_PLACES = 200
"""The most places in a snapshot; reachable ones come first."""
MAX_QUESTS = 100
MAX_THINGS = 500
"""How many belongings of others are looked at."""


def fill(seen: Snapshot, ctx: SnapshotContext) -> Snapshot:
    """Add people, places, belongings, quests and offers. Without a ruleset that runs fights, no one is in a fight."""
    world, actor = ctx.world, ctx.actor
    members = seen.party or ()
    present = seen.npcs_present if seen.npcs_present is not None else _present(ctx, {one.id for one in members})
    owners = _owners((*(present or ()), *members), members, ctx.played_id)
    return replace(
        seen,
        encounter=seen.encounter if seen.encounter.active is not None else EncounterView(active=False),
        actor=seen.actor
        if actor is None
        else replace(
            seen.actor,
            id=actor.id,
            name=actor.name or actor.id,
            area=actor.position,
            hp=actor.hp,
            conditions=actor.condition_names,
        ),
        areas=_areas(world, actor),
        items=ItemsView(
            actor=tuple(item.name for item in actor.inventory) if actor else None,
            owned=tuple(islice(_owned(world, actor, owners), MAX_THINGS)),
        ),
        npcs_present=present,
        pending_offer=_offer(world, present, ctx.turns, ctx.played_id),
        quests=_quests(world, ctx.played_id),
    )


def _present(ctx: SnapshotContext, party: set[str | None]) -> tuple[Named, ...] | None:
    if ctx.actor is None or ctx.actor.position is None:
        return None
    people = people_at(ctx.world, ctx.actor.position)
    here = (one for one in people if one.id not in party and one.id not in ctx.unseen)
    return tuple(Named(one.name or one.id, one.id, one.character_type == "enemy") for one in here)


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


def _owners(people: Sequence[Named], members: Sequence[Named], played_id: str | None) -> Sequence[Named]:
    """Return whose belongings are known: a played character knows its own, and as a member the party's."""
    if played_id is None:
        return people
    is_member = any(one.id == played_id for one in members)
    return [one for one in people if one.id == played_id or (is_member and one in members)]


def _owned(world: World, actor: Character | None, people: Iterable[Named]) -> Iterator[Belonging]:
    """Yield what characters other than the actor carry."""
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
    """Return the number of player messages since a quest was offered; None if no turn offered it."""
    messages = 0
    for record in reversed(turns):
        if any(_offers(action, quest) for action in record.get("applied_actions", ())):
            return messages
        messages += bool(record.get("user_input"))
    return None


def _offers(action: AppliedAction, quest: Quest) -> bool:
    """Return whether an action, by itself or in a batch, offered a quest."""
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
