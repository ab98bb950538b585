"""What a scene game adds to a snapshot: its mood.

Source: docs/suggestions.md, "The snapshot".
"""

from __future__ import annotations

from dataclasses import replace

from turnwright.rulesets.scenes.play import find_crew
from turnwright.rulesets.snapshots import SnapshotContext
from turnwright.suggestions.snapshot import Snapshot


def fill(seen: Snapshot, ctx: SnapshotContext) -> Snapshot:
    """Add the mood of the scene that is played."""
    crew = find_crew(ctx.world)
    return replace(seen, mood=crew.mood.mood) if crew is not None and crew.mood is not None else seen
