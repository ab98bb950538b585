"""The parts of the result of `get_session_context`, for type checkers; the models beside the tool say the same.

The requested form decides how much of a part is reported, so many keys may be absent.
"""

from collections.abc import Sequence
from typing import NotRequired, TypedDict

from turnwright.model.json_types import JsonObject


class ContextPlace(TypedDict, total=False):
    """The party's location."""

    name: str
    location_type: str | None
    description: str | None
    terrain: str | None
    lighting: str | None
    exits: Sequence[JsonObject]


ContextMember = TypedDict(
    "ContextMember",
    {
        "name": str,
        "role": str | None,
        "character_id": str,
        "class": str | None,
        "level": int | None,
        "hp": int | None,
        "max_hp": int | None,
        "conditions": Sequence[str],
    },
    total=False,
)
"""A member of the party."""


class ContextParty(TypedDict):
    """The party."""

    size: int
    members: Sequence[ContextMember]


class ContextNote(TypedDict, total=False):
    """A note, or how it begins."""

    note_id: str
    content: str
    cut: bool
    importance: str
    tags: Sequence[str]
    turn: int | None


class ContextNotes(TypedDict):
    """The number of notes, and those that are shown."""

    total: int
    shown: Sequence[ContextNote]


class ContextTurn(TypedDict):
    """The turn in a fight."""

    id: str
    name: str


class ContextFighter(ContextTurn):
    """A participant in a fight."""

    hp: int | None
    max_hp: int | None
    conditions: Sequence[str]


class ContextFight(TypedDict):
    """A running fight."""

    encounter_id: str
    round: NotRequired[int]
    current_turn: NotRequired[ContextTurn]
    participants: NotRequired[Sequence[ContextFighter]]


class ContextCombat(TypedDict):
    """The running fights."""

    active: bool
    encounters: Sequence[ContextFight]


class ContextSummary(TypedDict):
    """How much there is of everything."""

    location: str | None
    party_size: int
    notes: int
    active_encounters: int
    time: NotRequired[JsonObject]
