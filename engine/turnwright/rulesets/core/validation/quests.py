"""Validate quests: states that could not arise in play.

Source: docs/tools/quests.md, "By hand".
"""

from __future__ import annotations

from collections.abc import Iterator

from turnwright.model.quest import Quest
from turnwright.model.state.overlay import World
from turnwright.model.wire.reason import Problem
from turnwright.rulesets.validation import Edit


def quest_problems(edit: Edit) -> Iterator[Problem]:
    """Yield the problems of edited quests, given the rest of the campaign."""
    for quest in edit.documents(Quest):
        yield from _quest_problems(edit.world, quest)


def _quest_problems(world: World, quest: Quest) -> Iterator[Problem]:
    path = quest.path
    if quest.giver_id is not None and world.character(quest.giver_id) is None:
        yield Problem(path, "$.giver_id", "unknown_character", f"there is no character {quest.giver_id}")
    seen = set()
    for index, objective in enumerate(quest.objectives):
        if objective.id in seen:
            where = f"$.objectives[{index}].id"
            yield Problem(path, where, "objective_twice", f"{objective.id} stands in {quest.id} twice")
        seen.add(objective.id)
        if objective.done and quest.status in ("offered", "declined"):
            where = f"$.objectives[{index}].done"
            message = f"{objective.id} is done, but {quest.id} was never started"
            yield Problem(path, where, "never_started", message)
    if quest.closed_turn is None:
        return
    if quest.is_open:
        yield Problem(path, "$.closed_turn", "still_open", f"{quest.id} is {quest.status}, and so not closed")
    elif quest.closed_turn < quest.offered_turn:
        message = f"{quest.id} was closed before it was offered, in turn {quest.offered_turn}"
        yield Problem(path, "$.closed_turn", "closed_too_early", message)
