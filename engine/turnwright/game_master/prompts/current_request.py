"""What a model that answers in a campaign would be given now, with what is suggested for a message.

Source: docs/stages/0-prepare.md, "The context pack".
"""

from __future__ import annotations

import json
from dataclasses import asdict
from functools import partial
from typing import cast

from turnwright.campaign.campaign import Campaign
from turnwright.game_master.knowledge.utterances import standing
from turnwright.game_master.prompts.request_builder import AgentRequest, build_request
from turnwright.game_master.prompts.token_budget import tokens_of
from turnwright.game_master.recent_records import recent_records
from turnwright.game_master.suggestion_provider import suggest
from turnwright.game_master.suggestion_step import hints_for
from turnwright.model.errors import BadRequest
from turnwright.model.fuzzy_match import did_you_mean
from turnwright.model.json_types import JsonObject
from turnwright.model.settings import patched, settings_of
from turnwright.model.strict_json import copied, json_fault
from turnwright.model.viewer import Viewer, require_viewer
from turnwright.model.wire.agent import NPC_AGENTS, SPEAKERS, AgentKind
from turnwright.model.wire.prompt import Prompt
from turnwright.rulesets.in_use import tables_of

_INNER = ("own_tools", "known_tools", "role", "takes_names")
"""What of a request is not for others."""


def current_request(
    campaign: Campaign,
    message: str | None = None,
    agent: str | None = None,
    *,
    actor_id: str | None = None,
    overrides: JsonObject | None = None,
) -> AgentRequest:
    """Return the input of the agent that answers a message.

    Args:
        campaign: the campaign.
        message: the player's message.
        agent: the answering agent; default: the message's addressee.
        actor_id: the speaker; default: the active character.
        overrides: settings of `suggestions` and `agents` in place of the campaign's own.

    Raises:
        BadRequest: when there is no such agent.
    """
    if agent is not None and agent not in SPEAKERS:
        raise BadRequest(f"there is no agent {agent}{did_you_mean(agent, SPEAKERS)}; there is {', '.join(SPEAKERS)}")
    with campaign.reading() as world:
        rows = tables_of(world.campaign).settings
        settings = settings_of(patched(world.campaign.settings, overrides or {}, rows)[0], rows)
        records = recent_records(campaign)
        chosen = AgentKind(agent) if agent else None
        make = partial(build_request, world, records, settings, message, agent=chosen, actor_id=actor_id)
        request = make()
        if not message or request.agent is AgentKind.SUMMARIZER:
            return request
        played_id = request.npc_id if request.agent in NPC_AGENTS else None
        told = standing(records)
        hints = hints_for(suggest, world, settings, request.agent, message, told, actor_id, played_id=played_id)
        return make(suggestions_block=hints.block) if hints.block else request


def as_json(request: AgentRequest) -> Prompt:
    """Return a request as data."""
    shown = {field: getattr(request, field) for field in request.__slots__ if field not in _INNER}
    messages = [{"role": one.role, "text": one.text} for one in request.messages]
    return cast(Prompt, {**shown, "messages": messages, "limits": asdict(request.limits)})


def prompt_for(campaign: Campaign, message: str | None, viewer: Viewer) -> Prompt:
    """Return what a model is given that answers for the game master, or that sits at a player's seat.

    Raises:
        BadRequest: when the viewer is neither, or the character of the player is not in the party.
    """
    if message is not None and (type(message) is not str or json_fault(message)):
        raise BadRequest("a message is a text that a record can hold")
    require_viewer(viewer)
    if viewer.authority is None:
        raise BadRequest("a prompt is made for the game master, or for a player whose character is in the party")
    if viewer.is_game_master:
        prompt: Prompt = copied(as_json(current_request(campaign, message)))
        return prompt
    from turnwright.game_master.prompts.player_prompt import player_prompt

    tools = campaign.tools("openai", viewer=viewer)
    with campaign.reading() as world:
        return player_prompt(world, standing(recent_records(campaign)), viewer, message, tools)


def token_counts(request: AgentRequest) -> dict[str, int]:
    """Return about how many tokens each part of a question takes: its characters divided by 4.

    Returns:
        `system`, `message` and `tools`, their sum `question`, and beside it `history`, the earlier messages.
    """
    *earlier, last = request.messages
    tools = json.dumps([tool["function"] for tool in request.tools], ensure_ascii=False, separators=(",", ":"))
    counts = {"system": tokens_of(request.system), "message": tokens_of(last.text), "tools": tokens_of(tools)}
    return counts | {"question": sum(counts.values()), "history": tokens_of(*(one.text for one in earlier))}
