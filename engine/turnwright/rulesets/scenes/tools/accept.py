"""accept: from the aftermath back to the scene."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import Field

from turnwright.model.base import Model
from turnwright.model.mood import SceneMood
from turnwright.model.prose import Line
from turnwright.rulesets.scenes.moods import continuing, go
from turnwright.rulesets.scenes.play import Play
from turnwright.rulesets.scenes.texts import left_by_aftermath
from turnwright.rulesets.scenes.tools._scene_tool import Moved, SceneArgs, scene_tool

if TYPE_CHECKING:
    from turnwright.rulesets.scenes.shapes import MoodChanged


class AcceptArgs(SceneArgs):
    """Arguments of `accept`."""

    accept_transition: Line = Field(description="The transition from the events to the next moment.")
    next_variant: SceneMood | None = Field(
        default=None, description="The next mood of the scene; by default it simply continues."
    )


class AcceptResult(Model):
    """The change of mood."""

    transition: Moved


@scene_tool(
    AcceptArgs, AcceptResult, example={"accept_transition": "The gallery is quiet again, and the vault lies below."}
)
def accept(play: Play, args: AcceptArgs) -> MoodChanged:
    """Close the aftermath: the scene continues with the player's next words.

    The turn does not start over: submit its output in the same turn; it is validated as that of the aftermath.
    """
    left = left_by_aftermath(play, args.accept_transition).replace(untold=play.mood)
    play.set_crew(scene_entry_context=left, pending_outcome=None)
    go(play, "accept", args.next_variant or continuing())
    return {"transition": {"from": "aftermath", "to": "scene"}}
