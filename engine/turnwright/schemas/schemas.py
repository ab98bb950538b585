"""JSON Schemas of every file, reply, record and tool, made from the models.

They say exactly what the engine takes, one document at a time; what ties documents together is `stages.edits`' to say.
Source: docs/stages/README.md, "Schemas".
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast, get_args

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from turnwright.content.kinds import MODEL_OF
from turnwright.content.source import ManifestFile
from turnwright.model.area import Layer
from turnwright.model.aura import Aura
from turnwright.model.base import Document, Model
from turnwright.model.calendar import Calendar
from turnwright.model.call_shapes import OURS, SHAPES, WORDS_FOR_ARGUMENTS, CallShape
from turnwright.model.campaign import CAMPAIGN_PATH, CampaignDocument, Protocol
from turnwright.model.character import Character
from turnwright.model.clock import Clock
from turnwright.model.crew import Crew
from turnwright.model.encounter import Encounter
from turnwright.model.intrigue import Faction, Rumor, Thread
from turnwright.model.location import Location
from turnwright.model.note import Note
from turnwright.model.party import PartyDocument, Step
from turnwright.model.published_schema import DICE_FORMAT, published
from turnwright.model.quest import Quest
from turnwright.model.scene import Scene, SceneSummary
from turnwright.model.strict_json import MAX_INT
from turnwright.model.wire.log_record import Record
from turnwright.model.wire.pipe import PipeLine, PipeRequest
from turnwright.model.wire.reply import CommandError, Reply, without_null
from turnwright.model.wire.telemetry import TelemetryRecord
from turnwright.model.wire.turn import Answer, ToolCall, Turn
from turnwright.rulesets.argument_schema import exact
from turnwright.rulesets.scenes.outputs import all_kinds
from turnwright.rulesets.tool import MAX_ITEMS, Args, Tool
from turnwright.rulesets.toolbox import TOOLS

if TYPE_CHECKING:
    from jsonschema.protocols import Validator

    from turnwright.model.json_schema import JsonSchema

DIALECT = "https://json-schema.org/draft/2020-12/schema"
INTEGERS = "An integer is written without a point and an exponent: 1.0 is none. A boolean is no number."
"""What our validator adds to the dialect, in which 1.0 is an integer too."""
_MAY_BE_NULL = frozenset({"output", "answer"})
_ANY_JSON: JsonSchema = {"$ref": "#/$defs/json"}
_BATCH: JsonSchema = {
    "type": "object",
    "description": "Of a batch; a tool may put totals beside the results.",
    "properties": {
        "results": {"type": "array", "items": {"$ref": "#/$defs/entry"}, "minItems": 1, "maxItems": MAX_ITEMS},
        "succeeded": {"type": "integer", "minimum": 1, "maximum": MAX_ITEMS},
        "failed": {"type": "integer", "minimum": 0, "maximum": MAX_ITEMS},
    },
    "required": ["results", "succeeded", "failed"],
}
_BATCH_ENTRY: JsonSchema = {
    "type": "object",
    "description": "One item of a batch: its result, or why it was not done.",
    "properties": {
        "index": {"type": "integer", "minimum": 0, "maximum": MAX_ITEMS - 1},
        "ok": {"type": "boolean"},
        "result": {"$ref": "#/$defs/one"},
        "warnings": {"type": "array", "items": {"type": "string"}},
        "status": {"enum": ["rejected", "error"]},
        "reason": {"type": "string"},
        "detail": {"type": "string"},
        "hint": {"type": "object"},
        "hints": {"type": "array", "items": {"type": "object"}},
    },
    "required": ["index", "ok"],
    "if": {"properties": {"ok": {"const": True}}},
    "then": {"required": ["result"]},
    "else": {"required": ["status", "reason", "detail"]},
    "additionalProperties": False,
}


DOCUMENTS: Mapping[str, tuple[str, type[Document]]] = {
    "campaign": (CAMPAIGN_PATH, CampaignDocument),
    "layer": ("A layer of the map", Layer),
    "character": ("A character", Character),
    "encounter": ("A fight", Encounter),
    "aura": ("An aura", Aura),
    "location": ("A place", Location),
    "note": ("A note", Note),
    "quest": ("A quest", Quest),
    "party": ("party.json", PartyDocument),
    "calendar": ("calendar.json", Calendar),
    "step": ("A step of the party", Step),
    "crew": ("crew.json", Crew),
    "scene": ("A scene", Scene),
    "summary": ("What remains of a scene", SceneSummary),
    "clock": ("A clock", Clock),
    "faction": ("A faction", Faction),
    "thread": ("A thread", Thread),
    "rumor": ("A rumor", Rumor),
}
"""The documents of a campaign, by the name of their schema: title and model."""


class _Generator(GenerateJsonSchema):
    """Pydantic's schemas, without a title for each key and without keywords of other standards."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        """Say no: the title would only repeat the key."""
        del schema
        return False

    def tagged_union_schema(self, schema: core_schema.TaggedUnionSchema) -> JsonSchemaValue:
        """Leave out `discriminator`, which is OpenAPI's; but the key itself has to be there, default or not."""
        union = super().tagged_union_schema(schema)
        union.pop("discriminator", None)
        return {**union, "required": [schema["discriminator"]]}


def _content_schemas() -> Iterator[tuple[str, JsonSchema]]:
    """Yield the schema of `pack.json` and of an entry of each kind."""
    yield _file("content/pack", "The pack.json of a content pack", of_model(ManifestFile))
    for kind, model in MODEL_OF.items():
        yield _file(f"content/{kind}", f"An entry of kind {kind}", of_model(model))


def all_schemas() -> dict[str, JsonSchema]:
    """Return every schema by the path of its file below `schemas/`, sorted."""
    found = dict(_schemas())
    return {path: found[path] for path in sorted(found)}


def render(schema: JsonSchema) -> bytes:
    """Return a schema as its file holds it."""
    return (json.dumps(schema, ensure_ascii=False, indent=2, sort_keys=True) + "\n").encode()


def _schemas() -> Iterator[tuple[str, JsonSchema]]:
    for name, (title, document) in DOCUMENTS.items():
        yield _file(name, title, of_model(document))
    yield _file("turn", "A turn file", turn_schema())
    yield _file("reply", "The reply to a turn", _of_union(Reply, "The reply to a turn, by `status`."))
    yield _file("error", "Why a command stopped", of_model(CommandError))
    yield _file("record", "A record", _of_union(Record, "One line of log.jsonl, by `kind`."))
    yield _file("pipe_request", "A request to a pipe", _of_union(PipeRequest, "A line that a program writes, by `op`."))
    yield _file("pipe_line", "A line of a pipe", _of_union(PipeLine, "A line that a program reads."))
    yield _file("telemetry", "A record of telemetry", of_model(TelemetryRecord))
    yield from _content_schemas()
    for kind in all_kinds():
        yield _file(f"outputs/{kind.name}", f"The `output` {kind.title}", of_model(kind.load_model()))
    for tool in TOOLS.values():
        for variant, model in _variants(tool):
            taken = exact(tool, model, of_model(model))
            yield _file(f"tools/{tool.name}{variant}.args", f"Arguments of {tool.name}", taken)
        yield _file(f"tools/{tool.name}.result", f"Result of {tool.name}", _of_result(tool))


def _file(name: str, title: str, schema: JsonSchema) -> tuple[str, JsonSchema]:
    described = f"{schema['description']}\n\n{INTEGERS}"
    told = published({key: part for key, part in schema.items() if key != "title"})
    head: JsonSchema = {"$schema": DIALECT, "$id": f"urn:turnwright:schema:{name}", "title": title}
    return f"{name}.json", head | told | {"description": described}


def _variants(tool: Tool[Any]) -> Iterator[tuple[str, type[Args]]]:
    """Yield the models of a tool's arguments: the usual one, and those that hold under another `move_from`."""
    usual = tool.args_for(Protocol())
    yield "", usual
    for word in get_args(Protocol.model_fields["move_from"].annotation):
        model = tool.args_for(Protocol(move_from=word))
        if model is not usual:
            yield f".{word}", model


@lru_cache(maxsize=256)
def of_model(model: type[Model]) -> JsonSchema:
    """Return the schema of what a model takes. To be read only."""
    return cast("JsonSchema", model.model_json_schema(schema_generator=_Generator))


def _of_result(tool: Tool[Any]) -> JsonSchema:
    """Return the schema of what a tool reports, of one call or of a batch.

    Of the core tools, a key that is left out when empty is never null; those of the toolkit write a null where an
    operation has the key and nothing for it.
    """
    schema = tool.result.model_json_schema(schema_generator=_Generator)
    if tool.family == "core":
        without_null(schema, [name for name, field in tool.result.model_fields.items() if field.exclude_if])
    single = cast("JsonSchema", schema)
    if not tool.batch:
        return single
    definitions = single.pop("$defs", {})
    head: JsonSchema = {"description": single.pop("description")} if "description" in single else {}
    definitions |= {"one": single, "entry": _BATCH_ENTRY}
    return {**head, "oneOf": [{"$ref": "#/$defs/one"}, _BATCH], "$defs": definitions}


def _of_union(union: Any, description: str) -> JsonSchema:
    schema = cast("JsonSchema", TypeAdapter(union).json_schema(schema_generator=_Generator))
    return {"description": description, **schema}


def turn_schema() -> JsonSchema:
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
        "entry": _entry_schema(),
        "json": _JSON,
    }
    return cast("JsonSchema", schema)


_JSON: JsonSchema = {
    "description": "Any JSON without integers beyond 2^53.",
    "if": {"type": "integer"},
    "then": {"minimum": -MAX_INT, "maximum": MAX_INT},
    "items": _ANY_JSON,
    "additionalProperties": _ANY_JSON,
}


def _entry_schema() -> JsonSchema:
    """Return what an entry of `tool_calls` may hold: any JSON, and beside it integers of any size in its arguments."""
    is_ours: JsonSchema = {"type": "object", "anyOf": [{"required": ["tool"]}, {"required": ["args"]}]}
    schema: JsonSchema = {**_ANY_JSON}
    for shape in reversed(SHAPES):
        schema = {"if": _has_shape(shape), "then": _free_in_arguments(shape.path_of_arguments), "else": schema}
    schema = {"if": is_ours, "then": _free_in_arguments(OURS.path_of_arguments), "else": schema}
    told = (
        "A call: an object as #/$defs/tool_call has it, or one in the shape that the APIs of OpenAI and Anthropic, or "
        "MCP, have for it. An entry that is neither fails alone."
    )
    return {"description": told, **schema}


def _has_shape(shape: CallShape) -> JsonSchema:
    """Return what entries fit that `shape_of` finds to be of a shape, where they are none of those before it."""
    key, values = shape.mark
    is_named = [shape.name] if shape.is_known_by_name else []
    others: list[JsonSchema] = [{"required": [word]} for word in WORDS_FOR_ARGUMENTS]
    holder: JsonSchema = {"type": "object", "required": is_named}
    holder["anyOf"] = [{"required": [shape.arguments]}, {"not": {"anyOf": others}}]
    mark: JsonSchema = {"type": "object", "properties": {key: {"enum": [*values]}}}
    mark["required"] = [] if None in values else [key]
    inside = {"properties": {shape.inside: holder}, "required": [shape.inside]} if shape.inside else holder
    return {"allOf": [mark, inside]}


def _free_in_arguments(path: Sequence[str]) -> JsonSchema:
    """Return what an entry fits in which an object at a path holds anything, and all else is any JSON."""
    there: JsonSchema = {"type": "object"}
    free: Any = True
    for key in reversed(path):
        there = {"type": "object", "properties": {key: there}, "required": [key]}
        free = {"properties": {key: free}, "additionalProperties": _ANY_JSON}
    return {"if": there, "then": free, "else": _ANY_JSON}


def validator(schema: JsonSchema) -> Validator:
    """Return a validator for one of our schemas; see `INTEGERS` for what it adds to the dialect."""
    kind, formats = _validator_class()
    made: Validator = kind(schema, format_checker=formats)
    return made


@lru_cache(maxsize=1)
def _validator_class() -> tuple[Any, Any]:
    from jsonschema import Draft202012Validator, FormatChecker, validators

    from turnwright.model.dice.expression import DiceError, parse

    def is_dice(value: object) -> bool:
        return not isinstance(value, str) or bool(parse(value))

    formats = FormatChecker(formats=())
    formats.checks(DICE_FORMAT, raises=DiceError)(is_dice)
    extend: Any = validators.extend
    kinds: Iterable[tuple[str, tuple[type, ...]]] = (("integer", (int,)), ("number", (int, float)))
    checker = Draft202012Validator.TYPE_CHECKER
    for name, types in kinds:
        checker = checker.redefine(name, lambda _, value, types=types: type(value) in types)
    return extend(Draft202012Validator, type_checker=checker), formats
