"""How the tools of a moment are shown to an agent: `agents.profile` says in what size.

Source: docs/agents.md, "What a question costs".
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import partial
from typing import NamedTuple

from turnwright.model.settings import Settings
from turnwright.model.state.overlay import World
from turnwright.toolset.offered import Bounds, OfferedTool, Profile, Role, available_tools, offered_tools

DOOR_TOOLS = ("find_tool", "call_tool")
"""What stands for the tools and arguments that a list leaves out."""


class _Size(NamedTuple):
    """How much of a question is the list, and how much the rest.

    Attributes:
        profile: how the list shows a tool.
        bounds: of the list; None: all tools.
        prompt_tokens: the most that the system prompt and the earlier messages take, whatever `agents.context_tokens`
            says; None: no more than that says.
    """

    profile: Profile
    bounds: Bounds | None
    prompt_tokens: int | None


_SIZES: Mapping[str, _Size] = {
    "moment": _Size("core", Bounds(3200, 64), None),
    "full": _Size("full", None, None),
    "core": _Size("core", Bounds(1300, 12), 1600),
    "tiny": _Size("tiny", Bounds(650, 12), 780),
}
"""By the value of `agents.profile`."""


def listed_tools(world: World, settings: Settings, role: Role, names: Collection[str]) -> tuple[OfferedTool, ...]:
    """Return the tools that an agent is shown; where something is left out, with those that find and call it.

    Args:
        world: the campaign.
        settings: the settings in force.
        role: the agent's.
        names: the agent's tools of which some call is legal now.
    """
    size = _SIZES[settings["agents.profile"]]
    role = role.narrowed(names)
    offered = partial(offered_tools, world, role, settings=settings, available=available_tools(world, role, settings))
    if size.profile == "full":
        return offered("full")
    listed, whole = offered(size.profile, bounds=size.bounds), offered("full", has_results=False)
    if [_arguments(tool) for tool in listed] == [_arguments(tool) for tool in whole]:
        return listed
    return offered(size.profile, door=DOOR_TOOLS, bounds=size.bounds)


def prompt_tokens(settings: Settings) -> int:
    """Return how many tokens the system prompt and the earlier messages may take together."""
    most: int = settings["agents.context_tokens"]
    own = _SIZES[settings["agents.profile"]].prompt_tokens
    return most if own is None else min(most, own)


def takes_names(settings: Settings) -> bool:
    """Return whether calls may hold names for ids, and leave out what can be one thing only."""
    return _SIZES[settings["agents.profile"]].profile != "full"


def _arguments(tool: OfferedTool) -> tuple[str, frozenset[str]]:
    return tool.name, frozenset(tool.input_schema["properties"])
