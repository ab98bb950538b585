"""A model that says what was said to it: for trying a campaign without any model.

Source: docs/agents.md, "Models".
"""

from __future__ import annotations

from turnwright.llm.conversation import size_of, tokens_of
from turnwright.llm.port import ModelAnswer, ModelRequest, OnText, Usage


class EchoModel:
    """Answers with the last line of the last message, and asks for no tools."""

    name = "echo"

    def answer(self, request: ModelRequest, on_text: OnText | None = None) -> ModelAnswer:
        """Return the last words of the conversation."""
        said = request.messages[-1].text.strip() if request.messages else ""
        text = said.splitlines()[-1].strip() if said else "..."
        if on_text is not None:
            on_text(text)
        return ModelAnswer(text, usage=Usage(size_of(request), tokens_of(text)))
