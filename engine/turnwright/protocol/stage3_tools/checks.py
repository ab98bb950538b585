"""Stage 3, checks 1 to 6: whether a tool may look at a call's arguments at all.

Source: docs/stages/3-tools.md, "Checks and reasons".
"""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from turnwright.model.call_shapes import Call, further_arguments
from turnwright.model.character import Character, CharacterState
from turnwright.model.fuzzy_match import misspelt, nearest
from turnwright.model.json_types import JsonObject
from turnwright.model.state.overlay import World
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.protocol.parts import Part, PartResult, TurnContext
from turnwright.protocol.stage2_settings import TurnPolicy
from turnwright.protocol.stage3_tools.normalize import snake
from turnwright.rulesets.tool import Tool
from turnwright.rulesets.toolbox import TOOLS, Toolbox

_CALL_KEYS: Sequence[tuple[str, type, str]] = (
    ("id", str, "a string"),
    ("tool", str, "a string"),
    ("args", dict, "an object"),
)


class Authorized(NamedTuple):
    """A call that passed checks 2 to 6.

    Attributes:
        tool: the called tool.
        actor: the acting character, where the tool acts.
    """

    tool: Tool[Any]
    actor: Character | None = None


def require_call(entry: Any, policy: TurnPolicy | None, max_depth: int, place: int = 1) -> None:
    """Check 1: the entry is a call.

    Args:
        entry: the entry.
        policy: the policy of the turn; None for no hints.
        max_depth: how deep arguments may nest, where they are a text.
        place: the number of the call in the turn, from 1, which makes suggested ids unique.
    """
    if not isinstance(entry, dict):
        raise CallFailed(Reason.INVALID_CALL, "a call is an object with id, tool and args")
    for key, kind, name in _CALL_KEYS:
        if key not in entry:
            raise CallFailed(Reason.INVALID_CALL, f"{key} is missing", _missing(key, entry, policy, max_depth, place))
        if not isinstance(entry[key], kind):
            detail = f"{key} must be {name}{_why_none(entry[key], max_depth) if key == 'args' else ''}"
            raise CallFailed(Reason.INVALID_CALL, detail, _of_another_kind(key, entry, policy, max_depth, place))
    if entry.get("reason") is not None and not isinstance(entry["reason"], str):
        raise CallFailed(Reason.INVALID_CALL, "reason must be a string or null", hint.remove("reason"))
    if len(entry) > len(_CALL_KEYS):
        _require_once(entry, max_depth)


def _require_once(entry: JsonObject, max_depth: int) -> None:
    """Reject arguments given in two places: the engine must not guess which were meant."""
    for path, further in further_arguments(entry):
        from turnwright.protocol.stage3_tools.repair.provider_formats import coerce_args  # only what fails needs it

        said, args = coerce_args(further, max_depth), entry["args"]
        if said == args:
            continue
        place = ".".join(path)
        told = hint.repair("args", args, said) if said is not None and not args else hint.ask(place, further)
        raise CallFailed(Reason.INVALID_CALL, f"arguments stand in {place}, beside those of the call", told)


def _id_of(place: int) -> str:
    """Return the id that a call gets which has none, as those in the form of an API do."""
    return f"call_{place:03d}"


def _missing(key: str, entry: JsonObject, policy: TurnPolicy | None, max_depth: int, place: int) -> "hint.Hint":
    """Return the hint for a missing key of a call: its value under other keys of the entry, if any."""
    from turnwright.protocol.stage3_tools.repair.provider_formats import (  # only what fails needs it
        find_args,
        find_tool_name,
    )

    if key == "id":
        return hint.supply(key, _id_of(place))
    if key == "args":
        meant = find_args(entry, max_depth)
        return hint.ask_for(key) if meant is None else hint.supply(key, meant)
    named = find_tool_name(entry)
    known = open_to(policy) if policy else []
    if named is None:
        return hint.ask_for(key, known)
    name = _match_tool(named, known)
    return hint.ask_for(key, nearest(named, known)) if name is None else hint.supply(key, name)


def _of_another_kind(key: str, entry: JsonObject, policy: TurnPolicy | None, max_depth: int, place: int) -> "hint.Hint":
    """Return the hint for a key of a call with a value of the wrong type: its one possible reading, if any."""
    from turnwright.protocol.stage3_tools.repair.provider_formats import coerce_args, find_args

    got = entry[key]
    if key == "id":
        return hint.repair(key, got, str(got) if type(got) in (int, float) else _id_of(place))
    if key == "args":
        meant = coerce_args(got, max_depth)
        if meant == {}:
            meant = find_args({name: entry[name] for name in entry if name != "args"}, max_depth)
        return hint.ask(key, got) if meant is None else hint.repair(key, got, meant)
    return hint.ask(key, got, open_to(policy) if policy else [])


def _why_none(args: Any, max_depth: int) -> str:
    """Return why the text of arguments is no object: as intake says it of a turn, where it is no JSON."""
    from turnwright.model.strict_json import JsonError, parse_json
    from turnwright.protocol.stage3_tools.repair.loose_json import read_loosely

    if not isinstance(args, str) or not args.strip():
        return ""
    read = read_loosely(args, max_depth)
    why = read.why
    if read.value is None:
        try:
            parse_json(args, max_depth=max_depth)
        except JsonError as error:
            why = str(error).removeprefix("not JSON: ")
    return f", not the text of one{f': {why}' if why else ''}"


def _match_tool(name: str, known: Sequence[str], tools: Toolbox = TOOLS) -> str | None:
    """Return the tool of these that a name is another spelling of, or an old name for."""
    plain = re.split(r"[.:/]", name.strip())[-1]
    tool = tool_called(plain, tools) or tool_called(snake(plain), tools)
    if tool is not None:
        return (plain if tool_called(plain, tools) else snake(plain)) if tool.name in known else None
    from turnwright.rulesets.aliases import ALIASES  # only what fails needs it

    return misspelt(plain, [*known, *(old for old, alias in ALIASES.items() if alias.tool in known)])


def check_call(part: Part, world: World, context: TurnContext, before: Sequence[PartResult]) -> Authorized:
    """Checks 1 to 6, in order; the first that fails decides. Returns the tool that may now look at its arguments."""
    call: Call = part.content
    require_call(call.entry, context.policy, context.max_args_depth, part.number)
    return _authorize(call.tool, call.args, world, context, before)


def _authorize(
    name: str, args: JsonObject, world: World, context: TurnContext, before: Sequence[PartResult] = ()
) -> Authorized:
    """Checks 2 to 6."""
    policy = context.policy
    allowlist, tools = policy.allowlist, policy.tools
    tool = tool_called(name, tools)
    if tool is None:
        _refuse_removed(name, policy)
    if tool is None or tool.name not in allowlist:
        repair = _another_tool(name, open_to(policy), tools)
        raise CallFailed(Reason.TOOL_NOT_ALLOWED, f"{name or 'a tool without a name'} is not allowed here", repair)
    if policy.is_player and tool.name not in policy.settings["players.tools"]:
        repair = hint.ask("tool", name, nearest(name, open_to(policy)))
        raise CallFailed(Reason.NOT_PERMITTED, f"{name} is not for players", repair)
    if policy.is_of_model and not tool.is_exact and policy.settings["dice.source"] != "table":
        from turnwright.protocol.stage3_tools.given_dice import refuse_given_dice

        refuse_given_dice(args)
    if tool.in_conversation:
        from turnwright.protocol.stage3_tools.conversation_parts import require_call

        require_call(tool.name, world, context, before)
    if not tool.acts:
        return Authorized(tool)
    _require_actor_context(args, policy, world)
    return Authorized(tool, _require_state(tool, args, world, policy))


def _another_tool(name: str, known: Sequence[str], tools: Toolbox) -> "hint.Hint":
    meant = _match_tool(name, known, tools)
    return hint.ask("tool", name, nearest(name, known)) if meant is None else hint.repair("tool", name, meant)


def _refuse_removed(name: str, policy: TurnPolicy) -> None:
    """Check 2, if tools of its ruleset are allowed: a removed tool names its replacement."""
    for each in policy.rulesets.rulesets:
        if name in each.removed and any(allowed in each.tools for allowed in policy.allowlist):
            use = each.removed[name]
            raise CallFailed(
                Reason.TOOL_REMOVED, f"{name} is no more: {use}", {"field": "tool", "got": name, "use": use}
            )


def tool_called(name: str, tools: Toolbox = TOOLS) -> Tool[Any] | None:
    """Return the tool of this name, or the one that an old name stands for now."""
    tool = tools.loaded.get(name) or tools.get(name)
    if tool is not None:
        return tool
    from turnwright.rulesets.aliases import ALIASES  # only what has no tool's own name needs it

    return tools.get(ALIASES[name].tool) if name in ALIASES else None


def open_to(policy: TurnPolicy) -> list[str]:
    """Return the tools that the caller may ask for."""
    players = policy.settings["players.tools"]
    return [name for name in policy.allowlist if name in policy.tools and (not policy.is_player or name in players)]


def is_callable_now(tool: Tool[Any], world: World, context: TurnContext) -> bool:
    """Return whether some call of a tool could get past checks 2 to 6 now."""
    acting_id = context.policy.acting_id
    tries: Sequence[dict[str, Any]] = ({}, {"target_character_id": acting_id, "delta": 1})
    for args in tries:
        try:
            _authorize(tool.name, args, world, context)
        except CallFailed:
            continue
        return True
    return False


def _require_actor_context(args: JsonObject, policy: TurnPolicy, world: World) -> None:
    """Check 5: under `reject`, an `actor_id` that is given names the acting character."""
    if policy.protocol.actor_context != "reject" or "actor_id" not in args:
        return
    named = args["actor_id"]
    name = named.strip() if isinstance(named, str) else ""
    if name and name == policy.acting_id:
        return
    from turnwright.rulesets.reference_lookup import replace_acting  # only what fails needs it

    repair = replace_acting(world, "args.actor_id", named, policy.acting_id, is_player=policy.is_player)
    if not name:
        raise CallFailed(Reason.INVALID_ARGS, "args.actor_id: must be a name", repair)
    raise CallFailed(Reason.ACTOR_CONTEXT_MISMATCH, f"{named} is not the acting character", repair)


def _require_state(tool: Tool[Any], args: JsonObject, world: World, policy: TurnPolicy) -> Character:
    """Check 6: there is an acting character with a known state, and it permits this call. Returns the character."""
    actor = world.character(policy.acting_id) if policy.acting_id else None
    if actor is None:
        raise CallFailed(Reason.INVALID_ACTOR_STATE, "there is no acting character")
    state = actor.state
    if state is None:
        stored = actor.character_state
        raise CallFailed(Reason.INVALID_ACTOR_STATE, f"{actor.id} is in a state that is none of the five: {stored!r}")
    if not is_permitted(tool, state, args, actor.id):
        raise CallFailed(
            Reason.ACTOR_STATE_RESTRICTED,
            f"{actor.id} is {state.value}",
            _way_out(tool, args, actor.id, state, world, is_player=policy.is_player),
        )
    return actor


def is_permitted(tool: Tool[Any], state: CharacterState, args: JsonObject, acting_id: str) -> bool:
    """Return whether the state of the acting character permits a call of a tool."""
    if tool.permits is None:
        return state is CharacterState.ALIVE
    return tool.permits(state, args, acting_id)


def _way_out(
    tool: Tool[Any], args: JsonObject, acting_id: str, state: CharacterState, world: World, *, is_player: bool
) -> "hint.Hint":
    """Return the argument to change: the target or the amount; nothing if no change helps."""
    changes: JsonObject = {"target_character_id": acting_id, "delta": 1}
    if not is_permitted(tool, state, {**args, **changes}, acting_id):
        return {}
    if "target_character_id" not in args:
        return hint.ask_for("args.target_character_id", [acting_id])
    if args["target_character_id"] == acting_id:
        return hint.ask("args.delta", args["delta"]) if "delta" in args else hint.ask_for("args.delta")
    from turnwright.rulesets.reference_lookup import replace_acting  # only what fails needs it

    name = "args.target_character_id"
    return replace_acting(world, name, args["target_character_id"], acting_id, is_player=is_player)
