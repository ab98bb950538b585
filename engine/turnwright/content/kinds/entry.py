"""What all entries share: an id, a name, other names, and how much of it the engine can execute.

Source: docs/content.md, "Entries" and "Tiers".
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal, Protocol, TypeVar

from pydantic import AfterValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from turnwright.model.base import ABSENT, ONE_LINE, Entry, FreeMap, ListOf, Text, is_empty
from turnwright.model.creature import Words
from turnwright.model.json_types import JsonObject

ID_PATTERN = r"^[a-z0-9]+(-[a-z0-9]+)*$"
MAX_ENTRY_ID = 64
EntryId = Annotated[Text, Field(min_length=1, max_length=MAX_ENTRY_ID, pattern=ID_PATTERN, json_schema_extra=ONE_LINE)]
"""An id in kebab-case, such as `adult-black-dragon`; also a reference to an entry of another kind."""
EntryName = Annotated[Text, Field(min_length=1, max_length=100, pattern=r"\S")]
MAX_TERM = 64
_TERM_PATTERN = r"^[^.\s]([^\n]*[^.\s])?$"
Term = Annotated[Text, Field(min_length=1, max_length=MAX_TERM, pattern=_TERM_PATTERN, json_schema_extra=ONE_LINE)]
"""A word of the game or a few, such as `neutral evil` or `1 minute`; never a sentence."""
Tier = Literal["full", "partly", "reference"]
"""How much of an entry the engine can execute."""
_KEY = re.compile(r"[a-z0-9]+(_[a-z0-9]+)*")
_TERM = re.compile(_TERM_PATTERN)
_MAX_WORDS = 8


def refused(told: str) -> PydanticCustomError:
    """Return the error to raise where an entry contradicts itself or the rules; the message follows the place."""
    return PydanticCustomError("content", "{told}", {"told": told})


def _require_figures(value: Any, path: str = "") -> None:
    """Refuse prose and keys that are not snake_case, at any depth of a free map."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            if not _KEY.fullmatch(key):
                raise refused(f"has {path}{key}, which must be a key in snake_case")
            _require_figures(item, f"{path}{key}.")
    elif isinstance(value, (list, tuple)):
        for item in value:
            _require_figures(item, path)
    elif isinstance(value, str) and (
        len(value) > MAX_TERM or not _TERM.match(value) or len(value.split()) > _MAX_WORDS
    ):
        raise refused(
            f"has a text at {path.rstrip('.')}, which must be a term of up to {MAX_TERM} characters, no sentence"
        )
    elif value is None:
        raise refused(f"has null at {path.rstrip('.')}; leave the key out")


def _figures(value: JsonObject) -> JsonObject:
    _require_figures(value)
    return value


Figures = Annotated[FreeMap, AfterValidator(_figures)]
"""Further numbers and terms by name, which no rule of the engine reads yet. Keys are snake_case."""
NO_FIGURES: Any = Field(default_factory=dict, exclude_if=is_empty, description="Further numbers and terms by name.")


def described(text: str) -> Any:
    """Return a field that may be absent, with its meaning."""
    return Field(default=None, exclude_if=lambda value: value is None, description=text)


def listed_as(text: str) -> Any:
    """Return a list that is not written where it is empty, with its meaning."""
    return Field(default=(), exclude_if=is_empty, description=text)


class _HasTier(Protocol):
    tier: Tier
    missing: tuple[str, ...]


E = TypeVar("E", bound=_HasTier)


def tier_agrees(value: E) -> E:
    """Refuse a tier that says something else than `missing`."""
    if value.tier == "full" and value.missing:
        raise refused("names what is missing, so tier must be partly or reference")
    if value.tier == "partly" and not value.missing:
        raise refused("is partly executed, so missing must name what is not")
    return value


class ContentEntry(Entry):
    """One entry of a pack, or of a campaign's own.

    `tier` says what the engine can execute: `full` everything that dice and numbers decide, `partly` all but what
    `missing` names, `reference` nothing: it can be read.
    """

    id: EntryId
    name: EntryName
    aliases: ListOf[EntryName] = listed_as("Other names that it is found by.")
    tier: Tier = Field(default="full", description="What the engine can execute: full, partly or reference.")
    missing: ListOf[Term] = listed_as("What it cannot execute, one term each.")
    figures: Figures = NO_FIGURES
    description: Annotated[Words, Field(max_length=2000)] | None = ABSENT

    _tier_agrees = model_validator(mode="after")(tier_agrees)

    def _written(self) -> dict[str, Any]:
        value = super()._written()
        for name in ("figures", "description", "extra"):  # inherited, but of less interest than what the kind has
            if name in value:
                value[name] = value.pop(name)
        return value
