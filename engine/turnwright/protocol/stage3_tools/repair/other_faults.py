"""Find further faults of a call that its tool rejected (check 8), if they are independent of the first one.

A tool raises the first fault it meets. If that fault has a repair, the repaired call runs on a copy of the campaign,
and its next failure is reported too. If it is a question, ids and names in other arguments are looked up.
Source: docs/stages/3-tools.md, "Hints".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from turnwright.model.base import Model
from turnwright.model.dice.draws import DiceNeeded
from turnwright.model.errors import BadRequest
from turnwright.model.json_types import JsonObject
from turnwright.model.state.overlay import World
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason, together
from turnwright.protocol.stage3_tools.repair.key_matcher import twin_of
from turnwright.protocol.stage3_tools.repair.same_value import value_at, with_value
from turnwright.rulesets.in_use import tables_of
from turnwright.rulesets.reference_lookup import (
    CANDIDATES,
    MAX_COUNT,
    PEOPLE,
    called,
    kind_of,
    people_called,
    replace_person,
)
from turnwright.rulesets.tool import Context

_MAX_TRIES = 5
"""Maximum number of trials of a repaired call."""
Args = Mapping[str, Any]


def with_other_faults(
    failure: CallFailed,
    model: type[Model],
    args: JsonObject,
    world: World,
    ctx: Context,
    run: Callable[[World, JsonObject], object],
) -> CallFailed:
    """Return a failure of check 8 with the other faults of the call that can be seen.

    Args:
        failure: as the tool raised it.
        model: the model of the arguments.
        args: the arguments, with canonical keys.
        world: the state that the call ran on; it is not changed.
        ctx: the tool's context; dice draws of a trial are reverted.
        run: runs the call on a world with other arguments.
    """
    if world.touched or not failure.hints:
        return failure  # what was changed before it failed cannot be told apart
    found = [failure]
    mark = ctx.dice.mark()
    for _ in range(_MAX_TRIES):
        repaired = _repaired(args, found[-1].hints)
        if repaired is None:
            break
        try:
            run(World(world), repaired)
        except (CallFailed, BadRequest) as more:
            args = repaired
            if not isinstance(more, CallFailed) or not (fresh := _but(more, found)).hints:
                break
            found.append(fresh)
        except DiceNeeded:
            break  # tools draw dice only after all checks pass
        else:
            break
        finally:
            ctx.dice.back_to(mark)
    for one in () if ctx.only_known else _unknown(model, args, world):  # a missing fault would reveal who exists
        if (fresh := _but(one, found)).hints:
            found.append(fresh)
    return together(found) if len(found) > 1 else failure


def _repaired(args: JsonObject, hints: Sequence[hint.Hint]) -> JsonObject | None:
    """Return the arguments after all of some repairs; None where one is a question, or moves what others speak of."""
    for each in hints:
        path = _path(each)
        if not path or not (each.get("allowed") or each.get("remove")):
            return None
        around = value_at(args, path[:-1])
        if each.get("remove"):
            if not isinstance(around, Mapping):
                return None
            left = {key: value for key, value in around.items() if key != path[-1]}
            args = with_value(args, path[:-1], left)
        elif isinstance(around, Mapping) or (isinstance(around, list) and path[-1] in range(len(around))):
            args = with_value(args, path, each["allowed"][0])
        else:
            return None
    return args if hints else None


def _path(each: hint.Hint) -> list[str | int]:
    """Return the place of a fault in the arguments; empty where it has none."""
    head, _, rest = str(each.get("field", "")).partition(".")
    return [int(step) if step.isdecimal() else step for step in rest.split(".")] if head == "args" and rest else []


def _but(failure: CallFailed, found: Sequence[CallFailed]) -> CallFailed:
    """Return a failure without faults already reported for the same argument, or for one of the same meaning."""
    told = {str(key) for one in found for each in one.hints for key in _path(each)[:1]}
    told |= {twin for key in told if (twin := twin_of(key)) is not None}
    items = {str(each.get("field")) for one in found for each in one.hints}

    def is_told(each: hint.Hint) -> bool:
        path, field = _path(each), str(each.get("field"))
        return not path or field in items or (len(path) == 1 and path[0] in told)

    return failure.replace(hints=[each for each in failure.hints if not is_told(each)])


def _unknown(model: type[Model], args: JsonObject, world: World) -> Iterator[CallFailed]:
    """Yield the faults of arguments that name what is not there."""
    for name, value in args.items():
        kind = kind_of(model, name)
        listed = value if isinstance(value, list) else [value]
        for i, each in enumerate(listed):
            if isinstance(each, str):
                field = f"args.{name}.{i}" if isinstance(value, list) else f"args.{name}"
                told = _unknown_id(world, kind, field, each) if kind else _unknown_name(world, model, name, each)
                if told is not None:
                    yield told


def _unknown_id(world: World, kind: str, field: str, got: str) -> CallFailed | None:
    if kind == "location":
        try:
            tables_of(world.campaign).actors.require_place(world, got, field.removeprefix("args."))
        except CallFailed as failure:
            return failure
        return None
    known = CANDIDATES[kind](world)
    is_named = kind == "combatant" and bool(called(world, kind, got))
    if kind == "quest" or got in known or is_named or len(known) >= MAX_COUNT:
        return None
    if kind in PEOPLE:
        told = None if world.character(got) and kind != "combatant" else replace_person(world, field, got, known)
    else:
        told = hint.identifier(field, got, known, called(world, kind, got))
    return CallFailed(Reason.NOT_FOUND, f"there is no {kind} {got}", told) if told else None


def _unknown_name(world: World, model: type[Model], name: str, got: str) -> CallFailed | None:
    """Return the fault of a person's name that no character has."""
    kind = kind_of(model, twin_of(name) or "") if name.endswith("_name") else None
    if kind not in PEOPLE or people_called(world, got):
        return None
    people = (world.character(each) for each in CANDIDATES[kind](world))
    labels = [person.label for person in people if person]
    return CallFailed(Reason.NOT_FOUND, f"nobody is called {got}", hint.name(f"args.{name}", got, labels))
