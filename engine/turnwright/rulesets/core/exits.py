"""The ways out of an area: all of them, or those that the party knows of.

Source: docs/stages/6-publish.md, "Projections".
"""

from __future__ import annotations

from collections.abc import Iterator

from turnwright.model.area import Area, area_tag
from turnwright.model.state.overlay import World


def exits_of(world: World, here: Area, *, only_known: bool = False) -> Iterator[Area]:
    """Yield the areas one step away from an area, in the order of its links.

    Args:
        world: the campaign.
        here: the area.
        only_known: leave out undiscovered places. Undiscovered ways are not on the map.
    """
    for area in map(world.area, here.reachable_area_ids):
        if area is not None and not (only_known and _is_undiscovered(world, area)):
            yield area


def _is_undiscovered(world: World, area: Area) -> bool:
    """Return whether an area is an undiscovered place of the story."""
    tag = area_tag(area.id)
    if not world.tagged("locations/", tag):
        return False
    from turnwright.model.location import Location  # campaigns without places do without it

    return not all(place.discovered for place in world.all_tagged(Location, tag))
