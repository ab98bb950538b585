"""Text that people and models write: blanks around it do not count, and blank text says nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema, core_schema

from turnwright.model.base import Text

if TYPE_CHECKING:
    from pydantic.json_schema import JsonSchemaValue


class Prose(NamedTuple):
    """The mark of a text of 1 to `longest` characters, counted without the blanks around it, which are taken off."""

    longest: int

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Trim, then measure."""
        del source, handler
        measured = core_schema.str_schema(strict=True, min_length=1, max_length=self.longest)
        return core_schema.no_info_before_validator_function(_trimmed, measured)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Say the same as a pattern."""
        del schema, handler
        return {"type": "string", "pattern": rf"^\s*\S(?:[\s\S]{{0,{self.longest - 2}}}\S)?\s*$"}


def _trimmed(value: Any) -> Any:
    return value.strip() if isinstance(value, str) else value


Line = Annotated[Text, Prose(600)]
"""A line or two."""
Narration = Annotated[Text, Prose(4000)]
"""What a player reads."""
Note = Annotated[Text, Prose(200)]
"""A few words."""
