"""Arguments against a tool's schema, and the hint that repairs the first thing wrong with them.

Source: docs/stages/3-tools.md, "Hints".
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, TypeVar

from pydantic import ValidationError

from turnwright.model import hint
from turnwright.model.base import Model
from turnwright.model.nearest import nearest, nearest_id, probable
from turnwright.model.reason import CallFailed, Reason
from turnwright.model.schema_path import Node, schema_at, schema_of, schemas_at
from turnwright.model.wording import Fault, faults_of, sentence
from turnwright.stages.plain_words import NUMERIC, is_yes, near, said
from turnwright.tools._base import Args, Legal
from turnwright.world.overlay import World

A = TypeVar("A", bound=Model)


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
    path = path_of(first, args)
    known = legal() or {}
    if first["type"] in ("extra_forbidden", "missing"):
        from turnwright.stages.stray_keys import require_no_stray  # only what fails needs it

        require_no_stray(model, path, args, known, where, world)
    field = ".".join([where, *map(str, path)])
    repair = _repair(model, path, field, first, args, known, world)
    raise CallFailed(Reason.INVALID_ARGS, f"{field}: {sentence(first)}", repair)


def _at_tag(fault: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a fault of one of several kinds of object as one of the key that says which kind it is."""
    told = fault.get("ctx", {})
    if fault["type"] == "union_tag_not_found":
        return {**fault, "type": "missing", "loc": (*fault["loc"], told["discriminator"].strip("'"))}
    if fault["type"] == "union_tag_invalid":
        place = (*fault["loc"], told["discriminator"].strip("'"))
        return {"type": "literal_error", "loc": place, "ctx": {"expected": told["expected_tags"]}}
    return fault


def path_of(fault: Mapping[str, Any], args: Mapping[str, Any]) -> tuple[str | int, ...]:
    """Return where a fault is, without the names of the types that a value might have had, which stand there, too."""
    value: Any = args
    path: list[str | int] = []
    for i, step in enumerate(fault["loc"], start=1):
        is_key = i == len(fault["loc"]) and fault["type"] in ("missing", "extra_forbidden")
        if is_key or (isinstance(value, Mapping) and step in value) or (isinstance(value, list) and type(step) is int):
            path.append(step)
            value = value_at(value, [step])
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
        known = [] if len(path) == 1 and path[-1] in model.model_fields else nearest(path[-1], keys_at(model, path), 3)
        return hint.remove(field) | ({"allowed": known} if known else {})
    got = value_at(args, path)
    if meant := fault.get("ctx", {}).get("meant"):
        return hint.replace(field, got, [meant])
    narrowed = legal.get(str(path[0]), ()) if path else ()
    if isinstance(narrowed, Mapping):
        wanted = schema_at(narrowed, path[1:])
        if "enum" in wanted:
            return hint.replace(field, got, _meant(wanted["enum"], got, called_by(model, path, got, world)))
        if isinstance(got, str) and "enum" in wanted.get("items", {}):
            some = _meant(wanted["items"]["enum"], got, called_by(model, path, got, world))
            return hint.replace(field, got, [[item] for item in some])
        candidates = fitting(wanted, got)
    else:
        candidates = _sorted_by_nearness(got, narrowed if len(path) == 1 else ())
    candidates = candidates or _fitting_at(model, path, got)
    if fault["type"] == "missing":
        return hint.add(field, candidates)
    return hint.replace(field, got, candidates)


def _meant(known: Sequence[str], got: Any, called: Collection[str]) -> list[str]:
    """Return the ids that what was given for one of a list may stand for; those of others would be somebody's harm."""
    if not isinstance(got, str) or not (called or probable(got, known)):
        return []
    return nearest_id(got, known, called)


def called_by(model: type[Model], path: Sequence[str | int], got: Any, world: World | None) -> Collection[str]:
    """Return the ids of what has the given text for a name, where an argument holds ids."""
    from turnwright.tools.candidates import called, kind_of  # only what fails needs it

    return called(world, kind_of(model, str(path[0])), got) if world else ()


def keys_at(model: type[Model], path: Sequence[str | int]) -> list[str]:
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
            known = [] if isinstance(narrowed, Mapping) else list(narrowed)
            allowed = known or [value for value in _fitting_at(type(args), [name], None) if value != []]
            raise CallFailed(Reason.INVALID_ARGS, detail, hint.add(f"{where}.{name}", allowed))


def _sorted_by_nearness(got: Any, candidates: Sequence[Any]) -> list[Any]:
    names = [name for name in candidates if isinstance(name, str)]
    return [*nearest(got, names), *(value for value in candidates if not isinstance(value, str))]


def value_at(value: Any, path: Sequence[str | int]) -> Any:
    """Return what stands at a place in a value; None where there is nothing."""
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
    meant = said_at(model, path, got)
    if meant and (is_part or repr(meant) != repr([got])):  # as it is it does not fit, whatever its schema says
        return meant
    wanted = schema_at(schema_of(model), path)
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


def said_at(model: type[Model], path: Sequence[str | int], got: Any) -> list[Any]:
    """Return what was meant by a value that does not fit a place, by the first kind of value that it tells."""
    kinds = schemas_at(schema_of(model), path) if got is not None else []
    told = (said(kind, got) or _with_text(model, path, kind, got) for kind in kinds)
    return next(filter(None, told), [])


def _with_text(model: type[Model], path: Sequence[str | int], wanted: Node, got: Any) -> list[Any]:
    """Return an object for a text in its place, where all that it needs is a text."""
    needed: Sequence[str] = wanted.get("required", []) if isinstance(got, str) and got.strip() else []
    if wanted.get("type") != "object" or len(needed) != 1:
        return []
    name = str(needed[0])
    inner = schema_at(schema_of(model), [*path, name])
    is_free = inner.get("type") == "string" and not inner.keys() & {"enum", "const", "format"}
    return [{name: got}] if is_free and not _is_id(model, [*path, name]) else []


def _is_made_up(wanted: Node, got: Any) -> bool:
    """Return whether nothing that was given is like what a place wants, and nothing is known that stands there."""
    if wanted.keys() & {"const", "examples"}:
        return False
    kind = wanted.get("type")
    return kind in NUMERIC or (kind == "string" and not ("enum" in wanted and isinstance(got, str)))


def _whole_at(model: type[Model], path: Sequence[str | int], wanted: Node, got: Any) -> list[Any]:
    """Return an object with no more keys than it needs; a list in its place is taken for its values in their order."""
    listed = dict(zip(wanted["properties"], got, strict=False)) if isinstance(got, list) else {}
    is_listed = listed.keys() >= set(wanted["required"])
    if "examples" in wanted and not is_listed:
        return [*wanted["examples"]]
    given = listed if is_listed else dict.fromkeys(wanted["required"])
    values = {name: _fitting_at(model, [*path, name], value, is_part=True)[:1] for name, value in given.items()}
    return [{name: value for name, (value,) in values.items()}] if all(values.values()) else []


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
    if meant := said(schema, got):
        return meant
    if "examples" in schema:
        return [*schema["examples"]]
    kind = schema.get("type")
    if kind in NUMERIC:
        return [near(schema, got)]
    if kind == "string":
        return [str(got)[:200] if isinstance(got, (int, float)) and not isinstance(got, bool) else "unspecified"]
    if kind == "boolean":
        return [is_yes(got)]
    if kind == "object":
        return [] if "required" in schema or isinstance(got, Mapping) else [{}]
    return [[]] if kind == "array" else []
