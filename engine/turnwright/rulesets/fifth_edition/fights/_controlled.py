"""Turns that a spell decides: orders that are obeyed, and confusion.

Source: SRD 5.1, "Spell Descriptions"; docs/content.md, "Control".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnwright.model.creature import Condition, Confusion, Effect
from turnwright.model.encounter import Participant
from turnwright.model.state.overlay import World
from turnwright.rulesets.fifth_edition.battlefield import feet_between, living, values_of
from turnwright.rulesets.fifth_edition.belongings.equipment import with_hands_empty
from turnwright.rulesets.fifth_edition.conditions import afflict
from turnwright.rulesets.fifth_edition.fights._weapons import melee_of
from turnwright.rulesets.fifth_edition.rolls import is_out_of_sight
from turnwright.rulesets.fifth_edition.targets import (
    Creature,
    combatant,
    put_creature,
    put_participant,
    require_encounter,
)
from turnwright.rulesets.tool import Context

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.shapes import LastingReport
_DIRECTIONS = ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west")


def begin_controlled_turn(world: World, encounter_id: str, person_id: str, ctx: Context) -> list[LastingReport]:
    """Begin a turn that a spell controls, and return what the spell makes of it."""
    rows: list[LastingReport] = []
    for effect in _creature(world, encounter_id, person_id).character.effects:
        if effect.order is not None:
            rows.append(_obey(world, encounter_id, person_id, effect.name, effect.order, ctx))
        if effect.confusion is not None:
            rows.append(_confused(world, encounter_id, person_id, effect, effect.confusion, ctx))
    return rows


def _obey(world: World, encounter_id: str, person_id: str, name: str, order: str, ctx: Context) -> LastingReport:
    row: LastingReport = {"target_id": person_id, "name": name, "outcome": order}
    if order == "drop":
        creature = _creature(world, encounter_id, person_id)
        after, dropped = with_hands_empty(creature.character)
        if dropped:
            put_creature(world, creature, after)
            row["dropped"] = [item.name for item in dropped]
    if order == "grovel":
        afflict(world, _creature(world, encounter_id, person_id), Condition(condition="prone"), ctx)
    _spend(world, encounter_id, person_id, moves=order in ("approach", "flee"))
    return row


def _confused(
    world: World, encounter_id: str, person_id: str, effect: Effect, said: Confusion, ctx: Context
) -> LastingReport:
    person = _person(world, encounter_id, person_id)
    hidden = is_out_of_sight(person)
    face = ctx.dice.draw(10, f"{person_id}, {effect.name}", hidden=hidden)
    row: LastingReport = {"target_id": person_id, "name": effect.name, "natural": face}
    put_participant(world, encounter_id, person.replace(economy=person.economy.replace(reaction=True)))
    if face <= said.wanders:
        direction = ctx.dice.draw(8, f"direction of {person_id}", hidden=hidden)
        _spend(world, encounter_id, person_id, moves=True)
        return {**row, "outcome": "wanders", "direction": _DIRECTIONS[direction - 1]}
    if face <= said.stands:
        _spend(world, encounter_id, person_id, moves=False)
        return {**row, "outcome": "stands"}
    if face > said.strikes:
        return {**row, "outcome": "acts"}
    near = _within_reach(world, encounter_id, person_id)
    if not near:
        _spend(world, encounter_id, person_id, moves=False)
        return {**row, "outcome": "stands"}
    chosen = ctx.dice.draw(len(near), f"whom {person_id} strikes", hidden=hidden) if len(near) > 1 else 1
    return {**row, "outcome": "strikes", "at": near[chosen - 1]}


def _within_reach(world: World, encounter_id: str, person_id: str) -> list[str]:
    encounter, person = require_encounter(world, encounter_id), _person(world, encounter_id, person_id)
    reach = melee_of(world, person).reach
    return [each.id for each in living(world, encounter, {person_id}) if feet_between(world, person, each) <= reach]


def _spend(world: World, encounter_id: str, person_id: str, *, moves: bool) -> None:
    """Spend the actions of a turn, and its movement too unless the creature moves."""
    person = _person(world, encounter_id, person_id)
    economy = person.economy.replace(action=True, bonus_action=True)
    if not moves:
        economy = economy.replace(movement=values_of(world, person).speed.effective)
    put_participant(world, encounter_id, person.replace(economy=economy))


def _person(world: World, encounter_id: str, person_id: str) -> Participant:
    person = require_encounter(world, encounter_id).participant(person_id)
    assert person is not None
    return person


def _creature(world: World, encounter_id: str, person_id: str) -> Creature:
    return combatant(world, require_encounter(world, encounter_id), _person(world, encounter_id, person_id))
