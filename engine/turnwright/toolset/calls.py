"""Convert calls made from a tool list: calls through `call_tool`, whole turns, names in place of ids.

A door turns each into calls of the engine, which checks them as it does all others: nothing here permits anything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from turnwright.model.call_shapes import understood_calls
from turnwright.model.json_types import JsonObject
from turnwright.model.settings import Settings
from turnwright.model.state.overlay import World
from turnwright.model.strict_json import JsonError, parse_json
from turnwright.protocol.stage0_prepare.prepare import as_party_knows, legal_tools
from turnwright.protocol.stage3_tools.checks import tool_called
from turnwright.rulesets.tool import Args, Legal
from turnwright.rulesets.toolbox import tools_of
from turnwright.toolset.role import GAME_MASTER, Role

if TYPE_CHECKING:
    from turnwright.model.json_types import JsonObject, JsonValue

_NAMES_OF_NAME = ("name", "tool", "tool_name")
_NAMES_OF_ARGUMENTS = ("arguments", "args", "input", "parameters")
_CALL_TOOL = "call_tool"
_MAX_NESTED = 4


class NamedCall(NamedTuple):
    """A tool and its arguments, as a model called it."""

    tool: str
    args: Any


def call_of(name: str, args: Any) -> NamedCall:
    """Return the call that a model means, taken out of `call_tool` where it is in one.

    Arguments that name no tool are returned as they are, under `call_tool`: the engine says then that there is no such
    tool.

    Args:
        name: the tool that was called.
        args: its arguments, as an object or as the text of one.
    """
    for _ in range(_MAX_NESTED):
        if name != _CALL_TOOL:
            break
        inner = _object(args)
        named = next((told for key in _NAMES_OF_NAME if isinstance(told := inner.get(key), str)), None)
        if named is None:
            break
        name, args = named, next((inner[key] for key in _NAMES_OF_ARGUMENTS if key in inner), {})
    return NamedCall(name, args)


def turn_of(args: JsonObject) -> dict[str, JsonValue]:
    """Return the turn that the arguments of `submit_turn` hand in: `narration` is its `assistant_text`."""
    turn = {key: value for key, value in args.items() if key != "narration"}
    if "narration" in args:
        turn.setdefault("assistant_text", args["narration"])
    calls = turn.get("tool_calls")
    if isinstance(calls, list):
        turn["tool_calls"] = [_plain_call(call, place) for place, call in enumerate(calls, start=1)]
    return turn


def completed_turn(
    world: World, turn: JsonObject, role: Role = GAME_MASTER, *, settings: Settings | None = None
) -> dict[str, JsonValue]:
    """Return a turn whose calls came from a short list as the engine takes it; calls in other shapes are ours then.

    Each call is completed by what holds before the turn; see `completed_args`.
    """
    calls = turn.get("tool_calls")
    if not isinstance(calls, list):
        return dict(turn)
    understood = [_plain_call(call, place) for place, call in enumerate(understood_calls(calls), start=1)]
    whole = [_completed_call(world, call, role, settings) for call in understood]
    return {**turn, "tool_calls": whole}


def _completed_call(world: World, call: Any, role: Role, settings: Settings | None) -> Any:
    if not isinstance(call, Mapping) or not isinstance(call.get("tool"), str):
        return call
    return {**call, "args": completed_args(world, call["tool"], call.get("args", {}), role, settings=settings)}


def _plain_call(call: Any, place: int) -> Any:
    """Return a call of a turn, out of its `call_tool`, and with an id where it has none."""
    if not isinstance(call, Mapping):
        return call
    name = call.get("tool")
    if not isinstance(name, str):
        return call
    meant = call_of(name, call.get("args", {}))
    return {"id": f"call_{place:03d}", **call, "tool": meant.tool, "args": meant.args}


def completed_args(
    world: World,
    name: str,
    args: Any,
    role: Role = GAME_MASTER,
    *,
    settings: Settings | None = None,
    has_names: bool = True,
) -> Any:
    """Return the arguments of a call with ids where it has names, and with those that can be one thing only.

    The short lists leave such arguments out: who moves, where from, which of the fights when there is one. An argument
    that is given is changed only where it is the name of one thing that the role knows of, and is the id of nothing.

    Args:
        world: the campaign.
        name: the tool.
        args: its arguments; returned as they are where they are no object.
        role: who calls.
        settings: the settings in force; default: the campaign's own.
        has_names: whether names become ids, too.
    """
    tool = tool_called(name, tools_of(world.campaign))
    if tool is None or not isinstance(args, Mapping):
        return args
    policy = role.policy(world, settings)
    found = next(iter(legal_tools(world, policy, (tool.name,))), None)
    if found is None:
        return args
    if not has_names:
        return {**_only_values(tool.args_for(policy.protocol), found[1], args), **args} if "batch" not in args else args
    seen = as_party_knows(world) if policy.is_player else world
    model, legal = tool.args_for(policy.protocol), found[1]
    if isinstance(args.get("batch"), list):
        items = [_completed(seen, model, item, legal, {}) for item in args["batch"]]
        return {**args, "batch": items} | _only_values(model, legal, args, tool.shared)
    return _completed(seen, model, args, legal, _only_values(model, legal, args))


def _completed(world: World, model: type[Args], args: Any, legal: Legal, only: JsonObject) -> Any:
    if not isinstance(args, Mapping):
        return args
    return {**only, **{key: _with_id(world, model, key, value, legal.get(key)) for key, value in args.items()}}


def _only_values(
    model: type[Args], legal: Legal, args: JsonObject, among: Sequence[str] | None = None
) -> dict[str, JsonValue]:
    """Return the required arguments that were not given and can be one value only."""
    found = {}
    for name, field in model.model_fields.items():
        key = field.alias or name
        values = legal.get(key)
        is_asked_for = field.is_required() and (among is None or key in among)
        if is_asked_for and key not in args and isinstance(values, list) and len(values) == 1:
            found[key] = values[0]
    return found


def _with_id(world: World, model: type[Args], key: str, value: Any, values: object) -> Any:
    """Return the id of what a value names where that is one of the legal ones; a misspelled name stays as it is."""
    from turnwright.rulesets.reference_lookup import areas_called, called, kind_of

    if not isinstance(value, str) or not isinstance(values, list) or value in values:
        return value
    kind = kind_of(model, key)
    if kind is None and key.endswith("area_id"):
        found = [area_id for area_id in values if area_id in areas_called(world, value)]
        return found[0] if len(found) == 1 else value
    if kind is None and not key.endswith("character_id"):
        return value
    bearers = called(world, kind or "character", value)
    ids = [identifier for identifier in values if identifier in bearers]
    return ids[0] if len({bearers[identifier] for identifier in ids}) == 1 else value


def _object(args: Any) -> JsonObject:
    """Return arguments as an object, also where they are the text of one; anything else is empty."""
    if isinstance(args, str):
        with suppress(JsonError):
            args = parse_json(args)
    return args if isinstance(args, Mapping) else {}
