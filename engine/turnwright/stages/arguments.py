"""Arguments against a tool's schema, and the hint that repairs the first thing wrong with them.

Source: docs/stages/3-tools.md, "Hints".
"""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from typing import Any, TypeVar

from pydantic import ValidationError

from turnwright.model import hint
from turnwright.model.base import Model
from turnwright.model.nearest import (
    nearest,
    nearest_id,
    nearest_int,
    nearest_number,
    number_in,
    probable,
    truth_in,
)
from turnwright.model.reason import CallFailed, Reason
from turnwright.model.schema_path import Node, schema_at, schema_of, schemas_at
from turnwright.model.strict_json import MAX_INT
from turnwright.model.wording import Fault, faults_of, sentence
from turnwright.tools._base import Args, Legal
from turnwright.world.overlay import World

A = TypeVar("A", bound=Model)
_NUMERIC = frozenset({"integer", "number"})
_AFTER_DICE = ("", " ", ",", ";", ":")
_KINDS: Mapping[str, type] = {"string": str, "object": dict, "array": list}


def parse_args(
    model: type[A],
    args: Mapping[str, Any],
    legal: Callable[[], Legal | None],
    where: str = "args",
    world: World | None = None,
) -> A:
    """Return the typed arguments of a call.

    Args:
        model: what they should be.
        args: the arguments as they came.
        legal: what is legal now, for hints.
        where: what they are called in what is raised.
        world: where hints look for what is called by a name.

    Raises:
        CallFailed: `invalid_args`, for an argument that may not be given or else the first fault in schema order.
    """
    try:
        return model.model_validate(dict(args))
    except ValidationError as error:
        faults = faults_of(error)
    # What may not be there at all comes first: no other repair makes it go away.
    first = _at_tag(next((fault for fault in faults if fault["type"] == "extra_forbidden"), faults[0]))
    path = _path_of(first, args)
    field = ".".join([where, *map(str, path)])
    detail = f"{field}: {sentence(first)}"
    repair = _repair(model, path, field, first, args, legal() or {}, world)
    raise CallFailed(Reason.INVALID_ARGS, detail, repair)


def _at_tag(fault: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a fault of one of several kinds of object as one of the key that says which kind it is."""
    told = fault.get("ctx", {})
    if fault["type"] == "union_tag_not_found":
        return {**fault, "type": "missing", "loc": (*fault["loc"], told["discriminator"].strip("'"))}
    if fault["type"] == "union_tag_invalid":
        place = (*fault["loc"], told["discriminator"].strip("'"))
        return {"type": "literal_error", "loc": place, "ctx": {"expected": told["expected_tags"]}}
    return fault


def _path_of(fault: Mapping[str, Any], args: Mapping[str, Any]) -> tuple[str | int, ...]:
    """Return where a fault is, without the names of the types that a value might have had, which stand there, too."""
    value: Any = args
    path: list[str | int] = []
    for i, step in enumerate(fault["loc"], start=1):
        is_key = i == len(fault["loc"]) and fault["type"] in ("missing", "extra_forbidden")
        if is_key or (isinstance(value, Mapping) and step in value) or (isinstance(value, list) and type(step) is int):
            path.append(step)
            value = _value_at(value, [step])
    return tuple(path)


def _repair(
    model: type[Model],
    path: Sequence[str | int],
    field: str,
    fault: Fault,
    args: Mapping[str, Any],
    legal: Legal,
    world: World | None,
) -> hint.Hint:
    if fault["type"] == "extra_forbidden":
        return _stray(model, path, field, args, world)
    got = _value_at(args, path)
    if meant := fault.get("ctx", {}).get("meant"):
        return hint.replace(field, got, [meant])
    narrowed = legal.get(str(path[0]), ()) if path else ()
    if isinstance(narrowed, Mapping):
        wanted = schema_at(narrowed, path[1:])
        if "enum" in wanted:
            return hint.replace(field, got, _meant(wanted["enum"], got, _called(model, path, got, world)))
        if isinstance(got, str) and "enum" in wanted.get("items", {}):
            some = _meant(wanted["items"]["enum"], got, _called(model, path, got, world))
            return hint.replace(field, got, [[item] for item in some])
        candidates = fitting(wanted, got)
    elif len(path) == 1 and len(narrowed) > 1 and _is_person(model, path[0]):
        candidates = _meant(narrowed, got, _called(model, path, got, world))
    else:
        candidates = _sorted_by_nearness(got, narrowed if len(path) == 1 else ())
    candidates = candidates or _fitting_at(model, path, got)
    if fault["type"] == "missing" and (candidates or not _is_person(model, path[-1])):
        return hint.add(field, candidates)
    return hint.replace(field, got, candidates)


def _stray(
    model: type[Model], path: Sequence[str | int], field: str, args: Mapping[str, Any], world: World | None
) -> hint.Hint:
    """Return the hint for a key that is not known: it keeps the value where that has a place, and nobody is dropped."""
    from turnwright.stages.stray_keys import Stray, is_about_somebody, key_meant  # only what fails needs it

    key, around = str(path[-1]), _value_at(args, path[:-1])
    if key in model.model_fields or not (isinstance(around, Mapping) and key in around):
        return hint.remove(field)
    stray = Stray(key, around, _keys_at(model, path), world)
    meant = key_meant(stray, lambda name: _takes(model, path[:-1], name, key, args))
    if meant is not None:
        kept = {meant if name == key else name: value for name, value in around.items()}
        return hint.replace(field.removesuffix(f".{key}"), around, [kept])
    if is_about_somebody(stray):
        return hint.replace(field, around[key], [])
    near = nearest(key, stray.known, 3)
    return hint.remove(field) | ({"allowed": near} if near else {})


def _takes(model: type[Model], above: Sequence[str | int], name: str, key: str, args: Mapping[str, Any]) -> bool:
    """Return whether what stands under one key would do under another one beside it, or at least what it tells."""
    from turnwright.stages.spelling import spelt

    whole = copy.deepcopy(dict(args))
    around = _value_at(whole, above)
    around[name] = value = around.pop(key)
    if _told(_wanted_at(model, [*above, name], value), value):
        return True
    try:
        model.model_validate(spelt(model, whole)[0])
    except CallFailed as failure:
        return not f"{failure.hint.get('field')}.".startswith(".".join(["args", *map(str, above), name, ""]))
    except ValidationError as error:
        return all(_path_of(fault, whole)[: len(above) + 1] != (*above, name) for fault in faults_of(error))
    return True


def _is_person(model: type[Model], name: str | int) -> bool:
    """Return whether an argument is the id of one person."""
    from turnwright.tools.candidates import kind_of

    return kind_of(model, str(name)) in ("character", "participant") or name == "target_character_id"


def _meant(known: Sequence[str], got: Any, called: Collection[str]) -> list[str]:
    """Return the ids that what was given for one of a list may stand for; those of others would be somebody's harm."""
    if not isinstance(got, str) or not (called or probable(got, known)):
        return []
    return nearest_id(got, known, called)


def _called(model: type[Model], path: Sequence[str | int], got: Any, world: World | None) -> Collection[str]:
    """Return the ids of what has the given text for a name, where an argument holds ids."""
    from turnwright.tools.candidates import called, kind_of  # only what fails needs it

    return called(world, kind_of(model, str(path[0])), got) if world else ()


def _keys_at(model: type[Model], path: Sequence[str | int]) -> list[str]:
    """Return the keys that are known where an unknown one stands."""
    return list(schema_at(schema_of(model), path[:-1]).get("properties", {}))


def require_for_operation(args: Args, where: str = "args", legal: Callable[[], Legal | None] = lambda: None) -> None:
    """Check that the arguments are there which the chosen operation needs.

    Raises:
        CallFailed: `invalid_args`, for the first that is missing.
    """
    if not args.needs:
        return
    operation = getattr(args, args.operation_key)
    for name in args.needs.get(operation, ()):
        if getattr(args, name) is None and getattr(args, args.instead.get(name, name)) is None:
            detail = f"{where}.{name}: is required for {operation}"
            narrowed = (legal() or {}).get(name, ())
            is_open = isinstance(narrowed, Mapping) or (len(narrowed) > 1 and _is_person(type(args), name))
            known = [] if is_open else list(narrowed)
            allowed = known or [value for value in _fitting_at(type(args), [name], None) if value != []]
            raise CallFailed(Reason.INVALID_ARGS, detail, hint.add(f"{where}.{name}", allowed))


def _sorted_by_nearness(got: Any, candidates: Sequence[Any]) -> list[Any]:
    names = [name for name in candidates if isinstance(name, str)]
    return [*nearest(got, names), *(value for value in candidates if not isinstance(value, str))]


def _value_at(value: Any, path: Sequence[str | int]) -> Any:
    for step in path:
        if isinstance(value, Mapping):
            value = value.get(str(step))
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            value = value[step]
        else:
            return None
    return value


def _fitting_at(model: type[Model], path: Sequence[str | int], got: Any, *, is_part: bool = False) -> list[Any]:
    """Return values that fit a place; what must hold something has no more than it needs of what fits there.

    Nothing is made up as part of an object, and no item that could be anything.
    """
    wanted = _wanted_at(model, path, got)
    kind = wanted.get("type")
    if (kind == "string" and _is_id(model, path)) or (is_part and _is_made_up(wanted, got)):
        return []
    if kind == "object" and "required" in wanted:
        return _whole_at(model, path, wanted, got)
    if wanted.keys() & {"enum", "const", "examples"}:
        return fitting(wanted, got)
    if kind == "array" and (fewest := wanted.get("minItems", 0)):
        items = _fitting_at(model, [*path, 0], None, is_part=is_part)
        return [[item] * fewest for item in items[:1] if item != {}]
    return fitting(wanted, got)


def _wanted_at(model: type[Model], path: Sequence[str | int], got: Any) -> Node:
    """Return what describes a place: the first of its kinds of value, but that of a number where one was given."""
    first, *others = schemas_at(schema_of(model), path) or [{}]
    is_plain = not isinstance(got, str) or got.strip().isdecimal()
    if number_in(got) is not None and ("enum" in first or ("pattern" in first and is_plain)):
        return next((kind for kind in others if kind.get("type") in _NUMERIC), first)
    return first


def _is_made_up(wanted: Node, got: Any) -> bool:
    """Return whether nothing that was given is like what a place wants, and nothing is known that stands there."""
    if wanted.keys() & {"const", "examples"}:
        return False
    kind = wanted.get("type")
    if kind in _NUMERIC:
        return number_in(got) is None
    return kind == "string" and not ("enum" in wanted and isinstance(got, str))


def _whole_at(model: type[Model], path: Sequence[str | int], wanted: Node, got: Any) -> list[Any]:
    """Return an object with no more keys than it needs; a list in its place is taken for its values in their order."""
    if isinstance(got, str):
        return _with_text(model, path, wanted, got)
    listed = dict(zip(wanted["properties"], got, strict=False)) if isinstance(got, list) else {}
    is_listed = listed.keys() >= set(wanted["required"])
    if not is_listed and not (got is None or isinstance(got, Mapping)):
        return []
    if "examples" in wanted and not is_listed:
        return [*wanted["examples"]]
    given = listed if is_listed else dict.fromkeys(wanted["required"])
    values = {name: _fitting_at(model, [*path, name], value, is_part=True)[:1] for name, value in given.items()}
    return [{name: value for name, (value,) in values.items()}] if all(values.values()) else []


def _with_text(model: type[Model], path: Sequence[str | int], wanted: Node, text: str) -> list[Any]:
    """Return an object for a text in its place, where all that it needs is a text."""
    name, *others = wanted["required"]
    inner = _wanted_at(model, [*path, name], None)
    is_free = inner.get("type") == "string" and not inner.keys() & {"enum", "format"}
    return [{name: text}] if is_free and text.strip() and not others and not _is_id(model, [*path, name]) else []


def _is_id(model: type[Model], path: Sequence[str | int]) -> bool:
    """Return whether a place holds the id of what is there, which nobody can make up; a new one's key is `id`."""
    from turnwright.tools.candidates import kind_of

    keys = [step for step in path if isinstance(step, str)]
    return bool(keys) and (keys[-1].endswith(("_id", "_ids")) or kind_of(model, keys[0]) is not None)


def fitting(schema: Mapping[str, Any], got: Any) -> list[Any]:
    """Return values that fit a schema, the nearest to what was given first; empty when there is no telling.

    Args:
        schema: what they fit.
        got: what was given.
    """
    if "enum" in schema:
        return _sorted_by_nearness(got, schema["enum"])
    if "const" in schema:
        return [schema["const"]]
    if isinstance(got, list) and len(got) > schema.get("maxItems", len(got)):
        return [got[: schema["maxItems"]]]
    kind = schema.get("type")
    if (told := _told(schema, got)) is not None:
        return told
    if "examples" in schema:
        return [*schema["examples"]]
    if kind in _NUMERIC:
        return [_near(schema, got)]
    if kind == "string":
        return [str(got)[:200] if isinstance(got, (int, float)) and not isinstance(got, bool) else "unspecified"]
    if kind == "object":
        return [] if "required" in schema or isinstance(got, Mapping) else [{}]
    return [[]] if kind == "array" else []


def _told(schema: Mapping[str, Any], got: Any) -> list[Any] | None:
    """Return what fits of a value of another kind, or of a text with more in it; None where anything would do as well.

    What was given is never replaced by an example, or by a number that nobody named.
    """
    kind = schema.get("type")
    if kind == "boolean":
        truth = truth_in(got)
        return [] if truth is None else [truth]
    if kind in _NUMERIC and isinstance(got, str):
        return [] if number_in(got) is None else [_near(schema, got)]
    if got is None:
        return None
    if schema.get("format") == "dice":
        return dice_in(got)
    if signed := _signed(schema, got):
        return [signed]
    examples = schema.get("examples", ())
    is_other = not isinstance(got, _KINDS.get(str(kind), (int, float)))
    is_amount = kind == "string" and any(number_in(example) is not None for example in examples)
    return [] if examples and (is_other or is_amount) else None


def _near(schema: Mapping[str, Any], got: Any) -> int | float:
    near = nearest_int if schema["type"] == "integer" else nearest_number
    return near(got, schema.get("minimum", -MAX_INT), schema.get("maximum", MAX_INT))


def _signed(schema: Mapping[str, Any], got: Any) -> str | None:
    """Return the number in a text with the sign that it has there, where the schema wants it so."""
    number = number_in(got)
    if not isinstance(got, str) or type(number) is not int or not (number < 0 or "+" in got):
        return None
    return f"{number:+d}" if re.fullmatch(schema.get("pattern", "$^"), f"{number:+d}") else None


def dice_in(given: Any) -> list[str]:
    """Return the dice expression that a text begins with, as the only one of a list; empty when there is none."""
    from turnwright.rules.dice import DiceError, parse  # only what fails needs it

    text = str(given)[:200] if isinstance(given, str) or type(given) is int else ""
    for end in (end for end in range(len(text), 0, -1) if text[end : end + 1] in _AFTER_DICE and text[end - 1] != " "):
        with suppress(DiceError):
            parse(text[:end])
            return [text[:end]]
    return []
