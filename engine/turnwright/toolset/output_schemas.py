"""The schema of what a call reports, for clients that read structured results."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from turnwright.model.published_schema import published
from turnwright.model.schema_path import schema_of
from turnwright.protocol.stage0_prepare.prepare import inline_references
from turnwright.rulesets.tool import Tool
from turnwright.rulesets.visibility import Visibility
from turnwright.toolset.short_schemas import bare

if TYPE_CHECKING:
    from turnwright.model.json_schema import JsonSchema

_STATUS: JsonSchema = {"type": "string"}


@lru_cache(maxsize=256)
def output_schema(tool: Tool[Any], visible: Visibility | None = None) -> JsonSchema:
    """Return the schema of `{status, result}` of an applied call; shared, and so not to be changed.

    It names what a result holds and the type of each, and requires none of it: a failed call has `reason`, `detail` and
    `hint` in place of `result`, and a batch has `results`.

    Args:
        tool: the tool.
        visible: what players may see of a result; None for the game master, who sees all.
    """
    known = published(inline_references(schema_of(tool.result))).get("properties", {})
    shown = {key: bare(node) for key, node in known.items() if visible is None or key in visible.keys}
    result: JsonSchema = {"type": "object", "properties": shown}
    return {"type": "object", "properties": {"status": _STATUS, "result": result}, "required": ["status"]}
