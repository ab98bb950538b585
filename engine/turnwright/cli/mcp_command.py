"""turnwright mcp."""

from __future__ import annotations

import logging
import sys
from datetime import datetime
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import click

from turnwright.cli._options import campaign_argument, clock_of, now_option, require_authority, wait_option
from turnwright.cli._output import safe
from turnwright.model.authority import GM
from turnwright.model.errors import BadRequest

if TYPE_CHECKING:
    from turnwright.toolset.offered import Profile

PROFILES = ("full", "core", "tiny")
CLIENTS = ("claude-desktop", "claude-code", "vscode", "cursor", "lm-studio", "http")
DEFAULT_PORT = 8765


@click.command()
@campaign_argument
@click.option(
    "--as",
    "roles",
    multiple=True,
    default=(GM,),
    show_default=True,
    help="The role: `gm`, or `player:ID`; over HTTP as many as there are clients with tokens of their own.",
)
@click.option("--profile", type=click.Choice(PROFILES), default="full", show_default=True, help="The size of the list.")
@click.option("--allow", type=click.Choice(("undo",)), multiple=True, help="Offer this to the game master, too.")
@click.option("--http", "over_http", is_flag=True, help="Serve streamable HTTP instead of standard input and output.")
@click.option("--host", default="127.0.0.1", show_default=True, help="With --http: the address to listen at.")
@click.option("--port", type=click.IntRange(0, 65535), default=DEFAULT_PORT, show_default=True, help="With --http.")
@click.option("--allow-host", "hosts", multiple=True, help="With --http: a further name that requests may call us by.")
@click.option(
    "--token-file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="With --http: keep the tokens in this file, made with mode 600 if it is not there.",
)
@click.option("--no-token", is_flag=True, help="With --http on a loopback address: ask for no token.")
@click.option("--print-config", "client", type=click.Choice(CLIENTS), help="Print what a client needs, and exit.")
@now_option
@wait_option
def command(
    campaign: Path,
    roles: tuple[str, ...],
    profile: Profile,
    allow: tuple[str, ...],
    over_http: bool,
    host: str,
    port: int,
    hosts: tuple[str, ...],
    token_file: Path | None,
    no_token: bool,
    client: str | None,
    now: datetime | None,
    wait: float,
) -> None:
    """Serve a CAMPAIGN to clients of the Model Context Protocol, by default over standard input and output.

    Claude Desktop, Claude Code and VS Code start it themselves; --print-config writes what to tell them. It needs the
    extra `mcp`, in a checkout: pip install '.[mcp]'.
    """
    for role in roles:
        require_authority(role)
    if not over_http and (len(roles) != 1 or token_file or no_token or hosts):
        raise click.UsageError("several roles, --token-file, --no-token and --allow-host want --http")
    if no_token and token_file:
        raise click.UsageError("--no-token and --token-file exclude each other")
    if client is not None:
        from turnwright.cli._mcp_clients import client_config

        click.echo(client_config(client, campaign, roles[0], profile, allow, port))
        if find_spec("mcp") is None:
            told = f"the client cannot start it yet: {_missing_extra()}"
            click.echo(f"{click.style('warning', fg='yellow')}  {safe(told)}", err=True)
        return
    if find_spec("mcp") is None:
        raise BadRequest(_missing_extra())
    from turnwright.campaign.campaign import Campaign
    from turnwright.mcp.serve import role_servers, serve_over_http, serve_over_stdio

    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    with Campaign.open(campaign, clock_of(now), wait=wait) as opened:
        servers = role_servers(opened, campaign, roles, can_undo="undo" in allow, profile=profile)
        if not over_http:
            serve_over_stdio(servers[roles[0]], opened)
            return
        tokens = None if no_token else _tokens(token_file, tuple(servers))

        def started(address: str) -> None:
            for role in servers:
                how = f"in {safe(token_file)}" if token_file else tokens[role] if tokens else "none needed"
                click.echo(f"{safe(role)}  {address}  bearer token: {how}")

        serve_over_http(servers, host, port, tokens=tokens, hosts=hosts, started=started)


def _missing_extra() -> str:
    from turnwright.model.extras import install_command

    return f"`turnwright mcp` needs more packages: {install_command('mcp')}"


def _tokens(path: Path | None, roles: tuple[str, ...]) -> dict[str, str]:
    from turnwright.mcp.tokens import kept_tokens, new_tokens

    return new_tokens(roles) if path is None else kept_tokens(path, roles)
