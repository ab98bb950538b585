"""The outcome of a fight for each participant, in numbers and names.

Source: docs/toolkit.md, "Fights".
"""

from __future__ import annotations

from typing import Any, Literal

from turnwright.model.base import Count, Flag, FrozenMap, Id, ListOf, Model, SafeInt, Text
from turnwright.model.character import Character
from turnwright.model.encounter import Encounter, Participant, Remembered, Statistics
from turnwright.rulesets.fifth_edition.fights._views import condition_names
from turnwright.rulesets.fifth_edition.sheets.derived_stats import effective

EndStatus = Literal["alive", "down", "stable", "dead"]
_PACT = "pact"


class StatisticsView(Model):
    """A combatant's damage, healing and other totals of a fight."""

    damage_dealt: Count
    damage_taken: Count
    healing_done: Count
    attacks_made: Count
    attacks_hit: Count


class HpChange(Model):
    """Hit points when the fight began and when it ended."""

    initial: Count
    final: Count
    delta: SafeInt


class ConditionsChange(Model):
    """Conditions when the fight began and when it ended, by name."""

    initial: ListOf[Text]
    added: ListOf[Text]
    removed: ListOf[Text]
    final: ListOf[Text]


class Expended(Model):
    """Spell slots that are gone: of a spell level, or `pact` slots."""

    level: SafeInt | Literal["pact"]
    count: Count


class SlotsChange(Model):
    """Spell slots spent."""

    expended: ListOf[Expended]


class ParticipantUpdate(Model):
    """The outcome of a fight for one combatant."""

    participant_id: Id
    character_id: Id | None
    name: Text
    is_ephemeral: Flag
    hp: HpChange
    conditions: ConditionsChange
    spell_slots: SlotsChange
    statistics: StatisticsView


class ParticipantSummary(Model):
    """A combatant's state at the end of a fight, and its totals."""

    id: Id
    name: Text
    status: EndStatus
    hp: Count
    max_hp: Count
    damage_dealt: Count
    damage_taken: Count
    healing_done: Count
    attacks_made: Count
    attacks_hit: Count


class Summary(Model):
    """A fight in numbers."""

    total_damage_dealt: Count
    total_healing_done: Count
    attacks_made: Count
    attacks_hit: Count
    conditions_applied: FrozenMap[Count]
    most_effective: Text | None
    participants: ListOf[ParticipantSummary]


def update(person: Participant) -> ParticipantUpdate:
    """Return the outcome of a closed fight for one combatant."""
    body, before = _body(person), person.remembered
    final = effective(body).hp
    initial = effective(body.replace(hp=before.hp, conditions=before.conditions)).hp if before else final
    first = condition_names(before.conditions if before else ())
    last = condition_names(body.conditions)
    return ParticipantUpdate(
        participant_id=person.id,
        character_id=person.character_id,
        name=person.name,
        is_ephemeral=person.character_id is None,
        hp=HpChange(initial=initial, final=final, delta=final - initial),
        conditions=ConditionsChange(
            initial=tuple(first),
            added=tuple(name for name in last if name not in first),
            removed=tuple(name for name in first if name not in last),
            final=tuple(last),
        ),
        spell_slots=SlotsChange(expended=tuple(_expended(body, before))),
        statistics=statistics_view(person.statistics),
    )


def summary(encounter: Encounter) -> Summary:
    """Return a closed fight in numbers."""
    people = encounter.participants
    best = max(people, key=lambda person: person.statistics.damage_dealt)
    return Summary(
        total_damage_dealt=sum(person.statistics.damage_dealt for person in people),
        total_healing_done=sum(person.statistics.healing_done for person in people),
        attacks_made=sum(person.statistics.attacks_made for person in people),
        attacks_hit=sum(person.statistics.attacks_hit for person in people),
        conditions_applied=encounter.conditions_applied,
        most_effective=best.name if best.statistics.damage_dealt else None,
        participants=tuple(_summary_of(person) for person in people),
    )


def _summary_of(person: Participant) -> ParticipantSummary:
    body = _body(person)
    values = effective(body, person.overrides)
    shown: dict[str, Any] = {"id": person.id, "name": person.name, "status": end_status(body)}
    shown |= {"hp": values.hp, "max_hp": values.max_hp.effective}
    return ParticipantSummary.model_validate({**shown, **statistics_view(person.statistics).as_written})


def end_status(body: Character) -> EndStatus:
    """Return a combatant's state at the end of a fight."""
    if body.is_dead:
        return "dead"
    if (body.hp or 0) > 0:
        return "alive"
    return "stable" if body.death_saves is not None and body.death_saves.stable else "down"


def _body(person: Participant) -> Character:
    if person.body is None:
        raise LookupError(f"{person.id} has no body; the fight is not closed")
    return person.body


def statistics_view(kept: Statistics) -> StatisticsView:
    """Return a combatant's totals, zeros included."""
    return StatisticsView.model_validate({name: getattr(kept, name) for name in StatisticsView.model_fields})


def _expended(body: Character, before: Remembered | None) -> list[Expended]:
    if before is None or body.sheet is None:
        return []
    slots, pact = body.sheet.spell_slots, body.sheet.pact_slots
    found = [
        Expended(level=int(level), count=pool.current - slots[level].current)
        for level, pool in before.spell_slots.items()
        if level in slots and pool.current > slots[level].current
    ]
    if before.pact_slots is not None and pact is not None and before.pact_slots > pact.current:
        found.append(Expended(level=_PACT, count=before.pact_slots - pact.current))
    return found
