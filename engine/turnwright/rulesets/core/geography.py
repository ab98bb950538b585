"""One geography: a place of the story is an area of the map, and the ways between places are ways of the map.

`locations/` holds what the story adds to an area: its kind, its light, its doors. `maps/` says which ways exist. This
module keeps both consistent. Source: docs/toolkit.md, "Places and the map".
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from turnwright.model.area import Area, Layer, area_number, area_tag, layer_path
from turnwright.model.character import Character, position_tag
from turnwright.model.location import Edge, Location, edge_tag
from turnwright.model.state.overlay import World
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.core.map_rules import layer_problems

ROOT_PATH = layer_path(None)


# areas


def put_areas(world: World, *areas: Area) -> None:
    """Add areas to the layers of their parents, or replace them there."""
    for parent_id in dict.fromkeys(area.parent_area_id for area in areas):
        layer = world.layer(parent_id) or Layer(parent_area_id=parent_id, areas={})
        world.put(layer.with_areas(area for area in areas if area.parent_area_id == parent_id))


def areas_inside(world: World, area_id: str) -> list[Area]:
    """Return the areas inside an area at any depth, the outer ones first."""
    layer = world.layer(area_id)
    inside: list[Area] = []
    for area in layer.areas.values() if layer else ():
        inside += [area, *areas_inside(world, area.id)]
    return inside


def people_in(world: World, area_ids: Iterable[str]) -> list[Character]:
    """Return the characters in any of these areas."""
    return [person for area_id in area_ids for person in world.all_tagged(Character, position_tag(area_id))]


def remove_areas(world: World, area_ids: Collection[str]) -> None:
    """Remove areas from the map with every way that leads to them; characters in them are then nowhere."""
    for person in people_in(world, area_ids):
        world.put(person.replace(position=None))
    for path in world.paths(Layer.collection):
        layer = world.get(path)
        if not isinstance(layer, Layer):
            continue
        kept = [_without_ways(area, area_ids) for area in layer.areas.values() if area.id not in area_ids]
        if not kept and path != ROOT_PATH:
            world.remove(path)
        elif kept != [*layer.areas.values()]:
            areas = {area.id: area for area in kept}
            world.put(Layer(parent_area_id=layer.parent_area_id, areas=areas, extra=layer.extra))


def _without_ways(area: Area, to: Collection[str]) -> Area:
    left = [area_id for area_id in area.reachable_area_ids if area_id not in to]
    return area if len(left) == len(area.reachable_area_ids) else area.replace(reachable_area_ids=left)


# places


def place_at(world: World, area_id: str) -> Location | None:
    """Return the place that an area is; for an area without story data, one with only its name.

    The latter is in no file. To put it, changed or not, makes the area a place of the story.
    """
    bound = world.all_tagged(Location, area_tag(area_id))
    if bound:
        return bound[0]
    area = world.area(area_id)
    if area is None or world.has(Location.path_of(area_id)):
        return None
    return Location.model_construct(id=area.id, name=area.name, area_id=area.id)


def settle(world: World, place: Location, parent_area_id: str | None = None) -> Location:
    """Give a place without an area one of its own, put both, and return the place.

    Args:
        world: the campaign.
        place: the place, not yet bound to an area.
        parent_area_id: the area that contains it; None for the root of the map.
    """
    area = Area(
        id=_free_area_id(world, place.id), name=place.name, parent_area_id=parent_area_id, reachable_area_ids=()
    )
    put_areas(world, area)
    place = place.replace(area_id=area.id)
    world.put(place)
    return place


def _free_area_id(world: World, place_id: str) -> str:
    """Return the place's own id, or one like it: `area_NNN` is for `map_generate`, which numbers its areas."""
    own = place_id if area_number(place_id) is None else f"place-{place_id}"
    number, found = 1, own
    while world.layer_of(found) is not None:
        number += 1
        found = f"{own}-{number}"
    return found


def rename_area(world: World, place: Location) -> None:
    """Give the area of a place the place's name."""
    rename_areas(world, [place])


def rename_areas(world: World, places: Iterable[Location]) -> None:
    """Give the areas of places the places' names, each layer in one go."""
    areas = ((world.area(place.area_id), place.name) for place in places if place.area_id)
    put_areas(world, *(area.replace(name=name) for area, name in areas if area is not None and area.name != name))


# ways


def is_open(edge: Edge) -> bool:
    """Return whether a character at the beginning of a way can take it now."""
    return is_found(edge) and not edge.locked


def is_found(edge: Edge) -> bool:
    """Return whether a way has been found."""
    return edge.discovered or not edge.hidden


def draw_way(world: World, keeper: Location, other: Location, edge: Edge | None) -> None:
    """Write the way between two places into the map: in one or both directions, or not at all if it is closed or gone.

    Args:
        world: the campaign.
        keeper: the place where the way begins.
        other: the place to which it leads.
        edge: the way; None if it was removed.
    """
    goes = edge is not None and is_open(edge)
    _set_link(world, keeper, other, goes)
    _set_link(world, other, keeper, goes and edge is not None and not edge.one_way)


def draw_ways(world: World, place: Location) -> None:
    """Write all ways of a place into the map."""
    for keeper, other, edge in _edges_at(world, place):
        draw_way(world, keeper, other, edge)


def _edges_at(world: World, place: Location) -> Iterator[tuple[Location, Location, Edge]]:
    """Yield the ways that join a place to others: start, end, and the way."""
    for edge in place.edges:
        other = world.find(Location, edge.to_location_id)
        if other is not None and other.id != place.id:
            yield place, other, edge
    for keeper in world.all_tagged(Location, edge_tag(place.id)):
        if keeper.id != place.id:
            yield from ((keeper, place, edge) for edge in keeper.edges if edge.to_location_id == place.id)


def _set_link(world: World, here: Location, there: Location, is_link: bool) -> None:
    area = world.area(here.area_id) if here.area_id else None
    if area is None or there.area_id is None or is_link == (there.area_id in area.reachable_area_ids):
        return
    if is_link:
        put_areas(world, area.reaching(there.area_id))
    else:
        put_areas(world, _without_ways(area, (there.area_id,)))


def require_sound_map(world: World) -> None:
    """Refuse a change after which a layer of the map would not be valid.

    Raises:
        CallFailed: `conflict`, with the first problem.
    """
    layers = [document for document in world.touched.values() if isinstance(document, Layer)]
    for layer in layers:
        for problem in layer_problems(layer, world):
            raise CallFailed(Reason.CONFLICT, f"the map would not be valid: {problem.message}")
