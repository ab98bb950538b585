"""What a scene game tells about a turn: the dice that are still in play.

Source: docs/stages/4-conflicts.md, "What the checks look at".
"""

from __future__ import annotations

from turnwright.rulesets.evidence import Evidence, EvidenceContext
from turnwright.rulesets.scenes.play import find_crew


def evidence(turn: EvidenceContext) -> Evidence:
    """Return the dice of the pool; a scene game keeps no account of belongings."""
    crew = find_crew(turn.world)
    return Evidence(faces=tuple(crew.as_written["dice_pool"]), is_scene_game=True) if crew is not None else Evidence()
