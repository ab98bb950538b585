"""Arguments and results of the tools for places. Source: docs/toolkit.md, "Places and the map"."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from turnwright.model.base import Flag, FreeMap, Id, ListOf, Model, SafeInt, Text, is_none
from turnwright.model.creature import Words
from turnwright.model.encounter import Dc
from turnwright.model.json_types import JsonObject
from turnwright.model.strict_json import compact
from turnwright.model.vocabulary import ConnectionType, Lighting, LocationTerrain, LocationType
from turnwright.rulesets.core.places.lookup import Direction
from turnwright.rulesets.references import Choice, LocationId, NewLabel
from turnwright.rulesets.toolkit import ToolkitArgs

Operation = Annotated[
    Literal["create", "get", "update", "delete", "link", "unlink", "list"],
    Choice(
        synonyms={
            "create": ("add", "new", "make"),
            "get": ("show", "view", "read", "look up"),
            "update": ("change", "edit", "set", "modify", "rename"),
            "delete": ("remove", "destroy"),
            "link": ("connect", "join"),
            "unlink": ("disconnect", "separate"),
            "list": ("list all", "all"),
        }
    ),
]

_MAX_PROPERTIES_LENGTH = 4000
"""Bytes of JSON."""


def _bounded(value: JsonObject) -> JsonObject:
    if len(compact(dict(value))) > _MAX_PROPERTIES_LENGTH:
        raise PydanticCustomError("string_too_long", "is too long", {"max_length": _MAX_PROPERTIES_LENGTH})
    return value


class ManageLocationArgs(ToolkitArgs):
    """Arguments of `manage_location`."""

    only_for: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "location_id": ("get", "update", "delete", "create"),
        "name": ("create", "update", "get", "delete"),
        "location_type": ("create", "update"),
        "lighting": ("create", "update"),
        "terrain": ("create", "update"),
        "size": ("create", "update"),
        "hazards": ("create", "update"),
        "tags": ("create", "update"),
        "discovered": ("create", "update"),
        "properties": ("create", "update"),
        "area_id": ("create", "update"),
        "parent_location_id": ("create",),
        "force": ("delete",),
        "description": ("create", "update", "link"),
        "from_location_id": ("link", "unlink"),
        "to_location_id": ("link", "unlink"),
        "connection_type": ("link",),
        "locked": ("link",),
        "lock_dc": ("link",),
        "hidden": ("link",),
        "find_dc": ("link",),
        "one_way": ("link",),
        "filter_tag": ("list",),
        "filter_type": ("list",),
    }
    needs: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "create": ("name",),
        "update": ("location_id",),
        "link": ("from_location_id", "to_location_id"),
        "unlink": ("from_location_id", "to_location_id"),
    }

    operation: Operation = Field(
        description="create, get, update or delete a place; link or unlink two places; list places."
    )
    location_id: LocationId | None = Field(
        default=None, description="Which place, by id or name: for get, update and delete."
    )
    name: NewLabel | None = Field(
        default=None, description="Its name, for create; its new name, for update; which place, for get and delete."
    )
    description: Words | None = Field(
        default=None, description="What one sees there; for a link, what the way is like."
    )
    location_type: LocationType | None = Field(default=None, description="What kind of place it is.")
    lighting: Lighting | None = Field(default=None, description="How light it is there.")
    terrain: LocationTerrain | None = Field(default=None, description="The kind of land.")
    size: Text | None = Field(default=None, max_length=200, description="How large it is, in words.")
    hazards: ListOf[NewLabel] | None = Field(
        default=None, description="Dangers of the place. Replaces the former list."
    )
    tags: ListOf[NewLabel] | None = Field(default=None, description="Words to find it by. Replaces the former list.")
    discovered: Flag | None = Field(default=None, description="Whether the party knows of it; default: true.")
    properties: Annotated[FreeMap, AfterValidator(_bounded)] | None = Field(
        default=None,
        description=(
            "Anything else worth keeping, by name, in up to 4000 bytes of JSON; update adds or replaces single names."
        ),
    )
    area_id: Annotated[Text, Field(max_length=200)] | None = Field(
        default=None,
        description="The area of the map for this place; one place per area. Empty: an area of its own.",
    )
    parent_location_id: LocationId | None = Field(
        default=None, description="For create: the place that contains it, by id or name."
    )
    from_location_id: LocationId | None = Field(default=None, description="Where a link begins, by id or name.")
    to_location_id: LocationId | None = Field(default=None, description="Where a link ends, by id or name.")
    connection_type: ConnectionType = Field(default="passage", description="The kind of way.")
    locked: Flag = Field(default=False, description="Whether the way is locked.")
    lock_dc: Dc | None = Field(default=None, description="How hard the lock is to open, 1 to 30.")
    hidden: Flag | None = Field(default=None, description="Whether the way has to be found first; default: false.")
    find_dc: Dc | None = Field(default=None, description="How hard the way is to find, 1 to 30.")
    one_way: Flag = Field(default=False, description="Whether the way can be taken from its beginning only.")
    force: Flag = Field(
        default=False, description="For delete: also delete the areas inside; characters there are then nowhere."
    )
    filter_tag: Text | None = Field(default=None, max_length=100, description="For list: only places with this tag.")
    filter_type: LocationType | None = Field(default=None, description="For list: only places of this kind.")


class LocationResult(Model):
    """A place without its ways."""

    location_id: Id
    name: Text
    description: Text | None
    location_type: LocationType | None
    lighting: Lighting | None
    terrain: LocationTerrain | None
    size: Text | None
    hazards: ListOf[Text]
    tags: ListOf[Text]
    discovered: Flag
    properties: FreeMap
    area_id: Id | None = Field(description="The area of the map that this place is.")


class ExitResult(Model):
    """A way as the party sees it from its place."""

    location_id: Id = Field(description="The place it leads to.")
    name: Text
    connection_type: ConnectionType
    locked: Flag
    hidden: Flag
    one_way: Flag


class ConnectionResult(ExitResult):
    """A way as a place lists it; `out` and `in` are one-way, from here and to here."""

    lock_dc: SafeInt | None
    direction: Direction


class EdgeResult(Model):
    """A way as such."""

    edge_id: Id
    from_location_id: Id
    to_location_id: Id
    connection_type: ConnectionType
    locked: Flag
    lock_dc: SafeInt | None
    hidden: Flag
    find_dc: SafeInt | None
    discovered: Flag = Field(description="Whether it has been found, if it is hidden.")
    one_way: Flag
    description: Text | None


class ListedLocation(Model):
    """A place among others."""

    location_id: Id
    name: Text
    location_type: LocationType | None
    discovered: Flag
    connection_count: SafeInt


class ManageLocationResult(Model):
    """The resulting places; its parts depend on the operation."""

    location: LocationResult | None = Field(default=None, exclude_if=is_none)
    connections: ListOf[ConnectionResult] | None = Field(
        default=None,
        exclude_if=is_none,
        description="In the order of linking; for a deleted place, the ways deleted with it.",
    )
    changes: FreeMap | None = Field(default=None, exclude_if=is_none, description="By field: from and to.")
    edge: EdgeResult | None = Field(default=None, exclude_if=is_none)
    locations: ListOf[ListedLocation] | None = Field(default=None, exclude_if=is_none)
    count: SafeInt | None = Field(default=None, exclude_if=is_none)
