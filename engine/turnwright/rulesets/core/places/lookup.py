"""Places, the ways between them, and the party's position, as used by several tools of this folder.

A way is kept by the place it leads from; the place it leads to finds it by its tag. Source: docs/toolkit.md,
"Places and the map".
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Literal, NamedTuple

from turnwright.model.area import area_tag
from turnwright.model.base import name_tag
from turnwright.model.campaign import PARTY_PATH
from turnwright.model.json_types import JsonObject
from turnwright.model.location import Edge, Location, edge_tag
from turnwright.model.numbered import number_of
from turnwright.model.party import PartyDocument, Step
from turnwright.model.state.overlay import World
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.core.exits import exits_of
from turnwright.rulesets.core.geography import draw_way, place_at
from turnwright.rulesets.reference_lookup import areas_called

_MAX_COUNT = 500
Direction = Literal["both", "out", "in"]


class Way(NamedTuple):
    """A way as seen from one of the two places it joins.

    Attributes:
        edge: the way itself; for a way that only the map has, one without an id that is not in any file.
        keeper: the place whose document holds it, which it leads from.
        here: the place it is seen from.
        other: the place at its other end.
    """

    edge: Edge
    keeper: Location
    here: Location
    other: Location

    @property
    def direction(self) -> Direction:
        """The direction in which it can be taken, seen from here."""
        if not self.edge.one_way:
            return "both"
        return "out" if self.keeper.id == self.here.id else "in"

    @property
    def is_plain(self) -> bool:
        """Whether only the map has this way, and the story adds nothing."""
        return self.edge.id == ""

    @property
    def is_secret(self) -> bool:
        """Whether it is hidden and has not been found."""
        return self.edge.hidden and not self.edge.discovered

    @property
    def is_exit(self) -> bool:
        """Whether the party knows that it can leave this way, locked or not."""
        return not self.is_secret and self.direction != "in"


# places


def require_location(
    world: World,
    identifier: str | None,
    name: str | None = None,
    field: str = "location_id",
    name_field: str | None = None,
    known: Callable[[World], Iterable[Location]] | None = None,
) -> Location:
    """Return the place that an id or a name means; a text that is not an id is read as a name.

    Args:
        world: the campaign.
        identifier: the id, or a name.
        name: a name.
        field: which argument the id is.
        name_field: which argument the name is; None if there is none.
        known: the places that the call could have meant; all of them by default.

    Raises:
        CallFailed: `not_found`, `ambiguous`, or `invalid_args` for neither or two different ones.
    """
    some = known or some_places
    wanted = identifier if identifier is not None else name
    if wanted is None:
        detail = f"args.{field}: is required{f', or {name_field}' if name_field else ''}"
        raise CallFailed(Reason.INVALID_ARGS, detail, hint.ask_for(f"args.{field}", _spellings(some(world))))
    key = f"args.{field if identifier is not None else name_field}"
    found = place_with_id(world, wanted) if identifier is not None else None
    found = found or _named(world, wanted, key, f"args.{field}", some)
    if identifier is not None and name is not None and name_tag(found.name) != name_tag(name):
        repair = hint.ask(f"args.{name_field}", name, [found.name])
        raise CallFailed(Reason.INVALID_ARGS, f"{identifier} is not {name}", repair)
    return found


def _named(world: World, name: str, key: str, id_key: str, some: Callable[[World], Iterable[Location]]) -> Location:
    found = _called(world, name)
    if len(found) > 1:
        ids = sorted((place.id for place in found), key=number_of)
        repair = hint.ask(key, name, ids) if key == id_key else hint.ask_for(id_key, ids) | {"use": id_key}
        raise CallFailed(Reason.AMBIGUOUS, f"{name} could be {', '.join(ids)}", repair)
    if not found:
        known = _spellings(some(world)) if key == id_key else [place.name for place in some(world)]
        raise CallFailed(Reason.NOT_FOUND, f"there is no location {name}", hint.name(key, name, known))
    return found[0]


def find_location(world: World, wanted: str) -> Location | None:
    """Return the one place that an id or a name means, or None."""
    found = place_with_id(world, wanted)
    named = [] if found else _called(world, wanted)
    return found or (named[0] if len(named) == 1 else None)


def place_with_id(world: World, wanted: str) -> Location | None:
    """Return the place that has an id, or is the area that has it."""
    return world.find(Location, wanted) or place_at(world, wanted)


def _called(world: World, name: str) -> list[Location]:
    """Return the places of a name, and the areas of this name that are not a place of the story yet."""
    named = world.all_tagged(Location, name_tag(name))
    taken = {place.area_id for place in named}
    areas = (area_id for area_id in areas_called(world, name) if area_id not in taken)
    found = (place_at(world, area_id) for area_id in areas)
    return [*named, *(place for place in found if place is not None and name_tag(place.name) == name_tag(name))]


def _spellings(known: Iterable[Location]) -> list[str]:
    places = list(known)
    return [*(place.id for place in places), *(place.name for place in places)]


def some_places(world: World) -> list[Location]:
    """Return the places, and no more than hints can go through."""
    paths = world.paths(Location.collection)[:_MAX_COUNT]
    return [place for path in paths if isinstance(place := world.get(path), Location)]


def all_places(world: World) -> list[Location]:
    """Return every place, in order of creation."""
    return sorted(world.all(Location), key=lambda place: number_of(place.id))


def named_alike(world: World, name: str, but: str | None = None) -> list[str]:
    """Return the ids of the places of this name."""
    return [place.id for place in world.all_tagged(Location, name_tag(name)) if place.id != but]


def show_place(place: Location) -> JsonObject:
    """Return a place as results show it, without its ways."""
    return {
        "location_id": place.id,
        "name": place.name,
        "description": place.description,
        "location_type": place.location_type,
        "lighting": place.lighting,
        "terrain": place.terrain,
        "size": place.size,
        "hazards": list(place.hazards),
        "tags": list(place.tags),
        "discovered": place.discovered,
        "properties": dict(place.properties),
        "area_id": place.area_id,
    }


# ways


def ways_of(world: World, place: Location) -> list[Way]:
    """Return the ways that join a place to others, in the order in which they were linked, then those of the map."""
    ways: list[Way] = []
    for edge in place.edges:
        other = world.find(Location, edge.to_location_id)
        if other is not None and other.id != place.id:  # a way to itself was once taken over from a hand edit
            ways.append(Way(edge, place, place, other))
    for keeper in world.all_tagged(Location, edge_tag(place.id)):
        if keeper.id != place.id:
            ways += [Way(edge, keeper, place, keeper) for edge in keeper.edges if edge.to_location_id == place.id]
    ways.sort(key=lambda way: number_of(way.edge.id))
    return [*ways, *_plain_ways(world, place, {way.other.area_id for way in ways})]


def _plain_ways(world: World, place: Location, described: Collection[str | None]) -> Iterator[Way]:
    """Yield the ways out of a place that only the map has: to areas that no way of the story leads to."""
    here = world.area(place.area_id) if place.area_id else None
    for there in map(world.area, here.reachable_area_ids if here else ()):
        other = place_at(world, there.id) if there is not None and there.id not in described else None
        if here is not None and there is not None and other is not None:
            edge = Edge.model_construct(id="", to_location_id=other.id, one_way=here.id not in there.reachable_area_ids)
            yield Way(edge, place, place, other)


def way_between(world: World, here: Location, there: Location) -> Way | None:
    """Return the way that joins two places, in either direction, or None."""
    return next((way for way in ways_of(world, here) if way.other.id == there.id), None)


def put_way(world: World, way: Way, edge: Edge | None) -> None:
    """Store a changed way, in the story and on the map; None removes it."""
    other = way.other if way.keeper.id == way.here.id else way.here
    if not way.is_plain:
        keeper = world.find(Location, way.keeper.id)
        if keeper is None:
            raise LookupError(f"{way.keeper.id} is not there")
        kept = (edge if one.id == way.edge.id else one for one in keeper.edges)
        world.put(keeper.replace(edges=[one for one in kept if one is not None]))
    draw_way(world, way.keeper, other, edge)


def show_way(way: Way) -> JsonObject:
    """Return a way as such."""
    edge = way.edge
    return {
        "edge_id": edge.id,
        "from_location_id": way.keeper.id,
        "to_location_id": edge.to_location_id,
        "connection_type": edge.connection_type,
        "locked": edge.locked,
        "lock_dc": edge.lock_dc,
        "hidden": edge.hidden,
        "find_dc": edge.find_dc,
        "discovered": edge.discovered,
        "one_way": edge.one_way,
        "description": edge.description,
    }


def show_connection(way: Way) -> JsonObject:
    """Return a way as listed for the place it is seen from."""
    return {**show_exit(way), "lock_dc": way.edge.lock_dc, "direction": way.direction}


def show_exit(way: Way) -> JsonObject:
    """Return a way as the party sees it from its place."""
    edge = way.edge
    return {
        "location_id": way.other.id,
        "name": way.other.name,
        "connection_type": edge.connection_type,
        "locked": edge.locked,
        "hidden": edge.hidden,
        "one_way": edge.one_way,
    }


def exits(ways: Iterable[Way], show_hidden: bool = False) -> list[Way]:
    """Return the ways by which the party can leave; on request, hidden ways that have not been found, too."""
    return [way for way in ways if way.is_exit or (show_hidden and way.direction != "in")]


# the party


def party_of(world: World) -> PartyDocument:
    """Return the party document: what is kept of the party beside its members."""
    found = world.get(PARTY_PATH)
    return found if isinstance(found, PartyDocument) else PartyDocument()


def place_of_party(world: World) -> Location | None:
    """Return the place of the story where the party is; None in a plain area, and while the party is split."""
    here = standing_of_party(world)
    return here if here is not None and world.has(here.path) else None


def standing_of_party(world: World) -> Location | None:
    """Return where the party is, a place of the story or a plain area; None while it is split, or nowhere.

    The party is where all its members are. A party without members is where it was last.
    """
    members = world.party()
    if not members:
        last = party_of(world).location_id
        return place_with_id(world, last) if last is not None else None
    area_id = members[0].position
    if area_id is None or any(member.position != area_id for member in members):
        return None
    return place_at(world, area_id)


def members_by_area(world: World) -> dict[str | None, list[str]]:
    """Return the ids of the members by their area; None for those who are nowhere."""
    standing: dict[str | None, list[str]] = {}
    for member in world.party():
        standing.setdefault(member.position, []).append(member.id)
    return standing


def enter(world: World, there: Location, from_location_id: str | None, edge: Edge | None = None) -> None:
    """Record that the whole party came to a place: one step of its history."""
    step = Step(
        id=world.new_id("move", Step),
        from_location_id=from_location_id,
        to_location_id=there.id,
        edge_id=edge.id if edge is not None and edge.id else None,
    )
    world.put(step)
    party = party_of(world)
    world.put(party.replace(location_id=there.id, moves=party.moves + 1))


def note_arrival(world: World, area_id: str) -> None:
    """Record that a member came to an area: it is known now, and the whole party may have come to a place by it."""
    learn_area(world, area_id)
    members = world.party()
    if not members or any(member.position != area_id for member in members):
        return
    there, last = place_at(world, area_id), party_of(world).location_id
    if there is not None and last != there.id:
        enter(world, there, last)


def learn_area(world: World, area_id: str) -> None:
    """Record that the party knows an area and those to which it sees a way from there; a place is discovered, too."""
    area = world.area(area_id)
    if area is None:
        return
    for place in world.all_tagged(Location, area_tag(area_id)):
        if not place.discovered:
            world.put(place.replace(discovered=True))
    party = party_of(world)
    seen = [area_id, *(one.id for one in exits_of(world, area, only_known=True))]
    known = sorted({*party.known_area_ids, *seen})
    if known != [*party.known_area_ids]:
        world.put(party.replace(known_area_ids=known))
