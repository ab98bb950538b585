"""The tools that doors add: they find and call what a list leaves out, and hand in more than one call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from turnwright.model.json_schema import JsonSchema

_CALL: JsonSchema = {
    "type": "object",
    "properties": {"tool": {"type": "string"}, "args": {"type": "object"}},
    "required": ["tool", "args"],
}


class DoorTool(NamedTuple):
    """The list entry of a door's tool."""

    description: str
    properties: Mapping[str, JsonSchema]
    required: tuple[str, ...] = ()
    reads: bool = False
    destructive: bool = False

    @property
    def schema(self) -> JsonSchema:
        """The schema of its arguments."""
        schema: JsonSchema = {"type": "object", "properties": dict(self.properties)}
        if self.required:
            schema["required"] = list(self.required)
        return schema


DOOR_TOOL_ROWS: Mapping[str, DoorTool] = {
    "find_tool": DoorTool(
        "Find a tool, listed or not, by name or by what it should do, with all its arguments.",
        {"query": {"type": "string"}},
        ("query",),
        reads=True,
    ),
    "call_tool": DoorTool(
        "Call any tool that find_tool knows.",
        {"name": {"type": "string"}, "arguments": {"type": "object"}},
        ("name", "arguments"),
    ),
    "submit_turn": DoorTool(
        "Hand in a whole turn: the players' words (user_input), calls in order, your narration, which is checked.",
        {
            "user_input": {"type": "string"},
            "tool_calls": {"type": "array", "items": _CALL},
            "narration": {"type": "string"},
            "output": {"type": "object"},
            "atomic": {"type": "boolean"},
        },
    ),
    "answer_request": DoorTool(
        "Hand in a player's own answer to the open request. Never answer for them. Without a value they are asked.",
        {"request_id": {"type": "string"}, "value": {}},
    ),
    "recall": DoorTool(
        "Search what happened before, by person, place, thing or words.",
        {"query": {"type": "string"}},
        ("query",),
        reads=True,
    ),
    "undo": DoorTool(
        "Take back the last turn, or all since a given one. The table is told.",
        {"turn": {"type": "string", "description": "A turn id"}},
        destructive=True,
    ),
}
"""The tools of doors, by name, in the order of lists."""

PLAYER_DOOR_TOOL_ROWS: Mapping[str, DoorTool] = {
    **DOOR_TOOL_ROWS,
    "submit_turn": DoorTool(
        "Hand in a whole turn: what the player's character says and does (user_input), and calls in order.",
        {key: DOOR_TOOL_ROWS["submit_turn"].properties[key] for key in ("user_input", "tool_calls", "atomic")},
    ),
}
"""The same for players, whose turns hold no narration and no output."""


def door_tool_rows(*, is_player: bool) -> Mapping[str, DoorTool]:
    """Return what lists say of the tools of doors to a role."""
    return PLAYER_DOOR_TOOL_ROWS if is_player else DOOR_TOOL_ROWS
