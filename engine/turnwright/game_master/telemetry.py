"""`telemetry.jsonl`: one line a turn, written after the commit and read by reports.

Nothing here decides anything in a turn: what cannot be written is told to the caller and left out.
Source: docs/report.md, "What is written down".
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from pydantic import ValidationError

from turnwright.model.error_text import faults_of, sentence
from turnwright.model.strict_json import MAX_DEPTH, JsonError, compact, parse_json, sha256
from turnwright.model.wire.agent import AgentKind
from turnwright.model.wire.telemetry import MAX_MESSAGE_LENGTH, TELEMETRY_PATH, VERSION, TelemetryRecord
from turnwright.store import disk
from turnwright.store.documents import json_path
from turnwright.store.files import Files

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import (
        ModelAsked,
        OfferedHint,
        Reply,
        SuggestedHint,
        SuggestionContext,
        SuggestionFault,
        TelemetryRow,
    )
    from turnwright.suggestions.snapshot import Snapshot
    from turnwright.suggestions.suggestion import SuggestionSet

_APPEND = disk.KEEP | os.O_APPEND | getattr(os, "O_NONBLOCK", 0)
_MAX_LINE_LENGTH = 1 << 20
"""Bytes: a line that is longer was not written by us."""
_MAX_WARNINGS = 5


class Asking(NamedTuple):
    """One question to a model and what it took; see `model.telemetry.Asked`."""

    agent: str
    model: str
    ms: int
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None
    failure: str | None = None
    step: int = 0

    def as_json(self) -> ModelAsked:
        """Return it as a record holds it."""
        return {
            "agent": self.agent,
            "model": self.model,
            "ms": self.ms,
            "input_tokens": self.input_tokens,
            "output_tokens": self.output_tokens,
            "cost": self.cost,
            "failure": self.failure,
            "step": self.step,
        }


# records


def record_of(
    *,
    campaign: str,
    agent: AgentKind,
    reply: Reply,
    message: str | None = None,
    suggested: SuggestionSet | None = None,
    snapshot: Snapshot | None = None,
    elapsed_us: int = 0,
    models: Iterable[Asking] = (),
    errors: Iterable[tuple[str, str]] = (),
    keep_message: bool = False,
) -> TelemetryRow:
    """Return the record of a turn that was taken.

    Args:
        campaign: the campaign's id.
        agent: who played the turn.
        reply: the reply to the turn.
        message: the message that hints were looked for in; None where they were looked for in none.
        suggested: what the suggestor gave; None where it was off.
        snapshot: what it looked at.
        elapsed_us: how long that took.
        models: every question that was put to a model since the record before.
        errors: what else failed, as a name and what it said.
        keep_message: whether the beginning of the message is written down, too.

    Raises:
        ValidationError: when something given here is not what a record holds.
    """
    hints = suggested.suggestions if suggested else ()
    calls = [{"id": done["id"], "tool": done["tool"], "status": "applied"} for done in reply["applied_actions"]]
    calls += [
        {"id": failed["id"], "tool": failed["tool"], "status": failed["status"], "reason": failed["reason"]}
        for failed in reply["tool_feedback"]["failed_calls"]
    ]
    record: dict[str, Any] = {
        "v": VERSION,
        "ts": reply["timestamp"],
        "turn_id": reply["turn_id"],
        "campaign": campaign,
        "agent": str(agent),
        "speaker": snapshot.speaker if snapshot else "player",
        "language": suggested.language if suggested else None,
        "message_sha256": None if message is None else sha256(message.encode("utf-8", "surrogatepass")),
        "clauses": [list(clause) for clause in suggested.clauses] if suggested else [],
        "context": _context(snapshot),
        "suggestions": [_hint(hint.as_json()) for hint in hints],
        "suppressed": [entry._asdict() for entry in suggested.suppressed] if suggested else [],
        "notes": list(suggested.context_notes) if suggested else [],
        "errors": [*(entry._asdict() for entry in (suggested.errors if suggested else ())), *_faults(errors)],
        "dropped_arguments": list(suggested.dropped_arguments) if suggested else [],
        "calls": [{"reason": None} | call for call in calls],
        "findings": reply["findings"],
        "rules_version": suggested.rules_version if suggested else "",
        "elapsed_us": elapsed_us,
        "source": suggested.source if suggested else "heuristic",
        "models": [asking.as_json() for asking in models],
    }
    if message is not None and keep_message:
        record["message"] = message[:MAX_MESSAGE_LENGTH].encode("utf-8", "replace").decode()
    return cast("TelemetryRow", TelemetryRecord.model_validate(record).as_written)


_OF_A_CALL = ("id", "tool", "status", "reason")


def _hint(shown: OfferedHint) -> SuggestedHint:
    return {
        "tool": shown["tool"],
        "intent": shown["intent"],
        "confidence": shown["confidence"],
        "label": shown["label"],
        "rule_id": shown["rule_id"],
        "arguments": shown.get("arguments"),
    }


def _faults(errors: Iterable[tuple[str, str]]) -> list[SuggestionFault]:
    return [{"rule_id": name, "error": text} for name, text in errors]


def _context(snapshot: Snapshot | None) -> SuggestionContext:
    encounter = snapshot.encounter if snapshot else None
    offer = snapshot.pending_offer if snapshot else None
    return {
        "encounter_active": encounter.active if encounter else None,
        "enemies": encounter.enemies_alive if encounter else None,
        "mood": snapshot.mood if snapshot else None,
        "pending_offer": offer.kind if offer else None,
    }


# writing


def append(directory: str | Path, record: TelemetryRow) -> str | None:
    """Add a record to a campaign's telemetry by one write; return what went wrong, or None.

    It is not made durable, and no link is followed. Behind a line that was torn by a crash it begins a line of its own.
    """
    try:
        _append(Files(Path(directory)), compact(record) + b"\n")
    except (OSError, ValueError, TypeError, RecursionError) as error:
        return f"{TELEMETRY_PATH} was not written: {getattr(error, 'strerror', None) or error}"
    return None


def _append(files: Files, line: bytes) -> None:
    if (known := files.look(TELEMETRY_PATH)) and known.is_file and known.links > 1:
        files.give_own(TELEMETRY_PATH)  # else a backup made with hard links would change with the campaign
    with files.opened(TELEMETRY_PATH, _APPEND) as descriptor:
        seen = files.look_at_open(descriptor)
        if not seen.is_file:
            raise OSError(errno.EINVAL, "is not an ordinary file", TELEMETRY_PATH)
        if seen.size and files.disk.read(descriptor, 1, seen.size - 1) != b"\n":
            line = b"\n" + line
        if files.disk.write(descriptor, line) != len(line):
            raise OSError(errno.ENOSPC, "only a part was written", TELEMETRY_PATH)


# reading


class Telemetry(NamedTuple):
    """What a campaign's telemetry holds, and what of it could not be read."""

    records: list[TelemetryRow]
    warnings: list[str]


def read(directory: str | Path) -> Telemetry:
    """Return a campaign's telemetry. A line that is torn, or no record, is left out and told of; so is a link."""
    found = Telemetry([], [])
    files = Files(Path(directory))
    try:
        with files.opened(TELEMETRY_PATH, disk.READ) as descriptor:
            if not files.look_at_open(descriptor).is_file:
                raise OSError(errno.EINVAL, "is not an ordinary file")
            _take(_lines(files, descriptor), found)
    except FileNotFoundError:
        return found
    except OSError as error:
        why = "is a link, which is not followed" if error.errno == errno.ELOOP else error.strerror or str(error)
        found.warnings.append(f"{TELEMETRY_PATH}: {why}")
    return found


def _take(lines: Iterator[tuple[bytes, bool]], found: Telemetry) -> None:
    bad = 0
    for number, (line, is_whole) in enumerate(lines, 1):
        fault = _record_on(line, found.records) if line.strip() else None
        if fault is None:
            continue
        bad += 1
        if bad <= _MAX_WARNINGS:
            found.warnings.append(f"{TELEMETRY_PATH}, line {number}: {fault if is_whole else 'is torn'}; left out")
    if bad > _MAX_WARNINGS:
        found.warnings.append(f"{TELEMETRY_PATH}: {bad - _MAX_WARNINGS} more lines were left out")


def _record_on(line: bytes, records: list[TelemetryRow]) -> str | None:
    """Add the record on a line; return what is wrong with the line instead, if anything is."""
    try:
        value = parse_json(line, max_bytes=_MAX_LINE_LENGTH, max_depth=MAX_DEPTH)
        records.append(cast("TelemetryRow", TelemetryRecord.model_validate(value).as_written))
    except JsonError as error:
        return str(error)
    except ValidationError as error:
        first = faults_of(error)[0]
        return f"{json_path(first['loc'])}: {sentence(first)}"
    return None


def _lines(files: Files, descriptor: int) -> Iterator[tuple[bytes, bool]]:
    """Yield each line without its line feed, and whether it had one. Of a line that is too long, only its beginning."""
    begun: list[bytes] = []
    held = 0
    for block in files.blocks(descriptor, 0):
        *complete, rest = block.split(b"\n")
        for piece in complete:
            yield b"".join([*begun, piece]), True
            begun, held = [], 0
        if held <= _MAX_LINE_LENGTH:
            begun.append(rest)
            held += len(rest)
    if held:
        yield b"".join(begun), False
