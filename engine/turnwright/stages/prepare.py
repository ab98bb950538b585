"""Stage 0: what a model is given before there is a turn: the tools, and the calls that are legal now.

Source: docs/stages/0-prepare.md.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from typing import Any

from turnwright.rules.draws import Dice
from turnwright.stages.settings import InForce
from turnwright.stages.tools import Bench, gate_open
from turnwright.tools._base import Context, Legal, Tool
from turnwright.tools.registry import TOOLS
from turnwright.world.overlay import World

Schema = dict[str, Any]


def legal_schema(world: World, force: InForce) -> Schema:
    """Return the JSON Schema of one tool call whose names and ids are those that are legal now.

    A tool that no call would get past the gate for is left out; with nothing left, nothing fits the schema.
    """
    ctx = Context(force.acting_id, Dice(b"", "legal").part(0), {}, force.settings, force.protocol)
    bench = Bench(force, Dice(b"", "legal"))
    calls = []
    for tool in TOOLS.values():
        legal = tool.legal(world, ctx) if gate_open(tool, world, bench) else None
        if legal is not None:
            calls.append(_call_schema(tool, force, legal))
    schema: Schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A tool call that is legal now",
    }
    schema["oneOf" if calls else "not"] = calls or {}
    return schema


def _call_schema(tool: Tool[Any], force: InForce, legal: Legal) -> Schema:
    args = _inlined(tool.args_for(force.protocol).model_json_schema())
    properties = args.get("properties", {})
    for name, values in legal.items():
        if name in properties:
            described = properties[name].get("description")
            narrowed = dict(values) if isinstance(values, Mapping) else {"enum": list(values)}
            properties[name] = narrowed | ({"description": described} if described else {})
    args["additionalProperties"] = False
    return {
        "type": "object",
        "description": tool.summary,
        "properties": {
            "id": {"type": "string", "description": "A label of your own; feedback names it."},
            "tool": {"const": tool.name},
            "args": args,
            "reason": {"type": ["string", "null"]},
        },
        "required": ["id", "tool", "args"],
        "additionalProperties": False,
    }


def _inlined(schema: Mapping[str, Any]) -> Schema:
    """Return a schema without references, and without the titles that only repeat names."""
    root = copy.deepcopy(dict(schema))
    definitions = root.pop("$defs", {})

    def resolve(node: Any) -> Any:
        if isinstance(node, list):
            return [resolve(item) for item in node]
        if not isinstance(node, dict):
            return node
        if "$ref" in node:
            return resolve(definitions[node["$ref"].rpartition("/")[2]])
        return {key: resolve(item) for key, item in node.items() if not (key == "title" and isinstance(item, str))}

    resolved: Schema = resolve(root)
    return resolved


def args_schema(tool: Tool[Any]) -> Schema:
    """Return the schema of a tool's arguments under the default protocol, self-contained."""
    from turnwright.model.campaign import Protocol

    return _inlined(tool.args_for(Protocol()).model_json_schema())


def describe(tool: Tool[Any], form: str) -> Any:
    """Return a tool as a model's API, a program or a person wants it described.

    Args:
        tool: the tool.
        form: `openai`, `anthropic`, `mcp`, `jsonschema` or `markdown`.
    """
    schema = args_schema(tool)
    if form == "openai":
        function = {"name": tool.name, "description": tool.description, "parameters": schema}
        return {"type": "function", "function": function}
    if form == "anthropic":
        return {"name": tool.name, "description": tool.description, "input_schema": schema}
    if form == "mcp":
        hints = {"readOnlyHint": tool.reads, "destructiveHint": False}
        return {"name": tool.name, "description": tool.description, "inputSchema": schema, "annotations": hints}
    if form == "jsonschema":
        return {"title": tool.name, **schema}
    return _markdown(tool, schema)


def _markdown(tool: Tool[Any], schema: Schema) -> str:
    lines = [f"## {tool.name}", "", tool.description, "", "| argument | type | required | |", "|---|---|---|---|"]
    for name, node in schema.get("properties", {}).items():
        needed = "yes" if name in schema.get("required", ()) else "no"
        lines.append(f"| `{name}` | {_kind(node)} | {needed} | {node.get('description', '')} |")
    example = json.dumps({"id": "call_001", "tool": tool.name, "args": tool.example}, ensure_ascii=False)
    return "\n".join([*lines, "", f"A good call: `{example}`", ""])


def _kind(node: Mapping[str, Any]) -> str:
    if "anyOf" in node:
        return " or ".join(_kind(branch) for branch in node["anyOf"])
    return str(node.get("type", "any"))


def tokens_of(tool: Tool[Any]) -> int:
    """Return about how many tokens a tool's description takes: its characters divided by 4."""
    return -(-len(json.dumps(describe(tool, "openai"), ensure_ascii=False)) // 4)
