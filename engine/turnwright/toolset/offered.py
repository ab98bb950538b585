"""Select the tools that a role is offered now, and their level of detail.

A list is the allowlist, narrowed to what the role may call and to tools of which some call is legal now. Its order is
that of the registry, and no schema in it holds an id or a name of the campaign, so that it changes only when tools come
and go, and tells no player more than that.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from turnwright.model.settings import Settings
from turnwright.model.state.overlay import World
from turnwright.protocol.stage0_prepare.prepare import describe, legal_tools
from turnwright.protocol.stage2_settings import TurnPolicy
from turnwright.protocol.stage3_tools.checks import open_to
from turnwright.rulesets.ruleset import DOOR_TOOLS
from turnwright.rulesets.tool import Tool
from turnwright.rulesets.toolbox import Toolbox, tools_of
from turnwright.toolset.door_tools import door_tool_rows
from turnwright.toolset.output_schemas import output_schema
from turnwright.toolset.role import GAME_MASTER, Role
from turnwright.toolset.short_schemas import PROFILES, Profile, short_description, short_schema

if TYPE_CHECKING:
    from turnwright.model.json_schema import JsonSchema

__all__ = [
    "BOUNDS",
    "FINDING_TOOLS",
    "MAX_CORE_TOOLS",
    "MAX_TOKENS",
    "PROFILES",
    "Bounds",
    "OfferedTool",
    "Profile",
    "Role",
    "offered_tools",
    "token_count",
]


class Bounds(NamedTuple):
    """How much a short list holds at the most, the door's own tools among it.

    Attributes:
        tokens: as `token_count` counts them.
        tools: how many tools.
    """

    tokens: int
    tools: int


FINDING_TOOLS = ("find_tool", "call_tool")
"""The tools of doors that reach what a short list leaves out."""
MAX_CORE_TOOLS = 12
"""Maximum number of tools in a short list."""
MAX_TOKENS: Mapping[Profile, int] = {"core": 2000, "tiny": 700}
BOUNDS: Mapping[Profile, Bounds | None] = {
    "full": None,
    **{profile: Bounds(tokens, MAX_CORE_TOOLS) for profile, tokens in MAX_TOKENS.items()},
}


@dataclass(frozen=True, slots=True)
class OfferedTool:
    """A tool as a list shows it.

    Attributes:
        name: the word on the wire.
        description: what it does, in a sentence or two.
        input_schema: the JSON Schema of its arguments: one plain object, without references.
        output_schema: that of its result; in full lists only, and never of a tool of the door.
        read_only: whether it changes and draws nothing.
        destructive: whether it takes something away for good.
        door: whether it is the door's own, and no tool of the campaign.
    """

    name: str
    description: str
    input_schema: JsonSchema
    output_schema: JsonSchema | None = None
    read_only: bool = False
    destructive: bool = False
    door: bool = False

    @property
    def tokens(self) -> int:
        """About how many tokens name, description and input schema take: characters of compact JSON, divided by 4."""
        shown = {"name": self.name, "description": self.description, "input_schema": self.input_schema}
        return -(-len(_compact(shown)) // 4)


def token_count(tools: Iterable[OfferedTool]) -> int:
    """Return about how many tokens a list takes, output schemas aside."""
    return sum(tool.tokens for tool in tools)


def offered_tools(
    world: World,
    role: Role = GAME_MASTER,
    profile: Profile = "full",
    *,
    door: Collection[str] = (),
    settings: Settings | None = None,
    bounds: Bounds | None = None,
    available: Sequence[Tool[Any]] | None = None,
    has_results: bool = True,
) -> tuple[OfferedTool, ...]:
    """Return the tools that a role is offered now, in the order of the registry, those of the door last.

    A short list holds the tools that are needed most, until its budget is spent.

    Args:
        world: the campaign.
        role: who is offered them.
        profile: `full`, `core` or `tiny`.
        door: the door's own tools that the list has: names of `DOOR_TOOLS`.
        settings: the settings in force; default: the campaign's own.
        bounds: how much the list may hold; default: that of the profile.
        available: the tools of which some call is legal now, where that is known; see `available_tools`.
        has_results: whether a full list says what tools give back.

    Raises:
        BadRequest: when the authority of the role is none.
    """
    policy = role.policy(world, settings)
    tools = tools_of(world.campaign)
    own = tuple(_offered_door_tool(name, is_player=policy.is_player) for name in DOOR_TOOLS if name in door)
    if available is None:
        available = available_tools(world, role, settings)
    listed = [offer(tool, tools, profile, policy, role, has_result=has_results) for tool in available]
    bounds = bounds or BOUNDS[profile]
    return (*(listed if bounds is None else _within(bounds, listed, tools, own)), *own)


def available_tools(world: World, role: Role, settings: Settings | None = None) -> list[Tool[Any]]:
    """Return the tools of which some call is legal now, in the order of the registry; see `offered_tools`."""
    policy = role.policy(world, settings)
    return [tool for tool, _ in legal_tools(world, policy, _names(role, policy))]


def offer_whole(tool: Tool[Any], policy: TurnPolicy, role: Role) -> OfferedTool:
    """Return a tool as `find_tool` gives it: with all that there is to say of it."""
    told = describe(tool, "anthropic", policy.protocol)
    schema = told["input_schema"]
    if operations := role.operations.get(tool.name):
        key = schema["properties"][tool.args_for(policy.protocol).operation_key]
        schema["properties"][tool.args_for(policy.protocol).operation_key] = {**key, "enum": list(operations)}
    return OfferedTool(
        tool.name,
        told["description"],
        schema,
        read_only=tool.reads,
        destructive=_is_destructive(tool, policy),
    )


def callable_tools(role: Role, policy: TurnPolicy) -> list[Tool[Any]]:
    """Return the tools that a role may call, whether or not a call of them is legal now, in the registry's order."""
    tools, names = policy.tools, _names(role, policy)
    return [tools[name] for name in tools if name in names]


def _names(role: Role, policy: TurnPolicy) -> frozenset[str]:
    names = frozenset(open_to(policy))
    return names if role.tools is None else names & role.tools


def offer(
    tool: Tool[Any],
    tools: Toolbox,
    profile: Profile,
    policy: TurnPolicy,
    role: Role = GAME_MASTER,
    *,
    has_result: bool = True,
) -> OfferedTool:
    """Return a tool as a list of this profile shows it, whether or not it is legal now."""
    row = tools.listing_of(tool.name)
    operations = tuple(role.operations.get(tool.name, ()))
    visible = tools.visibility_of(tool.name) if policy.is_player else None
    return OfferedTool(
        name=tool.name,
        description=short_description(tool, row),
        input_schema=short_schema(tool, row, profile, policy.protocol, operations),
        output_schema=output_schema(tool, visible) if profile == "full" and has_result else None,
        read_only=tool.reads,
        destructive=_is_destructive(tool, policy),
    )


def _offered_door_tool(name: str, *, is_player: bool) -> OfferedTool:
    row = door_tool_rows(is_player=is_player)[name]
    return OfferedTool(name, row.description, row.schema, read_only=row.reads, destructive=row.destructive, door=True)


def _within(
    bounds: Bounds, listed: list[OfferedTool], tools: Toolbox, own: Collection[OfferedTool]
) -> list[OfferedTool]:
    """Return the tools of a short list: the first in rank, each that still fits."""
    left, room = bounds.tokens - token_count(own), bounds.tools - len(own)
    chosen: set[str] = set()
    for tool in sorted(listed, key=lambda one: tools.listing_of(one.name).rank):
        if tool.tokens <= left and len(chosen) < room:
            left -= tool.tokens
            chosen.add(tool.name)
    return [tool for tool in listed if tool.name in chosen]


def _is_destructive(tool: Tool[Any], policy: TurnPolicy) -> bool:
    """Return whether a tool deletes something: all of them do, or by one of its operations."""
    key = tool.args_for(policy.protocol).model_fields.get(tool.args.operation_key)
    return tool.name.startswith("delete_") or (key is not None and "'delete'" in str(key.annotation))


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
