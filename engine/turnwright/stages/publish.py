"""Stage 6: the reply, and what one reader may see of it.

Source: docs/stages/6-publish.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from turnwright.model.reason import Problem
from turnwright.model.record import reply_of
from turnwright.stages.intake import TurnRefused
from turnwright.stages.settings import GM

Reply = dict[str, Any]

__all__ = ["Reply", "problems_as_json", "project", "refused", "reply_of"]


def refused(failure: TurnRefused, timestamp: str) -> Reply:
    """Return the reply to a turn that was not taken; it has no `seq`, because nothing was recorded."""
    reply: Reply = {
        "turn_id": failure.turn_id,
        "seq": None,
        "timestamp": timestamp,
        "status": "refused",
        "reason": failure.reason.value,
        "detail": failure.detail,
    }
    return {**reply, "hint": failure.hint} if failure.hint else reply


def problems_as_json(problems: Sequence[Problem]) -> list[dict[str, Any]]:
    """Return problems as data."""
    return [
        {"file": p.file, "path": p.path, "rule": p.rule, "message": p.message, "warning": p.warning} for p in problems
    ]


def project(reply: Mapping[str, Any], reader: str) -> Reply:
    """Return what one reader may see of a reply.

    The game master sees all of it. A player (`player:<character id>`) sees what is meant for players: events, a request
    to it or to the table, and, when the turn was its own, what became of it, without arguments and hints, which may
    name what the player has not met.
    """
    if reader == GM:
        return dict(reply)
    seen = {key: reply[key] for key in ("turn_id", "seq", "timestamp", "status", "reason", "detail") if key in reply}
    if reply["status"] == "refused":
        return seen
    own = reader.partition(":")[2]
    is_own = reply["state_summary"]["active_actor_id"] == own
    applied = reply["applied_actions"] if is_own else []
    failed = reply["tool_feedback"]["failed_calls"] if is_own else []
    seen["applied_actions"] = [_without(action, "args") for action in applied]
    seen["tool_feedback"] = {"failed_calls": [_without(call, "hint") for call in failed]}
    seen["events"] = [event for event in reply["events"] if event["audience"] == "player"]
    seen["request"] = reply["request"] if _is_for(reply["request"], own) else None
    return seen


def _without(entry: Mapping[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in entry.items() if name != key}


def _is_for(request: Mapping[str, Any] | None, character_id: str) -> bool:
    return request is not None and request.get("for") in (None, character_id)
