"""Which offer of a quest waits for an answer. Source: docs/tools/quests.md, "An offer that waits"."""

from __future__ import annotations

from collections.abc import Callable, Collection

from turnwright.model.numbered import number_of
from turnwright.model.quest import Quest, status_tag
from turnwright.model.state.overlay import World

MAX_WAIT = 3
"""How many messages of players an offer can be answered after by a mere yes or no."""


def pending_offer(
    world: World, present_ids: Collection[str], messages_since: Callable[[Quest], int | None]
) -> Quest | None:
    """Return the newest pending offer that a plain yes would accept now, or None.

    Args:
        world: the campaign.
        present_ids: the characters who are present; an offer without a giver needs none.
        messages_since: the number of player messages since a quest was offered; None: too long ago to tell.
    """
    waiting = []
    for quest in world.all_tagged(Quest, status_tag("offered")):
        is_here = quest.giver_id is None or quest.giver_id in present_ids
        age = messages_since(quest) if is_here else None
        if age is not None and age <= MAX_WAIT:
            waiting.append(quest)
    return max(waiting, key=lambda quest: (quest.offered_turn, number_of(quest.id)), default=None)
