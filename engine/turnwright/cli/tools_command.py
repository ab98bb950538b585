"""turnwright tools."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from turnwright.cli._output import echo_table

if TYPE_CHECKING:
    from turnwright.rulesets.toolbox import Toolbox

FORMATS = ("openai", "anthropic", "mcp", "jsonschema", "markdown")


@click.command()
@click.argument("name", required=False)
@click.option("--format", "form", type=click.Choice(FORMATS), help="As a model's API or a program wants them.")
@click.option(
    "--tokens",
    is_flag=True,
    help="Print about how many tokens the description of each tool, of each module and of all takes.",
)
@click.option(
    "--campaign",
    type=click.Path(path_type=Path),
    help="List the tools of this campaign's rulesets.",
)
def command(name: str | None, form: str | None, tokens: bool, campaign: Path | None) -> None:
    """List the tools, or describe one (NAME) or all of them."""
    from turnwright.protocol.stage0_prepare.prepare import describe, tokens_of

    tools = _tools(campaign)
    if name is not None and name not in tools:
        raise click.UsageError(_what_became_of(name))
    chosen = [tools[name]] if name else list(tools.values())
    if tokens:
        _echo_tokens({tool.name: tokens_of(tool) for tool in chosen}, tools.groups)
    elif form == "markdown" or (name and form is None):
        click.echo("\n".join(describe(tool, "markdown") for tool in chosen))
    elif form:
        described = [describe(tool, form) for tool in chosen]
        click.echo(json.dumps(described[0] if name else described, indent=2, ensure_ascii=False))
    else:
        echo_table([[tool.name, tool.family, tool.summary] for tool in chosen])


def _tools(campaign: Path | None) -> Toolbox:
    from turnwright.rulesets.toolbox import TOOLS, tools_of

    if campaign is None:
        return TOOLS
    from turnwright.campaign.campaign import Campaign

    with Campaign.open(campaign) as opened, opened.reading() as world:
        return tools_of(world.campaign)


def _what_became_of(name: str) -> str:
    """Return what to tell somebody who names no tool: what an old name stands for now, or what was probably meant."""
    from turnwright.model.fuzzy_match import did_you_mean
    from turnwright.rulesets.aliases import ALIASES
    from turnwright.rulesets.registry import BUILT_IN
    from turnwright.rulesets.toolbox import TOOLS

    if name in ALIASES:
        alias = ALIASES[name]
        stands_for = f" with {json.dumps(alias.inject)}" if alias.inject else ""
        return f"{name} is an old name of {alias.tool}{stands_for}; `turnwright tools {alias.tool}` describes it"
    if name in BUILT_IN.removed:
        return f"{name} is no more: {BUILT_IN.removed[name]}"
    guess = did_you_mean(name, [*TOOLS, *ALIASES])
    return f"there is no tool {name!r}{guess or '; `turnwright tools` lists them'}"


def _echo_tokens(counts: Mapping[str, int], modules: Mapping[str, str]) -> None:
    """Print the counts tool by tool, then the sums by module, and the sum of all."""
    sums: dict[str, list[int]] = {}
    for name, count in counts.items():
        sums.setdefault(modules[name], []).append(count)
    rows = [[name, modules[name], str(count)] for name, count in counts.items()]
    rows += [[f"{len(members)} tools", module, str(sum(members))] for module, members in sums.items()]
    rows.append([f"{len(counts)} tools", "all", str(sum(counts.values()))])
    echo_table([["tool", "module", "tokens, counted as characters / 4"], *rows])
