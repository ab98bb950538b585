"""Calls in the shapes that the APIs of models have for them: what they mean, for the hints of what is refused.

Nothing of it is done: the protocol has one shape of call, and who writes another is told what it would be in that one.
Source: docs/stages/3-tools.md, "Hints".
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from turnwright.model.strict_json import MAX_DEPTH, JsonError, json_fault, parse_json

_ARGS = ("args", "arguments", "input", "parameters")


def tool_meant(entry: Mapping[str, Any]) -> str | None:
    """Return the name of the tool that a call without `tool` stands for, or None."""
    function = entry.get("function")
    name = function if isinstance(function, str) else _inner(entry).get("name")
    return name if isinstance(name, str) else None


def args_meant(entry: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the arguments of a call that has no object `args`, or None; they may be written as a text."""
    inner = _inner(entry)
    given = next((inner[key] for key in _ARGS if key in inner), None)
    if isinstance(given, str):
        with suppress(JsonError):
            given = parse_json(given, max_depth=MAX_DEPTH)
    return given if isinstance(given, dict) and json_fault(given) is None else None


def _inner(entry: Mapping[str, Any]) -> Mapping[str, Any]:
    function = entry.get("function")
    return function if isinstance(function, dict) else entry
