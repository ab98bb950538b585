"""Conditions that involve two creatures: frightened, charmed and grappled, each with its source.

Source: SRD 5.1, "Appendix PH-A: Conditions"; docs/toolkit.md, "Conditions".
"""

from __future__ import annotations

from collections.abc import Callable

from turnwright.model.base import name_tag
from turnwright.model.character import Character
from turnwright.model.encounter import Encounter, Participant
from turnwright.model.state.overlay import World
from turnwright.rulesets.fifth_edition.battlefield import can_see, feet_between, is_down, values_of
from turnwright.rulesets.fifth_edition.condition_list import found, without_condition
from turnwright.rulesets.fifth_edition.fights.traits import attack_of
from turnwright.rulesets.fifth_edition.targets import body_of, combatant, put_creature, require_encounter

_REACH = 5


def source_among(encounter: Encounter, source: str | None) -> Participant | None:
    """Return the participant that the source of a condition names: by id, the character's id or the name.

    The id of a character that was deleted in the fight still means the body it left there.
    """
    if source is None:
        return None
    people = encounter.participants
    by_name = (person for person in people if name_tag(person.name) == name_tag(source))
    return encounter.meant(source) or next(by_name, None)


def fear_in_sight(world: World, encounter: Encounter, person: Participant) -> bool:
    """Return whether a creature sees the source of its fear; a source outside the fight counts as seen."""
    feared = frightened_of(world, encounter, person)
    return feared is None or can_see(world, encounter, person, feared)


def frightened_of(world: World, encounter: Encounter, person: Participant) -> Participant | None:
    """Return the creature in the fight that frightens another, or None."""
    return _source_of(world, encounter, person, "frightened")


def charmer_of(world: World, encounter: Encounter, person: Participant) -> Participant | None:
    """Return the creature in the fight that has charmed another, or None."""
    return _source_of(world, encounter, person, "charmed")


def holder_of(world: World, encounter: Encounter, person: Participant) -> Participant | None:
    """Return the creature in the fight that grapples another, or None."""
    return _source_of(world, encounter, person, "grappled")


def held_by(world: World, encounter: Encounter, holder: Participant) -> list[Participant]:
    """Return the creatures that a creature grapples, in the order of their turns."""
    return [
        person
        for person in encounter.participants
        if person.id != holder.id and (own := holder_of(world, encounter, person)) is not None and own.id == holder.id
    ]


def hand_reach(person: Participant) -> int:
    """Return a creature's reach without a weapon, in feet."""
    return _REACH if person.strike.reach is None else person.strike.reach


def grappled(world: World, encounter: Encounter) -> list[str]:
    """Return the ids of grappled creatures, in the order of their turns."""
    return [person.id for person in encounter.participants if found(body_of(world, person), "grappled") is not None]


def release_broken_grapples(world: World, encounter_id: str) -> list[str]:
    """End the grapples whose grappler is incapacitated, down or out of reach; return the freed creatures.

    A grapple with a duration is held by a spell or the like, and ends with it.
    """
    encounter = require_encounter(world, encounter_id)
    return _freed(world, encounter_id, lambda holder, held: not _holds(world, encounter, holder, held))


def loosen_grips_of_ephemerals(world: World, encounter_id: str) -> None:
    """End the grapples by creatures that cease to exist when the fight ends."""
    _freed(world, encounter_id, lambda holder, _: holder.body is not None)


def _freed(world: World, encounter_id: str, is_let_go: Callable[[Participant, Participant], bool]) -> list[str]:
    """End the grapples for which `is_let_go(holder, held)` is true; return the freed creatures."""
    encounter = require_encounter(world, encounter_id)
    freed = []
    for person in encounter.participants:
        held = found(body_of(world, person), "grappled")
        holder = source_among(encounter, held.source) if held is not None and held.duration is None else None
        if holder is not None and is_let_go(holder, person):
            creature = combatant(world, encounter, person)
            put_creature(world, creature, let_go(creature.character))
            freed.append(person.id)
    return freed


def let_go(character: Character) -> Character:
    """Return a creature without a grapple, and without the restraint of the same grapple."""
    held = found(character, "grappled")
    freed = without_condition(character, "grappled").character
    bound = found(freed, "restrained")
    is_same_grip = held is not None and bound is not None and bound.escape_dc is not None
    return without_condition(freed, "restrained").character if is_same_grip else freed


def _holds(world: World, encounter: Encounter, holder: Participant, held: Participant) -> bool:
    character = body_of(world, holder)
    if character.is_dead or is_down(character) or values_of(world, holder).impairment.incapacitated:
        return False
    return feet_between(world, holder, held) <= max(hand_reach(holder), _grip_reach(encounter, holder))


def _grip_reach(encounter: Encounter, holder: Participant) -> int:
    """Return the reach of a stat block's grappling attacks; 0 without any."""
    actions = (encounter.block_of(holder) or {}).get("actions", ())
    return max(
        (attack_of(each).get("reach", 0) for each in actions if "grapple" in each and "attack" in each), default=0
    )


def _source_of(world: World, encounter: Encounter, person: Participant, name: str) -> Participant | None:
    condition = found(body_of(world, person), name)
    return source_among(encounter, condition.source) if condition else None
