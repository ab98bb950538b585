"""Everybody a narration may speak of: who they are, how they fare and fared, where they are.

Source: docs/stages/4-conflicts.md, "What the checks look at".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from turnwright.model.character import Character
from turnwright.model.state.overlay import World
from turnwright.narration.facts import CallOutcome, Person
from turnwright.protocol.stage2_settings import TurnPolicy
from turnwright.rulesets.core.summary import FULL_UP_TO, people_at

if TYPE_CHECKING:  # what most campaigns have none of is imported where there is some
    from turnwright.model.encounter import Encounter, Participant


def cast_of(
    world: World, before: World, policy: TurnPolicy, calls: Sequence[CallOutcome], fights: Sequence[Encounter]
) -> tuple[Person, ...]:
    """Return everybody a narration may speak of.

    Args:
        world: the campaign after the calls.
        before: the campaign before them.
        policy: what holds for the turn.
        calls: what it did, and what the turns before did that it tells of.
        fights: those that go on.
    """
    people = _people(world, policy, calls)
    return (*_persons(world, before, policy, people), *_fighters(before, fights, people))


def hit_points(person: Character) -> tuple[int | None, int | None]:
    """Return the hit points that count now, and their maximum."""
    if person.max_hp is None:
        return person.hp, None
    from turnwright.rulesets.fifth_edition.sheets.derived_stats import (
        counted_hp,  # most campaigns of the core tools have no sheets
    )

    return counted_hp(person)


def position_of(world: World, policy: TurnPolicy) -> str | None:
    """Return the area in which the acting character is."""
    actor = world.character(policy.acting_id) if policy.acting_id else None
    return actor.position if actor else None


def _people(world: World, policy: TurnPolicy, calls: Sequence[CallOutcome]) -> dict[str, Character]:
    """Return the party, the people where the turn plays, those that the calls named, and those elsewhere."""
    found = {person.id: person for person in world.party()}
    actor = world.character(policy.acting_id) if policy.acting_id else None
    if actor and actor.position is not None:
        found |= {person.id: person for person in people_at(world, actor.position)}
    for call in calls:
        person = world.character(call.target) if call.target is not None else None
        if person:
            found.setdefault(person.id, person)
    if len(world.paths(Character.collection)) <= FULL_UP_TO:
        for person in world.characters():
            found.setdefault(person.id, person)
    return found


def _persons(world: World, before: World, policy: TurnPolicy, people: Mapping[str, Character]) -> Iterator[Person]:
    here = position_of(world, policy)
    was_here = position_of(before, policy)
    for person in people.values():
        earlier = before.character(person.id)
        hp, most = hit_points(person)
        is_away = None not in (person.position, here) and person.position not in (here, was_here)
        yield Person(
            person.id,
            person.name,
            person.state.value if person.state else None,
            earlier.state.value if earlier and earlier.state else None,
            hp,
            person.position if is_away and (earlier is None or earlier.position == person.position) else None,
            tuple(item.name for item in person.inventory),
            hit_points(earlier)[0] if earlier else None,
            most,
            frozenset(person.condition_names),
            tuple(item.quantity for item in person.inventory),
        )


def _fighters(before: World, fights: Sequence[Encounter], people: Mapping[str, Character]) -> Iterator[Person]:
    """Yield who takes part in a fight and is no character of the campaign."""
    for fight in fights:
        earlier = before.find(type(fight), fight.id)
        for participant in fight.participants:
            if participant.character_id is None and participant.id not in people and participant.body is not None:
                was = earlier.participant(participant.id) if earlier else None
                state_before = _state(was) if was and was.body else None
                hp, most = hit_points(participant.body)
                yield Person(
                    participant.id,
                    participant.name,
                    _state(participant),
                    state_before,
                    hp,
                    hp_was=hit_points(was.body)[0] if was and was.body else None,
                    max_hp=most,
                    conditions=frozenset(participant.body.condition_names),
                )


def _state(participant: Participant) -> str | None:
    body = participant.body
    return body.state.value if body and body.state else None
