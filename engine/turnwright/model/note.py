"""Notes of the game master. Source: docs/toolkit.md, "Notes"."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from turnwright.model.base import Count, Entry, ListOf, Text, is_empty, is_none

Importance = Literal["low", "medium", "high", "critical"]
Tag = Annotated[Text, Field(min_length=1, max_length=100)]


class Note(Entry):
    """One note."""

    collection: ClassVar[str] = "notes/"

    content: Annotated[Text, Field(min_length=1, max_length=20_000)]
    tags: ListOf[Tag] = Field(default=(), exclude_if=is_empty)
    importance: Importance = "medium"
    turn: Count | None = Field(default=None, exclude_if=is_none, description="Number of the record it was taken in.")
