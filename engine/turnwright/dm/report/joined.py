"""From the records of a log, and the telemetry beside it, to play.

Source: docs/report.md, "Turns and exchanges".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from turnwright.dm.report.play import OUTPUT, Applied, Exchange, Failed, Json, Play, Step, tool_of
from turnwright.model.reason import Reason
from turnwright.world.history import History

_OF_PLAYERS = frozenset({"user_input", "answer"})
"""Parts of a turn that stand beside its calls and are a player's."""


def play_of(name: str, records: Iterable[Json], telemetry: Sequence[Json]) -> Play:
    """Return the play that a log tells of. What a fork has from its parent is the parent's and left out."""
    joined: dict[str, list[Json]] = {}
    for entry in telemetry:
        joined.setdefault(entry["turn_id"], []).append(entry)
    steps: list[Step] = []
    history = History()
    for record in records:
        kind, history.seq = record["kind"], record["seq"]
        if kind == "fork":
            steps.clear()
        elif kind == "undo":
            history.undos.append((record["seq"], record["undone_from"]))
        elif kind in ("turn", "attempt"):
            steps.append(_step(record))
    _join(steps, joined)
    for step in steps:
        step.undone = history.undone_by(step.seq) is not None
    known = {step.turn_id for step in steps}
    return Play(name, _exchanges(steps), list(telemetry), sum(e["turn_id"] not in known for e in telemetry))


def _step(record: Json) -> Step:
    failed = [
        Failed(tool_of(call["tool"]), call["status"], call["reason"], "hint" in call)
        for call in record["tool_feedback"]["failed_calls"]
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


def _is_in_conflict(record: Json) -> bool:
    """Return whether a turn was closed in conflict; one that came right keeps its text, even if all its calls fail."""
    return "conflict_report" in record and record["status"] == "failed" and "assistant_text" not in record


def _join(steps: Sequence[Step], joined: Mapping[str, list[Json]]) -> None:
    """Give each turn its telemetry: the last record of a turn id has it, since that is the one that closed the turn."""
    logged: dict[str, Counter[tuple[str, str]]] = {}
    for step in steps:
        logged.setdefault(step.turn_id, Counter()).update((call.tool, call.reason) for call in step.failed)
    for step in {step.turn_id: step for step in steps}.values():
        step.telemetry = tuple(joined.get(step.turn_id, ()))
        step.failed += tuple(_not_handed_in(step, logged[step.turn_id]))


def _not_handed_in(step: Step, logged: Counter[tuple[str, str]]) -> Iterator[Failed]:
    """Yield the calls that were refused before they came to the log: tools that are not the agent's."""
    for record in step.telemetry:
        for call in record["calls"]:
            key = (tool_of(call["tool"]), call["reason"])
            if call["status"] == "applied" or key[0] in _OF_PLAYERS or call["reason"] == Reason.TURN_ABORTED:
                continue
            if logged[key] > 0:
                logged[key] -= 1
            else:
                yield Failed(key[0], call["status"], call["reason"], has_hint=False)


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
