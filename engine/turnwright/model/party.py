"""The party beside its list of members, and its steps from place to place.

Source: docs/toolkit.md, "Party".
"""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from turnwright.model.base import Count, Document, Entry, FrozenMap, Id, is_empty, is_none

PARTY_PATH = "party.json"
Role = Literal["leader", "scout", "healer", "tank", "support", "damage", "utility", "other"]


class PartyDocument(Document):
    """Who does what in the party, and where it is; who belongs to it stands in `campaign.json`."""

    roles: FrozenMap[Role] = Field(default_factory=dict, exclude_if=is_empty, description="By id of the character.")
    location_id: Id | None = Field(default=None, exclude_if=is_none)
    moves: Count = Field(default=0, description="How many steps the party has taken.")

    @property
    def path(self) -> str:
        """The one file of the party."""
        return PARTY_PATH


class Step(Entry):
    """One step of the party."""

    collection: ClassVar[str] = "moves/"

    from_location_id: Id | None = Field(default=None, exclude_if=is_none)
    to_location_id: Id
    edge_id: Id | None = Field(default=None, exclude_if=is_none)
