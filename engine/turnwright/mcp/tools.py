"""The list of tools that a role is offered now, and the call of one of them.

Source: docs/mcp.md, "Tools".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import mcp_types as types

from turnwright.mcp.door import Door
from turnwright.mcp.door_tools import DOOR_TOOLS, DoorTool
from turnwright.mcp.outcome import Outcome
from turnwright.model.campaign import Protocol
from turnwright.model.errors import CampaignError
from turnwright.model.published_schema import published
from turnwright.model.settings import settings_of
from turnwright.protocol.stage0_prepare.prepare import describe, inlined, legal_tools
from turnwright.protocol.stage2_settings import between_turns
from turnwright.rulesets.tool import Tool

Schema = dict[str, Any]
_STATUSES = ("applied", "partial", "failed", "empty", "retry_needed", "waiting", "refused", "rejected", "error")
_LOSES = frozenset({"delete_character"})
"""Tools of a campaign that take something away for good."""


def list_tools(door: Door) -> list[types.Tool]:
    """Return the tools that a role is offered now: those of the campaign in a stable order, then those of the door."""
    with door.reading() as world:
        acting = door.viewer.character_id or world.campaign.selected.active_actor_id
        policy = between_turns(world.campaign, settings_of(world.campaign.settings), acting, door.authority)
        offered = [tool for tool, _ in legal_tools(world, policy)]
    listed = [_described(tool, policy.protocol, door.is_game_master) for tool in offered]
    return listed + [_described_of_door(tool, door) for tool in DOOR_TOOLS.values() if tool.is_offered(door)]


@lru_cache(maxsize=512)
def _described(tool: Tool[Any], protocol: Protocol, is_game_master: bool) -> types.Tool:
    told = describe(tool, "mcp", protocol)
    return types.Tool(
        name=tool.name,
        title=tool.name.replace("_", " ").capitalize(),
        description=told["description"],
        input_schema=told["inputSchema"],
        output_schema=_output_schema(_result_schema(tool) if is_game_master else {"type": "object"}),
        annotations=_annotations(reads=tool.reads, is_destructive=tool.name in _LOSES),
    )


def _result_schema(tool: Tool[Any]) -> Schema:
    """Return the schema of what an applied call reports; a batch reports the same of each item."""
    one = published(inlined(tool.result.model_json_schema(mode="serialization")))
    return {"anyOf": [one, {"type": "object", "required": ["results"]}]} if tool.batch else one


def _output_schema(result: Schema) -> Schema:
    """Return the schema of the structured content of a call: the status, and what was done or why it was not."""
    return {
        "type": "object",
        "properties": {
            "status": {"enum": list(_STATUSES)},
            "result": result,
            "turn_id": {"type": ["string", "null"]},
            "seq": {"type": ["integer", "null"]},
            "reason": {"type": "string"},
            "detail": {"type": "string"},
            "hint": {"type": "object"},
        },
        "required": ["status"],
    }


def _described_of_door(tool: DoorTool, door: Door) -> types.Tool:
    return types.Tool(
        name=tool.name,
        title=tool.name.replace("_", " ").capitalize(),
        description=tool.description,
        input_schema=tool.schema(door),
        annotations=_annotations(reads=tool.reads, is_destructive=tool.is_destructive),
    )


def _annotations(*, reads: bool, is_destructive: bool) -> types.ToolAnnotations:
    return types.ToolAnnotations(
        read_only_hint=reads,
        destructive_hint=is_destructive,
        idempotent_hint=reads,
        open_world_hint=False,
    )


def run_tool(door: Door, name: str, args: Mapping[str, Any]) -> Outcome:
    """Call a tool of the campaign or of the door; what cannot be done is an outcome, never an exception."""
    return guarded(door, lambda: _run(door, name, args))


def _run(door: Door, name: str, args: Mapping[str, Any]) -> Outcome:
    if name in DOOR_TOOLS:
        return DOOR_TOOLS[name].run(door, args)
    return door.call(name, args)


def guarded(door: Door, run: Callable[[], Outcome]) -> Outcome:
    """Return the outcome of what may be refused as a whole."""
    try:
        return run()
    except CampaignError as error:
        return door.guarded(error)


def as_result(outcome: Outcome) -> types.CallToolResult:
    """Return an outcome as the protocol wants it."""
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=outcome.text)],
        structured_content=outcome.data,
        is_error=outcome.is_error,
    )
