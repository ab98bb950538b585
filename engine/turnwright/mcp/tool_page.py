"""The documentation of one tool, as models are given it: without the arguments that only people have."""

from __future__ import annotations

import json

from turnwright.mcp.door import Door
from turnwright.mcp.door_tools import DOOR_TOOLS
from turnwright.model.errors import BadRequest
from turnwright.model.settings import settings_of
from turnwright.protocol.stage0_prepare.prepare import describe
from turnwright.protocol.stage0_prepare.schema_table import OF_ARGUMENTS, argument_rows, table
from turnwright.protocol.stage2_settings import between_turns
from turnwright.protocol.stage3_tools.checks import open_to
from turnwright.rulesets.toolbox import tools_of


def tool_names(door: Door) -> list[str]:
    """Return the tools that the role may call in this campaign, whether or not a call is legal now."""
    with door.reading() as world:
        acting = world.campaign.selected.active_actor_id
        policy = between_turns(world.campaign, settings_of(world.campaign.settings), acting, door.authority)
        return [*open_to(policy, world.campaign), *DOOR_TOOLS]


def tool_page(door: Door, name: str) -> str:
    """Return what a tool does and takes.

    Raises:
        BadRequest: when the role has no such tool.
    """
    if name not in tool_names(door):
        raise BadRequest(f"there is no tool {name[:100]!r}")
    if name in DOOR_TOOLS:
        tool = DOOR_TOOLS[name]
        description, schema, example = tool.description, tool.schema(door), None
    else:
        with door.reading() as world:
            row = tools_of(world.campaign)[name]
            told = describe(row, "mcp", world.campaign.contract)
        description, schema, example = told["description"], told["inputSchema"], row.example
    lines = [f"# {name}", "", description, "", table(OF_ARGUMENTS, argument_rows(schema))]
    if example is not None:
        lines += [f"A good call: `{json.dumps({'name': name, 'arguments': example}, ensure_ascii=False)}`", ""]
    return "\n".join(lines)
