"""A JSON Schema for publication: complete, and with keywords of the dialect only.

Schemas generated from the models contain what other programs cannot read: private formats, keywords of another
standard, lists without item types. Model APIs reject a whole list of tools for less.
Source: docs/stages/README.md, "Schemas".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from turnwright.model.json_schema import JsonSchema

DICE_FORMAT = "dice"
"""The mark, within the engine, of a text that is dice notation."""
DICE_PATTERN = r"^([0-9dDkKhHlLaAvViIsSrRoOmMeE%!()+*/<>=\u2212 \t\r\n-]|\[[^\[\]]*\])+(#.*)?$"
"""The characters of dice notation, labels, and a comment. The notation itself nests, which no pattern can say."""
_NAMED = frozenset({"properties", "$defs", "patternProperties"})
"""Keywords whose keys are names, which may well be words of the dialect."""
_VALUES = frozenset({"const", "default", "enum", "examples", "required"})
"""Keywords that hold values and no schema."""


def published(node: Any) -> Any:
    """Return a schema for publication; the argument is not changed."""
    if isinstance(node, list):
        return [published(item) for item in node]
    # Most of what a schema holds is words: to ask of them whether they are a mapping takes several times as long.
    if isinstance(node, str) or not isinstance(node, Mapping):
        return node
    told: dict[str, Any] = {key: _below(key, value) for key, value in node.items()}
    if told.get("format") == DICE_FORMAT:
        del told["format"]
        told.setdefault("pattern", DICE_PATTERN)
    discriminator = told.pop("discriminator", None)
    if isinstance(discriminator, Mapping):  # of OpenAPI; that the key has to be there, default or not, is said so
        told["required"] = [*told.get("required", ()), discriminator["propertyName"]]
    if told.get("type") == "array" and "items" not in told:
        told["items"] = _any_of(told.get("prefixItems", []))
    return told


def _below(key: str, value: Any) -> Any:
    if key in _NAMED:
        return {name: published(part) for name, part in value.items()}
    return value if key in _VALUES else published(value)


def _any_of(schemas: list[JsonSchema]) -> JsonSchema:
    """Return what each of the first items fits; readers of older dialects know no other word for them."""
    kinds = [schema for place, schema in enumerate(schemas) if schema not in schemas[:place]]
    return {} if not kinds else kinds[0] if len(kinds) == 1 else {"anyOf": kinds}
