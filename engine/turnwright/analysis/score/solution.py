"""The good game master of a pack, written down in it: what a perfect score looks like, and that there is one.

Source: docs/score.md, "The solution".
"""

from __future__ import annotations

from turnwright.analysis.score.packs import Pack
from turnwright.llm.script import ScriptModel

SOLUTION = "solution"
"""The name of the model that plays it."""


def solution_of(pack: Pack) -> ScriptModel:
    """Return a model that gives the answers of the pack's solution, in their order."""
    lines = []
    for message in pack.scenario.messages:
        for answer in message.solution:
            calls = [
                {"id": f"call_{number:03}", "tool": call.tool, "args": call.args}
                for number, call in enumerate(answer.calls, 1)
            ]
            lines.append({"text": answer.text, "tool_calls": calls})
    return ScriptModel(lines, SOLUTION)
