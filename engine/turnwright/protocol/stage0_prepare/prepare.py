"""Stage 0: build a model's input before a turn: the tools, and the calls that are legal now.

Source: docs/stages/0-prepare.md.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from turnwright.model.campaign import Protocol
from turnwright.model.dice.draws import Dice
from turnwright.model.published_schema import published
from turnwright.model.schema_path import schema_of
from turnwright.model.state.overlay import World
from turnwright.protocol.parts import TurnContext
from turnwright.protocol.stage0_prepare.call_grammar import ShortCall, short_arguments, within_budget
from turnwright.protocol.stage0_prepare.schema_table import BATCH_ROWS, OF_ARGUMENTS, argument_rows, table
from turnwright.protocol.stage2_settings import TurnPolicy
from turnwright.protocol.stage3_tools.checks import is_callable_now
from turnwright.rulesets.argument_schema import advertised, exact, note_on, without_given_dice
from turnwright.rulesets.in_use import tables_of
from turnwright.rulesets.tool import Args, Context, Legal, Tool

if TYPE_CHECKING:
    from turnwright.model.json_schema import JsonSchema

_DEFAULT = Protocol()
_HEAD: JsonSchema = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "A tool call that is legal now",
}


def legal_schema(
    world: World,
    policy: TurnPolicy,
    names: Collection[str] | None = None,
    operations: Mapping[str, Sequence[str]] = {},
    *,
    known: Mapping[str, Collection[str]] | None = None,
    full: bool = False,
) -> JsonSchema:
    """Return the JSON Schema of one tool call whose names and ids are those that are legal now.

    It is short and limited to what grammars support (see `call_grammar`), unless all arguments are requested. A tool
    whose every call would fail the gate is omitted; if none remains, nothing matches the schema. A tool of an installed
    ruleset that fails to list its legal values is omitted too, and `$comment` names it.

    Args:
        world: the campaign.
        policy: what holds for the turn.
        names: the tools that come into question; None: all.
        operations: where a tool comes into question for some operations only: these, by tool.
        known: the ids that may be named, by the kind that a mark names; then the ways that the party has not found are
            left out as well, as for players. None: all.
        full: include all arguments with their complete schemas.
    """
    calls: list[JsonSchema] = []
    short: list[ShortCall] = []
    definitions: dict[str, JsonSchema] = {}
    failed: list[str] = []
    for tool, legal in legal_tools(world, policy, names, only_known=known is not None, failed=failed):
        if known is not None:
            legal = _known_of(tool.args_for(policy.protocol), legal, known)
        narrowed = {"operation": list(operations[tool.name])} if tool.name in operations else {}
        if full:
            call, inner = _call_schema(tool, policy, {**legal, **narrowed})
            definitions |= inner
            calls.append(call)
        else:
            short.append(_short_call(tool, policy, {**legal, **narrowed}))
    schema: JsonSchema = {"not": {}}
    if short:
        schema = within_budget(short)
    elif calls:
        schema = {"oneOf": calls, **({"$defs": definitions} if definitions else {})}
    if full:
        schema = {**_HEAD, **schema}
    whole: JsonSchema = published(schema)
    return {**whole, "$comment": "left out: " + "; ".join(failed)} if failed else whole


def legal_tools(
    world: World,
    policy: TurnPolicy,
    names: Collection[str] | None = None,
    *,
    only_known: bool = False,
    failed: list[str] | None = None,
) -> Iterator[tuple[Tool[Any], Legal]]:
    """Yield each tool for which some call would pass the gate now, with the legal values.

    Args:
        world: the campaign.
        policy: what holds for the turn.
        names: the tools that come into question; None: all.
        only_known: leave out the ways that the party has not found, as for players.
        failed: receives a message for each tool of an installed ruleset that fails to list its legal values.
    """
    from turnwright.protocol.stage3_tools.installed_tools import LegalFailed, legal_values

    known = only_known or policy.is_player
    ctx = Context(policy.acting_id, Dice(b"", "legal").part(0), {}, policy.settings, policy.protocol, only_known=known)
    context = TurnContext(policy, Dice(b"", "legal"))
    tools = policy.tools
    seen = as_party_knows(world) if policy.is_player else world
    for name in tools:
        if names is not None and name not in names:
            continue
        tool = tools[name]
        try:
            legal = legal_values(tool, seen, ctx) if is_callable_now(tool, world, context) else None
        except LegalFailed as error:
            if failed is not None:
                failed.append(f"{tool.name} failed by itself" if policy.is_player else str(error))
            continue
        if legal is not None:
            yield tool, legal


def as_party_knows(world: World) -> World:
    """Return the campaign without what the party does not know: in it no secret makes a tool or an id legal."""
    return World(tables_of(world.campaign).actors.party_view(world))


def _known_of(args: type[Args], legal: Legal, known: Mapping[str, Collection[str]]) -> Legal:
    """Return the legal values that are known; an argument whose kind has none is not narrowed."""
    from turnwright.rulesets.reference_lookup import kind_of

    kept: dict[str, list[Any] | JsonSchema] = {}
    for name, values in legal.items():
        kind = kind_of(args, name)
        if kind is not None:
            values = [value for value in values if value in known.get(kind, ())]
        if values:
            kept[name] = values
    return kept


def _call_schema(tool: Tool[Any], policy: TurnPolicy, legal: Legal) -> tuple[JsonSchema, dict[str, JsonSchema]]:
    """Return the schema of the calls of a tool, and the definitions it refers to."""
    model: type[Args] = tool.args_for(policy.protocol)
    args = _plain_schema(model).copy()
    properties = args["properties"] = dict(args.get("properties", {}))
    for name, values in legal.items():
        if name in properties:
            described = properties[name].get("description")
            narrowed: JsonSchema = values.copy() if isinstance(values, Mapping) else {"enum": list(values)}
            if described:
                narrowed["description"] = described
            properties[name] = narrowed
    args["additionalProperties"] = False
    args = exact(tool, model, args, one=tool.name)
    definitions = args.pop("$defs", {})
    call: JsonSchema = {
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
    return call, definitions


def _short_call(tool: Tool[Any], policy: TurnPolicy, legal: Legal) -> ShortCall:
    model: type[Args] = tool.args_for(policy.protocol)
    row, whole = policy.tools.listing_of(tool.name), _plain_schema(model)
    return ShortCall(row.rank, lambda room: _envelope(tool, short_arguments(model, whole, row, legal, room)))


def _envelope(tool: Tool[Any], args: JsonSchema) -> JsonSchema:
    return {
        "type": "object",
        "properties": {
            "id": {"type": "string"},
            "tool": {"const": tool.name},
            "args": args,
        },
        "required": ["id", "tool", "args"],
        "additionalProperties": False,
    }


@lru_cache(maxsize=256)
def _plain_schema(args: type[Args]) -> JsonSchema:
    """Return the schema of one argument object of a tool, without references; shared, and so not to be changed.

    It is the schema for models: callers that submit their own dice do not need one.
    """
    return without_given_dice(args, _schema_of(args))


@lru_cache(maxsize=256)
def _schema_of(args: type[Args]) -> JsonSchema:
    """Return the schema of a model of arguments without references; shared, and so not to be changed."""
    return inline_references(schema_of(args))


def inline_references(schema: JsonSchema) -> JsonSchema:
    """Return a schema without references, and without the titles that only repeat names."""
    definitions: Any = schema.get("$defs", {})

    def resolve(node: Any) -> Any:
        if isinstance(node, list):
            return [resolve(item) for item in node]
        if not isinstance(node, dict):
            return node
        if "$ref" in node:
            return resolve(definitions[node["$ref"].rpartition("/")[2]])
        return {key: resolve(item) for key, item in node.items() if not (key == "title" and isinstance(item, str))}

    resolved: JsonSchema = resolve({key: part for key, part in schema.items() if key != "$defs"})
    return resolved


def args_schema(tool: Tool[Any], protocol: Protocol = _DEFAULT) -> JsonSchema:
    """Return the schema of a tool's arguments: one object, or a batch where it has any."""
    return exact(tool, tool.args_for(protocol), single_schema(tool, protocol))


def single_schema(tool: Tool[Any], protocol: Protocol = _DEFAULT) -> JsonSchema:
    """Return the schema of one argument object of a tool, without references; shared, and so not to be changed."""
    args: type[Args] = tool.args_for(protocol)
    return _schema_of(args)


def describe(tool: Tool[Any], form: str, protocol: Protocol = _DEFAULT) -> Any:
    """Return a tool as a model's API, a program or a person wants it described.

    Args:
        tool: the tool.
        form: `openai`, `anthropic`, `mcp`, `jsonschema` or `markdown`.
        protocol: the contract of the core tools.
    """
    if form == "jsonschema":
        return {"title": tool.name, **published(args_schema(tool, protocol))}
    if form == "markdown":
        return _markdown(tool, protocol)
    model = tool.args_for(protocol)
    schema = advertised(tool, published(without_given_dice(model, single_schema(tool, protocol))))
    note = note_on(tool, model, for_models=True)
    told = f"{tool.description}\n\n{note}" if note else tool.description
    if form == "openai":
        return {"type": "function", "function": {"name": tool.name, "description": told, "parameters": schema}}
    if form == "anthropic":
        return {"name": tool.name, "description": told, "input_schema": schema}
    hints = {"readOnlyHint": tool.reads, "destructiveHint": False}
    return {"name": tool.name, "description": told, "inputSchema": schema, "annotations": hints}


def _markdown(tool: Tool[Any], protocol: Protocol) -> str:
    schema = single_schema(tool, protocol)
    lines = [f"## {tool.name}", "", tool.description, ""]
    if note := note_on(tool, tool.args_for(protocol)):
        lines += [note, ""]
    rows = [*argument_rows(schema), *(BATCH_ROWS if tool.batch else ())]
    args = {key: value for key, value in tool.example.items() if key in schema["properties"]}
    example = json.dumps({"id": "call_001", "tool": tool.name, "args": args}, ensure_ascii=False)
    return "\n".join([*lines, table(OF_ARGUMENTS, rows), f"A good call: `{example}`", ""])


def tokens_of(tool: Tool[Any], protocol: Protocol = _DEFAULT) -> int:
    """Return about how many tokens a tool's whole description takes: its characters divided by 4."""
    return -(-len(json.dumps(describe(tool, "openai", protocol), ensure_ascii=False)) // 4)
