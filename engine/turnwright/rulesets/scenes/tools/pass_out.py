"""pass_out: collapse, and wake up elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import Field

from turnwright.model.base import Id, ListOf, Model
from turnwright.model.clock import Clock
from turnwright.model.json_schema import JsonSchema
from turnwright.model.prose import Line
from turnwright.model.state.overlay import World
from turnwright.rulesets.scenes import ways_out
from turnwright.rulesets.scenes.moods import require_transition
from turnwright.rulesets.scenes.play import Play
from turnwright.rulesets.scenes.tools._scene_tool import Moved, SceneArgs, scene_tool
from turnwright.rulesets.tool import Context, Legal

if TYPE_CHECKING:
    from turnwright.rulesets.scenes.shapes import PassedOut


class PassOutArgs(SceneArgs):
    """Arguments of `pass_out`."""

    pass_out_narration: Line = Field(description="How the lights go out.")
    wake_up_location: Line = Field(description="Id of a place, or the name of a new one.")
    clocks_to_advance: ListOf[Id] = Field(
        default=(), description="Ids of up to 2 threat clocks; by default the one nearest to full."
    )
    stakes: Line | None = Field(default=None, description="The stakes of the new scene.")


class PassOutResult(Model):
    """The place where the character woke up, and what advanced meanwhile."""

    clocks_advanced: ListOf[Id]
    woke_up_at: Id
    transition: Moved


def _legal(world: World, ctx: Context) -> Legal:
    del ctx
    ids = [clock.id for clock in world.all(Clock) if clock.type == "threat" and not clock.is_full]
    some: JsonSchema = {
        "type": "array",
        "items": {"enum": sorted(ids)},
        "uniqueItems": True,
        "maxItems": ways_out.MAX_CLOCKS,
    }
    return {"clocks_to_advance": some if ids else {"type": "array", "maxItems": 0}}


@scene_tool(
    PassOutArgs,
    PassOutResult,
    legal=_legal,
    example={"pass_out_narration": "The gallery tilts, and is gone.", "wake_up_location": "a coal barge at dawn"},
)
def pass_out(play: Play, args: PassOutArgs) -> PassedOut:
    """Let the character collapse: 2 stress, threat clocks advance, and a new scene begins where they wake up.

    Always there in a bargain. The crew gets a few dice.
    """
    place = ways_out.require_place("args.wake_up_location", args.wake_up_location)
    ways_out.require_few(args.clocks_to_advance, "args.clocks_to_advance")
    require_transition(play)
    clocks = ways_out.require_clocks(play, args.clocks_to_advance, "args.clocks_to_advance")
    stakes = args.stakes or ways_out.WAKING_STAKES
    return ways_out.pass_out(play, args.pass_out_narration, place, clocks, stakes)
