"""Entries that are no call in any known shape: what they mean, for the hints of what is refused.

Nothing of it is done. What the APIs of models write is taken as it is (`model/call_shapes.py`); here is the rest: other
names for the keys, and arguments that are a text and no JSON. Source: docs/stages/3-tools.md, "Calls in other shapes".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from turnwright.model import hint
from turnwright.model.call_shapes import WORDS_FOR_ARGUMENTS
from turnwright.model.reason import CallFailed, Reason
from turnwright.model.strict_json import JsonError, json_fault, parse_json
from turnwright.stages.loose_json import read_loosely


def tool_meant(entry: Mapping[str, Any]) -> str | None:
    """Return the name of the tool that a call without `tool` stands for, or None."""
    function = entry.get("function")
    name = function if isinstance(function, str) else _inner(entry).get("name")
    return name if isinstance(name, str) else None


def args_meant(entry: Mapping[str, Any], max_depth: int) -> dict[str, Any] | None:
    """Return the arguments of a call that has no object `args`, or None; they may be written as a text."""
    inner = _inner(entry)
    given = next((inner[key] for key in WORDS_FOR_ARGUMENTS if key in inner), None)
    if isinstance(given, str):
        given = read_loosely(given, max_depth).value
    return given if isinstance(given, dict) and json_fault(given) is None else None


def text_in_place_of_args(text: str, max_depth: int) -> CallFailed:
    """Return why a call fails whose arguments are a text; its hint keeps what the text says, where it says one thing.

    Args:
        text: what stands in place of the arguments.
        max_depth: how deep arguments may nest.
    """
    value, why = read_loosely(text, max_depth)
    allowed = [value] if isinstance(value, dict) else []
    if not allowed:
        why = ""
        try:
            parse_json(text, max_depth=max_depth)
        except JsonError as error:
            why = str(error)  # as intake says it of a turn
    detail = "args must be an object" + (f", and the text is not JSON: {why.removeprefix('not JSON: ')}" if why else "")
    return CallFailed(Reason.INVALID_CALL, detail, hint.replace("args", text, allowed))


def _inner(entry: Mapping[str, Any]) -> Mapping[str, Any]:
    function = entry.get("function")
    return function if isinstance(function, dict) else entry
