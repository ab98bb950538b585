"""Traits of races that affect dice, for characters whose sheet has them: Lucky and Relentless Endurance.

The name of a race alone does not grant them: the character must be built from a content entry. Source: SRD 5.1,
"Races"; docs/toolkit.md, "Traits of races".
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from turnwright.model.character import Character
from turnwright.model.sheet import SheetTrait

RollOf = Literal["attack", "save", "check"]
"""A kind of roll of a d20."""


class Held(NamedTuple):
    """A character kept from falling by a trait, and the trait's name."""

    character: Character
    trait: str


def is_lucky(character: Character, kind: RollOf) -> bool:
    """Return whether a character rolls a 1 on the d20 of such a roll again."""
    traits = character.sheet.traits if character.sheet else ()
    return any(each.figures.get("reroll") == 1 and kind in each.figures.get("on", ()) for each in traits)


def held_up(before: Character, after: Character) -> Held | None:
    """Return a character with 1 hit point if a trait prevents the fall to 0, once between long rests.

    Args:
        before: the character before the damage.
        after: the character after the damage.
    """
    if after.is_dead or after.hp != 0 or not before.hp or before.sheet is None:
        return None
    trait = next((each for each in before.sheet.traits if _holds(before, each)), None)
    if trait is None:
        return None
    sheet = before.sheet.replace(spent_traits=(*before.sheet.spent_traits, trait.id))
    return Held(before.replace(hp=trait.figures["hp_at_0"], temp_hp=0, sheet=sheet), trait.name)


def _holds(character: Character, trait: SheetTrait) -> bool:
    is_spent = character.sheet is not None and trait.id in character.sheet.spent_traits
    return isinstance(trait.figures.get("hp_at_0"), int) and not is_spent
