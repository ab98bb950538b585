"""Word validation errors: details are in the log, and its bytes must not depend on a library's texts.

Used wherever a `pydantic.ValidationError` is shown to a person.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NotRequired, TypedDict

from pydantic import ValidationError

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails


class Fault(TypedDict):
    """A fault at one place: its path, an error type of pydantic or the engine, and that type's context."""

    type: str
    loc: tuple[str | int, ...]
    ctx: NotRequired[Mapping[str, Any]]


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
    "greater_than": lambda limit: f"wants more than {limit['gt']}",
    "less_than_equal": lambda limit: f"wants at most {limit['le']}",
    "too_short": lambda limit: f"wants at least {limit['min_length']}",
    "too_long": lambda limit: f"wants at most {limit['max_length']}",
    "string_too_short": lambda limit: f"wants at least {limit['min_length']} characters",
    "string_too_long": lambda limit: f"wants at most {limit['max_length']} characters",
    "string_pattern_mismatch": lambda own: (
        "is blank" if own["pattern"] == r"\S" else "has characters that cannot stand here"
    ),
    "literal_error": lambda choice: f"wants {choice['expected']}",
    "value_error": lambda own: str(own["error"]),
    "dice": lambda own: str(own["told"]),
    "misspelt": lambda own: str(own["told"]),
    "content": lambda own: str(own["told"]),
    "union_tag_invalid": lambda choice: f"has as {choice['discriminator']} none of {choice['expected_tags']}",
    "union_tag_not_found": lambda choice: f"needs its {choice['discriminator']}",
    "number_type": lambda _: "wants a number",
}


def faults_of(error: ValidationError) -> list[Fault]:
    """Return what was refused: for each fault its `loc`, `type` and `ctx`, in the order of the schema."""
    return list(_unfolded(error.errors(include_url=False, include_input=False), ()))


def _unfolded(faults: Iterable[ErrorDetails | Fault], where: tuple[str | int, ...]) -> Iterator[Fault]:
    """Yield faults with their whole path: those of a part that was imported late stand within one of their own."""
    for fault in faults:
        path = (*where, *fault["loc"])
        if fault["type"] == "within":
            yield from _unfolded(fault["ctx"]["faults"], path)
        else:
            found: Fault = {"type": fault["type"], "loc": path}
            if "ctx" in fault:
                found["ctx"] = fault["ctx"]
            yield found


def sentence(fault: Fault) -> str:
    """Return what is wrong in a few words that can follow the name of the place."""
    told = _SENTENCES.get(fault["type"])
    return told(fault.get("ctx", {})) if told else "does not fit"
