"""Arguments and results of `place_prop`. Source: docs/toolkit.md, "Space"."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from turnwright.model.base import Count, Flag, Id, ListOf, Model, SafeInt, Text, is_none
from turnwright.model.creature import Words
from turnwright.model.encounter import Dc, PropType
from turnwright.model.vocabulary import Cover
from turnwright.rulesets.fifth_edition.space._where import Spot, SpotResult
from turnwright.rulesets.references import Choice, DiceText, NewName, PropId, RunningEncounterId
from turnwright.rulesets.toolkit import ToolkitArgs

Operation = Annotated[
    Literal["place", "remove", "update", "move", "list"],
    Choice(
        synonyms={
            "place": ("add", "create", "put", "set"),
            "remove": ("delete", "take away"),
            "update": ("change", "edit", "modify"),
            "move": ("push", "drag"),
            "list": ("get", "show", "list all"),
        }
    ),
]
TypeWord = Annotated[
    PropType,
    Choice(
        synonyms={
            "barrel": ("keg", "cask"),
            "crate": ("box",),
            "chest": ("coffer", "strongbox"),
            "door": ("gate", "hatch"),
            "lever": ("switch",),
            "pillar": ("column",),
            "statue": ("sculpture", "idol"),
            "table": ("desk", "bench"),
            "chair": ("stool", "seat", "throne"),
            "altar": ("shrine",),
            "trap": ("snare",),
            "obstacle": ("barrier", "wall", "boulder"),
            "custom": ("other", "misc"),
        }
    ),
]


class PlacePropArgs(ToolkitArgs):
    """Arguments of `place_prop`."""

    only_for: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "prop_id": ("place", "remove", "update", "move"),
        "position": ("place", "update", "move"),
        "name": ("place", "update"),
        "type": ("place", "update"),
        "state": ("place", "update"),
        "locked": ("place", "update"),
        "lock_dc": ("place", "update"),
        "cover_type": ("place", "update"),
        "blocks_movement": ("place", "update"),
        "destructible": ("place", "update"),
        "hp": ("place", "update"),
        "ac": ("place", "update"),
        "size": ("place", "update"),
        "description": ("place", "update"),
        "hidden": ("place", "update"),
        "trap_dc": ("place", "update"),
        "trap_damage": ("place", "update"),
        "trigger": ("place", "update"),
    }
    needs: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "place": ("name", "type", "position"),
        "remove": ("prop_id",),
        "update": ("prop_id",),
        "move": ("prop_id", "position"),
    }

    operation: Operation = Field(default="place", description="place, remove, update, move or list props.")
    encounter_id: RunningEncounterId = Field(description="The fight.")
    prop_id: PropId | None = Field(default=None, description="The prop, by id or name: for remove, update and move.")
    name: NewName | None = Field(default=None, description="Its display name.")
    type: TypeWord | None = Field(default=None, description="Its kind.")
    position: Spot | None = Field(default=None, description="Its square, or the square it is moved to.")
    state: Words | None = Field(default=None, description="Its state: open, closed, lit, on.")
    locked: Flag | None = Field(default=None, description="Whether it is locked.")
    lock_dc: Dc | None = Field(default=None, description="How hard the lock is to open, 1 to 30.")
    cover_type: Cover | None = Field(default=None, description="The cover it gives; default: none.")
    blocks_movement: Flag | None = Field(default=None, description="Whether its square cannot be entered.")
    destructible: Flag | None = Field(default=None, description="Whether it can be destroyed; true when hp is given.")
    hp: SafeInt | None = Field(default=None, description="Its hit points; at 0 it neither covers nor blocks.")
    ac: Dc | None = Field(default=None, description="How hard it is to hit, 1 to 30.")
    size: Text | None = Field(default=None, max_length=200, description="How large it is, in words.")
    description: Words | None = Field(default=None, description="What one sees.")
    hidden: Flag | None = Field(default=None, description="Whether it has to be found first.")
    trap_dc: Dc | None = Field(default=None, description="How hard a trap is to find or escape, 1 to 30.")
    trap_damage: DiceText | None = Field(default=None, description="Damage dice of a trap, such as 2d6.")
    trigger: Words | None = Field(default=None, description="What sets a trap off.")


class PropResult(Model):
    """A prop as it is now; a broken one neither covers nor blocks."""

    prop_id: Id
    name: Text
    type: Text
    position: SpotResult
    state: Text | None
    locked: Flag
    lock_dc: SafeInt | None
    cover_type: Cover
    blocks_movement: Flag
    destructible: Flag
    hp: SafeInt | None
    ac: SafeInt | None
    size: Text | None
    description: Text | None
    hidden: Flag
    trap_dc: SafeInt | None
    trap_damage: Text | None
    trigger: Text | None
    broken: Flag


class MovedResult(Model):
    """The old and the new position."""

    from_: SpotResult = Field(alias="from")
    to: SpotResult


class PlacePropResult(Model):
    """The prop, or all props of the fight; its parts depend on the operation."""

    prop: PropResult | None = Field(default=None, exclude_if=is_none)
    props: ListOf[PropResult] | None = Field(default=None, exclude_if=is_none)
    count: Count = Field(description="How many props there are in the fight now.")
    moved: MovedResult | None = Field(default=None, exclude_if=is_none)
