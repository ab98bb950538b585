"""The checkpoint, compared with the log while the log is read.

Source: docs/stages/5-commit.md, "Checkpoint".
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from turnwright.audit.equality import same_document
from turnwright.audit.replay import Replay
from turnwright.model.area import area_number
from turnwright.model.json_types import JsonObject
from turnwright.model.state.log_state import LogState
from turnwright.model.strict_json import canonical
from turnwright.model.wire.reason import Problem
from turnwright.store.checkpoint import Checkpoint, Row
from turnwright.store.checkpoint_file import CHECKPOINT_PATH, OtherVersion, Unavailable, Unreadable
from turnwright.store.document_table import DocumentTable
from turnwright.store.documents import document_from
from turnwright.store.files import Files
from turnwright.store.log import damaged
from turnwright.store.record_index import RecordRow
from turnwright.store.recovery import WENT_BACK_OR_LOST

if TYPE_CHECKING:
    from turnwright.model.state.fold import Values
    from turnwright.model.wire.shapes import Record

_FOREIGN = "is of another campaign"
_NEXT_WRITER = "the next writer makes it from the log"


class CheckpointAudit:
    """The checkpoint as it was when this was made.

    Attributes:
        problem: content that differs from the log, or cannot be read.
        note: why it was not compared, if that is not damage.
        since: the documents that records after it changed.
        vouches: whether it knows a record of the log as the last, so that the log cannot have lost that.
    """

    def __init__(self, files: Files, secrets: Container[str] = ()) -> None:
        """Open the existing checkpoint.

        Args:
            files: the campaign's.
            secrets: the SHA-256 of each dice secret of the campaign, by which a foreign checkpoint is told.
        """
        self.problem: Problem | None = None
        self.note = ""
        self.since: set[str] = set()
        self.vouches = False
        self._files = files
        self._secrets = secrets
        self._fault: str | None = None
        self._checkpoint: Checkpoint | None = None
        self._known = LogState()
        self._open()

    def _open(self) -> None:
        try:
            self._checkpoint = Checkpoint.open(self._files, writable=False)
            self._known = self._checkpoint.history()
        except Unavailable as error:
            self._give_up("", f"the checkpoint was not compared, because it cannot be read here: {error}")
        except OtherVersion:
            self._give_up("", f"the checkpoint is of another version of turnwright; {_NEXT_WRITER}")
        except Unreadable as error:
            if self._is_empty():
                self._give_up("", f"the checkpoint was never filled; {_NEXT_WRITER}")
            elif self._files.look(CHECKPOINT_PATH):
                self._give_up(f"cannot be used: {error}")
            else:
                self._give_up("", f"there is no checkpoint; {_NEXT_WRITER}")

    def _is_empty(self) -> bool:
        """Return whether it is sound and holds nothing, as a writer leaves it that refused the log."""
        with suppress(Unreadable):
            return self._checkpoint is not None and not any(self._checkpoint.rows())
        return False

    def close(self) -> None:
        """Close the file."""
        if self._checkpoint:
            self._checkpoint.close()
        self._checkpoint = None

    def _give_up(self, problem: str, note: str = "") -> None:
        self.close()
        if problem:
            self.problem = Problem(CHECKPOINT_PATH, "$", "checkpoint", problem)
        else:
            self.note = note

    @property
    def was_filled(self) -> bool:
        """Whether it was ever brought up to a record."""
        return self._known.seq >= 0

    @property
    def is_usable(self) -> bool:
        """Whether what it says of the files can be relied on."""
        return self._checkpoint is not None

    def rows(self) -> Mapping[str, Row]:
        """Return how the files of documents were left, by path; empty if unknown."""
        try:
            return {row.path: row for row in self._checkpoint.rows()} if self._checkpoint else {}
        except Unreadable as error:
            self._give_up(str(error))
            return {}

    def is_behind(self, replay: Replay) -> bool:
        """Return whether records came after it."""
        return self.is_usable and self._known.seq < replay.history.seq

    def settled(self, replay: Replay) -> int:
        """Return how many bytes of the log were followed up."""
        return self._known.size if self.is_usable else replay.history.size

    def follow(self, record: Record, offset: int, replay: Replay) -> None:
        """Compare with the record that was just taken, and with the state when it is the checkpoint's own.

        Raises:
            CampaignInvalid: when the log no longer holds the record the checkpoint was made at.
        """
        if self._checkpoint is None:
            return
        if record["seq"] > self._known.seq:
            self.since.update(record.get("changes", {}))
            return
        is_last = record["seq"] == self._known.seq
        if is_last:
            self._meet_head(replay)
        if self._fault is None:
            self._fault = self._fault_at(record, offset, replay if is_last else None)
        if is_last and self._fault:
            self._give_up(self._fault)

    def _meet_head(self, replay: Replay) -> None:
        """Look whether the last record it knows is the one in the log; nothing else it says matters before that."""
        if replay.history.head == self._known.head:
            self.vouches = True
        elif self._is_foreign(replay):
            self._fault = _FOREIGN
        else:
            seq = self._known.seq
            raise damaged(seq, f"the log no longer holds record {seq} as it was written, or the checkpoint is foreign")

    def _is_foreign(self, replay: Replay) -> bool:
        """Return whether it speaks of another dice secret than log and secret file do."""
        return self._known.secret_hash not in self._secrets and replay.history.secret_hash in self._secrets

    def _fault_at(self, record: Record, offset: int, replay: Replay | None) -> str | None:
        """Compare its index with a record, and all it holds with the state after its own last record."""
        assert self._checkpoint is not None
        row = RecordRow(record["seq"], offset, record["kind"], record.get("turn_id"), record.get("source"))
        try:
            if self._checkpoint.records.at(row.seq) != row:
                return f"has record {row.seq} at another place than the log"
            return next(self._faults(self._checkpoint, replay), None) if replay else None
        except Unreadable as error:
            return str(error)

    def finish(self, replay: Replay) -> None:
        """Look whether the log was read as far as the checkpoint knows it, and take in a newer checkpoint.

        Raises:
            CampaignInvalid: when the log ends before.
        """
        if self.is_usable and self._known.seq > replay.history.seq:
            if self._is_foreign(replay):
                self._give_up(_FOREIGN)
                return
            known, last = self._known.seq, replay.history.seq
            ends = f"ends with record {last}" if last >= 0 else "holds no record"
            raise damaged(last + 1, f"the log {ends}, but the checkpoint knows record {known}; {WENT_BACK_OR_LOST}")
        if self.is_behind(replay):
            self._reopen(replay)

    def _reopen(self, replay: Replay) -> None:
        """Compare once more if another process brought the checkpoint up to the log's end while it was read."""
        newer = CheckpointAudit(self._files, self._secrets)
        if newer._known.seq != replay.history.seq or newer._checkpoint is None:
            newer.close()
            return
        self.close()
        self._checkpoint, self._known = newer._checkpoint, newer._known
        self.since.clear()
        self.vouches = self._known.head == replay.history.head
        try:
            fault = next(self._faults(self._checkpoint, replay), None)
        except Unreadable as error:
            fault = str(error)
        if fault:
            self._give_up(fault)

    def _faults(self, checkpoint: Checkpoint, replay: Replay) -> Iterator[str]:
        if canonical(self._known.to_json()) != canonical(replay.history.to_json()):
            yield f"remembers other things of the log up to record {self._known.seq} than it says"
        stored = {row.path for row in checkpoint.rows()}
        for path in sorted({*stored, *replay.values}):
            if path not in stored or path not in replay.values:
                yield f"{'lacks' if path in replay.values else 'holds'} {path}, other than the log"
            elif not same_document(path, checkpoint.value(path), replay.values[path], replay.kinds):
                yield f"holds {path} other than the log"
        numbers = [0]
        for path, area_id in _areas(replay.values):
            numbers.append(area_number(area_id) or 0)
            if checkpoint.layer_of(area_id) != path:
                yield f"has {area_id} in another layer than the log"
        if checkpoint.highest_area() != max(numbers):
            yield "counts other areas than the log"
        if replay.kinds.is_complete and checkpoint.tags() != _tags(replay.values, replay.kinds):
            yield "finds documents by other names than the log"


def _areas(values: Values) -> Iterator[tuple[str, str]]:
    for path, value in values.items():
        if path.startswith("maps/"):
            areas = value["areas"]
            assert isinstance(areas, Mapping)
            for area_id in areas:
                yield path, area_id


def _tags(values: JsonObject, kinds: DocumentTable) -> set[tuple[str, str]]:
    documents = ((path, document_from(path, value, kinds)[0]) for path, value in values.items())
    return {(tag, path) for path, document in documents if document for tag in document.lookup}
