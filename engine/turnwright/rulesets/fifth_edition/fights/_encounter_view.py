"""A fight as `get_encounter` shows it, as much of it as is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from turnwright.model.base import ABSENT, Count, Flag, Id, ListOf, Model, SafeInt, Text, is_none
from turnwright.model.creature import DeathSaves
from turnwright.model.encounter import (
    Encounter,
    Hazard,
    Outcome,
    Participant,
    Prop,
    SquareKey,
    TimedTerrain,
)
from turnwright.model.sheet import Senses
from turnwright.model.state.overlay import World
from turnwright.model.vocabulary import ConditionName, DamageType, Lighting, Size, Verbosity
from turnwright.model.zone import Zone, ZoneShape, ZoneSpot
from turnwright.rulesets.fifth_edition.fights._economy import EconomyShown, shown_economy
from turnwright.rulesets.fifth_edition.fights._end_report import StatisticsView, statistics_view
from turnwright.rulesets.fifth_edition.fights._terrain import squares_of
from turnwright.rulesets.fifth_edition.fights._threat.report import Threat
from turnwright.rulesets.fifth_edition.fights._views import (
    CreatureStatus,
    Named,
    Place,
    Source,
    named,
    source_of,
    standard_row,
    summary_row,
)
from turnwright.rulesets.fifth_edition.magic._auras import auras_of
from turnwright.rulesets.fifth_edition.targets import combatant, now
from turnwright.rulesets.fifth_edition.zones import lying

if TYPE_CHECKING:
    from turnwright.model.aura import Aura


class ConditionView(Model):
    """A condition and how it ends."""

    condition: Text
    source: Text | None
    duration: SafeInt | Text | None
    rounds_remaining: Count | None
    save_dc: SafeInt | None
    save_ability: Text | None
    exhaustion_level: Count | None


class ReadiedView(Model):
    """A readied action."""

    trigger: Text
    action: Text


class ParticipantView(Model):
    """A participant of a fight; verbosity sets how much is shown."""

    id: Id
    name: Text
    hp_percent: Count = Field(description="Of the maximum, rounded.")
    is_current: Flag
    status: CreatureStatus
    initiative: SafeInt | None = ABSENT
    hp: Count | None = ABSENT
    max_hp: Count | None = ABSENT
    ac: Count | None = ABSENT
    is_enemy: Flag | None = ABSENT
    conditions: ListOf[Text] | None = ABSENT
    position: Place | None = ABSENT
    death_saves: DeathSaves | None = Field(default=None, exclude_if=is_none, description="Shown at 0 HP.")
    source: Source | None = ABSENT
    character_id: Id | None = ABSENT
    temp_hp: Count | None = ABSENT
    speed: Count | None = ABSENT
    size: Size | None = ABSENT
    resistances: ListOf[DamageType] | None = ABSENT
    immunities: ListOf[DamageType] | None = ABSENT
    vulnerabilities: ListOf[DamageType] | None = ABSENT
    condition_immunities: ListOf[ConditionName] | None = ABSENT
    senses: Senses | None = ABSENT
    condition_details: ListOf[ConditionView] | None = ABSENT
    concentration: Text | None = Field(default=None, exclude_if=is_none, description="The spell.")
    surprised: Flag | None = ABSENT
    dodging: Flag | None = ABSENT
    hidden: Flag | None = ABSENT
    readied: ReadiedView | None = ABSENT
    helped_by: ListOf[Id] | None = ABSENT
    economy: EconomyShown | None = ABSENT
    statistics: StatisticsView | None = ABSENT


class TerrainView(Model):
    """The terrain of a fight."""

    obstacles: ListOf[SquareKey]
    difficult_terrain: ListOf[SquareKey]
    water: ListOf[SquareKey]
    hazards: ListOf[SquareKey]
    width: Count | None = ABSENT
    height: Count | None = ABSENT
    hazard_details: ListOf[Hazard] | None = ABSENT
    timed: ListOf[TimedTerrain] | None = ABSENT


class AuraView(Model):
    """An aura that is bound to the fight; the radius in feet."""

    aura_id: Id
    owner_id: Id
    spell_name: Text
    radius: Count
    rounds_remaining: Count | None


class AreaView(Model):
    """An area that a spell keeps up in the fight; sizes in feet."""

    spell: Text
    source_id: Id
    shape: ZoneShape
    at: ZoneSpot
    toward: ZoneSpot | None = ABSENT
    size: Count
    difficult: Flag
    obscured: Text | None = ABSENT


class GetEncounterResult(Model):
    """A fight, of which the verbosity says how much is shown; or, beforehand, how hard one would be."""

    encounter_id: Id | None = ABSENT
    status: Literal["running", "ended"] | None = ABSENT
    round: Count | None = ABSENT
    current_turn: Named | None = Field(default=None, description="Null when the fight has ended.")
    participant_count: Count | None = ABSENT
    outcome: Outcome | None = Field(default=None, exclude_if=is_none, description="Of a fight that has ended.")
    participants: ListOf[ParticipantView] | None = Field(
        default=None, exclude_if=is_none, description="In the order of their turns."
    )
    turn_index: Count | None = ABSENT
    terrain: TerrainView | None = ABSENT
    areas: ListOf[AreaView] | None = Field(default=None, exclude_if=is_none, description="Areas that spells keep up.")
    lighting: Lighting | None = ABSENT
    auras: ListOf[AuraView] | None = ABSENT
    props: ListOf[Prop] | None = ABSENT
    actions: ListOf[dict[str, Any]] | None = Field(
        default=None, exclude_if=is_none, description="The last 20, oldest first."
    )
    notes: Text | None = ABSENT
    threat: Threat | None = Field(default=None, exclude_if=is_none, description="Of `monsters` that the call names.")


def view(world: World, encounter: Encounter, verbosity: Verbosity) -> GetEncounterResult:
    """Return a fight as it is shown; one that has ended is shown no less than `standard`."""
    is_standard = verbosity in ("standard", "detailed") or not encounter.is_running
    shown: dict[str, Any] = {
        "encounter_id": encounter.id,
        "status": encounter.status,
        "round": encounter.round,
        "current_turn": named(encounter.current) if encounter.is_running else None,
        "participant_count": len(encounter.participants),
    }
    if not encounter.is_running:
        shown |= {"outcome": encounter.outcome, "notes": encounter.notes}
    if is_standard or verbosity == "summary":
        people = encounter.participants
        shown["participants"] = [_participant(world, encounter, person, verbosity) for person in people]
    if is_standard:
        shown |= {"turn_index": encounter.turn_index, "terrain": _terrain(encounter, verbosity == "detailed")}
    if is_standard and encounter.zones:
        shown["areas"] = [_area(zone) for zone in lying(world, encounter)]
    if verbosity == "detailed":
        shown["lighting"] = encounter.lighting
        shown["auras"] = [_aura(aura) for aura in auras_of(world, encounter.id)]
        shown |= {"props": encounter.props, "actions": [dict(action) for action in encounter.actions]}
    return GetEncounterResult.model_validate(shown)


def _participant(world: World, encounter: Encounter, person: Participant, verbosity: Verbosity) -> ParticipantView:
    creature = combatant(world, encounter, person)
    values = now(world, creature)
    if verbosity == "summary" and encounter.is_running:
        return ParticipantView.model_validate(summary_row(encounter, person, creature, values).as_written)
    shown = dict(standard_row(encounter, person, creature, values).as_written)
    if verbosity == "detailed":
        character = creature.character
        held = character.concentration
        shown |= {
            "source": source_of(person),
            "character_id": person.character_id,
            "temp_hp": character.temp_hp,
            "speed": values.speed.effective,
            "size": values.size,
            "resistances": sorted(values.resistances),
            "immunities": sorted(values.immunities),
            "vulnerabilities": sorted(values.vulnerabilities),
            "condition_immunities": sorted(values.condition_immunities),
            "senses": values.senses,
            "condition_details": [
                {name: getattr(condition, name) for name in ConditionView.model_fields}
                for condition in character.conditions
            ],
            "concentration": held.spell_name if held else None,
            "surprised": person.surprised,
            "dodging": person.dodging,
            "hidden": person.hidden,
            "readied": {"trigger": person.readied.trigger, "action": person.readied.action} if person.readied else None,
            "helped_by": [each.helper_id for each in person.helped],
            "economy": shown_economy(world, person),
            "statistics": statistics_view(person.statistics),
        }
    return ParticipantView.model_validate(shown)


def _terrain(encounter: Encounter, is_detailed: bool) -> TerrainView:
    terrain = encounter.terrain
    shown: dict[str, Any] = {
        "obstacles": terrain.obstacles,
        "difficult_terrain": terrain.difficult_terrain,
        "water": terrain.water,
        "hazards": squares_of(terrain, "hazard"),
    }
    if is_detailed:
        shown |= {"width": terrain.width, "height": terrain.height}
        shown |= {"hazard_details": terrain.hazards, "timed": terrain.timed}
    return TerrainView.model_validate(shown)


def _area(zone: Zone) -> AreaView:
    return AreaView(
        spell=zone.spell,
        source_id=zone.source,
        shape=zone.shape,
        at=zone.at,
        toward=zone.toward,
        size=zone.size,
        difficult=zone.difficult,
        obscured=zone.obscured,
    )


def _aura(aura: Aura) -> AuraView:
    left = aura.duration if aura.rounds_remaining is None else aura.rounds_remaining
    return AuraView(
        aura_id=aura.id,
        owner_id=aura.owner_id,
        spell_name=aura.spell_name,
        radius=aura.radius,
        rounds_remaining=left,
    )
