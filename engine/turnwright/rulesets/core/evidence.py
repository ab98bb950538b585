"""What core documents tell about a turn: people and places near, changes to them, and quests.

Source: docs/stages/4-conflicts.md, "What the checks look at".
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING

from turnwright.model.area import Layer
from turnwright.model.base import Document
from turnwright.model.campaign import PARTY_PATH
from turnwright.model.character import Character
from turnwright.model.party import PartyDocument
from turnwright.model.state.overlay import World
from turnwright.narration.facts import CallOutcome, Effect, EffectKind, Person, Quest
from turnwright.rulesets.core.summary import FULL_UP_TO, people_at
from turnwright.rulesets.evidence import Evidence, EvidenceContext, hp_difference
from turnwright.rulesets.hit_points import hit_points
from turnwright.rulesets.in_use import tables_of

if TYPE_CHECKING:  # imported only for campaigns that have them, which are few
    from turnwright.model.location import Location

_MAX_PARENTS = 50
_QUESTS = "quests/"
_PLACES = "locations/"


def evidence(turn: EvidenceContext) -> Evidence:
    """Return the people and things near, where each character is, and the quests."""
    areas, here = _areas(turn), _here(turn)
    return Evidence(
        people=tuple(_persons(turn, _people(turn))),
        areas=areas,
        here=here,
        far={} if turn.in_conversation else _far(turn.world, {*areas, *here}),
        quests=tuple(_quests(turn.world)),
    )


def character_changes(before: Document | None, after: Document | None, world: World) -> Iterator[Effect]:
    """Yield the hit points that a character lost or gained, and where a member of the party went.

    A conversation reports its place itself: moving characters there is not a journey of theirs.
    """
    if isinstance(after, Character) and isinstance(before, Character):
        yield from hp_difference(after.id, hit_points(world, before)[0], *hit_points(world, after))
        is_member = after.id in world.campaign.selected.party_character_ids
        if is_member and after.position not in (None, before.position) and not _is_conversation(world):
            yield Effect(EffectKind.TRAVEL, who=after.id, what=frozenset({after.position or ""}), is_net=True)


def party_changes(before: Document | None, after: Document | None, world: World) -> Iterator[Effect]:
    """Yield where the whole party went; nothing in a conversation, as in `character_changes`."""
    stood = before.location_id if isinstance(before, PartyDocument) else None
    if isinstance(after, PartyDocument) and after.location_id not in (None, stood) and not _is_conversation(world):
        yield Effect(EffectKind.TRAVEL, what=frozenset({after.location_id or ""}), is_net=True)


def _is_conversation(world: World) -> bool:
    return tables_of(world.campaign).conversation(world) is not None


# people


def _position(world: World, acting_id: str | None) -> str | None:
    """Return the area of the acting character."""
    actor = world.character(acting_id) if acting_id else None
    return actor.position if actor else None


def _people(turn: EvidenceContext) -> dict[str, Character]:
    """Return the party, the characters where the turn plays, those that the calls named, and those elsewhere."""
    world = turn.world
    found = {person.id: person for person in world.party()}
    here = _position(world, turn.acting_id)
    if here is not None:
        found |= {person.id: person for person in people_at(world, here)}
    for call in turn.calls:
        person = world.character(call.target) if call.target is not None else None
        if person:
            found.setdefault(person.id, person)
    if len(world.paths(Character.collection)) <= FULL_UP_TO:
        for person in world.characters():
            found.setdefault(person.id, person)
    return found


def _persons(turn: EvidenceContext, people: Mapping[str, Character]) -> Iterator[Person]:
    world, before = turn.world, turn.before
    here, was_here = _position(world, turn.acting_id), _position(before, turn.acting_id)
    for person in people.values():
        earlier = before.character(person.id)
        hp, most = hit_points(world, person)
        is_away = None not in (person.position, here) and person.position not in (here, was_here)
        yield Person(
            person.id,
            person.name,
            person.state.value if person.state else None,
            earlier.state.value if earlier and earlier.state else None,
            hp,
            person.position if is_away and (earlier is None or earlier.position == person.position) else None,
            tuple(item.name for item in person.inventory),
            hit_points(world, earlier)[0] if earlier else None,
            most,
            frozenset(person.condition_names),
            tuple(item.quantity for item in person.inventory),
        )


# places


def _here(turn: EvidenceContext) -> frozenset[str]:
    """Return the areas around the acting character, from the innermost out, and the party's place."""
    world = turn.world
    at, found = _position(world, turn.acting_id), set[str]()
    while at is not None and at not in found and len(found) < _MAX_PARENTS:
        found.add(at)
        area = world.area(at)
        at = area.parent_area_id if area else None
    stood = _places(world, [_place_of_party(turn, world)])[:1]
    places = [place for place in stood if place.area_id in found | {None}]
    is_known = found or turn.acting_id in (None, *world.campaign.selected.party_character_ids)
    return frozenset(found | {place.id for place in places}) if is_known else frozenset()


def _place_of_party(turn: EvidenceContext, world: World) -> str | None:
    """Return the party's place; none in a conversation, which has places of its own."""
    if turn.in_conversation or not (world.has(PARTY_PATH) or world.paths("locations/")):
        return None
    from turnwright.rulesets.core.places.lookup import place_of_party  # campaigns without places do without it

    here = place_of_party(world)
    return here.id if here else None


def _places(world: World, ids: Iterable[str | None]) -> list[Location]:
    """Return these places, and those that can be reached from there."""
    stood = list(filter(None, ids))
    if not stood:
        return []
    from turnwright.model.location import Location

    found = [place for identifier in stood if (place := world.find(Location, identifier))]
    beyond = [edge.to_location_id for place in found for edge in place.edges if not edge.hidden or edge.discovered]
    return [*found, *(place for identifier in beyond if (place := world.find(Location, identifier)))]


def _areas(turn: EvidenceContext) -> dict[str, str]:
    """Return the names of the areas and places that the calls named or made, and of those around the acting character.

    Areas around the starting area count too: a text may claim that the character took another exit.
    """
    world, before = turn.world, turn.before
    stood = {_position(world, turn.acting_id), _position(before, turn.acting_id)}
    places = [_place_of_party(turn, before), _place_of_party(turn, world)]
    wanted, meant = set[str](), set[str]()
    for call in turn.calls:
        stood.add(call.text("from_area_id"))
        left = call.result.get("from")
        places.append(left.get("location_id") if isinstance(left, Mapping) else None)
        wanted |= _args(call, "area_id")
        meant |= _args(call, "location_id", "location_name")
        made = call.result.get("created_area_ids", ()) if call.applied else ()
        wanted |= {area_id for area_id in made if isinstance(area_id, str)}
    around = [area for area in map(world.area, filter(None, stood)) if area]
    wanted |= {area.id for area in around}.union(*(area.reachable_area_ids for area in around))
    found = (world.area(area_id) for area_id in sorted(wanted))
    named = {area.id: area.name for area in found if area}
    near = (*_places_meant(world, meant), *_places(world, dict.fromkeys(places)))
    return named | {place.id: place.name for place in near}


def _args(call: CallOutcome, *endings: str) -> set[str]:
    """Return the texts among a call's arguments whose names have this ending."""
    return {value for key, value in call.args.items() if key.endswith(endings) and isinstance(value, str)}


def _places_meant(world: World, called: Collection[str]) -> list[Location]:
    """Return the places that calls gave by id or name."""
    if not called:
        return []
    from turnwright.rulesets.core.places.lookup import find_location

    found = (find_location(world, name) for name in sorted(called))
    return [place for place in found if place]


def _far(world: World, near: Collection[str]) -> dict[str, str]:
    """Return the names of all other areas and places; none if no character is on the map, or there are too many.

    A place that is a near area under another name is not included.
    """
    layers, places = world.paths(Layer.collection), world.paths(_PLACES)
    if not near or len(layers) + len(places) > FULL_UP_TO:
        return {}
    areas = (area for path in layers if isinstance(layer := world.get(path), Layer) for area in layer.areas.values())
    named = {area.id: area.name for area in islice(areas, FULL_UP_TO + 1)}
    if len(named) + len(places) > FULL_UP_TO:
        return {}
    if places:
        from turnwright.model.location import Location

        named |= {place.id: place.name for place in world.all(Location) if place.area_id not in near}
    return {identifier: name for identifier, name in named.items() if identifier not in near}


# quests


def _quests(world: World) -> Iterator[Quest]:
    for path in world.paths(_QUESTS)[:FULL_UP_TO]:
        document = world.get(path)
        said = document.as_written if document else {}
        if all(isinstance(said.get(key), str) for key in ("id", "title", "status")):
            yield Quest(said["id"], said["title"], said["status"])
