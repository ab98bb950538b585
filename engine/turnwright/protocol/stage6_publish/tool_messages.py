"""The result of each call of a turn, in the form that the APIs of models and MCP expect.

It is made from the reply on request; no record and no result holds it. Source: docs/stages/6-publish.md,
"Replies in other shapes".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from turnwright.model.call_shapes import labelled, understood_calls
from turnwright.model.json_types import JsonObject
from turnwright.model.state.log_state import outcomes_of_calls
from turnwright.model.strict_json import compact, json_fault
from turnwright.model.wire.record import as_record
from turnwright.protocol.stage1_intake import reported_parts

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import AppliedAction, FailedCall, Reply, TextBlock, ToolMessage, ToolResultBlock

_OF_FAILURES = ("status", "reason", "detail", "hint", "hints")


class _Answer(NamedTuple):
    """The result of one call: its id, and what is reported of it."""

    id: str
    told: dict[str, Any]
    is_error: bool


def tool_messages(turn: Any, reply: Reply, form: str, seen: Reply | None = None) -> list[ToolMessage]:
    """Return a message for each call of a turn, in order; for Anthropic, one message with a block for each.

    Args:
        turn: as submitted, or its record.
        reply: the reply to it.
        form: one of `PROTOCOLS`.
        seen: the part of the reply that the reader may see; default: all of it.
    """
    return _MESSAGES[form](list(_answers(reported_parts(turn), reply, reply if seen is None else seen)))


def _answers(parts: JsonObject, reply: Reply, seen: Reply) -> Iterator[_Answer]:
    if reply["status"] == "refused":
        held: Mapping[str, object] = seen
        told = {key: held[key] for key in _OF_FAILURES if key in held}
        calls: Any = parts.get("tool_calls", ())
        yield from (_Answer(_id_of(call), told, True) for call in understood_calls(calls))
        return
    entries = zip(_entries(reply), _entries(seen), strict=True)
    seen_of = {id(entry): as_seen for entry, as_seen in entries}
    for call, entry in outcomes_of_calls(as_record({**parts, **reply})):
        yield _answer(call["id"], None if entry is None else seen_of[id(entry)], reply["status"])


def _entries(reply: Reply) -> list[AppliedAction | FailedCall]:
    return [*reply["applied_actions"], *reply["tool_feedback"]["failed_calls"]]


def _answer(call_id: str, entry: AppliedAction | FailedCall | None, status: str) -> _Answer:
    """Return what is reported of a call; of one that waits with its turn, only that."""
    if entry is None:
        return _Answer(call_id, {"status": status}, False)
    if "reason" in entry:
        held: Mapping[str, object] = entry
        return _Answer(call_id, {key: held[key] for key in _OF_FAILURES if key in held}, True)
    result = entry["result"]
    is_partial = "results" in result and result.get("failed", 0) > 0
    return _Answer(call_id, {"status": "partial" if is_partial else "applied", "result": result}, False)


def _id_of(call: Any) -> str:
    call_id = labelled(call)["id"]
    return call_id if type(call_id) is str and json_fault(call_id) is None else ""


def _text(answer: _Answer) -> str:
    return compact(answer.told).decode()


def _openai(answers: Sequence[_Answer]) -> list[ToolMessage]:
    return [{"role": "tool", "tool_call_id": answer.id, "content": _text(answer)} for answer in answers]


def _anthropic(answers: Sequence[_Answer]) -> list[ToolMessage]:
    blocks: list[ToolResultBlock] = [
        {"type": "tool_result", "tool_use_id": answer.id, "content": _text(answer), "is_error": answer.is_error}
        for answer in answers
    ]
    return [{"role": "user", "content": blocks}] if blocks else []


def _mcp(answers: Sequence[_Answer]) -> list[ToolMessage]:
    return [_mcp_result(answer) for answer in answers]


def _mcp_result(answer: _Answer) -> ToolMessage:
    text: TextBlock = {"type": "text", "text": _text(answer)}
    return {"content": [text], "structuredContent": answer.told, "isError": answer.is_error}


_MESSAGES: Mapping[str, Callable[[Sequence[_Answer]], list[ToolMessage]]] = {
    "openai": _openai,
    "anthropic": _anthropic,
    "mcp": _mcp,
}
