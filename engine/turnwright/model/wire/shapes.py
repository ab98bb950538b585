"""The keys of what goes over the wire, for type checkers: plain JSON objects as the engine makes and reads them.

`wire/reply.py` and `wire/log_record.py` hold the same as models, for schemas and tests; a test compares the two.
Source: docs/stages/5-commit.md, "The record"; docs/stages/6-publish.md, "The reply".
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NotRequired, TypedDict

from turnwright.model.dice.draws import Draw

Data = Mapping[str, Any]
"""Arguments and result of a tool, data of an event, a request: their keys are those that its name or kind says."""


class CalledTool(TypedDict):
    """The identification of a call in reports: its label, the name of its tool, and its arguments."""

    id: str
    tool: str
    args: dict[str, Any]


class Hint(TypedDict, total=False):
    """A hint for a failed call."""

    field: str
    got: Any
    remove: bool
    add: bool
    allowed: Sequence[Any]
    choices: Sequence[Any]
    first_reason: str
    use: str
    why: str
    mood: str
    index: int
    lock_dc: int
    items: "Sequence[BatchItem]"


class Hints(TypedDict, total=False):
    """The hints of a failure: the first one, and all of them where there are several."""

    hint: Hint
    hints: Sequence[Hint]


class BatchItem(TypedDict):
    """The outcome of one item of a batch: a result, or why it failed."""

    index: int
    ok: bool
    result: NotRequired[Data]
    warnings: NotRequired[Sequence[str]]
    status: NotRequired[str]
    reason: NotRequired[str]
    detail: NotRequired[str]
    hint: NotRequired[Hint]
    hints: NotRequired[Sequence[Hint]]


Correction = TypedDict("Correction", {"field": str, "from": Any, "to": Any, "how": str})
"""A value interpreted differently than given, or one that overrides an entry of content."""


class AppliedAction(TypedDict):
    """An applied call."""

    id: str
    tool: str
    args: NotRequired[Data]  # absent in what a player sees
    result: Data
    timestamp: str
    alias_of: NotRequired[str]
    corrections: NotRequired[Sequence[Correction]]
    warnings: NotRequired[Sequence[str]]


class FailedCall(TypedDict):
    """A part of a turn that changed nothing."""

    id: str
    tool: str
    status: str
    reason: str
    detail: str
    hint: NotRequired[Hint]
    hints: NotRequired[Sequence[Hint]]


class ToolFeedback(TypedDict):
    """The failures, in the order of the turn's parts."""

    failed_calls: Sequence[FailedCall]


class Finding(TypedDict):
    """One disagreement between the narration and the turn."""

    kind: str
    claim: str
    tool: str | None
    expected: Data | None
    actual: Data | None
    severity: str
    span: list[int]
    event: NotRequired[str]


class ConflictReport(TypedDict):
    """The conflicts in the last failed attempt of a turn that had to be resubmitted."""

    retries: int
    conflicts: Sequence[Finding]


class RecordedEvent(TypedDict):
    """A fact that a part of a turn caused."""

    type: str
    part: int
    segment: int | None
    audience: str
    data: Data
    cause: Any


class ReceivedTurn(TypedDict, total=False):
    """A turn as it was handed in; it may also have keys that begin with `x_`."""

    turn_id: str
    authority: str
    actor_id: str | None
    user_input: str
    assistant_text: str
    dialog_type: str
    tool_calls: Sequence[Any]
    output: Any
    answer: Any
    atomic: bool
    prompt_id: int | None
    keep_narration: bool
    dm_note: str
    agent: str
    speaker_id: str
    addressees: Sequence[str]
    private: bool
    content: str


class StateSummary(TypedDict):
    """The positions and conditions of all characters after a turn."""

    active_actor_id: str | None
    positions: Mapping[str, str | None]
    positions_parent: Mapping[str, str | None]
    positions_child: Mapping[str, None]
    hp: Mapping[str, int]
    character_states: Mapping[str, str]
    partial: NotRequired[bool]


ConversationRequest = TypedDict(
    "ConversationRequest",
    {"id": str, "for": str | None, "to": str, "prompt": str, "created_turn": int, "kind": str, "payload": Any},
)
"""A conversation's request to the people at the table; `kind` says what the payload holds."""


class Operation(TypedDict):
    """One step of a JSON Patch."""

    op: str
    path: str
    value: NotRequired[Any]


Changes = Mapping[str, Sequence[Operation]]
"""A JSON Patch for each touched document, by path."""


class ProblemEntry(TypedDict):
    """One thing wrong with a file."""

    file: str
    path: str
    rule: str
    message: str
    warning: bool


class VerifyAnswer(TypedDict):
    """The result of comparing a campaign with its log, and the number of items compared."""

    problems: list[ProblemEntry]
    notes: list[str]
    records: int
    turns: int
    draws: int
    documents: int
    results: int
    repaired: list[str]


class CommandFailure(TypedDict):
    """Why a command stopped."""

    reason: str
    detail: str
    problems: NotRequired[Sequence[ProblemEntry]]


class QueryAnswer(TypedDict):
    """The answer to a call of a read-only tool outside a turn: its result, or why it failed."""

    ok: bool
    result: NotRequired[Data]
    status: NotRequired[str]
    reason: NotRequired[str]
    detail: NotRequired[str]
    hint: NotRequired[Hint]
    hints: NotRequired[Sequence[Hint]]


class UndoneRecord(TypedDict):
    """A record that an undo took back."""

    seq: int
    kind: str
    turn_id: str | None


UndoAnswer = TypedDict("UndoAnswer", {"from": int, "undone": Sequence[UndoneRecord], "record": int | None})
"""The records an undo reverted: the first, all of them, and the number of its own record."""


class SettingsAnswer(TypedDict):
    """The settings in force, and which of them changed."""

    settings: Mapping[str, Any]
    changed: Sequence[str]
    settings_revision: int


class AddedContentAnswer(TypedDict):
    """A content pack that the campaign uses now, and the record that added it; None where it was in use already."""

    id: str
    sha256: str
    entries: int
    copied: bool
    record: int | None


class ResumeAnswer(TypedDict):
    """The record of a resumed session, and the open request to a player."""

    record: int
    request: Any


class Reply(TypedDict):
    """The reply to a turn: all keys from `applied_actions` on for one that was taken, `reason` on for a refused one."""

    turn_id: str | None
    seq: int | None
    timestamp: str
    status: str
    applied_actions: NotRequired[Sequence[AppliedAction]]
    tool_feedback: NotRequired[ToolFeedback]
    events: NotRequired[Sequence[RecordedEvent]]
    findings: NotRequired[Sequence[Finding]]
    request: NotRequired[Any]
    state_summary: NotRequired[StateSummary]
    conflict_report: NotRequired[ConflictReport]
    undone_by: NotRequired[int]
    reason: NotRequired[str]
    detail: NotRequired[str]
    hint: NotRequired[Hint]
    hints: NotRequired[Sequence[Hint]]
    problems: NotRequired[Sequence[ProblemEntry]]
    dry_run: NotRequired[Literal[True]]
    tool_messages: NotRequired["Sequence[ToolMessage]"]


class TextBlock(TypedDict):
    """A text of a result, for MCP."""

    type: Literal["text"]
    text: str


class ToolResultBlock(TypedDict):
    """The result of a call, for Anthropic."""

    type: Literal["tool_result"]
    tool_use_id: str
    content: str
    is_error: bool


class ToolMessage(TypedDict, total=False):
    """The result of a call, or of all calls of a turn, as the API of a model or an MCP client expects it.

    Attributes:
        role: for OpenAI and Anthropic.
        tool_call_id: for OpenAI.
        content: a text for OpenAI, blocks for the others.
        structuredContent: for MCP, as is `isError`.
    """

    role: Literal["tool", "user"]
    tool_call_id: str
    content: str | list[ToolResultBlock] | list[TextBlock]
    structuredContent: Mapping[str, Any]
    isError: bool


Migrated = TypedDict(
    "Migrated", {"from": NotRequired[int], "to": NotRequired[int], "migrated": NotRequired[Sequence[str]]}
)
"""A record's data on migrated documents: the old and new format, and for an undo the documents."""


class Record(Migrated):
    """One line of the log; `kind` says which of the keys it has. A turn may also have keys that begin with `x_`."""

    seq: int
    kind: str
    prev: str
    turn_id: NotRequired[str]
    timestamp: NotRequired[str]
    authority: NotRequired[str]
    source: NotRequired[str]
    actor_id: NotRequired[str | None]
    user_input: NotRequired[str]
    assistant_text: NotRequired[str]
    dialog_type: NotRequired[str]
    dialog_type_source: NotRequired[str]
    settings_revision: NotRequired[int]
    tool_calls: NotRequired[Sequence[Any]]
    output: NotRequired[Any]
    answer: NotRequired[Any]
    atomic: NotRequired[bool]
    prompt_id: NotRequired[int]
    keep_narration: NotRequired[bool]
    dm_note: NotRequired[str]
    agent: NotRequired[str]
    speaker_id: NotRequired[str]
    addressees: NotRequired[Sequence[str]]
    private: NotRequired[bool]
    area_id: NotRequired[str]
    present_ids: NotRequired[Sequence[str]]
    dice_answer: NotRequired[Any]
    content: NotRequired[str]
    status: NotRequired[str]
    applied_actions: NotRequired[Sequence[AppliedAction]]
    tool_feedback: NotRequired[ToolFeedback]
    events: NotRequired[Sequence[RecordedEvent]]
    findings: NotRequired[Sequence[Finding]]
    request: NotRequired[Any]
    state_summary: NotRequired[StateSummary]
    conflict_report: NotRequired[ConflictReport]
    campaign_id: NotRequired[str]
    secret_sha256: NotRequired[str]
    repairs: NotRequired[Sequence[str]]
    parent_id: NotRequired[str]
    parent_seq: NotRequired[int]
    parent_head: NotRequired[str]
    files: NotRequired[Sequence[str]]
    patch: NotRequired[Data]
    changed: NotRequired[Sequence[str]]
    undone_from: NotRequired[int]
    undone: NotRequired[Sequence[int]]
    session: NotRequired[str]
    changes: NotRequired[Changes]
    draws: NotRequired[Sequence[Draw]]
    packs: NotRequired[Mapping[str, str]]


class SuggestedHint(TypedDict):
    """A hint that was shown to a model, as telemetry holds it."""

    tool: str
    intent: str
    confidence: float
    label: str
    rule_id: str
    arguments: Data | None


class SuppressedHint(TypedDict):
    """A hint that was not shown, and why."""

    tool: str | None
    intent: str
    cause: str


class SuggestionFault(TypedDict):
    """A part of the suggestor, or the verifier, that failed."""

    rule_id: str
    error: str


class SuggestionContext(TypedDict):
    """The parts of the campaign that mattered for the rules; None if unknown."""

    encounter_active: bool | None
    enemies: int | None
    mood: str | None
    pending_offer: str | None


class CallOutcome(TypedDict):
    """A call of a turn, and how it ended."""

    id: str
    tool: str
    status: str
    reason: str | None


class ModelAsked(TypedDict):
    """One question to a model, and what it took."""

    agent: str
    model: str
    ms: int
    input_tokens: int
    output_tokens: int
    cost: float | None
    failure: str | None
    step: int


class TelemetryRow(TypedDict):
    """One line of `telemetry.jsonl`; `wire/telemetry.py` says what its keys mean."""

    v: int
    ts: str
    turn_id: str
    campaign: str
    agent: str
    speaker: str
    language: str | None
    message_sha256: str | None
    message: NotRequired[str]
    clauses: Sequence[Sequence[Any]]
    context: SuggestionContext
    suggestions: Sequence[SuggestedHint]
    suppressed: Sequence[SuppressedHint]
    notes: Sequence[str]
    errors: Sequence[SuggestionFault]
    dropped_arguments: Sequence[str]
    calls: Sequence[CallOutcome]
    findings: Sequence[Finding]
    rules_version: str
    elapsed_us: int
    source: str
    models: Sequence[ModelAsked]


class OfferedHint(TypedDict):
    """A suggestion for a message, as `turnwright suggest` prints it."""

    tool: str
    intent: str
    reason: str
    confidence: float
    arguments: NotRequired[Data]
    rule_id: str
    span: NotRequired[Sequence[int]]
    label: str


class SuggestionAnswer(TypedDict):
    """Everything that one look at a message gave."""

    suggestions: list[OfferedHint]
    context_notes: list[str]
    suppressed: list[SuppressedHint]
    errors: list[SuggestionFault]
    rules_version: str
    language: str | None
    source: str
