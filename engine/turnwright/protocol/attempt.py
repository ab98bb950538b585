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
    """The campaign as a turn finds it.

    Attributes:
        world: the documents as of the last record.
        history: the log so far.
        find_turn: gives the last record of a turn by id.
        secret: gives what dice are drawn from by its SHA-256.
        now: the turn's timestamp.
        label: what stands before the number of the record in the dice labels; empty but in a dry run.
        record_at: gives a record by number, for a narration that tells of turns before it.
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
    """A turn that was read and may run.

    Attributes:
        received: the turn as read; where it waited for dice, as it was handed in at first.
        turn_id: its id.
        source: the name under which its file was claimed, or None.
        answer: what the table answered, where it waited for dice.
    """

    received: ParsedTurn
    turn_id: str
    source: str | None = None
    answer: DiceAnswer | None = None


class Attempt(NamedTuple):
    """One try at a turn: all that its parts run with.

    Attributes:
        inputs: the campaign as the turn finds it, after the record that closes another turn in its favor.
        incoming: the turn.
        context: policy and dice.
        earlier: what earlier attempts at the same turn left; None for the first.
    """

    inputs: TurnInputs
    incoming: IncomingTurn
    context: TurnContext
    earlier: OpenTurn | None


class PartsDone(NamedTuple):
    """The result of stage 3.

    Attributes:
        world: the campaign after them.
        outcomes: the result of each part, in order; where dice are wanted, only an answer that was not taken.
        status: `applied`, `partial`, `failed` or `empty`; `waiting` where dice are wanted; `canceled` where the table
            gave the turn up.
        narration: that of an output that was applied, as it was handed in.
        request: the dice that the table has to throw before the turn can go on.
        applied: those of the outcomes that were applied and are reported.
    """

    world: World
    outcomes: Sequence[PartResult]
    status: str
    narration: str | None = None
    request: DiceRequest | None = None
    applied: Sequence[PartResult] = ()


class Checked(NamedTuple):
    """What the check of the narration found.

    Attributes:
        findings: all claims that the results do not support.
        conflicts: those for which the turn is wanted again.
        error: why the check could not look: the turn goes on then as if it had been switched off.
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
        reply: as the game master sees it.
        commits: what to append to the log, in order; empty for a turn that was closed before.
        verifier_error: why the narration could not be checked; None when it could, or had not to be.
    """

    reply: "Reply"
    commits: Sequence[PreparedCommit] = ()
    verifier_error: str | None = None
