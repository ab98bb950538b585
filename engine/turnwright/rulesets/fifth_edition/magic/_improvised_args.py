"""Arguments and results of `synthesize_spell`."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from turnwright.model.base import Count, Flag, Id, ListOf, Model, SafeInt, Text, is_none
from turnwright.model.creature import Rounds, Words
from turnwright.model.sheet import Feet
from turnwright.model.vocabulary import Ability, AoeShape, ConditionName, DamageType, RollMode, School
from turnwright.rulesets.fifth_edition.damage import ConcentrationCheck
from turnwright.rulesets.fifth_edition.magic._caster import ONE_FACE, TWO_FACES, ManualRolls
from turnwright.rulesets.fifth_edition.magic.improvised import Outcome
from turnwright.rulesets.references import (
    D20,
    Choice,
    DiceText,
    Name,
    NewName,
    NewWords,
    ParticipantId,
    RunningEncounterId,
)
from turnwright.rulesets.toolkit import ToolkitArgs

EffectType = Annotated[
    Literal["damage", "healing", "control", "utility", "summon"],
    Choice(
        synonyms={
            "damage": ("attack", "harm", "hurt", "offense"),
            "healing": ("heal", "cure", "restore"),
            "control": ("condition", "debuff", "restrain", "hamper"),
            "utility": ("other", "support", "buff", "ward"),
            "summon": ("conjure", "summoning", "call"),
        }
    ),
]


class SpellEffect(Model):
    """The effect of a spell."""

    type: EffectType = Field(description="damage wants damage, healing wants healing.")
    damage: Annotated[DiceText, Field(examples=["2d6"])] | None = Field(default=None, description="Dice of damage.")
    damage_type: DamageType | None = Field(default=None, description="The type of that damage.")
    healing: Annotated[DiceText, Field(examples=["2d6"])] | None = Field(default=None, description="Dice of healing.")
    condition: ConditionName | None = Field(default=None, description="The condition of its targets.")


class SpellArea(Model):
    """Where a spell acts."""

    shape: AoeShape = Field(description="sphere, cone, cube, line or cylinder.")
    size: Annotated[int, Field(strict=True, ge=1, le=10_000, examples=[15])] = Field(
        description="Feet: its radius, its length or its side."
    )


class SpellSave(Model):
    """The saving throw that a spell requires."""

    ability: Ability = Field(description="The ability it is made with.")
    dc: Annotated[int, Field(strict=True, ge=1, le=100)] | None = Field(
        default=None, description="The DC. Default: the caster's spell save DC."
    )


class ProposedSpell(Model):
    """A spell as the caster imagines it."""

    name: NewName = Field(description="Its name.")
    level: Annotated[int, Field(strict=True, ge=1, le=9)] = Field(
        description="How strong it is, 1 to 9: decides the DC, the slot and how bad a mishap is."
    )
    school: School | None = Field(default=None, description="Its school of magic.")
    effect: Annotated[SpellEffect, Field(examples=[{"type": "utility"}])] = Field(description="Its effect.")
    range: Feet | None = Field(default=None, description="Feet; 0 for the caster or a touch.")
    area: SpellArea | None = Field(default=None, description="Where it acts, if it fills an area.")
    saving_throw: SpellSave | None = Field(default=None, description="The saving throw of its targets.")
    concentration: Flag = Field(default=False, description="Whether the caster must concentrate on it.")
    duration: Rounds | Words | None = Field(default=None, description="Rounds, or in words.")


class Circumstance(Model):
    """Something that makes the magic easier or harder."""

    why: NewName = Field(description="The reason.")
    modifier: Annotated[int, Field(strict=True, ge=-5, le=5)] = Field(
        description="Added to the DC: above 0 makes it harder, below 0 easier."
    )


class SynthesizeSpellArgs(ToolkitArgs):
    """Arguments of `synthesize_spell`."""

    caster_id: ParticipantId | None = Field(default=None, description="The caster: a character or a participant.")
    caster_name: Name | None = Field(default=None, description="The caster's name, in place of caster_id.")
    intent: NewWords = Field(description="What the caster wants to happen.")
    proposed_spell: ProposedSpell = Field(description="The spell that would do it.")
    encounter_id: RunningEncounterId | None = Field(
        default=None, description="The fight, when the caster exists in it alone."
    )
    circumstances: ListOf[Circumstance] = Field(
        default=(), max_length=5, description="Circumstances, each with its modifier of the DC."
    )
    reckless: Flag = Field(default=False, description="Roll with advantage, but any failure is a mishap.")
    roll_mode: RollMode = Field(default="normal", description="Advantage or disadvantage besides the caster's own.")
    manual_roll: D20 | None = Field(default=None, description=ONE_FACE)
    manual_rolls: ManualRolls = Field(default=(), description=TWO_FACES)
    expend_slot: Flag = Field(
        default=True, description="Spend a slot of the spell's level, whatever the outcome; only with a sheet."
    )


class RolledEffect(SpellEffect):
    """What a spell does, with its dice rolled; the totals are null where there are none or the magic failed."""

    damage_rolls: ListOf[ListOf[SafeInt]] = Field(description="Every roll of the damage dice; the best one counts.")
    damage_total: Count | None
    healing_rolls: ListOf[ListOf[SafeInt]]
    healing_total: Count | None


class SpellResult(Model):
    """The spell as it turned out."""

    name: Text
    level: SafeInt
    school: School | None
    effect: RolledEffect
    range: Count | None
    area: SpellArea | None
    saving_throw: SpellSave | None
    concentration: Flag
    duration: Rounds | Words | None


class SlotSpent(Model):
    """The slot that was spent."""

    level: SafeInt
    remaining: Count
    pact: Flag


class SynthesizeSpellResult(Model):
    """The outcome."""

    caster: Id
    dc: SafeInt
    circumstances: ListOf[Circumstance]
    natural: SafeInt
    rolls: ListOf[SafeInt]
    mode: Text
    bonus: SafeInt
    total: SafeInt
    margin: SafeInt
    outcome: Outcome
    mishap_damage: Count | None = Field(description="Damage to the caster, after resistances; null without a mishap.")
    spell: SpellResult
    slot: SlotSpent | None
    previous_spell: Text | None = Field(description="The spell concentrated on before, which ended for this one.")
    concentration_check: ConcentrationCheck | None = Field(default=None, exclude_if=is_none)
