"""The files of documents: how each was left, and which are to be written.

Here is only what is known of them. `guard.py` looks at them, `store.py` writes them.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING

from turnwright.model.base import Document
from turnwright.model.state import patch
from turnwright.model.strict_json import compact
from turnwright.store.checkpoint import Checkpoint, Row
from turnwright.store.documents import validate_document

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import Operation


class Copies:
    """What is known of the files of documents.

    Attributes:
        rows: how files were left, as far as anybody asked.
        stale: the documents whose files are to be written, with the record that each is at.
        kept: those of them whose files hold them already, as their author wrote them.
        bases: what their files hold until they are written; None for nothing, or where it is not known.
        edited: how those files look whose edits are not in the log.
        looked: the files that were looked at since the lock was taken.
    """

    def __init__(self, checkpoint: Checkpoint | None) -> None:
        self._checkpoint = checkpoint
        self.rows: dict[str, Row] = {}
        self.stale: dict[str, int] = {}
        self.kept: set[str] = set()
        self.bases: dict[str, Document | None] = {}
        self.edited: dict[str, Row] = {}
        self.looked: set[str] = set()
        self._edits: dict[str, Document] = {}

    def row(self, path: str) -> Row | None:
        """Return how a file was left, if possible by the checkpoint: another process may have written it since."""
        if self._checkpoint and (found := self._checkpoint.row(path)):
            self.rows[path] = found
        return self.rows.get(path)

    def take(self, path: str, seq: int) -> None:
        """Take note that a record made this of a document; its file is to be written."""
        self.stale[path] = seq
        self.kept.discard(path)

    def note_base(self, path: str, before: Document | None) -> None:
        """Take note of what a file holds whose document we are about to change: an edit of it, or what we left."""
        if path in self._edits:
            self.bases[path] = self._edits.pop(path)
        elif path not in self.stale:
            self.bases[path] = before

    def note_change_elsewhere(self, path: str, before: Document | None, edit: Iterable[Operation] | None) -> None:
        """Take note of what a file holds whose document was changed by another process, or by one that was killed.

        Args:
            path: of the document.
            before: the document as it was, which is what its file was left with unless that was to be written already;
                None where the file may be as it was at any time.
            edit: the change, if it was an edit of the file, which therefore holds it.
        """
        if path not in self.stale:
            self.bases.setdefault(path, before)
        if edit and (base := self.bases.get(path)):
            self.bases[path] = _edited(base, edit)

    def note_behind(self, path: str, seq: int) -> None:
        """Take note that a file holds an earlier version of its document, or nothing; `seq` unless known better."""
        self.stale.setdefault(path, seq)
        self.kept.discard(path)

    def note_as_left(self, row: Row) -> None:
        """Take note that a file holds what it was left with."""
        self.rows[row.path] = row
        self.kept.discard(row.path)

    def note_current(self, row: Row, document: Document) -> None:
        """Take note that a file holds its document, in somebody's own words: how it looks is all there is to save."""
        self.rows[row.path] = row
        self.stale[row.path] = row.seq
        self.kept.add(row.path)
        self.bases[row.path] = document

    def note_edited(self, row: Row, document: Document | None = None) -> None:
        """Take note that a file holds an edit, or what is no document."""
        self.edited[row.path] = row
        if document:
            self._edits[row.path] = document

    def note_adopted(self, path: str, document: Document | None) -> None:
        """Take note that the edit of a file is in the log, which made this of the document."""
        row, base = self.edited.pop(path, None), self.bases.get(path)
        if row is None:
            return
        self.rows[path] = row
        if base and document and are_same(base, document):
            self.kept.add(path)

    def forget_edits(self) -> None:
        """Forget which files hold edits: all are looked at again."""
        self.edited.clear()
        self._edits.clear()

    def look_anew(self) -> None:
        """Forget which files were looked at: the lock was taken, and people may have been there before."""
        self.looked.clear()

    def settle(self) -> None:
        """Forget what was to be written: the files hold it, and the checkpoint says so."""
        self.stale.clear()
        self.kept.clear()
        self.bases.clear()


def _edited(base: Document, edit: Iterable[Operation]) -> Document | None:
    """Return a document with an edit; None where the edit does not fit it."""
    with suppress(patch.PatchError):
        return validate_document(type(base), base.path, patch.apply(base.as_written, edit))[0]
    return None


def are_same(one: Document, other: Document) -> bool:
    """Return whether two documents are written alike; unlike Python, 1, 1.0 and true differ."""
    return compact(one.as_written) == compact(other.as_written)
