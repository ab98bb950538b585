"""The keys of what the tools of places and of the party report, for type checkers.

The models of the results stand beside the tools, for schemas.
"""

from collections.abc import Sequence
from typing import TypedDict

from turnwright.model.json_types import JsonObject
from turnwright.rulesets.vitals import MemberVitals


class ShownMember(MemberVitals):
    """A member of the party, with the values they have now."""

    character_id: str
    name: str
    role: str | None


class ShownParty(TypedDict):
    """The members of the party in its order, and how many they are."""

    members: Sequence[ShownMember]
    size: int


class ShownPlace(TypedDict):
    """A place, and the ways that lead from it."""

    location: JsonObject
    connections: Sequence[JsonObject]
