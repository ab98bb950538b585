"""Serve several clients over streamable HTTP: the bearer token of a request decides its role.

Each role has its own server and sessions, so that no session can be used with the token of another role.
Source: docs/mcp.md, "Over HTTP"; docs/mcp-security.md.
"""

from __future__ import annotations

import ipaddress
import logging
import signal
import socket
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress

import anyio
import uvicorn
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from turnwright.mcp.server import RoleServer
from turnwright.mcp.tokens import Tokens
from turnwright.mcp.watch import MAX_SESSIONS
from turnwright.model.errors import BadRequest

logger = logging.getLogger(__name__)
PATH = "/mcp"
_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
_SCHEMES = ("http", "https")
_STOPS = (signal.SIGINT, signal.SIGTERM)
_GRACE = 2
"""Seconds that open streams have to end when the server stops."""


def is_loopback(host: str) -> bool:
    """Return whether only this machine can reach an address."""
    if host == "localhost":
        return True
    with suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return False


class RoleRouter:
    """Answers requests at one path, each by the server of the role that its token stands for.

    Args:
        servers: the server of each role.
        tokens: which role a token stands for; None: the only role needs none.
        security: the hosts and origins that requests may name.
    """

    def __init__(
        self, servers: Mapping[str, RoleServer], tokens: Tokens | None, security: TransportSecuritySettings
    ) -> None:
        self._tokens = tokens
        self._managers = {
            role: StreamableHTTPSessionManager(app=server, security_settings=security, max_sessions=MAX_SESSIONS)
            for role, server in servers.items()
        }

    @asynccontextmanager
    async def running(self, _: Starlette) -> AsyncIterator[None]:
        """Run the sessions of every role."""
        async with AsyncExitStack() as stack:
            for manager in self._managers.values():
                await stack.enter_async_context(manager.run())
            yield

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        role = self._role_of(Headers(scope=scope))
        if role is None:
            headers = {"WWW-Authenticate": 'Bearer realm="turnwright"'}
            await PlainTextResponse("a bearer token is required", 401, headers)(scope, receive, send)
            return
        await self._managers[role].handle_request(scope, receive, send)

    def _role_of(self, headers: Headers) -> str | None:
        if self._tokens is None:
            return next(iter(self._managers))
        scheme, _, token = headers.get("authorization", "").partition(" ")
        return self._tokens.role_of(token.strip()) if scheme.lower() == "bearer" else None


def http_app(servers: Mapping[str, RoleServer], tokens: Tokens | None, *, hosts: Sequence[str] = ()) -> Starlette:
    """Return the application.

    Args:
        servers: the server of each role.
        tokens: which role a token stands for; None: the only role needs none.
        hosts: further names by which this machine may be called; `localhost` and the like always may.

    Raises:
        BadRequest: when there are several roles and no tokens.
    """
    if tokens is None and len(servers) != 1:
        raise BadRequest("without tokens there can be one role only")
    names = [*_LOOPBACK, *hosts]
    security = TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=[*names, *(f"{name}:*" for name in names)],
        allowed_origins=[f"{scheme}://{name}{port}" for scheme in _SCHEMES for name in names for port in ("", ":*")],
    )
    router = RoleRouter(servers, tokens, security)
    return Starlette(routes=[Route(PATH, endpoint=router)], lifespan=router.running)


def bound_socket(host: str, port: int) -> socket.socket:
    """Return a socket that listens at an address; port 0 takes a free one.

    Raises:
        OSError: when it cannot.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    bound = socket.socket(family)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((host, port))
        bound.listen(128)
    except OSError:
        bound.close()
        raise
    return bound


class _Server(uvicorn.Server):
    """A server that leaves signals to us: its own would end the process before the campaign is closed."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Capture none."""
        yield


async def serve_http(app: Starlette, bound: socket.socket, started: Callable[[], None]) -> None:
    """Serve until a signal asks to stop.

    Args:
        app: the application.
        bound: the listening socket; it is closed afterwards.
        started: called once requests are accepted.
    """
    config = uvicorn.Config(
        app, log_config=None, access_log=False, server_header=False, timeout_graceful_shutdown=_GRACE
    )
    server = _Server(config)
    async with anyio.create_task_group() as group:
        group.start_soon(_stop_on_signal, server)
        started()
        await server.serve(sockets=[bound])
        group.cancel_scope.cancel()


async def _stop_on_signal(server: uvicorn.Server) -> None:
    with suppress(NotImplementedError), anyio.open_signal_receiver(*_STOPS) as signals:
        async for number in signals:
            logger.info("stopped by %s", signal.Signals(number).name)
            server.should_exit = True
