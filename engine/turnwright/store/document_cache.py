"""Every document as of the last record, and where each area lies.

Documents changed since the checkpoint are kept in memory; all others are fetched from the checkpoint on demand.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Collection, Iterable, Sequence

from turnwright.model.area import Layer, area_number
from turnwright.model.base import Document
from turnwright.store.checkpoint import Checkpoint
from turnwright.store.checkpoint_file import Unreadable
from turnwright.store.document_table import DocumentTable
from turnwright.store.documents import document_from


class Current:
    """A `Source` of the documents as of the last record taken. Reading a damaged checkpoint raises `Unreadable`."""

    def __init__(self, checkpoint: Checkpoint | None, kinds: DocumentTable) -> None:
        self._checkpoint = checkpoint
        self._kinds = kinds
        self._documents: dict[str, Document | None] = {}
        self._listed: dict[str, list[str]] = {}
        self._moved: dict[str, str | None] = {}
        """In which layer areas lie since records beyond the checkpoint; None for those that are gone."""
        self._places: dict[str, str] = {}
        self._highest: int | None = None
        self._ahead: set[str] = set()
        """Paths of the documents that records beyond the checkpoint touched."""

    @property
    def size(self) -> int:
        """The number of documents in memory."""
        return len(self._documents)

    def get(self, path: str) -> Document | None:
        """Return the document at a path, or None."""
        if path not in self._documents:
            value = self._checkpoint.value(path) if self._checkpoint else None
            document = None if value is None else document_from(path, value, self._kinds)[0]
            if value is not None and document is None:
                raise Unreadable(path)
            self._documents[path] = document
        return self._documents[path]

    def paths(self, collection: str) -> Sequence[str]:
        """Return the paths of a collection's documents, sorted; shared, and so not to be changed."""
        if collection not in self._listed:
            self._list(collection)
        return self._listed[collection]

    def _list(self, collection: str) -> None:
        below = self._checkpoint.paths(collection) if self._checkpoint else []
        own = {path: document for path, document in self._documents.items() if path.startswith(collection)}
        fresh = [path for path, document in own.items() if document is not None]
        self._listed[collection] = sorted({*(path for path in below if path not in own), *fresh})

    def tagged(self, collection: str, tag: str) -> Sequence[str]:
        """Return the paths of a collection's documents that are looked up by this tag, sorted."""
        if not self.paths(collection):
            return []
        below = self._checkpoint.tagged(tag) if self._checkpoint else []
        found = {path for path in below if path not in self._ahead and path.startswith(collection)}
        ahead = [path for path in self._ahead if path.startswith(collection)]
        found |= {path for path in ahead if (document := self._documents.get(path)) and tag in document.lookup}
        return sorted(found)

    def layer_of(self, area_id: str) -> str | None:
        """Return the path of the layer that holds an area, or None."""
        return self._places.get(area_id) or self._looked_up(area_id)

    def _looked_up(self, area_id: str) -> str | None:
        if area_id in self._moved or self._checkpoint is None:
            return self._moved.get(area_id)
        path = self._checkpoint.layer_of(area_id)
        if path is None:
            return None
        if area_id not in _areas_of(self.get(path)):
            raise Unreadable(f"{area_id} is not in {path}")
        self._places[area_id] = path
        return path

    def highest_area(self) -> int:
        """Return the highest NNN of any `area_NNN`, 0 when there is none."""
        if self._highest is None:
            gone = {area_id for area_id, layer in self._moved.items() if layer is None}
            below = self._checkpoint.highest_area(gone) if self._checkpoint else 0
            self._highest = max(below, _highest_of(area_id for area_id, layer in self._moved.items() if layer))
        return self._highest

    def take(self, path: str, document: Document | None) -> None:
        """Take in what a record made of a document; None when it is gone."""
        before = self.get(path)
        if path.startswith(Layer.collection):
            self._take_areas(path, _areas_of(before), _areas_of(document))
        if (before is None) != (document is None):
            self._relist(path, is_there=document is not None)
        self._documents[path] = document
        self._ahead.add(path)

    def _relist(self, path: str, *, is_there: bool) -> None:
        listed = self._listed.get(path[: path.rfind("/") + 1])
        if listed is None:
            return
        if is_there:
            insort(listed, path)
        else:
            listed.remove(path)

    def _take_areas(self, path: str, old: Collection[str], new: Collection[str]) -> None:
        gone = [area_id for area_id in old if area_id not in new and self.layer_of(area_id) == path]
        fresh = [area_id for area_id in new if area_id not in old]
        for area_id in gone:
            self._moved[area_id] = None
            self._places.pop(area_id, None)
        for area_id in fresh:
            self._moved[area_id] = self._places[area_id] = path
        if self._highest is not None:
            is_lower = self._highest in map(area_number, gone)
            self._highest = None if is_lower else max(self._highest, _highest_of(fresh))

    def settle(self) -> None:
        """Forget what the checkpoint knows by now."""
        self._moved.clear()
        self._ahead.clear()


def _areas_of(document: Document | None) -> Collection[str]:
    return document.areas.keys() if isinstance(document, Layer) else ()


def _highest_of(area_ids: Iterable[str]) -> int:
    return max((area_number(area_id) or 0 for area_id in area_ids), default=0)
