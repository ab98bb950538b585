"""What takes a while to make and is the same for all tests."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator

from turnwright.model import data
from turnwright.model.json_schema import JsonSchema
from turnwright.schemas.schemas import all_schemas


@cache
def schemas() -> Mapping[str, JsonSchema]:
    """Return every schema, by its path; nobody changes them."""
    return all_schemas()


_SCHEMAS_BY_NAME = ("$defs", "dependentSchemas", "patternProperties", "properties")
_LISTS_OF_SCHEMAS = ("allOf", "anyOf", "oneOf", "prefixItems")
_SCHEMAS_IN_A_KEY = (
    *("additionalProperties", "contains", "else", "if", "items", "not", "propertyNames", "then"),
    *("unevaluatedItems", "unevaluatedProperties"),
)
_TEXTS, _VALUES, _LISTS_OF_VALUES = ("description", "title"), ("const", "default"), ("enum", "examples")


def require_a_schema(schema: Any) -> None:
    """Require that a value is a schema.

    Ours hold the same schemas again and again, and to look at one takes long. So each one within another is looked at
    by itself, only once, and the one around it without it and without what may be anything: texts, names and values.
    """
    if isinstance(schema, dict):
        schema = {key: _looked_at(key, schema[key]) for key in sorted(schema)}
    _require_a_schema(json.dumps(schema))


def _looked_at(key: str, value: Any) -> Any:
    """Require that what stands under a key of a schema holds schemas; return what is left to look at."""
    if key in _SCHEMAS_BY_NAME and isinstance(value, dict):
        for schema in value.values():
            require_a_schema(schema)
        return dict.fromkeys(value, True) if key == "patternProperties" else {}
    if key in _LISTS_OF_SCHEMAS and isinstance(value, list):
        for schema in value:
            require_a_schema(schema)
        return [True for _ in value[:1]]
    if key in _SCHEMAS_IN_A_KEY:
        require_a_schema(value)
        return True
    if key in _TEXTS and isinstance(value, str):
        return ""
    if key in _LISTS_OF_VALUES and isinstance(value, list):
        return []
    return None if key in _VALUES else value


@cache
def _require_a_schema(text: str) -> None:
    Draft202012Validator.check_schema(json.loads(text))


@cache
def english() -> Mapping[str, Any]:
    """Return what the file of the English pack says; nobody changes it."""
    found: Mapping[str, Any] = data.parsed(data.text_of("suggest/en"))
    return found
