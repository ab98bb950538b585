"""From what a model wrote to an answer. Nothing is executed or mended: what cannot be read is kept as text.

Source: docs/agents.md, "What counts as an answer".
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from turnwright.dm.model import ModelAnswer
from turnwright.model.strict_json import MAX_DEPTH, JsonError, parse_json

FIELDS = ("tool_calls", "assistant_text", "output")
"""What an answer in JSON may hold. Whatever else stands in it (models like to add their thoughts) is left out."""

_MOST_STARTS = 50
_FENCED = re.compile(r"^```[\w-]*\s*\n(.*)\n\s*```$", re.DOTALL)
_BRACE = re.compile(r'[{}"]')
_STRING_END = re.compile(r'[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)


def answer_from_text(text: str, schema: Mapping[str, Any] | None = None) -> ModelAnswer:
    """Read an answer that is meant to be one JSON object, alone, in a code fence or among prose.

    Args:
        text: what the model wrote.
        schema: what it was asked for. When that holds none of `tool_calls`, `assistant_text` and `output`, it is the
            document of a scene game itself, and the object that is found is the `output`.
    """
    text = whole(text)
    bare = schema is not None and not set(FIELDS) & set(schema.get("properties", ()))
    found = [value for value in _objects(text) if bare or set(FIELDS) & set(value)]
    if len(found) != 1:
        return ModelAnswer(text, is_well_formed=False)
    if bare:
        return ModelAnswer("", output=found[0])
    return _answer(found[0]) or ModelAnswer(text, is_well_formed=False)


def answer_from_prose(text: str, calls: Iterable[Mapping[str, Any]] = ()) -> ModelAnswer:
    """Read an answer in free text, beside which native calls may stand.

    Models that know no native calls write the JSON of the examples they were shown. Text that is one such object and
    nothing else is read as one.

    Args:
        text: what the model wrote.
        calls: its native calls.
    """
    text, calls = whole(text), tuple(calls)
    if not calls and (text.lstrip().startswith(("{", "```"))):
        unfenced = _FENCED.sub(r"\1", text.strip()).strip()
        if unfenced.startswith("{") and unfenced.endswith("}"):
            answer = answer_from_text(unfenced)
            if answer.is_well_formed:
                return answer
    return ModelAnswer(text, calls, is_well_formed=bool(text.strip() or calls))


def whole(text: str) -> str:
    """Return text without halves of characters: servers cut some in two, and no file can hold one half."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def native_call(number: int, tool: Any, arguments: Any) -> dict[str, Any]:
    """Return a native call as a turn file holds it.

    Arguments that are not JSON stay the text they are; the engine then refuses the call and says so to the model.
    Ids are counted, because those of servers differ with each answer.
    """
    tool = whole(tool) if isinstance(tool, str) else tool
    text = whole(arguments) if isinstance(arguments, str) else json.dumps(arguments)
    args: Any = text
    with suppress(JsonError):
        args = parse_json(text, max_depth=MAX_DEPTH) if text.strip() else {}
    return {"id": f"call_{number:03}", "tool": tool, "args": {} if args is None else args}


def _answer(value: Mapping[str, Any]) -> ModelAnswer | None:
    calls, told = value.get("tool_calls"), value.get("assistant_text")
    if not (calls is None or isinstance(calls, list)) or not (told is None or isinstance(told, str)):
        return None
    return ModelAnswer(told or "", tuple(calls or ()), value.get("output"))


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """Yield the JSON objects that stand in a text, outermost ones only."""
    start, tried = text.find("{"), 0
    while start != -1 and tried < _MOST_STARTS:
        tried += 1
        end = _end_of(text, start)
        value = _parsed(text[start:end]) if end else None
        if value is not None:
            yield value
        start = text.find("{", end if value is not None and end else start + 1)


def _end_of(text: str, start: int) -> int | None:
    """Return where the object that begins at a brace ends, going by braces outside of strings."""
    depth, at = 0, start
    while mark := _BRACE.search(text, at):
        at = mark.end()
        if mark[0] == '"':
            string = _STRING_END.match(text, at)
            if string is None:
                return None
            at = string.end()
            continue
        depth += 1 if mark[0] == "{" else -1
        if depth == 0:
            return at
    return None


def _parsed(text: str) -> dict[str, Any] | None:
    try:
        value = parse_json(text, max_depth=MAX_DEPTH)
    except JsonError:
        return None
    return value if isinstance(value, dict) else None
