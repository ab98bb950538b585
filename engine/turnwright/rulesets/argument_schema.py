"""The schema of a tool's arguments: one argument object with what its operation needs, or a batch of them.

Two forms: `exact` describes precisely what the engine accepts; `advertised` is one plain object without alternatives at
the top level, the form that model APIs accept. Neither lists spellings that are accepted beside the canonical ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

from turnwright.model.published_schema import DICE_PATTERN
from turnwright.model.strict_json import MAX_INT, copied
from turnwright.rulesets.tool import MAX_ITEMS, Args, Tool

if TYPE_CHECKING:
    from turnwright.model.json_schema import JsonSchema

ONE = "one"
_ATOMIC: JsonSchema = {"type": "boolean", "default": False, "description": "All items are done, or none."}
_MAX_LENGTH_WORTH_SAYING = 100


def exact(tool: Tool[Any], args: type[Args], schema: JsonSchema, one: str = ONE) -> JsonSchema:
    """Return the exact schema of what a tool takes.

    Args:
        tool: the tool.
        args: the model of its arguments.
        schema: the model's own schema.
        one: the name of the definition that holds a single argument object of a tool with batches.
    """
    whole: JsonSchema = copied(schema)
    if conditions := list(_conditions(args, whole.get("properties", {}))):
        whole["allOf"] = conditions
    return _or_batch(tool, whole, one) if tool.batch else whole


def _conditions(args: type[Args], known: Mapping[str, JsonSchema]) -> Iterator[JsonSchema]:
    """Yield what each operation requires: arguments that are present and not null; unknown ones are not required."""
    if not args.needs:
        return
    key = args.model_fields[args.operation_key]
    for operation, names in args.needs.items():
        if not all((args.model_fields[name].alias or name) in known for name in names):
            continue  # its arguments were taken out, and it with them
        chosen: JsonSchema = {"properties": {args.operation_key: {"const": operation}}}
        if key.is_required() or key.default != operation:
            chosen["required"] = [args.operation_key]
        either = [(name, args.instead[name]) if name in args.instead else (name,) for name in names]
        ways = [_given(args, way) for way in product(*either)]
        yield {"if": chosen, "then": ways[0] if len(ways) == 1 else {"anyOf": ways}}


def _given(args: type[Args], names: Sequence[str]) -> JsonSchema:
    fields = {args.model_fields[name].alias or name: args.model_fields[name] for name in names}
    given: JsonSchema = {"properties": {name: {"not": {"type": "null"}} for name in fields}}
    if missing := [name for name, field in fields.items() if field.default is None]:
        given["required"] = missing
    return given


def _or_batch(tool: Tool[Any], single: JsonSchema, name: str) -> JsonSchema:
    definitions = single.pop("$defs", {})
    ref = f"#/$defs/{name}"
    head: JsonSchema = {}
    if "title" in single:
        head["title"] = single.pop("title")
    if "description" in single:
        head["description"] = single.pop("description")
    needed = [key for key in tool.shared if key in single.get("required", ())]
    single["required"] = [key for key in single.get("required", ()) if key not in needed]
    batch: JsonSchema = {
        "type": "object",
        "properties": {
            "batch": {"type": "array", "items": {"$ref": ref}, "minItems": 1, "maxItems": MAX_ITEMS},
            "atomic": _ATOMIC,
            **{key: {"description": "For all items that have none of their own."} for key in tool.shared},
        },
        "required": ["batch"],
        "additionalProperties": False,
    }
    if tool.shared:
        batch["allOf"] = [_unless_own(key, single["properties"][key], key in needed) for key in tool.shared]
    one: JsonSchema = {"$ref": ref}
    if needed:
        one["required"] = needed
    return {**head, "oneOf": [one, batch], "$defs": {**definitions, name: single}}


def _unless_own(name: str, schema: JsonSchema, needed: bool) -> JsonSchema:
    """Return the constraint on a shared argument for items that have none of their own."""
    given: JsonSchema = {"properties": {name: copied(schema)}}
    if needed:
        given["required"] = [name]
    return {"if": {"properties": {"batch": {"items": {"required": [name]}}}}, "else": given}


def advertised(tool: Tool[Any], schema: JsonSchema) -> JsonSchema:
    """Return the schema of a tool's arguments for a model: short, and one plain object at the top.

    Null, defaults of null and bounds that no real call reaches are left out; the engine still checks them. A tool with
    batches requires nothing at the top level; `note_on` states its requirements in words.

    Args:
        tool: the tool.
        schema: the model's own schema, as it is published, without references.
    """
    plain: JsonSchema = _short({key: value for key, value in schema.items() if key not in ("title", "description")})
    plain["additionalProperties"] = False
    if not tool.batch:
        return plain
    item: JsonSchema = {"type": "object", "description": "The arguments of one call."}
    batch: JsonSchema = {"type": "array", "items": item, "minItems": 1, "maxItems": MAX_ITEMS}
    return {
        "type": "object",
        "properties": {
            **plain["properties"],
            "batch": {"description": "Instead of all else: up to 20 calls at once.", **batch},
            "atomic": {"type": "boolean", "description": "With batch: all or none."},
        },
        "additionalProperties": False,
    }


def is_given_dice(name: str) -> bool:
    """Return whether an argument holds dice rolled at a real table, used in place of a roll by the engine."""
    return name.startswith("manual_")


def without_given_dice(args: type[Args], schema: JsonSchema) -> JsonSchema:
    """Return the schema of one argument object for models, which have no dice to give.

    Args:
        args: the model of the arguments.
        schema: its own schema, without references.
    """
    known = schema.get("properties", {})
    kept = {name: _without_given(part) for name, part in known.items() if not is_given_dice(name)}
    wanting = [operation for operation, names in args.needs.items() if any(map(is_given_dice, names))]
    if wanting:
        key = kept[args.operation_key]
        kept[args.operation_key] = {**key, "enum": [word for word in key["enum"] if word not in wanting]}
    return {**schema, "properties": kept} if known else schema.copy()


def _without_given(node: Any) -> Any:
    """Return a part of a schema without the dice of the objects in it, such as those of participants."""
    if isinstance(node, list):
        return [_without_given(each) for each in node]
    if not isinstance(node, Mapping):
        return node
    kept = {key: _without_given(value) for key, value in node.items()}
    if isinstance(known := kept.get("properties"), dict):
        kept["properties"] = {name: part for name, part in known.items() if not is_given_dice(name)}
    return kept


def note_on(tool: Tool[Any], args: type[Args], *, for_models: bool = False) -> str:
    """Return in words what `advertised` has no keyword for; empty when there is nothing to add.

    Args:
        tool: the tool.
        args: the model of its arguments.
        for_models: whether the text is for models, which give no dice.
    """
    told = []
    required = [field.alias or name for name, field in args.model_fields.items() if field.is_required()]
    if tool.batch and required:
        told.append(f"Required without batch: {', '.join(required)}.")
    if tool.batch and tool.shared:
        told.append(f"May stand once beside batch: {', '.join(tool.shared)}.")
    if args.needs:
        either = {name: f"{name} or {args.instead[name]}" for name in args.instead}
        needs = (
            f"{operation}: {', '.join(either.get(name, name) for name in names)}"
            for operation, names in args.needs.items()
            if not (for_models and any(map(is_given_dice, names)))
        )
        if listed := "; ".join(needs):
            told.append(f"Needed by {args.operation_key}: {listed}.")
    return " ".join(told)


def _short(node: Any) -> Any:
    """Return a schema without keywords that only a validator needs, or no reader at all."""
    if isinstance(node, list):
        return [_short(item) for item in node]
    if not isinstance(node, dict):
        return node
    kept = {key: value for key, value in node.items() if not _is_noise(key, value)}
    branches = [branch for branch in kept.pop("anyOf", ()) if branch != {"type": "null"}]
    if len(branches) == 1:
        kept = branches[0] | kept
    elif branches:
        kept["anyOf"] = branches
    kept = {key: value for key, value in kept.items() if not _is_noise(key, value)}
    if "properties" in kept:  # the keys are names of arguments, which may well be words of the dialect
        kept["properties"] = {name: _short(part) for name, part in kept["properties"].items()}
        return {key: value if key == "properties" else _short(value) for key, value in kept.items()}
    return {
        key: value if key in ("examples", "enum", "default", "const") else _short(value) for key, value in kept.items()
    }


def _is_noise(key: str, value: Any) -> bool:
    if key == "additionalProperties":
        return value is False
    if key in ("minimum", "maximum"):
        return bool(abs(value) >= MAX_INT)
    if key in ("minLength", "maxLength"):
        return bool(value == 1 or value >= _MAX_LENGTH_WORTH_SAYING)
    if (key, value) in (("default", None), ("default", []), ("default", {}), ("pattern", DICE_PATTERN)):
        return True
    return key in ("not", "format", "prefixItems")  # of items by place, `items` says what models' APIs can read
