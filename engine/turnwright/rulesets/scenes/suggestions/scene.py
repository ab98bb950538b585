"""The transitions of a scene game, each in its own mood."""

from __future__ import annotations

from collections.abc import Iterable

from turnwright.model.wire.agent import AgentKind
from turnwright.suggestions.rule import Hit, Rule, RuleContext

_MOOD = {
    "engage": "scene",
    "spend_die": "action",
    "resolve": "action",
    "accept": "aftermath",
    "accept_bargain": "bargain",
    "retreat": "bargain",
    "pass_out": "bargain",
}


class SceneTools(Rule):
    """A scene game's next step; each pattern is named for its tool, numbered if there are several."""

    id = "r23_scene"
    agents = frozenset({AgentKind.NARRATIVE})
    intents = tuple(f"scene.{tool}" for tool in _MOOD)

    def evaluate(self, look: RuleContext) -> Iterable[Hit]:
        """Match the player's action in the current mood."""
        mood = look.snapshot.mood
        if mood is None:
            return
        for found in look.found(spoken=mood == "bargain"):
            intent = found.pattern.intents[0]
            tool = intent.removeprefix("scene.")
            if _MOOD[tool] == mood:
                yield look.hit(found, intent, tool, f"the player's words ask for {tool.replace('_', ' ')}")
