"""Scenes and their beats, and what remains of them. Source: docs/tools/scenes.md, "Scenes"."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from turnwright.model.base import Count, Entry, Flag, Id, ListOf, Model, Text, is_none
from turnwright.model.intrigue import Ledger
from turnwright.model.mood import Aliased, Face, MoodName, Tier, Words
from turnwright.model.person import Secret

Atmosphere = Literal["mundane", "liminal", "supernatural"]
Pressure = Literal["watchful", "calm", "urgent"]
Class = Literal["street", "gutter", "salon"]


class Style(Aliased):
    """The narrative style of a scene, on three axes."""

    atmosphere: Atmosphere = "mundane"
    pressure: Pressure = "watchful"
    class_: Class = Field(default="street", alias="class")


class _Beat(Model):
    seq: Count = Field(description="Number of the record it was written in.")
    turn: Count = Field(description="Number of the player's input it belongs to.")


class PlayerAction(_Beat):
    """A player's action."""

    beat: Literal["player_action"] = "player_action"
    text: Words
    tags: ListOf[Text] = ()
    by: Id | None = Field(default=None, exclude_if=is_none, description="The acting character.")


class DmNarration(_Beat):
    """The game master's narration."""

    beat: Literal["dm_narration"] = "dm_narration"
    text: Words
    mood: MoodName


class NpcSpeech(_Beat):
    """An NPC's words."""

    beat: Literal["npc_speech"] = "npc_speech"
    npc_id: Id
    text: Words
    manner: Words = ""


class NpcAction(_Beat):
    """An NPC's action."""

    beat: Literal["npc_action"] = "npc_action"
    npc_id: Id
    text: Words


class EnvironmentShift(_Beat):
    """A change of the environment."""

    beat: Literal["environment_shift"] = "environment_shift"
    text: Words


class Revelation(_Beat):
    """A secret comes out."""

    beat: Literal["revelation"] = "revelation"
    secret: Secret


class DiceRoll(_Beat):
    """A die of the pool is spent."""

    beat: Literal["dice_roll"] = "dice_roll"
    value: Face
    tier: Tier
    situation: Words


class ClockTick(_Beat):
    """A clock moves on."""

    beat: Literal["clock_tick"] = "clock_tick"
    clock_id: Id
    ticks: Count


Beat = Annotated[
    PlayerAction | DmNarration | NpcSpeech | NpcAction | EnvironmentShift | Revelation | DiceRoll | ClockTick,
    Field(discriminator="beat"),
]


class Scene(Entry):
    """One scene, with its beats since the last compression."""

    collection: ClassVar[str] = "scenes/"

    location: Id
    present: ListOf[Id] = Field(default=(), description="Ids of people.")
    stakes: Words = ""
    beats: ListOf[Beat] = ()
    first_beat: Count = Field(default=0, description="How many beats were compressed before these.")
    style: Style = Style()
    open: Flag = True
    ledger: Ledger = Field(default=Ledger(), description="What changed since the last compression.")


class SceneSummary(Entry):
    """The summary of a stretch of a scene."""

    collection: ClassVar[str] = "summaries/"

    text: Words
    key_moments: Annotated[ListOf[Words], Field(max_length=5)] = ()
    scene_id: Id
    scene_location: Id
    beat_range: Annotated[ListOf[Count], Field(min_length=2, max_length=2)] = Field(
        description="Number of the first beat, and of the one after the last; the scene's first beat is 0."
    )
