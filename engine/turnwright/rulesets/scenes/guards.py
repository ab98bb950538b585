"""Protect entities that a running scene game depends on from deletion.

Source: docs/tools/scenes.md, "Waiting".
"""

from __future__ import annotations

from turnwright.model.base import Document
from turnwright.model.campaign import CREW_PATH
from turnwright.model.state.overlay import World
from turnwright.model.wire.reason import CallFailed, Reason


def require_not_in_use(world: World, identifier: str) -> None:
    """Refuse to take away the character that a scene game waits for, or the place of its scene.

    Raises:
        CallFailed: `conflict`.
    """
    crew = world.get(CREW_PATH)
    if crew is not None and identifier in _needed(world, crew):
        raise CallFailed(Reason.CONFLICT, f"{identifier} is needed: the scene game waits for it")


def _needed(world: World, crew: Document) -> set[str | None]:
    written = crew.as_written
    phase = written["phase"]
    needed = {phase.get("for"), phase.get("mood", {}).get("for"), (written["request"] or {}).get("for")}
    if written["awaiting"]["stage"] != "none":
        needed.add(written["awaiting"]["for"])
    if "scene_id" in phase:
        from turnwright.model.scene import Scene

        scene = world.find(Scene, phase["scene_id"])
        needed.add(scene.location if scene else None)
    return needed - {None}
