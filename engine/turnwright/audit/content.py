"""Whether the turn in a record is the one whose hash the record holds.

Source: docs/stages/1-intake.md, "Closed turns".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from turnwright.model.strict_json import canonical, sha256
from turnwright.model.wire.reason import Reason
from turnwright.model.wire.record import turn_of

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import ReceivedTurn, Record


class Contents:
    """The turns of a log, hashed again."""

    def __init__(self) -> None:
        """Begin before the first record."""
        self._given = [("turn_id",), (), ("turn_id", "actor_id"), ("actor_id",)]

    def fits(self, record: Record) -> bool | None:
        """Return whether `content` is the hash of the turn in a record; None where not all of the turn is held.

        Turn id and acting character may have been given or not; most turns are like the one before. `dialog_type` is
        recorded in our spelling, so False does not prove that the record was changed.
        """
        if _is_given_up(record):
            return None  # its narration is left out
        turn = turn_of(record)
        return self._hashes(record, turn) or self._hashes(record, _without_narration(turn))

    def _hashes(self, record: Record, turn: ReceivedTurn) -> bool:
        held: Mapping[str, object] = record
        for place, given in enumerate(self._given):
            if sha256(canonical({**turn, **{key: held[key] for key in given}})) == record["content"]:
                self._given.insert(0, self._given.pop(place))
                return True
        return False


def _is_given_up(record: Record) -> bool:
    """Return whether a turn was closed in conflict, or before its dice came."""
    if record["kind"] != "turn" or record["status"] != "failed":
        return False
    reasons = {failed["reason"] for failed in record["tool_feedback"]["failed_calls"]}
    return "conflict_report" in record or reasons == {Reason.TURN_ABORTED}


def _without_narration(turn: ReceivedTurn) -> ReceivedTurn:
    """Return the turn without the text that the engine took from its output."""
    output = turn.get("output")
    told = output.get("narration") if isinstance(output, Mapping) else None
    if told is None:
        return turn
    kept = turn.copy()
    kept.pop("assistant_text", None)
    return kept
