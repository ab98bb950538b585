"""Classes. Source: SRD 5.1, "Classes"; docs/content.md, "Races, classes and backgrounds"."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, model_validator

from turnwright.content.kinds.entry import (
    NO_FIGURES,
    ContentEntry,
    EntryId,
    EntryName,
    Figures,
    Term,
    described,
    listed_as,
    refused,
)
from turnwright.content.kinds.shapes import Choice, Counted, Slots
from turnwright.model.base import ABSENT, Count, FrozenMap, ListOf, Model, is_empty
from turnwright.model.sheet import Level
from turnwright.model.vocabulary import Ability

MAX_LEVEL = 20


class Requirement(Model):
    """The requirements of a feature."""

    feature: EntryId | None = ABSENT
    level: Level | None = ABSENT
    spell: EntryId | None = ABSENT


class Feature(Model):
    """A feature of a class, in figures; texts like `levels.rage_count` name a column of the class table."""

    id: EntryId
    name: EntryName
    level: Level
    subclass: EntryId | None = ABSENT
    parent: EntryId | None = described("The feature that it is an option of.")
    choose: Choice | None = ABSENT
    prerequisites: ListOf[Requirement] = listed_as("What it asks for.")
    figures: Figures = NO_FIGURES


class ClassLevel(Model):
    """A row of the class table."""

    level: Level
    proficiency_bonus: Annotated[int, Field(strict=True, ge=2, le=6)] | None = ABSENT
    features: ListOf[EntryId] = listed_as("Features that come at this level.")
    slots: Slots = Field(default_factory=dict, exclude_if=is_empty, description="Spell slots by level.")
    cantrips_known: Count | None = ABSENT
    spells_known: Count | None = ABSENT
    columns: Figures = Field(default_factory=dict, exclude_if=is_empty, description="The class's own columns.")


class Spellcasting(Model):
    """How a class casts."""

    ability: Ability
    kind: Literal["full", "half", "third", "pact"]
    from_level: Level = 1


class Multiclass(Model):
    """The requirements and benefits of multiclassing into it."""

    prerequisites: ListOf[FrozenMap[Count]] = listed_as("Scores, all of them.")
    any_of: ListOf[FrozenMap[Count]] = listed_as("Scores, one of them.")
    proficiencies: ListOf[Term] = listed_as("Proficiencies.")
    proficiency_choices: ListOf[Choice] = listed_as("Proficiencies to choose.")


class SubclassSpell(Model):
    """A spell that a subclass gives."""

    id: EntryId
    requires: ListOf[EntryId] = ()


class Subclass(Model):
    """A subclass."""

    id: EntryId
    name: EntryName
    flavor: EntryId
    levels: ListOf[ClassLevel] = ()
    spells: ListOf[SubclassSpell] = listed_as("Spells that it gives.")


class CharacterClass(ContentEntry):
    """A class."""

    collection: ClassVar[str] = "content/classes/"

    hit_die: Literal[6, 8, 10, 12]
    saves: ListOf[Ability] = Field(description="Saving throws it is proficient in.")
    proficiencies: ListOf[Term] = listed_as("Proficiencies.")
    proficiency_choices: ListOf[Choice] = listed_as("Proficiencies to choose.")
    multiclass: Multiclass | None = ABSENT
    starting_equipment: ListOf[Counted] = listed_as("What every character of it begins with.")
    starting_equipment_choices: ListOf[Choice] = listed_as("What one chooses to begin with.")
    spellcasting: Spellcasting | None = ABSENT
    levels: ListOf[ClassLevel]
    features: ListOf[Feature] = listed_as("Features of class and subclasses.")
    subclasses: ListOf[Subclass] = listed_as("Subclasses.")
    spells: ListOf[EntryId] = listed_as("Its spell list.")

    @model_validator(mode="after")
    def _coherent(self) -> Self:
        if [row.level for row in self.levels] != list(range(1, MAX_LEVEL + 1)):
            raise refused("must have levels 1 to 20 in order")
        known = {feature.id for feature in self.features}
        rows = [*self.levels, *(row for sub in self.subclasses for row in sub.levels)]
        for name in (name for row in rows for name in row.features):
            if name not in known:
                raise refused(f"{name} is no feature of this class")
        return self
