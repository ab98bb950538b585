"""Places of the story and the ways between them. Source: docs/toolkit.md, "Places and the map"."""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated, ClassVar

from pydantic import Field

from turnwright.model.area import area_tag
from turnwright.model.base import ABSENT, Entry, Flag, FreeMap, Id, ListOf, Model, Text, is_empty, name_tag
from turnwright.model.creature import Words
from turnwright.model.encounter import Dc
from turnwright.model.vocabulary import ConnectionType, Lighting, LocationTerrain, LocationType

UNDISCOVERED_TAG = "undiscovered"
Label = Annotated[Text, Field(min_length=1, max_length=100)]


class Edge(Model):
    """A way to another place, kept by the place it leads from."""

    id: Id
    to_location_id: Id
    connection_type: ConnectionType = "passage"
    locked: Flag = Field(default=False, exclude_if=is_empty)
    lock_dc: Dc | None = ABSENT
    hidden: Flag = Field(default=False, exclude_if=is_empty)
    find_dc: Dc | None = ABSENT
    discovered: Flag = Field(default=False, exclude_if=is_empty, description="Whether a hidden way was found.")
    one_way: Flag = Field(default=False, exclude_if=is_empty)
    description: Words | None = ABSENT


class Location(Entry):
    """One place."""

    collection: ClassVar[str] = "locations/"

    name: Label
    description: Words | None = ABSENT
    location_type: LocationType | None = ABSENT
    lighting: Lighting | None = ABSENT
    terrain: LocationTerrain | None = ABSENT
    size: Text | None = ABSENT
    hazards: ListOf[Label] = Field(default=(), exclude_if=is_empty)
    tags: ListOf[Label] = Field(default=(), exclude_if=is_empty)
    discovered: Flag = True
    properties: FreeMap = Field(default_factory=dict, exclude_if=is_empty)
    area_id: Id | None = Field(default=None, exclude_if=is_empty, description="The area of the map that this place is.")
    controlled_by: Id | None = Field(default=None, exclude_if=is_empty, description="The faction whose place it is.")
    features: ListOf[Words] = Field(default=(), exclude_if=is_empty)
    edges: ListOf[Edge] = Field(default=(), exclude_if=is_empty)

    @property
    def lookup(self) -> Collection[str]:
        """Places are found by name, by area, by the destinations of their ways, and by being undiscovered."""
        found = [name_tag(self.name), *(edge_tag(edge.to_location_id) for edge in self.edges)]
        if self.area_id is not None:
            found.append(area_tag(self.area_id))
        return found if self.discovered else [*found, UNDISCOVERED_TAG]


def edge_tag(location_id: str) -> str:
    """Return the tag of the places from which a way leads to this one."""
    return f"edge_to:{location_id}"
