"""The values that the rules derive for an imported character, and their differences from the file.

Every figure comes from the functions that play uses, so hit points, armor class, attacks and slots are computed in one
place each.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from turnwright.model.character import Character
from turnwright.model.dice.expression import render
from turnwright.model.encounter import Participant, Position
from turnwright.model.state.overlay import World
from turnwright.rulesets.fifth_edition.belongings.equipment import with_equipped
from turnwright.rulesets.fifth_edition.fights._weapons import Weapon, weapon_of
from turnwright.rulesets.fifth_edition.sheets.derived_stats import effective
from turnwright.rulesets.fifth_edition.sheets.sheet_rules import sheet_of
from turnwright.rulesets.imports import Attack, DerivedValues

if TYPE_CHECKING:
    from turnwright.model.item import Item


def derived_values(world: World, character: Character) -> DerivedValues:
    """Return the values that the rules derive for a character with a sheet.

    Args:
        world: any campaign; its contents do not matter.
        character: the character, which need not be in it.
    """
    values, sheet = effective(character), sheet_of(character)
    slots = {level: pool.max for level, pool in sheet.spell_slots.items()}
    if sheet.pact_slots is not None:
        level = str(sheet.pact_slots.slot_level)
        slots[level] = slots.get(level, 0) + sheet.pact_slots.max
    return {
        "max_hp": values.max_hp.effective,
        "ac": values.ac.effective,
        "attacks": list(_attacks(world, character)),
        "spell_slots": {level: slots[level] for level in sorted(slots)},
    }


def _attacks(world: World, character: Character) -> Iterator[Attack]:
    """Yield an attack with each kind of weapon that a character carries, each once, as if it were in hand."""
    seen: set[str] = set()
    for item in character.inventory:
        if item.type == "weapon" and item.name not in seen:
            seen.add(item.name)
            yield _shown(item.name, _weapon_in_hand(world, character, item))


def _weapon_in_hand(world: World, character: Character, item: Item) -> Weapon:
    holding = with_equipped(character, item, "mainhand", both_hands=False).character
    # Linked, since the values of a sheet count; the body replaces the character, which is not in a campaign yet.
    person = Participant(
        id=character.id,
        name="attacker",
        character_id=character.id,
        body=holding,
        position=Position(x=0, y=0),
        initiative=0,
        natural=0,
    )
    return weapon_of(world, person)


def _shown(name: str, weapon: Weapon) -> Attack:
    return {
        "name": name,
        "attack_bonus": weapon.attack_bonus,
        "damage": render(weapon.damage),
        "damage_type": weapon.damage_type,
    }
