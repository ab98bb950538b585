"""calculate_aoe: the squares that an area of effect covers, and the creatures in them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from turnwright.model.base import Count, Flag, Id, ListOf, Model, Number, SafeInt
from turnwright.model.encounter import Encounter
from turnwright.model.state.overlay import World
from turnwright.model.vocabulary import AoeShape
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.fifth_edition.battlefield import body_on_grid, living, obstacles, screen_by_rule
from turnwright.rulesets.fifth_edition.space._where import Size, Spot, fight_meant, require_participant
from turnwright.rulesets.fifth_edition.space.grid import areas
from turnwright.rulesets.fifth_edition.space.grid.areas import TooManySquares
from turnwright.rulesets.fifth_edition.space.grid.cover import scenery
from turnwright.rulesets.fifth_edition.space.grid.space import Body
from turnwright.rulesets.fifth_edition.space.grid.spans import Area
from turnwright.rulesets.references import CombatantId, EncounterId
from turnwright.rulesets.tool import Applied, Context
from turnwright.rulesets.toolkit import ToolkitArgs, toolkit

MAX_TILES = 50_000
"""The most squares in a result; a sphere of 100 feet has 33,401."""
_STEP = 5
_Sized = Literal["radius", "length", "side_length"]
_SIZED_BY: Mapping[AoeShape, _Sized] = {
    "sphere": "radius",
    "cylinder": "radius",
    "cone": "length",
    "line": "length",
    "cube": "side_length",
}


class Direction(Model):
    """A direction, in squares right and down; its length does not matter."""

    x: Number
    y: Number


class CalculateAoeArgs(ToolkitArgs):
    """Arguments of `calculate_aoe`."""

    operation_key: ClassVar[str] = "shape"
    needs: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "sphere": ("radius",),
        "cylinder": ("radius", "height"),
        "cone": ("length",),
        "line": ("length",),
        "cube": ("side_length",),
    }
    only_for: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "radius": ("sphere", "cylinder"),
        "length": ("cone", "line"),
        "width": ("line",),
        "side_length": ("cube",),
        "height": ("cylinder",),
        "direction": ("cone", "line", "cube"),
    }

    shape: AoeShape = Field(description="The shape of the area.")
    origin: Spot = Field(description="The square it begins in, or has its middle in.")
    radius: Size | None = Field(default=None, description="Of a sphere or cylinder, in feet.")
    length: Size | None = Field(default=None, description="Of a cone or line, in feet.")
    width: Size = Field(default=5, description="Of a line, in feet.")
    side_length: Size | None = Field(default=None, description="Of a cube, in feet.")
    height: Size | None = Field(default=None, description="Of a cylinder, in feet.")
    direction: Annotated[Direction, Field(examples=[{"x": 1, "y": 0}])] | None = Field(
        default=None,
        description="Direction of a cone, line or cube; default: right. A cube without one is centered on its origin.",
    )
    include_origin: Flag | None = Field(
        default=None,
        description="Whether the square of the origin is covered; default: for spheres, cylinders and cubes around it.",
    )
    encounter_id: EncounterId | None = Field(
        default=None, description="The fight, whose participants may be in the area."
    )
    exclude_ids: ListOf[CombatantId] = Field(
        default=(), description="Participants that are not counted, by id or name."
    )


class CalculateAoeResult(Model):
    """The squares of the area, and the creatures in it."""

    shape: AoeShape
    tiles: ListOf[ListOf[SafeInt]] = Field(description="[x, y, z], sorted by z, y, x.")
    tile_count: Count
    footprint: ListOf[ListOf[SafeInt]] = Field(
        description="[x, y] of those at the height of the origin, sorted by y, x."
    )
    footprint_count: Count
    creatures: ListOf[Id] = Field(
        description="Living participants in it without total cover from the origin; in turn order."
    )


@toolkit(
    CalculateAoeArgs,
    CalculateAoeResult,
    example={"shape": "sphere", "origin": {"x": 10, "y": 10}, "radius": 20},
    reads=True,
)
def calculate_aoe(world: World, args: CalculateAoeArgs, ctx: Context) -> Applied:
    """Compute which squares a fireball, a breath or another area covers, and which creatures of a fight it affects.

    Use it before an area of effect is resolved, so that no creature is forgotten; changes nothing. A cone is as wide as
    it is long. Sizes are in feet, positions in squares.
    """
    del ctx
    encounter = fight_meant(world, args.encounter_id)
    spared = _spared(world, encounter, args)
    if args.direction is not None and args.direction.x == args.direction.y == 0:
        repair = hint.ask("args.direction", args.direction.as_written)
        raise CallFailed(Reason.INVALID_ARGS, "args.direction: points nowhere", repair)
    try:
        area = _area(args, getattr(args, _SIZED_BY[args.shape]))
    except TooManySquares:
        raise _too_large(args) from None
    footprint = area.footprint()
    return Applied(
        {
            "shape": args.shape,
            "tiles": area.tiles(),
            "tile_count": area.tile_count,
            "footprint": footprint,
            "footprint_count": len(footprint),
            "creatures": _touched(world, encounter, area, spared) if encounter else [],
        }
    )


def _area(args: CalculateAoeArgs, size: float) -> Area:
    origin, with_origin = args.origin.square, args.include_origin
    direction = None if args.direction is None else (args.direction.x, args.direction.y)
    match args.shape:
        case "sphere":
            return areas.sphere(origin, size, with_origin, most=MAX_TILES)
        case "cylinder":
            return areas.cylinder(origin, size, args.height or _STEP, with_origin, most=MAX_TILES)
        case "cube":
            return areas.cube(origin, size, direction, with_origin, most=MAX_TILES)
        case "cone":
            return areas.cone(origin, size, direction or (1, 0), with_origin, most=MAX_TILES)
        case "line":
            return areas.line(origin, size, args.width, direction or (1, 0), with_origin, most=MAX_TILES)


def _too_large(args: CalculateAoeArgs) -> CallFailed:
    """Return the failure for an area too large to list."""
    field = _SIZED_BY[args.shape]
    got = getattr(args, field)
    detail = f"the area has more than {MAX_TILES} squares"
    return CallFailed(Reason.LIMIT_EXCEEDED, detail, hint.ask(f"args.{field}", got))


def _spared(world: World, encounter: Encounter | None, args: CalculateAoeArgs) -> set[str]:
    places = enumerate(args.exclude_ids)
    return {require_participant(world, encounter, name, f"exclude_ids.{i}").id for i, name in places}


def _touched(world: World, encounter: Encounter, area: Area, spared: set[str]) -> list[str]:
    """Return the creatures in the area that are not behind total cover, seen from its origin."""
    around = scenery(obstacles(world, encounter))
    origin = Body(area.origin)
    touched = []
    for person in living(world, encounter, spared):
        squares = (Body(square) for square in body_on_grid(world, person).squares if area.covers(square))
        if any(screen_by_rule(world, origin, square, around).is_clear for square in squares):
            touched.append(person.id)
    return touched
