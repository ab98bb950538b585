"""The files in `results/`, compared with the replies in the log.

Source: docs/stages/6-publish.md, "Results".
"""

from __future__ import annotations

from collections.abc import Iterator

from turnwright.audit.replay import Replay
from turnwright.model.reason import Problem
from turnwright.model.record import reply_of
from turnwright.model.strict_json import JsonError, canonical, parse_json
from turnwright.store.files import Files, Seen
from turnwright.store.log import Log
from turnwright.store.results import RESULTS_FOLDER


def result_names(files: Files) -> dict[str, Seen]:
    """Return how the files that lie where results would look, by name."""
    return {name: seen for name, seen in files.listing(RESULTS_FOLDER).items() if name.endswith(".json")}


def result_problems(files: Files, log: Log, replay: Replay, settled: int) -> Iterator[Problem]:
    """Yield which results are missing, not the reply in the log, or nobody's.

    Args:
        files: the campaign's.
        log: where the replies stand.
        replay: knows where in the log each stands.
        settled: how much of the log was followed up; replies that stand later may not have their file yet.
    """
    found = result_names(files)
    for name in sorted({*found, *replay.newest}):
        path = f"{RESULTS_FOLDER}/{name}"
        offset = replay.newest.get(name, replay.older.get(name))
        if offset is None:
            yield Problem(path, "$", "extra", "no turn in the log has this reply")
        elif offset >= settled:
            continue
        elif name not in found:
            yield Problem(path, "$", "missing", "is missing; the log has this reply")
        elif not _holds_reply(files, path, found[name], log.line_at(offset)):
            yield Problem(path, "$", "differs", "is not the reply in the log")


def _holds_reply(files: Files, path: str, seen: Seen, line: bytes) -> bool:
    try:
        held = parse_json(files.read(path)) if seen.is_file else None
    except (OSError, JsonError):
        return False
    return canonical(held) == canonical(reply_of(parse_json(line)))
