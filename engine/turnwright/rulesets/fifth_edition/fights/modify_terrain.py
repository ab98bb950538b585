"""modify_terrain: change the ground of a fight."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from turnwright.model.base import Count, ListOf, Model
from turnwright.model.creature import Rounds, Words
from turnwright.model.encounter import Encounter, SquareKey, Terrain
from turnwright.model.state.overlay import World
from turnwright.model.vocabulary import GridTerrain
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.fifth_edition.battlefield import body_on_grid, living
from turnwright.rulesets.fifth_edition.fights._terrain import (
    HazardArgs,
    in_one_spelling,
    on_grid,
    require_dc,
    squares_of,
    with_added,
    without,
)
from turnwright.rulesets.fifth_edition.space.grid.space import Grid, render_key
from turnwright.rulesets.fifth_edition.targets import require_running
from turnwright.rulesets.references import Choice, RunningEncounterId
from turnwright.rulesets.tool import Applied, Context
from turnwright.rulesets.toolkit import ToolkitArgs, toolkit

_ADDING = ("hazard_details", "source", "duration")
"""Arguments that only make sense when terrain is added."""


class ModifyTerrainArgs(ToolkitArgs):
    """Arguments of `modify_terrain`."""

    needs: ClassVar = {"add": ("positions",), "remove": ("positions",)}

    encounter_id: RunningEncounterId = Field(description="The running fight.")
    operation: Annotated[
        Literal["add", "remove", "clear"],
        Choice({"add": ("place", "create", "put", "set"), "remove": ("delete", "take away"), "clear": ("remove all",)}),
    ] = Field(description="`clear` takes away every square of the type.")
    terrain_type: GridTerrain = Field(description="The kind of terrain.")
    positions: ListOf[SquareKey] | None = Field(default=None, description="Squares as `x,y`, for add and remove.")
    hazard_details: HazardArgs | None = Field(default=None, description="The effect of a hazard; for adding hazards.")
    source: Words | None = Field(default=None, description="The creature or thing that created it.")
    duration: Rounds | None = Field(default=None, description="Rounds until it is removed automatically.")


class TerrainTotals(Model):
    """How much there is now, of each kind."""

    obstacles: Count
    difficult_terrain: Count
    water: Count
    hazards: Count


class ModifyTerrainResult(Model):
    """The result of `modify_terrain`."""

    operation: Literal["add", "remove", "clear"]
    terrain_type: GridTerrain
    affected: ListOf[SquareKey] = Field(description="Squares that really changed.")
    count: Count
    totals: TerrainTotals


@toolkit(
    ModifyTerrainArgs,
    ModifyTerrainResult,
    example={
        "encounter_id": "encounter-1",
        "operation": "add",
        "terrain_type": "difficult_terrain",
        "positions": ["4,2", "4,3"],
        "duration": 10,
    },
)
def modify_terrain(world: World, args: ModifyTerrainArgs, ctx: Context) -> Applied:
    """Change the ground of a running fight: add or take away walls, difficult ground, water and hazards.

    Use it when something happens to the place: a wall of stone rises, oil burns, a door is broken. Terrain already on a
    square stays unchanged and is not counted. Things that people can handle are props: `place_prop`.
    """
    del ctx
    encounter = require_running(world, args.encounter_id)
    _require_coherent(args)
    terrain, kind = encounter.terrain, args.terrain_type
    if args.operation == "add":
        positions = on_grid(args.positions or (), Grid(terrain.width, terrain.height), "args.positions")
        if kind == "obstacle":
            _require_no_creature(world, encounter, args, positions)
        after, affected = with_added(
            terrain, kind, positions, args.hazard_details, duration=args.duration, source=args.source
        )
    else:
        gone = in_one_spelling(args.positions or ()) if args.operation == "remove" else squares_of(terrain, kind)
        after, affected = without(terrain, kind, gone)
    if affected:
        world.put(encounter.replace(terrain=after))
    result = ModifyTerrainResult(
        operation=args.operation, terrain_type=kind, affected=affected, count=len(affected), totals=_totals(after)
    )
    return Applied(result.as_written)


def _require_coherent(args: ModifyTerrainArgs) -> None:
    """Refuse arguments that contradict each other."""
    if args.operation == "clear":
        if args.positions:
            detail = "args.positions: clear takes away every square; to take away some, use remove"
            raise CallFailed(Reason.INVALID_ARGS, detail, hint.ask("args.operation", "clear", ["remove"]))
    elif not args.positions:
        raise CallFailed(Reason.INVALID_ARGS, "args.positions: is empty", hint.ask("args.positions", []))
    if args.operation != "add":
        for name in _ADDING:
            if getattr(args, name) is not None:
                detail = f"args.{name}: goes with add alone"
                raise CallFailed(Reason.INVALID_ARGS, detail, hint.remove(f"args.{name}"))
    elif args.terrain_type != "hazard":
        if args.hazard_details is not None:
            detail = f"args.hazard_details: goes with hazards, and this is {args.terrain_type}"
            raise CallFailed(Reason.INVALID_ARGS, detail, hint.remove("args.hazard_details"))
    elif args.hazard_details is None:
        repair = hint.ask_for("args.hazard_details")
        raise CallFailed(Reason.INVALID_ARGS, "args.hazard_details: is required for a hazard", repair)
    else:
        require_dc(args.hazard_details, "args.hazard_details")


def _require_no_creature(
    world: World, encounter: Encounter, args: ModifyTerrainArgs, positions: tuple[str, ...]
) -> None:
    """Refuse to place a wall on a living creature."""
    filled = {
        render_key(x, y): person.id
        for person in living(world, encounter)
        for x, y, _ in body_on_grid(world, person).squares
    }
    blocked = next((key for key in positions if key in filled), None)
    if blocked is not None:
        repair = hint.ask("args.positions", list(args.positions or ()))
        raise CallFailed(Reason.CONFLICT, f"args.positions: {filled[blocked]} stands on {blocked}", repair)


def _totals(terrain: Terrain) -> TerrainTotals:
    return TerrainTotals(
        obstacles=len(terrain.obstacles),
        difficult_terrain=len(terrain.difficult_terrain),
        water=len(terrain.water),
        hazards=len(squares_of(terrain, "hazard")),
    )
