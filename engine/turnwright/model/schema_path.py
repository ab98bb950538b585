"""Find the part of a JSON Schema that describes a place in a value: for hints, and for the nearest known key."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, cast

from pydantic import BaseModel

if TYPE_CHECKING:
    from turnwright.model.json_schema import JsonSchema


_NOT_FIXED: JsonSchema = {}


@cache
def schema_of(model: type[BaseModel]) -> JsonSchema:
    """Return the JSON Schema of a model, made once: making it takes milliseconds."""
    return cast("JsonSchema", model.model_json_schema())


def schema_at(root: JsonSchema, path: Sequence[str | int]) -> JsonSchema:
    """Return the subschema for the place at `path` in a value of this schema; empty if that is not fixed.

    If a place allows several types, the first that has such a place counts.
    """
    return next(iter(schemas_at(root, path)), _NOT_FIXED)


def schemas_at(root: JsonSchema, path: Sequence[str | int]) -> list[JsonSchema]:
    """Return what describes each kind of value that the place at `path` may hold."""
    nodes = _branches(root, root)
    for step in path:
        nodes = [branch for node in nodes if (found := _below(node, step)) for branch in _branches(root, found)]
    return nodes


def _below(node: JsonSchema, step: str | int) -> JsonSchema | None:
    places = node.get("prefixItems", ())
    if isinstance(step, int) and step < len(places):
        return places[step]
    known = node.get("properties", {}).get(step) if isinstance(step, str) else None
    found = known or node.get("items") or node.get("additionalProperties")
    return None if isinstance(found, bool) else found


def _branches(root: JsonSchema, node: JsonSchema) -> list[JsonSchema]:
    """Follow references, and list the branches of a value that may be one of several; the first comes first.

    Keywords beside a reference take precedence over its target.
    """
    if "$ref" in node:
        named = root["$defs"][node["$ref"].rpartition("/")[2]]
        return [{**branch, **node} for branch in _branches(root, named)]
    several = node.get("anyOf") or node.get("oneOf")
    return [branch for inner in several for branch in _branches(root, inner)] if several else [node]
