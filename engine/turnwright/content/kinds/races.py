"""Races. Source: SRD 5.1, "Races"; docs/content.md, "Races, classes and backgrounds"."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import Field

from turnwright.content.kinds.entry import NO_FIGURES, ContentEntry, EntryId, EntryName, Figures, Term, listed_as
from turnwright.content.kinds.shapes import Area, Damage, Save, Uses
from turnwright.model.base import ABSENT, Count, FrozenMap, ListOf, Model, SafeInt, is_empty
from turnwright.model.sheet import Feet
from turnwright.model.vocabulary import AbilityWord, Size

Scores = FrozenMap[SafeInt]
"""Bonuses to ability scores."""


class Trait(Model):
    """Abilities of members of a race, in figures."""

    id: EntryId
    name: EntryName
    figures: Figures = NO_FIGURES


class AbilityChoice(Model):
    """Scores that the player raises."""

    choose: Annotated[int, Field(strict=True, ge=1, le=6)]
    options: ListOf[AbilityWord]
    bonus: Annotated[int, Field(strict=True, ge=1, le=5)] = 1


class Ancestry(Model):
    """A line of descent with its breath."""

    id: EntryId
    name: EntryName
    damage_type: Term
    area: Area
    damage: Damage
    save: Save
    uses: Uses


class Subrace(Model):
    """A part of a race."""

    id: EntryId
    name: EntryName
    ability_bonuses: Scores = Field(default_factory=dict, exclude_if=is_empty)
    traits: ListOf[Trait] = listed_as("Traits beside those of the race.")


class Race(ContentEntry):
    """A race."""

    collection: ClassVar[str] = "content/races/"

    size: Size
    speed: Feet
    ability_bonuses: Scores = Field(default_factory=dict, exclude_if=is_empty)
    ability_choice: AbilityChoice | None = ABSENT
    languages: ListOf[Term] = listed_as("Languages that all of them know.")
    language_choices: Count | None = ABSENT
    traits: ListOf[Trait] = listed_as("Traits.")
    ancestries: ListOf[Ancestry] = listed_as("Of which one is chosen.")
    subraces: ListOf[Subrace] = listed_as("Of which one is chosen.")
