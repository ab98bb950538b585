"""Turns that bring out a fault of this program: each is refused by itself, and the faults are raised after the rest.

Source: docs/stages/1-intake.md, "Taking a file".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from turnwright.model.errors import CampaignError
from turnwright.model.wire.reason import Reason
from turnwright.protocol.stage1_intake import TurnRefused
from turnwright.protocol.stage6_publish.publish import refused

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import Reply

_MAX_LENGTH = 500


class InternalErrors:
    """The faults that came out of turns so far."""

    def __init__(self) -> None:
        self._found: dict[str, Exception] = {}

    def reply_of(self, work: Callable[[], Reply], name: str, now: Callable[[], str]) -> Reply:
        """Return the reply of `work`, or the reply to the named turn if `work` raises an internal error.

        Raises:
            CampaignError: as `work` raises it; that is not an internal error.
        """
        try:
            return work()
        except CampaignError:
            raise
        except Exception as fault:
            return self.reply_to(name, fault, now())

    def reply_to(self, name: str, fault: Exception, now: str) -> Reply:
        """Record an internal error; return the reply to the named turn, of which nothing may have been applied."""
        self._found[name] = fault
        what = ascii(fault)[:_MAX_LENGTH]
        detail = f"a fault of turnwright itself, and not of the turn, came out of it: {what}; nothing of it was applied"
        return refused(TurnRefused(Reason.INVALID_TURN, detail), now)

    def raise_all(self) -> None:
        """Raise what was found, if anything was.

        Raises:
            ExceptionGroup: naming the turns.
        """
        if self._found:
            raise ExceptionGroup(f"turnwright itself failed at {', '.join(self._found)}", list(self._found.values()))
