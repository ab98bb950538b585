"""The ways out of an area: all that there are, or those that the party knows of.

Source: docs/stages/6-publish.md, "Projections".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from turnwright.model.area import Area, area_tag
from turnwright.model.state.overlay import World

if TYPE_CHECKING:
    from turnwright.model.location import Location


def exits_of(world: World, here: Area, *, only_known: bool = False) -> Iterator[Area]:
    """Yield the areas that can be reached from one in one step, in the order of its links.

    Args:
        world: the campaign.
        here: the area.
        only_known: leave out what nobody has found: an area that is such a place, or lies behind such a way.
    """
    for area in map(world.area, here.reachable_area_ids):
        if area is not None and not (only_known and _is_secret(world, here, area)):
            yield area


def _is_secret(world: World, here: Area, there: Area) -> bool:
    beyond = _places(world, there)
    if not all(place.discovered for place in beyond):
        return True
    return any(_is_hidden(place, other) for other in beyond for place in _places(world, here))


def _is_hidden(here: Location, there: Location) -> bool:
    """Return whether a way that joins two places is hidden and was not found."""
    ways = [edge for edge in here.edges if edge.to_location_id == there.id]
    ways += [edge for edge in there.edges if edge.to_location_id == here.id]
    return any(edge.hidden and not edge.discovered for edge in ways)


def _places(world: World, area: Area) -> list[Location]:
    """Return the places of the story that an area is: one, or none."""
    tag = area_tag(area.id)
    if not world.tagged("locations/", tag):
        return []
    from turnwright.model.location import Location  # campaigns without places do without it

    return list(world.all_tagged(Location, tag))
