"""The parts of a turn: what it asks for, what each runs with, and its result.

Source: docs/stages/3-tools.md, "Parts".
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from turnwright.model.dice.draws import Dice
from turnwright.model.json_fault import JsonFault
from turnwright.model.state.log_state import FailureKey
from turnwright.model.strict_json import MAX_DEPTH, canonical
from turnwright.model.wire.reason import CallFailed, Reason, status_of
from turnwright.protocol.stage1_intake import ParsedTurn
from turnwright.protocol.stage2_settings import TurnPolicy
from turnwright.rulesets.tool import Applied

if TYPE_CHECKING:
    from turnwright.content.registry import PackRegistry
    from turnwright.model.wire.shapes import AppliedAction, Correction, FailedCall, PartsReport


class PartResult(NamedTuple):
    """The result of one part of a turn. Exactly one of `applied` and `failure` is set.

    `kind` is that of the part: `answer`, `user_input`, `call`, `output`; or `engine` for what the engine did by itself.
    `size` is that of a toolkit's result as JSON, in bytes.
    """

    part: int
    id: str
    tool: str
    args: Mapping[str, Any]
    applied: Applied | None = None
    failure: CallFailed | None = None
    alias_of: str | None = None
    corrections: "Sequence[Correction]" = ()
    kind: str = "call"
    size: int = 0

    @property
    def is_silent(self) -> bool:
        """Whether it is no part that is reported: what the engine did by itself, or a text that was taken."""
        return self.kind == "engine" or (self.kind == "user_input" and self.applied is not None)

    @property
    def is_partial(self) -> bool:
        """Whether it was applied, but for some items of a batch."""
        return (
            self.applied is not None and "results" in self.applied.result and self.applied.result.get("failed", 0) > 0
        )

    def action(self, timestamp: str) -> "AppliedAction":
        """Return the applied action as the reply holds it."""
        assert self.applied is not None
        action: AppliedAction = {
            "id": self.id,
            "tool": self.tool,
            "args": self.args,
            "result": self.applied.result,
            "timestamp": timestamp,
        }
        if self.alias_of:
            action["alias_of"] = self.alias_of
        if self.corrections:
            action["corrections"] = list(self.corrections)
        if self.applied.warnings:
            action["warnings"] = list(self.applied.warnings)
        return action

    def feedback(self) -> "FailedCall":
        """Return the failed call as the reply holds it."""
        assert self.failure is not None
        return {
            "id": self.id,
            "tool": self.tool,
            "status": status_of(self.failure.reason).value,
            "reason": self.failure.reason.value,
            "detail": self.failure.detail,
            **self.failure.to_feedback(),
        }

    def key(self, acting_id: str | None) -> FailureKey | None:
        """Return what this failure is compared by with those of earlier turns; None when it is no failed tool call."""
        if self.failure is None or not self.tool or self.failure.reason is Reason.INVALID_CALL:
            return None
        return (self.tool, canonical(self.args), acting_id, self.failure.hint.get("first_reason", self.failure.reason))


class TurnContext(NamedTuple):
    """What the parts of one turn run with.

    Attributes:
        policy: what holds for the turn.
        dice: its dice.
        repeated: failures that stood in each of the last turns.
        seq: the number of the record that the turn will make.
        opened: how the conversation stood when the turn began, as its ruleset knows it.
        closed_turns: how many turns are closed.
        is_atomic: whether all parts apply or none, and of a batch all items or none.
        max_args_depth: how deep arguments may nest where they are a text.
        open_packs: gives the content packs that the campaign can use.
    """

    policy: TurnPolicy
    dice: Dice
    repeated: frozenset[FailureKey] = frozenset()
    seq: int = 0
    opened: Any = None
    closed_turns: int = 0
    is_atomic: bool = False
    max_args_depth: int = MAX_DEPTH
    open_packs: "Callable[[], PackRegistry] | None" = None


class Part(NamedTuple):
    """One thing a turn asks for: `number` 0 is the answer, calls count from 1, the output comes last.

    The content of a call is a `Call`; that of another part is as it was handed in.
    """

    number: int
    kind: str
    content: Any
    fault: JsonFault | None = None


def parts_of_turn(received: ParsedTurn, *, takes_text: bool) -> list[Part]:
    """Return the parts of a turn in order.

    Args:
        received: the turn.
        takes_text: whether what a player says is a part: in a scene game it is.
    """
    turn, calls = received.turn, received.calls
    parts = [Part(0, "answer", turn.answer)] if "answer" in received.raw else []
    if takes_text and "user_input" in received.raw:
        parts = [Part(0, "user_input", turn.user_input)]
    parts += [Part(i, "call", call, received.bad_calls.get(i - 1)) for i, call in enumerate(calls, start=1)]
    if "output" in received.raw:
        parts.append(Part(len(calls) + 1, "output", turn.output))
    return parts


def is_of_turn(outcome: PartResult) -> bool:
    """Return whether it is the result of something that the turn asked for."""
    return outcome.kind != "engine"


def abort(outcome: PartResult) -> PartResult:
    """Return a part as one that was not done because the turn was not."""
    failure = CallFailed(Reason.TURN_ABORTED, "the turn was not done, so this was not done either")
    called = outcome.alias_of or outcome.tool  # as every failed call is told
    return PartResult(outcome.part, outcome.id, called, outcome.args, failure=failure, kind=outcome.kind)


def conclude(outcomes: Sequence[PartResult]) -> tuple[str, str | None]:
    """Return how a turn ended (`applied`, `partial`, `failed` or `empty`), and the narration of an output, if any."""
    return _status_of(outcomes), _narration_of(outcomes)


def _status_of(outcomes: Sequence[PartResult]) -> str:
    reported = [outcome for outcome in outcomes if not outcome.is_silent]
    failed = [outcome for outcome in reported if outcome.applied is None]
    if not reported:
        return "empty"
    if len(failed) == len(reported):
        return "failed"
    return "partial" if failed or any(outcome.is_partial for outcome in reported) else "applied"


def _narration_of(outcomes: Sequence[PartResult]) -> str | None:
    """Return the narration of an output that was applied, as it was handed in; None when there is none."""
    handed_in = [outcome.args for outcome in outcomes if outcome.kind == "output" and outcome.applied]
    told = handed_in[-1].get("narration") if handed_in else None
    return told if isinstance(told, str) else None


def report_parts(outcomes: Sequence[PartResult], timestamp: str) -> "PartsReport":
    """Return the two lists in which each part of a turn stands exactly once."""
    return {
        "applied_actions": [
            outcome.action(timestamp) for outcome in outcomes if outcome.applied and not outcome.is_silent
        ],
        "tool_feedback": {"failed_calls": [outcome.feedback() for outcome in outcomes if outcome.failure]},
    }
