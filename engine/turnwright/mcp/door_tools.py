"""The tools that the server adds to those of the campaign: their implementations.

Their descriptions are in `toolset/door_tools.py`. Source: docs/mcp.md, "Tools of the server".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pydantic import Field, ValidationError

from turnwright.mcp.door import Door
from turnwright.mcp.outcome import Outcome, failure
from turnwright.model.base import Model, Text
from turnwright.model.error_text import faults_of, sentence
from turnwright.model.json_types import JsonObject
from turnwright.model.strict_json import compact
from turnwright.model.wire.reason import Reason
from turnwright.toolset.calls import call_of, turn_of
from turnwright.toolset.find import find_tool
from turnwright.toolset.offered import FINDING_TOOLS

_ALWAYS = ("submit_turn", "answer_request", "recall")


class _FindArgs(Model):
    query: Text


class _AnswerArgs(Model):
    value: Any = Field(default=None)
    request_id: Text | None = Field(default=None)


class _UndoArgs(Model):
    turn: Text | None = Field(default=None)


class _RecallArgs(Model):
    """Arguments of `recall`; the search judges the values itself."""

    query: Any = Field(default=None)
    person: Any = Field(default=None)
    place: Any = Field(default=None)
    thing: Any = Field(default=None)
    limit: Any = Field(default=20)
    before: Any = Field(default=None)


def offered_door_tools(door: Door) -> tuple[str, ...]:
    """Return the names of the server's own tools that a role is offered now."""
    names = _ALWAYS if door.profile == "full" else (*FINDING_TOOLS, *_ALWAYS)
    return (*names, "undo") if door.can_undo else names


def _find_tool(door: Door, args: _FindArgs) -> Outcome:
    with door.reading() as world:
        found = find_tool(world, args.query, door.role)
    return Outcome({"status": "applied", "result": dict(found)}, compact(found).decode(), is_error=False)


def _answer_request(door: Door, args: _AnswerArgs) -> Outcome:
    if "value" in args.model_fields_set:
        return door.answer(args.value, args.request_id)
    request = door.open_request()
    if request is None:
        return failure(Reason.REQUEST_MISMATCH, "nothing is asked now")
    return Outcome({"status": "waiting", "request": request.request}, door.describe(request), is_error=False)


def _undo(door: Door, args: _UndoArgs) -> Outcome:
    return door.undo(args.turn)


def _recall(door: Door, args: _RecallArgs) -> Outcome:
    given = args.model_dump(exclude_unset=True)
    found = door.campaign.recall(given.pop("query", None), viewer=door.viewer, **given)
    lines = [f"{match['turn_id']}: {match['text']}" for match in found["matches"]]
    more = f"older turns were not looked at: go on with before={found['before']}" if found["more"] else ""
    text = "\n\n".join([*(lines or ["nothing is recorded of it"]), *([more] if more else [])])
    return Outcome({"status": "applied", "result": dict(found)}, text, is_error=False)


_RUNS: Mapping[str, tuple[type[Model], Callable[[Door, Any], Outcome]]] = {
    "find_tool": (_FindArgs, _find_tool),
    "answer_request": (_AnswerArgs, _answer_request),
    "undo": (_UndoArgs, _undo),
    "recall": (_RecallArgs, _recall),
}


def run_door_tool(door: Door, name: str, args: JsonObject) -> Outcome | None:
    """Call a tool of the server; None where the name is that of none.

    A call in `call_tool` is run as if it had been made itself, and gives no more than that.

    Raises:
        CampaignError: as for what the tool does.
    """
    if name == "call_tool":
        call = call_of(name, dict(args))
        if call.tool == "call_tool":
            return failure(Reason.INVALID_ARGS, "args.name: is required; find_tool says which tools there are")
        if not isinstance(call.args, Mapping):
            return failure(Reason.INVALID_ARGS, "args.arguments: must be an object")
        return run_door_tool(door, call.tool, call.args) or door.call(call.tool, call.args)
    if name == "submit_turn":
        return door.take(turn_of(args))
    if name not in _RUNS:
        return None
    model, run = _RUNS[name]
    try:
        given = model.model_validate(dict(args))
    except ValidationError as error:
        told = sentence(faults_of(error)[0])
        return failure(Reason.INVALID_ARGS, f"args.{told}", known=sorted(model.model_fields))
    return run(door, given)
