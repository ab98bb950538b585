"""The state of document files: how each was left, and which are to be written.

This module only keeps that state. `hand_edits.py` reads the files, `flusher.py` writes them.
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
    """The known state of document files.

    Attributes:
        rows: how files were left, for those looked up so far.
        stale: the documents whose files are to be written, with the record that each is at.
        kept: the stale documents whose files already hold them, as their author formatted them.
        bases: the content of their files until they are written; None for no file, or unknown content.
        edited: the stat results of files whose edits are not in the log.
        looked: the files checked since the lock was taken.
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
        """Mark a document as changed by a record; its file is to be written."""
        self.stale[path] = seq
        self.kept.discard(path)

    def note_base(self, path: str, before: Document | None) -> None:
        """Note the content of a file whose document is about to change: a hand edit, or the engine's own version."""
        if path in self._edits:
            self.bases[path] = self._edits.pop(path)
        elif path not in self.stale:
            self.bases[path] = before

    def note_change_elsewhere(self, path: str, before: Document | None, edit: Iterable[Operation] | None) -> None:
        """Note the content of a file whose document was changed by another process, or by one that was killed.

        Args:
            path: of the document.
            before: the previous document, which its file holds unless the file was already stale; None if the file may
                hold any earlier version.
            edit: the change, if it was a hand edit, which the file therefore holds.
        """
        if path not in self.stale:
            self.bases.setdefault(path, before)
        if edit and (base := self.bases.get(path)):
            self.bases[path] = _edited(base, edit)

    def note_behind(self, path: str, seq: int) -> None:
        """Note that a file holds an earlier version of its document, or nothing; `seq` unless already known."""
        self.stale.setdefault(path, seq)
        self.kept.discard(path)

    def note_as_left(self, row: Row) -> None:
        """Note that a file is unchanged."""
        self.rows[row.path] = row
        self.kept.discard(row.path)

    def note_current(self, row: Row, document: Document) -> None:
        """Note that a file holds its document in its author's formatting: only its stat result needs saving."""
        self.rows[row.path] = row
        self.stale[row.path] = row.seq
        self.kept.add(row.path)
        self.bases[row.path] = document

    def note_edited(self, row: Row, document: Document | None = None) -> None:
        """Note that a file holds a hand edit, or content that is not a document."""
        self.edited[row.path] = row
        if document:
            self._edits[row.path] = document

    def note_adopted(self, path: str, document: Document | None) -> None:
        """Note that a file's edit was adopted: the log now holds this document."""
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
