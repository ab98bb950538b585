"""The log as a session reads it: the turns that stand.

Source: docs/agents.md, "A session".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnwright.campaign.campaign import Campaign
from turnwright.model.state.log_state import LogState

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import Record

RECENT = 1000
"""Number of records that a new session looks back, from the last turn not undone."""


class ActiveTurns:
    """The last turns of a campaign, kept up to date record by record."""

    def __init__(self, campaign: Campaign) -> None:
        self._campaign = campaign
        with campaign.moment() as (_, last_turn):
            last = last_turn()
        self._seq = max(-1, last["seq"] - RECENT) if last else -1
        self._turns: list[Record] = []
        self._undone: list[Record] = []
        self._history = LogState()

    def turns(self) -> list[Record]:
        """Return the closed turns that no undo took back, oldest first."""
        self.refresh()
        return [record for record in self._turns if self._history.undone_by(record["seq"]) is None]

    def last(self) -> int:
        """Return the number of the last turn that stands; -1 where there is none."""
        return next((record["seq"] for record in reversed(self.turns())), -1)

    def refresh(self) -> None:
        """Read what was added to the log."""
        for record in self._campaign.records(after=self._seq):
            self._seq = record["seq"]
            self._history.follow(record)
            if record["kind"] == "undo":
                self._undone.append(record)
            if record["kind"] == "turn":
                self._turns.append(record)

    def undone(self) -> list[Record]:
        """Return the undo records, oldest first."""
        self.refresh()
        return list(self._undone)

    def record(self, seq: int) -> Record | None:
        """Return the turn with this number, or None."""
        self.refresh()
        return next((record for record in reversed(self._turns) if record["seq"] == seq), None)
