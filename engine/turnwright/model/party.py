"""The party beside its list of members: roles, the places it was in, and the areas it knows.

Source: docs/toolkit.md, "Party".
"""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from turnwright.model.base import Count, Document, Entry, FrozenMap, Id, ListOf, is_empty, is_none
from turnwright.model.campaign import PARTY_PATH

Role = Literal["leader", "scout", "healer", "tank", "support", "damage", "utility", "other"]


class PartyDocument(Document):
    """The party's roles and discoveries; its members are listed in `campaign.json`."""

    single: ClassVar[str] = PARTY_PATH

    roles: FrozenMap[Role] = Field(default_factory=dict, exclude_if=is_empty, description="By id of the character.")
    location_id: Id | None = Field(
        default=None,
        exclude_if=is_none,
        description="The place where all of it was last. Where it is now is where its members stand.",
    )
    known_area_ids: ListOf[Id] = Field(
        default=(), exclude_if=is_empty, description="Areas that it was in or knows of, sorted."
    )
    moves: Count = Field(default=0, description="How many steps the party has taken.")


class Step(Entry):
    """One step of the party."""

    collection: ClassVar[str] = "moves/"

    from_location_id: Id | None = Field(default=None, exclude_if=is_none)
    to_location_id: Id
    edge_id: Id | None = Field(default=None, exclude_if=is_none)
