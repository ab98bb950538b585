"""Creatures that spells have brought into a fight: until when they stay, and how they leave.

Source: SRD 5.1, "Spell Descriptions"; docs/content.md, "Summons".
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from turnwright.model.creature import Effect, SummonedGroup
from turnwright.model.encounter import Encounter, Participant, Summoning
from turnwright.model.state.overlay import World
from turnwright.rulesets.fifth_edition.fights.running import find_body
from turnwright.rulesets.fifth_edition.sheets.effect_list import effect_named, without_effect
from turnwright.rulesets.fifth_edition.targets import combatant, put_creature, put_participant, require_encounter

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.shapes import LeftReport


def settle_summons(world: World, encounter_id: str) -> list[LeftReport]:
    """Dismiss or turn hostile the summoned creatures whose spell ended, and those who fell; return a row for each.

    The current combatant leaves when its turn is over.
    """
    encounter = require_encounter(world, encounter_id)
    rows: list[LeftReport] = []
    for person in encounter.participants:
        if person.summoned is None:
            continue
        outcome = _outcome(world, encounter, person, person.summoned)
        if outcome is None or (outcome == "gone" and require_encounter(world, encounter_id).current.id == person.id):
            continue
        rows.append({"id": person.id, "spell": person.summoned.spell, "outcome": outcome})
        _carry_out(world, encounter_id, person, person.summoned, outcome)
    return rows


def _outcome(world: World, encounter: Encounter, person: Participant, said: Summoning) -> str | None:
    """Return how a summoned creature leaves now: gone, hostile, or stays without its summoner; None for no change."""
    body = find_body(world, person)
    if body is None:
        return None
    if body.is_dead or not body.hp:
        return "gone" if said.then != "stays" else None
    if said.ends_on == "damage" and body.hp < (body.max_hp or body.hp):
        return "gone"
    if held_by_source(world, encounter, said) is not None:
        return None
    is_over = said.until_round is not None and encounter.round >= said.until_round
    return "gone" if said.then == "hostile" and is_over else said.then


def held_by_source(world: World, encounter: Encounter, said: Summoning) -> Effect | None:
    """Return the effect on its summoner that keeps a creature in a fight, or None."""
    source = encounter.meant(said.source)
    body = find_body(world, source) if source is not None else None
    return effect_named(body, said.spell) if body is not None else None


def _carry_out(world: World, encounter_id: str, person: Participant, said: Summoning, outcome: str) -> None:
    if outcome == "gone":
        _count_off(world, encounter_id, said)
        _leave(world, encounter_id, person)
        return
    source = require_encounter(world, encounter_id).meant(said.source)
    is_enemy = person.is_enemy if outcome == "stays" or source is None else not source.is_enemy
    put_participant(world, encounter_id, person.replace(is_enemy=is_enemy, summoned=None))


def _count_off(world: World, encounter_id: str, said: Summoning) -> None:
    """Let the spell know of one creature less, so that it does not come into the next fight."""
    encounter = require_encounter(world, encounter_id)
    held, source = held_by_source(world, encounter, said), encounter.meant(said.source)
    if held is None or source is None:
        return
    creature = combatant(world, encounter, source)
    groups = tuple(_fewer(held.summons, said.monster))
    if groups:
        kept = tuple(held.replace(summons=groups) if each is held else each for each in creature.character.effects)
        put_creature(world, creature, creature.character.replace(effects=kept))
    else:
        put_creature(world, creature, without_effect(creature.character, held.effect_id).character)


def _fewer(groups: Iterable[SummonedGroup], monster: str) -> Iterable[SummonedGroup]:
    for group in groups:
        count = group.count - 1 if group.monster == monster else group.count
        if count > 0:
            yield group.replace(count=count)


def _leave(world: World, encounter_id: str, person: Participant) -> None:
    """Remove a creature from turn order; the current turn stays."""
    encounter = require_encounter(world, encounter_id)
    current = encounter.current.id
    left = tuple(
        each.replace(swallowed_by=None) if each.swallowed_by == person.id else each
        for each in encounter.participants
        if each.id != person.id
    )
    turn = next(place for place, each in enumerate(left) if each.id == current)
    world.put(encounter.replace(participants=left, turn_index=turn))


def groups_of(effects: Iterable[Effect]) -> list[tuple[Effect, SummonedGroup]]:
    """Return the creatures that effects bring into a fight, each with its effect."""
    return [(effect, group) for effect in effects for group in effect.summons]
