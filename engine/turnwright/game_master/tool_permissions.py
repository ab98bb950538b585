"""Which tools an agent may ask for, what it is told when it asks for others, and which calls stand or fall together.

Source: docs/agents.md, "The agents" and "How a message is processed".
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from turnwright.game_master.agents import Chosen
from turnwright.model.json_types import JsonObject
from turnwright.model.state.overlay import World
from turnwright.model.wire import hint
from turnwright.model.wire.agent import NPC_AGENTS
from turnwright.model.wire.reason import CallFailed, Reason, status_of
from turnwright.protocol.stage3_tools.normalize import normalize_args, snake_keys
from turnwright.rulesets.agent_tools import own_steps_of, tools_of_agent
from turnwright.rulesets.in_use import tables_of
from turnwright.rulesets.tool import Args
from turnwright.rulesets.toolbox import TOOLS, Toolbox, tools_of

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import FailedCall, Hint

ENDS = ("advance_turn", "end_encounter")
"""What ends a turn or a fight. No old name means either, and `manage_encounter` is no agent's."""

Judged = Sequence[tuple[Any, "FailedCall | None"]]
"""Calls of an answer, each with the feedback to it where its agent may not make it."""


def tools_for(world: World, chosen: Chosen) -> tuple[str, ...]:
    """Return the names of the tools that an agent may ask for in this campaign, in the order of the registry."""
    allowed = own_tools(world, chosen) & set(world.campaign.allowlist)
    return tuple(name for name in tools_of(world.campaign) if name in allowed)


def own_tools(world: World, chosen: Chosen) -> frozenset[str]:
    """Return all tools of an agent, whether or not the campaign allows them and some call of them is legal now."""
    is_member = chosen.npc_id in world.campaign.selected.party_character_ids
    tables = tables_of(world.campaign)
    tools = tools_of_agent(tables, chosen.agent)
    return tools - (own_steps_of(tables) if chosen.agent in NPC_AGENTS and not is_member else frozenset())


def permission_failure(
    call: Any,
    tools: Collection[str],
    operations: Mapping[str, Sequence[str]],
    offered: Sequence[str] | None = None,
    known: Toolbox = TOOLS,
) -> FailedCall | None:
    """Return the feedback to a call that an agent may not make, as a reply would hold it; None for any other.

    The engine knows nothing of agents, so the caller that hands in a model's answer asks this first. Values that are no
    call, and unknown tools, are left to the engine.

    Args:
        call: what the model wrote.
        tools: the agent's own tools.
        operations: where the agent has a tool for some operations only: these, by tool.
        offered: what it is told that it may call instead; by default, its own tools.
        known: the tools that there are in the campaign.
    """
    if not isinstance(call, Mapping) or not isinstance(call.get("tool"), str):
        return None
    name, args = call["tool"], call.get("args")
    canonical, operation = _meant(name, args if isinstance(args, Mapping) else {}, known)
    if canonical is None:
        return None
    if canonical not in tools:
        repair = hint.name("tool", name, sorted(tools) if offered is None else offered)
        return _refused(call, f"{name} is not for this agent", repair)
    permitted = operations.get(canonical)
    if permitted is None or operation is None or set(operation) <= set(permitted):
        return None
    wrong = next(one for one in operation if one not in permitted)
    repair = hint.ask("args.operation", wrong, list(permitted))
    return _refused(call, f"{name} with operation {wrong} is not for this agent", repair)


def is_whole(judged: Judged) -> bool:
    """Return whether all calls of an answer are to be done or none: one ends a turn or a fight after others.

    So no fighter's turn is over because a name was misspelled, and the answer can be corrected and handed in again.
    """
    return any(refused is None and _text(call, "tool") in ENDS for call, refused in judged[1:])


def undone(judged: Judged) -> list[FailedCall]:
    """Return the feedback to calls of which none was handed in, because their agent may not make some of them."""
    detail = "another call of this answer could not be handed in, so this one was not either"
    return [refused or _failed(call, Reason.TURN_ABORTED, detail) for call, refused in judged]


def _meant(name: str, args: JsonObject, known: Toolbox) -> tuple[str | None, list[str] | None]:
    """Return the tool that a call means, and its operations where it names any."""
    injected: Mapping[str, Any] = {}
    if name not in known:
        from turnwright.rulesets.aliases import ALIASES

        if name not in ALIASES:
            return None, None
        injected, name = ALIASES[name].inject, ALIASES[name].tool
    batch = snake_keys(args).get("batch")
    items = [item for item in batch if isinstance(item, Mapping)] if isinstance(batch, list) else [args]
    keys = ["operation", *(key for key, meant in known[name].args.also.items() if meant == "operation")]
    given = [{**snake_keys(item), **injected}.get(key) for item in items for key in keys]
    named = [_word(known[name].args, one) for one in given if isinstance(one, str)]
    return name, named or None


def _word(args: type[Args], written: str) -> str:
    """Return the operation that is meant, as the engine reads it; what it cannot read as it is written."""
    try:
        read, _ = normalize_args(args, {args.operation_key: written})
    except CallFailed:
        return written
    return "_".join(str(read[args.operation_key]).casefold().split())


def _refused(call: JsonObject, detail: str, repair: Hint) -> FailedCall:
    return {**_failed(call, Reason.TOOL_NOT_ALLOWED, detail), "hint": repair}


def _failed(call: Any, reason: Reason, detail: str) -> FailedCall:
    return {
        "id": _text(call, "id"),
        "tool": _text(call, "tool"),
        "status": status_of(reason).value,
        "reason": reason.value,
        "detail": detail,
    }


def _text(call: Any, key: str) -> str:
    value = call.get(key) if isinstance(call, Mapping) else None
    return value if isinstance(value, str) else ""
