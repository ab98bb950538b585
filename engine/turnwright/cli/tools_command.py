"""turnwright tools."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from turnwright.cli._options import require_authority
from turnwright.cli._output import echo_table
from turnwright.model.authority import GM

if TYPE_CHECKING:
    from turnwright.rulesets.tool import Tool
    from turnwright.rulesets.toolbox import Toolbox
    from turnwright.toolset.offered import Profile

FORMATS = ("openai", "anthropic", "mcp", "jsonschema", "markdown")
PROFILES = ("full", "core", "tiny")


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
    help="List the tools that this campaign offers now, each by the contract that holds there.",
)
@click.option("--as", "authority", help="With --campaign: for whom, `gm` or `player:ID`. Default: the game master.")
@click.option(
    "--profile",
    type=click.Choice(PROFILES),
    help="With --campaign: as short lists for models show them. Default: each with all there is to say of it.",
)
def command(
    name: str | None,
    form: str | None,
    tokens: bool,
    campaign: Path | None,
    authority: str | None,
    profile: Profile | None,
) -> None:
    """List the tools, or describe one (NAME) or all of them."""
    if campaign is None and (authority or profile):
        raise click.UsageError("--as and --profile say how a campaign's tools are listed; use them with --campaign")
    catalog = _everything() if campaign is None else _offered(campaign, authority or GM, profile, name)
    if name is not None and name not in catalog.tools:
        raise click.UsageError(_what_became_of(name, catalog))
    chosen = [name] if name else list(catalog.tools)
    if tokens:
        _echo_tokens({each: catalog.tokens(each) for each in chosen}, catalog.groups)
    elif form == "markdown" or (name and form is None and profile is None):
        click.echo("\n".join(catalog.describe(each, "markdown") for each in chosen))
    elif form or name:
        described = [catalog.describe(each, form or "jsonschema") for each in chosen]
        click.echo(json.dumps(described[0] if name else described, indent=2, ensure_ascii=False))
    else:
        echo_table([catalog.row(each) for each in chosen])


@dataclass(frozen=True, slots=True)
class _Catalog:
    """What the command tells of.

    Attributes:
        tools: the tools by name, in the order of lists.
        describe: describes one in a form.
        tokens: about how many tokens the description of one takes.
        groups: the module of each.
        unlisted: why a tool that there is is not among them, by name.
        where: which list it is, as a message names it.
    """

    tools: Mapping[str, Tool[Any]]
    describe: Callable[[str, str], Any]
    tokens: Callable[[str], int]
    groups: Mapping[str, str]
    unlisted: Mapping[str, str]
    where: str

    def row(self, name: str) -> Sequence[str]:
        tool = self.tools[name]
        return (tool.name, tool.family, tool.summary)


def _everything() -> _Catalog:
    """Return all tools that come with turnwright, by the contract that holds where a campaign has no other."""
    from turnwright.protocol.stage0_prepare.prepare import describe, tokens_of
    from turnwright.rulesets.toolbox import TOOLS

    return _Catalog(
        tools=TOOLS,
        describe=lambda name, form: describe(TOOLS[name], form),
        tokens=lambda name: tokens_of(TOOLS[name]),
        groups=TOOLS.groups,
        unlisted={},
        where="`turnwright tools` lists them",
    )


def _offered(path: Path, authority: str, profile: Profile | None, asked_for: str | None) -> _Catalog:
    """Return the tools that a campaign offers a viewer now; one requested by name need not be legal now.

    Args:
        path: the campaign's directory.
        authority: the viewer's authority.
        profile: the size of a model's list; None: each tool in full.
        asked_for: the tool to describe.
    """
    from turnwright.campaign.campaign import Campaign
    from turnwright.protocol.stage0_prepare.prepare import describe, tokens_of
    from turnwright.rulesets.toolbox import tools_of
    from turnwright.toolset.offered import Role, callable_tools, offer, offered_tools
    from turnwright.views.state import require_member

    require_authority(authority)
    with Campaign.open(path) as opened, opened.reading() as world:
        require_member(world, authority)
        role, toolbox = Role(authority), tools_of(world.campaign)
        policy = role.policy(world)
        callable_by = [tool.name for tool in callable_tools(role, policy)]
        short = {one.name: one for one in offered_tools(world, role, profile or "full")}
        listed = [*short]
        if asked_for in callable_by and asked_for not in short:
            listed.append(asked_for)
            short[asked_for] = offer(toolbox[asked_for], toolbox, profile or "full", policy, role)
        tools = {name: toolbox[name] for name in listed}
        unlisted = _why_not(toolbox, world.campaign.allowlist, callable_by)

    def describe_one(name: str, form: str) -> Any:
        if profile is None or form == "markdown":
            return describe(tools[name], form, policy.protocol)
        from turnwright.toolset.forms import form_of, in_form

        return in_form([short[name]], form_of(form))[0]

    def count(name: str) -> int:
        return tokens_of(tools[name], policy.protocol) if profile is None else short[name].tokens

    where = f"`turnwright tools --campaign {path}` lists those there are now"
    return _Catalog(tools, describe_one, count, toolbox.groups, unlisted, where)


def _why_not(toolbox: Toolbox, allowlist: Iterable[str], callable_by: Iterable[str]) -> dict[str, str]:
    """Return why tools that the campaign's rulesets have may not be called, by name."""
    allowed, known = {*allowlist}, {*callable_by}
    why = {name: f"{name} is not in the campaign's allowlist" for name in toolbox if name not in allowed}
    return why | {name: f"{name} is not for players" for name in toolbox if name in allowed and name not in known}


def _what_became_of(name: str, catalog: _Catalog) -> str:
    """Return the message for an unknown tool name: the replacement of an old name, or the name probably meant."""
    from turnwright.model.fuzzy_match import did_you_mean
    from turnwright.rulesets.aliases import ALIASES
    from turnwright.rulesets.registry import BUILT_IN

    if name in catalog.unlisted:
        return catalog.unlisted[name]
    known = [*catalog.tools, *catalog.unlisted]
    if name in ALIASES and ALIASES[name].tool in known:
        alias = ALIASES[name]
        stands_for = f" with {json.dumps(alias.inject)}" if alias.inject else ""
        return f"{name} is an old name of {alias.tool}{stands_for}; `turnwright tools {alias.tool}` describes it"
    if name in BUILT_IN.removed:
        return f"{name} is no more: {BUILT_IN.removed[name]}"
    guess = did_you_mean(name, [*known, *(old for old, alias in ALIASES.items() if alias.tool in known)])
    return f"there is no tool {name!r}{guess or f'; {catalog.where}'}"


def _echo_tokens(counts: Mapping[str, int], modules: Mapping[str, str]) -> None:
    """Print the counts tool by tool, then the sums by module, and the sum of all."""
    sums: dict[str, list[int]] = {}
    for name, count in counts.items():
        sums.setdefault(modules[name], []).append(count)
    rows = [[name, modules[name], str(count)] for name, count in counts.items()]
    rows += [[f"{len(members)} tools", module, str(sum(members))] for module, members in sums.items()]
    rows.append([f"{len(counts)} tools", "all", str(sum(counts.values()))])
    echo_table([["tool", "module", "tokens, counted as characters / 4"], *rows])
