"""People and places: where each character is, where ways lead, and how much of it the party knows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Protocol

from turnwright.model.area import Area
from turnwright.model.character import Character
from turnwright.model.state.overlay import Source, World

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import StateSummary


class PartySource(Source, Protocol):
    """The campaign as the party knows it.

    Attributes:
        has_hidden: whether anything has been left out of an answer so far. While it is false, results derived from the
            answers equal those of the whole campaign.
    """

    has_hidden: bool


class Actors(Protocol):
    """The interface that a ruleset with people and places implements."""

    def state_summary(self, world: World, acting_id: str | None, touched: Iterable[str] = ()) -> StateSummary:
        """Return the `state_summary` of a reply, whose keys are fixed.

        Args:
            world: the campaign after the turn.
            acting_id: the acting character, or None.
            touched: paths of the documents the turn changed.
        """
        ...

    def people_at(self, world: World, area_id: str) -> list[Character]:
        """Return the characters in an area."""
        ...

    def exits(self, world: World, here: Area, *, only_known: bool = False) -> Iterable[Area]:
        """Return the areas one step away from an area; with `only_known`, those that the party knows."""
        ...

    def party_view(self, world: World) -> PartySource:
        """Return the campaign without what the party does not know. It must not change while the view is in use."""
        ...

    def same_references(self, world: World, view: PartySource, texts: Iterable[str]) -> Source:
        """Return the whole campaign, with the texts of a call limited to what they name in a view."""
        ...

    def require_place(self, world: World, named: str, field: str) -> object:
        """Return the place that an argument names.

        Raises:
            CallFailed: `not_found` or `ambiguous`, with a hint for the argument.
        """
        ...
