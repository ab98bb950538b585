"""Keep one open reader for reuse; opening a campaign dominates the cost of a short read.

Source: docs/stages/5-commit.md, "Checkpoint".
"""

from __future__ import annotations

from turnwright.store.document_table import DocumentTable
from turnwright.store.files import Files
from turnwright.store.store import Store


class ReaderPool:
    """Holds at most one idle store. Thread-safe."""

    def __init__(self, files: Files, kinds: DocumentTable) -> None:
        self._files = files
        self._kinds = kinds
        self._kept: list[Store] = []
        self._is_closed = False

    def take(self) -> Store:
        """Return the store of an earlier reading, or a new one; it is the caller's until it is given back."""
        try:
            return self._kept.pop()
        except IndexError:
            return Store(self._files, self._kinds)

    def use(self, kinds: DocumentTable) -> None:
        """Read documents by other models from now on: they were migrated."""
        self._kinds = kinds
        self.let_go()

    def give_back(self, store: Store) -> None:
        """Keep a store for the next reading, or close it where there is one already, or it is not worth while."""
        if self._is_closed or self._kept or store.kinds is not self._kinds or not store.rest():
            store.close()
            return
        self._kept.append(store)
        if self._is_closed:  # by another thread, just now
            self.let_go()

    def let_go(self) -> None:
        """Close what is kept."""
        while self._kept:
            self.take().close()

    def close(self) -> None:
        """Close what is kept, and keep nothing any more."""
        self._is_closed = True
        self.let_go()
