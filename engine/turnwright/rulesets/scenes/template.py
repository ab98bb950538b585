"""The template of a scene game: a crew that waits for its first character."""

from __future__ import annotations

from turnwright.model.campaign import CREW_PATH
from turnwright.rulesets.lifetime import Template
from turnwright.rulesets.scenes.moods import SCENE_TOOLS

SCENES = Template(allowlist=("roll_dice", *SCENE_TOOLS), documents={CREW_PATH: {}})
