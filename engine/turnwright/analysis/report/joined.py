"""From the records of a log, and the telemetry beside it, to play.

Source: docs/report.md, "Turns and exchanges".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from pydantic import ValidationError

from turnwright.analysis.report.play import OUTPUT, Applied, Exchange, Failed, Play, Step, tool_of
from turnwright.game_master.exchange import BARRED
from turnwright.model.state.log_state import LogState
from turnwright.model.wire.reason import Reason
from turnwright.model.wire.reply import ToolFeedback

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import FailedCall, Record, TelemetryRow

_OF_PLAYERS = frozenset({"user_input", "answer"})
"""Parts of a turn that stand beside its calls and are a player's."""


def play_of(name: str, records: Iterable[Record], telemetry: Sequence[TelemetryRow]) -> Play:
    """Return the play that a log tells of. What a fork has from its parent is the parent's and left out."""
    joined: dict[str, list[TelemetryRow]] = {}
    for entry in telemetry:
        joined.setdefault(entry["turn_id"], []).append(entry)
    steps: list[Step] = []
    history = LogState()
    for record in records:
        history.follow(record)
        kind = record["kind"]
        if kind == "fork":
            steps.clear()
        elif kind in ("turn", "attempt") and record["status"] != "waiting":  # for dice it is no other try
            steps.append(_step(record))
    _join(steps, joined)
    for step in steps:
        step.undone = history.undone_by(step.seq) is not None
    known = {step.turn_id for step in steps}
    return Play(name, _exchanges(steps), list(telemetry), sum(e["turn_id"] not in known for e in telemetry))


def _step(record: Record) -> Step:
    failed = [
        Failed(tool_of(call["tool"]), call["status"], call["reason"], "hint" in call)
        for call in [*record["tool_feedback"]["failed_calls"], *_barred(record)]
        if call["tool"] not in _OF_PLAYERS and call["reason"] != Reason.TURN_ABORTED
    ]
    applied = [
        Applied(action["tool"], action["args"])
        for action in record["applied_actions"]
        if action["tool"] not in _OF_PLAYERS | {OUTPUT}
    ]
    # An answer is a player's word, too, though it has no text of its own.
    text = record.get("user_input") or ("" if "answer" in record else None)
    return Step(
        seq=record["seq"],
        turn_id=record["turn_id"],
        is_attempt=record["kind"] == "attempt",
        text=text,
        agent=record.get("agent"),
        applied=tuple(applied),
        failed=tuple(failed),
        findings=tuple(record["findings"]),
        telemetry=(),
        in_conflict=_is_in_conflict(record),
    )


def _barred(record: Record) -> Sequence[FailedCall]:
    """Return the calls barred from a turn, as failed calls; other values under their key are foreign and ignored.

    The record that closes a turn for another one has no findings and repeats the barred calls of the last attempt.
    """
    if BARRED not in record or (_is_in_conflict(record) and not record["findings"]):
        return ()
    held: Mapping[str, object] = record
    try:
        told = ToolFeedback.model_validate({"failed_calls": held[BARRED]})
    except ValidationError:
        return ()
    calls: list[FailedCall] = told.as_written["failed_calls"]
    return calls


def _is_in_conflict(record: Record) -> bool:
    """Return whether a turn was closed in conflict; one that came right keeps its text, even if all its calls fail."""
    return "conflict_report" in record and record["status"] == "failed" and "assistant_text" not in record


def _join(steps: Sequence[Step], joined: Mapping[str, list[TelemetryRow]]) -> None:
    """Give each turn its telemetry: the last record of a turn id has it, since that is the one that closed the turn."""
    for step in {step.turn_id: step for step in steps}.values():
        step.telemetry = tuple(joined.get(step.turn_id, ()))


def _exchanges(steps: Sequence[Step]) -> list[Exchange]:
    """Put turns together that answer one message.

    A new exchange begins with what a player says, and where hints were looked for in another message than before, as
    in an enemy's own turn. Before any player has said anything, each turn stands alone.
    """
    found: list[Exchange] = []
    for group in _attempts_together(steps):
        begins = not found or any(step.text is not None for step in group) or not _is_begun(found[-1])
        if begins or _is_another(found[-1], group):
            found.append(Exchange())
        found[-1].steps += group
    return found


def _attempts_together(steps: Sequence[Step]) -> Iterator[list[Step]]:
    group: list[Step] = []
    for step in steps:
        if group and group[-1].turn_id != step.turn_id:
            yield group
            group = []
        group.append(step)
    if group:
        yield group


def _is_begun(exchange: Exchange) -> bool:
    return exchange.text is not None or exchange.message_hash is not None


def _is_another(exchange: Exchange, group: Sequence[Step]) -> bool:
    known = exchange.message_hash
    given = [record["message_sha256"] for step in group for record in step.telemetry if record["message_sha256"]]
    return bool(known and given) and given[0] != known
