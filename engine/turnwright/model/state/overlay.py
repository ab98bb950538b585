"""The campaign as a tool sees it: documents to read, and changes that are kept apart until they are taken.

A failed call's overlay is dropped, and with it all that the call did. Source: ARCHITECTURE.md.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Protocol, TypeVar

from turnwright.model.area import Area, Layer, area_number, layer_path
from turnwright.model.base import Document, Entry
from turnwright.model.campaign import CAMPAIGN_PATH, CampaignDocument
from turnwright.model.character import Character

D = TypeVar("D", bound=Document)
E = TypeVar("E", bound=Entry)


class Source(Protocol):
    """A source of documents."""

    def get(self, path: str) -> Document | None:
        """Return the document at a path, or None."""

    def has(self, path: str) -> bool:
        """Return whether there is a document at a path that `get` may not show."""

    def paths(self, collection: str) -> Sequence[str]:
        """Return the paths of a collection's documents, sorted; shared, and so not to be changed."""

    def layer_of(self, area_id: str) -> str | None:
        """Return the path of the layer that holds an area, or None."""

    def highest_area(self) -> int:
        """Return the highest NNN of any `area_NNN`, 0 when there is none."""

    def tagged(self, collection: str, tag: str) -> Sequence[str]:
        """Return the paths of a collection's documents that are looked up by this tag, sorted."""


class World:
    """An overlay over a source. It is itself a source, so overlays stack; the sources below must not change meanwhile.

    An overlay over an overlay begins with a copy of the changes below it, so that however many there are, a document
    is one step away. What was read below all of them is read once, and they share it.

    Attributes:
        touched: the documents put or removed here, by path.
    """

    def __init__(self, base: Source) -> None:
        self._base: Source = base
        self._own: dict[str, Document | None] = {}
        self._read: dict[str, Document | None] = {}
        self._touched: dict[str, Document | None] = {}
        self.touched: Mapping[str, Document | None] = self._touched
        if isinstance(base, World):
            self._base, self._own, self._read = base._base, base._own.copy(), base._read

    # what tools read

    @property
    def campaign(self) -> CampaignDocument:
        """The campaign's own document."""
        return self._require(CAMPAIGN_PATH, CampaignDocument)

    def character(self, character_id: str) -> Character | None:
        """Return a character by id, or None."""
        return self.find(Character, character_id)

    def characters(self) -> Iterator[Character]:
        """Yield all characters, sorted by path."""
        return self.all(Character)

    def party(self) -> list[Character]:
        """Return the party's characters, in the party's order."""
        members = map(self.character, self.campaign.selected.party_character_ids)
        return [member for member in members if member is not None]

    def find(self, model: type[E], identifier: str) -> E | None:
        """Return the document of a collection that has this id, or None."""
        return self._find(model.path_of(identifier), model, identifier)

    def all(self, model: type[E]) -> Iterator[E]:
        """Yield all documents of a collection, sorted by path."""
        for path in self.paths(model.collection):
            yield self._require(path, model)

    def each(self, model: type[E], paths: Iterable[str]) -> list[E]:
        """Return the documents of a collection at these paths, which are there."""
        return [self._require(path, model) for path in paths]

    def all_tagged(self, model: type[E], tag: str) -> list[E]:
        """Return the documents of a collection that are looked up by this tag, sorted by path."""
        return self.each(model, self.tagged(model.collection, tag))

    def layer(self, parent_area_id: str | None) -> Layer | None:
        """Return the layer below a parent (None: the root layer), or None when it has no areas yet."""
        layer = self.get(layer_path(parent_area_id))
        return layer if isinstance(layer, Layer) and layer.parent_area_id == parent_area_id else None

    def area(self, area_id: str) -> Area | None:
        """Return an area by id, or None."""
        path = self.layer_of(area_id)
        return self._require(path, Layer).areas[area_id] if path else None

    # what tools change

    def put(self, document: Document) -> None:
        """Add or replace a document."""
        path = document.path
        self._own[path] = self._touched[path] = document

    def new_id(self, kind: str, model: type[Entry] | None = None, held: Collection[str] = ()) -> str:
        """Return an id that was never assigned, `<kind>-<n>`; ids that hand edits have used are skipped.

        Args:
            kind: of the thing that it identifies.
            model: the documents among which it must be unique, for the id of a document.
            held: the ids among which it must be unique, for the id of a part of a document.
        """
        campaign = self.campaign
        number = campaign.counters.get(kind, 0) + 1
        while f"{kind}-{number}" in held or (model and self.has(model.path_of(f"{kind}-{number}"))):
            number += 1
        self.put(campaign.replace(counters={**campaign.counters, kind: number}))
        return f"{kind}-{number}"

    def remove(self, path: str) -> None:
        """Take a document away."""
        self._own[path] = self._touched[path] = None

    def merge(self, above: World) -> None:
        """Take over what an overlay above this one changed."""
        self._own.update(above._touched)
        self._touched.update(above._touched)

    # Source

    def get(self, path: str) -> Document | None:
        """Return the document at a path, or None."""
        return self._own[path] if path in self._own else self._below(path)

    def has(self, path: str) -> bool:
        """Return whether there is a document at a path that `get` may not show."""
        return self._own[path] is not None if path in self._own else self._base.has(path)

    def _below(self, path: str) -> Document | None:
        """Return the document as it lies below all overlays."""
        if path not in self._read:
            self._read[path] = self._base.get(path)
        return self._read[path]

    def paths(self, collection: str) -> Sequence[str]:
        """Return the paths of a collection's documents, sorted."""
        below = self._base.paths(collection)
        own = [path for path in self._own if path.startswith(collection)]
        fresh = [path for path in own if self._own[path] and self._below(path) is None]
        gone = [path for path in own if self._own[path] is None]
        return sorted({*below, *fresh}.difference(gone)) if fresh or gone else below

    def layer_of(self, area_id: str) -> str | None:
        """Return the path of the layer that holds an area, or None."""
        for path, document in self._own.items():
            if type(document) is Layer and area_id in document.areas:
                return path
        path_below = self._base.layer_of(area_id)
        return None if path_below in self._own else path_below

    def highest_area(self) -> int:
        """Return the highest NNN of any `area_NNN`, 0 when there is none."""
        below = self._base.highest_area()
        own = _highest(self._layers())
        if own >= below or not self._lost(below):
            return max(own, below)
        return _highest(layer for path in self.paths(Layer.collection) if isinstance(layer := self.get(path), Layer))

    def tagged(self, collection: str, tag: str) -> Sequence[str]:
        """Return the paths of a collection's documents that are looked up by this tag, sorted."""
        below = self._base.tagged(collection, tag)
        own = [path for path in self._own if path.startswith(collection)]
        if not own:
            return below
        mine = [path for path in own if (document := self._own[path]) and tag in document.lookup]
        return sorted([*(path for path in below if path not in own), *mine])

    def _lost(self, number: int) -> bool:
        """Return whether an area with this number lay below and is gone here."""
        layers = (layer for path in self._own if isinstance(layer := self._below(path), Layer))
        ids = {area_id for layer in layers for area_id in layer.areas if area_number(area_id) == number}
        return any(self.layer_of(area_id) is None for area_id in ids)

    def _layers(self) -> Iterator[Layer]:
        return (document for document in self._own.values() if isinstance(document, Layer))

    def _find(self, path: str, model: type[D], document_id: str) -> D | None:
        document = self.get(path)
        return document if type(document) is model and getattr(document, "id", None) == document_id else None

    def _require(self, path: str, model: type[D]) -> D:
        document = self.get(path)
        if type(document) is not model:
            raise LookupError(f"{path} is not there")
        return document


def _highest(layers: Iterable[Layer]) -> int:
    return max((area_number(area_id) or 0 for layer in layers for area_id in layer.areas), default=0)


class InMemorySource:
    """A source over documents in memory: for tests, imports and the validation of whole campaigns."""

    def __init__(self, documents: Mapping[str, Document]) -> None:
        self._documents = dict(sorted(documents.items()))
        self._layer_of = {
            area_id: path
            for path, document in self._documents.items()
            if isinstance(document, Layer)
            for area_id in document.areas
        }

    def get(self, path: str) -> Document | None:
        """Return the document at a path, or None."""
        return self._documents.get(path)

    def has(self, path: str) -> bool:
        """Return whether there is a document at a path."""
        return path in self._documents

    def paths(self, collection: str) -> Sequence[str]:
        """Return the paths of a collection's documents, sorted."""
        return [path for path in self._documents if path.startswith(collection)]

    def layer_of(self, area_id: str) -> str | None:
        """Return the path of the layer that holds an area, or None."""
        return self._layer_of.get(area_id)

    def highest_area(self) -> int:
        """Return the highest NNN of any `area_NNN`, 0 when there is none."""
        return max((area_number(area_id) or 0 for area_id in self._layer_of), default=0)

    def tagged(self, collection: str, tag: str) -> Sequence[str]:
        """Return the paths of a collection's documents that are looked up by this tag, sorted."""
        return self._tagged.get((collection, tag), ())

    @cached_property
    def _tagged(self) -> Mapping[tuple[str, str], Sequence[str]]:
        """The paths of the documents of a collection, sorted, by what they are looked up by."""
        found: dict[tuple[str, str], list[str]] = {}
        for path, document in self._documents.items():
            for tag in dict.fromkeys(document.lookup):
                found.setdefault((document.collection, tag), []).append(path)
        return found
