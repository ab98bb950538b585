"""Readied actions, and the concentration that holds a readied spell.

Source: SRD 5.1, "Ready"; docs/toolkit.md, "Fights".
"""

from __future__ import annotations

from turnwright.model.encounter import Encounter, Participant
from turnwright.model.state.overlay import World
from turnwright.rulesets.fifth_edition.magic.concentration import is_same_spell
from turnwright.rulesets.fifth_edition.maintained_effects import end_concentration
from turnwright.rulesets.fifth_edition.targets import combatant, put_participant, reload


def wait_no_more(world: World, encounter: Encounter, person: Participant) -> None:
    """End a combatant's readied action: it was taken, or cannot be taken any more."""
    put_participant(world, encounter.id, person.replace(readied=None))
    let_readied_spell_go(world, encounter, person)


def let_readied_spell_go(world: World, encounter: Encounter, person: Participant) -> str | None:
    """End the concentration that holds a combatant's readied spell; return the spell, or None without one."""
    readied = person.readied
    if readied is None or readied.spell_name is None:
        return None
    creature = reload(world, combatant(world, encounter, person))
    held = creature.character.concentration
    if held is None or not is_same_spell(held.spell_name, readied.spell_name):
        return None
    return end_concentration(world, creature)
