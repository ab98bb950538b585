"""The rules of a valid scene game."""

from __future__ import annotations

from collections.abc import Iterable

from turnwright.model.campaign import CREW_PATH
from turnwright.model.wire.reason import Problem
from turnwright.rulesets.validation import Edit


def scene_problems(edit: Edit) -> Iterable[Problem]:
    """Return the problems of a scene game's edited documents; nothing if there is none."""
    if edit.world.get(CREW_PATH) is None:
        return ()
    from turnwright.rulesets.scenes.validation import documents  # most campaigns have no scene game

    return documents.scene_problems(edit)
