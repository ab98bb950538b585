"""One campaign directory: a guarded ledger, and files that follow behind.

A turn is committed by one append; documents, results and checkpoint are brought up to date afterwards, and whatever a
crash left behind is made again from the log. Source: docs/stages/5-commit.md.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from contextlib import suppress

from turnwright.model.area import Layer
from turnwright.model.errors import CampaignInvalid
from turnwright.model.strict_json import compact, pretty, sha256
from turnwright.model.wire.record import reply_of
from turnwright.store.checkpoint import Checkpoint, Row, Saved
from turnwright.store.hand_edits import DocumentChanged, EditDetector
from turnwright.store.recovery import rebuild_on_corruption
from turnwright.store.results import prune_results, remove_leftovers, result_path

__all__ = ["DocumentChanged", "Store"]


class Store(EditDetector):
    """One campaign directory, files and all."""

    @property
    def is_behind(self) -> bool:
        """Whether documents, results or checkpoint are not yet what the log says."""
        records = self._records
        return bool(self._copies.stale or records.ahead or records.replies or self._are_results_suspect)

    @rebuild_on_corruption
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
        if not self._checkpoint.is_in_place():
            self._load(writable=True)
        spared = {*spare, *self._edited_unseen()}
        self._flush(self._checkpoint, keep_results, spared)

    def _edited_unseen(self) -> Iterable[str]:
        """Return the files edited by hand, when the checkpoint was made again and nobody has looked at them since."""
        if self._is_compared:
            return ()
        with suppress(CampaignInvalid):
            self.changed_by_hand()
        return self._copies.edited

    def _flush(self, checkpoint: Checkpoint, keep_results: int, spare: Collection[str]) -> None:
        copies = self._copies
        gone = sorted(path for path in copies.stale if self._current.get(path) is None)
        for path in gone:
            if path not in spare:
                self._require_unedited(path)
                self.files.remove(path)
        stale = sorted((path, seq) for path, seq in copies.stale.items() if path not in gone)
        written = [self._write(path, seq, is_spared=path in spare) for path, seq in stale]
        self._write_results(checkpoint, keep_results)
        checkpoint.save(self.history, written, gone, self._records.ahead.values())
        if self._are_results_suspect:
            remove_leftovers(self.files, checkpoint, keep_results)
        prune_results(self.files, checkpoint, keep_results, self._written_before)
        for path in gone:
            copies.rows.pop(path, None)
        self._records.settle()
        self._current.settle()
        copies.settle()
        self._written_before = self.history.seq
        self._is_suspect = self._are_results_suspect = False

    def _write(self, path: str, seq: int, *, is_spared: bool) -> Saved:
        """Write a document's file unless it holds the document already; return what the checkpoint keeps of it."""
        copies, document = self._copies, self._current.get(path)
        assert document is not None
        value = document.as_written
        if not is_spared:
            self._require_unedited(path)
        if is_spared:
            data = pretty(value)
            copies.rows[path] = Row(path, seq, sha256(data), len(data), None, None)
        elif path not in copies.kept:
            data = pretty(value)
            seen = self.files.replace(path, data)
            copies.rows[path] = Row.of(path, seq, sha256(data), seen)
            copies.bases[path] = document  # what follows may fail
        row = copies.rows[path]
        area_ids = document.areas.keys() if isinstance(document, Layer) else None
        kept = Row(path, seq, row.sha256, row.size, None, None)
        return Saved(kept, compact(value).decode(), area_ids, document.lookup)

    def _write_results(self, checkpoint: Checkpoint, keep: int) -> None:
        before = checkpoint.records.newest_turns(keep) if self._are_results_suspect else {}
        newest = list((before | self._records.replies).values())[-keep:]
        for row, line in zip(newest, self.log.lines_at(row.offset for row in newest), strict=True):
            assert row.turn_id is not None
            self.files.replace(result_path(row.turn_id), pretty(reply_of(self._records.on_line(line, row))))
