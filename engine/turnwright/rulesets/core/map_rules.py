"""The rules of a valid map, area by area.

Source: docs/stages/3-tools.md, "The map".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from turnwright.model.area import Area, Layer, area_tag
from turnwright.model.state.overlay import Source
from turnwright.model.wire.reason import Problem


def layer_problems(layer: Layer, source: Source) -> Iterator[Problem]:
    """Yield the problems of one layer, given the rest of the map.

    The areas of a layer must be connected. Places of the story are exempt: none of them has to be reachable, and every
    area with a way from or to one of them counts as connected, whether the way is open or not.
    """
    seen_in = source.layer_of
    for area_id, area in layer.areas.items():
        for rule, message in _area_faults(area_id, area, layer, seen_in):
            yield Problem(layer.path, f"$.areas.{area_id}", f"area:{area_id}:{rule}", message)
    yield from _parent_problems(layer, source)
    pieces = _plain_pieces(layer, source)
    if len(pieces) > 1:
        label = "root" if layer.parent_area_id is None else layer.parent_area_id
        apart = ", ".join(sorted(pieces[1])[:5])
        message = f"the areas of this layer do not hang together: {apart} cannot be reached from {min(pieces[0])}"
        yield Problem(layer.path, "$.areas", f"parent:{label}:disconnected", message)


def _plain_pieces(layer: Layer, source: Source) -> list[set[str]]:
    """Return the connected groups of areas, without places of the story."""
    places = {area_id for area_id in layer.areas if source.tagged("locations/", area_tag(area_id))}
    if not places:
        return connected_pieces(layer.areas.values())
    beside: set[str] = set()
    for area in layer.areas.values():
        targets = set(area.reachable_area_ids)
        beside |= targets if area.id in places else {area.id} if targets & places else set()
    pieces = connected_pieces(area for area in layer.areas.values() if area.id not in places)
    joined = [piece for piece in pieces if piece & beside]
    apart = [piece for piece in pieces if not piece & beside]
    return sorted([*([set().union(*joined)] if joined else []), *apart], key=min)


def _area_faults(
    area_id: str, area: Area, layer: Layer, layer_of: Callable[[str], str | None]
) -> Iterator[tuple[str, str]]:
    if area.id != area_id:
        yield "id_mismatch", f"the key says {area_id}, the area says {area.id}"
    if area.parent_area_id != layer.parent_area_id:
        own, other = _named(area.parent_area_id), _named(layer.parent_area_id)
        yield "parent_mismatch", f"belongs to {own}, but stands in {other}"
    if layer_of(area_id) not in (None, layer.path):
        yield "id_taken", f"{area_id} also stands in another layer"
    targets = area.reachable_area_ids
    if len(set(targets)) != len(targets):
        twice = sorted({target for target in targets if targets.count(target) > 1})
        yield "reachable_duplicate", f"reaches {', '.join(twice)} twice"
    if area_id in targets:
        yield "reachable_self_loop", "reaches itself"
    for target in sorted(set(targets)):
        if target not in layer.areas and layer_of(target) is None:
            yield "reachable_missing_target", f"reaches {target}, which does not exist"


def _named(parent_id: str | None) -> str:
    return "the root layer" if parent_id is None else f"the layer of {parent_id}"


def _parent_problems(layer: Layer, source: Source) -> Iterator[Problem]:
    """Yield a problem if the parent does not exist, or is inside the area itself."""
    parent, above = layer.parent_area_id, set[str]()
    while parent is not None:
        path = source.layer_of(parent)
        holder = source.get(path) if path else None
        if not isinstance(holder, Layer):
            yield Problem(layer.path, "$.parent_area_id", f"parent:{parent}:missing", f"{parent} does not exist")
            return
        if parent in above:
            yield Problem(layer.path, "$.parent_area_id", f"parent:{parent}:cycle", f"{parent} lies inside itself")
            return
        above.add(parent)
        parent = holder.parent_area_id


def connected_pieces(areas: Iterable[Area]) -> list[set[str]]:
    """Return the connected groups of area ids, reading links in both directions and only inside `areas`.

    Groups are sorted by their lowest id.
    """
    known = {area.id: area for area in areas}
    links: dict[str, set[str]] = {area_id: set() for area_id in known}
    for area in known.values():
        for target in area.reachable_area_ids:
            if target in links:
                links[area.id].add(target)
                links[target].add(area.id)
    pieces: list[set[str]] = []
    placed: set[str] = set()
    for start in sorted(known):
        if start not in placed:
            pieces.append(_piece(start, links))
            placed |= pieces[-1]
    return pieces


def _piece(start: str, links: Mapping[str, set[str]]) -> set[str]:
    piece, frontier = {start}, [start]
    while frontier:
        fresh = links[frontier.pop()] - piece
        piece |= fresh
        frontier.extend(fresh)
    return piece
