"""Arguments and results of `manage_aura`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from turnwright.model.aura import Aura
from turnwright.model.base import Count, Flag, Id, ListOf, Model, SafeInt, Text, is_none
from turnwright.model.creature import Rounds, Words
from turnwright.model.json_types import JsonObject
from turnwright.model.vocabulary import Ability, ConditionName, DamageType
from turnwright.rulesets.fifth_edition.damage import ConcentrationCheck
from turnwright.rulesets.fifth_edition.rolls import SaveResult
from turnwright.rulesets.references import (
    D20,
    AuraId,
    Choice,
    DiceText,
    Name,
    NewName,
    ParticipantId,
    RunningEncounterId,
)
from turnwright.rulesets.toolkit import ToolkitArgs

Operation = Annotated[
    Literal["create", "list", "process", "remove"],
    Choice(
        synonyms={
            "create": ("add", "new", "make", "start"),
            "list": ("get", "show", "view", "query"),
            "process": ("apply", "trigger", "run", "tick", "resolve"),
            "remove": ("end", "delete", "dismiss", "stop", "clear"),
        }
    ),
]
Feet = Annotated[int, Field(strict=True, ge=0, le=1_000_000)]
GivenFaces = Annotated[ListOf[Annotated[int, Field(strict=True, ge=1, le=1000)]], Field(max_length=200, examples=[[]])]


class AuraTarget(Model):
    """A target that an aura may reach."""

    target_id: ParticipantId = Field(description="A participant or a character; others are only computed.")
    distance: Feet | None = Field(
        default=None, description="Feet from the owner; required unless positions in a fight tell it."
    )
    save_modifier: Annotated[int, Field(strict=True, ge=-100, le=100)] | None = Field(
        default=None, description="Its save modifier, in place of its own."
    )


class ManualSave(Model):
    """A save that was rolled on a real table."""

    target_id: ParticipantId
    roll: D20 = Field(description="The face of the d20.")


class ManageAuraArgs(ToolkitArgs):
    """Arguments of `manage_aura`."""

    only_for: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "spell_name": ("create",),
        "radius": ("create",),
        "duration": ("create",),
        "damage": ("create",),
        "damage_type": ("create",),
        "healing": ("create",),
        "condition": ("create",),
        "effect": ("create",),
        "save_dc": ("create",),
        "save_ability": ("create",),
        "half_on_save": ("create",),
        "affects_enemies": ("create",),
        "affects_allies": ("create",),
        "affects_self": ("create",),
        "aura_id": ("process", "remove"),
        "owner_id": ("create", "list"),
        "owner_name": ("create", "list"),
        "targets": ("process",),
        "decrement_duration": ("process",),
        "reason": ("remove",),
    }
    needs: ClassVar[Mapping[str, tuple[str, ...]]] = {"create": ("spell_name", "radius"), "remove": ("aura_id",)}

    operation: Operation = Field(
        description="create an aura around a creature, list auras, process one now, or remove it."
    )
    aura_id: AuraId | None = Field(
        default=None, description="For process and remove. Process without it does all auras of encounter_id."
    )
    owner_id: ParticipantId | None = Field(default=None, description="For create: the creature inside; filters a list.")
    owner_name: Name | None = Field(default=None, description="The owner by name, in place of owner_id.")
    encounter_id: RunningEncounterId | None = Field(
        default=None, description="Binds the aura to a fight, whose positions decide who is near; filters a list."
    )
    spell_name: NewName | None = Field(default=None, description="For create: its spell.")
    radius: Annotated[int, Field(strict=True, ge=1, le=10_000, examples=[10])] | None = Field(
        default=None, description="For create: how far it reaches, in feet."
    )
    duration: Rounds | None = Field(default=None, description="For create: rounds. Left out: until it is removed.")
    damage: DiceText | None = Field(default=None, description="For create: dice of damage, rolled once for all.")
    damage_type: DamageType | None = Field(default=None, description="For create: the type of that damage.")
    healing: DiceText | None = Field(default=None, description="For create: dice of healing, rolled once for all.")
    condition: ConditionName | None = Field(
        default=None, description="For create: what targets get that fail the save, or all targets without a save."
    )
    effect: Words | None = Field(default=None, description="For create: anything else it does, in words.")
    save_dc: Annotated[int, Field(strict=True, ge=1, le=100, examples=[13])] | None = Field(
        default=None, description="For create: the DC of the save; with save_ability."
    )
    save_ability: Ability | None = Field(default=None, description="For create: the ability of that saving throw.")
    half_on_save: Flag = Field(default=False, description="For create: a success halves the damage, not cancels it.")
    affects_enemies: Flag | None = Field(
        default=None, description="For create; left out: true with damage or a condition."
    )
    affects_allies: Flag | None = Field(
        default=None, description="For create; left out: true unless it deals damage or gives a condition."
    )
    affects_self: Flag = Field(default=False, description="For create: whether it touches its owner.")
    targets: Annotated[ListOf[AuraTarget], Field(max_length=100)] | None = Field(
        default=None, description="For process: its targets. Required outside a fight; in one, all by default."
    )
    decrement_duration: Flag = Field(
        default=False, description="For process: take a round off; advance_turn does that by itself."
    )
    manual_damage_rolls: GivenFaces = Field(default=(), description="For process: faces of the damage dice, in order.")
    manual_healing_rolls: GivenFaces = Field(
        default=(), description="For process: faces of the healing dice, in order."
    )
    manual_save_rolls: ListOf[ManualSave] = Field(
        default=(), max_length=100, description="For process: saves that were rolled on a real table."
    )
    reason: Words | None = Field(default=None, description="For remove: why.")


class AuraResult(Model):
    """An aura as it is."""

    aura_id: Id
    owner_id: Id
    spell_name: Text
    radius: Count
    encounter_id: Id | None
    duration: Count | None
    rounds_remaining: Count | None
    damage: Text | None
    damage_type: DamageType | None
    healing: Text | None
    condition: ConditionName | None
    effect: Text | None
    save_dc: Count | None
    save_ability: Ability | None
    half_on_save: Flag
    affects_enemies: Flag
    affects_allies: Flag
    affects_self: Flag


class AuraRow(Model):
    """The effect of an aura on one target."""

    aura_id: Id
    target_id: Id
    in_range: Flag
    save: SaveResult | None
    damage_rolled: SafeInt | None
    damage_applied: SafeInt = Field(description="After save and resistances, before temporary hit points.")
    healing: SafeInt = Field(description="Hit points regained.")
    condition: Literal["applied", "resisted"] | None
    hp: Count | None = Field(default=None, exclude_if=is_none, description="Hit points now.")
    concentration_check: ConcentrationCheck | None = Field(default=None, exclude_if=is_none)


class ManageAuraResult(Model):
    """The aura, and the results for those it reached."""

    operation: Text
    aura_id: Id | None
    aura: AuraResult | None = Field(description="As it is now; null when it was removed or when there are several.")
    auras: ListOf[AuraResult] = Field(description="For list, all that match; for process, those that continue.")
    results: ListOf[AuraRow]
    skipped: ListOf[Id] = Field(description="Targets that the aura does not affect, or that are dead.")
    remaining: Count | None = Field(description="Rounds left of the one aura; null when it is not counted.")
    expired: Flag = Field(description="Whether an aura ran out.")
    removed: Flag = Field(description="Whether an aura was removed.")
    reason: Text | None


def shown(aura: Aura) -> JsonObject:
    """Return an aura as results hold it."""
    names = [name for name in AuraResult.model_fields if name != "aura_id"]
    return {"aura_id": aura.id, **{name: getattr(aura, name) for name in names}}
