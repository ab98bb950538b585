"""Stage 3, checks 1 to 6: whether a tool may look at a call's arguments at all.

Source: docs/stages/3-tools.md, "Checks and reasons".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from turnwright.model import hint
from turnwright.model.character import CharacterState
from turnwright.model.nearest import nearest, nearest_int
from turnwright.model.reason import CallFailed, Reason
from turnwright.model.strict_json import MAX_INT
from turnwright.stages.parts import Bench, Outcome
from turnwright.stages.settings import InForce
from turnwright.tools._base import Tool
from turnwright.tools.registry import TOOLS
from turnwright.world.overlay import World

_CALL_KEYS: Sequence[tuple[str, type, str]] = (
    ("id", str, "a string"),
    ("tool", str, "a string"),
    ("args", dict, "an object"),
)


def require_call(entry: Any, tools: Callable[[], list[str]], max_depth: int) -> None:
    """Check 1: the entry, as it was understood, is a call at all.

    Args:
        entry: the entry.
        tools: gives the tools that there are for whoever calls.
        max_depth: how deep arguments may nest, where they are a text.
    """
    if not isinstance(entry, dict):
        raise CallFailed(Reason.INVALID_CALL, "a call is an object with id, tool and args")
    for key, kind, name in _CALL_KEYS:
        if key not in entry:
            repair = hint.add(key, _allowed(key, entry, tools, max_depth))
            raise CallFailed(Reason.INVALID_CALL, f"{key} is missing", repair)
        if key == "args" and isinstance(entry[key], str):
            from turnwright.stages.foreign_calls import text_in_place_of_args

            raise text_in_place_of_args(entry[key], max_depth)
        if not isinstance(entry[key], kind):
            repair = hint.replace(key, entry[key], _allowed(key, entry, tools, max_depth))
            raise CallFailed(Reason.INVALID_CALL, f"{key} must be {name}", repair)
    if entry.get("reason") is not None and not isinstance(entry["reason"], str):
        raise CallFailed(Reason.INVALID_CALL, "reason must be a string or null", hint.remove("reason"))


def _allowed(key: str, entry: Mapping[str, Any], tools: Callable[[], list[str]], max_depth: int) -> list[Any]:
    """Return what could stand in a key of a call: what the entry means by other keys, where it does."""
    from turnwright.stages.foreign_calls import args_meant, tool_meant  # only what fails needs it

    if key == "id":
        return ["call"]
    if key == "args":
        return [args_meant(entry, max_depth) or {}]
    allowed, meant = tools(), tool_meant(entry)
    if meant is None:
        return allowed
    tool = tool_called(meant)
    return [meant] if tool and tool.name in allowed else nearest(meant, allowed)


def gate(name: str, args: Mapping[str, Any], world: World, bench: Bench, before: Sequence[Outcome] = ()) -> Tool[Any]:
    """Checks 2 to 6, in order; the first that fails decides. Returns the tool that may now look at its arguments."""
    force = bench.force
    allowlist = world.campaign.allowlist
    tool = tool_called(name)
    if tool is None:
        _refuse_removed(name, allowlist)
    if tool is None or tool.name not in allowlist:
        repair = hint.replace_name("tool", name, open_to(force, allowlist))
        raise CallFailed(Reason.TOOL_NOT_ALLOWED, f"{name or 'a tool without a name'} is not allowed here", repair)
    if force.is_player and tool.name not in force.settings["players.tools"]:
        repair = hint.replace_name("tool", name, open_to(force, allowlist))
        raise CallFailed(Reason.NOT_PERMITTED, f"{name} is not for players", repair)
    if force.is_of_model and tool.family == "toolkit":
        from turnwright.stages.given_dice import refuse_given_dice

        refuse_given_dice(args)
    if tool.family == "scenes":
        from turnwright.stages.scene_parts import require_scene_call

        require_scene_call(tool.name, world, bench, before)
    if tool.family == "core":
        _require_actor_context(args, force, world)
        _require_state(tool, args, world, force)
    return tool


def _refuse_removed(name: str, allowlist: Sequence[str]) -> None:
    """Check 2, where scene tools are allowed: a tool that is no more says what does its work now."""
    if any(TOOLS.folders.get(allowed) == "scenes" for allowed in allowlist):
        from turnwright.scenes.moods import REMOVED_TOOLS

        if name in REMOVED_TOOLS:
            use = REMOVED_TOOLS[name]
            raise CallFailed(
                Reason.TOOL_REMOVED, f"{name} is no more: {use}", {"field": "tool", "got": name, "use": use}
            )


def tool_called(name: str) -> Tool[Any] | None:
    """Return the tool of this name, or the one that an old name stands for now."""
    if name in TOOLS:
        return TOOLS[name]
    from turnwright.tools.aliases import ALIASES

    return TOOLS[ALIASES[name].tool] if name in ALIASES else None


def open_to(force: InForce, allowlist: Sequence[str]) -> list[str]:
    """Return the tools that whoever came through this door may ask for."""
    players = force.settings["players.tools"]
    return [name for name in allowlist if name in TOOLS and (not force.is_player or name in players)]


def gate_open(tool: Tool[Any], world: World, bench: Bench) -> bool:
    """Return whether some call of a tool could get past checks 2 to 6 now."""
    acting_id = bench.force.acting_id
    tries: Sequence[dict[str, Any]] = ({}, {"target_character_id": acting_id, "delta": 1})
    for args in tries:
        try:
            gate(tool.name, args, world, bench)
        except CallFailed:
            continue
        return True
    return False


def _require_actor_context(args: Mapping[str, Any], force: InForce, world: World) -> None:
    """Check 5: under `reject`, an `actor_id` that is given names the acting character."""
    if force.protocol.actor_context != "reject" or "actor_id" not in args:
        return
    named = args["actor_id"]
    is_name = isinstance(named, str) and bool(named.strip())
    if is_name and named.strip() == force.acting_id:
        return
    from turnwright.tools.candidates import replace_acting  # only what fails needs it

    repair = replace_acting(world, "args.actor_id", named, force.acting_id, is_player=force.is_player)
    if not is_name:
        raise CallFailed(Reason.INVALID_ARGS, "args.actor_id: must be a name", repair)
    raise CallFailed(Reason.ACTOR_CONTEXT_MISMATCH, f"{named} is not the acting character", repair)


def _require_state(tool: Tool[Any], args: Mapping[str, Any], world: World, force: InForce) -> None:
    """Check 6: there is an acting character with a known state, and it permits this call."""
    actor = world.character(force.acting_id) if force.acting_id else None
    if actor is None:
        raise CallFailed(Reason.INVALID_ACTOR_STATE, "there is no acting character")
    if actor.state is None:
        stored = actor.character_state
        raise CallFailed(Reason.INVALID_ACTOR_STATE, f"{actor.id} is in a state that is none of the five: {stored!r}")
    if not tool.permits(actor.state, args, actor.id):
        raise CallFailed(
            Reason.ACTOR_STATE_RESTRICTED,
            f"{actor.id} is {actor.state.value}",
            _way_out(tool, args, actor.id, actor.state, world, is_player=force.is_player),
        )


def _way_out(
    tool: Tool[Any], args: Mapping[str, Any], acting_id: str, state: CharacterState, world: World, *, is_player: bool
) -> dict[str, Any]:
    """Return the first change towards a call that this state permits, or nothing where no change helps."""
    # Nearest value first: a wound is not turned into a cure of the same size.
    changes = {"target_character_id": acting_id, "delta": nearest_int(args.get("delta"), 1, MAX_INT)}
    if not tool.permits(state, {**args, **changes}, acting_id):
        return {}
    name, value = next((n, v) for n, v in changes.items() if (type(args.get(n)), args.get(n)) != (type(v), v))
    if name not in args:
        return hint.add(f"args.{name}", [value])
    if value != acting_id:
        return hint.replace(f"args.{name}", args[name], [value])
    from turnwright.tools.candidates import replace_acting  # only what fails needs it

    return replace_acting(world, f"args.{name}", args[name], acting_id, is_player=is_player)
