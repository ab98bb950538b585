"""The tools of a scene game for suggestions: each has its mood, and none takes an argument from a message.

Source: docs/suggestions.md, "Intents and tools".
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from turnwright.rulesets.scenes.moods import SCENE_TOOLS, TOOLS_OF_MOOD
from turnwright.rulesets.scenes.suggestions.scene import SceneTools
from turnwright.suggestions.rule import Hit
from turnwright.suggestions.snapshot import Snapshot
from turnwright.suggestions.tables import Resolved, SuggestionRows


def _bare(tool: str, _hit: Hit, _seen: Snapshot) -> Resolved:
    return Resolved(tool)


_TOOLS: Mapping[str, tuple[str, ...]] = dict(TOOLS_OF_MOOD.items())


def _is_of_mood(tool: str, seen: Snapshot) -> bool:
    return seen.mood is not None and tool in _TOOLS.get(seen.mood, ())


SUGGESTIONS = SuggestionRows(
    rules=(SceneTools(),),
    intents={
        "scene.engage": ("engage",),
        "scene.spend_die": ("spend_die",),
        "scene.resolve": ("resolve",),
        "scene.accept": ("accept",),
        "scene.accept_bargain": ("accept_bargain",),
        "scene.retreat": ("retreat",),
        "scene.pass_out": ("pass_out",),
        "combat.end": ("resolve",),
        "combat.start": ("engage",),
    },
    arguments={tool: partial(_bare, tool) for tool in SCENE_TOOLS},
    useful={tool: partial(_is_of_mood, tool) for tool in SCENE_TOOLS},
    exclusive=(("scene.engage", "scene.resolve", "scene.accept_bargain", "scene.retreat", "scene.pass_out"),),
)
