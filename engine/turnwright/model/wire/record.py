"""One line of the log, and the reply that can be read back from it.

Source: docs/stages/5-commit.md, "The record"; docs/stages/6-publish.md, "The reply".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import (
        AppliedAction,
        BatchItem,
        FailedCall,
        Hint,
        ReceivedTurn,
        Record,
        RecordedEvent,
        Reply,
    )

RECEIVED_KEYS = (
    "user_input",
    "assistant_text",
    "dialog_type",
    "dialog_type_source",
    "settings_revision",
    "tool_calls",
    "output",
    "answer",
    "atomic",
    "prompt_id",
    "keep_narration",
    "dm_note",
    "agent",
    "speaker_id",
    "addressees",
    "private",
    "area_id",
    "present_ids",
)
"""The keys of the submitted turn in a record, in this order."""

_MADE_KEYS = frozenset({"dialog_type", "dialog_type_source", "settings_revision", "area_id", "present_ids"})
"""Those of `RECEIVED_KEYS` that hold what the engine made of the turn."""
_AS_RECEIVED = frozenset(RECEIVED_KEYS) - _MADE_KEYS

REPLY_KEYS = (
    "status",
    "applied_actions",
    "tool_feedback",
    "events",
    "findings",
    "request",
    "state_summary",
    "conflict_report",
)
"""The keys of the reply in a record, besides `turn_id`, `seq` and `timestamp`."""


def reply_of(record: Record) -> Reply:
    """Return the reply that was given to the turn of a record."""
    held: Mapping[str, object] = record
    head = {key: held[key] for key in ("turn_id", "seq", "timestamp")}
    return as_reply(head | {key: held[key] for key in REPLY_KEYS if key in held})


def as_record(value: Any) -> Record:
    """Return a JSON object as the record that it is; its maker, or the check of the log, answers for its keys."""
    record: Record = value
    return record


def as_action(value: Any) -> AppliedAction:
    """Return a JSON object as the applied action that it is; its maker answers for its keys."""
    action: AppliedAction = value
    return action


def as_failed_call(value: Any) -> FailedCall:
    """Return a JSON object as the failed call that it is; its maker answers for its keys."""
    call: FailedCall = value
    return call


def as_hint(value: Any) -> Hint:
    """Return a JSON object as the hint that it is; its maker answers for its keys."""
    hint: Hint = value
    return hint


def as_event(value: Any) -> RecordedEvent:
    """Return a JSON object as the event that it is; its maker answers for its keys."""
    event: RecordedEvent = value
    return event


def as_reply(value: Any) -> Reply:
    """Return a JSON object as the reply that it is; its maker answers for its keys."""
    reply: Reply = value
    return reply


def as_received(value: Any) -> ReceivedTurn:
    """Return a JSON object as the turn that it is; its maker answers for its keys."""
    turn: ReceivedTurn = value
    return turn


def turn_of(record: Record) -> ReceivedTurn:
    """Return the turn of a record as submitted, except its id and acting character, which may have been absent.

    A `dialog_type` that was understood is in our spelling; one that was not is left out.
    """
    turn = as_received({key: value for key, value in record.items() if key in _AS_RECEIVED or key.startswith("x_")})
    if record["dialog_type_source"] == "model":
        turn["dialog_type"] = record["dialog_type"]
    return turn


def hints_of(failure: FailedCall | BatchItem | Reply) -> Sequence[Hint]:
    """Return the hints of a failed call, of an item of a batch or of a refused turn, the first first."""
    hint = failure.get("hint")
    return failure.get("hints") or ([hint] if hint else [])


def answers_a_turn(record: Record) -> bool:
    """Return whether a record carries a turn, and so a reply."""
    return record["kind"] in ("turn", "attempt")
