"""One call in every shape that a turn may hold it in."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from tests.builders import Json

Shaped = Callable[[Json], Json]


def _chat(call: Json) -> Json:
    function = {"name": call["tool"], "arguments": json.dumps(call["args"])}
    return {"id": call["id"], "type": "function", "function": function}


def _chat_object(call: Json) -> Json:
    return {"id": call["id"], "function": {"name": call["tool"], "arguments": call["args"]}}


def _item(call: Json) -> Json:
    arguments = json.dumps(call["args"], ensure_ascii=False, indent=1)
    return {"type": "function_call", "id": "fc_1", "call_id": call["id"], "name": call["tool"], "arguments": arguments}


def _tool_use(call: Json) -> Json:
    return {"type": "tool_use", "id": call["id"], "name": call["tool"], "input": call["args"]}


def _mcp(call: Json) -> Json:
    return {"id": call["id"], "name": call["tool"], "arguments": call["args"]}


def _mcp_request(call: Json) -> Json:
    params = {"name": call["tool"], "arguments": call["args"], "_meta": {"progressToken": 1}}
    return {"jsonrpc": "2.0", "id": call["id"], "method": "tools/call", "params": params}


SHAPED: Mapping[str, Shaped] = {
    "openai": _chat,
    "openai, an object": _chat_object,
    "openai responses": _item,
    "anthropic": _tool_use,
    "mcp": _mcp,
    "mcp request": _mcp_request,
}
"""How each protocol writes a call of ours."""


def with_arguments(shape: str, arguments: Any) -> Json:
    """Return a call of `move_options` in a shape, its arguments put in place of the usual ones."""
    entry = SHAPED[shape]({"id": "a", "tool": "move_options", "args": {}})
    holder: Json = entry.get("function") or entry.get("params") or entry
    holder["input" if shape == "anthropic" else "arguments"] = arguments
    return entry
