"""set_scene_style: change the style of the scene."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import Field

from turnwright.model.scene import Atmosphere, Class, Pressure, Style
from turnwright.model.strict_json import copied
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.scenes.play import Play
from turnwright.rulesets.scenes.tools._scene_tool import SceneArgs, scene_tool

if TYPE_CHECKING:
    from turnwright.rulesets.scenes.shapes import StyleResult


class SetSceneStyleArgs(SceneArgs):
    """Arguments of `set_scene_style`; at least one."""

    style_atmosphere: Atmosphere | None = Field(default=None, description="The strangeness of the world.")
    style_pressure: Pressure | None = Field(default=None, description="The pressure of time.")
    style_class: Class | None = Field(default=None, description="The social class of the surroundings.")


class SetSceneStyleResult(Style):
    """The resulting style, with all axes."""


@scene_tool(SetSceneStyleArgs, SetSceneStyleResult, example={"style_pressure": "urgent"})
def set_scene_style(play: Play, args: SetSceneStyleArgs) -> StyleResult:
    """Change the style of the scene: atmosphere, pressure, class.

    Only the given axes change. Use it when the mood of the place turns; it costs nothing and ends nothing.
    """
    wanted = {"atmosphere": args.style_atmosphere, "pressure": args.style_pressure, "class_": args.style_class}
    changes = {axis: value for axis, value in wanted.items() if value is not None}
    if not changes:
        repair = hint.ask_for("args.style_pressure")
        raise CallFailed(Reason.INVALID_ARGS, "args: name at least one axis", repair)
    scene = play.scene
    style = scene.style.replace(**changes)
    if style != scene.style:
        play.world.put(scene.replace(style=style))
        play.emit("SceneStyleChanged", from_=scene.style.as_written, to=style.as_written)
    shown: StyleResult = copied(style.as_written)
    return shown
