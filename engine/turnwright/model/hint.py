"""What a program can repair a failed call from.

Source: docs/stages/3-tools.md, "Hints".
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from turnwright.model.nearest import MOST, nearest, nearest_id

Hint = dict[str, Any]


def replace(field: str, got: Any, allowed: Iterable[Any]) -> Hint:
    """Say that the value of `field` should be one of `allowed`, best first; that it is wrong, when nothing would do."""
    some = list(allowed)[:MOST]
    return {"field": field, "got": got, "allowed": some} if some else {"field": field, "got": got}


def replace_name(field: str, got: Any, known: Iterable[str]) -> Hint:
    """Say that the value of `field` should be one of the known names; they are put nearest first."""
    return replace(field, got, nearest(got, known))


def replace_id(field: str, got: Any, known: Iterable[str], called: Collection[str]) -> Hint:
    """Say that the value of `field` should be one of the known ids; `called` are those of what has `got` for a name."""
    return replace(field, got, nearest_id(got, known, called))


def add(field: str, allowed: Iterable[Any]) -> Hint:
    """Say that `field` is missing and could be one of `allowed`; nothing, when there is nothing to add."""
    some = list(allowed)[:MOST]
    return {"field": field, "add": True, "allowed": some} if some else {}


def remove(field: str) -> Hint:
    """Say that `field` should not be there."""
    return {"field": field, "remove": True}
