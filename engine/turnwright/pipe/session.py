"""Execute the requests of a pipe. The role is fixed for the pipe; no line changes it.

Source: docs/other-languages.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NotRequired, TypedDict

from turnwright.campaign.campaign import Campaign
from turnwright.model.authority import GM
from turnwright.model.errors import BadRequest, CampaignBusy, CampaignError, CampaignInvalid
from turnwright.model.viewer import Viewer, require_seat
from turnwright.model.wire.pipe import (
    AnswerRequest,
    FollowRequest,
    LegalRequest,
    PromptRequest,
    QueryRequest,
    RecallRequest,
    Request,
    ToolsRequest,
    TurnRequest,
    UndoRequest,
)
from turnwright.pipe.requests import BadLine, RequestId, read_request
from turnwright.protocol.stage6_publish.publish import error_as_json

if TYPE_CHECKING:
    from turnwright.model.wire.prompt import Prompt, ToolDefinition
    from turnwright.model.wire.shapes import CommandFailure, Record, Reply


class FollowAnswer(TypedDict):
    """Whether records are sent from now on."""

    following: bool


class ToolsAnswer(TypedDict):
    """The tools of a role now; `others` names those that a search leaves out."""

    tools: list[ToolDefinition]
    others: NotRequired[list[str]]


class PipeAnswer(TypedDict):
    """The answer to a request; `error` instead of `result` if it failed, and no id if none could be read.

    Attributes:
        result: the return value of `Campaign`.
    """

    id: RequestId | None
    ok: bool
    result: NotRequired[Any]
    error: NotRequired[CommandFailure]


class PipeEvent(TypedDict):
    """An event between answers: a record for a follower of the log, or the end of following.

    Attributes:
        of: the request that started it.
    """

    event: str
    of: RequestId
    record: NotRequired[Record | Reply]
    error: NotRequired[CommandFailure]


Follow = Callable[[RequestId, int | None], None]
Report = Callable[[Exception], None]
_TO_PLAYERS: Mapping[type[CampaignError], str] = {
    CampaignInvalid: "the campaign's files are not valid; the game master has to mend them",
    CampaignBusy: "another writer holds the campaign",
}
_OF_OUR_OWN = "a fault of turnwright itself, and not of the request, came out of it; the pipe goes on"


def error_for(authority: str, error: CampaignError) -> CommandFailure:
    """Return an error as a role may read it; only the game master sees problems of the campaign's files."""
    told = error_as_json(error)
    if authority == GM or isinstance(error, BadRequest):
        return told
    detail = _TO_PLAYERS.get(type(error), "the machine could not read or write the campaign")
    return {"reason": told["reason"], "detail": detail}


class PipeSession:
    """The requests of one role in one campaign.

    Args:
        campaign: the campaign, opened.
        authority: `gm` or `player:<character id>`: the authority of all requests.
        follow: starts sending records after a number; None: after the last one.
        stop_following: ends that.
        report: called with internal errors of requests.

    Raises:
        BadRequest: when a player has no character.
    """

    def __init__(
        self,
        campaign: Campaign,
        authority: str,
        *,
        follow: Follow,
        stop_following: Callable[[], None],
        report: Report,
    ) -> None:
        self._campaign = campaign
        self._authority = authority
        self._viewer = Viewer.of(authority)
        require_seat(self._viewer)
        self._follow = follow
        self._stop_following = stop_following
        self._report = report

    def answer(self, line: bytes) -> PipeAnswer:
        """Return the answer to a line, whatever it holds."""
        try:
            request = read_request(line)
        except BadLine as bad:
            return {"id": bad.request_id, "ok": False, "error": {"reason": "bad_request", "detail": bad.detail}}
        try:
            return {"id": request.id, "ok": True, "result": self._done(request)}
        except CampaignError as error:
            return {"id": request.id, "ok": False, "error": error_for(self._authority, error)}
        except Exception as fault:
            self._report(fault)
            return {"id": request.id, "ok": False, "error": {"reason": "bad_request", "detail": _OF_OUR_OWN}}

    def _done(self, request: Request) -> Any:
        match request:
            case TurnRequest():
                return self._turn(request)
            case QueryRequest():
                return self._campaign.query(request.tool, request.args, authority=self._authority)
            case LegalRequest():
                return self._campaign.legal(self._authority, full=request.full)
            case ToolsRequest():
                return self._tools(request)
            case PromptRequest():
                return self._prompt(request)
            case AnswerRequest():
                return self._answer(request)
            case UndoRequest():
                self._require_game_master("undo")
                return self._campaign.undo(request.turn, dry_run=request.dry_run)
            case FollowRequest():
                return self._begin_to_follow(request)
            case RecallRequest():
                return self._recall(request)
        raise LookupError(type(request).__name__)

    def _turn(self, request: TurnRequest) -> Reply:
        reply = self._campaign.process(
            request.turn,
            authority=self._authority,
            dry_run=request.dry_run,
            reply_as=request.reply_as,
            profile=request.profile,
        )
        return self._seen(reply)

    def _seen(self, reply: Reply) -> Reply:
        """Return this role's view of the reply to its own turn."""
        if self._authority == GM:
            return reply.copy()
        seen = self._campaign.project(reply, self._viewer, own=True)
        if "tool_messages" in reply:
            seen["tool_messages"] = reply["tool_messages"]
        if "dry_run" in reply:
            seen["dry_run"] = reply["dry_run"]
        return seen

    def _tools(self, request: ToolsRequest) -> ToolsAnswer:
        if request.query is not None:
            found = self._campaign.find_tools(request.query, request.form, viewer=self._viewer)
            return {"tools": found["tools"], "others": found["others"]}
        can_find, viewer = request.profile != "full", self._viewer
        return {"tools": self._campaign.tools(request.form, viewer=viewer, profile=request.profile, can_find=can_find)}

    def _prompt(self, request: PromptRequest) -> Prompt:
        from turnwright.game_master.prompts.current_request import as_json, current_request

        self._require_game_master("prompt")
        return as_json(current_request(self._campaign, request.message, request.agent))

    def _answer(self, request: AnswerRequest) -> Reply:
        request_id = request.request_id
        if request_id is None:
            asked = self._campaign.open_request(viewer=self._viewer)
            if asked is None:
                raise BadRequest("nothing is asked now")
            request_id = asked.id
        turn = {"answer": {"request_id": request_id, "value": request.value}}
        return self._seen(self._campaign.process(turn, authority=self._authority))

    def _begin_to_follow(self, request: FollowRequest) -> FollowAnswer:
        if request.stop:
            self._stop_following()
            return {"following": False}
        self._follow(request.id, request.after)
        return {"following": True}

    def _recall(self, request: RecallRequest) -> Any:
        given = request.model_dump(exclude={"id", "op"}, exclude_none=True)
        return self._campaign.recall(viewer=self._viewer, **given)

    def _require_game_master(self, op: str) -> None:
        if self._authority != GM:
            raise BadRequest(f"{op} is the game master's")
