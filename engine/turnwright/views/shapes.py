"""The keys of what `show` tells, for type checkers: plain data, as commands print it and MCP gives it.

Source: docs/cli.md, "show".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NotRequired, TypedDict, final

from turnwright.rulesets.scenes.shapes import PlayerState, TableState

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from turnwright.model.wire.shapes import RecordedEvent


class NamedThing(TypedDict):
    """A named person or thing."""

    id: str
    name: str


class AreaSeen(NamedThing):
    """An area of the map."""

    description: str


class PlaceSeen(NamedThing):
    """The party's place in the story; for players, only with the exits that the party knows."""

    exits: NotRequired[list[NamedThing]]


class FightStanding(TypedDict):
    """The state of a running fight, and whose turn it is."""

    id: str
    round: int
    current: NamedThing | None


class ObjectiveSeen(TypedDict):
    """One thing that a quest asks for."""

    id: str
    text: str
    done: bool


class QuestSeen(TypedDict, total=False):
    """A quest; players see less of it."""

    id: str
    title: str
    status: str
    objectives: list[ObjectiveSeen]
    description: str
    giver_id: str | None


class PersonSeen(TypedDict):
    """A character's identity, condition and position."""

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
    """The output of `show` for the game master."""

    id: str
    title: str | None
    goal: Mapping[str, str]
    active_actor_id: str | None
    allowlist: list[str]
    ended: str | None
    characters: list[PersonSeen]


@final
class PlayerView(PlacePart, FightsPart, QuestsPart):
    """The knowledge of one player."""

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
    """A character, with the sheet if the rules have sheets; a reader may see only a part of it.

    Attributes:
        character: the value of this key in the result of `get_character`.
    """

    character: Mapping[str, Any]
    effective: Mapping[str, ValueSeen] | None
    conditions: Sequence[Any]
    spell_slots: Mapping[str, SlotsSeen] | None
    concentration: Mapping[str, Any] | None


# scene games


class LastTurnSeen(TypedDict):
    """The results of the last turn."""

    turn_id: str | None
    events: list[RecordedEvent]


@final
class PlayerGameView(PlayerState):
    """The state of a scene game for one player."""

    last_turn: LastTurnSeen | None


@final
class TableGameView(TableState):
    """The state of a scene game for the game master."""

    last_turn: LastTurnSeen | None


GameView = PlayerGameView | TableGameView
"""One reader's view of the state of a scene game."""
