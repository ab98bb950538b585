"""turnwright prompt."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from turnwright.cli._options import campaign_argument, json_option, require_authority
from turnwright.cli._output import echo_json, echo_table, safe
from turnwright.cli._overrides import overrides_of, overrides_option
from turnwright.model.authority import GM, player_of

if TYPE_CHECKING:
    from turnwright.game_master.prompts.request_builder import AgentRequest


@click.command()
@campaign_argument
@click.option("--agent", help="Whose prompt; default: the agent that would answer.")
@click.option("--message", help="What the player says.")
@click.option("--as", "authority", default=GM, show_default=True, help="Who says it: `gm`, or `player:ID`.")
@click.option("--tokens", is_flag=True, help="Print about how many tokens each part of the question takes.")
@overrides_option
@json_option
def command(
    campaign: Path,
    agent: str | None,
    message: str | None,
    authority: str,
    tokens: bool,
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
    from turnwright.game_master.prompts.current_request import as_json as data_of
    from turnwright.game_master.prompts.current_request import current_request, token_counts
    from turnwright.model.wire.agent import SPEAKERS
    from turnwright.views.state import require_member

    require_authority(authority)
    if agent is not None and agent not in SPEAKERS:
        raise click.UsageError(f"there is no agent {agent!r}; there is {', '.join(SPEAKERS)}")
    overrides = overrides_of(assignments, os.environ)
    actor_id = player_of(authority)
    with Campaign.open(campaign) as opened:
        with opened.reading() as world:
            require_member(world, authority)
        request = current_request(opened, message, agent, actor_id=actor_id, overrides=overrides)
    if tokens:
        _echo_tokens(token_counts(request), as_json=as_json)
    elif as_json:
        echo_json(data_of(request))
    else:
        _echo_for_people(request)


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


def _echo_tokens(counts: Mapping[str, int], *, as_json: bool) -> None:
    if as_json:
        echo_json(counts)
        return
    rows = [[part.replace("_", " "), str(count)] for part, count in counts.items()]
    echo_table([["part", "tokens, counted as characters / 4"], *rows])


_ROLES = {"player": "The player's words", "game_master": "The agent's words", "tool": "Results of its calls"}


def _echo_title(title: str) -> None:
    click.secho(f"\n--- {title} ---\n", bold=True)


def _echo_lines(text: str) -> None:
    for line in text.splitlines():
        click.echo(safe(line))
