"""What must be true after every crash: nothing lost, nothing doubled, everything as if nothing had happened."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.faults.machine import Content

from turnwright.audit.verify import verify
from turnwright.model.state.fold import fold
from turnwright.model.wire.record import reply_of
from turnwright.rulesets.registry import BUILT_IN
from turnwright.store.log import LOG_PATH
from turnwright.store.results import RESULTS_FOLDER, result_path

Json = Any


@dataclass(frozen=True)
class Left:
    """What lies in a campaign directory, but for the engine's own folder.

    Attributes:
        log: its bytes.
        documents: what each holds, however it is spelt.
        results: what each holds.
        turns: the drop folder's files, wherever below it they lie.
        reasons: why turn files were refused, without the time: they may be refused again after a crash.
        others: the paths of all other files.
    """

    log: bytes
    documents: Mapping[str, Any]
    results: Mapping[str, Any]
    turns: Mapping[str, bytes]
    reasons: Mapping[str, Any]
    others: frozenset[str]

    @classmethod
    def of(cls, files: Mapping[str, Content]) -> Left:
        """Sort the files of a campaign directory."""
        # Half a file that never got its name is nobody's, and overwritten when its document is next written.
        ours = (path for path in files if not path.startswith(".turnwright/") and not path.endswith(".tmp"))
        texts = {path: files[path].data for path in ours}
        log = texts.pop(LOG_PATH, b"")
        results = {path: _value(texts.pop(path)) for path in list(texts) if path.startswith(f"{RESULTS_FOLDER}/")}
        turns = {path: texts.pop(path) for path in list(texts) if path.startswith("turns/")}
        reasons = {path: _value(turns.pop(path)) for path in list(turns) if path.endswith(".reason.json")}
        reasons = {path: _without_time(reason) for path, reason in reasons.items()}
        documents = {path: _value(texts.pop(path)) for path in list(texts) if BUILT_IN.documents.model_of(path)}
        return cls(log, documents, results, turns, reasons, frozenset(texts))


def _value(data: bytes) -> Any:
    try:
        return json.loads(data)
    except ValueError:
        return data


def _without_time(reason: Any) -> Any:
    return {key: value for key, value in reason.items() if key != "timestamp"} if isinstance(reason, dict) else reason


def records_of(log: bytes) -> list[Json]:
    """Return the records of a log whose lines are complete."""
    return [json.loads(line) for line in log.split(b"\n")[:-1]]


def comparable(log: bytes) -> list[Json]:
    """Return the records of a log as they must be after any crash: of a claim's name only the number may differ."""
    return [
        {key: value for key, value in record.items() if key not in ("prev", "source")}
        | {"source": record.get("source", "").partition("__")[2]}
        for record in records_of(log)
    ]


def lost_replies(told: Iterable[Json], log: bytes) -> Iterator[str]:
    """Yield each reply that somebody was told and that the log does not have."""
    records = records_of(log)
    for reply in told:
        if reply["seq"] is None:
            continue
        first = {key: value for key, value in reply.items() if key != "undone_by"}
        if reply["seq"] >= len(records) or reply_of(records[reply["seq"]]) != first:
            yield f"the reply to {reply['turn_id']} was told, and record {reply['seq']} is not in the log"


def lost_files(dropped: Iterable[str], files: Mapping[str, bytes]) -> Iterator[str]:
    """Yield each dropped file that lies nowhere in the drop folder any more."""
    names = {path.rpartition("/")[2] for path in files if path.startswith("turns/")}
    names |= {name.partition("__")[2] for name in names}
    yield from (f"{path} is gone" for path in dropped if path.rpartition("/")[2] not in names)


def differences(found: Left, expected: Left) -> Iterator[str]:
    """Yield in what a campaign directory differs from one to which nothing happened."""
    if found.log != expected.log:
        ours, theirs = comparable(found.log), comparable(expected.log)
        if ours != theirs:
            pairs = enumerate(zip(ours, theirs, strict=False))
            where = next((number for number, (one, other) in pairs if one != other), min(len(ours), len(theirs)))
            there = {key: ours[where].get(key) for key in ("kind", "turn_id")} if where < len(ours) else "nothing"
            yield f"the log differs: {len(ours)} records, not {len(theirs)}; record {where} is {there}"
    for what in ("documents", "results", "turns", "reasons"):
        one, other = getattr(found, what), getattr(expected, what)
        for path in sorted({*one, *other}):
            if what == "results" and path not in other:
                continue  # an older reply, which the next turn will take away; `faults_in` looks whether it is one
            if one.get(path) != other.get(path):
                how = "is missing" if path not in one else "should not be there" if path not in other else "differs"
                yield f"{path} {how}"
    for path in sorted(found.others - expected.others):
        yield f"{path} was left behind"


def faults_in(left: Left, place: Path) -> Iterator[str]:
    """Yield whatever is wrong with a campaign directory by itself."""
    records = records_of(left.log)
    ids = [record["turn_id"] for record in records if record["kind"] == "turn"]
    yield from (f"{turn_id} was taken twice" for turn_id in sorted({one for one in ids if ids.count(one) > 1}))
    documents = fold(records)
    if documents != left.documents:
        wrong = [path for path in {*documents, *left.documents} if documents.get(path) != left.documents.get(path)]
        yield f"documents are not what the log says: {sorted(wrong)}"
    replies = {result_path(r["turn_id"]): reply_of(r) for r in records if r["kind"] in ("turn", "attempt")}
    yield from (f"{path} is not the reply" for path, value in left.results.items() if replies.get(path) != value)
    found = verify(place)
    yield from (f"verify: {problem}" for problem in found.problems)
    yield from (f"verify notes: {note}" for note in found.notes)


def require_nothing_wrong(found: Iterable[str]) -> None:
    """Require that nothing was yielded; show the first paragraphs of what was."""
    wrong = list(found)
    assert not wrong, f"{len(wrong)} points, such as\n" + "\n".join(wrong[:5])
