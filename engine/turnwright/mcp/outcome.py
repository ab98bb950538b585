"""The result of a call, as MCP returns it: data, a text that is complete without the data, and whether it failed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from turnwright.model.errors import CampaignError, CampaignInvalid
from turnwright.model.knowledge import Knowledge
from turnwright.model.strict_json import compact
from turnwright.model.wire.reason import Reason, status_of
from turnwright.model.wire.record import as_action
from turnwright.protocol.stage6_publish.publish import error_as_json
from turnwright.render.reason import describe_reason
from turnwright.rulesets.story import describe_action, describe_failed_call

if TYPE_CHECKING:
    from turnwright.model.json_types import JsonObject, JsonValue
    from turnwright.model.wire.shapes import AppliedAction, FailedCall, QueryAnswer, Reply

Json = Mapping[str, Any]
_OF_FAILURES = ("status", "reason", "detail", "hint", "hints")
_OF_ACTIONS = ("result", "alias_of", "corrections", "warnings")
_OF_TURNS = ("turn_id", "seq", "timestamp")
_WHEN_NOT_EMPTY = ("events", "findings", "request", "conflict_report")


class Outcome(NamedTuple):
    """The result of a call.

    Attributes:
        data: the structured content.
        text: the same in words.
        is_error: whether nothing of it was done.
        seq: the number of the record that holds it; None where there is none.
    """

    data: dict[str, Any]
    text: str
    is_error: bool
    seq: int | None = None

    @classmethod
    def of_turn(cls, seen: Reply, text: str, *, is_call: bool = False) -> Outcome:
        """Return the result of a turn: its reply, or the result of its single call if it represents one.

        Args:
            seen: the reader's view of the reply.
            text: the same in words.
            is_call: whether the turn represents the single call in it.
        """
        is_error = seen["status"] in ("failed", "refused", "retry_needed")
        call = _only_call(seen) if is_call else None
        data = _only(seen, _OF_TURNS) | {"status": seen["status"]}
        if seen["status"] == "refused":
            data |= _only(seen, _OF_FAILURES)
        elif call is not None:
            data |= _only(call, (*_OF_FAILURES, *_OF_ACTIONS))
        else:
            data |= _only(seen, ("applied_actions", "tool_feedback"))
        data |= {key: value for key, value in _only(seen, _WHEN_NOT_EMPTY).items() if value}
        return cls(data, text, is_error, seen.get("seq"))


def _only(value: Reply | QueryAnswer | AppliedAction | FailedCall, keys: Iterable[str]) -> dict[str, JsonValue]:
    held: Mapping[str, Any] = value
    return {key: held[key] for key in keys if key in held}


def _only_call(seen: Reply) -> AppliedAction | FailedCall | None:
    """Return the result of the one call of a turn; None where the turn was refused, or waits."""
    if seen["status"] in ("refused", "retry_needed", "waiting"):
        return None
    calls: list[AppliedAction | FailedCall] = [*seen["applied_actions"], *seen["tool_feedback"]["failed_calls"]]
    return calls[0] if len(calls) == 1 else None


def outcome_of_query(tool: str, args: JsonObject, answer: QueryAnswer, knowledge: Knowledge) -> Outcome:
    """Return the result of a read-only tool.

    Args:
        tool: its name.
        args: its arguments.
        answer: the result of `Campaign.query`.
        knowledge: the reader's knowledge.
    """
    if not answer["ok"]:
        return Outcome(_only(answer, _OF_FAILURES), describe_failed_call(answer, knowledge), is_error=True)
    result = answer["result"]
    words = describe_action(as_action({"tool": tool, "args": args, "result": result}), knowledge)
    is_partial = "results" in result and result.get("failed", 0) > 0
    data = {"status": "partial" if is_partial else "applied", "result": result}
    return Outcome(data, f"{words}\n{compact(result).decode()}", is_error=False)


def failure(reason: Reason, detail: str, **more: Any) -> Outcome:
    """Return a failure of the door itself, in the words of failed calls."""
    data = {"status": status_of(reason).value, "reason": reason.value, "detail": detail, **more}
    return Outcome(data, f"{reason.value}: {detail}", is_error=True)


def outcome_of_error(error: CampaignError, *, is_game_master: bool) -> Outcome:
    """Return why a request could not be done. A player is not told what is wrong with the campaign's files."""
    if isinstance(error, CampaignInvalid) and not is_game_master:
        detail = describe_reason(error.reason.value)
        return Outcome({"status": "error", "reason": error.reason.value, "detail": detail}, detail, is_error=True)
    data = {"status": "error", **error_as_json(error)}
    return Outcome(data, f"{error.reason.value}: {error}", is_error=True)
