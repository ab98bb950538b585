"""measure_distance: how far two squares or two creatures are apart."""

from __future__ import annotations

from pydantic import Field

from turnwright.model.base import Flag, Model, SafeInt
from turnwright.model.encounter import Encounter
from turnwright.model.state.overlay import World
from turnwright.model.vocabulary import DistanceMode
from turnwright.rulesets.fifth_edition.battlefield import body_on_grid, show_square
from turnwright.rulesets.fifth_edition.space._where import Spot, SpotOrId, SpotResult, fight_meant, require_participant
from turnwright.rulesets.fifth_edition.space.grid.distance import measure
from turnwright.rulesets.fifth_edition.space.grid.space import Body
from turnwright.rulesets.references import EncounterId
from turnwright.rulesets.tool import Applied, Context
from turnwright.rulesets.toolkit import ToolkitArgs, toolkit


class MeasureDistanceArgs(ToolkitArgs):
    """Arguments of `measure_distance`."""

    from_: SpotOrId = Field(
        alias="from", description="A square {x, y, z}, or a participant of the fight by id or name."
    )
    to: SpotOrId = Field(description="A square {x, y, z}, or a participant of the fight by id or name.")
    encounter_id: EncounterId | None = Field(default=None, description="The fight; needed to name a participant.")
    mode: DistanceMode = Field(
        default="euclidean",
        description="euclidean: as the crow flies. grid_5e: a diagonal counts 5 feet, as reach and range do. "
        "grid_alt: every second diagonal counts 10 feet.",
    )
    include_elevation: Flag = Field(default=True, description="Whether differences in height count.")


class DeltaResult(Model):
    """Squares between them along each axis, never negative."""

    dx: SafeInt
    dy: SafeInt
    dz: SafeInt


class MeasureDistanceResult(Model):
    """How far they are apart; between large creatures, from their nearest squares."""

    distance_feet: SafeInt
    distance_squares: SafeInt
    mode: DistanceMode
    delta: DeltaResult
    from_: SpotResult = Field(alias="from")
    to: SpotResult


@toolkit(
    MeasureDistanceArgs,
    MeasureDistanceResult,
    example={"from": {"x": 2, "y": 3}, "to": {"x": 6, "y": 6}, "mode": "grid_5e"},
    reads=True,
)
def measure_distance(world: World, args: MeasureDistanceArgs, ctx: Context) -> Applied:
    """Measure how far two squares or two creatures are apart, in feet and in squares.

    Use it before you say that something is near or far; changes nothing. For reach, range and auras the rules use
    `grid_5e`. Use calculate_movement for the cost of a walk.
    """
    del ctx
    encounter = fight_meant(world, args.encounter_id)
    start = _body(world, encounter, args.from_, "from")
    end = _body(world, encounter, args.to, "to")
    found = measure(start, end, args.mode, args.include_elevation)
    return Applied(
        {
            "distance_feet": found.feet,
            "distance_squares": found.squares,
            "mode": found.mode,
            "delta": found.delta._asdict(),
            "from": show_square(start.at),
            "to": show_square(end.at),
        }
    )


def _body(world: World, encounter: Encounter | None, meant: Spot | str, field: str) -> Body:
    if isinstance(meant, Spot):
        return Body(meant.square)
    return body_on_grid(world, require_participant(world, encounter, meant, field))
