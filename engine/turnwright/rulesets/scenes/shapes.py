"""The keys of a scene game's results and views, for type checkers: plain JSON objects as the engine creates them.

The models of the tools' results, in `tools/`, and of requests, in `model/request.py`, say the same for schemas.
Source: docs/tools/scenes.md, "What players see" and "Requests".
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, NotRequired, TypedDict

from turnwright.model.json_types import JsonObject
from turnwright.model.mood import CostType, Tier

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import ConversationRequest


class PlayResult(TypedDict):
    """The result of an applied part of a turn; each kind of part adds its own keys."""


Transition = TypedDict("Transition", {"from": str, "to": str})
"""A change of mood or phase."""


class MoodChanged(PlayResult):
    """A change of the mood or the phase, without further data."""

    transition: Transition


class Engaged(MoodChanged):
    """An action begins."""

    position: str


class ActionResolved(MoodChanged):
    """The result of an action."""

    outcome: str
    tier: Tier
    immediate_danger: bool
    complications: list[str]


class PassedOut(MoodChanged):
    """The place where a character woke up, and the clocks that advanced meanwhile."""

    clocks_advanced: list[str]
    woke_up_at: str


class PaidCost(TypedDict):
    """The amount that was really paid for a deal."""

    type: CostType
    amount: int
    target: str | None


class DealTaken(MoodChanged):
    """A taken deal: the dice now available, and their cost."""

    new_pool_size: int
    cost_applied: PaidCost


class ShownDie(TypedDict):
    """The part of a die and its outcome that a player sees: everything but the narrative."""

    index: int
    value: int
    tier: Tier
    hint: str
    stress_cost: int
    heat_cost: int
    coin_delta: int


class OfferedDice(PlayResult):
    """The dice that a player may choose from, and the request for the choice."""

    request_id: str
    dice: list[ShownDie]


class SpentDie(PlayResult):
    """A chosen die, its cost and its narrative."""

    chosen_die_value: int
    tier: Tier
    stress_applied: int
    heat_applied: int
    coin_applied: int
    result_narrative: str
    transition: NotRequired[Transition]


class ChanceResult(PlayResult):
    """The option that chance selected."""

    chosen_index: int
    chosen_label: str


StyleResult = TypedDict("StyleResult", {"atmosphere": str, "pressure": str, "class": str}, total=False)
"""The style of a scene; axes that were never set are left out."""


class TurnDeltas(PlayResult):
    """The changes of an output."""

    stress_delta: int
    heat_delta: int
    coin_delta: int


class CommittedOffers(PlayResult):
    """The ids of the offers of a bargain."""

    offers: list[str]


class Summarized(PlayResult):
    """The ids of the documents that a compression kept."""

    summary_id: str
    rumor_ids: list[str]
    thread_ids: list[str]


class EntanglementBegun(PlayResult):
    """How the law closes in, and the keys of the ways out."""

    type: str
    options: list[str]


class PassedTime(PlayResult):
    """The keys of the activities that the crew could choose between two scenes."""

    options: list[str]


class PlayBegun(PlayResult):
    """A new scene, and the dice it begins with."""

    scene_id: str
    dice_pool: list[int]


class SceneBegun(PlayBegun):
    """A new scene of a running game, and its place."""

    location_id: str


class GameSeeds(TypedDict):
    """The ids of the documents that an opening created."""

    clocks: list[str]
    locations: list[str]
    factions: list[str]
    npcs: list[str]


class GameBegun(PlayBegun, GameSeeds):
    """The first scene, and the documents that its opening created."""


class OptionChosen(PlayResult):
    """The key of the option that the table chose."""

    chosen: str


class WayOutTaken(OptionChosen):
    """The way out of an entanglement that the table chose, and its result."""

    cost_type: str
    cost_amount: int
    resolution: str


class CharacterMade(PlayResult):
    """The character that a player created."""

    character_id: str
    name: str


class CreationCancelled(PlayResult):
    """A player would rather not play."""

    cancelled: Literal[True]


class TextTaken(PlayResult):
    """A player's answer to a request for a text."""

    text: str


# requests


class ShownOption(TypedDict):
    """An option of a choice; its position in the list is its index."""

    key: str
    label: str
    hint: NotRequired[str]
    disabled: NotRequired[bool]


class NumberedOption(ShownOption):
    """An option in the form of the request."""

    index: int


class PricedOffer(TypedDict):
    """The cost and gain of an offer, with names in place of ids."""

    cost_type: CostType
    cost_amount: int
    cost_target: NotRequired[str | None]
    trauma_name: NotRequired[str | None]
    dice_gained: int


class ShownOffer(PricedOffer):
    """The part of an offer that players see: all but its narrative."""

    id: str
    label: str
    hint: str


class TextAsked(TypedDict):
    """The payload of a request for a text."""

    suggestions: list[str]


class ChoiceAsked(TypedDict):
    """The payload of a request for a choice."""

    options: list[NumberedOption]


class DiceAsked(TypedDict):
    """The payload of a request for a die."""

    situation: str
    position: str
    dice: list[ShownDie]


class NamedKey(TypedDict):
    """Something to pick for a new character."""

    key: str
    label: str


class CreationAsked(TypedDict):
    """The payload of a request for a new character."""

    archetypes: list[NamedKey]
    pronouns: list[NamedKey]
    tarot_spread: Sequence[JsonObject]


Payload = TextAsked | ChoiceAsked | DiceAsked | CreationAsked
"""The payload of a request."""


# projections for a reader


class Gauge(TypedDict):
    """A value, its maximum, and a word for it if there is one."""

    value: int
    max: int
    word: str | None


AwaitedNow = TypedDict(
    "AwaitedNow", {"stage": str, "who": Literal["nobody", "player", "game_master"], "for": str | None}
)
"""What the game waits for: the stage, who speaks next, and the character it is about."""


class ShownScene(TypedDict):
    """The running scene: place, characters and stakes."""

    location: str | None
    present: list[str]
    stakes: str


class ShownClock(TypedDict):
    """A clock as shown to readers who may see it."""

    name: str
    type: str
    filled: int
    segments: int


class TableClock(ShownClock):
    """A clock as the game master sees it."""

    id: str
    visible: bool


class PersonInShort(TypedDict):
    """Another member of the crew."""

    id: str
    name: str
    stress: Gauge


class PersonInFull(PersonInShort):
    """A member of the crew, with all that their own player sees."""

    coin: int
    trauma: list[str]
    pending_trauma: bool


class SharedState(TypedDict):
    """The state of a scene game that all readers share."""

    phase: str
    mood: str | None
    awaiting: AwaitedNow
    turn: int
    scene: ShownScene | None
    dice_pool: list[int]
    heat: Gauge
    wanted: Gauge
    precarity: str
    suggested_actions: list[str]
    recent_costs: list[str]


class PlayerState(SharedState):
    """The part of a scene game that a character's player may see."""

    you: PersonInFull | None
    party: list[PersonInShort]
    clocks: list[ShownClock]
    request: "ConversationRequest | None"


class TableState(SharedState):
    """The state of a scene game for the game master."""

    party: list[PersonInFull]
    clocks: list[TableClock]
    unresolved_threats: list[str]
    request: "ConversationRequest | None"
