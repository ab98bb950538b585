"""Traits of a race that the dice know, of characters whose sheet has them: Lucky and Relentless Endurance.

Nobody has them by the word of their race: only who was made from an entry of content. Source: SRD 5.1, "Races";
docs/toolkit.md, "Traits of races".
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from turnwright.model.character import Character
from turnwright.model.sheet import SheetTrait

RollOf = Literal["attack", "save", "check"]
"""A kind of roll of a d20."""


class Held(NamedTuple):
    """Somebody whom a trait kept from falling, and its name."""

    character: Character
    trait: str


def is_lucky(character: Character, kind: RollOf) -> bool:
    """Return whether somebody throws a 1 on the d20 of such a roll again."""
    traits = character.sheet.traits if character.sheet else ()
    return any(each.figures.get("reroll") == 1 and kind in each.figures.get("on", ()) for each in traits)


def held_up(before: Character, after: Character) -> Held | None:
    """Return somebody with 1 hit point whom a trait keeps from falling to 0, once between long rests.

    Args:
        before: as they were.
        after: as damage leaves them.
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
