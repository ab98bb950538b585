"""Who is in a campaign, and where: which characters a summary shows, and who is there when a text is read."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Protocol

from turnwright.model.character import Character
from turnwright.model.state.overlay import World

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import StateSummary


class Actors(Protocol):
    """What a ruleset with people and places implements."""

    def state_summary(self, world: World, acting_id: str | None, touched: Iterable[str] = ()) -> StateSummary:
        """Return the `state_summary` of a reply, whose keys are fixed.

        Args:
            world: the campaign after the turn.
            acting_id: the acting character, or None.
            touched: paths of the documents the turn changed.
        """
        ...

    def people_at(self, world: World, area_id: str) -> list[Character]:
        """Return who is in an area."""
        ...
