"""The campaigns that the tests of the MCP server are about."""

from __future__ import annotations

from pathlib import Path

from tests.builders import AREAS, PEOPLE, begin, call, documents
from tests.scenes import night

from turnwright import Campaign
from turnwright.rulesets.toolbox import TOOLS

SEED = "fixed"
EVERY_TOOL = [name for name in TOOLS if TOOLS.groups[name] != "scenes"]
WOLF = {"id": "wolf", "name": "Wolf", "hp": 9, "max_hp": 9, "ac": 11, "is_enemy": True, "position": {"x": 6, "y": 6}}
GUARD = {"id": "guard", "name": "Guard", "hp": 9, "max_hp": 9, "ac": 12, "position": {"x": 2, "y": 2}}
FIGHT = call("create_encounter", participants=[GUARD, WOLF])


def table(path: Path) -> Campaign:
    """Begin the small campaign with every tool but those of scene games."""
    return begin(path, documents(PEOPLE, AREAS, allowlist=EVERY_TOOL))


def scene_game(path: Path) -> Campaign:
    """Begin a scene game in which the first scene has been opened."""
    campaign = Campaign.new(path, "scenes", seed=SEED)
    night.begin(campaign)
    return campaign
