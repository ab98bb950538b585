"""What a model that answers in a campaign would be given now, with what is suggested for a message.

Source: docs/stages/0-prepare.md, "The context pack".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from functools import partial
from typing import Any

from turnwright.campaign.campaign import Campaign
from turnwright.game_master.knowledge.utterances import standing
from turnwright.game_master.prompts.request_builder import AgentRequest, build_request
from turnwright.game_master.recent_records import recent_records
from turnwright.game_master.suggestion_provider import suggest
from turnwright.game_master.suggestion_step import hints_for
from turnwright.model.errors import BadRequest
from turnwright.model.fuzzy_match import did_you_mean
from turnwright.model.settings import patched, settings_of
from turnwright.model.wire.agent import NPC_AGENTS, SPEAKERS, AgentKind
from turnwright.rulesets.in_use import tables_of

_INNER = ("own_tools", "known_tools")
"""What of a request is not for others."""


def current_request(
    campaign: Campaign,
    message: str | None = None,
    agent: str | None = None,
    *,
    actor_id: str | None = None,
    overrides: Mapping[str, Any] | None = None,
) -> AgentRequest:
    """Return what the agent that answers a message is given.

    Args:
        campaign: the campaign.
        message: what a player says.
        agent: who answers; default: whom the message is for.
        actor_id: who speaks; default: the active character.
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


def as_json(request: AgentRequest) -> dict[str, Any]:
    """Return a request as data."""
    shown = {field: getattr(request, field) for field in request.__slots__ if field not in _INNER}
    messages = [{"role": one.role, "text": one.text} for one in request.messages]
    return {**shown, "messages": messages, "limits": asdict(request.limits)}
