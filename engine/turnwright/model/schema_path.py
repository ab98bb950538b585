"""Which part of a JSON Schema describes a place in a value: for hints, and for the nearest known key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from pydantic import BaseModel

Node = Mapping[str, Any]


@cache
def schema_of(model: type[BaseModel]) -> Node:
    """Return the JSON Schema of a model, made once: making it takes milliseconds."""
    return model.model_json_schema()


def schema_at(root: Node, path: Sequence[str | int]) -> Node:
    """Return what describes the place at `path` in a value of this schema; empty where that is not fixed."""
    node = _resolved(root, root)
    for step in path:
        properties = node.get("properties", {})
        found = properties.get(step) or node.get("items") or node.get("additionalProperties") or {}
        if not isinstance(found, Mapping):
            return {}
        node = _resolved(root, found)
    return node


def _resolved(root: Node, node: Node) -> Node:
    """Follow a reference, and take the first branch of an optional value."""
    while "$ref" in node or "anyOf" in node:
        node = node["anyOf"][0] if "anyOf" in node else root["$defs"][node["$ref"].rpartition("/")[2]]
    return node
