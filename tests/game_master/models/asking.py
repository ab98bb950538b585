"""Requests for tests of models."""

from __future__ import annotations

from typing import Any

from turnwright.llm.port import Limits, Message, ModelRequest, Role

MOVE: dict[str, Any] = {
    "type": "function",
    "function": {
        "name": "move",
        "description": "Go somewhere.",
        "parameters": {"type": "object", "properties": {"to": {"type": "string"}}, "required": ["to"]},
    },
}
ANSWER: dict[str, Any] = {
    "type": "object",
    "properties": {
        "assistant_text": {"type": "string", "maxLength": 60},
        "tool_calls": {
            "type": "array",
            "maxItems": 1,
            "items": {
                "type": "object",
                "properties": {
                    "id": {"const": "call_001"},
                    "tool": {"enum": ["move"]},
                    "args": {
                        "type": "object",
                        "properties": {"to": {"enum": ["area_001", "area_002"]}},
                        "required": ["to"],
                        "additionalProperties": False,
                    },
                },
                "required": ["id", "tool", "args"],
                "additionalProperties": False,
            },
        },
    },
    "required": ["assistant_text", "tool_calls"],
    "additionalProperties": False,
}


def asking(
    *said: str, schema: Any = None, tools: Any = (), system: str = "You are the game master.", **limits: Any
) -> ModelRequest:
    """Return a request whose messages are the player's and the game master's in turn."""
    roles: tuple[Role, Role] = ("player", "game_master")
    messages = tuple(Message(roles[i % 2], text) for i, text in enumerate(said or ("I open the door.",)))
    given = {"temperature": 0.5, "max_tokens": 64, "timeout": 20.0, "seed": 7, **limits}
    return ModelRequest(system, messages, tuple(tools), schema, Limits(**given))
