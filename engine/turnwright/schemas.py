"""JSON Schemas of every file, reply, record and tool, made from the models.

They say exactly what the engine takes, one document at a time; what ties documents together is `stages.edits`' to say.
Source: docs/stages/README.md, "Schemas".
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from turnwright.model.area import Layer
from turnwright.model.base import Model
from turnwright.model.campaign import CampaignDocument, Protocol
from turnwright.model.character import Character
from turnwright.model.log_record import Record
from turnwright.model.reply import Reply, without_null
from turnwright.model.strict_json import MAX_INT
from turnwright.model.turn import Answer, ToolCall, Turn
from turnwright.tools._base import Tool
from turnwright.tools.registry import TOOLS

if TYPE_CHECKING:
    from jsonschema.protocols import Validator

Schema = dict[str, Any]
DIALECT = "https://json-schema.org/draft/2020-12/schema"
INTEGERS = "An integer is written without a point and an exponent: 1.0 is none. A boolean is no number."
"""What our validator adds to the dialect, in which 1.0 is an integer too."""
_MAY_BE_NULL = frozenset({"output", "answer"})
_ANY_JSON = {"$ref": "#/$defs/json"}


class _Generator(GenerateJsonSchema):
    """Pydantic's schemas, without a title for each key and without keywords of other standards."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        """Say no: the title would only repeat the key."""
        del schema
        return False

    def tagged_union_schema(self, schema: core_schema.TaggedUnionSchema) -> JsonSchemaValue:
        """Leave out `discriminator`, which is OpenAPI's."""
        union = super().tagged_union_schema(schema)
        union.pop("discriminator", None)
        return union


def all_schemas() -> dict[str, Schema]:
    """Return every schema by the path of its file below `schemas/`, sorted."""
    found = dict(_schemas())
    return {path: found[path] for path in sorted(found)}


def write_schemas(folder: Path) -> list[Path]:
    """Write every schema below a folder, which is made if it is not there; return the files' paths."""
    written = []
    for path, schema in all_schemas().items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(render(schema))
        written.append(place)
    return written


def render(schema: Mapping[str, Any]) -> bytes:
    """Return a schema as its file holds it."""
    return (json.dumps(schema, ensure_ascii=False, indent=2, sort_keys=True) + "\n").encode()


def _schemas() -> Iterator[tuple[str, Schema]]:
    yield _file("campaign", "campaign.json", of_model(CampaignDocument))
    yield _file("layer", "A layer of the map", of_model(Layer))
    yield _file("character", "A character", of_model(Character))
    yield _file("turn", "A turn file", turn_schema())
    yield _file("reply", "The reply to a turn", _of_union(Reply, "What became of a turn, by `status`."))
    yield _file("record", "A record", _of_union(Record, "One line of log.jsonl, by `kind`."))
    for tool in TOOLS.values():
        for variant, model in _variants(tool):
            yield _file(f"tools/{tool.name}{variant}.args", f"Arguments of {tool.name}", of_model(model))
        yield _file(f"tools/{tool.name}.result", f"Result of {tool.name}", _of_result(tool.result))


def _file(name: str, title: str, schema: Schema) -> tuple[str, Schema]:
    head = {"$schema": DIALECT, "$id": f"urn:turnwright:schema:{name}", "title": title}
    described = f"{schema['description']}\n\n{INTEGERS}"
    return f"{name}.json", head | {key: schema[key] for key in schema if key != "title"} | {"description": described}


def _variants(tool: Tool[Any]) -> Iterator[tuple[str, type[Model]]]:
    """Yield the models of a tool's arguments: the usual one, and those that hold under another `move_from`."""
    usual = tool.args_for(Protocol())
    yield "", usual
    for word in get_args(Protocol.model_fields["move_from"].annotation):
        model = tool.args_for(Protocol(move_from=word))
        if model is not usual:
            yield f".{word}", model


@lru_cache(maxsize=256)
def of_model(model: type[Model]) -> Schema:
    """Return the schema of what a model takes. To be read only."""
    return model.model_json_schema(schema_generator=_Generator)


def _of_result(model: type[Model]) -> Schema:
    """Return the schema of what a tool reports: a key that is left out when empty is never null."""
    schema = model.model_json_schema(schema_generator=_Generator)
    without_null(schema, [name for name, field in model.model_fields.items() if field.exclude_if])
    return schema


def _of_union(union: Any, description: str) -> Schema:
    schema = TypeAdapter(union).json_schema(schema_generator=_Generator)
    return {"description": description, **schema}


def turn_schema() -> Schema:
    """Return the schema of a turn as stage 1 takes it, which is stricter and looser than the model alone.

    A known key is never null, an answer leaves no room for a user input, and no integer lies beyond 2^53 but in the
    arguments of a call. Whatever stands in `tool_calls` is taken; an entry that is no call fails by itself, and so does
    an answer of another shape.
    """
    schema = Turn.model_json_schema(schema_generator=_Generator)
    properties = schema["properties"]
    without_null(schema, [name for name in properties if name not in _MAY_BE_NULL])
    for name in _MAY_BE_NULL:
        del properties[name]["default"]
        properties[name] |= _ANY_JSON
    properties["tool_calls"]["items"] = {"$ref": "#/$defs/entry"}
    schema["patternProperties"] = {"^x_": _ANY_JSON}
    schema["not"] = {"type": "object", "required": ["answer", "user_input"]}
    schema["$defs"] = {
        "tool_call": of_model(ToolCall),
        "answer": of_model(Answer),
        "entry": _ENTRY,
        "json": _JSON,
    }
    return schema


_JSON: Schema = {
    "description": "Any JSON without integers beyond 2^53.",
    "if": {"type": "integer"},
    "then": {"minimum": -MAX_INT, "maximum": MAX_INT},
    "items": _ANY_JSON,
    "additionalProperties": _ANY_JSON,
}
_ENTRY: Schema = {
    "description": "Should fit #/$defs/tool_call; an entry that does not fails alone.",
    "if": {"type": "object", "properties": {"args": {"type": "object"}}, "required": ["args"]},
    "then": {"properties": {"args": True}, "additionalProperties": _ANY_JSON},
    "else": _ANY_JSON,
}


def validator(schema: Mapping[str, Any]) -> Validator:
    """Return a validator for one of our schemas, in which an integer is written as one and a boolean is no number."""
    made: Validator = _validator_class()(schema)
    return made


@lru_cache(maxsize=1)
def _validator_class() -> Any:
    from jsonschema import Draft202012Validator, validators

    extend: Any = validators.extend
    kinds: Iterable[tuple[str, tuple[type, ...]]] = (("integer", (int,)), ("number", (int, float)))
    checker = Draft202012Validator.TYPE_CHECKER
    for name, types in kinds:
        checker = checker.redefine(name, lambda _, value, types=types: type(value) in types)
    return extend(Draft202012Validator, type_checker=checker)
