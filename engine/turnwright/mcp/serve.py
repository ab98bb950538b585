"""The command `turnwright mcp`: one process that serves one campaign, until it is stopped.

Source: docs/mcp.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

import anyio

from turnwright.campaign.campaign import Campaign
from turnwright.mcp.door import Door
from turnwright.mcp.server import RoleServer, make_server
from turnwright.model.errors import BadRequest
from turnwright.store.files import Files
from turnwright.toolset.offered import Profile


def role_servers(
    campaign: Campaign, path: Path, roles: Sequence[str], *, can_undo: bool, profile: Profile
) -> dict[str, RoleServer]:
    """Return a server for each role.

    Raises:
        BadRequest: when there is no such role, or undo is allowed but no served role can use it.
    """
    if can_undo and "gm" not in roles:
        raise BadRequest("only the game master can undo")
    files = Files(path.absolute())
    doors = {
        role: Door(campaign, role, can_undo=can_undo and role == "gm", profile=profile) for role in dict.fromkeys(roles)
    }
    return {role: make_server(door, files) for role, door in doors.items()}


def serve_over_stdio(server: RoleServer, campaign: Campaign) -> None:
    """Serve one client over standard input and output until it leaves, or a signal comes."""
    from turnwright.mcp.stdio import serve_stdio

    try:
        anyio.run(serve_stdio, server, campaign.close)
    except* BrokenPipeError:
        pass  # the client left without closing our input first


def serve_over_http(
    servers: Mapping[str, RoleServer],
    host: str,
    port: int,
    *,
    tokens: Mapping[str, str] | None,
    hosts: Sequence[str],
    started: Callable[[str], None],
) -> None:
    """Serve clients over HTTP until a signal comes.

    Args:
        servers: the server of each role.
        host: the address to listen at.
        port: the port; 0 takes a free one.
        tokens: the token of each role; None for none, which only a loopback address may do without.
        hosts: further names by which this machine may be called.
        started: is given the address once it is bound.

    Raises:
        BadRequest: when others could reach it without a token.
        OSError: when the address cannot be bound.
    """
    from turnwright.mcp.http import PATH, bound_socket, http_app, is_loopback, serve_http
    from turnwright.mcp.tokens import Tokens

    if tokens is None and not is_loopback(host):
        raise BadRequest("--no-token is for loopback addresses only: others could reach this one")
    app = http_app(servers, None if tokens is None else Tokens(tokens), hosts=hosts)
    bound = bound_socket(host, port)
    shown = f"[{host}]" if ":" in host else host
    anyio.run(serve_http, app, bound, partial(started, f"http://{shown}:{bound.getsockname()[1]}{PATH}"))
