"""The hit points of a character that count now, by the rules that the campaign uses."""

from __future__ import annotations

from turnwright.model.character import Character
from turnwright.model.state.overlay import World
from turnwright.rulesets.in_use import tables_of


def hit_points(world: World, character: Character) -> tuple[int | None, int | None]:
    """Return the current hit points and their maximum; None for a value that a character does not have."""
    vitals = tables_of(world.campaign).vitals if character.max_hp is not None else None
    return vitals.hit_points(character) if vitals is not None else (character.hp, character.max_hp)
