"""The end of a fight: what it leaves behind, and what is restored when the fight is undone.

Source: docs/toolkit.md, "Fights".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeVar

from turnwright.model.character import Character
from turnwright.model.creature import Condition, Effect
from turnwright.model.encounter import Economy, Encounter
from turnwright.model.state.overlay import World
from turnwright.rulesets.fifth_edition.condition_sources import loosen_grips_of_ephemerals
from turnwright.rulesets.fifth_edition.fights._readied import let_readied_spell_go
from turnwright.rulesets.fifth_edition.magic._auras import auras_of
from turnwright.rulesets.fifth_edition.magic.zone_acts import lift_zones
from turnwright.rulesets.fifth_edition.maintained_effects import end_concentration, end_maintained_effects
from turnwright.rulesets.fifth_edition.sheets.derived_stats import most_hp
from turnwright.rulesets.fifth_edition.sheets.effect_list import without_counted_turns
from turnwright.rulesets.fifth_edition.targets import body_of, combatant, creature_of, require_running

_Given = TypeVar("_Given", Condition, Effect)


def closed(world: World, encounter: Encounter) -> Encounter:
    """Return a fight with all participants as it left them, and without values that only count while it lasts.

    Readied spells are gone: no trigger can come any more. For participants who exist in the fight alone, so are
    concentration and grapples. Sources that are characters are recorded by the character's id from now on, and
    participants who exist in the fight alone by the fight's id, so that they match no creature of a later fight.
    """
    for person in encounter.participants:
        let_readied_spell_go(world, encounter, person)
        if person.body is not None:
            end_concentration(world, combatant(world, encounter, person))
    loosen_grips_of_ephemerals(world, encounter.id)
    lift_zones(world, encounter.id)
    _name_sources(world, encounter)
    encounter = require_running(world, encounter.id)
    people = tuple(
        person.replace(
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
    return encounter.replace(participants=people, props=(), zones=())


def _name_sources(world: World, encounter: Encounter) -> None:
    """Rewrite sources of characters' conditions and effects from a participant's own id to one that lasts."""
    lasting = dict(_lasting_names(world, encounter))
    linked = (world.character(person.character_id) for person in encounter.participants if person.character_id)
    for character in filter(None, linked):
        left = without_counted_turns(character)
        conditions = tuple(_renamed(each, lasting) for each in left.conditions)
        effects = tuple(_renamed(each, lasting) for each in left.effects)
        if (conditions, effects) != (character.conditions, character.effects):
            world.put(character.replace(conditions=conditions, effects=effects))


def _lasting_names(world: World, encounter: Encounter) -> Iterator[tuple[str, str]]:
    """Yield the id that replaces each id of the fight when it is over; a character's id stays."""
    for person in encounter.participants:
        if person.character_id is not None:
            yield person.id, person.character_id
        else:
            for identifier in person.ids:
                if world.character(identifier) is None:
                    yield identifier, f"{person.id} of {encounter.id}"


def _renamed(given: _Given, lasting: Mapping[str, str]) -> _Given:
    source = lasting.get(given.source or "", given.source)
    return given if source == given.source else given.replace(source=source)


def remove_auras(world: World, encounter: Encounter) -> None:
    """Take away the auras that are bound to a fight."""
    for aura in auras_of(world, encounter.id):
        world.remove(aura.path)


def put_back(world: World, encounter: Encounter) -> None:
    """Give linked characters back what they had when they joined; slots, items and effects stay as they are.

    Concentration stays as it is, too, and what depended on a spell that has ended since does not come back.
    """
    restored: list[Character] = []
    for person in encounter.participants:
        character = world.character(person.character_id) if person.character_id else None
        kept = person.remembered
        if character is None or kept is None:
            continue
        back = character.replace(
            temp_hp=kept.temp_hp,
            death_saves=kept.death_saves,
            conditions=tuple(each for each in kept.conditions if not _is_over(world, encounter, each)),
            character_state=kept.character_state,
        )
        back = back.replace(hp=kept.hp if back.max_hp is None else min(kept.hp, most_hp(back)))
        world.put(back)
        restored.append(back)
    for character in restored:
        end_maintained_effects(world, creature_of(world, character))


def _is_over(world: World, encounter: Encounter, condition: Condition) -> bool:
    """Return whether a condition from before the fight depended on a spell that no caster concentrates on any more."""
    if condition.duration != "concentration" or condition.source is None:
        return False
    deleted = (person.body for person in encounter.participants if person.body and person.body.id == condition.source)
    caster = world.character(condition.source) or next(deleted, None)
    if caster is None:
        return False
    held = caster.concentration
    return held is None or held.encounter_id == encounter.id  # another spell, begun in the fight
