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
        description="path: the cheapest way to a square. reach: every square in reach. adjacent: the squares beside.",
    )
    from_position: Spot | None = Field(
        default=None, description="Where it begins; not said: where the combatant stands. Needed without one."
    )
    to_position: Spot | None = Field(default=None, description="Where the path leads.")
    movement_remaining: Annotated[int, Field(strict=True, ge=0, le=10_000)] | None = Field(
        default=None, description="Feet that can be spent; not said: what the combatant has left, else 30."
    )
    encounter_id: EncounterId | None = Field(default=None, description="The fight: its ground, props and creatures.")
    combatant_id: CombatantId | None = Field(
        default=None, description="Who moves, by id or name: their size, speed and enemies count."
    )
    grid_width: Side = Field(default=20, description="Squares; the fight's when there is one.")
    grid_height: Side = Field(default=20, description="Squares; the fight's when there is one.")
    creatures_block: Flag = Field(
        default=False, description="Nobody's square can be entered, but for the one the path leads to."
    )
    ignore_difficult_terrain: Flag = Field(default=False, description="Every square costs the same.")
    ignore_opportunity_attacks: Flag = Field(default=False, description="Do not list who could strike at the mover.")
    diagonal_rule: DiagonalRule = Field(
        default="grid_5e", description="grid_5e: a diagonal costs 5 feet. grid_alt: every second one costs 10."
    )
    obstacles: ListOf[SquareKey] = Field(default=(), description="Further squares that cannot be entered.")
    difficult_terrain: ListOf[SquareKey] = Field(default=(), description="Further squares that cost double.")
    water: ListOf[SquareKey] = Field(default=(), description="Further squares of water; they cost double, too.")


class AdjacentSquare(Model):
    """A square beside, and what it is like."""

    x: SafeInt
    y: SafeInt
    status: Status
    occupant: Id | None


class CalculateMovementResult(Model):
    """The way, or the squares; which parts there are depends on the mode."""

    path: ListOf[ListOf[SafeInt]] | None = Field(
        default=None, exclude_if=is_none, description="[x, y] from start to end, both included; empty when none leads."
    )
    cost_feet: Count | None = Field(default=None, description="Null when no way leads there.")
    steps: Count | None = None
    difficult_squares: Count | None = None
    reachable: Flag | None = Field(default=None, exclude_if=is_none, description="Whether any way leads there.")
    within_movement: Flag | None = Field(
        default=None, exclude_if=is_none, description="Whether the way costs no more than what can be spent."
    )
    squares: ListOf[ListOf[SafeInt]] | ListOf[AdjacentSquare] | None = Field(
        default=None, exclude_if=is_none, description="reach: [x, y, cost], the cheapest first; adjacent: objects."
    )
    count: Count | None = Field(default=None, exclude_if=is_none)
    opportunity_attacks_from: ListOf[Id] | None = Field(
        default=None,
        exclude_if=is_none,
        description="Enemies who may strike at the combatant on this way, in the order in which they would.",
    )
