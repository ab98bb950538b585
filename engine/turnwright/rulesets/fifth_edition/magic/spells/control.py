"""Spells that control the turns of their targets: orders, confusion, and dropped items.

Source: SRD 5.1, "Spell Descriptions"; docs/content.md, "Control".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnwright.content.kinds.spells import Spell
from turnwright.model.creature import AbilitySave, Confusion
from turnwright.rulesets.fifth_edition.belongings.equipment import with_hands_empty
from turnwright.rulesets.fifth_edition.magic.spells.casting import Casting
from turnwright.rulesets.fifth_edition.magic.spells.figures import save_abilities
from turnwright.rulesets.fifth_edition.targets import put_creature, put_participant

if TYPE_CHECKING:
    from turnwright.model.json_types import JsonValue


def gives_control(spell: Spell) -> bool:
    """Return whether a spell leaves an effect that decides turns, or that a save at the end of each one ends."""
    return spell.control is not None or saves_again(spell)


def saves_again(spell: Spell) -> bool:
    """Return whether a save at the end of each turn ends the effect of a spell; of conditions, it ends them."""
    asked = spell.save
    is_first = asked is not None and not asked.only_to_end and spell.attack is None
    return spell.repeat_save == "turn_end" and is_first and not spell.conditions


def control_fields(casting: Casting) -> dict[str, JsonValue]:
    """Return the fields of the effect by which a spell decides its target's turns."""
    said, spell = casting.spell.control, casting.spell
    fields: dict[str, JsonValue] = {}
    if saves_again(spell):
        (ability, *_) = save_abilities(spell)
        fields["repeat_save"] = AbilitySave(ability=ability, dc=casting.save_dc).as_written
    if said is None:
        return fields
    if said.orders:
        fields["order"] = casting.choice
    if said.behavior is not None:
        die = said.behavior
        fields["confusion"] = Confusion(wanders=die.wanders, stands=die.stands, strikes=die.strikes).as_written
    return fields


def take_control(casting: Casting, identifier: str) -> None:
    """Apply at once what a spell does to creatures under its control."""
    said = casting.spell.control
    if said is not None and said.drops_held:
        _drop(casting, identifier)
    if said is not None and said.behavior is not None:
        _take_reaction(casting, identifier)


def _drop(casting: Casting, identifier: str) -> None:
    creature = casting.creature(identifier)
    after, dropped = with_hands_empty(creature.character)
    if dropped:
        put_creature(casting.world, creature, after)
        casting.warnings.append(f"{identifier} drops {', '.join(item.name for item in dropped)}")


def _take_reaction(casting: Casting, identifier: str) -> None:
    person = casting.person(identifier)
    if person is not None and casting.encounter_id is not None:
        economy = person.economy.replace(reaction=True)
        put_participant(casting.world, casting.encounter_id, person.replace(economy=economy))
