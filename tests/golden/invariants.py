"""What holds after every golden case, whatever it is about; worked out here without the engine's own fold and chain."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import jsonpatch
from tests.golden.harness import documents

from turnwright.rulesets.registry import BUILT_IN
from turnwright.store.documents import parse_document

Record = Mapping[str, Any]
RECEIVED = """
    seq kind prev turn_id timestamp authority source actor_id user_input assistant_text dialog_type dialog_type_source
    settings_revision tool_calls output answer atomic prompt_id keep_narration dm_note agent speaker_id addressees
    private area_id present_ids x_ dice_answer content
"""
REPLY = "status applied_actions tool_feedback events findings request state_summary conflict_report"
ORDER = f"{RECEIVED} {REPLY} changes draws packs".split()
"""The keys of a turn's record as documented; `x_` stands for every key that begins so."""
OWN = ("TurnFallback", "TurnLimitReached", "CompressionFailed")
"""What the engine does by itself begins with one of these events."""


def records(log: bytes) -> list[dict[str, Any]]:
    """Return the records of a log, after a look at spelling, numbering and chain."""
    found = []
    prev = "0" * 64
    for number, line in enumerate(log.splitlines(keepends=True)):
        assert line.endswith(b"\n")
        record = json.loads(line)
        spelt = json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
        assert (line, record["seq"], record["prev"]) == (spelt, number, prev)
        prev = sha256(line[:-1]).hexdigest()
        found.append(record)
    return found


def folded(found: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the documents that a log leads to, by a JSON Patch library that is not ours."""
    values: dict[str, Any] = {}
    for record in found:
        for path, operations in record.get("changes", {}).items():
            if operations == [{"op": "remove", "path": ""}]:
                del values[path]
            else:
                values[path] = jsonpatch.apply_patch(values.get(path, {}), operations)
    return values


def check_log_and_documents(campaign: Path) -> None:
    """The chain holds, and the log alone gives the documents."""
    found = records((campaign / "log.jsonl").read_bytes())
    on_disk = {}
    for path, data in documents(campaign).items():
        document, problems = parse_document(path, data, BUILT_IN.documents)
        assert document is not None, problems
        on_disk[path] = document.value()
    assert folded(found) == on_disk


def check_turns(campaign: Path) -> None:
    """Each part of a turn stands in exactly one list, nothing failed changes anything, and results are the replies."""
    last = {}
    for record in records((campaign / "log.jsonl").read_bytes()):
        if record["kind"] in ("turn", "attempt"):
            _check_turn(record)
            last[record["turn_id"]] = record
    for turn_id, record in last.items():
        result = campaign / "results" / f"{turn_id}.json"
        if result.exists():
            assert json.loads(result.read_bytes()) == {
                key: record[key] for key in ["turn_id", "seq", "timestamp", *REPLY.split()] if key in record
            }


def _check_turn(record: Record) -> None:
    keys = ["x_" if key.startswith("x_") else key for key in record]
    assert [ORDER.index(key) for key in keys] == sorted(ORDER.index(key) for key in keys)
    applied, failed = record["applied_actions"], record["tool_feedback"]["failed_calls"]
    asked = _ids(record)
    # What a player says is reported only where it was not taken.
    text_failed = any(entry["tool"] == "user_input" == entry["id"] for entry in failed)
    asked = [
        *["answer"] * ("answer" in record),
        *["user_input"] * text_failed,
        *asked,
        *["output"] * ("output" in record),
    ]
    _check_events(record)
    if record["kind"] == "attempt":
        assert not applied
        assert "changes" not in record
        assert record["status"] in ("retry_needed", "waiting")
        assert all(draw["given"] for draw in record.get("draws", ()))
        return
    assert sorted([*(entry["id"] for entry in applied), *(entry["id"] for entry in failed)]) == sorted(asked)
    hints = [entry["hint"] for entry in failed if "hint" in entry]
    assert all(hint and hint.get("allowed") != [] for hint in hints), "a hint of nothing"
    for entries in (applied, failed):
        rest = iter(asked)
        assert all(entry["id"] in rest for entry in entries), "not in the order of the calls"
    undone = failed or any("results" in entry["result"] and entry["result"].get("failed", 0) for entry in applied)
    status = "empty" if not asked else "failed" if not applied else "partial" if undone else "applied"
    # A turn closed in conflict has failed even where it asked for nothing.
    assert record["status"] == status or (
        not applied and (record["status"], "conflict_report" in record) == ("failed", True)
    )
    if not applied:
        assert record["draws"] == []
        if not record["events"]:
            _check_nothing_but_booking(record["changes"])


def _check_nothing_but_booking(changes: Mapping[str, list[Record]]) -> None:
    """A turn of which nothing was taken books at most an output to be repaired, and whether to go on waiting for it."""
    assert set(changes) <= {"campaign.json", "crew.json"}
    assert {operation["path"] for operation in changes.get("crew.json", ())} <= {"/awaiting/repairs", "/request"}


def _check_events(record: Record) -> None:
    """Events belong to parts that were done, or tell first of all what the engine did in place of one."""
    ids = _ids(record)
    parts = {0: "answer" if "answer" in record else "user_input", **dict(enumerate(ids, 1)), len(ids) + 1: "output"}
    done = {entry["id"] for entry in record["applied_actions"]} | {"user_input"}
    seen = set()
    for event in record["events"]:
        assert event["part"] in seen or parts[event["part"]] in done or event["type"] in OWN, event
        seen.add(event["part"])


def _ids(record: Record) -> list[str]:
    return [_named(call, place) for place, call in enumerate(record.get("tool_calls", ()), start=1)]


def _named(call: Any, place: int) -> str:
    """Return the id by which a call is reported: one of another protocol has its place for one where it has none."""
    if not isinstance(call, dict):
        return ""
    given = call.get("call_id", call.get("id"))
    is_ours = not {"tool", "args"}.isdisjoint(call)
    if given is None and not is_ours and not {"name", "function", "params"}.isdisjoint(call):
        return f"call_{place:03d}"
    is_numbered = isinstance(given, int) and call.get("method") == "tools/call"
    return given if isinstance(given, str) else str(given) if is_numbered else ""
