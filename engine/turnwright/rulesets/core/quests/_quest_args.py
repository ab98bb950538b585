"""The arguments and results of `manage_quest`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from turnwright.model.base import Count, Flag, Id, ListOf, Model, Text, is_none
from turnwright.model.prose import Line
from turnwright.model.quest import MAX_OBJECTIVES, QuestStatus, Title
from turnwright.rulesets.references import CharacterId, Choice, Name, QuestId
from turnwright.rulesets.toolkit import ToolkitArgs

Operation = Annotated[
    Literal["offer", "start", "decline", "complete_objective", "complete", "fail", "list"],
    Choice(
        synonyms={
            "offer": ("create", "add", "new"),
            "start": ("accept", "begin", "take", "take_on"),
            "decline": ("refuse", "reject", "turn_down"),
            "complete_objective": ("finish_objective", "complete_task"),
            "complete": ("completed", "finish", "finished", "done", "close"),
            "fail": ("failed", "abandon", "give_up"),
            "list": ("all", "list_all", "show", "view", "get"),
        }
    ),
]


class ManageQuestArgs(ToolkitArgs):
    """Arguments of `manage_quest`."""

    only_for: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "title": ("offer",),
        "giver_id": ("offer",),
        "giver_name": ("offer",),
        "objectives": ("offer",),
        "reward": ("offer",),
        "objective_id": ("complete_objective",),
        "force": ("complete",),
        "status": ("list",),
        "limit": ("list",),
    }
    needs: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "offer": ("title",),
        "start": ("quest_id",),
        "decline": ("quest_id",),
        "complete_objective": ("quest_id", "objective_id"),
        "complete": ("quest_id",),
        "fail": ("quest_id",),
    }

    operation: Operation = Field(
        description="offer a new quest; start or decline an offered one; complete_objective, complete or fail an"
        " active one; list them."
    )
    quest_id: QuestId | None = Field(default=None, description="Which quest: its id, or its title.")
    title: Title | None = Field(default=None, description="Its title for players, for offer.")
    giver_id: CharacterId | None = Field(default=None, description="Id of the character who offers it, if any.")
    giver_name: Name | None = Field(
        default=None, description="Name of the character who offers it, in place of the id."
    )
    objectives: Annotated[ListOf[Line], Field(max_length=MAX_OBJECTIVES)] | None = Field(
        default=None, description="The tasks, a line each, for offer."
    )
    reward: Line | None = Field(default=None, description="The promised reward, in words, for offer.")
    objective_id: Id | None = Field(default=None, description="The completed objective: objective-1 is the first.")
    force: Flag = Field(default=False, description="For complete: although objectives are open.")
    status: QuestStatus | None = Field(default=None, description="For list: only quests of this status.")
    limit: Annotated[int, Field(strict=True, ge=1, le=1_000_000)] | None = Field(
        default=None, description="For list: the maximum number, newest first."
    )


class ObjectiveResult(Model):
    """One objective of a quest."""

    id: Id
    text: Text
    done: Flag


class QuestResult(Model):
    """A quest."""

    quest_id: Id
    title: Text
    giver_id: Id | None
    status: QuestStatus
    objectives: ListOf[ObjectiveResult]
    reward: Text | None
    offered_turn: Count = Field(description="How many turns were closed when it was offered.")
    closed_turn: Count | None = Field(description="The number of closed turns when it ended; null while it is open.")


class ManageQuestResult(Model):
    """The quest as it is now, or the quests that were listed."""

    quest: QuestResult | None = Field(default=None, exclude_if=is_none)
    quests: ListOf[QuestResult] | None = Field(default=None, exclude_if=is_none, description="The newest first.")
    count: Count | None = Field(default=None, exclude_if=is_none, description="How many fit, whether or not listed.")
    total: Count = Field(description="How many quests there are now.")
