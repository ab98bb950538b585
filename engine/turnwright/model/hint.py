"""What a program can repair a failed call from.

Source: docs/stages/3-tools.md, "Hints".
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from turnwright.model.nearest import MOST, nearest

Hint = dict[str, Any]


def replace(field: str, got: Any, allowed: Iterable[Any]) -> Hint:
    """Say that the value of `field` should be one of `allowed`, best first."""
    return {"field": field, "got": got, "allowed": list(allowed)[:MOST]}


def replace_name(field: str, got: Any, known: Iterable[str]) -> Hint:
    """Say that the value of `field` should be one of the known names; they are put nearest first."""
    return replace(field, got, nearest(got, known))


def add(field: str, allowed: Iterable[Any]) -> Hint:
    """Say that `field` is missing and could be one of `allowed`."""
    return {"field": field, "add": True, "allowed": list(allowed)[:MOST]}


def remove(field: str) -> Hint:
    """Say that `field` should not be there."""
    return {"field": field, "remove": True}
