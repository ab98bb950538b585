"""Check the arguments of a tool with several operations against the chosen operation.

Each step reads the table on the model of the arguments (`rulesets/tool.py`): arguments about other creatures, misplaced
values, schema faults, missing arguments, and arguments that the operation ignores. Source: docs/stages/3-tools.md,
"Hints".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from turnwright.model.json_types import JsonObject
from turnwright.model.state.overlay import World
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason, together
from turnwright.protocol.stage3_tools.arguments import choices_for, parse_args
from turnwright.protocol.stage3_tools.repair.same_value import holds_nothing, name_in
from turnwright.rulesets.tool import Args, Legal

A = TypeVar("A", bound=Args)


def parse_operation(
    model: type[A],
    args: JsonObject,
    legal: Callable[[], Legal | None],
    where: str = "args",
    world: World | None = None,
    before: Sequence[CallFailed] = (),
) -> A:
    """Return the typed arguments of a call; all of them must belong to the operation that they choose.

    Args:
        model: their model.
        args: the arguments, with canonical keys where known.
        legal: the legal values, for hints.
        where: their name in error messages.
        world: the campaign, in which hints look up names.
        before: faults already known.

    Raises:
        CallFailed: `invalid_args`, or the reason of the first fault known before, with all faults that one check sees.
    """
    _require_one_creature(model, args, where)
    kept, misplaced = _without_misplaced(model, args, where)
    parsed = parse_args(model, kept, legal, where, world, [*before, *misplaced])
    if wrong := [*_missing(parsed, where, legal), *_unused(parsed, where)]:
        raise together(wrong)
    return parsed


def _require_one_creature(model: type[Args], args: JsonObject, where: str) -> None:
    """Check that no key names a second creature when the chosen operation takes only one.

    Removing or renaming such a key would change the action. So this check runs before any repair.
    """
    operation = args.get(model.operation_key)
    if not model.handed_by or not isinstance(operation, str) or operation not in model.handed_by:
        return
    from turnwright.protocol.stage3_tools.repair.key_matcher import is_of_person

    other, words = model.handed_by[operation]
    told = (key for key, value in args.items() if is_of_person(key, words) and not holds_nothing(value))
    if (key := next(told, None)) is not None:
        detail = f"{where}.{key}: {operation} is about one character alone; {other} hands something to somebody else"
        raise CallFailed(Reason.INVALID_ARGS, detail, hint.ask(f"{where}.{model.operation_key}", operation, [other]))


def _without_misplaced(model: type[Args], args: JsonObject, where: str) -> tuple[JsonObject, list[CallFailed]]:
    """Return arguments without names under an argument of other operations, and their faults.

    Each belongs under the one that the chosen operation is told it by, where that is absent.
    """
    operation = args.get(model.operation_key)
    meant = model.meant_by.get(operation, {}) if isinstance(operation, str) else {}
    found = {key: name_in(args[key], key) for key, name in meant.items() if key in args and name not in args}
    faults = [
        CallFailed(
            Reason.INVALID_ARGS,
            f"{where}.{key}: does nothing for {operation}; that wants {meant[key]}",
            hint.supply(f"{where}.{meant[key]}", name),
            (hint.remove(f"{where}.{key}"),),
        )
        for key, name in found.items()
        if name is not None
    ]
    return {key: value for key, value in args.items() if found.get(key) is None}, faults


def _missing(args: Args, where: str, legal: Callable[[], Legal | None]) -> list[CallFailed]:
    """Return the faults for missing arguments of the chosen operation.

    For an argument given by id or name the tool asks itself, because it knows the nearest candidates.
    """
    operation = getattr(args, args.operation_key) if args.needs else ""
    missing = [
        name
        for name in args.needs.get(operation, ())
        if getattr(args, name) is None
        and getattr(args, args.instead.get(name, name)) is None
        and not (name.endswith("_id") and name in args.instead)
    ]
    known = (legal() or {}) if missing else {}
    return [
        CallFailed(
            Reason.INVALID_ARGS,
            f"{where}.{name}: is required for {operation}",
            hint.ask_for(f"{where}.{name}", choices_for(type(args), name, known)),
        )
        for name in missing
    ]


def _unused(args: Args, where: str) -> list[CallFailed]:
    """Return the faults of what the chosen operation does nothing with; another one may be meant."""
    key = args.operation_key
    operation = getattr(args, key, None)
    unused = args.unused({name: getattr(args, name) for name in args.model_fields_set} | {key: operation})
    told = [name for name in unused if getattr(args, name) != type(args).model_fields[name].default]
    return [_for_others(args, name, operation, where) for name in told]


def _for_others(args: Args, name: str, operation: object, where: str) -> CallFailed:
    others, field = args.only_for[name], f"{where}.{args.operation_key}"
    about = f"{where}.{name}: is for {' or '.join(others)}"
    if operation is None:
        detail = f"{about}, and does nothing without {args.operation_key}"
        return CallFailed(Reason.INVALID_ARGS, detail, hint.ask_for(field, others))
    is_default = args.operation_key not in args.model_fields_set
    told = hint.ask_for(field, others) if is_default else hint.ask(field, operation, others)
    return CallFailed(Reason.INVALID_ARGS, f"{about}, and does nothing for {operation}", told)
