"""Feedback to a model on its own answers: results of its calls, and what its text must say otherwise.

All of it is data the engine made, or the model's own words given back. Source: docs/agents.md, "A session".
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, NotRequired, TypedDict

from turnwright.llm.answer_parser import fault_in
from turnwright.llm.port import Message, ModelAnswer
from turnwright.model.json_types import JsonObject
from turnwright.model.wire.reason import Reason
from turnwright.rulesets.toolbox import TOOLS

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import AppliedAction, FailedCall, Finding, Record, Reply
    from turnwright.toolset.find import FoundTools

Json = Mapping[str, Any]
_MAX_LENGTH = 6000
"""In characters: longer results are cut."""
MEND = (
    "Some calls failed and changed nothing. Mend them by their hints or go on without them: `allowed` says the same in "
    "the right form, of `choices` take what you meant."
)
WHOLE = (
    "None of these calls was done: where the reason is `turn_aborted`, only because another one failed. Hand in all of "
    "them again in one answer, what failed mended by its hint or left out."
)
TELL = "Now tell the players what happened, in prose, and only what these results bear out."
LAST = "Call no more tools. Tell the players what happened so far, in prose, and only what the results bear out."
FIND_TOOL = "find_tool"
MAX_FOUND_LENGTH = 14_000
"""Characters: the whole description of a tool may be longer than any result."""
CALL_IT = "Call what you need, by `call_tool` where it is not in your list, or tell the players what happens."
NOT_MADE = "The other calls of that answer were not made: make them again."
UNREADABLE = "That could not be read. Answer again: either calls of the tools you have, or prose for the players."
EMPTY = "That was empty. Answer again: either calls of the tools you have, or prose for the players."
CUT_OFF = "That was longer than you may write, so nobody was told it. Answer again, in fewer words."
NO_OUTPUT = "An answer needs the document that was asked for, as one JSON object under `output`. Answer again."
AGAIN = "Hand in the whole turn again, mended."
REST = "What was applied stands, and is not handed in again. Hand in what failed, mended, and what is still owed."
RETELL = (
    "The players were not told this: it says what nothing applied bears out. Make the calls that are missing, or tell "
    "it again without what did not happen."
)


def asked_again(answer: ModelAnswer, request: str | None = None) -> list[Message]:
    """Return the feedback to an unusable answer; generic unless a better reason is known."""
    if answer.is_cut_off:
        request = CUT_OFF
    else:
        request = request or (UNREADABLE if answer.text.strip() else EMPTY)
        fault = "" if answer.is_well_formed else fault_in(answer.text)
        request += f" What is wrong with the JSON: {fault}." if fault else ""
    return [*_own(answer.text, ()), Message("tool", request)]


def after_calls(answer: ModelAnswer, reply: Reply, *, is_last: bool) -> list[Message]:
    """Return what follows an answer with calls: their results, and what to do next."""
    return [*_own(answer.text, answer.tool_calls), Message("tool", results(reply, is_last=is_last))]


def searches_in(calls: Sequence[Any]) -> list[ToolSearch]:
    """Return those of some calls that look for a tool."""
    found: list[Any] = [call for call in calls if isinstance(call, Mapping) and call.get("tool") == FIND_TOOL]
    return [call for call in found if isinstance(call.get("args"), Mapping)]


def after_search(answer: ModelAnswer, found: Sequence[FoundTools], *, has_more: bool) -> list[Message]:
    """Return the feedback to an answer that searches tools: the matches; other calls beside it were not made."""
    told = _data({"found": list(found)}, most=MAX_FOUND_LENGTH)
    advice = f"{NOT_MADE} {CALL_IT}" if has_more else CALL_IT
    return [*_own(answer.text, answer.tool_calls), Message("tool", f"{told}\n{advice}")]


def results(reply: Reply, *, is_last: bool = False) -> str:
    """Return the results of the parts of a turn, and what to do next."""
    if reply["status"] == "refused":
        told = {"refused": reply["reason"], "detail": reply["detail"], **_only(reply, ("hint", "hints"))}
        return f"{_data(told)}\n{MEND if not is_last else LAST}"
    parts = _parts(reply)
    return f"{_data(parts)}\n{LAST if is_last else _advice(parts.get('failed', ()))}"


def _advice(failed: Sequence[FailedCall]) -> str:
    if any(call["reason"] == Reason.TURN_ABORTED for call in failed):
        return WHOLE
    return f"{MEND} {TELL}" if failed else TELL


class ToolSearch(TypedDict):
    """A call that looks for a tool."""

    args: JsonObject


class ResultsTold(TypedDict):
    """The results of the parts of a turn, as a model reads them."""

    applied: list[JsonObject]
    failed: NotRequired[Sequence[FailedCall]]


class Before(NamedTuple):
    """The calls made before the game master was interrupted: turns, and whether only the narration is left."""

    turns: tuple[Record, ...]
    is_last: bool


def done_before(turns: Iterable[Record], *, is_last: bool = False) -> Before:
    """Return what was called before the game master was interrupted, for the agent that continues."""
    return Before(tuple(turns), is_last)


def after_interruption(before: Before, learned: Callable[[Record], Reply | None]) -> list[Message]:
    """Return what was called before, with the results.

    Args:
        before: the turns.
        learned: redacts a turn for the agent that continues; None where it may not see it.
    """
    told: list[Message] = []
    for turn in before.turns:
        if (seen := learned(turn)) is not None:
            told += [*_own("", turn["tool_calls"]), Message("tool", results(seen, is_last=before.is_last))]
    return told


def _parts(reply: Reply) -> ResultsTold:
    """Return the results of the parts of a turn that was taken."""
    told: ResultsTold = {
        "applied": [_only(done, ("id", "tool", "result", "warnings")) for done in reply["applied_actions"]]
    }
    if failed := reply["tool_feedback"]["failed_calls"]:
        told["failed"] = failed
    return told


def after_conflict(text: str, reply: Reply, *, is_master: bool = True) -> list[Message]:
    """Return the feedback to a text that contradicts the results; without ids and state except for game masters."""
    keys = ("kind", "claim", "tool", *(("expected", "actual") if is_master else ()))
    findings = [_only(found, keys) for found in reply["findings"] if found["severity"] == "error"]
    return [*_own(text, ()), Message("tool", f"{_data({'findings': findings})}\n{RETELL}")]


def after_output(answer: ModelAnswer, reply: Reply) -> list[Message]:
    """Return what follows an unfinished turn of a scene game: its results, and what to hand in next."""
    if reply["status"] == "refused":
        told: Mapping[str, object] = {"refused": reply["reason"], "detail": reply["detail"]}
        advice = AGAIN
    else:
        findings = [found for found in reply["findings"] if found["severity"] == "error"]
        told = {**_parts(reply), "findings": findings} if findings else _parts(reply)
        advice = REST if reply["applied_actions"] else AGAIN
    message = Message("tool", f"{_data(told)}\n{advice}")
    return [*_own(answer.text, answer.tool_calls, answer.output), message]


def is_settled(reply: Reply, record: Record) -> bool:
    """Return whether the author of a text beside these calls knew their results.

    All were applied, none drew a die, none was there to learn something.
    """
    actions = reply["applied_actions"]
    return reply["status"] == "applied" and not record.get("draws") and not any(map(_reads, actions))


def _reads(action: AppliedAction) -> bool:
    tool = TOOLS.get(action["tool"])
    return tool is not None and tool.reads


def _own(text: str, calls: Sequence[Any], output: Any = None) -> Iterable[Message]:
    written = text.strip()
    if calls or output is not None:
        document = {"tool_calls": list(calls)} if calls else {}
        document |= {} if output is None else {"output": output}
        written = f"{written}\n{_data(document)}".strip()
    return [Message("game_master", written[:_MAX_LENGTH])] if written else []


def _only(value: Reply | AppliedAction | Finding, keys: Iterable[str]) -> JsonObject:
    held: Mapping[str, Any] = value
    return {key: held[key] for key in keys if key in held}


def _data(value: Any, most: int = _MAX_LENGTH) -> str:
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except (ValueError, TypeError, RecursionError):
        return "(what was called cannot be shown)"
    return text if len(text) <= most else f"{text[:most]} ..."
