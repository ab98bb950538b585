"""Every reason a turn, a call or a file can be turned down for: one closed list, append-only.

A value is the word on the wire. Codes are never renamed, reused or removed; a new one enters with the first
tool that can give it. Source: docs/stages/3-tools.md, "Checks and reasons".
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, NamedTuple


class Status(StrEnum):
    """What became of one failed call."""

    REJECTED = "rejected"
    """Stopped by the allowlist, authority, state or the rules."""
    ERROR = "error"
    """Invalid or incomplete."""


class Reason(StrEnum):
    """Why a call failed or a turn was refused."""

    INVALID_CALL = "invalid_call"
    """The entry is not a call: an object with string `id`, string `tool` and object `args`."""
    TOOL_NOT_ALLOWED = "tool_not_allowed"
    """The tool is not in the campaign's allowlist, or nobody registered that name."""
    NOT_PERMITTED = "not_permitted"
    """The door the turn came through may not ask for this."""
    ACTOR_CONTEXT_MISMATCH = "actor_context_mismatch"
    """`args.actor_id` names somebody other than the acting character."""
    INVALID_ACTOR_STATE = "invalid_actor_state"
    """There is no acting character, or its stored state is none of the five."""
    ACTOR_STATE_RESTRICTED = "actor_state_restricted"
    """The acting character's state does not permit this call."""
    INVALID_ARGS = "invalid_args"
    """The arguments are missing, ill-typed, out of range or name something that cannot be used."""
    REPEAT_ILLEGAL_REQUEST = "repeat_illegal_request"
    """The same call failed for the same reason in each of the last turns."""
    TURN_ABORTED = "turn_aborted"
    """Another part of the atomic turn failed, or the turn was closed in conflict."""
    STAGE_MISMATCH = "stage_mismatch"
    """Nothing in the campaign awaits this part of the turn."""
    NOT_FOUND = "not_found"
    """What the call names does not exist."""
    AMBIGUOUS = "ambiguous"
    """A name or a misspelt word fits more than one thing."""
    CONFLICT = "conflict"
    """It is there already, or done already, or somebody stands there."""
    RULE_VIOLATION = "rule_violation"
    """The call is well formed, but the rules of the game do not allow it."""
    LIMIT_EXCEEDED = "limit_exceeded"
    """Too long, or too many at once."""

    INVALID_TURN = "invalid_turn"
    """The turn as a whole cannot be read or breaks a limit."""
    TURN_CONFLICT = "turn_conflict"
    """The turn id is taken by a turn with other content."""
    ACTOR_NOT_IN_PARTY = "actor_not_in_party"
    """The turn's `actor_id` is not in the party."""
    CAMPAIGN_ENDED = "campaign_ended"
    """The campaign is over and takes no more turns."""
    CAMPAIGN_BUSY = "campaign_busy"
    """Another process holds the campaign's lock."""
    CAMPAIGN_INVALID = "campaign_invalid"
    """The campaign's files do not form a valid campaign."""


TURN_LEVEL = frozenset(
    {
        Reason.INVALID_TURN,
        Reason.TURN_CONFLICT,
        Reason.ACTOR_NOT_IN_PARTY,
        Reason.CAMPAIGN_ENDED,
        Reason.CAMPAIGN_BUSY,
        Reason.CAMPAIGN_INVALID,
    }
)
"""Reasons that refuse a whole turn; all others belong to one part of it. `not_permitted` can do both."""

_ERRORS = frozenset(
    {Reason.INVALID_CALL, Reason.INVALID_ARGS, Reason.NOT_FOUND, Reason.AMBIGUOUS, Reason.LIMIT_EXCEEDED}
)


def status_of(reason: Reason) -> Status:
    """Return whether a part that failed for `reason` is `rejected` or an `error`: a fact of the reason."""
    return Status.ERROR if reason in _ERRORS else Status.REJECTED


class CallFailed(Exception):
    """One call cannot be done. Raised by checks, rules and tools before anything changed or was drawn.

    Attributes:
        reason: the word on the wire.
        detail: a sentence for a person.
        hint: data a program can repair the call from; empty when there is no repair.
    """

    def __init__(self, reason: Reason, detail: str, hint: Mapping[str, Any] | None = None) -> None:
        super().__init__(detail)
        self.reason = reason
        self.detail = detail
        self.hint: dict[str, Any] = dict(hint or {})


class Problem(NamedTuple):
    """One thing wrong with a file an author wrote.

    `path` is a JSON path such as `$.areas.area_001.name`; `rule` is a short stable tag; `warning` problems
    do not make a campaign invalid.
    """

    file: str
    path: str
    rule: str
    message: str
    warning: bool = False

    def __str__(self) -> str:
        return f"{self.file}: {self.path}: {self.message} [{self.rule}]"
