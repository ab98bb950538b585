"""Bring the files of documents, results and the checkpoint up to the log.

Source: docs/stages/5-commit.md, "Behind the log".
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from contextlib import suppress

from turnwright.model.area import Layer
from turnwright.model.errors import CampaignInvalid
from turnwright.model.strict_json import compact, pretty
from turnwright.model.wire.record import reply_of
from turnwright.store.checkpoint import Checkpoint, Row, Saved, digest
from turnwright.store.files import Files
from turnwright.store.hand_edits import EditDetector
from turnwright.store.loaded import Loaded
from turnwright.store.log import Log
from turnwright.store.recovery import Recovery, rebuild_on_corruption
from turnwright.store.results import prune_results, remove_leftovers, result_path


class Flusher:
    """Writes the files derived from the log of one campaign directory.

    Args:
        files: the directory's files.
        log: its log.
        loaded: the state loaded from it.
        recovery: rebuilds that state from the log.
        edits: checks files for hand edits before they are overwritten.
    """

    def __init__(self, files: Files, log: Log, loaded: Loaded, recovery: Recovery, edits: EditDetector) -> None:
        self._files = files
        self._log = log
        self._loaded = loaded
        self._recovery = recovery
        self._edits = edits

    @property
    def is_behind(self) -> bool:
        """Whether documents, results or checkpoint are not yet what the log says."""
        records = self._loaded.records
        return bool(self._loaded.copies.stale or records.ahead or records.replies or self._recovery.are_results_suspect)

    @rebuild_on_corruption
    def flush(self, keep_results: int, spare: Collection[str] = ()) -> None:
        """Bring documents, results and checkpoint up to the log. Only called under the lock; see `Store.flush`."""
        if not self.is_behind or self._loaded.checkpoint is None:
            return
        if not self._loaded.checkpoint.is_in_place():
            self._recovery.load(writable=True)
        spared = {*spare, *self._edited_unseen()}
        self._flush(self._loaded.checkpoint, keep_results, spared)

    def _edited_unseen(self) -> Iterable[str]:
        """Return hand-edited files if the checkpoint was rebuilt and no check for edits has run since."""
        if self._recovery.is_compared:
            return ()
        with suppress(CampaignInvalid):
            self._edits.changed_by_hand()
        return self._loaded.copies.edited

    def _flush(self, checkpoint: Checkpoint, keep_results: int, spare: Collection[str]) -> None:
        copies = self._loaded.copies
        gone = sorted(path for path in copies.stale if self._loaded.current.get(path) is None)
        for path in gone:
            if path not in spare:
                self._edits.require_unedited(path)
                self._files.remove(path)
        stale = sorted((path, seq) for path, seq in copies.stale.items() if path not in gone)
        written = [self._write(path, seq, is_spared=path in spare) for path, seq in stale]
        self._write_results(checkpoint, keep_results)
        checkpoint.save(self._loaded.history, written, gone, self._loaded.records.ahead.values())
        if self._recovery.are_results_suspect:
            remove_leftovers(self._files, checkpoint, keep_results)
        prune_results(self._files, checkpoint, keep_results, self._recovery.written_before)
        for path in gone:
            copies.rows.pop(path, None)
        self._loaded.records.settle()
        self._loaded.current.settle()
        copies.settle()
        self._recovery.written_before = self._loaded.history.seq
        self._recovery.is_suspect = self._recovery.are_results_suspect = False

    def _write(self, path: str, seq: int, *, is_spared: bool) -> Saved:
        """Write a document's file unless it holds the document already; return what the checkpoint keeps of it."""
        copies, document = self._loaded.copies, self._loaded.current.get(path)
        assert document is not None
        value = document.as_written
        if not is_spared:
            self._edits.require_unedited(path)
        if is_spared:
            data = pretty(value)
            copies.rows[path] = Row(path, seq, digest(data), len(data), None, None)
        elif path not in copies.kept:
            data = pretty(value)
            seen = self._files.replace(path, data)
            copies.rows[path] = Row.of(path, seq, data, seen)
            copies.bases[path] = document  # what follows may fail
        row = copies.rows[path]
        area_ids = document.areas.keys() if isinstance(document, Layer) else None
        kept = Row(path, seq, row.sha256, row.size, None, None)
        return Saved(kept, compact(value).decode(), area_ids, document.lookup)

    def _write_results(self, checkpoint: Checkpoint, keep: int) -> None:
        before = checkpoint.records.newest_turns(keep) if self._recovery.are_results_suspect else {}
        newest = list((before | self._loaded.records.replies).values())[-keep:]
        for row, line in zip(newest, self._log.lines_at(row.offset for row in newest), strict=True):
            assert row.turn_id is not None
            self._files.replace(result_path(row.turn_id), pretty(reply_of(self._loaded.records.on_line(line, row))))
