"""Interpret entries that are not a call in any known shape, for the hints of rejected calls.

Nothing here is executed. The formats of model APIs are accepted as they are (`model/call_shapes.py`); this module
covers the rest: other names for the keys, and arguments given as text that is not JSON. Source: docs/stages/3-tools.md,
"Calls in other shapes".
"""

from __future__ import annotations

from typing import Any

from turnwright.model.call_shapes import WORDS_FOR_ARGUMENTS, further_arguments
from turnwright.model.json_types import JsonObject
from turnwright.model.strict_json import json_fault
from turnwright.protocol.stage3_tools.normalize import snake
from turnwright.protocol.stage3_tools.repair.loose_json import read_loosely
from turnwright.protocol.stage3_tools.repair.wrapped_args import read_inner
from turnwright.rulesets.tool import Tool

_OF_OURS = frozenset({"id", "tool", "reason"})
_OF_OTHERS = _OF_OURS | {"call_id", "function", "name", "type"}
"""Keys that calls have beside their arguments: ours, and those of others."""


def find_tool_name(entry: JsonObject) -> str | None:
    """Return the name of the tool that a call without `tool` stands for, or None."""
    function = entry.get("function")
    name = function if isinstance(function, str) else _inner(entry).get("name")
    return name if isinstance(name, str) else None


def find_args(entry: JsonObject, max_depth: int) -> JsonObject | None:
    """Return the arguments of a call without `args`, found under other formats' names, or None.

    Without such a key, the entries beside the tool are the arguments; if there are none, the arguments are empty. If
    several places hold arguments, it is unknown which were meant.
    """
    said = [coerce_args(given, max_depth) for _, given in further_arguments(entry)]
    if said:
        return said[0] if all(each == said[0] for each in said) else None
    inner = _inner(entry)
    key = next((key for key in WORDS_FOR_ARGUMENTS if key in inner), None)
    if key is not None:
        return coerce_args(inner[key], max_depth)
    of_calls = _OF_OURS if isinstance(entry.get("tool"), str) else _OF_OTHERS
    rest = {key: value for key, value in entry.items() if key not in of_calls}
    return rest if json_fault(rest) is None else None


def coerce_args(given: Any, max_depth: int) -> JsonObject | None:
    """Return the arguments that a value says: an object, the text of one, the only one of a list; else None."""
    if isinstance(given, str) and given.strip():
        given = read_loosely(given, max_depth).value
        if given is None:
            return None
    if given is None or given in ("", [], {}):
        return {}
    inner = read_inner(given)
    return inner if inner is not None and json_fault(inner) is None else None


def _inner(entry: JsonObject) -> JsonObject:
    function = entry.get("function")
    return function if isinstance(function, dict) else entry


def arguments_beside(entry: JsonObject, tool: Tool[Any] | None) -> JsonObject:
    """Return the tool's arguments that are beside `args` and missing in it."""
    args = entry.get("args")
    if tool is None or not isinstance(args, dict) or "batch" in args:
        return {}
    known = {field.alias or name for name, field in tool.args.model_fields.items()}
    given = set(map(snake, args))
    beside = {key: value for key, value in entry.items() if key not in (*_OF_OURS, "args") and snake(key) in known}
    return {key: value for key, value in beside.items() if snake(key) not in given and json_fault(value) is None}
