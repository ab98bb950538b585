"""manage_location: the places of the story and the ways between them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from turnwright.model.area import Layer, area_tag
from turnwright.model.character import Character
from turnwright.model.json_types import JsonObject
from turnwright.model.location import Location, edge_tag
from turnwright.model.state.overlay import World
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.core.geography import (
    areas_inside,
    draw_way,
    draw_ways,
    people_in,
    remove_areas,
    rename_area,
    require_sound_map,
    settle,
)
from turnwright.rulesets.core.places import lookup as places
from turnwright.rulesets.core.places._linking import legal, link, unlink
from turnwright.rulesets.core.places._location_args import ManageLocationArgs, ManageLocationResult
from turnwright.rulesets.core.places.lookup import require_location
from turnwright.rulesets.guards import require_not_in_use
from turnwright.rulesets.reference_lookup import replace_area
from turnwright.rulesets.tool import Applied, Context
from turnwright.rulesets.toolkit import toolkit

if TYPE_CHECKING:
    from turnwright.rulesets.core.shapes import ShownPlace

_MAX_AREAS = 2000


@toolkit(
    ManageLocationArgs,
    ManageLocationResult,
    legal=legal,
    example={"operation": "create", "name": "The Rusty Flagon", "location_type": "indoor", "tags": ["inn"]},
)
def manage_location(world: World, args: ManageLocationArgs, ctx: Context) -> Applied:
    """Keep the places of the story: create, get, update, delete or list them, link or unlink two of them.

    Use it for towns, rooms and roads that people go to with move and move_party; squares of a fight are something
    else. A place is an area of the map: of one that is there, give `area_id`, or else the place gets its own. Two
    places have at most one link, which leads both ways unless `one_way`. Places are named by id or by name everywhere.
    Do not create a place again that is there: list first. Gives the place with its connections, the link, or the list.
    """
    del ctx
    return _OPERATIONS[args.operation](world, args)


# places


_FIELDS = ("description", "location_type", "lighting", "terrain", "size", "hazards", "tags", "discovered")


def _given(args: ManageLocationArgs) -> JsonObject:
    """Return the fields that the call sets, except those that are merged or depend on other documents."""
    return {key: value for key in _FIELDS if (value := getattr(args, key)) is not None}


def _create(world: World, args: ManageLocationArgs) -> Applied:
    if args.location_id is not None:
        detail = "args.location_id: a new place is given its id"
        raise CallFailed(Reason.INVALID_ARGS, detail, hint.remove("args.location_id"))
    area_id = _free_area(world, args.area_id)
    parent = _parent(world, args)
    name = args.name or ""
    warnings = _alike(world, name)

    given: dict[str, Any] = {**_given(args), **({"properties": args.properties} if args.properties else {})}
    place = Location(id=world.new_id("location", Location), name=name, area_id=area_id, **given)
    if area_id is None:
        place = settle(world, place, parent.area_id if parent else None)
    else:
        world.put(place)
        rename_area(world, place)
    return Applied(_seen(world, place), warnings)


def _parent(world: World, args: ManageLocationArgs) -> Location | None:
    """Return the place that contains a new one."""
    if args.parent_location_id is None:
        return None
    if args.area_id:
        detail = "args.parent_location_id: the area lies where the map has it"
        raise CallFailed(Reason.INVALID_ARGS, detail, hint.remove("args.parent_location_id"))
    return require_location(world, args.parent_location_id, field="parent_location_id")


def _get(world: World, args: ManageLocationArgs) -> Applied:
    return Applied(_seen(world, require_location(world, args.location_id, args.name, name_field="name")))


def _update(world: World, args: ManageLocationArgs) -> Applied:
    place = require_location(world, args.location_id)
    changed: dict[str, Any] = {**_given(args)}
    if args.name is not None:
        changed["name"] = args.name
    if args.properties is not None:
        changed["properties"] = {**place.properties, **args.properties}
    area_id = _free_area(world, args.area_id, place)
    warnings = _alike(world, args.name, place.id) if args.name is not None else ()

    before, after = places.show_place(place), place.replace(**changed)
    if after != place:
        world.put(place := after)
        rename_area(world, place)
    if args.area_id is not None and area_id != place.area_id:
        place = _rebound(world, place, area_id)
    now = places.show_place(place)
    changes = {key: {"from": before[key], "to": now[key]} for key in now if before[key] != now[key]}
    return Applied({**_seen(world, place), "changes": changes}, warnings)


def _rebound(world: World, place: Location, area_id: str | None) -> Location:
    """Bind a place to another area; None for an area of its own.

    The former area is removed and its characters move along, unless other areas depend on it.
    """
    left, ways = world.area(place.area_id) if place.area_id else None, places.ways_of(world, place)
    if area_id is None and left is not None and left.id == place.id:
        return place
    for way in ways:
        if not way.is_plain:
            draw_way(world, way.keeper, way.other if way.keeper.id == place.id else place, None)
    if area_id is None:
        place = settle(world, place.replace(area_id=None))
    else:
        world.put(place := place.replace(area_id=area_id))
        rename_area(world, place)
    draw_ways(world, place)
    if left is not None and _is_apart(world, left.id):
        for person in people_in(world, [left.id]):
            world.put(person.replace(position=place.area_id))
        remove_areas(world, [left.id])
    require_sound_map(world)
    return place


def _is_apart(world: World, area_id: str) -> bool:
    """Return whether no way leads out of an area or into it, and no area is inside."""
    area = world.area(area_id)
    if area is None or area.reachable_area_ids or areas_inside(world, area_id):
        return False
    layers = (layer for path in world.paths(Layer.collection) if isinstance(layer := world.get(path), Layer))
    return not any(area_id in one.reachable_area_ids for layer in layers for one in layer.areas.values())


def _delete(world: World, args: ManageLocationArgs) -> Applied:
    place = require_location(world, args.location_id, args.name, name_field="name")
    require_not_in_use(world, place.id)
    seen = _seen(world, place)
    areas = [area_id for area_id in (place.area_id,) if area_id] + _inside(world, place)
    inside = [one for area_id in areas[1:] for one in world.all_tagged(Location, area_tag(area_id))]
    people = people_in(world, areas)
    if not args.force:
        _require_empty(place, areas[1:], people)

    for gone in (place, *inside):
        require_not_in_use(world, gone.id)
        for keeper in world.all_tagged(Location, edge_tag(gone.id)):
            world.put(keeper.replace(edges=[edge for edge in keeper.edges if edge.to_location_id != gone.id]))
        if world.has(gone.path):
            world.remove(gone.path)
    remove_areas(world, areas)
    _forget(world, {place.id, *(one.id for one in inside)}, areas)
    require_sound_map(world)
    return Applied(seen, tuple(f"{person.label} stood there, and now stands nowhere" for person in people))


def _inside(world: World, place: Location) -> list[str]:
    return [area.id for area in areas_inside(world, place.area_id)] if place.area_id else []


def _require_empty(place: Location, inside: Sequence[str], people: Sequence[Character]) -> None:
    """Refuse to delete a place with characters in it, or with areas inside."""
    if people or inside:
        what = "somebody stands" if people else "other areas lie"
        detail = f"{what} in {place.id}; with `force` it is deleted all the same"
        raise CallFailed(Reason.CONFLICT, detail, hint.ask_for("args.force", [True]))


def _forget(world: World, place_ids: Collection[str], area_ids: Collection[str]) -> None:
    """Remove deleted areas from what the party knows."""
    party = places.party_of(world)
    known = [area_id for area_id in party.known_area_ids if area_id not in area_ids]
    last = None if party.location_id in place_ids else party.location_id
    kept = party.replace(location_id=last, known_area_ids=known)
    if kept != party:
        world.put(kept)


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


def _seen(world: World, place: Location) -> ShownPlace:
    connections = [places.show_connection(way) for way in places.ways_of(world, place)]
    return {"location": places.show_place(place), "connections": connections}


def _alike(world: World, name: str, but: str | None = None) -> tuple[str, ...]:
    found = places.named_alike(world, name, but)
    if not found:
        return ()
    what_to_do = "where it is the same, delete one of the two; where it is another, update one with a name of its own"
    return (f"there is another place called {name}: {', '.join(found)}; {what_to_do}",)


def _free_area(world: World, area_id: str | None, place: Location | None = None) -> str | None:
    """Return the area that a place is to be bound to; None if none is given."""
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
