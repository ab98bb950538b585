"""An area that a spell keeps up in a fight: where it lies, and what it does to who is in it.

The fight keeps all figures, so that it goes on and is read without the pack. Source: docs/content.md, "Lasting areas".
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from turnwright.model.base import Count, Flag, FrozenMap, Id, ListOf, Model, SafeInt, Text, is_empty, is_none
from turnwright.model.creature import AbilitySave, Blow, Ending, Multiplier
from turnwright.model.vocabulary import Ability, ConditionName, DamageType

ZoneMoment = Literal["appears", "enters", "turn_start", "turn_end", "rammed"]
ZoneShape = Literal["sphere", "cylinder", "cube", "line", "emanation", "wall", "ring"]


class ZoneSave(AbilitySave):
    """The save of who is in an area."""

    half: Flag = Field(default=False, exclude_if=is_empty, description="A success takes half the damage.")
    hard_for: ListOf[Text] = Field(default=(), exclude_if=is_empty, description="Kinds with disadvantage.")


class ZoneCondition(Model):
    """A condition that an area gives."""

    condition: ConditionName
    lasts: Flag = Field(default=False, exclude_if=is_empty, description="As long as the spell.")
    escape: ListOf[Ability] = Field(default=(), exclude_if=is_empty, description="Checks that free of it.")


class ZoneSpot(Model):
    """A square of the grid."""

    x: SafeInt
    y: SafeInt
    z: SafeInt = 0


class Zone(Model):
    """An area of a spell; it is there for as long as its source keeps the spell up."""

    id: Id
    spell: Annotated[Text, Field(min_length=1, max_length=200)]
    source: Id = Field(description="Who cast it.")
    level: Count
    shape: ZoneShape
    at: ZoneSpot = Field(description="Its point, or where its source was when it was last looked at.")
    toward: ZoneSpot | None = Field(default=None, exclude_if=is_none, description="Where it points, or ends.")
    size: Count
    width: Count = Field(default=5, exclude_if=lambda feet: feet == 5)
    height: Count = Field(default=0, exclude_if=is_empty)
    within: Count = Field(default=0, exclude_if=is_empty, description="Feet around it that belong to it.")
    side: Literal["left", "right", "inside", "outside"] | None = Field(default=None, exclude_if=is_none)
    acts: ListOf[ZoneMoment] = Field(default=(), exclude_if=is_empty)
    once_a_turn: Flag = Field(default=False, exclude_if=is_empty)
    spares_source: Flag = Field(default=False, exclude_if=is_empty)
    foes_only: Flag = Field(default=False, exclude_if=is_empty)
    only: ListOf[Id] = Field(default=(), exclude_if=is_empty, description="The only creatures it affects.")
    spares: ListOf[Id] = Field(default=(), exclude_if=is_empty, description="Creatures it spares.")
    save: ZoneSave | None = Field(default=None, exclude_if=is_none)
    damage: ListOf[Blow] = Field(default=(), exclude_if=is_empty)
    bound_damage: ListOf[Blow] = Field(default=(), exclude_if=is_empty, description="Of creatures it already holds.")
    step_damage: Blow | None = Field(default=None, exclude_if=is_none, description="For each 5 feet in it.")
    condition: ZoneCondition | None = Field(default=None, exclude_if=is_none)
    concentration_save: Ability | None = Field(default=None, exclude_if=is_none)
    takes_action: Flag = Field(default=False, exclude_if=is_empty)
    difficult: Flag = Field(default=False, exclude_if=is_empty)
    obscured: Literal["lightly", "heavily", "magical_darkness"] | None = Field(default=None, exclude_if=is_none)
    around_corners: Flag = Field(default=False, exclude_if=is_empty)
    cover: Literal["half", "three_quarters"] | None = Field(default=None, exclude_if=is_none)
    silent: Flag = Field(default=False, exclude_if=is_empty)
    move: Count = Field(default=0, exclude_if=is_empty)
    drift: Count = Field(default=0, exclude_if=is_empty)
    speed_factor: Multiplier | None = Field(default=None, exclude_if=is_none)
    roll_bonuses: FrozenMap[SafeInt] = Field(default_factory=dict, exclude_if=is_empty)
    immunities: ListOf[DamageType] = Field(default=(), exclude_if=is_empty)
    inside_condition: ConditionName | None = Field(default=None, exclude_if=is_none)
    damage_left: Count | None = Field(default=None, exclude_if=is_none, description="Until it is gone.")
    ends: Ending | None = Field(default=None, exclude_if=is_none)
    inside: ListOf[Id] = Field(default=(), exclude_if=is_empty, description="Who was in it last.")
    entered: ListOf[Id] = Field(default=(), exclude_if=is_empty, description="Who has entered it in this turn.")

    @property
    def lies_on_ground(self) -> bool:
        """Whether it stays where it is while its source moves."""
        return self.shape != "emanation"
