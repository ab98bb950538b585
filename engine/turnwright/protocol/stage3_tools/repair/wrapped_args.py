"""Arguments that stand one level too deep, as models and clients hand them in: `{"arguments": {...}}`.

Source: docs/stages/3-tools.md, "Hints".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from turnwright.model.base import Model
from turnwright.model.json_types import JsonObject
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.protocol.stage3_tools.arguments import WRAPPERS
from turnwright.protocol.stage3_tools.normalize import snake
from turnwright.protocol.stage3_tools.repair.loose_json import read_loosely

_LABELS = frozenset({"id", "tool", "name", "tool_name", "function", "type", "call_id"})


def refuse_wrapped(model: type[Model], args: JsonObject, where: str, tool: str) -> None:
    """Refuse arguments that are in a wrapper of their own.

    Raises:
        CallFailed: `invalid_args`, with the arguments as they should stand.
    """
    known = {name for field, info in model.model_fields.items() for name in (field, info.alias or field)}
    known |= set(getattr(model, "also", {}))
    key = next((key for key in args if (key in WRAPPERS or key == tool) and snake(key) not in known), None)
    if key is None:
        return
    inner = read_inner(args[key])
    if inner is None:
        return
    beside = {other: value for other, value in args.items() if other != key}
    labels = {other for other in beside if other in _LABELS and other not in known}
    rest = {other: value for other, value in beside.items() if other not in labels}
    if any(beside[label] not in (tool, "function", "tool_use") for label in labels if label in ("tool", "tool_name")):
        return
    if set(rest) & set(inner) or not set(map(snake, rest)) <= known:
        return
    detail = f"{where}: the arguments stand one level too deep, in {key}"
    raise CallFailed(Reason.INVALID_ARGS, detail, hint.repair(where, dict(args), {**rest, **inner}))


def read_inner(value: Any) -> JsonObject | None:
    """Return the object that a value is, says as a text of JSON, or holds as the only one of a list; else None."""
    if isinstance(value, str):
        value = read_loosely(value).value
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    return dict(value) if isinstance(value, Mapping) else None
