"""Effects that a creature maintains only while able: a spell, a dodge, a grapple, held items.

Source: SRD 5.1, "Concentration", "Appendix PH-A: Conditions"; docs/toolkit.md, "Conditions".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from turnwright.model.aura import Aura, owner_tag
from turnwright.model.character import Character, held_tag
from turnwright.model.creature import Concentration, Effect
from turnwright.model.encounter import RUNNING_TAG, Encounter
from turnwright.model.state.overlay import World
from turnwright.rulesets.fifth_edition.belongings.equipment import with_hands_empty
from turnwright.rulesets.fifth_edition.magic.concentration import is_same_spell
from turnwright.rulesets.fifth_edition.sheets.derived_stats import impairment_of
from turnwright.rulesets.fifth_edition.sheets.effect_list import without_effect
from turnwright.rulesets.fifth_edition.targets import (
    Creature,
    combatant,
    creature_of,
    participant_of,
    put_creature,
    put_participant,
    reload,
)


class EndedEffects(NamedTuple):
    """The effects that ended: the spell concentrated on, and the names of dropped items."""

    spell: str | None = None
    dropped: tuple[str, ...] = ()

    def notices(self, creature: Creature) -> tuple[str, ...]:
        """Return what the game master should know, in words."""
        return (f"{creature.id} drops {', '.join(self.dropped)}",) if self.dropped else ()


def end_maintained_effects(world: World, creature: Creature) -> EndedEffects:
    """End the effects that a creature can no longer maintain, for any reason; nothing if it still can.

    Unconscious creatures drop held items. Incapacitated, fallen and dead creatures cannot concentrate, dodge or
    grapple.
    """
    creature = reload(world, creature)
    dropped = _drop(world, creature)
    if not is_unable(creature.character):
        return EndedEffects(None, dropped)
    spell = end_concentration(world, creature)
    person = participant_of(world, creature)
    if person is not None and person.dodging:
        put_participant(world, creature.encounter_id or "", person.replace(dodging=False))
    if creature.encounter_id is not None:
        from turnwright.rulesets.fifth_edition.condition_sources import (
            release_broken_grapples,  # most hurt creatures stay on their feet
        )

        release_broken_grapples(world, creature.encounter_id)
    return EndedEffects(spell, dropped)


def is_unable(character: Character) -> bool:
    """Return whether a creature can neither concentrate nor hold another."""
    return character.hp == 0 or character.is_dead or impairment_of(character).incapacitated


def _drop(world: World, creature: Creature) -> tuple[str, ...]:
    character = creature.character
    if not any(done.falls_prone for _, done in impairment_of(character).conditions):
        return ()
    after, dropped = with_hands_empty(character)
    if dropped:
        put_creature(world, creature, after)
    return tuple(item.name for item in dropped)


def end_concentration(world: World, creature: Creature) -> str | None:
    """End the spell a creature concentrates on, with its dependent effects; return its name, or None without one."""
    creature = reload(world, creature)
    held = creature.character.concentration
    if held is None:
        return None
    put_creature(world, creature, creature.character.replace(concentration=None))
    for caster_id in _ids(creature):
        for path in world.tagged(Character.collection, held_tag(caster_id)):
            bearer = world.get(path)
            if isinstance(bearer, Character) and _is(
                world, creature, creature_of(world, bearer).encounter_id, caster_id
            ):
                world.put(_released(bearer, caster_id))
        for encounter in world.all_tagged(Encounter, RUNNING_TAG):
            if _is(world, creature, encounter.id, caster_id):
                _release_bodies(world, encounter, caster_id)
    for aura in list(auras_around(world, creature)):
        if is_same_spell(aura.spell_name, held.spell_name):
            world.remove(aura.path)
    return held.spell_name


def end_spell_on(world: World, creature: Creature, effect: Effect) -> None:
    """Remove an effect from a creature; the caster's concentration ends if the spell was held on this creature only."""
    creature = reload(world, creature)
    put_creature(world, creature, without_effect(creature.character, effect.effect_id).character)
    if effect.duration != "concentration" or effect.source is None:
        return
    encounter = world.find(Encounter, creature.encounter_id) if creature.encounter_id else None
    person = encounter.meant(effect.source) if encounter else None
    caster: Creature | None = None
    if encounter is not None and person is not None:
        caster = combatant(world, encounter, person)
    elif (character := world.character(effect.source)) is not None:
        caster = creature_of(world, character)
    held = caster.character.concentration if caster is not None else None
    is_alone = held is not None and {*held.targets} <= {creature.id, creature.character.id}
    if caster is not None and held is not None and is_alone and is_same_spell(effect.name, held.spell_name):
        end_concentration(world, caster)


def begin_concentration(
    world: World,
    creature: Creature,
    spell_name: str,
    targets: Sequence[str],
    rounds: int | None,
    slot_level: int | None = None,
) -> str | None:
    """Let a creature concentrate on a spell; return the previous one, which ends."""
    previous = end_concentration(world, creature)
    creature = reload(world, creature)
    encounter = world.find(Encounter, creature.encounter_id) if creature.encounter_id else None
    held = Concentration(
        spell_name=spell_name,
        targets=tuple(dict.fromkeys(targets)),
        duration=rounds,
        rounds_remaining=rounds,
        started_round=encounter.round if encounter else None,
        encounter_id=creature.encounter_id,
        slot_level=slot_level,
    )
    put_creature(world, creature, creature.character.replace(concentration=held))
    return previous


def auras_around(world: World, creature: Creature) -> Iterator[Aura]:
    """Yield a creature's auras, and not those of a creature in another fight with the same id."""
    for owner_id in _ids(creature):
        for aura in world.all_tagged(Aura, owner_tag(owner_id)):
            if _is(world, creature, aura.encounter_id, owner_id):
                yield aura


def _ids(creature: Creature) -> list[str]:
    return list(dict.fromkeys((creature.id, creature.character.id)))


def _is(world: World, creature: Creature, encounter_id: str | None, named: str) -> bool:
    """Return whether an id means a creature in a fight, or outside of any: each fight has its own participant ids."""
    encounter = world.find(Encounter, encounter_id) if encounter_id else None
    meant = encounter.meant(named) if encounter and encounter.is_running else None
    if meant is not None:
        return (encounter_id, meant.id) == (creature.encounter_id, creature.participant_id)
    own = participant_of(world, creature)
    return named == creature.character.id and (own is None or own.body is None)


def _release_bodies(world: World, encounter: Encounter, caster_id: str) -> None:
    for person in encounter.participants:
        if person.body is not None and held_tag(caster_id) in person.body.lookup:
            put_participant(world, encounter.id, person.replace(body=_released(person.body, caster_id)))


def _released(bearer: Character, caster_id: str) -> Character:
    """Return a creature without the effects that a caster's concentration held on it."""
    return bearer.replace(
        conditions=tuple(c for c in bearer.conditions if (c.duration, c.source) != ("concentration", caster_id)),
        effects=tuple(e for e in bearer.effects if (e.duration, e.source) != ("concentration", caster_id)),
    )
