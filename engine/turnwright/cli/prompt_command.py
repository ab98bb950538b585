"""turnwright prompt."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from turnwright.cli._options import campaign_argument, json_option
from turnwright.cli._output import echo_json, echo_table, safe

if TYPE_CHECKING:
    from turnwright.dm.prompts import Prompt

AGENTS = ("dm",)


@click.command()
@campaign_argument
@click.option("--agent", default="dm", show_default=True, help="Whose prompt: `dm`, the game master.")
@json_option
def command(campaign: Path, agent: str, as_json: bool) -> None:
    """Print what a model that is the game master of a CAMPAIGN's scene game is given now.

    That is the system prompt, the player's words, the tools it may call and the schema of its output.
    """
    from turnwright.campaign import Campaign
    from turnwright.dm.prompts import prompt_of
    from turnwright.model.settings import settings_of

    if agent not in AGENTS:
        raise click.UsageError(f"there is no agent {agent!r}; there is {', '.join(AGENTS)}")
    with Campaign.open(campaign) as opened, opened.reading() as world:
        prompt = prompt_of(world, settings_of(world.campaign.settings))
    if as_json:
        _echo_for_programs(prompt)
    else:
        _echo_for_people(prompt)


def _echo_for_programs(prompt: Prompt) -> None:
    from turnwright.stages.prepare import describe
    from turnwright.tools.registry import TOOLS

    described = [describe(TOOLS[name], "openai") for name in prompt.tools]
    echo_json({"agent": "dm", **prompt._asdict(), "tools": described})


def _echo_for_people(prompt: Prompt) -> None:
    from turnwright.tools.registry import TOOLS

    _echo_lines(prompt.system)
    _echo_title("The player's words")
    _echo_lines(prompt.user or "none")
    _echo_title("Tools")
    rows = [[name, TOOLS[name].summary] for name in prompt.tools]
    echo_table(rows or [["none"]])
    _echo_title("Schema of the output")
    if prompt.output_schema is None:
        click.echo("none: no output is taken now")
    else:
        echo_json(prompt.output_schema, indent=2)


def _echo_title(title: str) -> None:
    click.secho(f"\n--- {title} ---\n", bold=True)


def _echo_lines(text: str) -> None:
    for line in text.splitlines():
        click.echo(safe(line))
