"""Read arguments and results without failing on an unexpected shape."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from turnwright.model.json_types import JsonObject

_MAX_PARTS = 2000
"""How many objects of one result are looked at."""


def rows(value: object) -> list[JsonObject]:
    """Return the objects of a list; empty for anything else."""
    return [row for row in value if isinstance(row, Mapping)] if isinstance(value, (list, tuple)) else []


def text_of(source: JsonObject, *keys: str) -> str | None:
    """Return the first of `keys` that holds text."""
    held = (source.get(key) for key in keys)
    return next((value for value in held if isinstance(value, str) and value), None)


def number_of(source: JsonObject, *keys: str) -> int | None:
    """Return the first of `keys` that holds a whole number."""
    held = (source.get(key) for key in keys)
    return next((value for value in held if isinstance(value, int) and not isinstance(value, bool)), None)


def walk(result: JsonObject) -> Iterator[JsonObject]:
    """Yield a result and every object in it, outermost first."""
    waiting: list[Any] = [result]
    seen = 0
    while waiting and seen < _MAX_PARTS:
        part = waiting.pop()
        if isinstance(part, Mapping):
            seen += 1
            yield part
            waiting.extend(reversed([value for value in part.values() if isinstance(value, (Mapping, list, tuple))]))
        else:
            waiting.extend(reversed([value for value in part if isinstance(value, (Mapping, list, tuple))]))


def plain(value: object) -> str | int | None:
    """Return an argument as a finding shows it: text and whole numbers, else None."""
    return value if isinstance(value, (str, int)) and not isinstance(value, bool) else None
