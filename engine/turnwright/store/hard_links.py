"""Hard links: a copy made with them shares the files written in place, which are the log and the checkpoint.

A write to either changes both, and each takes the other's turns for lost. So the directory gets its own files before
the first write. Source: docs/stages/5-commit.md, "Copies made with hard links".
"""

from __future__ import annotations

import stat
from contextlib import closing, suppress

from turnwright.model.errors import CampaignInvalid
from turnwright.model.wire.reason import Problem
from turnwright.store.checkpoint import Checkpoint, directory_mark
from turnwright.store.checkpoint_file import CHECKPOINT_PATH, CheckpointFile, Unreadable
from turnwright.store.files import Files
from turnwright.store.log import LOG_PATH

_REMEDIES = (
    "in the directory that is to be played on, run `cp log.jsonl log.own && mv log.own log.jsonl`; or, to keep both as "
    "they are, copy this one with `cp -a` and put the copy in its place"
)


def is_shared(files: Files) -> bool:
    """Return whether another name leads to what is written in place here."""
    return any(_has_other_names(files, path) for path in (LOG_PATH, CHECKPOINT_PATH))


def _has_other_names(files: Files, path: str) -> bool:
    status = files.status(path)
    return status is not None and stat.S_ISREG(status.st_mode) and status.st_nlink > 1  # folders count their own


def problem_of(files: Files) -> Problem | None:
    """Return what to say of a log that has other names; a warning where the next writer sees to it."""
    if not _has_other_names(files, LOG_PATH):
        return None
    names = "has other names, as in a copy made with hard links (`cp -al`, rsnapshot)"
    which = _is_copy(files)
    if which is None:
        message = f"{names}, and nothing tells which directory is the copy: a turn here would change both; {_REMEDIES}"
        return Problem(LOG_PATH, "$", "shared", message)
    here = "the copy" if which else "the original"
    message = f"{names}; this directory is {here}, and its next writer gives it a log of its own"
    return Problem(LOG_PATH, "$", "shared", message, warning=True)


def give_own_files(files: Files) -> bool:
    """Give the directory its own log and checkpoint; return whether it is the copy. Only called under the lock.

    Raises:
        CampaignInvalid: with what to do, when the log is shared and nothing tells which directory is the copy.
    """
    which = _is_copy(files)
    if which is None and (problem := problem_of(files)):
        raise CampaignInvalid([problem])
    # The log comes last: as long as it is shared, the next writer begins here again.
    if _has_other_names(files, CHECKPOINT_PATH):
        with suppress(Unreadable):  # then it is made again from the log
            CheckpointFile.give_own(files)
    if _has_other_names(files, LOG_PATH):
        files.give_own(LOG_PATH)
    return which is not False


def _is_copy(files: Files) -> bool | None:
    """Return whether the checkpoint was saved for another directory, the original; None where it does not say."""
    with suppress(Unreadable), closing(Checkpoint.open(files, writable=False)) as checkpoint:
        known = checkpoint.directory()
        return None if known is None else known != directory_mark(files)
    return None
