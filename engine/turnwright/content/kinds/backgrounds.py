"""Backgrounds. Source: SRD 5.1, "Backgrounds"; docs/content.md, "Races, classes and backgrounds"."""

from __future__ import annotations

from typing import ClassVar

from turnwright.content.kinds.entry import ContentEntry, EntryId, Term, listed_as
from turnwright.content.kinds.shapes import Choice, Counted
from turnwright.model.base import ABSENT, Count, ListOf
from turnwright.model.vocabulary import Skill


class Background(ContentEntry):
    """A background."""

    collection: ClassVar[str] = "content/backgrounds/"

    skills: ListOf[Skill] = listed_as("Skills it is proficient in.")
    tools: ListOf[Term] = listed_as("Tools it is proficient with.")
    languages: Count | None = ABSENT
    gold: Count | None = ABSENT
    equipment: ListOf[Counted] = listed_as("What one begins with.")
    equipment_choices: ListOf[Choice] = listed_as("What one chooses to begin with.")
    feature: EntryId | None = ABSENT
