"""The files of documents, compared with what the log says: the same, behind, missing, or edited by hand.

Source: docs/stages/2-settings.md, "Hand edits"; docs/stages/5-commit.md, "Crashes and damage".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from turnwright.audit.checkpoint import CheckpointAudit
from turnwright.audit.equality import same_document
from turnwright.audit.replay import Replay
from turnwright.model.base import Document
from turnwright.model.json_types import JsonObject
from turnwright.model.state.fold import Values, apply_changes
from turnwright.model.state.overlay import InMemorySource, World
from turnwright.model.strict_json import compact, parse_json, sha256
from turnwright.model.wire.reason import Problem
from turnwright.protocol.validation.edits import campaign_problems
from turnwright.store.checkpoint import Row
from turnwright.store.document_table import DocumentTable
from turnwright.store.documents import (
    document_from,
    find_documents,
    holds_a_beginning,
    parse_document,
    read_document,
)
from turnwright.store.files import Files, Seen
from turnwright.store.log import Log


@dataclass(slots=True)
class DocumentsAudit:
    """The outcome for each document's file.

    Attributes:
        problems: reasons to refuse a turn, and files that differ from the log.
        edited: valid hand edits that no record has adopted, by path.
        behind: files that an interrupted writer left for the next one to update.
        unusable: files without a valid document, or with one of unknown origin, where the log has one.
        missing: documents without a file.
        is_refused: whether a turn would be refused because of hand edits.
        compared: the number of documents compared.
        found: the number of documents with a file.
    """

    files: Files
    kinds: DocumentTable
    log: Log
    problems: list[Problem] = field(default_factory=list)
    edited: dict[str, Document] = field(default_factory=dict)
    behind: list[str] = field(default_factory=list)
    unusable: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    is_refused: bool = False
    compared: int = 0
    found: int = 0
    _unvouched: dict[str, bytes] = field(default_factory=dict)

    def compare(self, replay: Replay, checkpoint: CheckpointAudit) -> None:
        """Compare every file with the state after the last record."""
        found, rows = find_documents(self.files, self.kinds), checkpoint.rows()
        self.found = len(found)
        documents: dict[str, Document] = {}
        for path in sorted({*found, *replay.values}):
            self.compared += 1
            expected = self._expected(path, replay.values)
            if expected:
                documents[path] = expected
            if path not in found:
                self._note_missing(path, checkpoint)
            else:
                self._compare(path, found[path], expected, rows.get(path), checkpoint)
        self._tell_apart(replay)
        world = World(InMemorySource(documents))
        for document in self.edited.values():
            world.put(document)
        problems = campaign_problems(world, self.edited, documents.get)
        misfits = [problem for problem in problems if not problem.warning]
        self.is_refused = self.is_refused or bool(misfits)
        self.problems += misfits

    def _expected(self, path: str, values: JsonObject) -> Document | None:
        if path not in values:
            return None
        document, problems = document_from(path, values[path], self.kinds)
        self.problems += [Problem(p.file, p.path, p.rule, f"in the log, {p.message}") for p in problems]
        return document

    def _note_missing(self, path: str, checkpoint: CheckpointAudit) -> None:
        if checkpoint.is_usable and path in checkpoint.since:
            self.behind.append(path)
        else:
            self.missing.append(path)
            self.problems.append(Problem(path, "$", "missing", "is missing; the log has it"))

    def _compare(
        self, path: str, seen: Seen, expected: Document | None, row: Row | None, checkpoint: CheckpointAudit
    ) -> None:
        data, problems = read_document(self.files, path, seen)
        if problems:
            self._refuse(problems)
            return
        document, problems = parse_document(path, data, self.kinds)
        if document and expected and compact(document.value()) == compact(expected.value()):
            return
        is_half_written = document is None and expected is not None and holds_a_beginning(data, expected)
        digest = sha256(data)
        if is_half_written or self._is_of_then(path, digest, row, checkpoint):
            self.behind.append(path)
        elif document and not (row and row.sha256 == digest):
            self.edited[path] = document
            if not checkpoint.is_usable or path in checkpoint.since:
                self._unvouched[path] = data
        else:
            unsaid = [Problem(path, "$", "differs", "is as it was written, and yet not what the log says")]
            self._refuse(problems or unsaid)
            if expected:
                self.unusable.append(path)

    @staticmethod
    def _is_of_then(path: str, digest: str, row: Row | None, checkpoint: CheckpointAudit) -> bool:
        """Return whether a file is as it was left at an earlier record, and the document has changed since."""
        return row is not None and row.sha256 == digest and path in checkpoint.since

    def _tell_apart(self, replay: Replay) -> None:
        """Find what is only behind among what looks edited, where no checkpoint tells, or only an older one."""
        for path in sorted(_held_once(self._unvouched, self.log, replay.history.seq)):
            del self.edited[path]
            self.behind.append(path)
        self.behind.sort()

    def _refuse(self, problems: list[Problem]) -> None:
        self.is_refused = True
        self.problems += problems


def _held_once(files: Mapping[str, bytes], log: Log, last: int) -> set[str]:
    """Return which files hold what their document was after some record up to the last, whatever their spelling."""
    wanted = {path: parse_json(data) for path, data in files.items()}
    found: set[str] = set()
    values: Values = {}
    for _, line in log.lines() if files else ():
        record = parse_json(line)
        changes = record.get("changes", {})
        apply_changes(values, changes, only=wanted.keys())
        for path in wanted.keys() & changes:
            if path in values and same_document(path, wanted[path], values[path], log.kinds):
                found.add(path)
        if record["seq"] == last:
            break
    return found
