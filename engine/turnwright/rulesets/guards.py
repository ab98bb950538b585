"""Protect from deletion the entities that a ruleset in use depends on."""

from __future__ import annotations

from turnwright.model.state.overlay import World
from turnwright.rulesets.in_use import tables_of


def require_not_in_use(world: World, identifier: str) -> None:
    """Refuse to take away a character or a place that a ruleset of the campaign depends on.

    Raises:
        CallFailed: `conflict`, from the guard of the ruleset.
    """
    for guard in tables_of(world.campaign).guards(world):
        guard(world, identifier)
