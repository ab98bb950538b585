"""What the tools of a scene game share: strict arguments, and a running game.

Source: docs/tools/scenes.md, "The tools".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, TypeVar

from pydantic import Field

from turnwright.model.base import Model, Text
from turnwright.model.json_types import JsonObject
from turnwright.model.mood import Position
from turnwright.model.state.overlay import World
from turnwright.rulesets.references import AnyCase
from turnwright.rulesets.scenes.play import Play
from turnwright.rulesets.tool import Applied, Args, Context, Legal, Tool, tool

if TYPE_CHECKING:
    from turnwright.rulesets.scenes.shapes import PlayResult

A = TypeVar("A", bound="SceneArgs")
PositionWord = Annotated[Position, AnyCase()]
"""A position, in any case."""


class SceneArgs(Args):
    """Arguments of a scene tool: snake_case or camelCase, exact words, and no unknown names."""


class Moved(Model):
    """A change of mood or phase."""

    from_: Text = Field(alias="from")
    to: Text


def scene_tool(
    args: type[A],
    result: type[Model],
    *,
    example: JsonObject,
    legal: Callable[[World, Context], Legal | None] = lambda *_: {},
) -> Callable[[Callable[[Play, A], PlayResult]], Tool[A]]:
    """Turn a function on the game into a tool of the scene game."""

    def declare(function: Callable[[Play, A], PlayResult]) -> Tool[A]:
        def apply(world: World, given: A, ctx: Context) -> Applied:
            play = Play(world, ctx.dice, ctx.settings, ctx.acting_id, ctx.seq, function.__name__)
            result = function(play, given)
            return Applied(result, tuple(play.warnings), tuple(play.events), broke=play.broke)

        apply.__name__ = function.__name__
        apply.__doc__ = function.__doc__
        return tool(args, result, family="scenes", legal=legal, example=example)(apply)

    return declare
