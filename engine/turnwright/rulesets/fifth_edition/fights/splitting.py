"""Creatures that some blows divide: a smaller one of each half, with half of the hit points that are left.

Source: SRD 5.1, "Oozes" (Split); docs/content.md, "Traits that the dice know".
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from turnwright.model.base import is_empty
from turnwright.model.encounter import NO_USE, Economy, Encounter, Participant, Statistics
from turnwright.model.state.overlay import World
from turnwright.model.vocabulary import DamageType
from turnwright.rulesets.fifth_edition.battlefield import body_on_grid, free_near, position_of, values_of
from turnwright.rulesets.fifth_edition.fights.executable import splits
from turnwright.rulesets.fifth_edition.fights.traits import figures
from turnwright.rulesets.fifth_edition.space.grid.space import SIZES
from turnwright.rulesets.fifth_edition.targets import Creature, participant_of, require_encounter

if TYPE_CHECKING:
    from turnwright.model.content_shapes import BlockPart, PartFigures, StatBlock

_ANYWHERE = 60
"""Feet within which the other half finds room."""


def splitting_of(block: StatBlock | None) -> BlockPart | None:
    """Return the reaction of a stat block that divides its creature, or None."""
    return next((each for each in (block or {}).get("reactions", ()) if splits(each)), None)


def split(world: World, creature: Creature, kinds: Collection[DamageType | None]) -> tuple[str, ...]:
    """Divide a creature that was subjected to these types of damage, if it reacts so; return that in words."""
    person = participant_of(world, creature)
    encounter = world.find(Encounter, creature.encounter_id or "")
    part = splitting_of(encounter.block_of(person)) if encounter and person else None
    if encounter is None or person is None or part is None or not _can_split(world, person, figures(part), kinds):
        return ()
    body = person.body
    assert body is not None
    half, size = (body.hp or 0) // 2, SIZES[SIZES.index(values_of(world, person).size) - 1]
    smaller = person.replace(
        body=body.replace(hp=half, max_hp=half),
        overrides=person.overrides.replace(size=size),
        economy=person.economy.replace(reaction=True),
    )
    own_space = body_on_grid(world, person)
    world.put(encounter.with_participant(smaller))
    encounter = require_encounter(world, encounter.id)
    at = free_near(world, encounter, own_space, own_space._replace(size=size), _ANYWHERE)
    if at is None:
        world.put(encounter.with_participant(person))
        return (f"{person.id}, {part['name']}: there is no room for another one",)
    other = _other_half(encounter, smaller, half).replace(position=position_of(at))
    place = encounter.participants.index(smaller) + 1
    people = (*encounter.participants[:place], other, *encounter.participants[place:])
    index = encounter.turn_index + int(encounter.turn_index >= place)
    world.put(encounter.replace(participants=people, turn_index=index))
    return (f"{person.id}, {part['name']}: {other.id} at {at.x},{at.y}, {size} as itself, {half} hit points each",)


def _can_split(world: World, person: Participant, said: PartFigures, kinds: Collection[DamageType | None]) -> bool:
    values = values_of(world, person)
    is_able = not person.economy.reaction and not values.impairment.incapacitated
    is_large = SIZES.index(values.size) >= SIZES.index(said["min_size"])
    return is_able and is_large and values.hp >= said["min_hp"] and bool(set(kinds) & {*said["on_damage"]})


def _other_half(encounter: Encounter, person: Participant, half: int) -> Participant:
    """Return the other half of a creature: with a name of its own, and no conditions or effects of the first."""
    taken = {name for each in encounter.participants for name in (*each.ids, each.name)}
    base_id, base_name = _base(person.id, "-"), _base(person.name, " ")
    number = next(n for n in range(2, len(taken) + 3) if not {f"{base_id}-{n}", f"{base_name} {n}"} & taken)
    assert person.body is not None
    name, identifier = f"{base_name} {number}", f"{base_id}-{number}"
    kept = {"id": identifier, "hp": half, "max_hp": half, "conditions": (), "effects": (), "concentration": None}
    body = person.body.replace(**kept, **({} if is_empty(person.body.name) else {"name": name}))
    return person.replace(
        id=identifier,
        name=name,
        body=body,
        split_from=person.id,
        economy=Economy(reaction=True),
        block_use=NO_USE,
        helped=(),
        statistics=Statistics(),
        swallowed_by=None,
        attached_to=None,
    )


def _base(name: str, before: str) -> str:
    """Return a name without the number that tells several apart."""
    start, _, number = name.rpartition(before)
    return start if start and number.isdecimal() else name
