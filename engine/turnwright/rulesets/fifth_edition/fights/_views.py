"""A fight as results show it: the current turn, the participants, and what each has left of a turn."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from turnwright.model.base import Count, Flag, Id, ListOf, Model, SafeInt, Text, is_none
from turnwright.model.creature import Condition, DeathSaves
from turnwright.model.encounter import Encounter, Participant, Position, Terrain
from turnwright.model.state.overlay import World
from turnwright.model.vocabulary import Size
from turnwright.rulesets.fifth_edition.damage import status_of
from turnwright.rulesets.fifth_edition.fights._terrain import squares_of
from turnwright.rulesets.fifth_edition.sheets.derived_stats import Effective
from turnwright.rulesets.fifth_edition.targets import Creature, combatant, now

CreatureStatus = Literal["ok", "bloodied", "critical", "down", "dead"]
Source = Literal["persistent", "ephemeral"]


class Named(Model):
    """A combatant, by id and name."""

    id: Id
    name: Text


class Place(Model):
    """A square, in squares from the upper left corner; z is the height."""

    x: SafeInt
    y: SafeInt
    z: SafeInt


class OrderRow(Model):
    """One place in the order of turns."""

    id: Id
    name: Text
    initiative: SafeInt
    natural: SafeInt = Field(description="The face of the d20 that counted.")
    given: Flag | None = Field(default=None, exclude_if=is_none, description="It was rolled at the table.")
    bonus: SafeInt
    hp: Count
    max_hp: Count
    ac: Count
    position: Place
    is_enemy: Flag
    size: Size
    speed: Count = Field(description="Feet a turn.")
    surprised: Flag
    source: Source = Field(description="`persistent`: it is a character; `ephemeral`: it exists in this fight alone.")
    character_id: Id | None


class TerrainCounts(Model):
    """How large the grid is, and how many squares are of each kind."""

    width: Count
    height: Count
    obstacles: Count
    difficult_terrain: Count
    water: Count
    hazards: Count


class SummaryRow(Model):
    """A participant of a fight, in short."""

    id: Id
    name: Text
    hp_percent: Count = Field(description="Of the maximum, rounded.")
    is_current: Flag
    status: CreatureStatus


class StandardRow(SummaryRow):
    """A participant of a fight."""

    initiative: SafeInt
    hp: Count
    max_hp: Count
    ac: Count
    is_enemy: Flag
    conditions: ListOf[Text]
    position: Place
    death_saves: DeathSaves | None = Field(default=None, exclude_if=is_none, description="Shown at 0 HP.")


def named(person: Participant) -> Named:
    """Return a combatant by id and name."""
    return Named(id=person.id, name=person.name)


def place(position: Position) -> Place:
    """Return a position with its height, 0 or not."""
    return Place(x=position.x, y=position.y, z=position.z)


def order_row(world: World, encounter: Encounter, person: Participant) -> OrderRow:
    """Return a combatant's place in turn order."""
    creature = combatant(world, encounter, person)
    values = now(world, creature)
    return OrderRow(
        id=person.id,
        name=person.name,
        initiative=person.initiative,
        natural=person.natural,
        given=person.initiative_given or None,
        bonus=person.initiative_bonus,
        hp=values.hp,
        max_hp=values.max_hp.effective,
        ac=values.ac.effective,
        position=place(person.position),
        is_enemy=person.is_enemy,
        size=values.size,
        speed=values.speed.effective,
        surprised=person.surprised,
        source=source_of(person),
        character_id=person.character_id,
    )


def summary_row(encounter: Encounter, person: Participant, creature: Creature, values: Effective) -> SummaryRow:
    """Return a participant in short."""
    hp, most = values.hp, values.max_hp.effective
    return SummaryRow(
        id=person.id,
        name=person.name,
        hp_percent=(200 * hp + most) // (2 * most),
        is_current=is_current(encounter, person),
        status=status_of(creature),
    )


def standard_row(encounter: Encounter, person: Participant, creature: Creature, values: Effective) -> StandardRow:
    """Return a participant with the details that most readers need."""
    character = creature.character
    return StandardRow.model_validate(
        {
            **summary_row(encounter, person, creature, values).as_written,
            "initiative": person.initiative,
            "hp": values.hp,
            "max_hp": values.max_hp.effective,
            "ac": values.ac.effective,
            "is_enemy": person.is_enemy,
            "conditions": condition_names(character.conditions),
            "position": place(person.position),
            "death_saves": character.death_saves if character.hp == 0 else None,
        }
    )


def terrain_counts(terrain: Terrain) -> TerrainCounts:
    """Return how much terrain there is of each kind."""
    return TerrainCounts(
        width=terrain.width,
        height=terrain.height,
        obstacles=len(terrain.obstacles),
        difficult_terrain=len(terrain.difficult_terrain),
        water=len(terrain.water),
        hazards=len(squares_of(terrain, "hazard")),
    )


def condition_names(conditions: tuple[Condition, ...]) -> list[str]:
    """Return the names of conditions in the order in which they came, each once whatever brought it."""
    return list(dict.fromkeys(condition.condition for condition in conditions))


def is_current(encounter: Encounter, person: Participant) -> bool:
    """Return whether it is a participant's turn; False in a fight that has ended."""
    return encounter.is_running and encounter.current.id == person.id


def source_of(person: Participant) -> Source:
    """Return whether a participant is a character or exists in the fight alone."""
    return "ephemeral" if person.character_id is None else "persistent"
