"""What the author of a ruleset imports: one place whose names stay. Source: docs/rulesets.md."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from turnwright.model.base import Count, Entry, Flag, Id, ListOf, Model, SafeInt, Text
from turnwright.model.character import Character
from turnwright.model.state.overlay import World
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.ruleset import Ruleset, ToolRow, tool_rows
from turnwright.rulesets.tool import Applied, Args, Context, Legal, Tool
from turnwright.rulesets.tool import tool as declare

__all__ = [
    "Applied",
    "Args",
    "CallFailed",
    "Character",
    "Context",
    "Count",
    "Entry",
    "Flag",
    "Id",
    "Legal",
    "ListOf",
    "Model",
    "Reason",
    "Ruleset",
    "SafeInt",
    "Text",
    "Tool",
    "ToolRow",
    "World",
    "hint",
    "tool",
    "tool_rows",
]

A = TypeVar("A", bound=Args)


def _unnarrowed(world: World, ctx: Context) -> Legal:
    """Narrow no argument."""
    del world, ctx
    return {}


def tool(
    args: type[A],
    result: type[Model],
    *,
    example: Mapping[str, Any],
    reads: bool = False,
    legal: Callable[[World, Context], Legal | None] = _unnarrowed,
) -> Callable[[Callable[[World, A, Context], Applied]], Tool[A]]:
    """Turn a function into a tool. Its name and docstring become the tool's name and description.

    The function gets the world, the parsed arguments and the context; it raises `CallFailed` before its first change or
    draw, puts changed documents into the world, and returns `Applied`.

    Args:
        args: the model of its arguments.
        result: the model of what an applied call reports.
        example: arguments of a good call.
        reads: whether it changes and draws nothing.
        legal: gives the values that are legal now by argument, or None when no call is.
    """
    return declare(args, result, family="toolkit", legal=legal, example=example, reads=reads)
