"""Quests: tasks that a character gives the party. Source: docs/tools/quests.md, "The document"."""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from turnwright.model.base import Count, Entry, Flag, Id, ListOf, Model, Text, name_tag
from turnwright.model.prose import Line, Prose

QuestStatus = Literal["offered", "active", "completed", "failed", "declined"]
Title = Annotated[Text, Prose(200)]
MAX_OBJECTIVES = 50


class Objective(Model):
    """One thing that a quest asks for."""

    id: Id
    text: Line
    done: Flag = False


class Quest(Entry):
    """One quest."""

    collection: ClassVar[str] = "quests/"

    title: Title
    giver_id: Id | None = Field(default=None, description="The character who offers it, if any.")
    status: QuestStatus = "offered"
    objectives: Annotated[ListOf[Objective], Field(max_length=MAX_OBJECTIVES)] = ()
    reward: Line | None = Field(default=None, description="The promised reward; handing it over takes a separate call.")
    offered_turn: Count = Field(default=0, description="How many turns were closed when it was offered.")
    closed_turn: Count | None = Field(
        default=None, description="How many were closed when it was completed, failed or declined."
    )

    @property
    def lookup(self) -> Collection[str]:
        """Quests are found by title, by status and by who gave them."""
        found = [name_tag(self.title), status_tag(self.status)]
        return found if self.giver_id is None else [*found, giver_tag(self.giver_id)]

    @property
    def is_open(self) -> bool:
        """Whether it can still progress."""
        return self.status in ("offered", "active")

    @property
    def left(self) -> list[str]:
        """The ids of the objectives that are not done."""
        return [objective.id for objective in self.objectives if not objective.done]


def status_tag(status: QuestStatus) -> str:
    """Return the tag of the quests of a status."""
    return f"status:{status}"


def giver_tag(character_id: str) -> str:
    """Return the tag of the quests that a character gave."""
    return f"giver:{character_id}"
