"""Find tools that a list leaves out, or shows in short, with all that can be said of them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypedDict

from turnwright.model.fuzzy_match import misspelt
from turnwright.model.settings import Settings
from turnwright.model.state.overlay import World
from turnwright.protocol.stage0_prepare.prepare import single_schema
from turnwright.protocol.stage2_settings import TurnPolicy
from turnwright.rulesets.aliases import ALIASES
from turnwright.rulesets.tool import Tool
from turnwright.rulesets.toolbox import Toolbox, tools_of
from turnwright.toolset.offered import OfferedTool, callable_tools, offer_whole
from turnwright.toolset.role import GAME_MASTER, Role

if TYPE_CHECKING:
    from turnwright.model.json_schema import JsonSchema
    from turnwright.model.wire.prompt import ToolDefinition

    pass

MAX_FOUND = 2
"""Number of tools in the result of one search."""
_WORD = re.compile(r"[^\W_]+")
_MIN_STEM = 4
_EMPTY_TEXT = (
    "and anybody anything are can for from how into its one somebody something the their them tool what who with"
)
_EMPTY = frozenset(_EMPTY_TEXT.split())
"""Words that say nothing of what a tool does."""
_SAME = {"make": "create"}
"""Words of queries, and the word that the tools have for it."""
_WEIGHTS = (8, 4, 2, 1)
"""Of a word in the name, an operation or the listing of a tool, in its first line, in the rest of what it says, in its
arguments."""
_SAYS_WHAT_FOR = 4
"""The weight from which on a word says what a tool is for."""


class FoundTools(TypedDict):
    """The result of a search for tools.

    Attributes:
        tools: those that fit best, whole, the best one first, in the form that was asked for.
        others: the names of all further tools that the role may call.
    """

    tools: list[ToolDefinition]
    others: list[str]


def find_tool(
    world: World, query: str, role: Role = GAME_MASTER, *, limit: int = MAX_FOUND, settings: Settings | None = None
) -> FoundTools:
    """Return the tools that fit a query best, whole, of those that the role may call, now or later.

    Args:
        world: the campaign.
        query: the name of a tool, or words for what it should do.
        role: who asks.
        limit: how many tools at the most.
        settings: the settings in force; default: the campaign's own.

    Returns:
        The tools, each with `name`, `description` and `input_schema`, and the names of the others.

    Raises:
        BadRequest: when the authority of the role is none.
    """
    found, others = search_tools(world, query, role, limit=limit, settings=settings)
    shown: list[ToolDefinition] = [
        {"name": one.name, "description": one.description, "input_schema": one.input_schema} for one in found
    ]
    return {"tools": shown, "others": others}


def search_tools(
    world: World, query: str, role: Role = GAME_MASTER, *, limit: int = MAX_FOUND, settings: Settings | None = None
) -> tuple[list[OfferedTool], list[str]]:
    """Return what `find_tool` tells: the tools that fit, whole, and the names of the others."""
    policy = role.policy(world, settings)
    callable_now = callable_tools(role, policy)
    names = [tool.name for tool in callable_now]
    exact = _named(query, names)
    tools = tools_of(world.campaign)
    scores = {exact: (1, 1.0)} if exact is not None else _scores(callable_now, query, policy, tools)
    best = sorted((name for name in names if name in scores), key=lambda name: scores[name], reverse=True)
    chosen = best[: max(0, limit)]
    found = [offer_whole(tools[name], policy, role) for name in chosen]
    return found, [name for name in names if name not in chosen]


def _named(query: str, names: list[str]) -> str | None:
    """Return the tool that a query names, in whatever spelling or by an old name; None for other words."""
    plain = query.strip()
    name = plain.casefold().replace("-", "_").replace(" ", "_")
    if name in ALIASES:
        name = ALIASES[name].tool
    return name if name in names else misspelt(plain, names)


def _scores(tools: list[Tool[Any]], query: str, policy: TurnPolicy, toolbox: Toolbox) -> dict[str, tuple[int, float]]:
    """Return how well each tool that fits a query does: how many of its words say what the tool is for, and a weight.

    In the weight, a word says the more, the fewer tools have it.
    """
    fields = {tool.name: _fields(tool, policy, toolbox.listing_of(tool.name).words) for tool in tools}
    scores: dict[str, tuple[int, float]] = {}
    for word in sorted({_SAME.get(word, word) for word in _words(query)}):
        weights = {name: weight for name, words in fields.items() if (weight := _weight(word, words))}
        for name, weight in weights.items():
            said, score = scores.get(name, (0, 0.0))
            scores[name] = said + (weight >= _SAYS_WHAT_FOR), score + weight / len(weights)
    return scores


def _fields(tool: Tool[Any], policy: TurnPolicy, own: str) -> list[set[str]]:
    """Return the words by which a tool may be found, those that say most of it first."""
    summary, _, rest = tool.description.partition("\n")
    schema = single_schema(tool, policy.protocol).get("properties", {})
    key = schema.get(tool.args_for(policy.protocol).operation_key, {})
    branches = (key, *key.get("anyOf", ()))  # an operation that may be left out has a branch for null
    operations = " ".join(str(word) for branch in branches for word in branch.get("enum", ()))
    return [_words(text) for text in (f"{tool.name} {operations} {own}", summary, rest, _argument_text(schema))]


def _argument_text(schema: Mapping[str, JsonSchema]) -> str:
    return " ".join(f"{name} {node.get('description', '')}" for name, node in schema.items())


def _words(text: str) -> set[str]:
    return {word for word in _WORD.findall(text.casefold()) if len(word) > 2 and word not in _EMPTY}


def _weight(word: str, fields: list[set[str]]) -> int:
    """Return the weight of the first field with a word that begins as this one does."""
    for weight, words in zip(_WEIGHTS, fields, strict=True):
        if word in words or any(_share_stem(word, other) for other in words):
            return weight
    return 0


def _share_stem(word: str, other: str) -> bool:
    shorter, longer = sorted((word, other), key=len)
    return len(shorter) >= _MIN_STEM and longer.startswith(shorter)
