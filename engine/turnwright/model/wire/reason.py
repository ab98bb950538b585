"""Every reason a turn, a call, a file or a command can be turned down for: one closed list, append-only.

A value is the word on the wire. Codes are never renamed, reused or removed; a new one enters with the first
tool that can give it. Source: docs/stages/3-tools.md, "Checks and reasons".
"""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import Hint, Hints


class Status(StrEnum):
    """The status of a failed call."""

    REJECTED = "rejected"
    """Stopped by the allowlist, authority, state or the rules."""
    ERROR = "error"
    """Invalid or incomplete."""


class Reason(StrEnum):
    """Why a call failed, a turn was refused, or a command stopped."""

    INVALID_CALL = "invalid_call"
    """The entry is not a call: an object with string `id`, string `tool` and object `args`."""
    TOOL_NOT_ALLOWED = "tool_not_allowed"
    """The tool is not in the campaign's allowlist, or not registered."""
    NOT_PERMITTED = "not_permitted"
    """The door the turn came through may not ask for this."""
    ACTOR_CONTEXT_MISMATCH = "actor_context_mismatch"
    """`args.actor_id` names a character other than the acting one."""
    INVALID_ACTOR_STATE = "invalid_actor_state"
    """There is no acting character, or its stored state is not one of the five."""
    ACTOR_STATE_RESTRICTED = "actor_state_restricted"
    """The acting character's state does not permit this call."""
    INVALID_ARGS = "invalid_args"
    """The arguments are missing, ill-typed, out of range or name something that cannot be used."""
    REPEAT_ILLEGAL_REQUEST = "repeat_illegal_request"
    """The same call failed for the same reason in each of the last turns."""
    TURN_ABORTED = "turn_aborted"
    """Another part of the atomic turn failed, or the turn was closed in conflict or before its dice came."""
    STAGE_MISMATCH = "stage_mismatch"
    """Nothing in the campaign awaits this part of the turn."""
    NOT_FOUND = "not_found"
    """What the call names does not exist."""
    AMBIGUOUS = "ambiguous"
    """A name or a misspelled word fits more than one thing."""
    CONFLICT = "conflict"
    """It already exists, is already done, or the place is occupied."""
    RULE_VIOLATION = "rule_violation"
    """The call is well formed, but the rules of the game do not allow it."""
    LIMIT_EXCEEDED = "limit_exceeded"
    """Too long, or too many at once."""
    NOT_EXECUTABLE = "not_executable"
    """The engine cannot execute this entry of content, or this part of it."""

    TOOL_REMOVED = "tool_removed"
    """The tool was removed; `hint.use` names its replacement."""
    SESSION_ENDED = "session_ended"
    """The session of the scene game is over."""
    TOOL_NOT_IN_PHASE = "tool_not_in_phase"
    """No scene is played."""
    TOOL_NOT_IN_MOOD = "tool_not_in_mood"
    """The mood of the scene does not have this tool."""
    AWAITING_PLAYER = "awaiting_player"
    """A player has to answer first."""
    AFTER_TRANSITION = "after_transition"
    """An earlier part of the turn changed the mood; the game master is asked again under the new one."""
    TRANSITION_LIMIT = "transition_limit"
    """The mood changed too often for one input of a player."""
    DELTA_NOT_ALLOWED_IN_MOOD = "delta_not_allowed_in_mood"
    """The mood does not permit this field of an output."""
    DELTA_OUT_OF_RANGE = "delta_out_of_range"
    """A number of an output is out of its range."""
    SCENE_CANNOT_END = "scene_cannot_end"
    """A scene cannot end in this mood."""
    TRAUMA_REQUIRED = "trauma_required"
    """The output has to name the trauma."""
    TRAUMA_NOT_ALLOWED = "trauma_not_allowed"
    """No character is breaking, so no trauma is assigned."""
    DUPLICATE_TRAUMA = "duplicate_trauma"
    """The character has this trauma already."""
    CLOCK_UNKNOWN = "clock_unknown"
    """There is no such clock."""
    CONSEQUENCE_UNADDRESSED = "consequence_unaddressed"
    """A full clock's consequence is due and the output says nothing of it."""
    CONSEQUENCE_UNKNOWN = "consequence_unknown"
    """There is no such consequence."""
    POOL_EMPTY = "pool_empty"
    """There are no dice."""
    OUTCOME_PENDING = "outcome_pending"
    """A die was chosen and waits to be resolved."""
    POSITION_MISMATCH = "position_mismatch"
    """The position is not that of the action."""
    OUTCOME_COUNT_MISMATCH = "outcome_count_mismatch"
    """There is not one outcome for each die."""
    OUTCOME_DIE_NOT_IN_POOL = "outcome_die_not_in_pool"
    """The outcomes are not for the dice of the pool."""
    OUTCOME_COST_RANGE = "outcome_cost_range"
    """A cost of an outcome is out of its range."""
    OUTCOME_TEXT = "outcome_text"
    """A hint or narrative is empty, too long, or there twice."""
    NO_OUTCOME_TO_RESOLVE = "no_outcome_to_resolve"
    """No die was chosen."""
    OUTCOME_TIER_MISMATCH = "outcome_tier_mismatch"
    """The die that was chosen does not allow this outcome."""
    BARGAIN_RATE_EXCEEDED = "bargain_rate_exceeded"
    """More dice than this price buys."""
    BARGAIN_TARGET_MISSING = "bargain_target_missing"
    """This price needs its subject."""
    BARGAIN_TARGET_UNKNOWN = "bargain_target_unknown"
    """The subject of the price does not exist."""
    BARGAIN_NO_EFFECT = "bargain_no_effect"
    """The price would cost nothing."""
    BARGAIN_NOT_OFFERED = "bargain_not_offered"
    """Other deals were offered."""
    RETREAT_UNAVAILABLE = "retreat_unavailable"
    """There is no way back."""
    REQUEST_STALE = "request_stale"
    """The request is not the open one, or none is open."""
    REQUEST_MISMATCH = "request_mismatch"
    """The answer is for another kind of request."""
    ANSWER_INVALID = "answer_invalid"
    """The answer is not one that the request allows."""
    OPTION_UNAVAILABLE = "option_unavailable"
    """The option is not offered, or cannot be paid."""
    SCENARIO_INVALID = "scenario_invalid"
    """The opening of the game does not hold together."""
    SCENE_INIT_INVALID = "scene_init_invalid"
    """The opening of the scene does not hold together."""

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
    INTERNAL_ERROR = "internal_error"
    """The tool of an installed ruleset failed by itself; nothing of the call was applied."""
    CAMPAIGN_INVALID = "campaign_invalid"
    """The campaign's files do not form a valid campaign."""

    STORAGE_FAILED = "storage_failed"
    """The machine could not read or write."""
    BAD_REQUEST = "bad_request"
    """What is no turn was asked for in a way that cannot be done."""


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
"""Reasons that refuse a whole turn. `not_permitted` can do that, too, and refuse one part of it."""

COMMAND_LEVEL = frozenset({Reason.STORAGE_FAILED, Reason.BAD_REQUEST})
"""Reasons why a command stopped, which never answer a turn. All others belong to one part of a turn."""

_ERRORS = frozenset(
    {
        Reason.INVALID_CALL,
        Reason.INVALID_ARGS,
        Reason.NOT_FOUND,
        Reason.AMBIGUOUS,
        Reason.LIMIT_EXCEEDED,
        Reason.INTERNAL_ERROR,
        Reason.DELTA_OUT_OF_RANGE,
        Reason.CLOCK_UNKNOWN,
        Reason.OUTCOME_COUNT_MISMATCH,
        Reason.OUTCOME_DIE_NOT_IN_POOL,
        Reason.OUTCOME_COST_RANGE,
        Reason.OUTCOME_TEXT,
        Reason.BARGAIN_TARGET_MISSING,
        Reason.BARGAIN_TARGET_UNKNOWN,
        Reason.SCENARIO_INVALID,
        Reason.SCENE_INIT_INVALID,
        Reason.CONSEQUENCE_UNKNOWN,
        Reason.ANSWER_INVALID,
        Reason.REQUEST_MISMATCH,
    }
)


def status_of(reason: Reason) -> Status:
    """Return whether a part that failed for `reason` is `rejected` or an `error`: a fact of the reason."""
    return Status.ERROR if reason in _ERRORS else Status.REJECTED


class CallFailed(Exception):
    """One call cannot be done. Raised by checks, rules and tools before anything changed or was drawn.

    Attributes:
        reason: the word on the wire.
        detail: a sentence for a person.
        hints: data a program can repair the call from, for each fault that the failed check can see; empty when there
            is none. Each speaks of the call as received.
    """

    def __init__(
        self,
        reason: Reason,
        detail: str,
        hint: "Hint | None" = None,
        more: "Iterable[Hint]" = (),
    ) -> None:
        super().__init__(detail)
        self.reason = reason
        self.detail = detail
        self.hints: list[Hint] = [each.copy() for each in (hint, *more) if each]

    @property
    def hint(self) -> "Hint":
        """The first hint, or an empty one."""
        return self.hints[0] if self.hints else {}

    def to_feedback(self) -> "Hints":
        """Return the hints as feedback holds them: the first alone, and all of them where there are several."""
        if len(self.hints) > 1:
            return {"hint": self.hints[0], "hints": self.hints}
        return {"hint": self.hints[0]} if self.hints else {}

    def replace(
        self,
        *,
        reason: Reason | None = None,
        detail: str | None = None,
        hints: "Iterable[Hint] | None" = None,
    ) -> "CallFailed":
        """Return the same failure with some of it told another way."""
        told = self.hints if hints is None else hints
        return CallFailed(reason or self.reason, self.detail if detail is None else detail, None, told)


_MAX_TOLD = 20
"""More faults of one call are not told at once."""


def together(failures: Sequence[CallFailed]) -> CallFailed:
    """Return all faults of one call as one failure, reported as the first; removals from lists come last."""
    first, *rest = failures
    hints = [each for failure in failures for each in failure.hints][:_MAX_TOLD]
    from_lists = [each for each in hints if each.get("remove") and _place_in_list(each) is not None]
    others = [each for each in hints if each not in from_lists]
    from_lists.sort(key=lambda each: _place_in_list(each) or 0, reverse=True)
    ordered = [*others, *from_lists]
    if first.hints and ordered[0] is not first.hints[0]:
        ordered.sort(key=lambda each: each is not first.hints[0])  # the first hint is that of the first fault
    return first.replace(hints=ordered if len(rest) or len(ordered) > 1 else first.hints)


def _place_in_list(each: "Hint") -> int | None:
    last = str(each.get("field", "")).rpartition(".")[2]
    return int(last) if last.isdecimal() else None


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
