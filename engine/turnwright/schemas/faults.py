"""What does not fit a schema, in our own words.

Source: docs/stages/README.md, "Checking".
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from turnwright.model.fuzzy_match import nearest
from turnwright.model.wire.reason import Problem
from turnwright.store.documents import json_path

if TYPE_CHECKING:
    from jsonschema import ValidationError
    from jsonschema.protocols import Validator


def schema_faults(file: str, at: str, validator: Validator, value: Any) -> Iterator[Problem]:
    """Yield each thing that does not fit a schema once, with its JSON path and the keyword that says so.

    Args:
        file: the file that the value stands in.
        at: where in it, as a JSON path.
        validator: what it has to fit.
        value: the value.
    """
    told = (problem for error in validator.iter_errors(value) for problem in _told(file, at, error))
    yield from dict.fromkeys(told)


def _told(file: str, at: str, error: ValidationError) -> Iterator[Problem]:
    where, rule, wanted = at + json_path(error.absolute_path)[1:], str(error.validator), error.validator_value
    got: Any = error.instance
    if rule == "anyOf" and (branches := _only_branch(error)):
        for branch in branches:
            yield from _told(file, at, branch)
    elif rule == "required":
        for key in (key for key in _list(wanted) if key not in got):
            yield Problem(file, f"{where}.{key}", rule, "is missing")
    elif rule == "additionalProperties":
        known, unknown = _keys(error.schema, got)
        for key in unknown:
            guess = f"; the nearest one is {nearest(key, known, 1)[0]}" if known else ""
            yield Problem(file, f"{where}.{key}", rule, f"is no known key{guess}")
    else:
        sentence = _SENTENCES.get(rule)
        or_null = ", or null" if rule == "type" and error.parent and not error.relative_path else ""
        yield Problem(file, where, rule, (sentence(wanted, got) if sentence else error.message) + or_null)


def _list(value: Any) -> list[str]:
    return list(value)


def _only_branch(error: ValidationError) -> list[ValidationError]:
    """Return what is wrong with a value that may be null or else one thing; empty where it may be several."""
    branches = [branch for branch in error.context or () if branch.validator_value != "null"]
    return branches if len({branch.relative_schema_path[0] for branch in branches}) == 1 else []


def _keys(schema: Any, got: Any) -> tuple[list[str], list[str]]:
    """Return the keys that an object may have, and those that it has beside them."""
    known, patterns = schema.get("properties", {}), schema.get("patternProperties", {})
    unknown = [key for key in got if key not in known and not any(re.search(pattern, key) for pattern in patterns)]
    return [*known], unknown


def _choices(values: Sequence[Any], got: Any) -> str:
    """Say what may stand there: of words the nearest and how many more there are, of anything else all of it."""
    if not all(isinstance(value, str) for value in values):
        return ", ".join(map(json.dumps, values))
    told = nearest(got, values)
    more = len(values) - len(told)
    return ", ".join(told) + (f" and {more} more" if more else "")


def _must_not(schema: Any, _: Any) -> str:
    if isinstance(schema, Mapping) and "required" in schema:
        return f"may not have {' together with '.join(schema['required'])}"
    return "holds a line break" if schema == {"pattern": r"\n"} else f"must not fit {json.dumps(schema)}"


_KINDS = {
    "string": "text",
    "integer": "an integer, written without a point",
    "number": "a number",
    "object": "an object",
    "array": "a list",
    "boolean": "true or false",
    "null": "null",
}
_SENTENCES: Mapping[str, Callable[[Any, Any], str]] = {
    "type": lambda kind, _: f"wants {_KINDS[kind]}",
    "enum": lambda values, got: f"wants one of {_choices(values, got)}",
    "const": lambda value, _: f"wants {json.dumps(value)}",
    "minimum": lambda least, _: f"wants at least {least}",
    "maximum": lambda most, _: f"wants at most {most}",
    "minLength": lambda *_: "is empty",
    "maxLength": lambda most, _: f"is longer than {most} characters",
    "uniqueItems": lambda *_: "holds something twice",
    "pattern": lambda pattern, _: f"does not fit {pattern}",
    "not": _must_not,
    "anyOf": lambda *_: "fits none of the shapes that may stand here",
}
