"""Import lazily: the models of parts of documents, tools, kinds of documents.

Most turns use few of them, and importing a model costs more than processing a turn.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from pydantic import BaseModel, GetCoreSchemaHandler, GetJsonSchemaHandler, ValidationError
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from turnwright.model.base import count_items

if TYPE_CHECKING:
    from pydantic.json_schema import JsonSchemaValue

V = TypeVar("V")


def load(place: str) -> Any:
    """Return what `package.module:attribute` names; the module is imported the first time."""
    module, _, attribute = place.partition(":")
    return getattr(import_module(module), attribute)


class LazyMapping(Mapping[str, V]):
    """Things by name, in the order of the rows; the module of one is imported when it is first asked for."""

    def __init__(self, rows: Mapping[str, str]) -> None:
        """Take for each name where the thing is, as `package.module:attribute`."""
        self.rows = dict(rows)
        self.loaded: dict[str, V] = {}

    def __getitem__(self, name: str) -> V:
        """Return one of them; its module is imported the first time."""
        if name not in self.loaded:
            self.loaded[name] = load(self.rows[name])
        return self.loaded[name]

    def __contains__(self, name: object) -> bool:
        """Return whether there is one of this name, without importing it."""
        return name in self.rows

    def __iter__(self) -> Iterator[str]:
        """Yield the names."""
        return iter(self.rows)

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.rows)


def later(module: str, name: str) -> Any:
    """Return the annotation of a field that holds a model of this module, for use in place of the model itself."""
    return Annotated[Any, _Later(module, name)]


class _Later:
    def __init__(self, module: str, name: str) -> None:
        self.module = module
        self.name = name

    @cached_property
    def model(self) -> type[BaseModel]:
        found: type[BaseModel] = getattr(import_module(self.module), self.name)
        return found

    def _validated(self, value: Any) -> Any:
        try:
            return self.model.model_validate(value)
        except ValidationError as error:
            # Only what stands in `ctx` survives; `faults_of` puts the path together again.
            raise PydanticCustomError("within", "does not fit", {"faults": error.errors(include_url=False)}) from None

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        del source, handler
        return core_schema.no_info_plain_validator_function(
            self._validated, serialization=core_schema.plain_serializer_function_ser_schema(_dumped)
        )

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        del schema
        self.model.model_rebuild()
        made = handler(self.model.__pydantic_core_schema__)
        count_items(handler.resolve_ref_schema(made))  # a model that refers to others is not asked for its own
        return made


def _dumped(value: Any) -> Any:
    return value.as_written


def model_behind(kind: Any) -> type[BaseModel] | None:
    """Return the model that an annotation stands for, imported if need be; None when it is none."""
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return kind
    marks = getattr(kind, "__metadata__", ())
    return next((mark.model for mark in marks if isinstance(mark, _Later)), None)
