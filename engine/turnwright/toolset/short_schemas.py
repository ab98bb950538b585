"""A tool as lists show it: short, with the arguments that most calls need.

Nothing that the engine would take is refused by a short schema: it names fewer arguments, or says less of them, and
admits all others. What it leaves out, `find_tool` has.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

from turnwright.model.campaign import Protocol
from turnwright.model.published_schema import published
from turnwright.protocol.stage0_prepare.prepare import single_schema
from turnwright.rulesets.argument_schema import advertised, without_given_dice
from turnwright.rulesets.listing import Listing
from turnwright.rulesets.tool import Args, Tool

if TYPE_CHECKING:
    from turnwright.model.json_schema import JsonSchema

Profile = Literal["full", "core", "tiny"]
"""How much a list holds: every argument; the usual ones; the few that no call can do without."""
PROFILES: tuple[Profile, ...] = ("full", "core", "tiny")
_MAX_VOCABULARY = 110
"""Characters of a list of words that the schema of a usual argument still spells out. Longer ones, such as all skills,
a model knows, and the engine names the right one where it does not."""
_MAX_RARE_VOCABULARY = 45
"""Of an argument that few calls need."""
_MAX_DESCRIPTION: Mapping[Profile, int] = {"full": 32, "core": 75}
"""Characters of what a list says of an argument; longer sentences are left to `find_tool`."""
_CLEAR_NAMES = ("encounter_id", "character_id", "actor_id", "target_id", "target_ids")
"""Arguments of many tools that their names explain."""
_END_OF_SENTENCE = re.compile(r"[.;](\s|$)")
_DEFAULT_ARGUMENTS = 6
"""How many arguments are usual where a ruleset does not say which ones are."""


def short_description(tool: Tool[Any], row: Listing) -> str:
    """Return what a list says of a tool."""
    return f"{tool.summary} {row.note}".rstrip()


def short_schema(
    tool: Tool[Any], row: Listing, profile: Profile, protocol: Protocol, operations: tuple[str, ...] = ()
) -> JsonSchema:
    """Return the schema of a tool's arguments in a list; the caller may change it.

    Args:
        tool: the tool.
        row: which arguments are usual.
        profile: how much the list holds.
        protocol: the contract of the core tools.
        operations: the only operations that the role has the tool for; empty: all.
    """
    text = _short_schema(tool, row, profile, protocol, operations)
    schema: JsonSchema = json.loads(text)
    return schema


@lru_cache(maxsize=1024)
def _short_schema(
    tool: Tool[Any], row: Listing, profile: Profile, protocol: Protocol, operations: tuple[str, ...]
) -> str:
    model: type[Args] = tool.args_for(protocol)
    plain = advertised(tool, published(without_given_dice(model, single_schema(tool, protocol))))
    known: Mapping[str, JsonSchema] = plain.get("properties", {})
    needed = [field.alias or name for name, field in model.model_fields.items() if field.is_required()]
    usual = [name for name in row.usual or _usual_by_default(known, needed) if name in known]
    named = usual[: row.few] if profile == "tiny" and row.usual else usual
    properties = {
        name: _usual(known[name], is_key=name == model.operation_key, is_id=name.endswith("_id"), profile=profile)
        for name in named
    }
    if profile == "full":
        for name in _CLEAR_NAMES:
            properties.get(name, {}).pop("description", None)
    if profile != "full":
        properties = {name: _with_keys(node, row.keys_of(name)) for name, node in properties.items()}
    else:
        properties |= {name: bare(node) for name, node in known.items() if name not in properties}
    for name in needed:
        if name in properties and _may_be_null(single_schema(tool, protocol)["properties"][name]):
            nullable: JsonSchema = {"anyOf": [properties[name], {"type": "null"}]}
            if "description" in properties[name]:
                nullable["description"] = properties[name].pop("description")
            properties[name] = nullable
    if operations and model.operation_key in properties:
        properties[model.operation_key]["enum"] = list(operations)
    schema: JsonSchema = {"type": "object", "properties": properties}
    # What short lists do not name to begin with, such as the only fight, is filled in: see `completed_args`.
    always = properties if profile == "full" or not row.usual else row.usual[: row.few]
    required = [name for name in needed if name in always]
    if required and not tool.batch:
        schema["required"] = required
    return json.dumps(schema, ensure_ascii=False)


def _usual_by_default(known: Mapping[str, JsonSchema], needed: list[str]) -> list[str]:
    others = [name for name in known if name not in needed and name not in ("batch", "atomic")]
    return [*needed, *others[: max(0, _DEFAULT_ARGUMENTS - len(needed))]]


def _usual(node: JsonSchema, *, is_key: bool, is_id: bool, profile: Profile) -> JsonSchema:
    """Return the schema of a usual argument.

    Args:
        node: the whole schema of it.
        is_key: whether it says which operation, and so is always spelled out.
        is_id: whether it is an id, for which the shortest list takes a name.
        profile: how much the list holds.
    """
    short = _plain(node, depth=1)
    if "enum" in node and (is_key or _is_short(node["enum"], _MAX_VOCABULARY)):
        short["enum"] = list(node["enum"])
    if profile == "tiny":
        return short | ({"description": "Name"} if is_id else {})
    described = _first_sentence(str(node.get("description", "")), _MAX_DESCRIPTION[profile])
    return short | ({"description": described} if described and "enum" not in short else {})


def _with_keys(node: JsonSchema, keys: tuple[str, ...]) -> JsonSchema:
    """Return the schema of an argument that holds objects with some of their keys; with all where none are given."""
    if not keys:
        return node
    if node.get("type") == "array":
        return {**node, "items": _with_keys(node["items"], keys)}
    shown = {key: part for key, part in node.get("properties", {}).items() if key in keys}
    required = [key for key in node.get("required", ()) if key in shown]
    kept = node.copy()
    kept.pop("required", None)
    kept["properties"] = shown
    if required:
        kept["required"] = required
    return kept


def _plain(node: JsonSchema, depth: int) -> JsonSchema:
    """Return what kind of value a node is, and of objects down to a depth what they hold."""
    if "anyOf" in node or "oneOf" in node:
        branches = node.get("anyOf") or node.get("oneOf") or []
        kinds = [_plain(branch, depth) for branch in branches]
        return {"anyOf": [kind for place, kind in enumerate(kinds) if kind not in kinds[:place]]}
    kind = node.get("type")
    if kind is None:
        return {}
    short: JsonSchema = {"type": kind}
    if kind == "array":
        short["items"] = _plain(node.get("items", {}), depth) if depth else {}
    elif kind == "object" and depth and node.get("properties"):
        short["properties"] = {name: _plain(part, depth - 1) for name, part in node["properties"].items()}
        if required := node.get("required"):
            short["required"] = list(required)
    return short


def _may_be_null(node: JsonSchema) -> bool:
    return {"type": "null"} in node.get("anyOf", ())


def bare(node: JsonSchema) -> JsonSchema:
    """Return the schema of an argument that few calls need: its type, and its words where they are few."""
    if "type" not in node:
        return {}
    short: JsonSchema = {"type": node["type"]}
    if node["type"] == "array":
        short["items"] = {}
    if "enum" in node and _is_short(node["enum"], _MAX_RARE_VOCABULARY):
        short["enum"] = list(node["enum"])
    return short


def _is_short(words: list[Any], most: int) -> bool:
    return len(json.dumps(words, separators=(",", ":"))) <= most


def _first_sentence(text: str, most: int) -> str:
    """Return the first sentence of a description, without its full stop; nothing where that is long."""
    end = _END_OF_SENTENCE.search(text)
    sentence = text[: end.start()] if end else text
    return sentence if len(sentence) <= most else ""
