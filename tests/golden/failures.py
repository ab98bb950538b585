"""The failed calls of all golden cases, each with the campaign as it was just before its turn."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from tests.golden.case import Case, all_cases

from turnwright import Campaign
from turnwright.model.call_shapes import understood_calls

Json = Any
PARTS = ("answer", "user_input", "output")
"""The parts of a turn that are no calls, and are reported like one of that name."""


@dataclass(frozen=True, slots=True)
class Failure:
    """One failed call, or other part, of a turn.

    Attributes:
        seq: the record of the turn.
        turn_id: its id.
        call: the call as it was understood, which hints speak of; an answer, an output or a player's text as the only
            key of an object.
        feedback: what the reply says of it.
    """

    case: Case
    seq: int
    turn_id: str
    call: Any
    feedback: Json

    @property
    def why_unrepairable(self) -> str | None:
        """What the case says of it."""
        return self.case.why_unrepairable(*self.labels)

    @property
    def labels(self) -> Sequence[str]:
        """What the case may call it: its id, or its tool where it has none; a part that is no call by its turn, too."""
        named = str(self.feedback["id"] or self.feedback["tool"])
        return (self.turn_id, named) if self.is_part else (named,)

    @property
    def is_part(self) -> bool:
        """Whether it is no call, but another part of the turn."""
        return self.feedback["tool"] in PARTS and self.feedback["id"] == self.feedback["tool"]

    @property
    def name(self) -> str:
        """Where it stands, for people."""
        return f"{self.case.name} record {self.seq} {self.feedback['id'] or '(no id)'} {self.feedback['tool']}"


def records(case: Case) -> list[Json]:
    """Return the records of a case's expected log; nobody changes them."""
    return _records(case.expect / "log.jsonl")


@cache
def _records(log: Path) -> list[Json]:
    return [json.loads(line) for line in log.read_bytes().splitlines()] if log.exists() else []


def failures() -> list[Failure]:
    """Return every failed part of every case."""
    return [failure for case in all_cases() for record in records(case) for failure in _failures(case, record)]


def _failures(case: Case, record: Json) -> Iterator[Failure]:
    if record["kind"] != "turn":
        return
    calls = understood_calls(record.get("tool_calls", ()))
    for action in record["applied_actions"]:
        if not (action["tool"] in PARTS and action["id"] == action["tool"]):
            calls.remove(_asked(calls, action))
    for feedback in record["tool_feedback"]["failed_calls"]:
        failure = Failure(case, record["seq"], record["turn_id"], None, feedback)
        asked = {feedback["tool"]: record[feedback["tool"]]} if failure.is_part else calls.pop(0)
        yield replace(failure, call=asked)


def _asked(calls: list[Any], action: Json) -> Json:
    """Return the call that an action came of: the same, or the first of its id where spelling was corrected."""
    named = [call for call in calls if isinstance(call, dict) and call.get("id") == action["id"]]
    done = {key: action[key] for key in ("id", "tool", "args")}
    return next((call for call in named if done.items() <= call.items()), named[0])


def before(case: Case, seq: int, folder: Path) -> Campaign:
    """Return a fresh copy of a case's campaign as it was before a record; the log alone makes it."""
    lines = (case.expect / "log.jsonl").read_bytes().splitlines(keepends=True)
    (folder / ".turnwright").mkdir(parents=True)
    (folder / "log.jsonl").write_bytes(b"".join(lines[:seq]))
    secret = sha256(case.seed.encode()).hexdigest()
    (folder / ".turnwright" / "secret.json").write_text(json.dumps({"secrets": [secret]}), encoding="utf-8")
    return Campaign.open(folder, lambda: case.time(0))


def asked_alone(campaign: Campaign, record: Json, asked: Any, *, is_part: bool = False) -> Json:
    """Return the reply to a turn of the same character that holds only this; nothing is changed.

    Args:
        campaign: as it was.
        record: the turn's.
        asked: the call, or the part as the only key of an object.
        is_part: which of both it is.
    """
    turn = {**asked} if is_part else {"tool_calls": [asked]}
    turn |= {"actor_id": record["actor_id"]} if record["actor_id"] else {}
    return campaign.process(turn, authority=record["authority"], dry_run=True)
