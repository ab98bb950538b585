"""The records of the log as models, one per kind that is written: for schemas and tests, never on a turn's way.

Fields are in the order in which the engine writes them. Source: docs/stages/5-commit.md, "The record".
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, ConfigDict, Field, model_validator

from turnwright.model.base import Count, Flag, ListOf, SafeInt, Text
from turnwright.model.wire.reply import (
    ABSENT,
    Action,
    Authority,
    ConflictReport,
    Event,
    Finding,
    Object,
    Sha256,
    StateSummary,
    Timestamp,
    ToolFeedback,
    Written,
)
from turnwright.model.wire.turn import TurnId


class Face(Written):
    """A die that was drawn or given."""

    part: Count = Field(description="Place in the turn: answer 0, calls from 1, the output last.")
    draw: Count
    why: Text
    sides: Annotated[SafeInt, Field(gt=0)]
    value: Annotated[SafeInt, Field(gt=0)]
    given: Flag = Field(description="Whether the face was supplied instead of generated.")


class Real(Written):
    """A number that was drawn, at least 0 and below 1."""

    part: Count
    draw: Count
    why: Text
    sides: None
    value: float = Field(ge=0, lt=1, strict=True)
    given: Literal[False]


class Total(Written):
    """The total of dice rolled at the table without naming their faces."""

    part: Count
    draw: Count
    why: Text
    sides: None
    value: Count
    given: Literal[True]


class Put(Written):
    """Add or replace what stands at a place of a document."""

    op: Literal["add", "replace"]
    path: Text = Field(description='JSON Pointer; "" is the whole document.')
    value: Any


class Removal(Written):
    """Take away what stands at a place of a document."""

    op: Literal["remove"]
    path: Text


def _require_given(face: Face) -> Face:
    if not face.given:
        raise ValueError("wants a face that was given")
    return face


Drawn = Annotated[
    ListOf[Face | Real | Total], Field(min_length=1, description="What was drawn; absent where nothing was.")
]
Changes = Annotated[
    dict[Text, ListOf[Annotated[Put | Removal, Field(discriminator="op")]]],
    Field(description="A JSON Patch (RFC 6902) for each touched document."),
]


class Head(Written):
    """The first keys of every record."""

    seq: Count
    kind: Text
    prev: Sha256 = Field(description="SHA-256 of the line before, without its line feed; 64 zeros for the first.")


class NewRecord(Head):
    """The campaign as it begins."""

    kind: Literal["new"]
    timestamp: Timestamp
    campaign_id: Text
    secret_sha256: Sha256
    repairs: ListOf[Text] = Field(description="What an import had to mend.")
    changes: Changes
    draws: Drawn = ABSENT


class ForkRecord(Head):
    """The point at which this campaign forked from another, whose log it continues."""

    kind: Literal["fork"]
    timestamp: Timestamp
    parent_id: Text
    parent_seq: Count
    parent_head: Sha256
    campaign_id: Text
    secret_sha256: Sha256
    from_: Count = Field(default=ABSENT, alias="from", description="The older format that it migrates again.")
    to: Count = ABSENT
    changes: Changes


class EditRecord(Head):
    """Hand edits."""

    kind: Literal["edit"]
    timestamp: Timestamp
    files: ListOf[Text] = Field(min_length=1)
    changes: Changes
    draws: Drawn = ABSENT


class SettingsRecord(Head):
    """Changes made by `set`."""

    kind: Literal["settings"]
    timestamp: Timestamp
    patch: Object = Field(description="Values by dotted key.")
    changed: ListOf[Text] = Field(min_length=1, description="The keys whose value differs.")
    settings_revision: Count
    changes: Changes


class UndoRecord(Head):
    """The changes that restore the state before a record."""

    kind: Literal["undo"]
    timestamp: Timestamp
    undone_from: Count = Field(description="The first record taken back.")
    undone: ListOf[Count] = Field(description="All records taken back, newest first.")
    from_: Count = Field(default=ABSENT, alias="from", description="The older format that it migrates again.")
    to: Count = ABSENT
    migrated: ListOf[Text] = Field(default=ABSENT, description="The documents that it migrates again.")
    changes: Changes


class MigrateRecord(Head):
    """The changes that migrated documents from an older format."""

    kind: Literal["migrate"]
    timestamp: Timestamp
    from_: Count = Field(alias="from")
    to: Count
    changes: Changes


class SessionRecord(Head):
    """A resumed session of a scene game."""

    kind: Literal["session"]
    timestamp: Timestamp
    session: Literal["resumed"]
    events: ListOf[Event]
    request: Object | None = Field(description="What is asked of a player now.")
    changes: Changes
    draws: Drawn = ABSENT


class _Asked(Head):
    """A turn as it was handed in, and its results. Keys that begin with `x_` are as received."""

    model_config = ConfigDict(
        extra="allow", json_schema_extra={"patternProperties": {"^x_": {}}, "additionalProperties": False}
    )

    turn_id: TurnId
    timestamp: Timestamp
    authority: Authority
    source: Text = Field(default=ABSENT, description="The name under which the turn's file was claimed.")
    actor_id: Text | None = Field(description="The acting character.")
    user_input: Text = ABSENT
    assistant_text: Text = ABSENT
    dialog_type: Literal["scene_description", "action_prompt", "resolution_summary", "rule_explanation"]
    dialog_type_source: Literal["model", "fallback"]
    settings_revision: Count
    tool_calls: ListOf[Any] = Field(default=ABSENT, description="As received.")
    output: Any = None
    answer: Any = None
    atomic: Flag = ABSENT
    prompt_id: SafeInt = ABSENT
    keep_narration: Flag = ABSENT
    dm_note: Text = ABSENT
    agent: Text = ABSENT
    speaker_id: Text = ABSENT
    addressees: ListOf[Text] = ABSENT
    private: Flag = ABSENT
    area_id: Text = Field(default=ABSENT, description="Where `assistant_text` was spoken.")
    present_ids: ListOf[Text] = Field(default=ABSENT, description="Who of the party was there to hear it.")
    dice_answer: Any = Field(default=None, description="As received: the answer of the table that led to this record.")
    content: Sha256 = Field(description="Of the turn as canonical JSON; identifies duplicates.")
    status: Text
    applied_actions: ListOf[Action]
    tool_feedback: ToolFeedback
    events: ListOf[Event]
    findings: ListOf[Finding]
    request: Object | None
    state_summary: StateSummary

    @model_validator(mode="after")
    def _refuse_unknown(self) -> _Asked:
        if unknown := [key for key in self.__pydantic_extra__ or {} if not key.startswith("x_")]:
            raise ValueError(f"{unknown[0]} is no key of a record")
        return self


class TurnRecord(_Asked):
    """A closed turn."""

    kind: Literal["turn"]
    status: Literal["applied", "partial", "failed", "empty"]
    conflict_report: ConflictReport = ABSENT
    changes: Changes
    draws: ListOf[Face | Real | Total]
    packs: dict[Text, Sha256] = Field(
        default=ABSENT, description="Content packs that something was taken from; absent where none was."
    )


class AttemptRecord(_Asked):
    """A turn that is wanted again, or waits for dice of the table; nothing of it is done."""

    kind: Literal["attempt"]
    status: Literal["retry_needed", "waiting"]
    draws: Annotated[
        ListOf[Annotated[Face, AfterValidator(_require_given)]],
        Field(min_length=1, description="What the table threw for the turn so far; absent where it threw nothing."),
    ] = ABSENT


Record = Annotated[
    NewRecord
    | TurnRecord
    | AttemptRecord
    | EditRecord
    | SettingsRecord
    | UndoRecord
    | ForkRecord
    | SessionRecord
    | MigrateRecord,
    Field(discriminator="kind"),
]
