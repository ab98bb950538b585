"""Arguments as they were written, made canonical: camelCase, words spelled loosely.

Works on plain JSON before the checks of a tool's model, so that whatever does not read is left for these to refuse.
Source: docs/toolkit.md, "Spelling".
"""

import re
from collections import abc
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from types import MappingProxyType, NoneType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args, get_origin

from pydantic import BaseModel

from turnwright.model.fuzzy_match import number_in, says_nothing
from turnwright.model.fuzzy_words import AmbiguousWord, Match, UnknownWord, match, match_in
from turnwright.model.json_types import JsonObject
from turnwright.model.lazy import model_behind
from turnwright.model.vocabulary import Word
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.references import AnyCase, Choice

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import Correction

Corrections = list["Correction"]
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def snake(name: str) -> str:
    """Return a key in snake_case; a run of capitals is one word."""
    return _HUMP.sub("_", name).lower() if any(letter.isupper() for letter in name) else name


def snake_keys(args: JsonObject) -> JsonObject:
    """Return arguments under their names in snake_case."""
    return {snake(key): value for key, value in args.items()}


class NormalizedArgs(NamedTuple):
    """Normalized arguments.

    Attributes:
        args: with canonical keys and words; unreadable values stay as written.
        corrections: the corrected words.
        faults: `invalid_args` for a key given in both spellings or an unknown word; `ambiguous` for a word with two
            possible meanings.
    """

    args: JsonObject
    corrections: Corrections
    faults: list[CallFailed]


def read_spelling(model: type[BaseModel], args: JsonObject, where: str = "args") -> NormalizedArgs:
    """Return arguments with canonical keys and words, which words were corrected, and which could not be."""
    read = NormalizedArgs({}, [], [])
    return read._replace(args=_record(_shape_of(model), args, where, read, getattr(model, "also", {})))


def normalize_args(model: type[BaseModel], args: JsonObject, where: str = "args") -> tuple[JsonObject, Corrections]:
    """Return arguments with canonical keys and words, and which words were corrected.

    Raises:
        CallFailed: the first fault that `read_spelling` tells.
    """
    read = read_spelling(model, args, where)
    if read.faults:
        raise read.faults[0]
    return read.args, read.corrections


def means(model: type[BaseModel], key: str, value: Any, word: Any) -> bool:
    """Return whether a value is a word, however it is spelled."""
    read = NormalizedArgs({}, [], [])
    return bool(_place(_shape_of(model)[key], value, key, read) == word) and not read.faults


def with_original_keys(
    failure: CallFailed, args: JsonObject, where: str = "args", names: Mapping[str, str] = MappingProxyType({})
) -> CallFailed:
    """Return a failure whose hints name keys as they were written, so that a program finds them in the call.

    Args:
        failure: as checks and tools raise it, with canonical keys.
        args: the arguments as they came.
        where: their path; tools do not know it, and use `args`.
        names: aliases of arguments, with their canonical names.
    """
    told = failure.detail
    field = failure.hint.get("field")
    if field is not None and told.startswith(f"{field}:"):
        told = f"{_original_path(field, args, where, names)}:{told.removeprefix(f'{field}:')}"
    hints = [each.copy() for each in failure.hints]
    for each in hints:
        if "field" in each:
            each["field"] = _original_path(each["field"], args, where, names)
    return failure.replace(detail=told, hints=hints)


def _original_path(field: str, args: JsonObject, where: str, names: Mapping[str, str]) -> str:
    """Return the path of a field with its keys as they were written."""
    stem = where if field.startswith(f"{where}.") else "args"
    if not field.startswith(f"{stem}."):
        return field
    place = field.removeprefix(f"{stem}.")
    part = next((key for key in args if names.get(snake(key)) == place), None) if "." in place else None
    return ".".join([stem, part] if part else [stem, *_original_steps(place.split("."), args, names)])


def _original_steps(path: Sequence[str], value: Any, names: Mapping[str, str]) -> Iterator[str]:
    """Yield the steps of a path as they were written; from where there is nothing, as they are."""
    for step in path:
        key: Any = step
        if isinstance(value, Mapping) and step not in value:
            plain = ((each, snake(each)) for each in value if isinstance(each, str))
            key = next((each for each, name in plain if names.get(name, name) == step), step)
        elif isinstance(value, list) and step.isdecimal():
            key = int(step)
        yield str(key)
        is_there = key in value if isinstance(value, Mapping) else isinstance(value, list) and key in range(len(value))
        value = value[key] if is_there else None
        names = {}


class _Shape(NamedTuple):
    """What can stand at one place: a record, a list, one of some words; several of them where a type allows it."""

    fields: Mapping[str, "_Shape"] | None = None
    items: "_Shape | None" = None
    words: tuple[str, ...] = ()
    mark: Word | Choice | AnyCase | None = None


_ANYTHING = _Shape()


@cache
def _shape_of(model: type[BaseModel]) -> Mapping[str, _Shape]:
    return {
        field.alias or name: _merge_shapes([_shape(field.annotation), *_shapes_of(field.annotation, field.metadata)])
        for name, field in model.model_fields.items()
    }


def _shape(kind: Any) -> _Shape:
    model = model_behind(kind)
    if model is not None:
        return _Shape(fields=_shape_of(model))
    if hasattr(kind, "__metadata__"):
        return _merge_shapes([_shape(kind.__origin__), *_shapes_of(kind.__origin__, kind.__metadata__)])
    if get_origin(kind) is tuple:
        return _Shape(items=_shape(get_args(kind)[0]))
    if get_origin(kind) in (Literal, dict, abc.Mapping):
        return _ANYTHING  # the keys of a free map are its author's
    return _merge_shapes([_shape(branch) for branch in get_args(kind) if branch is not NoneType])


def _shapes_of(kind: Any, marks: Sequence[Any]) -> list[_Shape]:
    return [_Shape(words=get_args(kind), mark=mark) for mark in marks if isinstance(mark, (Word, Choice, AnyCase))]


def _merge_shapes(shapes: Sequence[_Shape]) -> _Shape:
    """Return what may stand at a place that several types allow."""
    merged = _ANYTHING
    for shape in shapes:
        merged = _Shape(
            {**shape.fields, **(merged.fields or {})} if shape.fields else merged.fields,
            merged.items or shape.items,
            merged.words or shape.words,
            merged.mark or shape.mark,
        )
    return merged


def _place(shape: _Shape, value: Any, where: str, read: NormalizedArgs) -> Any:
    if isinstance(value, str) and shape.mark is not None:
        return _word(shape, value, where, read)
    if isinstance(value, Mapping) and shape.fields is not None:
        return _record(shape.fields, value, where, read)
    if isinstance(value, list) and shape.items is not None:
        return [_place(shape.items, item, f"{where}.{i}", read) for i, item in enumerate(value)]
    return value


def _record(
    fields: Mapping[str, _Shape],
    value: JsonObject,
    where: str,
    read: NormalizedArgs,
    also: Mapping[str, str] = MappingProxyType({}),
) -> JsonObject:
    record: dict[str, Any] = {}
    given_as: dict[str, str] = {}
    for key, item in value.items():
        name = key if key in fields else _known(also.get(snake(key), snake(key)), key, fields)
        if name in record:
            # The other hints name keys as they should be, so that is the one which may have been added for a repair.
            other = given_as[name] if key == name else key
            field = f"{where}.{other}"
            is_same = value[given_as[name]] == item
            told = hint.remove(field) if is_same else hint.ask(field, value[other])
            read.faults.append(CallFailed(Reason.INVALID_ARGS, f"{field}: is {name} again", told))
            continue
        given_as[name] = key
        record[name] = _place(fields.get(name, _ANYTHING), item, f"{where}.{name}", read)
    return record


def _known(name: str, given: str, fields: Mapping[str, _Shape]) -> str:
    return name if name in fields else given


def _match(shape: _Shape, text: str) -> Match:
    if isinstance(shape.mark, Word):
        return match(shape.mark.category, text, among=shape.words)
    return match_in(shape.words, text, synonyms=shape.mark.synonyms if shape.mark else {})


def _is_word(shape: _Shape, text: str) -> bool:
    try:
        return _match(shape, text).how in (None, "case", "alias")
    except (UnknownWord, AmbiguousWord):
        return False


def _word(shape: _Shape, text: str, where: str, read: NormalizedArgs) -> str:
    if isinstance(shape.mark, AnyCase):
        return text.lower() if text.lower() in shape.words else text
    if says_nothing(text) and not _is_word(shape, text):
        return text  # left for the checks, which know whether there may be nothing
    try:
        found = _match(shape, text)
    except UnknownWord as unknown:
        if number_in(text) is not None:
            return text  # meant for a number, perhaps, which may stand here beside the words
        repair = hint.name(where, text, unknown.nearest)
        read.faults.append(CallFailed(Reason.INVALID_ARGS, f"{where}: {text!r} is none of the words", repair))
        return text
    except AmbiguousWord as several:
        repair = hint.ask(where, text, several.candidates)
        told = " or ".join(several.candidates)
        read.faults.append(CallFailed(Reason.AMBIGUOUS, f"{where}: {text!r} could be {told}", repair))
        return text
    if found.how is not None:
        read.corrections.append({"field": where, "from": text, "to": found.word, "how": found.how})
    return found.word
