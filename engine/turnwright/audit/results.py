"""The files in `results/`, compared with the replies in the log.

Source: docs/stages/6-publish.md, "Results".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from turnwright.audit.replay import Replay
from turnwright.model.strict_json import JsonError, canonical, parse_json, pretty
from turnwright.model.wire.reason import Problem
from turnwright.model.wire.record import reply_of
from turnwright.store.files import Files, Seen
from turnwright.store.log import Log
from turnwright.store.results import RESULTS_FOLDER, result_path

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import Reply


def results_found(files: Files) -> dict[str, Seen]:
    """Return how the files that lie where results would look, by path."""
    listing = files.listing(RESULTS_FOLDER)
    return {f"{RESULTS_FOLDER}/{name}": seen for name, seen in listing.items() if name.endswith(".json")}


def result_problems(files: Files, log: Log, replay: Replay, settled: int) -> Iterator[Problem]:
    """Yield the results that are missing, differ from the log's reply, or belong to no turn.

    Args:
        files: the campaign's.
        log: the log with the replies.
        replay: knows each reply's position in the log.
        settled: the part of the log whose files are written; later replies may not have a file yet.
    """
    found = results_found(files)
    newest = {result_path(turn_id): offset for turn_id, offset in replay.newest.items()}
    offsets = {result_path(turn_id): offset for turn_id, offset in replay.older.items()} | newest
    for path in sorted(found.keys() - offsets):
        yield Problem(path, "$", "extra", _whose(_bytes(files, path, found[path]), replay.history.seq))
    for path in sorted(newest.keys() - found):
        if newest[path] < settled:
            yield Problem(path, "$", "missing", "is missing; the log has this reply")
    compared = [path for path in sorted(found.keys() & offsets) if offsets[path] < settled]
    for path, line in zip(compared, log.lines_at(offsets[path] for path in compared), strict=True):
        if not _holds(_bytes(files, path, found[path]), reply_of(parse_json(line))):
            yield Problem(path, "$", "differs", "is not the reply in the log")


def _bytes(files: Files, path: str, seen: Seen) -> bytes:
    try:
        return files.read(path) if seen.is_file else b""
    except OSError:
        return b""


def _holds(data: bytes, reply: Reply) -> bool:
    """Return whether a file holds a reply. Most hold it byte for byte as it is written, and need no parsing."""
    try:
        return pretty(reply) == data or canonical(parse_json(data)) == canonical(reply)
    except JsonError:
        return False


def _whose(data: bytes, last: int) -> str:
    """Return what to say of a file that holds no reply of the log."""
    try:
        held = parse_json(data)
    except JsonError:
        held = None
    seq = held.get("seq") if isinstance(held, dict) else None
    if type(seq) is not int or seq <= last:
        return "no turn in the log has this reply"
    return (
        f"is the reply to record {seq}, but the log ends with record {last}: lines of it are gone, or this is foreign"
    )
