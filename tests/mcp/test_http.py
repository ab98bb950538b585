"""Over HTTP: the token decides the role, and nobody without one, or from elsewhere, gets an answer."""

from __future__ import annotations

import os
import stat
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from mcp.client.streamable_http import streamable_http_client
from starlette.applications import Starlette
from tests.mcp.harness import ERAS, MODES, PATIENCE, Era, data
from tests.mcp.worlds import table

from mcp import Client
from turnwright import Campaign
from turnwright.mcp.http import http_app, is_loopback
from turnwright.mcp.serve import role_servers, serve_over_http
from turnwright.mcp.tokens import Tokens, kept_tokens, new_tokens
from turnwright.model.errors import BadRequest

GM, MIRA = "gm", "player:pc_001"
TOKENS = new_tokens([GM, MIRA])
URL = "http://127.0.0.1:8765/mcp"
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
ACCEPT = {"Accept": "application/json, text/event-stream"}


@pytest.fixture(name="campaign")
def fixture_campaign(tmp_path: Path) -> Iterator[Campaign]:
    with table(tmp_path / "table") as campaign:
        yield campaign


def app(campaign: Campaign, path: Path, tokens: Mapping[str, str] | None = TOKENS, *roles: str) -> Starlette:
    servers = role_servers(campaign, path, roles or (GM, MIRA), can_undo=False, profile="full")
    return http_app(servers, None if tokens is None else Tokens(tokens))


@asynccontextmanager
async def running(served: Starlette) -> AsyncIterator[httpx2.ASGITransport]:
    async with served.router.lifespan_context(served):
        yield httpx2.ASGITransport(app=served)


@pytest.mark.parametrize("era", ERAS)
def test_the_token_decides_the_role(campaign: Campaign, tmp_path: Path, era: Era) -> None:
    async def main() -> None:
        async with running(app(campaign, tmp_path / "table")) as transport:
            for role, wanted in ((GM, "narrative"), (MIRA, None)):
                headers = {"Authorization": f"Bearer {TOKENS[role]}"}
                async with (
                    httpx2.AsyncClient(transport=transport, headers=headers, timeout=PATIENCE) as http,
                    Client(streamable_http_client(URL, http_client=http), mode=MODES[era]) as client,
                ):
                    names = [tool.name for tool in (await client.list_tools()).tools]
                    assert ("hp_delta" in names) == (role == GM)
                    said = await client.call_tool("submit_turn", {"user_input": f"It is {role}."})
                    assert data(said)["status"] == "empty"
                    last = list(campaign.records())[-1]
                    assert (last["authority"], last.get("agent")) == (role, wanted)

    anyio.run(main)


REFUSED: dict[str, tuple[dict[str, str], int]] = {
    "no token": ({}, 401),
    "another token": ({"Authorization": "Bearer guess"}, 401),
    "a part of a token": ({"Authorization": f"Bearer {TOKENS[GM][:-1]}"}, 401),
    "another scheme": ({"Authorization": f"Basic {TOKENS[GM]}"}, 401),
    "another host": ({"Authorization": f"Bearer {TOKENS[GM]}", "Host": "evil.example"}, 421),
    "a page elsewhere": ({"Authorization": f"Bearer {TOKENS[GM]}", "Origin": "https://evil.example"}, 403),
}


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.parametrize("method", ["POST", "GET", "DELETE"])
def test_others_get_no_answer(campaign: Campaign, tmp_path: Path, name: str, method: str) -> None:
    headers, status = REFUSED[name]

    async def main() -> None:
        async with (
            running(app(campaign, tmp_path / "table")) as transport,
            httpx2.AsyncClient(transport=transport, headers={**ACCEPT, **headers}) as http,
        ):
            sent = PING if method == "POST" else None
            assert (await http.request(method, URL, json=sent)).status_code == status

    anyio.run(main)
    assert len(list(campaign.records())) == 1


def test_a_session_is_of_no_use_with_another_token(campaign: Campaign, tmp_path: Path) -> None:
    client = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"}}
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": client}

    async def main() -> None:
        async with (
            running(app(campaign, tmp_path / "table")) as transport,
            httpx2.AsyncClient(transport=transport, headers=ACCEPT) as http,
        ):
            begun = await http.post(URL, json=hello, headers={"Authorization": f"Bearer {TOKENS[GM]}"})
            session = {"Mcp-Session-Id": begun.headers["mcp-session-id"]}
            for role, status in ((MIRA, 404), (GM, 200)):
                headers = {"Authorization": f"Bearer {TOKENS[role]}", **session}
                assert (await http.post(URL, json=PING, headers=headers)).status_code == status

    anyio.run(main)


@pytest.mark.parametrize(("content", "status"), [(b"{nonsense", 400), (b"[" * 99999, 400), (b"x" * 5_000_000, 413)])
def test_what_is_no_message_is_refused(campaign: Campaign, tmp_path: Path, content: bytes, status: int) -> None:
    async def main() -> None:
        headers = {**ACCEPT, "Authorization": f"Bearer {TOKENS[GM]}", "Content-Type": "application/json"}
        async with (
            running(app(campaign, tmp_path / "table")) as transport,
            httpx2.AsyncClient(transport=transport, headers=headers) as http,
        ):
            assert (await http.post(URL, content=content)).status_code == status

    anyio.run(main)
    assert len(list(campaign.records())) == 1


def test_without_tokens_there_is_one_role_on_this_machine_alone(campaign: Campaign, tmp_path: Path) -> None:
    with pytest.raises(BadRequest):
        app(campaign, tmp_path / "table", None, GM, MIRA)
    servers = role_servers(campaign, tmp_path / "table", (GM,), can_undo=False, profile="full")
    for host in ("0.0.0.0", "192.168.0.7", "::", "example.org"):
        assert not is_loopback(host)
        with pytest.raises(BadRequest):
            serve_over_http(servers, host, 0, tokens=None, hosts=(), started=lambda _: None)
    assert all(map(is_loopback, ("127.0.0.1", "localhost", "::1", "127.8.8.8")))


# tokens


def test_tokens_are_kept_in_a_file_that_only_its_owner_may_read(tmp_path: Path) -> None:
    path = tmp_path / "tokens"
    made = kept_tokens(path, [GM, MIRA])
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert kept_tokens(path, [MIRA]) == {MIRA: made[MIRA]}
    with pytest.raises(BadRequest, match="no token for player:odo"):
        kept_tokens(path, ["player:odo"])
    path.chmod(0o640)
    with pytest.raises(BadRequest, match="chmod 600"):
        kept_tokens(path, [GM])


BAD_FILES = {
    "a short token": "gm short\n",
    "one token for two": f"gm {'a' * 40}\nplayer:pc_001 {'a' * 40}\n",
    "no token": "gm\n",
    "more than a token": f"gm {'a' * 40} {'b' * 40}\n",
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_a_file_that_holds_no_tokens_is_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / "tokens"
    path.write_text(BAD_FILES[name], encoding="utf-8")
    path.chmod(0o600)
    with pytest.raises(BadRequest):
        kept_tokens(path, [GM, MIRA])


@pytest.mark.skipif(not hasattr(os, "O_NOFOLLOW"), reason="the system knows no such links")
def test_a_link_is_no_file_of_tokens(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_text(f"gm {'a' * 40}\n", encoding="utf-8")
    (tmp_path / "tokens").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError):
        kept_tokens(tmp_path / "tokens", [GM])


def test_a_token_stands_for_its_role_and_nothing_else_does() -> None:
    tokens: Any = Tokens(TOKENS)
    assert [tokens.role_of(token) for token in TOKENS.values()] == [GM, MIRA]
    for guess in ("", TOKENS[GM][:-1], TOKENS[GM] + "a", TOKENS[GM].swapcase(), "\udcff", "é"):
        assert tokens.role_of(guess) is None
