"""OpenAI's chat as servers really speak it: several calls may come under one index.

Source: docs/agents.md, "What counts as an answer".
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from pydantic_ai.messages import ModelResponseStreamEvent
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIStreamedResponse


class ChatModel(OpenAIChatModel):
    """A model on a server that is OpenAI-compatible in its own way."""

    @property
    def _streamed_response_cls(self) -> type[OpenAIStreamedResponse]:
        return _ChatStream


@dataclass
class _Call:
    """A call of which pieces arrive: its number, the id it began with, and whether its name is there yet."""

    number: int
    id: str | None
    is_named: bool


@dataclass
class _ChatStream(OpenAIStreamedResponse):
    """A stream that gives each call its own index: Ollama, among others, sends 0 for all of them."""

    _open: dict[int, _Call] = field(default_factory=dict, init=False)
    _begun: int = field(default=0, init=False)

    def _map_tool_call_delta(self, choice: Any) -> Iterable[ModelResponseStreamEvent]:
        for piece in choice.delta.tool_calls or []:
            if piece.index is not None:  # some servers leave it out, which the library knows
                piece.index = self._number(piece)
        return super()._map_tool_call_delta(choice)

    def _number(self, piece: Any) -> int:
        """Return the number of the call a piece belongs to: a new name without the same id begins another call."""
        call = self._open.get(piece.index)
        is_named = piece.function is not None and bool(piece.function.name)
        if call is None or (is_named and call.is_named and not (piece.id and piece.id == call.id)):
            call = self._open[piece.index] = _Call(self._begun, piece.id, is_named)
            self._begun += 1
        call.is_named |= is_named
        return call.number
