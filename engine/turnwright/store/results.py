"""`results/`: the newest replies as files; older ones are in the log.

Source: docs/stages/6-publish.md, "Results".
"""

from __future__ import annotations

import re

from turnwright.model.base import DEVICES
from turnwright.model.strict_json import sha256
from turnwright.model.turn import TURN_ID
from turnwright.store.checkpoint import Checkpoint
from turnwright.store.files import Files

RESULTS_FOLDER = "results"


def result_path(turn_id: str) -> str:
    """Return the path of a turn's reply. Turn ids are file names as they are, but for names Windows keeps to itself."""
    is_name = re.fullmatch(TURN_ID, turn_id) and turn_id.lower().partition(".")[0] not in DEVICES
    return f"{RESULTS_FOLDER}/{turn_id if is_name else '~' + sha256(turn_id)[:16]}.json"


def prune_results(files: Files, checkpoint: Checkpoint, keep: int, written_before: int) -> None:
    """Take away the replies of all turns but the newest.

    Args:
        files: the campaign's files.
        checkpoint: up to date with the log.
        keep: how many stay.
        written_before: the last record whose reply may have been written when it was not among the newest ones.
    """
    last = checkpoint.last_seq_before_newest(keep)
    if last is None:
        return
    pruned = checkpoint.pruned_seq()
    if min(last, written_before) - pruned > 2 * keep:
        remove_leftovers(files, checkpoint, keep)
    else:
        for turn_id in checkpoint.turns_between(pruned, min(last, written_before), last):
            files.remove(result_path(turn_id))
    if last > pruned:
        checkpoint.set_pruned_seq(last)


def remove_leftovers(files: Files, checkpoint: Checkpoint, keep: int) -> None:
    """Take away the replies of older turns, whichever lie there; what is no reply of ours is left alone."""
    newest = {result_path(turn_id) for turn_id in checkpoint.newest_turns(keep)}
    for name in files.listing(RESULTS_FOLDER):
        path, turn_id = f"{RESULTS_FOLDER}/{name}", name.removesuffix(".json")
        if path not in newest and path == result_path(turn_id) and checkpoint.record_of_turn(turn_id):
            files.remove(path)
