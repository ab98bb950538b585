"""The lines of `turnwright pipe`: requests that a program writes, and what it reads.

Source: docs/other-languages.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from turnwright.model.base import Count, Flag, Model, SafeInt, Text
from turnwright.model.wire.reply import ABSENT, ErrorReason, Hint, Object, Problems, Written

MAX_REQUEST_ID_LENGTH = 200
RequestId = Annotated[Text, Field(max_length=MAX_REQUEST_ID_LENGTH)] | SafeInt
Profile = Literal["full", "core", "tiny"]


class Request(Model):
    """One line that a program writes.

    Attributes:
        id: its label, which the answer repeats. If it comes first, the answer to an unreadable line has it, too.
    """

    id: RequestId


class TurnRequest(Request):
    """Hand in a turn. The result is the reply; a player gets what the player may see of it."""

    op: Literal["turn"]
    turn: Any = Field(description="A turn, as schemas/turn.json has it.")
    reply_as: Literal["openai", "anthropic", "mcp"] | None = Field(
        default=None, description="Add `tool_messages`: the result of each call, in the form of this API."
    )
    profile: Profile = Field(
        default="full",
        description="The list that the calls come from. Those of a short one may go through `call_tool`, name things "
        "by name, and leave out what can be one thing only.",
    )
    dry_run: Flag = Field(default=False, description="Say what would happen, and change nothing.")


class QueryRequest(Request):
    """Call a read-only tool outside a turn: the same checks, no record."""

    op: Literal["query"]
    tool: Text
    args: Object = Field(default_factory=dict)


class LegalRequest(Request):
    """Ask for the JSON Schema of the calls that are legal now."""

    op: Literal["legal"]
    full: Flag = False


class ToolsRequest(Request):
    """Ask for the tools that are offered now; or, with `query`, for those that fit some words, whole."""

    op: Literal["tools"]
    form: Literal["openai", "anthropic", "mcp", "jsonschema"] = "openai"
    profile: Profile = "full"
    query: Text | None = Field(default=None, description="The name of a tool, or words for what it should do.")


class PromptRequest(Request):
    """Ask for what a model that is the game master is given now. For the game master's pipe only."""

    op: Literal["prompt"]
    message: Text | None = Field(default=None, description="What the player says.")
    agent: Text | None = Field(default=None, description="Whose prompt; default: the agent that would answer.")


class AnswerRequest(Request):
    """Answer the open request: the dice of a table, or what a scene game asks a player."""

    op: Literal["answer"]
    value: Any
    request_id: Text | None = Field(default=None, description="Default: the one that is open.")


class UndoRequest(Request):
    """Take back the last turn, or everything since one. For the game master's pipe only."""

    op: Literal["undo"]
    turn: Text | None = Field(default=None, description="A turn id, or `#` and the number of a record.")
    dry_run: Flag = Field(default=False, description="Only say what would be taken back.")


class FollowRequest(Request):
    """Get each record as it is committed, through this pipe or another door; a second request takes its place."""

    op: Literal["follow"]
    after: Annotated[SafeInt, Field(ge=-1)] | None = Field(
        default=None, description="Begin after this record; -1: with the first; default: with what comes."
    )
    stop: Flag = Field(default=False, description="Get no more of them.")


class RecallRequest(Request):
    """Search the log, as far as the role may know it."""

    op: Literal["recall"]
    query: Text | None = None
    person: Text | None = None
    place: Text | None = None
    thing: Text | None = None
    limit: Count | None = None
    before: Count | None = None


REQUESTS: Mapping[str, type[Request]] = {
    "turn": TurnRequest,
    "query": QueryRequest,
    "legal": LegalRequest,
    "tools": ToolsRequest,
    "prompt": PromptRequest,
    "answer": AnswerRequest,
    "undo": UndoRequest,
    "follow": FollowRequest,
    "recall": RecallRequest,
}
"""The requests by their `op`."""
PipeRequest = Annotated[
    TurnRequest
    | QueryRequest
    | LegalRequest
    | ToolsRequest
    | PromptRequest
    | AnswerRequest
    | UndoRequest
    | FollowRequest
    | RecallRequest,
    Field(discriminator="op"),
]


class PipeError(Written):
    """Why a request was not done. It is not a reply to a turn: a refused turn has a reply, which says why."""

    reason: ErrorReason
    detail: Text = Field(description="A sentence for a person.")
    problems: Problems = ()
    hint: Hint = ABSENT


class PipeResult(Written):
    """The answer to a request that was done. Answers come in the order of the requests."""

    id: RequestId
    ok: Literal[True]
    result: Any = Field(description="By `op`: a reply, an answer to a query, a schema, a list, ...")


class PipeFailure(Written):
    """The answer to a request that was not done; the pipe stays open."""

    id: RequestId | None = Field(description="Null where the line has none that can be read.")
    ok: Literal[False]
    error: PipeError


class PipeRecord(Written):
    """A record that was committed, as a follower sees it. It comes between answers, never within one."""

    event: Literal["record"]
    of: RequestId = Field(description="The `id` of the follow request.")
    record: Object


class PipeFollowEnded(Written):
    """Following ended, because the log is no longer the one that was followed."""

    event: Literal["follow_ended"]
    of: RequestId
    error: PipeError


PipeLine = PipeResult | PipeFailure | PipeRecord | PipeFollowEnded
"""One line that a program reads."""
