"""A JSON Schema as people and models read it: a table with a row for each key.

Source: docs/stages/0-prepare.md.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from turnwright.rulesets.tool import MAX_ITEMS

if TYPE_CHECKING:
    from turnwright.model.json_schema import JsonSchema


OF_ARGUMENTS = ("argument", "type", "required", "meaning")
BATCH_ROWS = (
    ["`batch`", "list of objects", "no", f"In place of all others: 1 to {MAX_ITEMS} such calls."],
    ["`atomic`", "boolean", "no", "Beside `batch`: all items are done, or none."],
)
"""The rows of a tool that takes a batch, below those of its arguments."""
_PLURAL = frozenset({"string", "object", "integer"})


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table in Markdown, with a line feed at its end."""
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(cell.replace('|', '&#124;') for cell in line)} |\n" for line in lines)


def code(value: object) -> str:
    """Return a word as code."""
    return f"`{value}`"


def type_in_words(node: JsonSchema, root: JsonSchema) -> str:
    """Return the type of a part of a schema as a person names it.

    Args:
        node: the part.
        root: the whole schema, with what the part refers to.
    """
    if "$ref" in node:
        target = str(node["$ref"]).rpartition("/")[2]
        resolved = root.get("$defs", {}).get(target, {})
        return "object" if resolved.get("type") == "object" else type_in_words(resolved, root)
    if "const" in node:
        return code(json.dumps(node["const"]).strip('"'))
    if "enum" in node:
        return " · ".join(code(word) for word in node["enum"])
    if branches := node.get("anyOf") or node.get("oneOf"):
        return " or ".join(dict.fromkeys(type_in_words(branch, root) for branch in branches))
    if node.get("type") == "array":
        inner = type_in_words(node.get("items", {}), root)
        return "list" if inner == "any JSON" else f"list of {inner}s" if inner in _PLURAL else f"list of {inner}"
    kind = str(node.get("type", "any JSON"))
    if kind in ("integer", "number") and "minimum" in node and node.get("maximum", 2**53) < 2**53:
        return f"{kind} {node['minimum']} to {node['maximum']}"
    return kind


def argument_rows(schema: JsonSchema, before: str = "", deep: int = 3) -> Iterator[list[str]]:
    """Yield a row for each argument, and below it for each key of the objects it may be or hold.

    Args:
        schema: of an object, without references.
        before: prefix of the names.
        deep: how many levels of nested objects to include.
    """
    for name, node in schema.get("properties", {}).items():
        needed = "yes" if name in schema.get("required", ()) else "no"
        yield [code(before + name), type_in_words(node, schema), needed, str(node.get("description", ""))]
        for ending, inner in _objects_in(node) if deep else ():
            yield from argument_rows(inner, f"{before}{name}{ending}.", deep - 1)


def _objects_in(node: JsonSchema) -> Iterator[tuple[str, JsonSchema]]:
    """Yield the objects with known keys that may stand at a place, or in a list there."""
    for branch in (node, *node.get("anyOf", ())):
        if branch.get("properties"):
            yield "", branch
        elif branch.get("type") == "array":
            yield from ((f"[]{ending}", inner) for ending, inner in _objects_in(branch.get("items", {})))
