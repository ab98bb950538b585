"""The list of tools that a role is offered now, and the call of one of them.

Source: docs/mcp.md, "Tools".
"""

from __future__ import annotations

from collections.abc import Callable

import mcp_types as types

from turnwright.mcp.apps import page_of_tool
from turnwright.mcp.door import Door
from turnwright.mcp.door_tools import offered_door_tools, run_door_tool
from turnwright.mcp.outcome import Outcome
from turnwright.model.errors import CampaignError
from turnwright.model.json_types import JsonObject
from turnwright.rulesets.toolbox import tools_of
from turnwright.toolset.offered import OfferedTool, offered_tools


def list_tools(door: Door) -> list[types.Tool]:
    """Return the tools that a role is offered now, in a stable order: those of the campaign, then the server's."""
    with door.reading() as world:
        offered = offered_tools(world, door.role, door.profile, door=offered_door_tools(door))
        tools = tools_of(world.campaign)
    return [_described(tool, page_of_tool(tool.name, tools)) for tool in offered]


def _described(tool: OfferedTool, page: str | None) -> types.Tool:
    return types.Tool(
        name=tool.name,
        title=tool.name.replace("_", " ").capitalize(),
        description=tool.description,
        input_schema=dict(tool.input_schema),
        output_schema=None if tool.output_schema is None else dict(tool.output_schema),
        annotations=types.ToolAnnotations(
            read_only_hint=tool.read_only,
            destructive_hint=tool.destructive,
            idempotent_hint=tool.read_only,
            open_world_hint=False,
        ),
        _meta=None if page is None else {"ui": {"resourceUri": page}},
    )


def run_tool(door: Door, name: str, args: JsonObject) -> Outcome:
    """Call a tool of the campaign or of the door; a failure is an outcome, never an exception."""
    return guarded(door, lambda: _run(door, name, args))


def _run(door: Door, name: str, args: JsonObject) -> Outcome:
    return run_door_tool(door, name, args) or door.call(name, args)


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
