"""One campaign directory: a ledger, what people did to its files, and a checkpoint that follows behind.

A turn is committed by one append; documents, results and checkpoint are brought up to date afterwards, and whatever a
crash left behind is made again from the log. Source: docs/stages/5-commit.md.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from typing import Any

from turnwright.model.area import Layer
from turnwright.model.base import Document
from turnwright.model.errors import CampaignInvalid
from turnwright.model.reason import Problem
from turnwright.model.record import reply_of
from turnwright.model.strict_json import compact, pretty, sha256
from turnwright.store.checkpoint import Checkpoint, Row, Unreadable
from turnwright.store.documents import document_from, find_documents, parse_document, read_document
from turnwright.store.files import Seen
from turnwright.store.ledger import DocumentChanged, Ledger, despite_damage
from turnwright.store.log import LOG_PATH
from turnwright.store.results import prune_results, remove_leftovers, result_path
from turnwright.world import patch
from turnwright.world.fold import apply_changes

__all__ = ["DocumentChanged", "Store"]

_SETTLED_NS = 1_000_000_000
"""A file that changed within this time of being looked at could change again unseen, so it is read again next time."""


class Store(Ledger):
    """One campaign directory, files and all."""

    # hand edits

    @despite_damage
    def changed_by_hand(self) -> dict[str, Document]:
        """Look at every document's file and return those that people added or edited.

        What is merely behind, or missing, is noted and written by the next flush.

        Raises:
            CampaignInvalid: with everything that is wrong with the edited files.
        """
        self._edited.clear()
        self._is_compared = True
        found = find_documents(self.files)
        rows = {row.path: row for row in self._checkpoint.rows()} if self._checkpoint else {}
        edited: dict[str, Document] = {}
        problems: list[Problem] = []
        unchanged: list[Row] = []
        for path, seen in found.items():
            row = rows.get(path)
            if row and row.mtime_ns is not None and (seen.size, seen.mtime_ns) == (row.size, row.mtime_ns):
                continue
            document, wrong = self._compared(path, seen, row)
            problems += wrong
            if document:
                edited[path] = document
            elif path in self._rows and path not in self._dirty:
                unchanged.append(self._rows[path])
        self._note_missing(found, rows)
        self._note_settled(unchanged)
        self._looked.update(found)
        if problems:
            raise CampaignInvalid(problems)
        return edited

    def _compared(self, path: str, seen: Seen, row: Row | None) -> tuple[Document | None, list[Problem]]:
        """Return the document in a file when it is a hand edit, and what is wrong with the file."""
        data, problems = read_document(self.files, path, seen)
        digest = sha256(data)
        if problems:
            self._edited[path] = Row(path, self.history.seq + 1, digest, seen.size, seen.mtime_ns)
            return None, problems
        if row and digest == row.sha256:
            self._rows[path] = Row(path, row.seq, digest, seen.size, seen.mtime_ns)
            return None, []
        current = self._current(path)
        document, problems = parse_document(path, data)
        if document and current and compact(document.as_written) == compact(current.as_written):
            seq = self._dirty.get(path, row.seq if row else self.history.seq)
            self._rows[path] = Row(path, seq, digest, seen.size, seen.mtime_ns)
            self._dirty[path] = seq
            self._on_disk.add(path)
            return None, []
        if self._was_once(path, data, document, seen):
            self._dirty.setdefault(path, self.history.seq)
            return None, []
        if document and current and (merged := self._on_top(path, document, current)):
            if compact(merged.as_written) != compact(current.as_written):
                return merged, []
            self._dirty.setdefault(path, self.history.seq)  # adopted before, and not yet written
            return None, []
        self._edited[path] = Row(path, self.history.seq + 1, digest, seen.size, seen.mtime_ns)
        return document, problems

    def _on_top(self, path: str, edited: Document, current: Document) -> Document | None:
        """Return an edit of a file that was behind its document, made on top of what the file did not hold yet.

        None where the file was not behind, or the two do not go together: then the file stands as it is.
        """
        base = self._bases.get(path)
        if base is None:
            return None
        try:
            value = patch.apply(current.as_written, patch.diff(base.as_written, edited.as_written))
        except patch.PatchError:
            return None
        return document_from(path, value)[0]

    def leave_as_written(self, paths: Iterable[str]) -> None:
        """Leave the files of adopted hand edits in the words of who wrote them: they hold what the log now says."""
        for path in paths:
            if row := self._edited.pop(path, None):
                self._rows[path] = row
                self._on_disk.add(path)

    def _was_once(self, path: str, data: bytes, document: Document | None, seen: Seen) -> bool:
        """Return whether a file holds an earlier version of its document, or the beginning of one: it is merely behind.

        That is looked up in the log: where a power cut may have been, or the checkpoint was made again, all of it. A
        file that was changed after the log was then counts as behind only in the engine's own spelling: somebody may
        have gone back to what a document once said.
        """
        log = self.files.look(LOG_PATH)
        by_value = not self._is_suspect or (log is not None and seen.mtime_ns < log.mtime_ns)
        is_short = self._checkpoint is not None and not self._is_suspect
        value = self._checkpoint.value(path) if self._checkpoint and is_short else None
        values = {} if value is None else {path: value}
        after = self._checkpoint.history().seq if self._checkpoint and is_short else -1
        if _is_version(data, document, value, by_value=by_value):
            return True
        for record in self.records(after):
            if path in record.get("changes", {}):
                apply_changes(values, record["changes"], only={path})
                if _is_version(data, document, values.get(path), by_value=by_value):
                    return True
        return False

    def _note_missing(self, found: Mapping[str, Seen], rows: Mapping[str, Row]) -> None:
        for path, row in rows.items():
            if path not in found and self._current(path) is not None:
                self._dirty.setdefault(path, row.seq)

    def _note_settled(self, unchanged: Iterable[Row]) -> None:
        """Keep how unchanged files look, once they are old enough that no later change can hide in the same instant."""
        rows = list(unchanged)
        if not rows or not self._checkpoint:
            return
        limit = self.files.now_ns() - _SETTLED_NS
        if settled := [row for row in rows if row.mtime_ns is not None and row.mtime_ns < limit]:
            self._checkpoint.note(settled)

    # the checkpoint

    @property
    def is_behind(self) -> bool:
        """Whether documents, results or checkpoint are not yet what the log says."""
        return bool(self._dirty or self._records or self._results or self._are_results_suspect)

    def flush(self, keep_results: int, spare: Collection[str] = ()) -> None:
        """Bring documents, results and checkpoint up to the log. Only called under the lock.

        Args:
            keep_results: how many of the newest results stay as files.
            spare: paths of files that are left alone whatever they hold; they will be known for edited by hand.

        Raises:
            DocumentChanged: when a file that is to be written was edited by hand since a turn last looked.
        """
        if not self.is_behind or self._checkpoint is None:
            return
        try:
            if not self._checkpoint.is_in_place():
                self._open(writable=True)
            self._flush(self._checkpoint, keep_results, {*spare, *self._edited_unseen()})
        except Unreadable:
            self._rebuild(self.history.seq)
            self._flush(self._checkpoint, keep_results, {*spare, *self._edited_unseen()})

    def _edited_unseen(self) -> Iterable[str]:
        """Return the files edited by hand, when the checkpoint was made again and nobody has looked at them since."""
        if self._is_compared:
            return ()
        with suppress(CampaignInvalid):
            self.changed_by_hand()
        return self._edited

    def _flush(self, checkpoint: Checkpoint, keep_results: int, spare: Collection[str]) -> None:
        gone = sorted(path for path in self._dirty if self._documents[path] is None)
        for path in gone:
            if path not in spare:
                self._require_unedited(path)
                self.files.remove(path)
        dirty = sorted((path, seq) for path, seq in self._dirty.items() if path not in gone)
        written = [self._write(path, seq, is_spared=path in spare) for path, seq in dirty]
        self._write_results(keep_results)
        checkpoint.save(self.history, written, gone, self._records.values())
        if self._are_results_suspect:
            remove_leftovers(self.files, checkpoint, keep_results)
        prune_results(self.files, checkpoint, keep_results, self._written_before)
        for path in gone:
            self._rows.pop(path, None)
        self._forget_what_was_ahead()
        self._written_before = self.history.seq
        self._is_suspect = self._are_results_suspect = False

    def _write(self, path: str, seq: int, *, is_spared: bool) -> tuple[Row, str, Iterable[str] | None]:
        """Write a document's file unless it holds the document already; return what the checkpoint keeps of it."""
        document = self._documents[path]
        assert document is not None
        value = document.as_written
        if is_spared:
            data = pretty(value)
            self._rows[path] = Row(path, seq, sha256(data), len(data), None)
        elif path not in self._on_disk:
            self._require_unedited(path)
            data = pretty(value)
            seen = self.files.replace(path, data)
            self._rows[path] = Row(path, seq, sha256(data), seen.size, seen.mtime_ns)
            self._looked.add(path)
        row = self._rows[path]
        area_ids = document.areas.keys() if isinstance(document, Layer) else None
        return Row(path, seq, row.sha256, row.size, None), compact(value).decode(), area_ids

    def _write_results(self, keep: int) -> None:
        before = self._checkpoint.newest_turns(keep) if self._are_results_suspect and self._checkpoint else {}
        newest = list((before | self._results).values())[-keep:]
        for row, line in zip(newest, self.log.lines_at(row.offset for row in newest), strict=True):
            assert row.turn_id is not None
            self.files.replace(result_path(row.turn_id), pretty(reply_of(self._read(row, line))))


def _is_version(data: bytes, document: Document | None, version: Any, *, by_value: bool) -> bool:
    """Return whether a file holds a version of its document, in whichever spelling, or only the beginning of it."""
    if version is None:
        return False
    if document is None:
        return not data.strip(b"\0") or pretty(version).startswith(data)
    return compact(document.as_written) == compact(version) if by_value else pretty(version) == data
