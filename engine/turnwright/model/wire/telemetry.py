"""One line of `telemetry.jsonl`: the suggestions for a message, the calls that followed, and the model's cost.

It is never state: it may be deleted at any time, and is joined with the log by `turn_id`.
Source: docs/report.md, "What is written down".
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, WithJsonSchema, model_validator

from turnwright.model.base import Count, Flag, ListOf, Number, Text, is_none
from turnwright.model.strict_json import MAX_INT
from turnwright.model.wire.agent import AgentKind
from turnwright.model.wire.reply import ABSENT, CallReason, Finding, Object, Sha256, Timestamp, Written
from turnwright.model.wire.turn import TurnId

TELEMETRY_PATH = "telemetry.jsonl"
VERSION = 1
MAX_MESSAGE_LENGTH = 500
"""Maximum length of a kept message in characters, if messages are kept at all."""
HIGHLY, RECOMMENDED, OPTIONAL = "highly recommended", "recommended", "optional"
LABELS = (HIGHLY, RECOMMENDED, OPTIONAL)
"""The strengths of hints, strongest first."""
_LOWEST = {HIGHLY: 0.8, RECOMMENDED: 0.5, OPTIONAL: 0.0}

Share = Annotated[Number, Field(ge=0, le=1), WithJsonSchema({"type": "number", "minimum": 0, "maximum": 1})]
Price = Annotated[Number, Field(ge=0), WithJsonSchema({"type": "number", "minimum": 0, "maximum": MAX_INT})]


class Context(Written):
    """The parts of the campaign that mattered for the rules; null if unknown."""

    encounter_active: Flag | None
    enemies: Count | None = Field(description="How many enemies can still fight.")
    mood: Text | None
    pending_offer: Text | None = Field(description="The kind of what is offered and not yet answered.")


class Hinted(Written):
    """A hint that was shown."""

    tool: Annotated[Text, Field(min_length=1)]
    intent: Text
    confidence: Share
    label: Literal["highly recommended", "recommended", "optional"]
    rule_id: Text
    arguments: Object | None

    @model_validator(mode="after")
    def _label_of_confidence(self) -> Hinted:
        fitting = next(label for label in LABELS if self.confidence >= _LOWEST[label])
        if self.label != fitting:
            raise ValueError(f"a confidence of {self.confidence} is {fitting}")
        return self


class LeftOut(Written):
    """A hint that was not shown."""

    tool: Text | None
    intent: Text
    cause: Text


class Fault(Written):
    """A part of the suggestor, or the verifier, that failed."""

    rule_id: Text
    error: Text


class Called(Written):
    """A call of the turn, and its outcome."""

    id: Text
    tool: Text
    status: Literal["applied", "rejected", "error"]
    reason: CallReason | None

    @model_validator(mode="after")
    def _reason_of_status(self) -> Called:
        if (self.status == "applied") != (self.reason is None):
            raise ValueError("a call has a reason if it failed, and only then")
        return self


class Asked(Written):
    """One question to a model."""

    agent: AgentKind
    model: Text
    ms: Count = Field(description="Milliseconds until the answer was whole.")
    input_tokens: Count
    output_tokens: Count
    cost: Price | None = Field(description="US dollars; null where the price is not known.")
    failure: Text | None = Field(description="How it failed to answer; null when it answered.")
    step: Count = Field(description="Which question for this message it was, from 0.")


class TelemetryRecord(Written):
    """The suggestions, calls and findings of one turn, and the cost of its model."""

    v: Literal[1]
    ts: Timestamp
    turn_id: TurnId
    campaign: Text
    agent: AgentKind
    speaker: Literal["player", "npc", "dm", "system"]
    language: Text | None
    message_sha256: Sha256 | None = Field(description="Of the message hints were looked for in; null if in none.")
    message: Annotated[Text, Field(max_length=MAX_MESSAGE_LENGTH)] = Field(
        default=ABSENT, exclude_if=is_none, description="The message, cut short; only with `suggestions.debug_log`."
    )
    clauses: ListOf[tuple[Text, Count, Count]] = Field(description="Type, beginning and end of each clause.")
    context: Context
    suggestions: ListOf[Hinted]
    suppressed: ListOf[LeftOut]
    notes: ListOf[Text]
    errors: ListOf[Fault]
    dropped_arguments: ListOf[Text] = Field(description="Suggested arguments that did not fit their tool.")
    calls: ListOf[Called]
    findings: ListOf[Finding]
    rules_version: Text
    elapsed_us: Count = Field(description="Microseconds that looking for hints took.")
    source: Literal["heuristic", "llm", "fallback"]
    models: ListOf[Asked]
