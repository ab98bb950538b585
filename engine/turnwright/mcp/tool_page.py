"""The documentation of one tool, as models are given it: without the arguments that only people have."""

from __future__ import annotations

import json

from turnwright.mcp.door import Door
from turnwright.mcp.door_tools import offered_door_tools
from turnwright.model.errors import BadRequest
from turnwright.protocol.stage0_prepare.schema_table import OF_ARGUMENTS, argument_rows, table
from turnwright.rulesets.toolbox import tools_of
from turnwright.toolset.door_tools import door_tool_rows
from turnwright.toolset.offered import callable_tools, offer_whole


def tool_names(door: Door) -> list[str]:
    """Return the tools that the role may call in this campaign, whether or not a call is legal now."""
    with door.reading() as world:
        campaign = [tool.name for tool in callable_tools(door.role, door.role.policy(world))]
    return [*campaign, *offered_door_tools(door)]


def tool_page(door: Door, name: str) -> str:
    """Return what a tool does and takes.

    Raises:
        BadRequest: when the role has no such tool.
    """
    if name not in tool_names(door):
        raise BadRequest(f"there is no tool {name[:100]!r}")
    own = door_tool_rows(is_player=not door.is_game_master)
    if name in own:
        row = own[name]
        return "\n".join([f"# {name}", "", row.description, "", table(OF_ARGUMENTS, argument_rows(row.schema))])
    with door.reading() as world:
        tool = tools_of(world.campaign)[name]
        whole = offer_whole(tool, door.role.policy(world), door.role)
    example = json.dumps({"name": name, "arguments": tool.example}, ensure_ascii=False)
    arguments = table(OF_ARGUMENTS, argument_rows(whole.input_schema))
    return "\n".join([f"# {name}", "", whole.description, "", arguments, f"A good call: `{example}`", ""])
