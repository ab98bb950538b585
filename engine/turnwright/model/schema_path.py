"""Which part of a JSON Schema describes a place in a value: for hints, and for the nearest known key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from pydantic import BaseModel

from turnwright.model.json_types import JsonObject

Node = Mapping[str, Any]


@cache
def schema_of(model: type[BaseModel]) -> Node:
    """Return the JSON Schema of a model, made once: making it takes milliseconds."""
    return model.model_json_schema()


def schema_at(root: JsonObject, path: Sequence[str | int]) -> Node:
    """Return what describes the place at `path` in a value of this schema; empty where that is not fixed.

    Where a place may hold one of several kinds of value, the first that has such a place counts.
    """
    return next(iter(schemas_at(root, path)), {})


def schemas_at(root: JsonObject, path: Sequence[str | int]) -> list[Node]:
    """Return what describes each kind of value that the place at `path` may hold."""
    nodes = _branches(root, root)
    for step in path:
        nodes = [branch for node in nodes if (found := _below(node, step)) for branch in _branches(root, found)]
    return nodes


def _below(node: Node, step: str | int) -> Node | None:
    places = node.get("prefixItems", ())
    if isinstance(step, int) and step < len(places):
        found = places[step]
    else:
        found = node.get("properties", {}).get(step) or node.get("items") or node.get("additionalProperties")
    return found if isinstance(found, Mapping) else None


def _branches(root: Node, node: Node) -> list[Node]:
    """Follow references, and list the branches of a value that may be one of several; the first comes first.

    What stands beside a reference goes before what it leads to.
    """
    if "$ref" in node:
        named = root["$defs"][node["$ref"].rpartition("/")[2]]
        return [{**branch, **node} for branch in _branches(root, named)]
    several = node.get("anyOf") or node.get("oneOf")
    return [branch for inner in several for branch in _branches(root, inner)] if several else [node]
