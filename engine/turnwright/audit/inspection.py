"""One look at a campaign directory: the log read to its end, then everything beside it compared.

Source: docs/stages/5-commit.md, "Verifying".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field

from turnwright.audit.checkpoint import CheckpointAudit
from turnwright.audit.documents import DocumentsAudit
from turnwright.audit.replay import Replay
from turnwright.audit.results import result_problems, results_found
from turnwright.model.errors import CampaignInvalid
from turnwright.model.strict_json import sha256
from turnwright.model.wire.reason import Problem
from turnwright.rulesets.lifetime import Restoration
from turnwright.store.checkpoint_file import CHECKPOINT_PATH
from turnwright.store.document_table import DocumentTable
from turnwright.store.documents import find_documents
from turnwright.store.files import Files
from turnwright.store.folders import folders_of_turns
from turnwright.store.hard_links import problem_of
from turnwright.store.lock import locked
from turnwright.store.log import LOG_PATH, NOBODY_READS, Log, copies_of_log
from turnwright.store.secret import SECRET_PATH, read_secrets

Progress = Callable[[int, int], None]
"""Told how many bytes of the log are read, and how many there are."""
STEP = 256
"""Records between two calls of `Progress`."""


@contextmanager
def _undisturbed(files: Files, wait: float) -> Iterator[None]:
    """Keep writers out; where we may not write, go without."""
    with ExitStack() as held:
        with suppress(OSError):
            held.enter_context(locked(files, wait))
        yield


@dataclass(slots=True)
class Inspection:
    """One look at a campaign directory.

    Attributes:
        wrong: files that can be made again from the log, because they are missing, behind or not what it says.
        is_lost: whether records of the log are gone or cannot be trusted.
    """

    files: Files
    kinds: DocumentTable
    restorations: Mapping[str, Restoration]
    progress: Progress
    problems: list[Problem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    wrong: set[str] = field(default_factory=set)
    results: int = 0
    is_lost: bool = False
    replay: Replay | None = None
    documents: DocumentsAudit = field(init=False)

    def run(self, wait: float) -> None:
        """Read the log to its end, then compare what lies beside it."""
        self.notes += [f"{name} {NOBODY_READS}" for name in copies_of_log(self.files)]
        if shared := problem_of(self.files):
            self.notes.append(f"{shared.file} {shared.message}")
        log = Log(self.files, self.kinds)
        self.documents = DocumentsAudit(self.files, self.kinds, log)
        if log.size() is None:
            self._without_log("is missing")
            return
        secrets, secret_problems = self._secrets()
        checkpoint = CheckpointAudit(self.files, secrets or ())
        self.replay = replay = Replay(log, secrets, results_found(self.files), self.restorations)
        try:
            self._read(log, replay, checkpoint)
            with _undisturbed(self.files, wait):
                self._read(log, replay, checkpoint)
                if torn := (log.size() or 0) - replay.history.size:
                    self.notes.append(f"the log ends with a torn line of {torn} bytes; the next writer sets it aside")
                checkpoint.finish(replay)
                self._compare(log, replay, checkpoint)
        except CampaignInvalid as damage:
            self.is_lost = True
            self.problems += damage.problems
            self.notes.append("nothing but the log before the damage was checked")
        finally:
            checkpoint.close()
        if replay.history.seq >= 0:
            self.problems += secret_problems
            self._note_unchecked(replay)

    def _without_log(self, how: str) -> None:
        self.documents.compared = len(find_documents(self.files, self.kinds))
        shown = folders_of_turns(self.files)
        checkpoint = CheckpointAudit(self.files)
        checkpoint.close()
        if checkpoint.was_filled:
            shown.append(CHECKPOINT_PATH)
        if shown:
            self.is_lost = True
            message = f"{how}, but turns were taken: see {', '.join(shown)}"
            self.problems.append(Problem(LOG_PATH, "$", "log", message))
        elif self.files.look(SECRET_PATH):
            self.notes.append(
                "there is no log, but a dice secret: either the campaign never came to its first record, "
                "or the log is gone; nothing is left to tell"
            )
        else:
            self.notes.append("the log has not begun; the first turn begins it with the documents that lie here")

    def _secrets(self) -> tuple[dict[str, bytes] | None, tuple[Problem, ...]]:
        try:
            return {sha256(secret): secret for secret in read_secrets(self.files)}, ()
        except CampaignInvalid as error:
            return None, error.problems

    def _read(self, log: Log, replay: Replay, checkpoint: CheckpointAudit) -> None:
        total = log.size() or 0
        for offset, line in log.lines(replay.history.size):
            record = replay.take(offset, line)
            checkpoint.follow(record, offset, replay)
            if record["seq"] % STEP == 0:
                self.progress(min(replay.history.size, total), total)
        self.progress(total, total)

    def _compare(self, log: Log, replay: Replay, checkpoint: CheckpointAudit) -> None:
        if replay.history.seq < 0:
            self._without_log("holds no record")
            return
        documents = self.documents
        documents.compare(replay, checkpoint)
        self._note_checkpoint(replay, checkpoint)
        self.wrong |= {*documents.behind, *documents.missing, *documents.unusable}
        self.notes += [f"{path} is behind the log; the next turn brings it up to date" for path in documents.behind]
        verb = "is refused with it" if documents.is_refused else "would adopt it"
        self.notes += [f"{path} was edited by hand; the next turn {verb}" for path in documents.edited]
        results = list(result_problems(self.files, log, replay, checkpoint.settled(replay)))
        self.results = len(results_found(self.files))
        self.wrong |= {problem.file for problem in results if problem.rule != "extra"}
        self.problems += [*documents.problems, *results]
        if not checkpoint.vouches:
            self._note_end()

    def _note_end(self) -> None:
        """Say what can still tell whether lines are gone from the end of the log, where no checkpoint does."""
        counts = {"documents": self.documents.found, "results": self.results}
        left = " and ".join(name for name, count in counts.items() if count)
        if not left:
            self.notes.append(
                "nothing is left to compare the end of the log with: no checkpoint, no results, no documents; "
                "if its last lines were cut off, that cannot be known"
            )
            return
        note = f"without a checkpoint the end of the log was compared with {left} only"
        if self.documents.edited:
            note += "; what looks edited by hand may come from lines that were cut off"
        self.notes.append(note)

    def _note_unchecked(self, replay: Replay) -> None:
        if replay.dice.unchecked:
            self.notes.append(f"without the dice secret, {replay.dice.unchecked} draws were not checked")
        for seq in replay.unproven:
            why = "the dialog type was spelled in another way, or the record is not as it was written"
            self.notes.append(f"record {seq}: the turn it holds has another hash than its content: {why}")
        if replay.also_unproven:
            self.notes.append(f"{replay.also_unproven} more records hold a turn with another hash than their content")
        if replay.unnamed:
            self.notes.append(f"{replay.unnamed} more problems of single records are not listed")

    def _note_checkpoint(self, replay: Replay, checkpoint: CheckpointAudit) -> None:
        if checkpoint.problem:
            self.problems.append(checkpoint.problem)
        elif checkpoint.note:
            self.notes.append(checkpoint.note)
        elif checkpoint.is_behind(replay):
            self.notes.append("the checkpoint is behind the log; the next turn brings it up to date")
        if not checkpoint.is_usable or checkpoint.is_behind(replay):
            self.wrong.add(CHECKPOINT_PATH)
