"""The expected input of the game: the next stage, and the one open request.

Source: docs/tools/scenes.md, "Requests" and "Waiting".
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from turnwright.model.base import ABSENT, Count, Flag, Id, ListOf, Model, SafeInt, Text, is_empty
from turnwright.model.mood import Aliased, Face, Label, MoodName, Position, Tier, Words
from turnwright.model.viewer import TABLE

Stage = Literal[
    "player_creation",
    "dm_scenario",
    "player_text",
    "dm_turn",
    "player_dice",
    "player_choice",
    "dm_compression",
    "dm_entanglement",
    "dm_transition",
    "dm_scene_init",
    "none",
]


class Awaiting(Aliased):
    """The one thing that the scene game needs next."""

    stage: Stage = "player_creation"
    for_: Id | None = Field(default=None, alias="for", description="Whose text or request the game master answers.")
    prompt_id: Count = Field(default=0, description="How often stage, character or segment changed.")
    segment: Count = Field(default=0, description="One prompt and one turn under one mood; counted per player's input.")
    mood: MoodName | None = Field(default=None, description="The mood in which the segment began.")
    transition_count: Count = 0
    repairs: Count = Field(default=0, description="Outputs of this stage that failed.")
    player_text: Words = ""


class DieShown(Model):
    """One die of a request: everything but what will be told."""

    index: Count
    value: Face
    tier: Tier
    hint: Label
    stress_cost: SafeInt
    heat_cost: SafeInt
    coin_delta: SafeInt


class Option(Model):
    """One option of a choice."""

    index: Count
    key: Id
    label: Words
    hint: Words | None = ABSENT
    disabled: Flag = Field(default=False, exclude_if=is_empty)


class CardShown(Model):
    """A card of the spread."""

    position: Literal["past", "present", "future"]
    card: Id
    name: Text
    meaning: Words


class TextPayload(Model):
    """Free text; a number picks a suggestion."""

    suggestions: ListOf[Words] = ()


class ChoicePayload(Model):
    """One of some options."""

    options: ListOf[Option]


class DicePayload(Model):
    """One of the dice."""

    situation: Words
    position: Position
    dice: ListOf[DieShown]


class Preset(Model):
    """Something to pick for a new character."""

    key: Id
    label: Words


class CreationPayload(Model):
    """The data of the new character."""

    archetypes: ListOf[Preset]
    pronouns: ListOf[Preset]
    tarot_spread: Annotated[ListOf[CardShown], Field(min_length=3, max_length=3)]


class CustomPayload(Model):
    """Something that an extension asks."""

    tag: Text
    json_: Any = Field(default=None, alias="json")


class _Request(Aliased):
    id: Id
    for_: Id | None = Field(default=None, alias="for", description="Whose dice and costs it is about.")
    to: Id = Field(default=TABLE, description="The character who may answer, or `table`.")
    prompt: Words = ""
    created_turn: Count = 0


class TextRequest(_Request):
    """What do you do?"""

    kind: Literal["text"] = "text"
    payload: TextPayload


class ChoiceRequest(_Request):
    """Which of these?"""

    kind: Literal["choice"] = "choice"
    payload: ChoicePayload


class DiceRequest(_Request):
    """Which die?"""

    kind: Literal["dice"] = "dice"
    payload: DicePayload


class CreationRequest(_Request):
    """Who are you?"""

    kind: Literal["creation"] = "creation"
    payload: CreationPayload


class CustomRequest(_Request):
    """Anything else."""

    kind: Literal["custom"] = "custom"
    payload: CustomPayload


Request = Annotated[
    TextRequest | ChoiceRequest | DiceRequest | CreationRequest | CustomRequest, Field(discriminator="kind")
]
"""The open request; at most one."""
KIND_AWAITED = {
    "player_creation": "creation",
    "player_text": "text",
    "player_dice": "dice",
    "player_choice": "choice",
}
"""The kind of the open request, for the stages that have one."""
