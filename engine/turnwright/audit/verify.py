"""Whether a campaign directory is what its log says: the chain, the dice, and every document, result and index.

Source: docs/stages/5-commit.md, "Crashes and damage".
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from turnwright.audit.inspection import Inspection, Progress
from turnwright.audit.replay import Replay
from turnwright.model.campaign import CAMPAIGN_PATH, CampaignDocument
from turnwright.model.errors import CampaignInvalid
from turnwright.model.settings import settings_of
from turnwright.model.strict_json import sha256
from turnwright.model.wire.reason import Problem
from turnwright.protocol.stage6_publish.publish import problems_as_json
from turnwright.rulesets.in_use import documents_at, tables_at
from turnwright.store.files import Files, storage_errors
from turnwright.store.folders import require_campaign, require_own_folders
from turnwright.store.lock import DEFAULT_WAIT
from turnwright.store.log import LOG_PATH, Log
from turnwright.store.secret import read_secrets
from turnwright.store.store import Store

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import VerifyAnswer

_NOTHING_REPAIRED = "nothing was repaired: the log is the truth, and has to be brought back first"


@dataclass(frozen=True, slots=True)
class Findings:
    """The findings of a verification.

    Attributes:
        problems: differences between the directory and its log, and faults of the log.
        notes: information that is not damage: pending hand edits, a torn last line, dice not checked.
        records: how many records were read; likewise closed turns, draws, and documents and results compared.
        repaired: the files rebuilt from the log.
    """

    problems: tuple[Problem, ...] = ()
    notes: tuple[str, ...] = ()
    records: int = 0
    turns: int = 0
    draws: int = 0
    documents: int = 0
    results: int = 0
    repaired: tuple[str, ...] = ()

    def to_json(self) -> VerifyAnswer:
        """Return the findings as data."""
        return {
            "problems": problems_as_json(self.problems),
            "notes": list(self.notes),
            "records": self.records,
            "turns": self.turns,
            "draws": self.draws,
            "documents": self.documents,
            "results": self.results,
            "repaired": list(self.repaired),
        }


def verify(path: Path, progress: Progress | None = None, *, wait: float = DEFAULT_WAIT) -> Findings:
    """Compare a campaign directory with its log, and change nothing.

    The log is read without blocking other processes. Then writers are locked out while files are compared, if
    permitted.

    Args:
        path: the campaign directory.
        progress: called from time to time with the position in the log.
        wait: seconds to wait for a writer.

    Raises:
        CampaignInvalid: when there is no campaign.
        CampaignBusy: when a writer kept the lock for all that time.
    """
    return _findings(_looked_at(Path(path), progress, wait))


def repair(path: Path, progress: Progress | None = None, *, wait: float = DEFAULT_WAIT) -> Findings:
    """Rebuild documents, results and checkpoint from the log where they differ from it.

    The log is never touched, and no valid hand edit that waits to be adopted. A file that holds no document is put
    beside its place.

    Returns:
        what a verification finds afterwards, with what was made again.
    """
    before = _looked_at(Path(path), progress, wait)
    if before.is_lost:
        return replace(_findings(before), notes=(*before.notes, _NOTHING_REPAIRED))
    if not before.wrong:
        return _findings(before)
    with storage_errors(f"cannot repair {path}"):
        aside = _make_again(before, wait)
    after = _looked_at(Path(path), progress, wait)
    found = _findings(after)
    notes = tuple(f"{name} was no document; it lies now in {place}" for name, place in aside.items())
    return replace(found, notes=notes + found.notes, repaired=tuple(sorted(before.wrong - after.wrong)))


def reveal(path: Path) -> list[tuple[int, str | None]]:
    """Return the records from which on a dice secret holds, each with the secret in hex, or None where it is missing.

    Raises:
        CampaignInvalid: when there is no log, the log is damaged, or the secrets are missing.
    """
    files = Files(Path(path))
    with storage_errors(f"cannot read {path}"):
        log = Log(files, documents_at(files))
        if log.size() is None:
            raise CampaignInvalid([Problem(LOG_PATH, "$", "log", "is missing, and with it what was drawn")])
        secrets = {sha256(secret): secret for secret in read_secrets(files)}
        replay = Replay(log, secrets, ())
        for offset, line in log.lines():
            replay.take(offset, line)
    shown = {digest: secret.hex() for digest, secret in secrets.items()}
    return [(seq, shown.get(digest)) for seq, digest in replay.dice.secrets]


def _looked_at(path: Path, progress: Progress | None, wait: float) -> Inspection:
    files = Files(path)
    with storage_errors(f"cannot read {path}"):
        require_campaign(files)
        kinds = documents_at(files)
        require_own_folders(files, kinds)
        look = Inspection(files, kinds, tables_at(files).restorations, progress or (lambda _done, _total: None))
        look.run(wait)
        return look


def _make_again(before: Inspection, wait: float) -> dict[str, str]:
    """Make everything again from the log but hand edits; return where files that were in the way were put."""
    store, aside = Store(before.files, before.kinds), dict[str, str]()
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


def _findings(look: Inspection) -> Findings:
    replay = look.replay
    return Findings(
        problems=(*(replay.problems if replay else ()), *look.problems),
        notes=tuple(look.notes),
        records=replay.history.seq + 1 if replay else 0,
        turns=replay.turns if replay else 0,
        draws=replay.dice.draws if replay else 0,
        documents=look.documents.compared,
        results=look.results,
    )
