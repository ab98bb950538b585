"""Documents as of the last record, whatever their files may hold."""

from __future__ import annotations

from collections.abc import Sequence

from turnwright.model.base import Document
from turnwright.store.loaded import Loaded
from turnwright.store.recovery import Recovery, rebuild_on_corruption


class DocumentReader:
    """Reads the documents of one campaign directory.

    Args:
        loaded: the state loaded from it.
        recovery: rebuilds that state from the log.
    """

    def __init__(self, loaded: Loaded, recovery: Recovery) -> None:
        self._loaded = loaded
        self._recovery = recovery

    @rebuild_on_corruption
    def peek(self, path: str) -> Document | None:
        """Return a document as of the last record, whatever its file may hold."""
        return self._loaded.current.get(path)

    @rebuild_on_corruption
    def paths(self, collection: str) -> Sequence[str]:
        """Return the paths of a collection's documents, sorted; shared, and so not to be changed."""
        return self._loaded.current.paths(collection)

    @rebuild_on_corruption
    def tagged(self, collection: str, tag: str) -> Sequence[str]:
        """Return the paths of a collection's documents that are looked up by this tag, sorted."""
        return self._loaded.current.tagged(collection, tag)

    @rebuild_on_corruption
    def layer_of(self, area_id: str) -> str | None:
        """Return the path of the layer that holds an area, or None."""
        return self._loaded.current.layer_of(area_id)

    @rebuild_on_corruption
    def highest_area(self) -> int:
        """Return the highest NNN of any `area_NNN`, 0 when there is none."""
        return self._loaded.current.highest_area()
