"""The types of JSON values, read only: nothing that was handed in, recorded or shared is changed in place."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias, Union

JsonValue: TypeAlias = Union[str, int, float, bool, "Sequence[JsonValue]", "Mapping[str, JsonValue]", None]
"""Any JSON value."""
JsonObject: TypeAlias = Mapping[str, JsonValue]
"""A JSON object whose keys are not ours to know: arguments and results of tools, schemas, parts of documents."""
