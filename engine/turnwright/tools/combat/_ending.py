"""The end of a fight: what it leaves of itself, and what is put back when it was none.

Source: docs/toolkit.md, "Fights".
"""

from __future__ import annotations

from turnwright.model.character import Character
from turnwright.model.encounter import Economy, Encounter
from turnwright.tools.combat._readied import let_readied_spell_go
from turnwright.tools.creatures import body_of, creature_of, require_running
from turnwright.tools.magic._auras import auras_of
from turnwright.tools.upkeep import let_go
from turnwright.world.overlay import World


def closed(world: World, encounter: Encounter) -> Encounter:
    """Return a fight with everybody as it left them, and without what only counts while it lasts.

    A spell that somebody still had readied is gone: nothing is waited for any more.
    """
    for person in encounter.participants:
        let_readied_spell_go(world, encounter, person)
    encounter = require_running(world, encounter.id)
    people = tuple(
        person.having(
            body=body_of(world, person),
            surprised=False,
            economy=Economy(),
            dodging=False,
            hidden=False,
            helped=(),
            readied=None,
        )
        for person in encounter.participants
    )
    return encounter.having(participants=people, props=())


def remove_auras(world: World, encounter: Encounter) -> None:
    """Take away the auras that are bound to a fight."""
    for aura in auras_of(world, encounter.id):
        world.remove(aura.path)


def put_back(world: World, encounter: Encounter) -> None:
    """Give linked characters back what they had when they joined; slots, items and effects stay as they are."""
    restored: list[Character] = []
    for person in encounter.participants:
        character = world.character(person.character_id) if person.character_id else None
        kept = person.remembered
        if character is None or kept is None:
            continue
        most = kept.hp if character.max_hp is None else character.max_hp
        back = character.having(
            hp=min(kept.hp, most),
            temp_hp=kept.temp_hp,
            death_saves=kept.death_saves,
            conditions=kept.conditions,
            character_state=kept.character_state,
        )
        world.put(back)
        restored.append(back)
    for character in restored:
        let_go(world, creature_of(world, character))
