"""What all models share: frozen, closed to unknown keys, one JSON spelling."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, Self, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    JsonValue,
    SerializerFunctionWrapHandler,
    Strict,
    WrapSerializer,
)
from pydantic_core import PydanticCustomError

from turnwright.model.strict_json import MAX_INT, sha256, sorted_json

T = TypeVar("T")

SafeInt = Annotated[int, Strict(), Field(ge=-MAX_INT, le=MAX_INT)]
"""An integer that every JSON reader holds exactly; no booleans, no floats, no strings."""
Count = Annotated[int, Strict(), Field(ge=0, le=MAX_INT)]
"""A non-negative integer."""
Flag = Annotated[bool, Strict()]
"""A boolean; no 0, no "true"."""
Text = Annotated[str, Strict()]
"""A string."""
Id = Annotated[str, Strict(), Field(min_length=1, max_length=200)]
"""The id of a character, an area or another document."""

ONE_LINE: dict[str, JsonValue] = {"not": {"pattern": r"\n"}}
"""For the schema of a text with a pattern: some readers take `$` for the place before a last line feed, too."""


def _frozen(value: Mapping[str, T]) -> Mapping[str, T]:
    return MappingProxyType(dict(sorted(value.items())))


def _thaw(value: Mapping[str, Any], handler: SerializerFunctionWrapHandler) -> Any:
    return handler(dict(value))


FrozenMap = Annotated[Mapping[str, T], AfterValidator(_frozen), WrapSerializer(_thaw)]
"""A read-only object with free keys, kept in the order of its keys."""


def _free_json(value: Mapping[str, Any]) -> Mapping[str, Any]:
    return MappingProxyType({str(key): sorted_json(item) for key, item in sorted(value.items())})


FreeMap = Annotated[Mapping[str, Any], AfterValidator(_free_json), WrapSerializer(_thaw)]
"""A read-only object whose values may be any JSON."""


def _listed(value: Any) -> Any:
    # Lax tuples would also take sets and generators, whose order is nobody's.
    if not isinstance(value, (list, tuple)):
        raise PydanticCustomError("list_type", "wants a list")
    return value


ListOf = Annotated[tuple[T, ...], BeforeValidator(_listed)]
"""A JSON array, held as a tuple."""


def is_empty(value: Any) -> bool:
    """Return whether an optional part of a document is absent and so not written."""
    return value is None or value is False or value == () or value == {} or (type(value) is int and value == 0)


class Model(BaseModel):
    """A frozen value that refuses unknown keys."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", ser_json_inf_nan="strings", hide_input_in_errors=True, defer_build=True
    )

    def having(self, **changes: Any) -> Self:
        """Return the value with these fields changed, validated anew."""
        given = {name: getattr(self, name) for name in self.model_fields_set}
        return type(self).model_validate(given | changes)


class Document(Model):
    """One JSON file of state."""

    collection: ClassVar[str] = ""
    """The folder its files lie in, with a trailing slash; empty for a file of its own."""

    extra: FreeMap = Field(default_factory=dict, exclude_if=is_empty, description="Kept verbatim, never read.")

    @property
    def path(self) -> str:
        """The file's path inside the campaign directory, with forward slashes."""
        raise NotImplementedError

    @property
    def as_written(self) -> dict[str, Any]:
        """The document as plain JSON, in the order in which it is written; shared, and so not to be changed."""
        kept: dict[str, Any] | None = self.__dict__.get("_as_written")
        if kept is None:
            kept = self.__dict__["_as_written"] = self.value()
        return kept

    def value(self) -> dict[str, Any]:
        """Return the document as plain JSON of the caller's own, in the order in which it is written."""
        value = self.model_dump(mode="json")
        if "extra" in value:
            value["extra"] = value.pop("extra")  # inherited, but nobody wants to read it first
        return value


_PLAIN_NAME = r"[a-z0-9_-]{1,64}"
DEVICES = frozenset({"con", "prn", "aux", "nul"} | {f"{port}{digit}" for port in ("com", "lpt") for digit in range(10)})
"""Names that Windows keeps for itself, with any ending."""
_TAKEN = DEVICES | {"root"}


@lru_cache(maxsize=4096)
def file_stem(identifier: str) -> str:
    """Return the file name, without ending, of the document with this id.

    The id itself where every file system takes it; else `~` and the first 16 hex digits of its SHA-256, so that
    no id ever becomes a path. Source: docs/stages/README.md, "Files".
    """
    if re.fullmatch(_PLAIN_NAME, identifier) and identifier not in _TAKEN:
        return identifier
    return "~" + sha256(identifier)[:16]
