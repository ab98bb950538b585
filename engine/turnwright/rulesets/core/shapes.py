"""The keys of the results of the place and party tools, for type checkers.

The result models for schemas are in the modules of the tools.
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
