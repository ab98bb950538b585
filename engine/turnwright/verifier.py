"""Whether a campaign directory is what its log says: the chain, the dice, and every document, result and index.

Source: docs/stages/5-commit.md, "Crashes and damage".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from turnwright.audit.checkpoint import CheckpointAudit
from turnwright.audit.documents import DocumentsAudit
from turnwright.audit.replay import Replay
from turnwright.audit.results import result_names, result_problems
from turnwright.model.campaign import CAMPAIGN_PATH, CampaignDocument
from turnwright.model.errors import CampaignInvalid
from turnwright.model.reason import Problem
from turnwright.model.settings import settings_of
from turnwright.model.strict_json import sha256
from turnwright.stages.publish import problems_as_json
from turnwright.store.checkpoint import CHECKPOINT_PATH
from turnwright.store.documents import find_documents
from turnwright.store.drop import DONE_FOLDER
from turnwright.store.files import Files, storage_errors
from turnwright.store.lock import Lock
from turnwright.store.log import LOG_PATH, Log
from turnwright.store.results import RESULTS_FOLDER
from turnwright.store.secret import SECRET_PATH, read_secrets
from turnwright.store.store import Store

Progress = Callable[[int, int], None]
"""Told how many bytes of the log are read, and how many there are."""
DEFAULT_WAIT = 10.0
"""Seconds to wait for a writer."""
_STEP = 256
"""Records between two calls of `Progress`."""


@dataclass(frozen=True, slots=True)
class Findings:
    """What a verification found.

    Attributes:
        problems: where the directory is not what its log says, and what is wrong with the log.
        notes: what is worth knowing and no damage: hand edits that wait, a torn last line, dice not checked.
        records: how many records were read; likewise closed turns, draws, and documents and results compared.
        repaired: the files that were made again from the log.
    """

    problems: tuple[Problem, ...] = ()
    notes: tuple[str, ...] = ()
    records: int = 0
    turns: int = 0
    draws: int = 0
    documents: int = 0
    results: int = 0
    repaired: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the findings as data."""
        counts = {name: getattr(self, name) for name in ("records", "turns", "draws", "documents", "results")}
        problems = problems_as_json(self.problems)
        return {"problems": problems, "notes": list(self.notes), **counts, "repaired": list(self.repaired)}


def verify(path: Path, progress: Progress | None = None, *, wait: float = DEFAULT_WAIT) -> Findings:
    """Compare a campaign directory with its log, and change nothing.

    The log is read without holding up anybody. Then writers are kept out while files are compared, where we may.

    Args:
        path: the campaign directory.
        progress: told from time to time how far the log is read.
        wait: seconds to wait for a writer.

    Raises:
        CampaignInvalid: when there is no campaign.
        CampaignBusy: when a writer kept the lock for all that time.
    """
    return _looked_at(Path(path), progress, wait).findings()


def repair(path: Path, progress: Progress | None = None, *, wait: float = DEFAULT_WAIT) -> Findings:
    """Make documents, results and checkpoint again from the log where they are not what it says.

    The log is never touched, and no valid hand edit that waits to be adopted. A file that holds no document is put
    beside its place.

    Returns:
        what a verification finds afterwards, with what was made again.
    """
    before = _looked_at(Path(path), progress, wait)
    if not before.is_readable or not before.wrong:
        return before.findings()
    with storage_errors(f"cannot repair {path}"):
        aside = _make_again(before, wait)
    after = _looked_at(Path(path), progress, wait)
    found = after.findings()
    notes = tuple(f"{name} was no document; it lies now in {place}" for name, place in aside.items())
    return replace(found, notes=notes + found.notes, repaired=tuple(sorted(before.wrong - after.wrong)))


def reveal(path: Path) -> list[str]:
    """Return the dice secrets in hex, each with the record from which on it holds.

    Raises:
        CampaignInvalid: when there is no log, the log is damaged, or the secrets are missing.
    """
    files = Files(Path(path))
    with storage_errors(f"cannot read {path}"):
        log = Log(files)
        if log.size() is None:
            raise CampaignInvalid([Problem(LOG_PATH, "$", "log", "is missing, and with it what was drawn")])
        secrets = {sha256(secret): secret.hex() for secret in read_secrets(files)}
        replay = Replay(log, {}, ())
        for offset, line in log.lines():
            replay.take(offset, line)
    return [f"from record {seq}: {secrets.get(digest, 'missing')}" for seq, digest in replay.secrets]


def _looked_at(path: Path, progress: Progress | None, wait: float) -> _Look:
    files = Files(path)
    with storage_errors(f"cannot read {path}"):
        if files.look(CAMPAIGN_PATH) is None and files.look(LOG_PATH) is None:
            message = "there is no campaign here; `turnwright new` makes one"
            raise CampaignInvalid([Problem(str(path), "$", "missing", message)])
        look = _Look(files, progress or (lambda _done, _total: None))
        look.run(wait)
        return look


def _make_again(before: _Look, wait: float) -> dict[str, str]:
    """Make everything again from the log but hand edits; return where files that were in the way were put."""
    store, aside = Store(before.files), dict[str, str]()
    try:
        with store.rebuilding(wait):
            for path in before.documents.unusable:
                aside[path] = _free(before.files, f"{path}.unusable")
                before.files.rename(path, aside[path])
            campaign = store.peek(CAMPAIGN_PATH)
            settings = campaign.settings if isinstance(campaign, CampaignDocument) else {}
            store.flush(settings_of(settings)["results.keep"], spare=before.documents.edited)
    finally:
        store.close()
    return aside


def _free(files: Files, path: str) -> str:
    number, free = 2, path
    while files.look(free):
        free, number = f"{path}-{number}", number + 1
    return free


@contextmanager
def _undisturbed(files: Files, wait: float) -> Iterator[None]:
    """Keep writers out; where we may not write, go without."""
    lock = Lock(files)
    try:
        with ExitStack() as held:
            with suppress(OSError):
                held.enter_context(lock.held(wait))
            yield
    finally:
        lock.close()


@dataclass(slots=True)
class _Look:
    """One look at a campaign directory.

    Attributes:
        wrong: files that can be made again from the log, because they are missing, behind or not what it says.
        is_readable: whether the log could be read to its end.
    """

    files: Files
    progress: Progress
    problems: list[Problem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    wrong: set[str] = field(default_factory=set)
    results: int = 0
    is_readable: bool = False
    replay: Replay | None = None
    documents: DocumentsAudit = field(init=False)

    def run(self, wait: float) -> None:
        """Read the log to its end, then compare what lies beside it."""
        self.documents = DocumentsAudit(self.files)
        log = Log(self.files)
        if log.size() is None:
            self._without_log()
            return
        checkpoint = CheckpointAudit(self.files)
        self.replay = replay = Replay(log, self._secrets(), result_names(self.files))
        try:
            self.documents.look()
            self._read(log, replay, checkpoint)
            with _undisturbed(self.files, wait):
                self._read(log, replay, checkpoint)
                checkpoint.finish(replay)
                self._compare(log, replay, checkpoint)
            self.is_readable = True
        except CampaignInvalid as damage:
            self.problems += damage.problems
            self.notes.append("nothing but the log before the damage was checked")
        finally:
            checkpoint.close()

    def _without_log(self) -> None:
        self.documents.compared = len(find_documents(self.files))
        shown = [f"{folder}/" for folder in (RESULTS_FOLDER, DONE_FOLDER) if self.files.listing(folder)]
        checkpoint = CheckpointAudit(self.files)
        checkpoint.close()
        if checkpoint.was_filled:
            shown.append(CHECKPOINT_PATH)
        if shown:
            message = f"is missing, but {', '.join(shown)} shows that turns were taken"
            self.problems.append(Problem(LOG_PATH, "$", "log", message))
        else:
            self.notes.append("the log has not begun; the first turn begins it with the documents that lie here")

    def _secrets(self) -> dict[str, bytes] | None:
        if self.files.look(SECRET_PATH) is None:
            return None
        try:
            return {sha256(secret): secret for secret in read_secrets(self.files)}
        except CampaignInvalid as error:
            self.problems += error.problems
            return None

    def _read(self, log: Log, replay: Replay, checkpoint: CheckpointAudit) -> None:
        total = log.size() or 0
        for offset, line in log.lines(replay.history.size):
            record = replay.take(offset, line)
            checkpoint.follow(record, offset, replay)
            self.documents.follow(record, replay)
            if record["seq"] % _STEP == 0:
                self.progress(min(replay.history.size, total), total)
        self.progress(total, total)

    def _compare(self, log: Log, replay: Replay, checkpoint: CheckpointAudit) -> None:
        if torn := (log.size() or 0) - replay.history.size:
            self.notes.append(f"the log ends with a torn line of {torn} bytes; the next writer sets it aside")
        if replay.history.seq < 0:
            self._without_log()
            return
        self._note_draws(replay)
        self._note_checkpoint(replay, checkpoint)
        documents = self.documents
        documents.compare(replay, checkpoint)
        self.wrong |= {*documents.behind, *documents.missing, *documents.unusable}
        self.notes += [f"{path} is behind the log; the next turn brings it up to date" for path in documents.behind]
        verb = "is refused with it" if documents.is_refused else "would adopt it"
        self.notes += [f"{path} was edited by hand; the next turn {verb}" for path in documents.edited]
        results = list(result_problems(self.files, log, replay, checkpoint.settled(replay)))
        self.results = len(result_names(self.files))
        self.wrong |= {problem.file for problem in results if problem.rule != "extra"}
        self.problems += [*documents.problems, *results]

    def _note_draws(self, replay: Replay) -> None:
        if self.files.look(SECRET_PATH) is None or replay.unchecked:
            self.notes.append(f"the dice secret is missing: dice not checked in {replay.unchecked} draws")
        for seq in replay.unproven:
            why = "the dialog type was spelt in another way, or the record is not as it was written"
            self.notes.append(f"record {seq}: the turn it holds has another hash than its content: {why}")

    def _note_checkpoint(self, replay: Replay, checkpoint: CheckpointAudit) -> None:
        if checkpoint.problem:
            self.problems.append(checkpoint.problem)
        elif checkpoint.note:
            self.notes.append(checkpoint.note)
        elif checkpoint.is_behind(replay):
            self.notes.append("the checkpoint is behind the log; the next turn brings it up to date")
        if not checkpoint.is_usable or checkpoint.is_behind(replay):
            self.wrong.add(CHECKPOINT_PATH)

    def findings(self) -> Findings:
        """Return what was found."""
        replay = self.replay
        return Findings(
            problems=(*(replay.problems if replay else ()), *self.problems),
            notes=tuple(self.notes),
            records=replay.history.seq + 1 if replay else 0,
            turns=replay.turns if replay else 0,
            draws=replay.draws if replay else 0,
            documents=self.documents.compared,
            results=self.results,
        )
