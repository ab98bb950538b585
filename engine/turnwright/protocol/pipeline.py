"""Stages 2 to 5 of a turn, in order, up to the record that the log will hold.

`TurnRunner` (campaign/runner.py) parses the turn first (stage 1, intake), appends the record, and publishes the reply
(stage 6).
"""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from typing import TYPE_CHECKING, Any, NamedTuple

from turnwright.model.authority import GM
from turnwright.model.base import Document
from turnwright.model.dice.draws import Dice, DiceNeeded, DiceRequest
from turnwright.model.settings import settings_of
from turnwright.model.state.log_state import LogState, OpenTurn
from turnwright.model.state.overlay import World
from turnwright.model.strict_json import compact
from turnwright.model.wire.reason import Reason
from turnwright.model.wire.record import reply_of
from turnwright.protocol import stage5_commit as commit
from turnwright.protocol.lifecycle import after_turn
from turnwright.protocol.parts import PartResult, TurnContext, abort, is_of_turn
from turnwright.protocol.stage1_intake import ParsedTurn, TurnRefused
from turnwright.protocol.stage2_settings import TurnPolicy, resolve_turn_policy
from turnwright.protocol.stage3_tools.run import run_parts
from turnwright.protocol.stage4_conflicts import conflicts
from turnwright.protocol.table_dice import (
    DiceAnswer,
    asks_table,
    by_place,
    is_answer_again,
    is_answer_to_nothing,
    names_request,
    read_answer,
    request_for,
    require_answer,
)
from turnwright.rulesets.conversation import Conversation
from turnwright.rulesets.in_use import tables_of

if TYPE_CHECKING:
    from turnwright.content.registry import PackRegistry

Record = dict[str, Any]
FindTurn = Callable[[str], Record | None]


class TurnInputs(NamedTuple):
    """What a turn is worked on with.

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
    find_turn: FindTurn
    secret: Callable[[str], bytes]
    now: str
    label: str = ""
    record_at: Callable[[int], Record | None] = lambda _: None
    open_packs: "Callable[[], PackRegistry] | None" = None


class IncomingTurn(NamedTuple):
    """A turn on its way through the stages.

    Attributes:
        received: the turn as read; where it waited for dice, as it was handed in at first.
        policy: what holds for it.
        turn_id: its id.
        source: the name under which its file was claimed, or None.
        answer: what the table answered, where it waited for dice.
    """

    received: ParsedTurn
    policy: TurnPolicy
    turn_id: str
    source: str | None
    answer: DiceAnswer | None = None


class PreparedCommit(NamedTuple):
    """A record ready for the log, and the documents as it leaves them (None: gone).

    `verifier_error` is why the narration could not be checked; the record is then as without the check.
    """

    record: Record
    documents: Mapping[str, Document | None]
    verifier_error: str | None = None


def known_reply(inputs: TurnInputs, received: ParsedTurn, authority: str) -> dict[str, Any] | None:
    """Return the first reply when this very turn was closed before; players are given those to their own turns only.

    Raises:
        TurnRefused: `turn_conflict`, when its id was taken by a turn with other content, or through another door.
    """
    turn_id = received.turn.turn_id
    record = inputs.find_turn(turn_id) if turn_id else None
    if record is None:
        return None
    undone_by = inputs.history.undone_by(record["seq"])
    if record["kind"] == "attempt":
        if _is_open(inputs, record):
            return _reply_to_open_turn(inputs, record, received, authority)
        if undone_by is None:
            return None  # the undo that gave it up was taken back: it may be handed in anew
    is_theirs = authority in (GM, record["authority"])
    is_same = record["content"] == received.content or is_answer_again(record, received)
    if not is_same or not is_theirs:
        detail = f"{turn_id} is the id of a closed turn with other content"
        raise TurnRefused(Reason.TURN_CONFLICT, detail, turn_id=turn_id)
    return reply_of(record) | ({"undone_by": undone_by} if undone_by is not None else {})


def _is_open(inputs: TurnInputs, attempt: Record) -> bool:
    """Return whether a turn still is what its last attempt left: an undo gives up a turn that waits for dice."""
    return attempt["status"] != "waiting" or (
        inputs.history.waiting_turn is not None and inputs.history.waiting_turn.turn_id == attempt["turn_id"]
    )


def _reply_to_open_turn(
    inputs: TurnInputs, attempt: Record, received: ParsedTurn, authority: str
) -> dict[str, Any] | None:
    """Return the last reply to an open turn where a waiting turn, or an answer, comes again; None for a new attempt."""
    if attempt["authority"] != authority:
        turn_id = attempt["turn_id"]
        detail = f"{turn_id} is the id of a turn that is wanted again of somebody else"
        raise TurnRefused(Reason.TURN_CONFLICT, detail, turn_id=turn_id)
    is_waiting = attempt["status"] == "waiting" and _throws_at_table(inputs)
    is_same = is_waiting and attempt["content"] == received.content
    return reply_of(attempt) if is_same or is_answer_again(attempt, received) else None


def _throws_at_table(inputs: TurnInputs) -> bool:
    return bool(settings_of(inputs.world.campaign.settings)["dice.source"] == "table")


def dice_answer_of(inputs: TurnInputs, received: ParsedTurn, authority: str) -> DiceAnswer | None:
    """Return what the table answered to the turn that waits for dice; None for a turn that is no such answer.

    Raises:
        TurnRefused: when it is meant for the turn that waits, and cannot be its next attempt.
    """
    waiting, turn_id = inputs.history.waiting_turn, received.turn.turn_id
    if waiting is None:
        return None
    names_no_request = authority == GM and is_answer_to_nothing(received)
    if not (names_request(received) or turn_id == waiting.turn_id or names_no_request):
        return None
    record = inputs.find_turn(waiting.turn_id)
    assert record is not None
    if turn_id == waiting.turn_id and record["content"] == received.content:
        return None  # the engine throws by now
    require_answer(waiting, received, authority)
    return read_answer(waiting, record, received, settings_of(inputs.world.campaign.settings))


def turn_id_of(inputs: TurnInputs, received: ParsedTurn, authority: str) -> str:
    """Return the turn's own id, or the next one for a turn without."""
    if received.turn.turn_id is not None:
        return received.turn.turn_id
    unanswered = inputs.history.open_turn
    goes_on = unanswered is not None and unanswered.request is None and _goes_on(unanswered, received, authority)
    return inputs.history.next_turn_id(lambda name: inputs.find_turn(name) is not None, goes_on=goes_on)


def _goes_on(unanswered: OpenTurn, received: ParsedTurn, authority: str) -> bool:
    """Return whether a turn without an id may be the next attempt; what a player says anew begins another turn."""
    asked = unanswered.asked
    is_known = all(received.raw[key] == asked.get(key) for key in ("answer", "user_input") if key in received.raw)
    return is_known and asked.get("authority") == authority


def after(inputs: TurnInputs, record: Record) -> TurnInputs:
    """Return the inputs as a record leaves it that is not in the log yet."""
    history = deepcopy(inputs.history)
    history.take(record, compact(record))
    earlier = inputs.record_at
    return inputs._replace(history=history, record_at=lambda seq: record if seq == record["seq"] else earlier(seq))


def close_unanswered(inputs: TurnInputs, turn_id: str) -> PreparedCommit | None:
    """Return the record that closes a turn which was wanted again or waits, when another turn comes in its place."""
    unanswered = inputs.history.open_turn
    if unanswered is None or unanswered.turn_id == turn_id:
        return None
    return _close(inputs, unanswered)


def _close(inputs: TurnInputs, unanswered: OpenTurn, dice_answer: Any = None) -> PreparedCommit:
    """Return the record that closes a turn which did not come right; an answer may cancel it."""
    rulesets = tables_of(inputs.world.campaign)
    conversation = rulesets.conversation(inputs.world)
    record = commit.closing_record(
        inputs.history,
        unanswered,
        timestamp=inputs.now,
        summary=rulesets.actors.state_summary(inputs.world, unanswered.asked.get("actor_id")),
        request=_open_request(conversation, inputs.world),
        takes_text=unanswered.takes_text or (conversation is not None and "user_input" in unanswered.asked),
        dice_answer=dice_answer,
    )
    return PreparedCommit(record, {})


def turn_policy_of(
    inputs: TurnInputs, received: ParsedTurn, authority: str, turn_id: str, *, by_model: bool = False
) -> TurnPolicy:
    """Return what holds for the turn (stage 2), or refuse it by its id."""
    try:
        return resolve_turn_policy(received.turn, inputs.world, authority, by_model=by_model)
    except TurnRefused as refused:
        refused.turn_id = turn_id
        raise


def run(inputs: TurnInputs, incoming: IncomingTurn, given: Sequence[int]) -> PreparedCommit:
    """Run a turn whose id is free or open, and return the record it makes.

    Args:
        inputs: what the turn is worked on with.
        incoming: the turn.
        given: faces to use before the generator.
    """
    received, policy, turn_id, source, answer = incoming
    history, before = inputs.history, inputs.world
    earlier = history.open_turn if history.open_turn and history.open_turn.turn_id == turn_id else None
    number = earlier.seq if earlier else history.seq + 1
    secret = inputs.secret(earlier.secret_hash if earlier else history.secret_hash)
    faces = answer.faces if answer else by_place(earlier.faces) if earlier else {}
    dice = Dice(secret, f"{inputs.label}{number}", deque(given), table=faces, asks=asks_table(policy))
    if earlier and answer and answer.is_cancel:
        return _close(inputs, earlier, answer.received)
    if earlier and earlier.request and answer and answer.failure:
        return _wait(inputs, incoming, dice, earlier.request, [answer.as_failed_part()])
    world = World(before)
    repeated = history.repeated(policy.protocol.repeat_window)
    context = TurnContext(
        policy,
        dice,
        repeated,
        history.seq + 1,
        closed_turns=history.closed_turns,
        open_packs=inputs.open_packs,
    )
    try:
        outcomes = run_parts(received, world, context)
    except DiceNeeded as needed:
        return _wait(inputs, incoming, dice, request_for(needed.dice, history.seq + 1, policy))
    narration = commit.narration_of(outcomes)
    text = narration or received.turn.assistant_text
    checked = conflicts.check_narration(
        text, received, world, before, policy, outcomes, dice, inputs.record_at, history.seq
    )
    errors = conflicts.requiring_retry(checked.findings, policy)
    retries = earlier.attempts if earlier else 0

    kind, status, report = "turn", commit.status_of_turn(outcomes), None
    if errors:
        kind, status = ("attempt", "retry_needed") if retries < conflicts.MAX_RETRIES else ("turn", "failed")
        report = {"retries": retries, "conflicts": errors} if kind == "turn" else None
        kept = by_place(dice.faces_given()) if dice.asks or dice.table else {}
        world, dice = World(before), Dice(secret, dice.label, table=kept)
        asked = filter(is_of_turn, outcomes)
        outcomes = [outcome if outcome.failure and kind == "attempt" else abort(outcome) for outcome in asked]
    elif earlier and earlier.attempts:
        report = {"retries": retries, "conflicts": earlier.conflicts}
    if status not in ("failed", "retry_needed") and policy.settings["lifecycle.enabled"]:
        states = [member.state for member in world.party()]
        world.put(after_turn(world.campaign, states, history.closed_turns + 1, retries, inputs.now))

    record = commit.turn_record(
        history,
        kind,
        turn_id,
        received,
        policy,
        timestamp=inputs.now,
        source=source,
        status=status,
        outcomes=outcomes,
        findings=checked.findings,
        summary=policy.rulesets.actors.state_summary(world, policy.acting_id, world.touched),
        changes=commit.changes_of(before, world.touched),
        dice=dice,
        report=report,
        present=commit.present_at(world, received, policy, narration),
        narration=narration,
        request=_open_request(policy.conversation, world),
        dice_answer=answer.received if answer else None,
    )
    if errors and kind == "turn":
        record.pop("assistant_text", None)
    documents = {path: world.touched[path] for path in record.get("changes", ())}
    return PreparedCommit(record, documents, checked.error)


def _wait(
    inputs: TurnInputs, incoming: IncomingTurn, dice: Dice, request: DiceRequest, failed: Sequence[PartResult] = ()
) -> PreparedCommit:
    """Return the attempt at a turn that waits for dice of the table; `failed` is an answer that was not taken."""
    received, policy, turn_id, source, answer = incoming
    record = commit.turn_record(
        inputs.history,
        "attempt",
        turn_id,
        received,
        policy,
        timestamp=inputs.now,
        source=source,
        status="waiting",
        outcomes=failed,
        findings=(),
        summary=policy.rulesets.actors.state_summary(inputs.world, policy.acting_id),
        changes={},
        dice=dice,
        report=None,
        present=commit.present_at(inputs.world, received, policy, None),
        request=request,
        dice_answer=answer.received if answer else None,
    )
    return PreparedCommit(record, {})


def _open_request(conversation: Conversation | None, world: World) -> dict[str, Any] | None:
    """Return what is asked of a player after the turn."""
    request = conversation.request(world) if conversation else None
    return dict(request) if request is not None else None
