"""Telemetry and log records as tests of reports put them together: only what a report reads, with defaults."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tests.builders import STAMP

from turnwright.model.strict_json import sha256

Json = Any


def hint(
    tool: str = "move", confidence: float = 0.9, rule: str = "R14", intent: str = "travel", **arguments: Any
) -> Json:
    label = "highly recommended" if confidence >= 0.8 else "recommended" if confidence >= 0.5 else "optional"
    head = {"tool": tool, "intent": intent, "confidence": confidence, "label": label, "rule_id": rule}
    return head | {"arguments": arguments or None}


def asking(**fields: Any) -> Json:
    told = {"agent": "narrative", "model": "small", "ms": 40, "input_tokens": 100, "output_tokens": 10}
    return told | {"cost": None, "failure": None, "step": 0} | fields


def telemetry(turn_id: str, *hints: Json, message: str | None = "hello", **fields: Any) -> Json:
    return {
        "v": 1,
        "ts": STAMP,
        "turn_id": turn_id,
        "campaign": "plain",
        "agent": "narrative",
        "speaker": "player",
        "language": "en",
        "message_sha256": None if message is None else sha256(message),
        "clauses": [["commit", 0, 5]],
        "context": {"encounter_active": False, "enemies": 0, "mood": None, "pending_offer": None},
        "suggestions": list(hints),
        "suppressed": [],
        "notes": [],
        "errors": [],
        "dropped_arguments": [],
        "calls": [],
        "findings": [],
        "rules_version": "abc",
        "elapsed_us": 120,
        "source": "heuristic",
        "models": [],
    } | fields


def finding(
    kind: str = "missing", tool: str | None = "hp_delta", severity: str = "error", claim: str = "you fall"
) -> Json:
    head = {"kind": kind, "claim": claim, "tool": tool, "expected": None, "actual": None}
    return head | {"severity": severity, "span": [0, len(claim)]}


def failure(tool: str = "move", reason: str = "invalid_args", *, hinted: bool = True) -> Json:
    status = "error" if reason in ("invalid_args", "not_found", "ambiguous") else "rejected"
    told: Json = {"id": "c9", "tool": tool, "status": status, "reason": reason, "detail": "no"}
    return told | {"hint": {"field": "args.x"}} if hinted else told


class Log:
    """A log in the making; each turn has the number of its record as its id."""

    def __init__(self) -> None:
        self.records: list[Json] = [{"seq": 0, "kind": "new"}]

    def turn(
        self,
        *tools: str | tuple[str, Mapping[str, Any]],
        said: str | None = None,
        failed: Sequence[Json] = (),
        findings: Sequence[Json] = (),
        kind: str = "turn",
        **fields: Any,
    ) -> str:
        """Add a turn that applied these tools; return its id."""
        seq = len(self.records)
        calls = [(tool, {}) if isinstance(tool, str) else tool for tool in tools]
        record: Json = {
            "seq": seq,
            "kind": kind,
            "turn_id": f"t{seq}",
            "status": "applied",
            "applied_actions": [{"id": f"c{i}", "tool": name, "args": args} for i, (name, args) in enumerate(calls)],
            "tool_feedback": {"failed_calls": list(failed)},
            "findings": list(findings),
        }
        self.records.append(record | ({} if said is None else {"user_input": said}) | fields)
        return str(self.records[-1]["turn_id"])

    def undo(self, *seqs: int) -> int:
        """Add an undo of these records; return its number."""
        undo = {"seq": len(self.records), "kind": "undo", "undone_from": min(seqs), "undone": list(seqs)}
        self.records.append(undo)
        return len(self.records) - 1
