"""What takes a while to make and is the same for all tests."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator

from turnwright.model import data
from turnwright.schemas.schemas import Schema, all_schemas


@cache
def schemas() -> Mapping[str, Schema]:
    """Return every schema, by its path; nobody changes them."""
    return all_schemas()


def require_a_schema(schema: Any) -> None:
    """Require that a value is a schema; most of what is given in several forms holds the same, which is tried once."""
    _require_a_schema(json.dumps(schema))


@cache
def _require_a_schema(text: str) -> None:
    Draft202012Validator.check_schema(json.loads(text))


@cache
def english() -> Mapping[str, Any]:
    """Return what the file of the English pack says; nobody changes it."""
    found: Mapping[str, Any] = data.parsed(data.text_of("suggest/en"))
    return found
