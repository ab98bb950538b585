"""The reply to a turn, and why a command stopped, as models: for schemas and tests, never on a turn's way.

Fields are in the order in which the engine writes them. Source: docs/stages/6-publish.md, "The reply".
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, ConfigDict, Field, GetJsonSchemaHandler, model_validator
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from turnwright.model.base import ONE_LINE, Count, ListOf, Model, SafeInt, Text
from turnwright.model.fuzzy_match import MAX_COUNT
from turnwright.model.wire.reason import COMMAND_LEVEL, TURN_LEVEL, Reason, Status, status_of
from turnwright.model.wire.turn import TurnId

CALL_REASONS = tuple(reason.value for reason in Reason if reason not in TURN_LEVEL | COMMAND_LEVEL)
TURN_REASONS = tuple(reason.value for reason in Reason if reason in TURN_LEVEL | {Reason.NOT_PERMITTED})
ERROR_REASONS = tuple(
    reason.value for reason in Reason if reason in COMMAND_LEVEL | {Reason.CAMPAIGN_BUSY, Reason.CAMPAIGN_INVALID}
)
_ERRORS = [reason.value for reason in Reason if status_of(reason) is Status.ERROR]


def _one_of(words: tuple[str, ...]) -> AfterValidator:
    def check(word: str) -> str:
        if word not in words:
            raise ValueError(f"wants one of {', '.join(words)}")
        return word

    return AfterValidator(check)


CallReason = Annotated[Text, _one_of(CALL_REASONS), Field(json_schema_extra={"enum": [*CALL_REASONS]})]
TurnReason = Annotated[Text, _one_of(TURN_REASONS), Field(json_schema_extra={"enum": [*TURN_REASONS]})]
ErrorReason = Annotated[Text, _one_of(ERROR_REASONS), Field(json_schema_extra={"enum": [*ERROR_REASONS]})]
Sha256 = Annotated[Text, Field(pattern=r"^[0-9a-f]{64}$", json_schema_extra=ONE_LINE)]
Timestamp = Annotated[
    Text,
    Field(
        pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\+00:00$",
        json_schema_extra=ONE_LINE,
        description="UTC, whole seconds.",
    ),
]
Authority = Literal["gm"] | Annotated[Text, Field(pattern="^player:")]
Object = dict[str, Any]
ABSENT: Any = None
"""The default of a key that may be absent. Defaults are not validated, and so need not be of the key's type."""


def without_null(schema: JsonSchemaValue, names: Iterable[str]) -> None:
    """Take null and the default out of these properties of a schema: without a value, such a key is absent."""
    for name in names:
        node = schema["properties"][name]
        node.pop("default", None)
        branches = [branch for branch in node.pop("anyOf", ()) if branch != {"type": "null"}]
        node |= branches[0] if len(branches) == 1 else ({"anyOf": branches} if branches else {})


class Written(Model):
    """Base of the engine's output: an optional key is absent, never null, as its type says."""

    @classmethod
    def optional(cls) -> list[str]:
        """Return the keys that may be absent; one that may hold anything may also hold null."""
        fields = {field.alias or name: field for name, field in cls.model_fields.items()}
        return [name for name, field in fields.items() if not field.is_required() and field.annotation is not Any]

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        schema = super().__get_pydantic_json_schema__(core_schema, handler)
        resolved = handler.resolve_ref_schema(schema)
        without_null(resolved, cls.optional())
        for node in resolved["properties"].values():
            node.pop("default", None)
        return schema


class Hint(Written):
    """A hint for a failed call. With `allowed` or `remove` it is a repair, which says the same in the right form:
    replace `field` by the first of `allowed`, add it, or remove it. With `choices` it is a question, which must not be
    answered blindly.
    """

    field: Text = Field(default=ABSENT, description="Such as `args.to_area_id`.")
    got: Any = Field(default=None, description="What stood there.")
    remove: Literal[True] = ABSENT
    add: Literal[True] = ABSENT
    allowed: ListOf[Any] = Field(default=(), max_length=MAX_COUNT, description="What says the same in the right form.")
    choices: ListOf[Any] = Field(
        default=(), max_length=MAX_COUNT, description="What there is to choose from, nearest first."
    )
    first_reason: CallReason = Field(default=ABSENT, description="Why a repeated call failed at first.")
    use: Text = Field(default=ABSENT, description="What to say instead: a tool, or an argument.")
    why: Text = Field(default=ABSENT, description="Which rule it was, as one word.")
    mood: Text = Field(default=ABSENT, description="The mood that does not permit it.")
    index: Count = Field(default=ABSENT, description="Which offer of a bargain it was.")
    lock_dc: SafeInt = Field(default=ABSENT, description="How hard the lock in the way is to open.")
    items: ListOf[Object] = Field(default=(), min_length=1, description="The items of a batch that were not done.")


class Correction(Written):
    """A value that was interpreted differently than given, or that overrides an entry of content.

    `case`, `alias`, `fuzzy`: a word spelled in another way. `override`: from the entry's figure to the call's.
    `placed`: a creature without a square, to its square.
    """

    field: Text
    from_: Any = Field(alias="from")
    to: Any
    how: Literal["case", "alias", "fuzzy", "override", "placed"]


class Action(Written):
    """An applied call."""

    id: Text
    tool: Text
    args: Object
    result: Object = Field(description="See the result schema of the tool.")
    timestamp: Timestamp
    alias_of: Text = Field(default=ABSENT, description="The old name that was called.")
    corrections: ListOf[Correction] = Field(default=(), min_length=1)
    warnings: ListOf[Text] = Field(default=(), min_length=1)


class FailedCall(Written):
    """A part of the turn that changed nothing."""

    model_config = ConfigDict(
        json_schema_extra={
            "if": {"properties": {"reason": {"enum": [*_ERRORS]}}, "required": ["reason"]},
            "then": {"properties": {"status": {"const": "error"}}},
            "else": {"properties": {"status": {"const": "rejected"}}},
        }
    )

    id: Text
    tool: Text
    status: Literal["rejected", "error"] = Field(description="A fact of the reason.")
    reason: CallReason
    detail: Text = Field(description="A sentence for a person.")
    hint: Hint = ABSENT
    hints: ListOf[Hint] = Field(
        default=(), min_length=2, description="One for each fault of the failed check, where there are several."
    )

    @model_validator(mode="after")
    def _status_of_reason(self) -> FailedCall:
        if self.status != status_of(Reason(self.reason)).value:
            raise ValueError(f"{self.reason} is not {self.status}")
        return self


class ToolFeedback(Written):
    """The failures, in the order of the turn's parts."""

    failed_calls: ListOf[FailedCall]


class Finding(Written):
    """One disagreement between the narration and the turn."""

    kind: Literal["missing", "rejected", "mismatch", "invented_roll", "contradiction", "forbidden", "unspoken"]
    claim: Annotated[Text, Field(max_length=200, description="The words it is about, cut short.")]
    tool: Text | None
    expected: Object | None = Field(description="What the text says.")
    actual: Object | None = Field(description="What the turn did.")
    severity: Literal["error", "warn", "info"]
    span: ListOf[Count] = Field(min_length=2, max_length=2, description="First character, and the one after the last.")
    event: Annotated[Text, Field(description="The event that told it; absent for `assistant_text`.")] = ABSENT


class ConflictReport(Written):
    """The conflicts in the last failed attempt of a turn that had to be resubmitted."""

    retries: Count
    conflicts: ListOf[Finding]


class Event(Written):
    """A fact that a part of the turn caused."""

    type: Text
    part: Count
    segment: Count | None
    audience: Literal["player", "gm", "log"]
    data: Object
    cause: Any


class StateSummary(Written):
    """The positions and conditions of all characters after the turn."""

    active_actor_id: Text | None = Field(description="The acting character.")
    positions: dict[Text, Text | None]
    positions_parent: dict[Text, Text | None] = Field(description="Equal to `positions`.")
    positions_child: dict[Text, None]
    hp: dict[Text, Count]
    character_states: dict[Text, Text]
    partial: Literal[True] = Field(default=ABSENT, description="The maps name only the party and affected creatures.")


ToolMessages = Annotated[
    ListOf[Object],
    Field(description="Where `reply_as` asked for them: the result of each call. No file or record has them."),
]


class TakenReply(Written):
    """The reply to a turn that was recorded."""

    turn_id: TurnId
    seq: Count = Field(description="Number of its record.")
    timestamp: Timestamp
    status: Literal["applied", "partial", "failed", "empty", "retry_needed", "waiting"]
    applied_actions: ListOf[Action]
    tool_feedback: ToolFeedback
    events: ListOf[Event]
    findings: ListOf[Finding]
    request: Object | None = Field(
        description="What is asked of a player now; of a turn that waits, the dice that the table has to throw."
    )
    state_summary: StateSummary
    conflict_report: ConflictReport = ABSENT
    undone_by: Count = Field(default=ABSENT, description="The undo that took this turn back.")
    dry_run: Literal[True] = Field(default=ABSENT, description="Only what would happen: nothing was recorded.")
    tool_messages: ToolMessages = ()


class ProblemEntry(Written):
    """One thing wrong with a file."""

    file: Text
    path: Text = Field(description="A JSON path, or a line of the log.")
    rule: Text = Field(description="A short tag that stays the same.")
    message: Text = Field(description="A sentence for a person.")
    warning: bool


Problems = Annotated[
    ListOf[ProblemEntry], Field(min_length=1, description="Of an invalid campaign: everything found wrong.")
]


class RefusedReply(Written):
    """The reply to a turn that was not taken; nothing was recorded."""

    turn_id: Annotated[Text, Field(max_length=64)] | None
    seq: None
    timestamp: Timestamp
    status: Literal["refused"]
    reason: TurnReason
    detail: Text = Field(description="A sentence for a person.")
    hint: Hint = ABSENT
    problems: Problems = ()
    dry_run: Literal[True] = ABSENT
    tool_messages: ToolMessages = ()


Reply = Annotated[TakenReply | RefusedReply, Field(discriminator="status")]


class CommandError(Written):
    """Why a command stopped. It is not a reply and has no `status`: earlier output stays valid."""

    reason: ErrorReason
    detail: Text = Field(description="A sentence for a person.")
    problems: Problems = ()
