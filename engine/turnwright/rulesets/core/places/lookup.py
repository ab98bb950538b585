"""Places, the ways between them, and where the party stands: what several tools of this folder share.

A way is kept by the place it leads from; the place it leads to finds it by its tag. Source: docs/toolkit.md,
"Places".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Literal, NamedTuple

from turnwright.model.area import area_tag
from turnwright.model.base import name_tag
from turnwright.model.location import Edge, Location, edge_tag
from turnwright.model.numbered import number_of
from turnwright.model.party import PARTY_PATH, PartyDocument, Step
from turnwright.model.state.overlay import World
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason

_MAX_COUNT = 500
Direction = Literal["both", "out", "in"]


class Way(NamedTuple):
    """A way as it is seen from one of the two places it joins.

    Attributes:
        edge: the way itself.
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
        """Which way it can be gone, seen from here."""
        if not self.edge.one_way:
            return "both"
        return "out" if self.keeper.id == self.here.id else "in"

    @property
    def is_secret(self) -> bool:
        """Whether nobody has found it yet."""
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
    """Return the place that an id or a name means; what is no id is taken for a name.

    Args:
        world: the campaign.
        identifier: the id, or a name.
        name: a name.
        field: which argument the id is.
        name_field: which argument the name is; None where there is none.
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
    found = world.find(Location, wanted) if identifier is not None else None
    found = found or _named(world, wanted, key, f"args.{field}", some)
    if identifier is not None and name is not None and name_tag(found.name) != name_tag(name):
        repair = hint.ask(f"args.{name_field}", name, [found.name])
        raise CallFailed(Reason.INVALID_ARGS, f"{identifier} is not {name}", repair)
    return found


def _named(world: World, name: str, key: str, id_key: str, some: Callable[[World], Iterable[Location]]) -> Location:
    found = world.all_tagged(Location, name_tag(name))
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
    named = world.all_tagged(Location, name_tag(wanted))
    return world.find(Location, wanted) or (named[0] if len(named) == 1 else None)


def _spellings(known: Iterable[Location]) -> list[str]:
    places = list(known)
    return [*(place.id for place in places), *(place.name for place in places)]


def some_places(world: World) -> list[Location]:
    """Return the places, and no more than hints can go through."""
    paths = world.paths(Location.collection)[:_MAX_COUNT]
    return [place for path in paths if isinstance(place := world.get(path), Location)]


def all_places(world: World) -> list[Location]:
    """Return every place, in the order in which they were made."""
    return sorted(world.all(Location), key=lambda place: number_of(place.id))


def named_alike(world: World, name: str, but: str | None = None) -> list[str]:
    """Return the ids of the places of this name."""
    return [place.id for place in world.all_tagged(Location, name_tag(name)) if place.id != but]


def show_place(place: Location) -> dict[str, Any]:
    """Return a place as results hold it, without its ways."""
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
    """Return the ways that join a place to others, in the order in which they were linked."""
    ways = []
    for edge in place.edges:
        other = world.find(Location, edge.to_location_id)
        if other is not None and other.id != place.id:  # a way to itself was once taken over from a hand edit
            ways.append(Way(edge, place, place, other))
    for keeper in world.all_tagged(Location, edge_tag(place.id)):
        if keeper.id != place.id:
            ways += [Way(edge, keeper, place, keeper) for edge in keeper.edges if edge.to_location_id == place.id]
    return sorted(ways, key=lambda way: number_of(way.edge.id))


def way_between(world: World, here: Location, there: Location) -> Way | None:
    """Return the way that joins two places, whichever of them it leads from, or None."""
    return next((way for way in ways_of(world, here) if way.other.id == there.id), None)


def put_way(world: World, way: Way, edge: Edge | None) -> None:
    """Store a changed way; None removes it."""
    keeper = world.find(Location, way.keeper.id)
    if keeper is None:
        raise LookupError(f"{way.keeper.id} is not there")
    kept = (edge if one.id == way.edge.id else one for one in keeper.edges)
    world.put(keeper.replace(edges=[one for one in kept if one is not None]))


def show_way(way: Way) -> dict[str, Any]:
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


def show_connection(way: Way) -> dict[str, Any]:
    """Return a way as the place it is seen from lists it."""
    return {**show_exit(way), "lock_dc": way.edge.lock_dc, "direction": way.direction}


def show_exit(way: Way) -> dict[str, Any]:
    """Return a way as the party sees it from where it stands."""
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
    """Return the ways on which the party can leave; with those nobody has found yet, if that is wished."""
    return [way for way in ways if way.is_exit or (show_hidden and way.direction != "in")]


# the party


def party_of(world: World) -> PartyDocument:
    """Return what is kept of the party beside its members."""
    found = world.get(PARTY_PATH)
    return found if isinstance(found, PartyDocument) else PartyDocument()


def place_of_party(world: World) -> Location | None:
    """Return where the party stands; None before it was placed, or when the place is gone."""
    location_id = party_of(world).location_id
    return world.find(Location, location_id) if location_id is not None else None


def enter(world: World, there: Location, edge: Edge | None = None) -> None:
    """Put the party into a place: one step of its history, and the place is discovered."""
    here = place_of_party(world)
    step_id = world.new_id("move", Step)
    world.put(
        Step(
            id=step_id,
            from_location_id=here.id if here else None,
            to_location_id=there.id,
            edge_id=edge.id if edge else None,
        )
    )
    party = party_of(world)
    world.put(party.replace(location_id=there.id, moves=party.moves + 1))
    found = world.find(Location, there.id)
    if found is not None and not found.discovered:
        world.put(found.replace(discovered=True))


def follow_to_area(world: World, area_id: str) -> None:
    """Let the party's place follow its members, once all of them stand in the area that a place is bound to."""
    bound = world.all_tagged(Location, area_tag(area_id))
    members = world.party()
    if not bound or not members or any(member.position != area_id for member in members):
        return
    if party_of(world).location_id != bound[0].id:
        enter(world, bound[0])
