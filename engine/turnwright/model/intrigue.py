"""Factions, threads and rumors: events behind the scenes. Source: docs/tools/scenes.md, "Behind the scenes"."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from turnwright.model.base import ABSENT, Entry, Id, ListOf, Model, SafeInt, Text, is_empty
from turnwright.model.mood import Label, Words
from turnwright.model.person import Secret

Attitude = Literal["hostile", "wary", "neutral", "favorable", "allied"]
ATTITUDES: tuple[Attitude, ...] = ("hostile", "wary", "neutral", "favorable", "allied")
"""From worst to best; to worsen is one step to the left."""
Tension = Literal["simmering", "rising", "urgent", "critical"]
Spread = Literal["whisper", "tavern", "common_knowledge", "universal"]


class Goal(Model):
    """The goal of a faction."""

    id: Id
    description: Words
    status: Literal["pursuing", "blocked", "achieved", "abandoned"] = "pursuing"
    reason: Words | None = ABSENT


class SpecialResource(Model):
    """Something a faction has so many of."""

    name: Text
    amount: SafeInt


class Resources(Model):
    """The resources of a faction."""

    gold: SafeInt = 5
    soldiers: SafeInt = 5
    influence: SafeInt = 5
    special: ListOf[SpecialResource] = Field(default=(), exclude_if=is_empty)


class Fact(Model):
    """Something a faction knows, and from where."""

    content: Words
    source: Words = ""


class Faction(Entry):
    """One faction."""

    collection: ClassVar[str] = "factions/"

    name: Label
    attitude: Attitude = "neutral"
    goals: ListOf[Goal] = ()
    resources: Resources = Resources()
    secrets: ListOf[Secret] = Field(default=(), exclude_if=is_empty)
    known_facts: ListOf[Fact] = Field(default=(), exclude_if=is_empty)


class Thread(Entry):
    """A matter left open."""

    collection: ClassVar[str] = "threads/"

    hook: Words
    involves: ListOf[Id] = Field(default=(), exclude_if=is_empty, description="Ids of factions and people.")
    tension: Tension = "simmering"
    deadline: Id | None = Field(default=None, exclude_if=is_empty, description="The clock that ends it.")


class Rumor(Entry):
    """Something that is said, whether or not it is so."""

    collection: ClassVar[str] = "rumors/"

    content: Words
    source: Literal["overheard", "public", "faction", "player"] = "public"
    source_id: Id | None = Field(default=None, exclude_if=is_empty, description="The person or faction it comes from.")
    truth: Literal["true", "false", "partial", "unknown"] = "unknown"
    truth_note: Words | None = ABSENT
    spread: Spread = "whisper"


class Ledger(Model):
    """A summary of the actual changes."""

    stress: SafeInt = 0
    heat: SafeInt = 0
    coin: SafeInt = 0
