"""Detect hand edits to document files, and tell them apart from what a crash left behind.

Source: docs/stages/2-settings.md, "Hand edits"; docs/stages/5-commit.md, "Behind, or edited by hand".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from turnwright.model.base import Document
from turnwright.model.errors import CampaignInvalid
from turnwright.model.state import patch
from turnwright.model.state.fold import apply_changes
from turnwright.model.strict_json import compact, pretty
from turnwright.model.wire.reason import Problem
from turnwright.store.checkpoint import Row, digest
from turnwright.store.document_table import DocumentTable
from turnwright.store.documents import find_documents, parse_document, read_document, validate_document
from turnwright.store.files import Files, Seen
from turnwright.store.loaded import Loaded
from turnwright.store.log import LOG_PATH
from turnwright.store.recovery import Recovery, rebuild_on_corruption
from turnwright.store.working_files import are_same

SETTLED_NS = 1_000_000_000
"""A file that changed within this time of being looked at could change again unseen, so it is read again next time."""


class DocumentChanged(Exception):
    """A document on disk is not what the engine wrote: it was edited by hand."""


class EditDetector:
    """Detects hand edits to the document files of one campaign directory.

    Args:
        files: the directory's files.
        kinds: the models of its documents.
        loaded: the state loaded from it.
        recovery: rebuilds that state from the log.
    """

    def __init__(self, files: Files, kinds: DocumentTable, loaded: Loaded, recovery: Recovery) -> None:
        self._files = files
        self._kinds = kinds
        self._loaded = loaded
        self._recovery = recovery

    @rebuild_on_corruption
    def get(self, path: str) -> Document | None:
        """Return a document as of the last record, looking at its file under the lock; see `Store.get`."""
        document = self._loaded.current.get(path)
        if self._recovery.is_writing:
            self.require_unedited(path)
        return document

    def require_unedited(self, path: str) -> None:
        """Look at a document's file, once while the lock is held.

        Raises:
            DocumentChanged: when it was edited by hand.
        """
        copies = self._loaded.copies
        if path not in copies.looked:
            row = copies.rows.get(path)
            if row is None or not self._files.is_as_left(path, row.size, row.mtime_ns, row.mark):
                self._look_closer(path)
            copies.looked.add(path)

    def _look_closer(self, path: str) -> None:
        seen, is_known = self._files.look(path), self._loaded.current.get(path) is not None
        if seen is None and not is_known:
            return  # what is asked for in each turn and mostly not there costs no query
        row = self._loaded.copies.row(path)
        if seen is None:
            self._loaded.copies.note_behind(path, row.seq if row else self._loaded.history.seq)
        elif row and (row.fits(seen) or (seen.is_file and digest(self._files.read(path, row.size + 1)) == row.sha256)):
            self._loaded.copies.note_as_left(row._replace(size=seen.size, mtime_ns=seen.mtime_ns, mark=seen.mark))
        else:
            raise DocumentChanged(path)

    # all files at once

    @rebuild_on_corruption
    def changed_by_hand(self) -> dict[str, Document]:
        """Look at every document's file and return those that people added or edited; see `Store.changed_by_hand`."""
        copies = self._loaded.copies
        copies.forget_edits()
        self._recovery.is_compared = True
        found = find_documents(self._files, self._kinds)
        rows = {row.path: row for row in self._loaded.checkpoint.rows()} if self._loaded.checkpoint else {}
        edited: dict[str, Document] = {}
        problems: list[Problem] = []
        unchanged: list[Row] = []
        for path, seen in found.items():
            row = rows.get(path)
            if row and row.fits(seen):
                copies.kept.discard(path)
                continue
            data, wrong = read_document(self._files, path, seen)
            now = Row.of(path, self._loaded.history.seq + 1, data, seen)
            if wrong:
                copies.note_edited(now)
            elif row and row.sha256 == now.sha256:
                unchanged.append(now._replace(seq=row.seq))
            else:
                document, wrong = self._compared(data, seen, now, row)
                if document:
                    edited[path] = document
            problems += wrong
        self._note_missing(found, rows)
        self._note_unchanged(unchanged)
        copies.looked.update(found)
        if problems:
            raise CampaignInvalid(problems)
        return edited

    def _compared(self, data: bytes, seen: Seen, now: Row, row: Row | None) -> tuple[Document | None, list[Problem]]:
        """Return the document as the file's hand edit leaves it, None if there is no edit; and the edit's problems.

        Args:
            data: the file's content.
            seen: the file's stat result.
            now: the row that the next record would leave.
            row: how the engine left the file.
        """
        copies, path = self._loaded.copies, now.path
        document, problems = parse_document(path, data, self._kinds)
        current = self._loaded.current.get(path)
        if document and current and are_same(document, current):
            seq = copies.stale.get(path, row.seq if row else self._loaded.history.seq)
            copies.note_current(now._replace(seq=seq), document)
            return None, []
        merged = self._on_top(document, current)
        if self._was_once(path, data, document, seen) or (merged and current and are_same(merged, current)):
            copies.note_behind(path, self._loaded.history.seq)
            return None, []
        copies.note_edited(now, document)
        return merged or document, problems

    def _on_top(self, edited: Document | None, current: Document | None) -> Document | None:
        """Return an edit of a file that was behind its document, made on top of what the file did not hold yet.

        None where the file was not behind, or the two do not go together: then the file stands as it is.
        """
        base = self._loaded.copies.bases.get(edited.path) if edited else None
        if not edited or not current or not base:
            return None
        change = patch.diff(base.as_written, edited.as_written)
        if len(patch.diff(current.as_written, edited.as_written)) < len(change):
            return None  # the file was not behind: a crash came after it was written, and before that was saved
        try:
            value = patch.apply(current.as_written, change)
        except patch.PatchError:
            return None
        return validate_document(type(edited), edited.path, value)[0]

    def _was_once(self, path: str, data: bytes, document: Document | None, seen: Seen) -> bool:
        """Return whether a file holds all or the beginning of an earlier version of its document: it is merely behind.

        Earlier versions come from the log, and from all of it after a possible power cut or a rebuilt checkpoint. In
        that case a file changed after the log counts as behind only in the engine's own formatting: an editor may have
        restored an earlier version by hand.
        """
        after, values, by_value = -1, dict[str, Any](), True
        if self._recovery.is_suspect:
            log = self._files.look(LOG_PATH)
            by_value = log is not None and seen.mtime_ns < log.mtime_ns
        elif self._loaded.checkpoint:
            after, values = self._loaded.checkpoint.history().seq, {path: self._loaded.checkpoint.value(path)}
        if _is_version(data, document, values.get(path), by_value=by_value):
            return True
        for record in self._loaded.records.following(self._loaded.records.start_after(after), self._loaded.history.seq):
            if path in record.get("changes", {}):
                apply_changes(values, record["changes"], only={path})
                if _is_version(data, document, values.get(path), by_value=by_value):
                    return True
        return False

    def _note_missing(self, found: Mapping[str, Seen], rows: Mapping[str, Row]) -> None:
        for path in [path for path in (*rows, *self._loaded.copies.kept) if path not in found]:
            if self._loaded.current.get(path) is not None:
                self._loaded.copies.note_behind(path, rows[path].seq if path in rows else self._loaded.history.seq)

    def _note_unchanged(self, rows: Sequence[Row]) -> None:
        """Save the stat results of unchanged files, once no later change can hide in the same instant."""
        for row in rows:
            self._loaded.copies.note_as_left(row)
        lasting = [row for row in rows if row.path not in self._loaded.copies.stale]
        if not lasting or not self._loaded.checkpoint:
            return
        limit = self._files.now_ns() - SETTLED_NS
        if settled := [row for row in lasting if row.is_settled(limit)]:
            self._loaded.checkpoint.note(settled)

    def leave_as_written(self, paths: Iterable[str]) -> None:
        """Keep the files of adopted hand edits as their author formatted them, if they match the log."""
        for path in paths:
            self._loaded.copies.note_adopted(path, self._loaded.current.get(path))


def _is_version(data: bytes, document: Document | None, version: Any, *, by_value: bool) -> bool:
    """Return whether a file holds a version of its document, in any formatting, or only the beginning of one."""
    if version is None:
        return False
    if document is None:
        return not data.strip(b"\0") or pretty(version).startswith(data)
    return compact(document.as_written) == compact(version) if by_value else pretty(version) == data
