"""The keys of what `show` tells, for type checkers: plain data, as commands print it and MCP gives it.

Source: docs/cli.md, "show".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NotRequired, TypedDict, final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class NamedThing(TypedDict):
    """Somebody or something that is named."""

    id: str
    name: str


class AreaSeen(NamedThing):
    """An area of the map."""

    description: str


class PlaceSeen(NamedThing):
    """The place of the story where the party is; players are told the ways out that it knows of."""

    exits: NotRequired[list[NamedThing]]


class FightStanding(TypedDict):
    """Where a running fight stands, and whose turn it is."""

    id: str
    round: int
    current: NamedThing | None


class ObjectiveSeen(TypedDict):
    """One thing that a quest asks for."""

    id: str
    text: str
    done: bool


class QuestSeen(TypedDict, total=False):
    """A quest; players are told less of it."""

    id: str
    title: str
    status: str
    objectives: list[ObjectiveSeen]
    description: str
    giver_id: str | None


class PersonSeen(TypedDict):
    """Who somebody is, how they are and where."""

    id: str
    name: str
    type: str
    in_party: bool
    state: str | None
    hp: int | None
    max_hp: int | None
    position: str | None
    area: str | None


class PlacePart(TypedDict, total=False):
    """The place of the story, where there is one."""

    place: PlaceSeen


class FightsPart(TypedDict, total=False):
    """The running fights, where there are any."""

    fights: list[FightStanding]


class QuestsPart(TypedDict, total=False):
    """The quests, where there are any."""

    quests: list[QuestSeen]


@final
class CampaignView(PlacePart, FightsPart, QuestsPart):
    """What `show` tells the game master."""

    id: str
    title: str | None
    goal: Mapping[str, str]
    active_actor_id: str | None
    allowlist: list[str]
    ended: str | None
    characters: list[PersonSeen]


@final
class PlayerView(PlacePart, FightsPart, QuestsPart):
    """What one player may know."""

    title: str
    goal: Mapping[str, str]
    you: PersonSeen | None
    here: AreaSeen | None
    exits: list[NamedThing]
    others: list[NamedThing]
    party: list[PersonSeen]


class SlotsSeen(TypedDict):
    """Spell slots of a level."""

    current: int
    max: int


class ValueSeen(TypedDict):
    """A value of a sheet, as it counts now."""

    effective: int


class Sheet(PersonSeen, total=False):
    """Who somebody is, and what their sheet says where the rules have sheets; a reader may be shown less of it.

    Attributes:
        character: what `get_character` reports under this key.
    """

    character: Mapping[str, Any]
    effective: Mapping[str, ValueSeen] | None
    conditions: Sequence[Any]
    spell_slots: Mapping[str, SlotsSeen] | None
    concentration: Mapping[str, Any] | None
