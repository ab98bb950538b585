"""The value that says the same in the form that an argument wants: for hints that change nothing of what was meant.

Source: docs/stages/3-tools.md, "Hints".
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from turnwright.model.base import Model
from turnwright.model.error_text import Fault, faults_of
from turnwright.model.fuzzy_match import misspelt, says_nothing
from turnwright.model.json_types import JsonObject
from turnwright.model.schema_path import schema_at, schema_of, schemas_at
from turnwright.model.strict_json import MAX_DEPTH
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed
from turnwright.protocol.stage3_tools.normalize import read_spelling, snake
from turnwright.protocol.stage3_tools.repair.coercion import (
    NUMERIC,
    dice_meant,
    number_of_kind,
    signed,
    units_of,
    yes_or_no,
)
from turnwright.protocol.stage3_tools.repair.loose_json import read_loosely
from turnwright.rulesets.tool import Args

if TYPE_CHECKING:
    from turnwright.model.json_schema import JsonSchema

NOTHING: Any = object()
"""In place of a value: there is none that says the same."""
_COORDINATES = re.compile(r"-?\d{1,6}(?:\s*,\s*-?\d{1,6}){1,2}")
_WRAPPERS = frozenset({"value", "values", "item", "items"})
_MAX_ITEMS = 100
_FEW_WORDS = 2


def same_at(model: type[Model], args: JsonObject, path: Sequence[str | int]) -> Any:
    """Return the only equivalent of a value that fits its place; else `NOTHING`.

    Args:
        model: the model of the arguments.
        args: all of them.
        path: the path of the value that does not fit.
    """
    got = value_at(args, path)
    beside = value_at(args, path[:-1])
    place = _Place(str(next(step for step in reversed(path) if isinstance(step, str))), beside)
    kinds = schemas_at(schema_of(model), path)
    every = (value for kind in kinds for value in _same(kind, got, place, model, path))
    fitting = [value for value in every if (type(value), value) != (type(got), got) and fits(model, args, path, value)]
    whole = (value for value in fitting if fits(model, args, path, value, within=True))
    return next(whole, next(iter(fitting), NOTHING))


def is_absent_allowed(model: type[Model], args: JsonObject, path: Sequence[str | int]) -> bool:
    """Return whether what stands at a place may be left out; of a list, any item may."""
    *above, last = path
    if isinstance(last, int):
        return "prefixItems" not in schema_at(schema_of(model), above)
    needed: Collection[str] = schema_at(schema_of(model), above).get("required", ())
    if above or not issubclass(model, Args):
        return last not in needed
    return last not in needed and last not in model.needed(args) and last != model.operation_key


def holds_nothing(value: Any) -> bool:
    """Return whether a value says that there is none."""
    return value is None or value in ([], {}) or (isinstance(value, str) and says_nothing(value))


def name_in(value: Any, key: str) -> str | None:
    """Return the only name or id in an object or a list that holds nothing else; else None.

    Args:
        value: the object or list.
        key: of the argument that it stands in.
    """
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, Mapping) and len(value) == 1:
        (name, value), *_ = value.items()
        if snake(str(name)) not in ("id", "name", "title", "value", key):
            return None
    return value if isinstance(value, str) and value.strip() else None


def fits(model: type[Model], args: JsonObject, path: Sequence[str | int], value: Any, *, within: bool = False) -> bool:
    """Return whether a value has the type that a place expects; its content may be wrong, unless it matters."""
    changed = with_value(args, path, value)
    read = read_spelling(model, changed)
    place = ".".join(["args", *map(str, path)])
    fields = [str(fault.hint.get("field")) for fault in read.faults]
    if any(field == place or (within and field.startswith(f"{place}.")) for field in fields):
        return False
    try:
        model.model_validate(read.args)
    except ValidationError as error:
        paths = [path_of(fault, changed) for fault in faults_of(error)]
        return all((each[: len(path)] if within else each) != tuple(path) for each in paths)
    return True


def value_at(value: Any, path: Sequence[str | int]) -> Any:
    """Return the element at a path in a value; None if there is none."""
    for step in path:
        if isinstance(value, Mapping):
            value = value.get(str(step))
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            value = value[step]
        else:
            return None
    return value


def with_value(args: Any, path: Sequence[str | int], value: Any) -> Any:
    """Return arguments with another value at a place."""
    if not path:
        return value
    step, *rest = path
    copy: Any = list(args) if isinstance(args, list) else dict(args)
    inner = copy.get(step) if isinstance(copy, dict) else copy[step]
    copy[step] = with_value(inner, rest, value)
    return copy


def path_of(fault: Fault, args: JsonObject) -> tuple[str | int, ...]:
    """Return where a fault is, without the names of the types that a value might have had, which stand there, too."""
    return tuple(step for step, is_type in _steps(fault, args) if not is_type)


def types_of(fault: Fault, args: JsonObject) -> dict[tuple[str | int, ...], str | int]:
    """Return the type names in the path of a fault: the union branches it belongs to."""
    found: dict[tuple[str | int, ...], str | int] = {}
    path: tuple[str | int, ...] = ()
    for step, is_type in _steps(fault, args):
        if is_type:
            found.setdefault(path, step)
        else:
            path = (*path, step)
    return found


def _steps(fault: Fault, args: JsonObject) -> Iterator[tuple[str | int, bool]]:
    value: Any = args
    for i, step in enumerate(fault["loc"], start=1):
        is_key = i == len(fault["loc"]) and fault["type"] in ("missing", "extra_forbidden")
        if is_key or (isinstance(value, Mapping) and step in value) or (isinstance(value, list) and type(step) is int):
            yield step, False
            value = value_at(value, [step])
        else:
            yield step, True


class _Place:
    """The place of a value: its key and its siblings."""

    def __init__(self, key: str, beside: Any) -> None:
        self.key = key
        self.beside: Mapping[str, Any] = beside if isinstance(beside, Mapping) else {}

    @property
    def units(self) -> frozenset[str]:
        """The units that say no more of an amount than what stands here anyway; of so many things, their name."""
        named = self.beside.get("name") if self.key == "quantity" else None
        return units_of(self.key).union(named.casefold().split() if isinstance(named, str) else ())


def _same(kind: JsonSchema, got: Any, place: _Place, model: type[Model], path: Sequence[str | int]) -> Iterator[Any]:
    """Yield what a value may say as one of this kind, the plainest first."""
    inner = _unwrapped(got)
    if inner is not NOTHING and inner is not None:
        yield inner
        yield from _same(kind, inner, place, model, path)
    if isinstance(got, str) and (plain := got.strip().strip("\"'`").strip()) != got and plain:
        yield plain
    if "enum" in kind or "const" in kind:
        yield from _word(kind.get("enum", [kind.get("const")]), got)
    wanted = kind.get("type")
    if wanted == "array":
        yield from _list(got)
    elif wanted == "object":
        yield from _object(kind, got, model, path)
    elif wanted in NUMERIC:
        if (number := number_of_kind(wanted, got, place.units)) is not None:
            yield number
    elif wanted == "boolean":
        if (told := yes_or_no(got)) is not None:
            yield told
    elif wanted == "string":
        yield from _text(kind, got, place)


def _unwrapped(got: Any) -> Any:
    """Return what is the only thing in a list, or in an object under a key that says no more; else `NOTHING`."""
    if isinstance(got, list) and len(got) == 1:
        return got[0]
    if isinstance(got, Mapping) and len(got) == 1:
        key, value = next(iter(got.items()))
        return value if str(key).casefold() in _WRAPPERS else NOTHING
    return NOTHING


def _word(words: Sequence[Any], got: Any) -> Iterator[Any]:
    texts = [word for word in words if isinstance(word, str)]
    if isinstance(got, str):
        meant = misspelt(got, texts)
        yield from () if meant is None else (meant,)
    number = number_of_kind("number", got)
    yield from (word for word in words if type(word) in (int, float) and word == number)


def _list(got: Any) -> Iterator[Any]:
    if isinstance(got, str):
        read = read_loosely(got, MAX_DEPTH).value
        if read is not None:
            yield read if isinstance(read, list) else [read]
        elif not got.lstrip().startswith(("[", "{")):
            parts = [part.strip() for part in got.split(",")]
            is_list = all(parts) and max(len(part.split()) for part in parts) <= _FEW_WORDS
            if len(parts) > 1 and is_list:
                yield parts[:_MAX_ITEMS]  # names; longer parts may be one text that contains a comma
            if len(parts) == 1 or _COORDINATES.fullmatch(got.strip("() ")):
                yield [got]
    elif got is not None and not isinstance(got, list):
        yield [got]


def _object(kind: JsonSchema, got: Any, model: type[Model], path: Sequence[str | int]) -> Iterator[Any]:
    needed: Sequence[str] = kind.get("required", [])
    if isinstance(got, str):
        read = read_loosely(got, MAX_DEPTH).value
        if read is not None:
            yield read[0] if isinstance(read, list) and len(read) == 1 else read
        elif len(needed) > 1 and _COORDINATES.fullmatch(got.strip("() ")):
            yield from _object(kind, [int(part) for part in got.strip("() ").split(",")], model, path)
        elif got.strip() and len(needed) == 1 and not got.lstrip().startswith(("[", "{")):
            inner = schema_at(schema_of(model), [*path, needed[0]])
            if inner.get("type") == "string" and not inner.keys() & {"enum", "const"}:
                yield {needed[0]: got}
    elif isinstance(got, list) and len(needed) > 1 and all(type(each) in (int, float) for each in got):
        names = list(kind["properties"])
        begins_with_needed = len(needed) <= len(got) < len(names) and names[: len(needed)] == list(needed)
        if len(got) == len(names) or begins_with_needed:
            yield dict(zip(names, got, strict=False))


def _text(kind: JsonSchema, got: Any, place: _Place) -> Iterator[Any]:
    if kind.get("format") == "dice":
        dice = dice_meant(got, place.beside, place.key)
        yield from () if dice is None else (dice,)
    elif "pattern" in kind and (number := signed(kind["pattern"], got)) is not None:
        yield number
    elif type(got) in (int, float):
        yield str(got)


def without_nothing(failure: CallFailed, model: type[Model], args: JsonObject, where: str) -> CallFailed:
    """Return a failure in which a word for nothing is to be left out where nothing has to stand, or is null."""
    return failure.replace(hints=[_without_nothing(each, model, args, where) for each in failure.hints])


def _without_nothing(told: hint.Hint, model: type[Model], args: JsonObject, where: str) -> hint.Hint:
    field, got = told.get("field"), told.get("got")
    if told.get("allowed") or not isinstance(got, str) or not says_nothing(got) or not isinstance(field, str):
        return told
    stem = where if field.startswith(f"{where}.") else "args"
    path = [int(step) if step.isdecimal() else step for step in field.removeprefix(f"{stem}.").split(".")]
    if is_absent_allowed(model, args, path):
        return hint.remove(field)
    is_required = path[-1] in schema_at(schema_of(model), path[:-1]).get("required", ())
    if not is_required or value_at(args, path) != got or not fits(model, args, path, None):
        return told
    return hint.repair(field, got, None) if got.strip() else hint.ask(field, got, [None, *told.get("choices", ())])
