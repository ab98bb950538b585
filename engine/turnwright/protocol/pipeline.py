"""Run one turn through the stages, from the submitted turn to the reply and the records for the log.

`process` runs all stages in order; the functions after it recognize a turn that was submitted before. Stage 0 is
`stage0_prepare`: it lists the legal calls in advance.
"""

from collections import deque
from collections.abc import Sequence
from copy import deepcopy
from typing import TYPE_CHECKING

from turnwright.model.authority import GM
from turnwright.model.dice.draws import Dice
from turnwright.model.settings import Settings, settings_of
from turnwright.model.state.log_state import OpenTurn
from turnwright.model.strict_json import compact
from turnwright.model.wire.reason import Reason
from turnwright.model.wire.record import reply_of
from turnwright.protocol.attempt import Attempt, HandedIn, IncomingTurn, PreparedCommit, Processed, TurnInputs
from turnwright.protocol.parts import TurnContext
from turnwright.protocol.stage1_intake import ParsedTurn, TurnRefused, receive
from turnwright.protocol.stage2_settings import TurnPolicy, resolve_turn_policy
from turnwright.protocol.stage3_tools.run import run_parts
from turnwright.protocol.stage4_conflicts.conflicts import check_narration
from turnwright.protocol.stage5_commit import prepare_closing, prepare_commit
from turnwright.protocol.table_dice import (
    DiceAnswer,
    by_place,
    is_answer_again,
    is_answer_to_nothing,
    names_request,
    read_answer,
    require_answer,
)
from turnwright.rulesets.registry import tables

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import Record, Reply


def process(inputs: TurnInputs, handed_in: HandedIn) -> Processed:
    """Take one turn through the stages. Nothing is written: the caller appends the commits, then sends the reply.

    Raises:
        TurnRefused: the turn as a whole is not taken; nothing is to be recorded.
    """
    campaign, authority = inputs.world.campaign, handed_in.authority
    rulesets = tables(campaign.rulesets)
    settings = settings_of(campaign.settings, rulesets.settings) if campaign.settings else rulesets.defaults

    received = receive(handed_in.turn, settings, lambda turn_id: _is_closed(inputs, turn_id))  # stage 1: intake
    known = known_reply(inputs, received, authority, settings)
    if known is not None:
        return Processed(known)
    incoming = identify(inputs, received, handed_in, settings)

    policy = resolve_turn_policy(  # stage 2: settings
        incoming.received,
        incoming.turn_id,
        inputs.world,
        campaign,
        settings,
        rulesets,
        authority,
        by_model=handed_in.by_model,
        door_tool=handed_in.door_tool,
    )
    closing = close_superseded(inputs, incoming, policy)
    attempt = begin_attempt(after(inputs, closing.record) if closing else inputs, incoming, policy, handed_in.dice)

    done = run_parts(attempt)  # stage 3: tools
    checked = check_narration(attempt, done)  # stage 4: conflicts
    commit = prepare_commit(attempt, done, checked)  # stage 5: commit
    commits = [commit] if closing is None else [closing, commit]
    return Processed(reply_of(commit.record), commits, checked.error)  # stage 6: publish, here to the game master


def begin_attempt(inputs: TurnInputs, incoming: IncomingTurn, policy: TurnPolicy, given: Sequence[int]) -> Attempt:
    """Return the context of a turn's parts; all attempts at a turn share the dice of the first.

    Args:
        inputs: the campaign, after the record that closes another turn.
        incoming: the turn.
        policy: its policy.
        given: faces to use before the generator.
    """
    history, received, answer = inputs.history, incoming.received, incoming.answer
    unanswered = history.open_turn
    earlier = unanswered if unanswered and unanswered.turn_id == incoming.turn_id else None
    number = earlier.seq if earlier else history.seq + 1
    secret = inputs.secret(earlier.secret_hash if earlier else history.secret_hash)
    faces = answer.faces if answer else by_place(earlier.faces) if earlier else {}
    dice = Dice(secret, f"{inputs.label}{number}", deque(given), table=faces, asks=policy.asks_table)
    context = TurnContext(
        policy,
        dice,
        history.repeated(policy.protocol.repeat_window),
        history.seq + 1,
        closed_turns=history.closed_turns,
        max_args_depth=received.max_args_depth,
        open_packs=inputs.open_packs,
    )
    return Attempt(inputs, incoming, context, earlier)


# a turn that came before, in whole or in part


def _is_closed(inputs: TurnInputs, turn_id: str) -> bool:
    record = inputs.find_turn(turn_id)
    return record is not None and record["kind"] != "attempt"


def known_reply(inputs: TurnInputs, received: ParsedTurn, authority: str, settings: Settings) -> "Reply | None":
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
            return _reply_to_open_turn(record, received, authority, settings)
        if undone_by is None:
            return None  # the undo that gave it up was reverted: it may be resubmitted
    is_theirs = authority in (GM, record["authority"])
    is_same = record["content"] == received.content or is_answer_again(record, received)
    if not is_same or not is_theirs:
        detail = f"{turn_id} is the id of a closed turn with other content"
        raise TurnRefused(Reason.TURN_CONFLICT, detail, turn_id=turn_id)
    return reply_of(record) | ({"undone_by": undone_by} if undone_by is not None else {})


def _is_open(inputs: TurnInputs, attempt: "Record") -> bool:
    """Return whether a turn still is what its last attempt left: an undo gives up a turn that waits for dice."""
    return attempt["status"] != "waiting" or (
        inputs.history.waiting_turn is not None and inputs.history.waiting_turn.turn_id == attempt["turn_id"]
    )


def _reply_to_open_turn(attempt: "Record", received: ParsedTurn, authority: str, settings: Settings) -> "Reply | None":
    """Return the last reply to an open turn where a waiting turn, or an answer, comes again; None for a new attempt."""
    if attempt["authority"] != authority:
        turn_id = attempt["turn_id"]
        detail = f"{turn_id} is the id of a turn that is wanted again of somebody else"
        raise TurnRefused(Reason.TURN_CONFLICT, detail, turn_id=turn_id)
    is_waiting = attempt["status"] == "waiting" and settings["dice.source"] == "table"
    is_same = is_waiting and attempt["content"] == received.content
    return reply_of(attempt) if is_same or is_answer_again(attempt, received) else None


def identify(inputs: TurnInputs, received: ParsedTurn, handed_in: HandedIn, settings: Settings) -> IncomingTurn:
    """Return the turn to run, with its id: the turn waiting for dice, if this is the answer to it."""
    answer = dice_answer_of(inputs, received, handed_in.authority, settings)
    if answer:
        received = answer.turn
    turn_id = turn_id_of(inputs, received, handed_in.authority, is_of_door=bool(handed_in.door_tool))
    return IncomingTurn(received, turn_id, handed_in.source, answer)


def dice_answer_of(inputs: TurnInputs, received: ParsedTurn, authority: str, settings: Settings) -> DiceAnswer | None:
    """Return the table's answer to the turn that waits for dice; None if the turn is not such an answer.

    Raises:
        TurnRefused: when it is meant for the waiting turn, and cannot be its next attempt.
    """
    waiting, turn_id = inputs.history.open_turn, received.turn.turn_id
    if waiting is None or waiting.request is None:
        return None
    names_no_request = authority == GM and is_answer_to_nothing(received)
    if not (names_request(received) or turn_id == waiting.turn_id or names_no_request):
        return None
    record = inputs.find_turn(waiting.turn_id)
    assert record is not None
    if turn_id == waiting.turn_id and record["content"] == received.content:
        return None  # the engine throws by now
    require_answer(waiting, received, authority)
    return read_answer(waiting, record, received, settings)


def turn_id_of(inputs: TurnInputs, received: ParsedTurn, authority: str, *, is_of_door: bool = False) -> str:
    """Return the turn's own id, or the next one for a turn without; one of a door's own is no attempt at another."""
    if received.turn.turn_id is not None:
        return received.turn.turn_id
    unanswered = inputs.history.open_turn
    goes_on = (
        not is_of_door
        and unanswered is not None
        and unanswered.request is None
        and _goes_on(unanswered, received, authority)
    )
    return inputs.history.next_turn_id(inputs.find_turn, goes_on=goes_on)


def _goes_on(unanswered: OpenTurn, received: ParsedTurn, authority: str) -> bool:
    """Return whether a turn without an id may be the next attempt; a new player message begins another turn."""
    asked = unanswered.asked
    is_known = all(received.raw[key] == asked.get(key) for key in ("answer", "user_input") if key in received.raw)
    return is_known and asked.get("authority") == authority


def after(inputs: TurnInputs, record: "Record") -> TurnInputs:
    """Return the inputs as a record leaves it that is not in the log yet."""
    history = deepcopy(inputs.history)
    history.take(record, compact(record))
    earlier = inputs.record_at
    return inputs._replace(history=history, record_at=lambda seq: record if seq == record["seq"] else earlier(seq))


def close_superseded(inputs: TurnInputs, incoming: IncomingTurn, policy: TurnPolicy) -> PreparedCommit | None:
    """Return the record that closes a turn which was wanted again or waits, when another turn comes in its place."""
    unanswered = inputs.history.open_turn
    if unanswered is None or unanswered.turn_id == incoming.turn_id:
        return None
    return prepare_closing(inputs, policy, unanswered)
