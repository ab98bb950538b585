"""The state that one process has loaded of a campaign: its position in the log, and what is derived from it.

Source: docs/stages/5-commit.md, "The log is the truth".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnwright.model.base import Document
from turnwright.model.state.log_state import LogState
from turnwright.store.checkpoint import Checkpoint
from turnwright.store.document_cache import Current
from turnwright.store.document_table import DocumentTable
from turnwright.store.files import Files
from turnwright.store.log import Log
from turnwright.store.records import Records
from turnwright.store.results import Answered
from turnwright.store.working_files import Copies

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import Record


class Loaded:
    """The loaded state of one campaign directory. The parts of a store share it; it has no behavior.

    Attributes:
        checkpoint: the open checkpoint, if any.
        history: the log up to the last record taken.
        records: the positions and contents of records.
        current: the documents as of that record.
        copies: the state of their files.
        answered: the turns whose replies exist as files.
    """

    checkpoint: Checkpoint | None
    history: LogState
    records: Records
    current: Current
    copies: Copies
    answered: Answered

    def __init__(self, files: Files, kinds: DocumentTable, log: Log) -> None:
        self._files = files
        self._kinds = kinds
        self._log = log
        self.begin(None, LogState())

    def begin(self, checkpoint: Checkpoint | None, history: LogState) -> None:
        """Know what a checkpoint holds, and nothing else."""
        self.checkpoint = checkpoint
        self.history = history
        self.records = Records(self._log, checkpoint)
        self.current = Current(checkpoint, self._kinds)
        self.copies = Copies(checkpoint)
        self.answered = Answered(self._files)

    def remember(self, record: Record, line: bytes, offset: int) -> None:
        """Take in the record that comes next, its line, and where that begins."""
        self.history.take(record, line)
        self.records.take(record, offset)

    def take(self, path: str, document: Document | None, seq: int) -> None:
        """Take in what a record made of a document; None when it is gone."""
        self.current.take(path, document)
        self.copies.take(path, seq)

    def close_checkpoint(self) -> None:
        """Close the checkpoint, if one is open."""
        if self.checkpoint:
            self.checkpoint.close()
        self.checkpoint = None
