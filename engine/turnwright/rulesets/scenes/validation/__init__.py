"""What makes a scene game sound."""

from __future__ import annotations

from collections.abc import Iterable

from turnwright.model.campaign import CREW_PATH
from turnwright.model.wire.reason import Problem
from turnwright.rulesets.validation import Edit


def scene_problems(edit: Edit) -> Iterable[Problem]:
    """Return what is wrong with edited documents of a scene game; nothing where there is none."""
    if edit.world.get(CREW_PATH) is None:
        return ()
    from turnwright.rulesets.scenes.validation import documents  # most campaigns have no scene game

    return documents.scene_problems(edit)
