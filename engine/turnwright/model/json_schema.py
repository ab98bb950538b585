"""A JSON Schema, for type checkers: the words of the dialect that the engine writes schemas in.

Source: docs/stages/README.md, "Schemas".
"""

from __future__ import annotations

from typing import Any, TypedDict, Union

JsonSchema = TypedDict(
    "JsonSchema",
    {
        "$schema": str,
        "$id": str,
        "$comment": str,
        "$ref": str,
        "$defs": dict[str, "JsonSchema"],
        "title": str,
        "description": str,
        "type": str | list[str],
        "format": str,
        "default": Any,
        "const": Any,
        "enum": list[Any],
        "examples": list[Any],
        "pattern": str,
        "minLength": int,
        "maxLength": int,
        "minimum": float,
        "maximum": float,
        "exclusiveMinimum": float,
        "exclusiveMaximum": float,
        "items": "JsonSchema",
        "prefixItems": list["JsonSchema"],
        "minItems": int,
        "maxItems": int,
        "uniqueItems": bool,
        "properties": dict[str, "JsonSchema"],
        "patternProperties": dict[str, "JsonSchema"],
        "propertyNames": "JsonSchema",
        "additionalProperties": Union[bool, "JsonSchema"],
        "required": list[str],
        "allOf": list["JsonSchema"],
        "anyOf": list["JsonSchema"],
        "oneOf": list["JsonSchema"],
        "not": "JsonSchema",
        "if": "JsonSchema",
        "then": "JsonSchema",
        "else": "JsonSchema",
    },
    total=False,
)
"""A schema, or a part of one."""
