"""The goal of a scenario: checks on the campaign's documents at its end, without human judgment.

Source: docs/score.md, "The goal".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Annotated, Any

from pydantic import Field, model_validator

from turnwright.model.base import Flag, Model, Number, Text
from turnwright.model.json_types import JsonObject

_MISSING = object()
_INDEX = re.compile("0|[1-9][0-9]{0,9}")
_COMPARISONS = ("equals", "at_least", "at_most", "includes", "exists")


class Check(Model):
    """One thing that should be true of one document. All comparisons that are given have to hold.

    Attributes:
        document: the path of the document in the campaign.
        at: a JSON pointer into it.
        equals: the value itself, as JSON.
        at_least: the smallest number that will do.
        at_most: the largest.
        includes: what one entry of a list is, or what an entry holds among others; or a part of an object.
        exists: whether there is anything at all.
    """

    document: Annotated[Text, Field(min_length=1)]
    at: Annotated[Text, Field(pattern=r"^(/.*)?$")] = ""
    equals: Any = None
    at_least: Number | None = None
    at_most: Number | None = None
    includes: Any = None
    exists: Flag = True

    @model_validator(mode="after")
    def _compares(self) -> Check:
        given = self.model_fields_set.intersection(_COMPARISONS)
        if not given:
            raise ValueError(f"wants one of {', '.join(_COMPARISONS)}")
        if not self.exists and len(given) > 1:
            raise ValueError("wants nothing beside `exists: false`")
        return self

    def holds(self, state: JsonObject) -> bool:
        """Return whether it is so in a campaign's state."""
        value = value_at(state.get(self.document, _MISSING), self.at)
        if value is _MISSING:
            return not self.exists
        if not self.exists:
            return False
        given = self.model_fields_set
        return all(
            (
                "equals" not in given or _same(value, self.equals),
                self.at_least is None or (_is_number(value) and value >= self.at_least),
                self.at_most is None or (_is_number(value) and value <= self.at_most),
                "includes" not in given or _includes(value, self.includes),
            )
        )


def value_at(value: Any, pointer: str) -> Any:
    """Return what a JSON pointer (RFC 6901) leads to, or a value of its own kind where it leads nowhere."""
    for part in pointer.split("/")[1:]:
        step = part.replace("~1", "/").replace("~0", "~")
        if isinstance(value, Mapping) and step in value:
            value = value[step]
        elif isinstance(value, list) and _INDEX.fullmatch(step) and int(step) < len(value):
            value = value[int(step)]
        else:
            return _MISSING
    return value


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _same(one: Any, other: Any) -> bool:
    """Return whether two values are the same JSON: true is not 1, but 2.0 is 2."""
    if _is_number(one) and _is_number(other):
        return bool(one == other)
    return type(one) is type(other) and bool(one == other)


def _includes(value: Any, wanted: Any) -> bool:
    found: Iterable[Any] = value if isinstance(value, list) else [value]
    return any(_is_part(wanted, one) for one in found)


def _is_part(wanted: Any, value: Any) -> bool:
    if isinstance(wanted, Mapping) and isinstance(value, Mapping):
        return all(key in value and _is_part(part, value[key]) for key, part in wanted.items())
    return _same(value, wanted)
