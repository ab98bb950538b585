"""The schema of what a call reports, for clients that read structured results."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from turnwright.model.published_schema import published
from turnwright.protocol.stage0_prepare.prepare import inline_references
from turnwright.rulesets.tool import Tool
from turnwright.rulesets.visibility import Visibility

Schema = dict[str, Any]
_STATUS: Schema = {"type": "string"}


@lru_cache(maxsize=256)
def output_schema(tool: Tool[Any], visible: Visibility | None = None) -> Schema:
    """Return the schema of `{status, result}` of an applied call; shared, and so not to be changed.

    A failed call has `reason`, `detail` and `hint` in place of `result`, so none of these is required.

    Args:
        tool: the tool.
        visible: what players may see of a result; None for the game master, who sees all.
    """
    result = dict(inline_references(tool.result.model_json_schema()))
    result.pop("description", None)
    if visible is not None:
        known = result.get("properties", {})
        result = {"type": "object", "properties": {key: known[key] for key in known if key in visible.keys}}
    one = {"anyOf": [result, {"type": "object", "required": ["results"]}]} if tool.batch else result
    schema: Schema = published(
        {"type": "object", "properties": {"status": _STATUS, "result": one}, "required": ["status"]}
    )
    return schema
