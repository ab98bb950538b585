"""A client of the official SDK and a server of ours: in one process, over stdio, or over HTTP, in both eras."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, Literal

import anyio
import httpx2
import mcp_types as types
from mcp.client.streamable_http import streamable_http_client
from tests import warm_python

from mcp import Client, StdioServerParameters
from turnwright import Campaign
from turnwright.mcp.door import Door
from turnwright.mcp.server import RoleServer, make_server
from turnwright.store.files import Files
from turnwright.store.package_files import campaigns_folder, seed_of_sample
from turnwright.toolset.offered import Profile

Era = Literal["legacy", "modern"]
ERAS: tuple[Era, ...] = ("legacy", "modern")
MODES: Mapping[Era, Any] = {"legacy": "legacy", "modern": "auto"}
PATIENCE = 45
"""Seconds after which a test that waits fails."""
Talk = Callable[[Client], Awaitable[None]]


class Heard:
    """What a client was told without asking."""

    def __init__(self) -> None:
        self.methods: list[str] = []
        self._came = anyio.Event()

    async def __call__(self, message: Any) -> None:
        """Note a message."""
        self.methods.append(getattr(message, "method", type(message).__name__))
        self._came.set()
        self._came = anyio.Event()

    async def wait_for(self, method: str) -> None:
        """Wait until a message of this method came."""
        with anyio.fail_after(PATIENCE):
            while method not in self.methods:
                await self._came.wait()


def server_of(
    campaign: Campaign, path: Path, authority: str = "gm", *, can_undo: bool = False, profile: Profile = "full"
) -> RoleServer:
    return make_server(Door(campaign, authority, can_undo=can_undo, profile=profile), Files(path.absolute()))


def talk(server: RoleServer, era: Era, conversation: Talk, **options: Any) -> None:
    """Let a client talk to a server in this process."""

    async def main() -> None:
        with anyio.fail_after(PATIENCE):
            async with Client(server, mode=MODES[era], **options) as client:
                await conversation(client)

    anyio.run(main)


def parameters(path: Path, *arguments: str) -> StdioServerParameters:
    kept = {name: os.environ[name] for name in ("PYTHONPATH",) if name in os.environ}  # the SDK passes few on
    return StdioServerParameters(
        command=sys.executable, args=["-m", "turnwright", "mcp", str(path), *arguments], env=kept
    )


def talk_over_stdio(path: Path, era: Era, conversation: Talk, *arguments: str, **options: Any) -> None:
    """Let a client start a server and talk to it."""

    async def main() -> None:
        with anyio.fail_after(PATIENCE):
            async with Client(parameters(path, *arguments), mode=MODES[era], **options) as client:
                await conversation(client)

    anyio.run(main)


class Listening(dict[str, str]):
    """The tokens of a server over HTTP, by role; and its address."""

    url: str


@contextmanager
def http_server(path: Path, *arguments: str, roles: tuple[str, ...] = ("gm",)) -> Iterator[Listening]:
    """Run a server over HTTP at a free port, and stop it as a signal does."""
    named = [word for role in roles for word in ("--as", role)]
    command = [
        *warm_python.command(),
        "-m",
        "turnwright",
        "mcp",
        str(path),
        "--http",
        "--port",
        "0",
        *named,
        *arguments,
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        found = Listening()
        for _ in roles:
            role, found.url, told = process.stdout.readline().rstrip().split("  ", 2)
            found[role] = told.rpartition(" ")[2]
        try:
            yield found
        finally:
            process.terminate()
            _, errors = process.communicate(timeout=PATIENCE)
            assert process.returncode == 0, errors
            assert not [token for token in found.values() if len(token) > 20 and token in errors]


@asynccontextmanager
async def http_client(listening: Listening, role: str, era: Era, **options: Any) -> AsyncIterator[Client]:
    headers = {"Authorization": f"Bearer {listening[role]}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=PATIENCE) as http,
        Client(streamable_http_client(listening.url, http_client=http), mode=MODES[era], **options) as client,
    ):
        yield client


def talk_over_http(path: Path, era: Era, conversation: Talk, *arguments: str) -> None:
    async def main(listening: Listening) -> None:
        with anyio.fail_after(PATIENCE):
            async with http_client(listening, "gm", era) as client:
                await conversation(client)

    with http_server(path, *arguments) as listening:
        anyio.run(main, listening)


def data(result: types.CallToolResult) -> dict[str, Any]:
    assert isinstance(result.structured_content, dict)
    return result.structured_content


def text(result: types.CallToolResult) -> str:
    (block,) = result.content
    assert isinstance(block, types.TextContent)
    return block.text


def begin_sample(path: Path, name: str) -> Campaign:
    """Begin a sample campaign as its story does, without its turn files."""
    return Campaign.new(path, name, seed=seed_of_sample(name), with_turns=False)


def turns_of_sample(name: str) -> list[Path]:
    return sorted((campaigns_folder() / name / "turns").glob("*.json"))
