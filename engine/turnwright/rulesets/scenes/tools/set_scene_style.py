"""set_scene_style: how the scene is told from here on."""

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

    style_atmosphere: Atmosphere | None = Field(default=None, description="How strange the world is.")
    style_pressure: Pressure | None = Field(default=None, description="How much time there is to breathe.")
    style_class: Class | None = Field(default=None, description="In whose company it plays.")


class SetSceneStyleResult(Style):
    """The whole style as it is now."""


@scene_tool(SetSceneStyleArgs, SetSceneStyleResult, example={"style_pressure": "urgent"})
def set_scene_style(play: Play, args: SetSceneStyleArgs) -> StyleResult:
    """Shift how the scene is told: atmosphere, pressure, class.

    Only the axes that are given change. Use it when the mood of the place turns; it costs nothing and ends nothing.
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
