"""The personality of a character in a scene game. Source: docs/tools/scenes.md, "People"."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from turnwright.model.base import Id, ListOf, Model, Text
from turnwright.model.mood import Words

WantUrgency = Literal["low", "medium", "high", "desperate"]
WANT_URGENCIES: tuple[WantUrgency, ...] = ("low", "medium", "high", "desperate")
Archetype = Literal["cutter", "hound", "leech", "lurk", "slide", "spider", "whisper"]
PronounPreset = Literal["he_him", "she_her", "they_them"]


class Want(Model):
    """A want of a character."""

    description: Words
    urgency: WantUrgency = "medium"


class Fear(Model):
    """A fear of a character."""

    description: Words
    severity: Literal["minor", "moderate", "severe", "existential"] = "moderate"


class Secret(Model):
    """A secret of a character; players never see it."""

    content: Words
    known_by: ListOf[Id] = ()


class CustomPronouns(Model):
    """Pronouns in a player's own words."""

    custom: Annotated[Text, Field(min_length=1, max_length=40)]


class CharacterChoices(Model):
    """A player's choices for a character; kept for the whole game."""

    name: Annotated[Text, Field(min_length=1, max_length=60)]
    pronouns: PronounPreset | CustomPronouns
    archetype: Archetype
    background: Words = ""
    tarot_spread: Annotated[ListOf[Id], Field(min_length=3, max_length=3)] = Field(
        description="Ids of the cards for past, present and future."
    )
