"""Validate fights and auras: report inconsistencies before a tool meets them.

Source: docs/stages/2-settings.md, "Hand edits".
"""

from __future__ import annotations

from collections.abc import Iterator

from turnwright.model.aura import Aura
from turnwright.model.character import fights_tag
from turnwright.model.dice.expression import DiceError, parse
from turnwright.model.encounter import Encounter, Participant
from turnwright.model.state.overlay import World
from turnwright.model.wire.reason import Problem
from turnwright.rulesets.fifth_edition.validation.sheets import sheet_problems, slot_problems
from turnwright.rulesets.validation import Edit, duplicates


def fight_problems(edit: Edit) -> Iterator[Problem]:
    """Yield the problems of edited fights, given the rest of the campaign."""
    for encounter in edit.documents(Encounter):
        yield from _encounter_problems(edit.world, encounter)


def aura_problems(edit: Edit) -> Iterator[Problem]:
    """Yield the problems of edited auras."""
    for aura in edit.documents(Aura):
        yield from _dice_problems(aura.path, "$.damage", aura.damage)
        yield from _dice_problems(aura.path, "$.healing", aura.healing)


def _encounter_problems(world: World, encounter: Encounter) -> Iterator[Problem]:
    people = encounter.participants
    if encounter.turn_index >= len(people):
        message = f"nobody has this place in an order of {len(people)}"
        yield Problem(encounter.path, "$.turn_index", "unknown_participant", message)
    taken: set[str] = set()
    for index, person in enumerate(people):
        where = f"$.participants[{index}]"
        for rule, message in _participant_faults(world, encounter, person, taken):
            yield Problem(encounter.path, where, rule, message)
        taken |= _names_of(person)
        own = [("stat_block", person.stat_block)]
        own += [("true_shape.stat_block", person.true_shape.stat_block)] if person.true_shape is not None else []
        for field, stat_block in own:
            if stat_block is not None and stat_block not in encounter.stat_blocks:
                message = f"{stat_block} is none of the stat blocks of this fight"
                yield Problem(encounter.path, f"{where}.{field}", "unknown_stat_block", message)
        if person.swallowed_by is not None and encounter.participant(person.swallowed_by) is None:
            message = f"{person.swallowed_by} takes no part in this fight"
            yield Problem(encounter.path, f"{where}.swallowed_by", "unknown_participant", message)
        if person.attached_to is not None and encounter.participant(person.attached_to) is None:
            message = f"{person.attached_to} takes no part in this fight"
            yield Problem(encounter.path, f"{where}.attached_to", "unknown_participant", message)
        yield from _body_problems(encounter, person, where)
        yield from _dice_problems(encounter.path, f"{where}.strike.damage", person.strike.damage)
    for index, hazard in enumerate(encounter.terrain.hazards):
        yield from _dice_problems(encounter.path, f"$.terrain.hazards[{index}].damage", hazard.damage)
    yield from duplicates(encounter.path, "$.props", "id", [prop.id for prop in encounter.props])


def _names_of(person: Participant) -> set[str]:
    return {person.id, person.character_id or person.id}


def _participant_faults(
    world: World, encounter: Encounter, person: Participant, taken: set[str]
) -> Iterator[tuple[str, str]]:
    """Yield rule and message of all faults of a participant."""
    if taken & _names_of(person):
        yield "duplicate_id", f"{person.id} takes part twice"
    body, linked = person.body, person.character_id
    if body is not None:
        if body.hp is None or body.max_hp is None:
            yield "no_sheet", f"{person.id} has no hit points with a maximum"
        if linked is not None and encounter.is_running:
            yield "two_bodies", f"{person.id} is the character {linked}, and so has no body of its own while it fights"
    elif linked is None or not encounter.is_running:
        yield "no_body", f"{person.id} has no body"
    else:
        yield from _character_faults(world, encounter, linked)


def _character_faults(world: World, encounter: Encounter, character_id: str) -> Iterator[tuple[str, str]]:
    character = world.character(character_id)
    if character is None:
        yield "unknown_character", f"there is no character {character_id}"
    elif character.hp is None or character.max_hp is None:
        yield "no_sheet", f"{character_id} has no hit points with a maximum, which a fight needs"
    fights = world.all_tagged(Encounter, fights_tag(character_id))
    elsewhere = [fight.id for fight in fights if fight.id != encounter.id]
    if elsewhere:
        yield "fights_twice", f"{character_id} fights in {elsewhere[0]}, too"


def _body_problems(encounter: Encounter, person: Participant, where: str) -> Iterator[Problem]:
    """Yield the problems of a participant's own body in a fight."""
    if person.body is not None:
        yield from sheet_problems(encounter.path, person.body, f"{where}.body")
    if person.remembered is not None:
        yield from slot_problems(encounter.path, person.remembered.spell_slots, f"{where}.remembered.spell_slots")


def _dice_problems(file: str, where: str, dice: str | None) -> Iterator[Problem]:
    try:
        if dice is not None:
            parse(dice)
    except DiceError as error:
        yield Problem(file, where, "dice", error.message)
