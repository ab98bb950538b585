"""What takes a while to make and is the same for all tests."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from turnwright.schemas import Schema, all_schemas


@cache
def schemas() -> Mapping[str, Schema]:
    """Return every schema, by its path; nobody changes them."""
    return all_schemas()
