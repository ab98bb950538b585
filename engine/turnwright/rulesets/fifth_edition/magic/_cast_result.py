"""The result of `cast_spell`."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from turnwright.model.base import ABSENT, Count, Flag, FreeMap, Id, ListOf, Model, SafeInt, Text, is_empty, is_none
from turnwright.model.encounter import Position
from turnwright.rulesets.fifth_edition.damage import ConcentrationCheck
from turnwright.rulesets.fifth_edition.fights._action_result import (
    AreaRow,
    AttackShown,
    DamageShown,
    LeftRow,
    SaveShown,
    SlotShown,
    TargetHp,
)
from turnwright.rulesets.fifth_edition.fights._economy import EconomyShown
from turnwright.rulesets.fifth_edition.fights._monsters import MonsterRow
from turnwright.rulesets.fifth_edition.triggers import TriggerRow


class HealingShown(Model):
    """Hit points that a spell gives back."""

    expression: Text
    rolls: ListOf[SafeInt]
    raw: SafeInt
    gained: Count = Field(description="Hit points really regained.")


class DispelCheck(Model):
    """The caster's check to end a spell of a higher level."""

    dc: SafeInt
    natural: SafeInt
    total: SafeInt
    success: Flag


class CounteredShown(Model):
    """The result of a spell that waited for this one."""

    by: Id = Field(description="The caster of that spell.")
    check: DispelCheck | None = Field(default=None, exclude_if=is_none, description="Absent where none was needed.")
    success: Flag


class DispelledShown(Model):
    """A spell that lasted on a creature, and whether it was ended."""

    spell: Text
    level: Count
    check: DispelCheck | None = Field(default=None, exclude_if=is_none, description="Absent where none was needed.")
    ended: Flag


class DetectedShown(Model):
    """A creature that a spell found, and what it found out."""

    id: Id
    signs: ListOf[Text]


class LocatedShown(Model):
    """The location of a creature or an object."""

    found: Flag
    feet: Count | None = ABSENT
    direction: Text | None = ABSENT
    location: Text | None = Field(default=None, exclude_if=is_none, description="Outside of a fight.")


class OmenShown(Model):
    """Whether an answer is right, as often as its caster has asked since the last long rest."""

    castings: Count
    chance: Count = Field(description="In percent, that it goes wrong.")
    rolled: SafeInt | None = ABSENT
    goes_wrong: Flag


class CrossingShown(Model):
    """A message to another plane, and whether it got there."""

    rolled: SafeInt
    is_lost: Flag


class NewRace(Model):
    """The race of a new body."""

    rolled: SafeInt
    race: Text


class SpellTargetRow(Model):
    """The effect of the spell, or of one of several rays, on one target."""

    target_id: Id
    unaffected: Text | None = Field(default=None, exclude_if=is_none, description="Why it does not affect the target.")
    save: SaveShown | None = ABSENT
    attack: AttackShown | None = ABSENT
    damage: DamageShown | None = Field(default=None, exclude_if=is_none, description="Its only or first part.")
    further_damage: ListOf[DamageShown] = Field(default=(), exclude_if=is_empty, description="Its other parts.")
    healing: HealingShown | None = ABSENT
    temp_hp: Count | None = ABSENT
    conditions: ListOf[Text] = Field(default=(), exclude_if=is_empty, description="Conditions that it gave.")
    effect: Text | None = Field(default=None, exclude_if=is_none, description="The effect that it left on them.")
    ended: ListOf[Text] = Field(default=(), exclude_if=is_empty, description="Conditions that it ended.")
    dispelled: ListOf[DispelledShown] | None = Field(
        default=None, exclude_if=is_none, description="Of a spell that ends others: those that lasted on them."
    )
    caster_healed: Count | None = Field(default=None, exclude_if=is_none, description="Hit points the caster regained.")
    position: Position | None = Field(default=None, exclude_if=is_none, description="Where they were moved to.")
    detected: ListOf[DetectedShown] | None = Field(
        default=None, exclude_if=is_none, description="Of a spell that finds what is around its caster."
    )
    located: LocatedShown | None = ABSENT
    omen: OmenShown | None = Field(
        default=None, exclude_if=is_none, description="How sure an answer is: for the game master alone."
    )
    crossing: CrossingShown | None = ABSENT
    new_race: NewRace | None = ABSENT
    target_hp: TargetHp | None = ABSENT
    target_status: Literal["dead", "down", "critical", "bloodied", "ok"] | None = ABSENT
    target_conditions: ListOf[Text]


class CastSpellResult(Model):
    """The result of the spell."""

    action_type: Literal["cast_spell"] = "cast_spell"
    actor: Id = Field(description="The caster.")
    spell: Text
    spell_id: Id = Field(description="The id of the entry.")
    tier: Literal["full", "partly"] = Field(description="How much of the entry the engine executes.")
    level: SafeInt = Field(description="The level it is cast at; 0 is a cantrip.")
    slot: SlotShown | None = Field(description="The slot that was spent.")
    cost: Text = Field(description="The time that casting takes.")
    target: Id | None = Field(description="The first target.")
    targets: ListOf[SpellTargetRow]
    pool: Count | None = Field(default=None, exclude_if=is_none, description="Hit points that it affects, as rolled.")
    concentration: Flag = Field(description="Whether the caster concentrates on it now.")
    rounds: Count | None = Field(description="How long it lasts.")
    previous_spell: Text | None = Field(
        default=None, exclude_if=is_none, description="The spell concentrated on before."
    )
    countered: CounteredShown | None = Field(
        default=None, exclude_if=is_none, description="Another spell that met this one; where it succeeded, no more."
    )
    figures: FreeMap = Field(
        default_factory=dict, exclude_if=is_empty, description="Figures of the entry that the table plays out."
    )
    summoned: ListOf[MonsterRow] | None = Field(
        default=None, exclude_if=is_none, description="Summoned creatures, with their own initiative."
    )
    left: ListOf[LeftRow] | None = Field(
        default=None, exclude_if=is_none, description="Creatures summoned by spells that ended."
    )
    played_out: ListOf[Text] = Field(
        default=(), exclude_if=is_empty, description="Parts of the spell that are text: play them out."
    )
    materials: FreeMap | None = Field(
        default=None, exclude_if=is_none, description="Costly components that its caster must have, or uses up."
    )
    not_executed: ListOf[Text] = Field(
        default=(), exclude_if=is_empty, description="Parts the engine did not execute: the table decides."
    )
    areas: ListOf[AreaRow] | None = Field(
        default=None, exclude_if=is_none, description="Effects of lasting areas on creatures the spell moved into them."
    )
    triggered: ListOf[TriggerRow] | None = Field(
        default=None, exclude_if=is_none, description="Effects whose text you should play out now."
    )
    concentration_checks: ListOf[ConcentrationCheck] = Field(
        default=(), exclude_if=is_empty, description="Saves of casters who were hurt."
    )
    economy: EconomyShown | None = Field(default=None, exclude_if=is_none, description="In a fight: what is left.")
