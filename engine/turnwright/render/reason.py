"""Describe why a call failed, in plain words that name nothing in the campaign, so that every viewer may read them.

Source: docs/stages/3-tools.md, "Checks and reasons".
"""

from __future__ import annotations

from typing import Any

_PLAIN = {
    "actor_context_mismatch": "the call is for someone other than the acting character",
    "actor_state_restricted": "the acting character is in no state to do this",
    "ambiguous": "a name in the call fits more than one thing",
    "conflict": "it is already there or already done, or something is in the way",
    "invalid_actor_state": "there is no acting character who could do this",
    "invalid_args": "the game master asked for it wrongly",
    "invalid_call": "the game master asked for it in a form that cannot be read",
    "limit_exceeded": "the call asks for too much at once",
    "not_executable": "the engine cannot carry this out",
    "not_found": "something that the call names does not exist",
    "not_permitted": "this is not permitted here",
    "repeat_illegal_request": "the same call failed several times before",
    "rule_violation": "the rules of the game do not allow it",
    "tool_not_allowed": "the tool is not available here",
    "turn_aborted": "another part of the same turn failed",
}


def describe_reason(reason: Any) -> str:
    """Return a reason as a sentence; a reason without its own text says that the action is not possible now."""
    return _PLAIN.get(str(reason), "this cannot be done as things stand")
