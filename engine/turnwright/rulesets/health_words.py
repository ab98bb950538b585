"""Hit points as words: how a character looks to viewers who do not know the numbers.

Source: docs/stages/6-publish.md, "A fight".
"""

from __future__ import annotations

from typing import Literal

from turnwright.model.character import Character, CharacterState
from turnwright.model.state.overlay import World
from turnwright.rulesets.hit_points import hit_points
from turnwright.rulesets.in_use import tables_of

Look = Literal["unhurt", "hurt", "bloodied", "down", "dead"]


def look_at(hp: int | None, most: int | None) -> Look | None:
    """Return how a character looks who is awake or at 0; None for one above 0 without a maximum."""
    if hp == 0:
        return "down"
    if hp is None or most is None:
        return None
    return "bloodied" if 2 * hp <= most else "hurt" if hp < most else "unhurt"


def look_of(world: World, character: Character) -> Look | None:
    """Return how a character looks now, as for `look_at`."""
    if character.is_dead:
        return "dead"
    vitals = tables_of(world.campaign).vitals
    is_down = character.state is CharacterState.UNCONSCIOUS or (vitals is not None and vitals.is_down(character))
    return "down" if is_down else look_at(*hit_points(world, character))
