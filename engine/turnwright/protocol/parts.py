"""The parts of a turn: requests, their context, and their results.

Source: docs/stages/3-tools.md, "Parts".
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from turnwright.model.dice.draws import Dice
from turnwright.model.json_fault import JsonFault
from turnwright.model.state.log_state import FailureKey
from turnwright.model.strict_json import MAX_DEPTH, canonical
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.protocol.stage2_settings import TurnPolicy
from turnwright.rulesets.tool import Applied

if TYPE_CHECKING:
    from turnwright.content.registry import PackRegistry
    from turnwright.model.wire.shapes import Correction


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

    def key(self, acting_id: str | None) -> FailureKey | None:
        """Return the key that matches this failure with earlier turns' failures; None unless a tool call failed."""
        if self.failure is None or not self.tool or self.failure.reason is Reason.INVALID_CALL:
            return None
        return (self.tool, canonical(self.args), acting_id, self.failure.hint.get("first_reason", self.failure.reason))


class TurnContext(NamedTuple):
    """The context in which the parts of one turn run.

    Attributes:
        policy: the policy of the turn.
        dice: its dice.
        repeated: failures that occurred in each of the last turns.
        seq: the number of the record that the turn will make.
        opened: the state of the conversation at the start of the turn, in its ruleset's terms.
        closed_turns: the number of closed turns.
        is_atomic: whether all parts apply or none, and of a batch all items or none.
        max_args_depth: maximum nesting depth of arguments given as text.
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
    """One request of a turn: `number` 0 is the answer, calls count from 1, the output comes last.

    The content of a call is a `Call`; that of another part is as submitted.
    """

    number: int
    kind: str
    content: Any
    fault: JsonFault | None = None


def is_of_turn(outcome: PartResult) -> bool:
    """Return whether it is the result of something that the turn asked for."""
    return outcome.kind != "engine"


def abort(outcome: PartResult) -> PartResult:
    """Return a part as one that was not done because the turn was not."""
    failure = CallFailed(Reason.TURN_ABORTED, "the turn was not done, so this was not done either")
    called = outcome.alias_of or outcome.tool  # as every failed call is told
    return PartResult(outcome.part, outcome.id, called, outcome.args, failure=failure, kind=outcome.kind)
