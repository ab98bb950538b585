"""`results/`: the newest replies as files; older ones are in the log.

Source: docs/stages/6-publish.md, "Results".
"""

from __future__ import annotations

import re
from collections.abc import Collection

from turnwright.model.base import DEVICES
from turnwright.model.errors import CampaignInvalid
from turnwright.model.strict_json import JsonError, parse_json, sha256
from turnwright.model.wire.reason import Problem
from turnwright.model.wire.turn import TURN_ID
from turnwright.store.checkpoint import Checkpoint
from turnwright.store.files import Files

RESULTS_FOLDER = "results"
_BRING_BACK = "bring back the whole log, or take {} away"
_NAME = re.compile(TURN_ID)


def result_path(turn_id: str) -> str:
    """Return the path of a turn's reply. Turn ids serve as file names unchanged, except names that Windows reserves."""
    is_name = _NAME.fullmatch(turn_id) and turn_id.lower().partition(".")[0] not in DEVICES
    return f"{RESULTS_FOLDER}/{turn_id if is_name else '~' + sha256(turn_id)[:16]}.json"


class Answered:
    """The turns whose replies were in `results/` at the first query."""

    def __init__(self, files: Files) -> None:
        self._files = files
        self._names: Collection[str] | None = None

    def has(self, turn_id: str) -> bool:
        """Return whether a turn had its reply there, and has it still."""
        if self._names is None:
            self._names = self._files.listing(RESULTS_FOLDER).keys()
        path = result_path(turn_id)
        return path.rpartition("/")[2] in self._names and self._files.look(path) is not None


def unknown_turn(turn_id: str) -> CampaignInvalid:
    """Return the error for a turn whose reply lies there, although the log does not hold it."""
    path = result_path(turn_id)
    message = f"is the reply to a turn that the log does not hold: {_BRING_BACK.format(path)}"
    return CampaignInvalid([Problem(path, "$", "log", message)])


def require_no_later_reply(files: Files, last: int) -> None:
    """Refuse a log that ends with record `last` when a reply to a later one lies there; -1 is no log yet."""
    for name in files.listing(RESULTS_FOLDER) if last >= 0 else ():
        path = f"{RESULTS_FOLDER}/{name}"
        try:
            seq = parse_json(files.read(path))["seq"]
        except (OSError, JsonError, KeyError, TypeError):
            continue
        if type(seq) is int and seq > last:
            message = f"is the reply to record {seq}, but the log ends with record {last}; {_BRING_BACK.format(path)}"
            raise CampaignInvalid([Problem(path, "$", "log", message)])


def prune_results(files: Files, checkpoint: Checkpoint, keep: int, written_before: int) -> None:
    """Delete the replies of all but the newest turns.

    Args:
        files: the campaign's files.
        checkpoint: up to date with the log.
        keep: the number of replies to keep.
        written_before: the last record whose reply may have been written when it was not among the newest ones.
    """
    last = checkpoint.records.last_before_newest(keep)
    if last is None:
        return
    pruned = checkpoint.pruned_seq()
    if min(last, written_before) - pruned > 2 * keep:
        remove_leftovers(files, checkpoint, keep)
    else:
        for turn_id in checkpoint.records.turns_between(pruned, min(last, written_before), last):
            files.remove(result_path(turn_id))
    if last > pruned:
        checkpoint.set_pruned_seq(last)


def remove_leftovers(files: Files, checkpoint: Checkpoint, keep: int) -> None:
    """Delete all replies of older turns; files that are not the engine's replies are left alone."""
    newest = {result_path(turn_id) for turn_id in checkpoint.records.newest_turns(keep)}
    for name in files.listing(RESULTS_FOLDER):
        path, turn_id = f"{RESULTS_FOLDER}/{name}", name.removesuffix(".json")
        if path not in newest and path == result_path(turn_id) and checkpoint.records.of_turn(turn_id):
            files.remove(path)
