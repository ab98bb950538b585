"""Stage 5: the record of what happened, in one line of the log.

Source: docs/stages/5-commit.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from turnwright.model.base import Document
from turnwright.model.dice.draws import Draw
from turnwright.model.json_types import JsonObject
from turnwright.model.state import patch
from turnwright.model.state.log_state import TEXT_PART, LogState, OpenTurn, parts_as_called
from turnwright.model.state.overlay import Source, World
from turnwright.model.wire.reason import Reason, status_of
from turnwright.model.wire.record import RECEIVED_KEYS, as_record
from turnwright.protocol.attempt import Attempt, Checked, PartsDone, PreparedCommit, TurnInputs
from turnwright.protocol.lifecycle import after_turn
from turnwright.protocol.parts import PartResult, abort, is_of_turn
from turnwright.protocol.stage1_intake import ParsedTurn
from turnwright.protocol.stage2_settings import TurnPolicy
from turnwright.protocol.stage4_conflicts.conflicts import MAX_RETRIES
from turnwright.rulesets.conversation import Conversation

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import (
        AppliedAction,
        ConflictReport,
        ConversationRequest,
        FailedCall,
        Finding,
        Operation,
        Record,
    )


def changes_of(below: Source, touched: Mapping[str, Document | None]) -> dict[str, list[Operation]]:
    """Return what was done to each touched document, as a JSON Patch against what lay below; paths sorted."""
    changes = {}
    for path in sorted(touched):
        before, after = below.get(path), touched[path]
        if before is after:
            continue
        operations = patch.diff(before.as_written if before else None, after.as_written if after else None)
        if operations:
            changes[path] = operations
    return changes


def changes_of_values(before: JsonObject, after: JsonObject) -> dict[str, list[Operation]]:
    """Return what was done to documents, as JSON Patches; both as plain JSON by path, paths sorted."""
    patches = {path: patch.diff(before.get(path), after.get(path)) for path in sorted({*before, *after})}
    return {path: operations for path, operations in patches.items() if operations}


def head_of(history: LogState, kind: str) -> Record:
    """Return the keys that every record begins with."""
    return {"seq": history.seq + 1, "kind": kind, "prev": history.head}


def prepare_commit(attempt: Attempt, done: PartsDone, checked: Checked) -> PreparedCommit:
    """Return the record of a turn or of an attempt at it, and the resulting documents.

    If the narration contradicts the results, nothing of the turn is applied: it must be resubmitted, or fails after too
    many attempts.
    """
    earlier, policy = attempt.earlier, attempt.context.policy
    if earlier and done.status == "canceled":
        answer = attempt.incoming.answer
        return prepare_closing(attempt.inputs, policy, earlier, answer.received if answer else None)
    if done.request is not None:
        return _commit(attempt, done, "attempt", ())
    retries = earlier.attempts if earlier else 0
    if checked.conflicts and retries < MAX_RETRIES:
        return _commit(attempt, _undo(attempt, done, "retry_needed"), "attempt", checked.findings)
    if checked.conflicts:
        report: ConflictReport | None = {"retries": retries, "conflicts": checked.conflicts}
        failed = _commit(attempt, _undo(attempt, done, "failed"), "turn", checked.findings, report, draws=())
        failed.record.pop("assistant_text", None)
        return failed
    if done.status != "failed" and policy.settings["lifecycle.enabled"]:
        _advance_lifecycle(attempt, done.world, retries)
    report = {"retries": retries, "conflicts": earlier.conflicts} if earlier and retries else None
    return _commit(attempt, done, "turn", checked.findings, report, draws=attempt.context.dice.drawn)


def _undo(attempt: Attempt, done: PartsDone, status: str) -> PartsDone:
    """Return the parts of a turn of which nothing is applied; if it must be resubmitted, the failed ones say why."""
    parts = [
        outcome if outcome.failure and status == "retry_needed" else abort(outcome)
        for outcome in done.outcomes
        if is_of_turn(outcome)
    ]
    return PartsDone(World(attempt.inputs.world), parts, status, done.narration)


def _advance_lifecycle(attempt: Attempt, world: World, retries: int) -> None:
    states = [member.state for member in world.party()]
    number = attempt.context.closed_turns + 1
    world.put(after_turn(world.campaign, states, number, retries, attempt.inputs.now))


def _commit(
    attempt: Attempt,
    done: PartsDone,
    kind: str,
    findings: Sequence[Finding],
    report: ConflictReport | None = None,
    draws: Sequence[Draw] = (),
) -> PreparedCommit:
    """Return the record, complete and in the documented order.

    Of dice, an attempt holds those that the table threw: the engine's are drawn again, and are the same.
    """
    inputs, (received, turn_id, source, answer), context, _ = attempt
    policy, world, dice, touched = context.policy, done.world, context.dice, done.world.touched
    record = as_record(
        {
            **head_of(inputs.history, kind),
            "turn_id": turn_id,
            "timestamp": inputs.now,
            "authority": policy.authority,
            **({} if source is None else {"source": source}),
            "actor_id": policy.acting_id,
            **_as_received(received, policy, _spoken(world, received, policy, done.narration)),
        }
    )
    if answer is not None:
        record["dice_answer"] = answer.received
    record |= {"content": received.content, "status": done.status}
    record["applied_actions"] = [applied_action(outcome, inputs.now) for outcome in done.applied]
    record["tool_feedback"] = {"failed_calls": [failed_call(outcome) for outcome in done.outcomes if outcome.failure]}
    record["events"] = [event.as_json() for part in done.outcomes if part.applied for event in part.applied.events]
    record["findings"] = list(findings)
    record["request"] = done.request or _open_request(policy.conversation, world)
    record["state_summary"] = policy.rulesets.actors.state_summary(world, policy.acting_id, touched)
    if report:
        record["conflict_report"] = report
    if kind == "attempt":
        if faces := dice.faces_given() if dice.asks or dice.table else ():
            record["draws"] = faces
        return PreparedCommit(record, {})
    changes = changes_of(inputs.world, touched)
    record |= {"changes": changes, "draws": list(draws)}
    if packs := _packs_of(done.outcomes):
        record["packs"] = packs
    return PreparedCommit(record, {path: touched[path] for path in changes})


def applied_action(outcome: PartResult, timestamp: str) -> AppliedAction:
    """Return a part that was applied as the reply holds it."""
    assert outcome.applied is not None
    action: AppliedAction = {
        "id": outcome.id,
        "tool": outcome.tool,
        "args": outcome.args,
        "result": outcome.applied.result,
        "timestamp": timestamp,
    }
    if outcome.alias_of:
        action["alias_of"] = outcome.alias_of
    if outcome.corrections:
        action["corrections"] = list(outcome.corrections)
    if outcome.applied.warnings:
        action["warnings"] = list(outcome.applied.warnings)
    return action


def failed_call(outcome: PartResult) -> FailedCall:
    """Return a part that failed as the reply holds it."""
    assert outcome.failure is not None
    return {
        "id": outcome.id,
        "tool": outcome.tool,
        "status": status_of(outcome.failure.reason).value,
        "reason": outcome.failure.reason.value,
        "detail": outcome.failure.detail,
        **outcome.failure.to_feedback(),
    }


def _packs_of(outcomes: Sequence[PartResult]) -> dict[str, str]:
    """Return the content packs that something of the turn was taken from: the SHA-256 of each by id, sorted."""
    packs = {name: digest for each in outcomes if each.applied for name, digest in each.applied.packs.items()}
    return {name: packs[name] for name in sorted(packs)}


def _open_request(conversation: Conversation | None, world: World) -> ConversationRequest | None:
    """Return what is asked of a player after the turn."""
    request = conversation.request(world) if conversation else None
    return request.copy() if request is not None else None


def _as_received(received: ParsedTurn, policy: TurnPolicy, spoken: JsonObject) -> JsonObject:
    given = {
        **received.raw,
        "dialog_type": policy.dialog_type,
        "dialog_type_source": policy.dialog_type_source,
        "settings_revision": policy.revision,
        **spoken,
    }
    known = {key: given[key] for key in RECEIVED_KEYS if key in given}
    return known | {key: given[key] for key in received.raw if key not in known and key.startswith("x_")}


def _spoken(world: World, received: ParsedTurn, policy: TurnPolicy, narration: str | None) -> JsonObject:
    """Return a turn's narration, its location and its listeners; nothing for a turn without words."""
    turn = received.turn
    told = {} if narration is None else {"assistant_text": narration}
    if not told and "assistant_text" not in received.raw and "user_input" not in received.raw:
        return {}
    speaker = world.character(turn.speaker_id or policy.acting_id or "")
    if speaker is None or speaker.position is None:
        return told
    present_ids = sorted(person.id for person in policy.rulesets.actors.people_at(world, speaker.position))
    return {"area_id": speaker.position, "present_ids": present_ids, **told}


def prepare_closing(
    inputs: TurnInputs, policy: TurnPolicy, unanswered: OpenTurn, dice_answer: Any = None
) -> PreparedCommit:
    """Return the record that closes a turn that never succeeded, or whose dice never came: nothing of it is applied.

    Args:
        inputs: the campaign.
        policy: the current policy.
        unanswered: the turn.
        dice_answer: the answer that cancels it, as received; None if another turn replaces it.
    """
    asked = unanswered.asked
    held: Mapping[str, object] = asked
    record = as_record(
        {
            **head_of(inputs.history, "turn"),
            "turn_id": unanswered.turn_id,
            "timestamp": inputs.now,
            **{key: held[key] for key in ("authority", "actor_id") if key in held},
            **{key: held[key] for key in RECEIVED_KEYS if key in held},
            **{key: held[key] for key in held if key.startswith("x_")},
        }
    )
    reason = Reason.TURN_ABORTED
    # In a scene game, what the player said was a part of the turn.
    takes_text = unanswered.takes_text or (policy.conversation is not None and "user_input" in asked)
    feedback: list[FailedCall] = [
        {
            "id": part["id"],
            "tool": part["tool"],
            "status": status_of(reason).value,
            "reason": reason.value,
            "detail": _why_closed(unanswered, is_canceled=dice_answer is not None),
        }
        for part in [*([TEXT_PART] if takes_text else []), *parts_as_called(record)]
    ]
    if dice_answer is not None:
        record["dice_answer"] = dice_answer
    record |= {"content": asked["content"], "status": "failed", "applied_actions": []}
    record |= {"tool_feedback": {"failed_calls": feedback}, "events": [], "findings": []}
    record["request"] = _open_request(policy.conversation, inputs.world)
    record["state_summary"] = policy.rulesets.actors.state_summary(inputs.world, asked.get("actor_id"))
    if unanswered.attempts:
        record["conflict_report"] = {"retries": unanswered.attempts - 1, "conflicts": unanswered.conflicts}
    record |= {"changes": {}, "draws": []}
    return PreparedCommit(record, {})


def _why_closed(unanswered: OpenTurn, *, is_canceled: bool) -> str:
    if unanswered.request is None:
        return "the turn was closed in conflict"
    return "the turn was canceled while it waited for dice" if is_canceled else "another turn came before its dice did"
