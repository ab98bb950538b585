"""What takes a while to make and is the same for all tests."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from turnwright.model import data
from turnwright.schemas import Schema, all_schemas


@cache
def schemas() -> Mapping[str, Schema]:
    """Return every schema, by its path; nobody changes them."""
    return all_schemas()


@cache
def english() -> Mapping[str, Any]:
    """Return what the file of the English pack says; nobody changes it."""
    found: Mapping[str, Any] = data.parsed(data.text_of("suggest/en"))
    return found
