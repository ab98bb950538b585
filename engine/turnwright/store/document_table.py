"""Map the files of a campaign directory to models: a table of document kinds, filled by the rulesets in use."""

import re
from collections.abc import Mapping
from typing import Any

from pydantic import ConfigDict, PrivateAttr

from turnwright.model.base import Document
from turnwright.model.lazy import load

_IN_ROOT = re.compile(r"[a-z][a-z0-9_]{0,63}\.json")
NO_DOCUMENTS = frozenset({"turns/", "results/", "content/"})
"""Folders of a campaign that hold no documents of their own."""


class DocumentTable:
    """Document models by path. A model's module is imported when a document of its kind is first read.

    Attributes:
        single: the paths of documents that are one file each (`party.json`).
        collections: the folders of documents that are many files each (`characters/`).
        is_older: whether the documents are of an older format, and taken as they are until they are migrated.
        is_complete: whether all rulesets of the campaign are installed.
        loaded: the models that were asked for, by path or folder.
    """

    def __init__(self, rows: Mapping[str, str], *, is_complete: bool = True) -> None:
        """Build the table.

        Args:
            rows: for each path or folder, where its model is, as `package.module:attribute`.
            is_complete: False when a ruleset of the campaign is not installed: its documents are then unknown, and any
                file of a folder that is in no row is taken as it is.
        """
        self.is_complete = is_complete
        self.is_older = False
        self._fill(rows)

    def _fill(self, rows: Mapping[str, str]) -> None:
        self.single = tuple(path for path in rows if not path.endswith("/"))
        self.collections = tuple(folder for folder in rows if folder.endswith("/"))
        self.loaded: dict[str, type[Document]] = {}
        self._rows = dict(rows)

    def become(self, other: "DocumentTable") -> None:
        """Hold the models of another table from now on: the documents were migrated to its format."""
        self.single, self.collections = other.single, other.collections
        self.loaded, self._rows = other.loaded, other._rows
        self.is_complete, self.is_older = other.is_complete, other.is_older

    def model_of(self, path: str) -> type[Document] | None:
        """Return the model of the document at this path, or None when no document belongs there."""
        if path in self.single:
            return self._model_at(path)
        if not self.is_complete and _IN_ROOT.fullmatch(path):
            return OpaqueDocument
        folder, slash, name = path.rpartition("/")
        is_plain = slash and name.endswith(".json") and not name.startswith(".") and "\0" not in name
        folder += "/"
        if is_plain and folder in self.collections:
            return self._model_at(folder)
        return None if self.is_complete or not is_plain or "/" in folder[:-1] else OpaqueDocument

    def _model_at(self, place: str) -> type[Document]:
        if place not in self.loaded:
            self.loaded[place] = load(self._rows[place])
        return self.loaded[place]


class OpaqueDocument(Document):
    """A document of a ruleset that is not installed: kept as it is, never understood."""

    model_config = ConfigDict(extra="allow")
    _path: str = PrivateAttr("")

    def model_post_init(self, context: Any) -> None:
        """Keep the path, which the reader of documents hands over: nothing in the value tells it."""
        self._path = context

    @property
    def path(self) -> str:
        """The path that it was read from."""
        return self._path


def opaque(kinds: DocumentTable) -> DocumentTable:
    """Return a table of the same documents that understands none of them."""
    place = f"{__name__}:{OpaqueDocument.__name__}"
    table = DocumentTable(dict.fromkeys([*kinds.single, *kinds.collections], place), is_complete=False)
    table.is_older = True
    return table
