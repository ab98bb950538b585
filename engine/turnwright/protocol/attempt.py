"""The values that one stage hands to the next while a turn is processed, in the order in which they are made.

`HandedIn` -> `IncomingTurn` -> `Attempt` -> `PartsDone` -> `Checked` -> `PreparedCommit` -> `Processed`.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from turnwright.model.base import Document
from turnwright.model.dice.draws import DiceRequest
from turnwright.model.state.log_state import LogState, OpenTurn
from turnwright.model.state.overlay import World
from turnwright.protocol.parts import PartResult, TurnContext
from turnwright.protocol.stage1_intake import ParsedTurn
from turnwright.protocol.table_dice import DiceAnswer

if TYPE_CHECKING:
    from turnwright.content.registry import PackRegistry
    from turnwright.model.wire.shapes import Finding, Record, Reply


class TurnInputs(NamedTuple):
    """The campaign at the start of a turn.

    Attributes:
        world: the documents as of the last record.
        history: the log so far.
        find_turn: returns the last record of a turn by id.
        secret: gives what dice are drawn from by its SHA-256.
        now: the turn's timestamp.
        label: prefix of the record number in the dice labels; empty except in a dry run.
        record_at: returns a record by number, for a narration of earlier turns.
        open_packs: gives the content packs that the campaign can use.
    """

    world: World
    history: LogState
    find_turn: "Callable[[str], Record | None]"
    secret: Callable[[str], bytes]
    now: str
    label: str = ""
    record_at: "Callable[[int], Record | None]" = lambda _: None
    open_packs: "Callable[[], PackRegistry] | None" = None


class HandedIn(NamedTuple):
    """A turn as it comes from outside.

    Attributes:
        turn: any JSON value, or the bytes of a turn file.
        authority: `gm` or `player:<character id>`; comes from the caller, never from the turn.
        dice: faces to use before the generator, in the order of drawing.
        source: the name under which its file was claimed, or None.
        by_model: whether the caller knows that a model made it.
        door_tool: the one tool of doors that it may call; "" for none.
    """

    turn: Any
    authority: str
    dice: Sequence[int] = ()
    source: str | None = None
    by_model: bool = False
    door_tool: str = ""


class IncomingTurn(NamedTuple):
    """A parsed turn that may run.

    Attributes:
        received: the parsed turn; if it waited for dice, as first submitted.
        turn_id: its id.
        source: the name under which its file was claimed, or None.
        answer: the table's answer, if it waited for dice.
    """

    received: ParsedTurn
    turn_id: str
    source: str | None = None
    answer: DiceAnswer | None = None


class Attempt(NamedTuple):
    """One attempt at a turn: the inputs and context of its parts.

    Attributes:
        inputs: the campaign at the start of the turn, after the record that closes another turn in its favor.
        incoming: the turn.
        context: policy and dice.
        earlier: the state left by earlier attempts at the same turn; None for the first.
    """

    inputs: TurnInputs
    incoming: IncomingTurn
    context: TurnContext
    earlier: OpenTurn | None


class PartsDone(NamedTuple):
    """The result of stage 3.

    Attributes:
        world: the campaign after them.
        outcomes: the result of each part, in order; while dice are requested, only a rejected answer.
        status: `applied`, `partial`, `failed` or `empty`; `waiting` when dice are requested; `canceled` when the table
            gave up the turn.
        narration: that of an applied output, as submitted.
        request: the dice that the table must roll before the turn can continue.
        applied: the outcomes that were applied and are reported.
    """

    world: World
    outcomes: Sequence[PartResult]
    status: str
    narration: str | None = None
    request: DiceRequest | None = None
    applied: Sequence[PartResult] = ()


class Checked(NamedTuple):
    """The result of the narration check.

    Attributes:
        findings: all claims that the results do not support.
        conflicts: the findings that require the turn to be resubmitted.
        error: why the check could not run: the turn then continues as if the check were off.
    """

    findings: "Sequence[Finding]" = ()
    conflicts: "Sequence[Finding]" = ()
    error: str | None = None


class PreparedCommit(NamedTuple):
    """A record ready for the log, and the documents as it leaves them (None: gone)."""

    record: "Record"
    documents: Mapping[str, Document | None]


class Processed(NamedTuple):
    """A turn that went through all stages.

    Attributes:
        reply: the game master's view of it.
        commits: the records to append to the log, in order; empty for a turn that was closed before.
        verifier_error: why the narration could not be checked; None if it was checked or needed no check.
    """

    reply: "Reply"
    commits: Sequence[PreparedCommit] = ()
    verifier_error: str | None = None
