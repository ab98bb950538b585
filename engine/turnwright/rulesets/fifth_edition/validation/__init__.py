"""The rules of valid sheets and fights."""

from __future__ import annotations

from collections.abc import Iterator

from turnwright.model.character import Character, fights_tag
from turnwright.model.state.overlay import World
from turnwright.model.wire.reason import Problem
from turnwright.rulesets.validation import Edit


def character_problems(edit: Edit) -> Iterator[Problem]:
    """Yield the problems of the sheets and belongings of edited characters, and of their part in a fight."""
    for person in edit.documents(Character):
        yield from _needs_sheet(edit.world, person)
        if person.sheet or person.effects or person.inventory or person.equipped:
            from turnwright.rulesets.fifth_edition.validation.sheets import sheet_problems  # most have no sheet

            yield from sheet_problems(person.path, person)


def _needs_sheet(world: World, person: Character) -> Iterator[Problem]:
    """Yield a problem if a character without a hit point maximum is in a running fight."""
    without = person.hp is None or person.max_hp is None
    if without and world.paths("encounters/") and world.tagged("encounters/", fights_tag(person.id)):
        message = f"{person.id} is in a fight, which needs hit points with a maximum"
        yield Problem(person.path, "$.max_hp", "no_sheet", message)
