"""manage_location: the places of the story and the ways between them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from turnwright.model.area import Layer, area_tag
from turnwright.model.location import Location, edge_tag
from turnwright.model.state.overlay import World
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.core.places import lookup as places
from turnwright.rulesets.core.places._linking import legal, link, unlink
from turnwright.rulesets.core.places._location_args import ManageLocationArgs, ManageLocationResult
from turnwright.rulesets.core.places.lookup import require_location
from turnwright.rulesets.guards import require_not_in_use
from turnwright.rulesets.reference_lookup import replace_area
from turnwright.rulesets.tool import Applied, Context
from turnwright.rulesets.toolkit import toolkit

_MAX_AREAS = 2000


@toolkit(
    ManageLocationArgs,
    ManageLocationResult,
    legal=legal,
    example={"operation": "create", "name": "The Rusty Flagon", "location_type": "indoor", "tags": ["inn"]},
)
def manage_location(world: World, args: ManageLocationArgs, ctx: Context) -> Applied:
    """Keep the places of the story: create, get, update, delete or list them, link or unlink two of them.

    Use it for towns, rooms and roads that the party travels between with move_party; squares of a fight are something
    else. Two places have at most one link, which leads both ways unless `one_way`. A place with an `area_id` is that
    area of the map. Places are named by id or by name everywhere. Do not create a place again that is there: list
    first. Gives the place with its connections, the link, or the list.
    """
    del ctx
    return _OPERATIONS[args.operation](world, args)


# places


_FIELDS = ("description", "location_type", "lighting", "terrain", "size", "hazards", "tags", "discovered")


def _given(args: ManageLocationArgs) -> dict[str, Any]:
    """Return the fields that the call sets, but for those that are merged or need a look at others."""
    return {key: value for key in _FIELDS if (value := getattr(args, key)) is not None}


def _create(world: World, args: ManageLocationArgs) -> Applied:
    if args.location_id is not None:
        detail = "args.location_id: a new place is given its id"
        raise CallFailed(Reason.INVALID_ARGS, detail, hint.remove("args.location_id"))
    area_id = _free_area(world, args.area_id)
    name = args.name or ""
    warnings = _alike(world, name)

    given = _given(args) | ({"properties": args.properties} if args.properties else {})
    place = Location(id=world.new_id("location", Location), name=name, area_id=area_id, **given)
    world.put(place)
    return Applied({"location": places.show_place(place), "connections": []}, warnings)


def _get(world: World, args: ManageLocationArgs) -> Applied:
    return Applied(_seen(world, require_location(world, args.location_id, args.name, name_field="name")))


def _update(world: World, args: ManageLocationArgs) -> Applied:
    place = require_location(world, args.location_id)
    changed = _given(args)
    if args.name is not None:
        changed["name"] = args.name
    if args.properties is not None:
        changed["properties"] = {**place.properties, **args.properties}
    if args.area_id is not None:
        changed["area_id"] = _free_area(world, args.area_id, place)
    warnings = _alike(world, args.name, place.id) if args.name is not None else ()

    before, after = places.show_place(place), places.show_place(place := place.replace(**changed))
    changes = {key: {"from": before[key], "to": after[key]} for key in after if before[key] != after[key]}
    if changes:
        world.put(place)
    return Applied({**_seen(world, place), "changes": changes}, warnings)


def _delete(world: World, args: ManageLocationArgs) -> Applied:
    place = require_location(world, args.location_id, args.name, name_field="name")
    require_not_in_use(world, place.id)
    seen = _seen(world, place)
    party = places.party_of(world)

    for keeper in world.all_tagged(Location, edge_tag(place.id)):
        world.put(keeper.replace(edges=[edge for edge in keeper.edges if edge.to_location_id != place.id]))
    world.remove(place.path)
    if party.location_id != place.id:
        return Applied(seen)
    world.put(party.replace(location_id=None))
    return Applied(seen, (f"the party stood in {place.id}, and now stands nowhere",))


def _list(world: World, args: ManageLocationArgs) -> Applied:
    everything = places.all_places(world)
    tag = args.filter_tag.strip().casefold() if args.filter_tag is not None else None
    found = [
        place
        for place in everything
        if (tag is None or tag in [own.strip().casefold() for own in place.tags])
        and args.filter_type in (None, place.location_type)
    ]
    counts = _connection_counts(everything)
    listed = [
        {
            "location_id": place.id,
            "name": place.name,
            "location_type": place.location_type,
            "discovered": place.discovered,
            "connection_count": counts[place.id],
        }
        for place in found
    ]
    return Applied({"locations": listed, "count": len(listed)})


def _connection_counts(everything: Iterable[Location]) -> Mapping[str, int]:
    counts = {place.id: 0 for place in everything}
    for place in everything:
        for edge in place.edges:
            if edge.to_location_id in counts and edge.to_location_id != place.id:
                counts[place.id] += 1
                counts[edge.to_location_id] += 1
    return counts


def _seen(world: World, place: Location) -> dict[str, Any]:
    connections = [places.show_connection(way) for way in places.ways_of(world, place)]
    return {"location": places.show_place(place), "connections": connections}


def _alike(world: World, name: str, but: str | None = None) -> tuple[str, ...]:
    found = places.named_alike(world, name, but)
    return (f"there is another place called {name}: {', '.join(found)}",) if found else ()


def _free_area(world: World, area_id: str | None, place: Location | None = None) -> str | None:
    """Return the area that a place is to be bound to; None for none."""
    if not area_id:
        return None
    if world.area(area_id) is None:
        raise CallFailed(Reason.NOT_FOUND, f"there is no area {area_id}", _another_area(world, area_id))
    bound = world.all_tagged(Location, area_tag(area_id))
    others = [other.id for other in bound if place is None or other.id != place.id]
    if others:
        raise CallFailed(Reason.CONFLICT, f"{others[0]} is {area_id} already", _another_area(world, area_id))
    return area_id


def _another_area(world: World, area_id: str) -> hint.Hint:
    free = _free_areas(world)
    return replace_area(world, "args.area_id", area_id, free)


def _free_areas(world: World) -> list[str]:
    layers = [layer for path in world.paths(Layer.collection)[:20] if isinstance(layer := world.get(path), Layer)]
    areas = [area_id for layer in layers for area_id in layer.areas][:_MAX_AREAS]
    return [area_id for area_id in areas if not world.tagged(Location.collection, area_tag(area_id))]


_OPERATIONS: Mapping[str, Callable[[World, ManageLocationArgs], Applied]] = {
    "create": _create,
    "get": _get,
    "update": _update,
    "delete": _delete,
    "link": link,
    "unlink": unlink,
    "list": _list,
}
