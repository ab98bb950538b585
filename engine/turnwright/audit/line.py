"""A line of the log, parsed in another way than the writer does: faster, and as strictly."""

from __future__ import annotations

from typing import Any

from pydantic_core import from_json, to_json

from turnwright.model.strict_json import parse_json


def strictly(data: bytes) -> Any:
    """Return the JSON value of some text, by the protocol's rules.

    Text that comes out again as it went in breaks none of them: no key is lost to its double, every number is held
    exactly, all is UTF-8. What is spelt in any other way is read slowly, rule by rule.

    Raises:
        JsonError: when a rule is broken.
    """
    try:
        value = from_json(data, allow_inf_nan=False, cache_strings="keys")
        if to_json(value) == data:
            return value
    except ValueError:
        pass  # the slow way knows which rule it was
    return parse_json(data)
