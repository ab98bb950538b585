"""Areas of the map. Those that share a parent form a layer, which is one file."""

import re
from collections.abc import Iterable
from typing import Annotated, Any, ClassVar, Self

from pydantic import Field

from turnwright.model.base import NOT_KEPT, Document, FreeMap, FrozenMap, Id, ListOf, Model, Text, is_empty, path_in

AREA_NUMBER = r"area_([0-9]+)"
"""Ids that take part in the numbering of generated areas; ASCII digits only."""


class Area(Model):
    """A place that characters can stand in. Links are directed; only `reachable_area_ids` counts."""

    id: Id
    name: Text
    parent_area_id: Id | None = None
    reachable_area_ids: ListOf[Text] = Field(description="Areas reachable in one step; may lie in other layers.")
    description: Text = Field(default="", exclude_if=lambda text: text == "")
    extra: FreeMap = Field(default_factory=dict, exclude_if=is_empty, description="Kept verbatim, never read.")

    def reaching(self, *area_ids: str) -> Self:
        """Return the area with links to these areas too."""
        reachable = tuple(sorted({*self.reachable_area_ids, *area_ids}))
        return self if reachable == self.reachable_area_ids else self.replace(reachable_area_ids=reachable)


class Connection(Model):
    """One directed link, as listed for readers."""

    from_area_id: Text
    to_area_id: Text


class Layer(Document):
    """All areas with one parent, by id. `connections` is derived from them and never consulted."""

    collection: ClassVar[str] = "maps/"
    key: ClassVar[str] = "parent_area_id"

    parent_area_id: Id | None = None
    areas: FrozenMap[Area]
    connections: Annotated[ListOf[Connection], NOT_KEPT] = ()

    def _written(self) -> dict[str, Any]:
        return super()._written() | {"connections": self._links()}

    def _written_as_before(self) -> dict[str, Any] | None:
        written = super()._written_as_before()
        return None if written is None else written | {"connections": self._links()}

    def _links(self) -> list[dict[str, str]]:
        links = sorted({(area.id, target) for area in self.areas.values() for target in area.reachable_area_ids})
        return [{"from_area_id": start, "to_area_id": end} for start, end in links]

    def with_areas(self, changed: Iterable[Area]) -> "Layer":
        """Return the layer with these areas added or replaced, and the links of each area sorted."""
        areas = {**self.areas, **{area.id: area for area in changed}}
        areas = {area_id: area.reaching() for area_id, area in areas.items()}
        return Layer(parent_area_id=self.parent_area_id, areas=areas, extra=self.extra)


def layer_path(parent_area_id: str | None) -> str:
    """Return the path of the layer whose areas lie in this parent (None: the root layer)."""
    return path_in(Layer.collection, parent_area_id)


def area_tag(area_id: str) -> str:
    """Return the tag of the place of the story that an area is."""
    return f"area:{area_id}"


def area_number(area_id: str) -> int | None:
    """Return NNN of an id of the form `area_NNN`, else None.

    Numbers of more than 100 digits are not sequential ids and do not count.
    """
    match = re.fullmatch(AREA_NUMBER, area_id, re.ASCII)
    return int(match[1]) if match and len(match[1]) <= 100 else None
