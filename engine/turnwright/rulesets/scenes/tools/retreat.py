"""retreat: leave the scene."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import Field

from turnwright.model.base import Model
from turnwright.model.prose import Line
from turnwright.model.state.overlay import World
from turnwright.rulesets.scenes import ways_out
from turnwright.rulesets.scenes.moods import tools_of
from turnwright.rulesets.scenes.play import Play, find_crew
from turnwright.rulesets.scenes.tools._scene_tool import Moved, SceneArgs, scene_tool
from turnwright.rulesets.tool import Context, Legal

if TYPE_CHECKING:
    from turnwright.rulesets.scenes.shapes import MoodChanged


class RetreatArgs(SceneArgs):
    """Arguments of `retreat`."""

    retreat_narration: Line = Field(description="How the crew gets away.")


class RetreatResult(Model):
    """The transition out of the scene."""

    transition: Moved


def _legal(world: World, ctx: Context) -> Legal | None:
    del ctx
    crew = find_crew(world)
    return {} if crew and crew.mood and "retreat" in tools_of(crew.mood) else None


@scene_tool(
    RetreatArgs,
    RetreatResult,
    legal=_legal,
    example={"retreat_narration": "You leave the way you came, with nothing."},
)
def retreat(play: Play, args: RetreatArgs) -> MoodChanged:
    """Leave the scene for good, with its goal abandoned; the game continues between scenes.

    Only if the bargain offers a way back. The crew gets fresh dice, and time passes.
    """
    return ways_out.retreat(play, args.retreat_narration)
