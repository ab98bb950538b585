"""The targets of a call, and where their changes are stored: in a character's document, or in the fight alone.

Source: docs/toolkit.md, "Names" and "One world".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import NamedTuple

from turnwright.model.base import name_tag
from turnwright.model.character import Character, fights_tag
from turnwright.model.encounter import MAX_NAME_LENGTH, NO_OVERRIDES, Encounter, Participant
from turnwright.model.state.overlay import World
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.core.people import ambiguous, not_found, require_character
from turnwright.rulesets.fifth_edition.fights.running import find_body
from turnwright.rulesets.fifth_edition.sheets.derived_stats import Effective, effective
from turnwright.rulesets.fifth_edition.space.grid.space import Body, Grid, Square
from turnwright.rulesets.reference_lookup import CANDIDATES, character_ids, replace_person


class Creature(NamedTuple):
    """A creature as a tool sees it now.

    Attributes:
        id: the id in results: the participant's id in a fight, else the character's.
        character: its values; for an ephemeral participant, its body.
        encounter_id: the running fight it is in, or None.
        participant_id: its id in the fight.
    """

    id: str
    character: Character
    encounter_id: str | None = None
    participant_id: str | None = None

    @property
    def label(self) -> str:
        """The display name."""
        return self.character.label


# finding


def require_encounter(world: World, identifier: str) -> Encounter:
    """Return a fight, running or ended."""
    found = world.find(Encounter, identifier)
    if found is None:
        raise not_found(world, "encounter", "args.encounter_id", identifier)
    return found


def require_running(world: World, identifier: str) -> Encounter:
    """Return a running fight; one that has ended can only be read."""
    encounter = require_encounter(world, identifier)
    if not encounter.is_running:
        repair = hint.ask("args.encounter_id", identifier, CANDIDATES["running_encounter"](world))
        raise CallFailed(Reason.CONFLICT, f"{identifier} has ended", repair)
    return encounter


def require_participant(
    world: World, encounter: Encounter, identifier: str | None, name: str | None = None, field: str = "actor"
) -> Participant:
    """Return the participant that an id or a name means: of the participant, else of the character behind it."""
    people = encounter.participants
    wanted = identifier if identifier is not None else name
    if wanted is None:
        repair = hint.ask_for(f"args.{field}_id", [person.id for person in people])
        raise CallFailed(Reason.INVALID_ARGS, f"args.{field}_id: is required", repair)
    found = [person for person in people if identifier is not None and identifier in (person.id, person.character_id)]
    if identifier is None:
        found = [person for person in people if name_tag(person.name) == name_tag(wanted)]
    if len(found) == 1:
        if identifier is not None and name is not None and name_tag(found[0].name) != name_tag(name):
            repair = hint.ask(f"args.{field}_name", name, [found[0].name])
            raise CallFailed(Reason.INVALID_ARGS, f"{identifier} is not {name}", repair)
        return found[0]
    key = f"args.{field}_id" if identifier is not None else f"args.{field}_name"
    if found:
        raise ambiguous(
            key, wanted, [person.id for person in found], f"args.{field}_id" if identifier is None else None
        )
    if identifier is not None:
        here = {person.id: person.id for person in people if name_tag(person.name) == name_tag(wanted)}
        ids = [person.id for person in people]
        repair = (
            hint.identifier(key, wanted, ids, here) if here else replace_person(world, key, wanted, ids, [encounter])
        )
    else:
        repair = hint.name(key, wanted, [person.name for person in people])
    raise CallFailed(Reason.NOT_FOUND, f"{wanted} takes no part in {encounter.id}", repair)


def require_creature(
    world: World, identifier: str | None, name: str | None, encounter_id: str | None, field: str = "target"
) -> Creature:
    """Return the participant or character that is meant; with a fight, its participants are tried first."""
    if encounter_id is None:
        return creature_of(world, require_character(world, identifier, name, field))
    encounter = require_running(world, encounter_id)
    try:
        return combatant(world, encounter, require_participant(world, encounter, identifier, name, field))
    except CallFailed as failure:
        if failure.reason is not Reason.NOT_FOUND:
            raise
        try:
            return creature_of(world, require_character(world, identifier, name, field))
        except CallFailed as elsewhere:
            if elsewhere.reason is not Reason.NOT_FOUND:
                raise elsewhere from None
        if identifier is not None:
            known = dict.fromkeys([*(person.id for person in encounter.participants), *character_ids(world)])
            repair = replace_person(world, f"args.{field}_id", identifier, known, [encounter])
            raise failure.replace(hints=[repair]) from None
        raise


def creature_of(world: World, character: Character) -> Creature:
    """Return a character, with the running fight it is in."""
    encounter = fight_of(world, character.id)
    if encounter is None:
        return Creature(character.id, character)
    person = next(person for person in encounter.participants if person.character_id == character.id)
    return Creature(person.id, character, encounter.id, person.id)


def combatant(world: World, encounter: Encounter, person: Participant) -> Creature:
    """Return a participant with the values they have now."""
    return Creature(person.id, body_of(world, person), encounter.id, person.id)


def fighters(world: World, encounter: Encounter) -> list[Creature]:
    """Return all participants of a fight, in the order of their turns."""
    return [combatant(world, encounter, person) for person in encounter.participants]


def body_of(world: World, person: Participant) -> Character:
    """Return the values of a participant: the linked character's, or its own body."""
    body = find_body(world, person)
    if body is None:
        raise LookupError(f"{person.id} is nobody")
    return body


def fight_of(world: World, character_id: str) -> Encounter | None:
    """Return the running fight that a character is in, or None."""
    found = world.all_tagged(Encounter, fights_tag(character_id))
    return found[0] if found else None


# their values, and changes of them


def participant_of(world: World, creature: Creature) -> Participant | None:
    """Return a creature's participant in its fight as it is now, or None outside a fight."""
    encounter = world.find(Encounter, creature.encounter_id) if creature.encounter_id else None
    return encounter.participant(creature.participant_id or "") if encounter else None


def now(world: World, creature: Creature) -> Effective:
    """Return a creature's effective values, including those that apply only in its fight."""
    person = participant_of(world, creature)
    return effective(creature.character, person.overrides if person else NO_OVERRIDES)


def is_ephemeral(world: World, creature: Creature) -> bool:
    """Return whether a creature exists only in its fight."""
    person = participant_of(world, creature)
    return person is not None and person.body is not None


def reload(world: World, creature: Creature) -> Creature:
    """Return a creature with its current values."""
    person = participant_of(world, creature)
    if person is not None:
        return creature._replace(character=body_of(world, person))
    character = world.character(creature.character.id)
    return creature._replace(character=character) if character else creature


def put_creature(world: World, creature: Creature, character: Character) -> Creature:
    """Store a changed target in its document, and return it."""
    person = participant_of(world, creature)
    after = creature._replace(character=character)
    if person is None or person.body is None:
        world.put(character)
    if person is not None:
        own = person if person.body is None else person.replace(body=character)
        own = _following(world, after, own, creature.character)
        if character.is_dead and own.true_shape is not None:
            own = in_true_shape(own)
            after = after._replace(character=own.body or character)
        if own is not person:
            put_participant(world, creature.encounter_id or "", own)
    return after


def in_true_shape(person: Participant) -> Participant:
    """Return a creature in its true shape, as at death; used spell slots stay used."""
    true, body = person.true_shape, person.body
    if true is None or body is None:
        return person
    spent = body.sheet.spell_slots if body.sheet is not None and body.sheet.spell_slots else true.sheet.spell_slots
    return person.replace(
        stat_block=true.stat_block,
        body=body.replace(sheet=true.sheet.replace(spell_slots=spent)),
        strike=true.strike,
        save_bonuses=true.save_bonuses,
        true_shape=None,
    )


def _following(world: World, creature: Creature, person: Participant, before: Character) -> Participant:
    """Return a target's place in a fight as it follows from a change: name, square and dodge."""
    character = creature.character
    if character.label != before.label:
        person = person.replace(name=name_in_fight(character))
    if character.sheet != before.sheet:
        person = _on_grid(world, creature, person)
    if person.dodging and not effective(character, person.overrides).speed.effective:
        person = person.replace(dodging=False)
    return person


def name_in_fight(character: Character) -> str:
    """Return a character's name in a fight."""
    return character.label[:MAX_NAME_LENGTH]


def _on_grid(world: World, creature: Creature, person: Participant) -> Participant:
    """Return a creature that has outgrown the edge of the grid, moved back onto it by the least distance."""
    terrain, at = require_encounter(world, creature.encounter_id or "").terrain, person.position
    body = Body(Square(at.x, at.y, at.z), effective(creature.character, person.overrides).size)
    x, y, _ = Grid(terrain.width, terrain.height).nearest(body)
    return person if (x, y) == (at.x, at.y) else person.replace(position=at.replace(x=x, y=y))


def put_participant(world: World, encounter_id: str, person: Participant) -> None:
    """Store a target's changed place in a fight."""
    encounter = world.find(Encounter, encounter_id)
    if encounter is None:
        raise LookupError(f"{encounter_id} is not there")
    world.put(encounter.with_participant(person))


def count_conditions(world: World, creature: Creature, names: Collection[str]) -> None:
    """Count the conditions that a creature got in the running fight."""
    encounter = world.find(Encounter, creature.encounter_id) if creature.encounter_id else None
    if encounter is not None and names:
        counts = Counter(encounter.conditions_applied) + Counter(names)
        world.put(encounter.replace(conditions_applied=counts))


def require_sheet(creature: Creature, what: str) -> Character:
    """Return the character of a creature with a sheet; the caller's operation needs one."""
    if creature.character.max_hp is None:
        raise CallFailed(Reason.RULE_VIOLATION, f"{creature.id} has no sheet, which {what} needs")
    return creature.character


# failures
