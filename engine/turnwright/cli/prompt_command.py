"""turnwright prompt."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from turnwright.cli._options import campaign_argument, json_option, require_authority
from turnwright.cli._output import echo_json, echo_table, safe
from turnwright.cli._overrides import overrides_of, overrides_option
from turnwright.model.authority import GM, player_of

if TYPE_CHECKING:
    from turnwright.campaign.campaign import Campaign
    from turnwright.game_master.prompts.request_builder import AgentRequest
    from turnwright.model.settings import Settings
    from turnwright.model.state.overlay import World


@click.command()
@campaign_argument
@click.option("--agent", help="Whose prompt; default: the agent that would answer.")
@click.option("--message", help="What the player says.")
@click.option("--as", "authority", default=GM, show_default=True, help="Who says it: `gm`, or `player:ID`.")
@overrides_option
@json_option
def command(
    campaign: Path,
    agent: str | None,
    message: str | None,
    authority: str,
    assignments: tuple[str, ...],
    as_json: bool,
) -> None:
    """Print what a model that answers in a CAMPAIGN is given now.

    That is the system prompt, the conversation, the tools it may call and the schema of its answer. Agents are
    narrative, combat, npc_individual, npc_puppeteer and summarizer; a message is for the character that it names with
    `@`.
    """
    import os

    from turnwright.campaign.campaign import Campaign
    from turnwright.model.settings import patched, settings_of
    from turnwright.model.wire.agent import SPEAKERS
    from turnwright.views.state import require_member

    require_authority(authority)
    if agent is not None and agent not in SPEAKERS:
        raise click.UsageError(f"there is no agent {agent!r}; there is {', '.join(SPEAKERS)}")
    overrides = overrides_of(assignments, os.environ)
    actor_id = player_of(authority)
    with Campaign.open(campaign) as opened, opened.reading() as world:
        require_member(world, authority)
        settings = settings_of(patched(world.campaign.settings, overrides)[0])
        briefing = _briefing(opened, world, settings, message, agent, actor_id)
    if as_json:
        _echo_for_programs(briefing)
    else:
        _echo_for_people(briefing)


def _briefing(
    campaign: Campaign, world: World, settings: Settings, message: str | None, agent: str | None, actor_id: str | None
) -> AgentRequest:
    """Return the briefing, with what is suggested for the message."""
    from functools import partial

    from turnwright.game_master.knowledge.utterances import standing
    from turnwright.game_master.prompts.request_builder import build_request
    from turnwright.game_master.recent_records import recent_records
    from turnwright.game_master.suggestion_provider import suggest
    from turnwright.game_master.suggestion_step import hints_for
    from turnwright.model.wire.agent import NPC_AGENTS, AgentKind

    records = recent_records(campaign)
    chosen = AgentKind(agent) if agent else None
    make = partial(build_request, world, records, settings, message, agent=chosen, actor_id=actor_id)
    briefing = make()
    if not message or briefing.agent is AgentKind.SUMMARIZER:
        return briefing
    played_id = briefing.npc_id if briefing.agent in NPC_AGENTS else None
    told = standing(records)
    hints = hints_for(suggest, world, settings, briefing.agent, message, told, actor_id, played_id=played_id)
    return make(suggestions_block=hints.block) if hints.block else briefing


def _echo_for_programs(briefing: AgentRequest) -> None:
    from dataclasses import asdict

    limits = asdict(briefing.limits)
    messages = [{"role": one.role, "text": one.text} for one in briefing.messages]
    inner = ("own_tools", "known_tools")
    shown = {field: getattr(briefing, field) for field in briefing.__slots__ if field not in inner}
    echo_json({**shown, "messages": messages, "limits": limits})


def _echo_for_people(briefing: AgentRequest) -> None:
    _echo_lines(briefing.system)
    for one in briefing.messages:
        _echo_title(_ROLES[one.role])
        _echo_lines(one.text)
    _echo_title("Tools")
    described = [tool["function"] for tool in briefing.tools]
    rows = [[tool["name"], tool["description"].partition("\n")[0]] for tool in described]
    echo_table(rows or [["none"]])
    if briefing.voice:
        _echo_title("Schema of the output")
        if briefing.output_schema is None:
            click.echo("none: no output is taken now")
        else:
            echo_json(briefing.output_schema, indent=2)
    else:
        _echo_title("Schema of the answer")
        click.echo("shown by --json")


_ROLES = {"player": "The player's words", "game_master": "The agent's words", "tool": "Results of its calls"}


def _echo_title(title: str) -> None:
    click.secho(f"\n--- {title} ---\n", bold=True)


def _echo_lines(text: str) -> None:
    for line in text.splitlines():
        click.echo(safe(line))
