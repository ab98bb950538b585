"""What a model refuses, in our own words: details stand in the log, and its bytes must not depend on a library's texts.

Used wherever a `pydantic.ValidationError` is told to a person.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pydantic import ValidationError

Fault = Mapping[str, Any]

_SENTENCES: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "extra_forbidden": lambda _: "may not be given",
    "missing": lambda _: "is required",
    "string_type": lambda _: "wants text",
    "bool_type": lambda _: "wants true or false",
    "int_type": lambda _: "wants an integer",
    "int_parsing": lambda _: "wants an integer",
    "int_from_float": lambda _: "wants an integer",
    "int_parsing_size": lambda _: "wants a smaller integer",
    "list_type": lambda _: "wants a list",
    "tuple_type": lambda _: "wants a list",
    "dict_type": lambda _: "wants an object",
    "mapping_type": lambda _: "wants an object",
    "model_type": lambda _: "wants an object",
    "greater_than_equal": lambda limit: f"wants at least {limit['ge']}",
    "less_than_equal": lambda limit: f"wants at most {limit['le']}",
    "string_too_short": lambda limit: f"wants at least {limit['min_length']} characters",
    "string_too_long": lambda limit: f"wants at most {limit['max_length']} characters",
    "string_pattern_mismatch": lambda _: "has characters that cannot stand here",
    "literal_error": lambda choice: f"wants {choice['expected']}",
    "value_error": lambda own: str(own["error"]),
}


def faults_of(error: ValidationError) -> list[Fault]:
    """Return what was refused: for each fault its `loc`, `type` and `ctx`, in the order of the schema."""
    return [dict(fault) for fault in error.errors(include_url=False, include_input=False)]


def sentence(fault: Fault) -> str:
    """Return what is wrong in a few words that can follow the name of the place."""
    told = _SENTENCES.get(fault["type"])
    return told(fault.get("ctx", {})) if told else "does not fit"
