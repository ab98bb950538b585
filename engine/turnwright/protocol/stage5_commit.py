"""Stage 5: the record of what happened, in one line of the log.

Source: docs/stages/5-commit.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from turnwright.model.base import Document
from turnwright.model.dice.draws import Dice
from turnwright.model.state import patch
from turnwright.model.state.log_state import TEXT_PART, LogState, OpenTurn, parts_as_called
from turnwright.model.state.overlay import Source, World
from turnwright.model.wire.reason import Reason, status_of
from turnwright.model.wire.record import RECEIVED_KEYS
from turnwright.protocol.parts import PartResult
from turnwright.protocol.stage1_intake import ParsedTurn
from turnwright.protocol.stage2_settings import TurnPolicy
from turnwright.protocol.stage4_conflicts.conflicts import Finding

Record = dict[str, Any]


def changes_of(below: Source, touched: Mapping[str, Document | None]) -> dict[str, list[patch.Operation]]:
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


def changes_of_values(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, list[patch.Operation]]:
    """Return what was done to documents, as JSON Patches; both as plain JSON by path, paths sorted."""
    patches = {path: patch.diff(before.get(path), after.get(path)) for path in sorted({*before, *after})}
    return {path: operations for path, operations in patches.items() if operations}


def head_of(history: LogState, kind: str) -> Record:
    """Return the keys that every record begins with."""
    return {"seq": history.seq + 1, "kind": kind, "prev": history.head}


def status_of_turn(outcomes: Sequence[PartResult]) -> str:
    """Return `applied`, `partial`, `failed` or `empty`."""
    reported = [outcome for outcome in outcomes if not outcome.is_silent]
    failed = [outcome for outcome in reported if outcome.applied is None]
    if not reported:
        return "empty"
    if len(failed) == len(reported):
        return "failed"
    return "partial" if failed or any(outcome.is_partial for outcome in reported) else "applied"


def turn_record(
    history: LogState,
    kind: str,
    turn_id: str,
    received: ParsedTurn,
    policy: TurnPolicy,
    *,
    timestamp: str,
    source: str | None,
    status: str,
    outcomes: Sequence[PartResult],
    findings: Sequence[Finding],
    summary: Mapping[str, Any],
    changes: Mapping[str, Any],
    dice: Dice,
    report: Mapping[str, Any] | None,
    present: Mapping[str, Any],
    narration: str | None = None,
    request: Mapping[str, Any] | None = None,
    dice_answer: Any = None,
) -> Record:
    """Return the record of a turn or of an attempt, complete and in the documented order.

    Of dice, an attempt holds those that the table threw: the engine's are drawn again, and are the same.
    """
    record = head_of(history, kind) | {"turn_id": turn_id, "timestamp": timestamp, "authority": policy.authority}
    if source is not None:
        record["source"] = source
    record["actor_id"] = policy.acting_id
    record |= _as_received(received, policy, present if narration is None else {**present, "assistant_text": narration})
    if dice_answer is not None:
        record["dice_answer"] = dice_answer
    record["content"] = received.content
    record["status"] = status
    record |= parts_of(outcomes, timestamp)
    events = [event.as_json() for outcome in outcomes if outcome.applied for event in outcome.applied.events]
    record |= {"events": events, "findings": list(findings), "request": request, "state_summary": summary}
    if report:
        record["conflict_report"] = report
    if kind == "turn":
        record |= {"changes": changes, "draws": dice.drawn} | _packs_of(outcomes)
    elif faces := dice.faces_given() if dice.asks or dice.table else ():
        record["draws"] = faces
    return record


def _packs_of(outcomes: Sequence[PartResult]) -> Record:
    """Return the content packs that something of the turn was taken from; nothing where none was."""
    packs = {name: digest for each in outcomes if each.applied for name, digest in each.applied.packs.items()}
    return {"packs": {name: packs[name] for name in sorted(packs)}} if packs else {}


def _as_received(received: ParsedTurn, policy: TurnPolicy, present: Mapping[str, Any]) -> Record:
    given = {
        **received.raw,
        "dialog_type": policy.dialog_type,
        "dialog_type_source": policy.dialog_type_source,
        "settings_revision": policy.revision,
        **present,
    }
    known = {key: given[key] for key in RECEIVED_KEYS if key in given}
    return known | {key: given[key] for key in received.raw if key not in known and key.startswith("x_")}


def parts_of(outcomes: Sequence[PartResult], timestamp: str) -> Record:
    """Return the two lists in which each part of a turn stands exactly once."""
    return {
        "applied_actions": [
            outcome.action(timestamp) for outcome in outcomes if outcome.applied and not outcome.is_silent
        ],
        "tool_feedback": {"failed_calls": [outcome.feedback() for outcome in outcomes if outcome.failure]},
    }


def narration_of(outcomes: Sequence[PartResult]) -> str | None:
    """Return the narration of an output that was applied, as it was handed in; None when there is none."""
    handed_in = [outcome.args for outcome in outcomes if outcome.kind == "output" and outcome.applied]
    told = handed_in[-1].get("narration") if handed_in else None
    return told if isinstance(told, str) else None


def present_at(world: World, received: ParsedTurn, policy: TurnPolicy, narration: str | None) -> Record:
    """Return where something was said and who was there to hear it; nothing for a turn without words."""
    turn = received.turn
    if narration is None and not turn.has("assistant_text") and not turn.has("user_input"):
        return {}
    speaker = world.character(turn.speaker_id or policy.acting_id or "")
    if speaker is None or speaker.position is None:
        return {}
    present = policy.rulesets.actors.people_at(world, speaker.position)
    return {"area_id": speaker.position, "present_ids": sorted(person.id for person in present)}


def closing_record(
    history: LogState,
    unanswered: OpenTurn,
    *,
    timestamp: str,
    summary: Mapping[str, Any],
    request: Mapping[str, Any] | None,
    takes_text: bool,
    dice_answer: Any = None,
) -> Record:
    """Return the record that closes a turn which never came right, or whose dice never came: nothing of it is done.

    Args:
        history: the log so far.
        unanswered: the turn.
        timestamp: of the record.
        summary: of the state, which stays as it is.
        request: what is asked of a player now.
        takes_text: whether what the player said was a part of it, as in a scene game.
        dice_answer: the answer that cancels it, as received; None where another turn comes in its place.
    """
    asked = unanswered.asked
    record = head_of(history, "turn") | {"turn_id": unanswered.turn_id, "timestamp": timestamp}
    record |= {key: asked[key] for key in ("authority", "actor_id") if key in asked}
    record |= {key: asked[key] for key in RECEIVED_KEYS if key in asked}
    record |= {key: asked[key] for key in asked if key.startswith("x_")}
    reason = Reason.TURN_ABORTED
    feedback = [
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
    record |= {"tool_feedback": {"failed_calls": feedback}, "events": [], "findings": [], "request": request}
    record["state_summary"] = summary
    if unanswered.attempts:
        record["conflict_report"] = {"retries": unanswered.attempts - 1, "conflicts": unanswered.conflicts}
    return record | {"changes": {}, "draws": []}


def _why_closed(unanswered: OpenTurn, *, is_canceled: bool) -> str:
    if unanswered.request is None:
        return "the turn was closed in conflict"
    return "the turn was canceled while it waited for dice" if is_canceled else "another turn came before its dice did"
