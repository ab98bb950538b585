"""Arguments and results of `calculate_movement`. Source: docs/toolkit.md, "Space"."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from turnwright.model.base import Count, Flag, Id, ListOf, Model, SafeInt, is_none
from turnwright.model.encounter import Side, SquareKey
from turnwright.model.vocabulary import DiagonalRule
from turnwright.rulesets.fifth_edition.space._where import Spot
from turnwright.rulesets.fifth_edition.space.grid.ground import Status
from turnwright.rulesets.references import Choice, CombatantId, EncounterId
from turnwright.rulesets.toolkit import ToolkitArgs

Mode = Annotated[
    Literal["path", "reach", "adjacent"],
    Choice(
        synonyms={
            "path": ("route", "way", "find path", "pathfinding"),
            "reach": ("reachable", "range", "movement range"),
            "adjacent": ("neighbors", "neighbours", "beside", "next to"),
        }
    ),
]


class CalculateMovementArgs(ToolkitArgs):
    """Arguments of `calculate_movement`."""

    operation_key: ClassVar[str] = "mode"
    needs: ClassVar[Mapping[str, tuple[str, ...]]] = {"path": ("to_position",)}
    only_for: ClassVar[Mapping[str, tuple[str, ...]]] = {
        **dict.fromkeys(("to_position", "ignore_opportunity_attacks"), ("path",)),
        **dict.fromkeys(
            ("movement_remaining", "creatures_block", "ignore_difficult_terrain", "diagonal_rule"), ("path", "reach")
        ),
    }
    also: ClassVar[Mapping[str, str]] = {
        "from": "from_position",
        "to": "to_position",
        "movement": "movement_remaining",
    }

    mode: Mode = Field(
        default="path",
        description="path: the cheapest way to a square. reach: every square in reach. adjacent: the adjacent squares.",
    )
    from_position: Spot | None = Field(
        default=None, description="The start; default: the combatant's position. Required without a combatant."
    )
    to_position: Spot | None = Field(default=None, description="The destination.")
    movement_remaining: Annotated[int, Field(strict=True, ge=0, le=10_000)] | None = Field(
        default=None, description="Feet that can be spent; default: the combatant's remaining movement, else 30."
    )
    encounter_id: EncounterId | None = Field(default=None, description="The fight: its ground, props and creatures.")
    combatant_id: CombatantId | None = Field(
        default=None, description="The mover, by id or name: its size, speed and enemies count."
    )
    grid_width: Side = Field(default=20, description="Squares; the fight's when there is one.")
    grid_height: Side = Field(default=20, description="Squares; the fight's when there is one.")
    creatures_block: Flag = Field(
        default=False, description="Occupied squares cannot be entered, except for the destination."
    )
    ignore_difficult_terrain: Flag = Field(default=False, description="Every square costs the same.")
    ignore_opportunity_attacks: Flag = Field(
        default=False, description="Do not list enemies who could strike at the mover."
    )
    diagonal_rule: DiagonalRule = Field(
        default="grid_5e", description="grid_5e: a diagonal costs 5 feet. grid_alt: every second one costs 10."
    )
    obstacles: ListOf[SquareKey] = Field(default=(), description="Further squares that cannot be entered.")
    difficult_terrain: ListOf[SquareKey] = Field(default=(), description="Further squares that cost double.")
    water: ListOf[SquareKey] = Field(default=(), description="Further squares of water; they cost double, too.")


class AdjacentSquare(Model):
    """An adjacent square and its properties."""

    x: SafeInt
    y: SafeInt
    status: Status
    occupant: Id | None


class CalculateMovementResult(Model):
    """The path, or the squares; its parts depend on the mode."""

    path: ListOf[ListOf[SafeInt]] | None = Field(
        default=None,
        exclude_if=is_none,
        description="[x, y] from start to end, both included; empty when there is none.",
    )
    cost_feet: Count | None = Field(default=None, description="Null when no path leads there.")
    steps: Count | None = None
    difficult_squares: Count | None = None
    reachable: Flag | None = Field(default=None, exclude_if=is_none, description="Whether any path leads there.")
    within_movement: Flag | None = Field(
        default=None, exclude_if=is_none, description="Whether the path costs no more than what can be spent."
    )
    squares: ListOf[ListOf[SafeInt]] | ListOf[AdjacentSquare] | None = Field(
        default=None, exclude_if=is_none, description="reach: [x, y, cost], the cheapest first; adjacent: objects."
    )
    count: Count | None = Field(default=None, exclude_if=is_none)
    opportunity_attacks_from: ListOf[Id] | None = Field(
        default=None,
        exclude_if=is_none,
        description="Enemies who may strike at the combatant on this path, in the order of their strikes.",
    )
