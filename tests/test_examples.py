"""The programs in `examples/` do what they say."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from turnwright import Campaign, Record

Json = dict[str, Any]

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples"


def run(command: list[str], typed: str, **environment: str) -> list[str]:
    """Run a program and return the lines it prints."""
    env = {**os.environ, "PYTHONPATH": str(ROOT / "engine"), "PYTHONUTF8": "1", **environment}
    done = subprocess.run(command, input=typed, env=env, capture_output=True, encoding="utf-8", timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def program_folder(tmp_path: Path) -> Path:
    """Return a folder with a program `turnwright` that runs this checkout."""
    programs = tmp_path / "programs"
    programs.mkdir()
    program = programs / "turnwright"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m turnwright "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    return programs


def test_a_python_program_follows_hints_and_asks_where_there_is_a_choice(tmp_path: Path) -> None:
    lines = run([sys.executable, str(EXAMPLES / "play_turn.py"), str(tmp_path / "crossing")], typed="1\n")
    assert lines == [
        "failed  board invalid_args area_2 cannot be reached from area_001",
        "failed  throw invalid_args there is no character the beast with hit points",
        "'the beast' is one of ['enemy_001', 'pc_001', 'pc_002']; which? applied board {'to_area_id': 'area_002'}",
        "applied throw {'new_hp': 6}",
        "Mira is at area_002",
    ]


@pytest.mark.skipif(os.name == "nt" or shutil.which("sh") is None, reason="needs a Unix shell")
def test_a_shell_script_repairs_a_call_from_the_json_reply(tmp_path: Path) -> None:
    path = os.pathsep.join([str(program_folder(tmp_path)), os.environ["PATH"]])
    lines = run(["sh", str(EXAMPLES / "play_turn.sh"), str(tmp_path / "walk")], typed="", PATH=path)
    assert lines[1:] == [
        "failed; the hint allows: area_002",
        "         applied   move  pc_001 goes to Next Area (area_002)",
    ]


# what talks to a model: the server is a stub, and the model says what the test wants


class Stub(ThreadingHTTPServer):
    """A server with the API of OpenAI's chat completions, whose answers are given beforehand."""

    def __init__(self, answers: list[Json]) -> None:
        self.asked: list[Json] = []
        self.answers = answers
        super().__init__(("127.0.0.1", 0), _StubHandler)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


class _StubHandler(BaseHTTPRequestHandler):
    server: Stub

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append(body)
        message = {"role": "assistant", "content": None, **self.server.answers[len(self.server.asked) - 1]}
        finish = "tool_calls" if message.get("tool_calls") else "stop"
        choice = {"index": 0, "message": message, "finish_reason": finish}
        told = {"id": "c", "object": "chat.completion", "created": 1, "model": "stub", "choices": [choice]}
        data = json.dumps(told).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def stub(*answers: Json) -> Iterator[Stub]:
    server = Stub(list(answers))
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def calls(*made: tuple[str, Json]) -> Json:
    """Return an answer of a model that calls tools."""
    functions = [{"name": name, "arguments": json.dumps(args)} for name, args in made]
    return {
        "tool_calls": [
            {"id": f"c{number}", "type": "function", "function": one} for number, one in enumerate(functions)
        ]
    }


def crossing(tmp_path: Path) -> Path:
    Campaign.new(tmp_path / "crossing", template="crossing", seed="example", with_turns=False).close()
    return tmp_path / "crossing"


STEP = {"actor_id": "pc_001", "from_area_id": "area_001", "to_area_id": "area_002"}
TOLD = "You step onto the ferry."


def require_played(path: Path) -> None:
    """Look at what the game masters of the examples do: what was said, a step, and a text that was checked."""
    turns = [record for record in records_of(path) if record["kind"] == "turn"]
    assert turns[0]["user_input"] == "I board the ferry."
    assert all("user_input" not in record for record in turns[1:])
    assert [(one["tool"], one["result"]) for record in turns for one in record["applied_actions"]] == [
        ("move", {"to_area_id": "area_002"})
    ]
    assert [record["assistant_text"] for record in turns if "assistant_text" in record] == [TOLD]
    assert {record["agent"] for record in turns} == {"narrative"}
    assert [finding for record in turns for finding in record["findings"]] == []


def records_of(path: Path) -> list[Record]:
    with Campaign.open(path) as campaign:
        return list(campaign.records())


def test_a_game_master_with_an_openai_compatible_client_follows_a_hint_and_tells(tmp_path: Path) -> None:
    path = crossing(tmp_path)
    wrong = {**STEP, "to_area_id": "area_2"}
    with stub(calls(("move", wrong)), calls(("move", STEP)), {"content": TOLD}) as server:
        lines = run(
            [sys.executable, str(EXAMPLES / "game_master_openai.py"), str(path), "stub"],
            typed="I board the ferry.\n\n",
            OPENAI_BASE_URL=server.url,
            OPENAI_API_KEY="none",
        )
    assert lines == [f"> {TOLD}", "> "]
    require_played(path)
    result = json.loads(server.asked[1]["messages"][-1]["content"])
    assert (result["status"], result["hint"]["allowed"]) == ("error", ["area_002"])
    assert {tool["function"]["name"] for tool in server.asked[0]["tools"]} >= {"move", "hp_delta"}


def test_the_game_master_with_an_openai_compatible_client_has_forty_lines() -> None:
    code = (EXAMPLES / "game_master_openai.py").read_text(encoding="utf-8").split('"""', 2)[2]
    assert len([line for line in code.splitlines() if line.strip()]) <= 40


def test_a_game_master_with_pydantic_ai_follows_a_hint_and_tells(tmp_path: Path) -> None:
    path = crossing(tmp_path)
    wrong = {**STEP, "to_area_id": "area_2"}
    with stub(calls(("move", wrong)), calls(("move", STEP)), {"content": TOLD}) as server:
        run(
            [sys.executable, str(EXAMPLES / "game_master_pydantic_ai.py"), str(path), "openai-chat:stub"],
            typed="I board the ferry.\n\n",
            OPENAI_BASE_URL=server.url,
            OPENAI_API_KEY="none",
        )
    require_played(path)
    assert "area_002" in json.dumps(server.asked[1]["messages"][-1]["content"])


# what talks to other programs


def test_a_web_service_shows_each_player_what_that_player_may_see(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("fastapi", reason="`make examples` installs it")
    path = crossing(tmp_path)
    monkeypatch.setenv("CAMPAIGN", str(path))
    monkeypatch.setenv("TOKENS", json.dumps({"of-the-gm": "gm", "of-mira": "player:pc_001"}))
    spec = importlib.util.spec_from_file_location("serve_fastapi", EXAMPLES / "serve_fastapi.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    harm: Json = {"target_character_id": "pc_001", "delta": -1}
    hit: Json = {"tool_calls": [{"id": "a", "tool": "hp_delta", "args": harm}]}
    step = {"user_input": "Aboard!", "tool_calls": [{"id": "b", "tool": "move", "args": STEP}]}

    async def use() -> None:
        async with module.app.router.lifespan_context(module.app):
            assert (await asked(module.app, "GET", "/tools", "nobody"))[0] == 401
            code, tools = await asked(module.app, "GET", "/tools?form=mcp&profile=tiny", "of-mira")
            assert (code, [tool["name"] for tool in tools]) == (200, ["move"])
            code, reply = await asked(module.app, "POST", "/turns", "of-mira", hit)
            assert (code, reply["tool_feedback"]["failed_calls"][0]["reason"]) == (200, "not_permitted")
            code, reply = await asked(module.app, "POST", "/turns", "of-mira", step)
            assert (code, reply["applied_actions"][0]["result"]) == (200, {"to_area_id": "area_002"})
            assert "state_summary" not in reply
            harm["cause"] = "a splinter"
            code, reply = await asked(module.app, "POST", "/turns", "of-the-gm", hit)
            assert (code, reply["applied_actions"][0]["result"]) == (200, {"new_hp": 9})
            code, found = await asked(module.app, "GET", "/recall?query=aboard", "of-mira")
            assert (code, len(found["matches"])) == (200, 1)
            assert (await asked(module.app, "GET", "/tools?form=xml", "of-mira"))[0] == 400
            events = await first_event(module.app, "/records?after=2", "of-mira")
            assert events.startswith("id: 3\ndata: {")
            assert "splinter" not in events

    asyncio.run(use())


Scope = dict[str, Any]


def scope_of(method: str, target: str, token: str) -> Scope:
    path, _, query = target.partition("?")
    headers = [(b"authorization", f"Bearer {token}".encode()), (b"content-type", b"application/json")]
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.4"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": headers,
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
    }


async def asked(app: Any, method: str, target: str, token: str, body: Any = None) -> tuple[int, Any]:
    """Ask an ASGI application, and return the status and the JSON of its answer."""
    sent: list[Scope] = []

    async def receive() -> Scope:
        return {"type": "http.request", "body": json.dumps(body).encode() if body is not None else b""}

    async def send(message: Scope) -> None:
        sent.append(message)

    await app(scope_of(method, target, token), receive, send)
    return sent[0]["status"], json.loads(b"".join(one.get("body", b"") for one in sent[1:]))


async def first_event(app: Any, target: str, token: str) -> str:
    """Return the first part of a stream, and go away then."""
    came, told = asyncio.Event(), list[str]()

    async def receive() -> Scope:
        await came.wait()
        return {"type": "http.disconnect"}

    async def send(message: Scope) -> None:
        if text := message.get("body", b"").decode():
            told.append(text)
            came.set()

    streaming = asyncio.create_task(app(scope_of("GET", target, token), receive, send))
    await came.wait()
    streaming.cancel()
    await asyncio.gather(streaming, return_exceptions=True)
    return told[0]


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node")
def test_a_node_program_plays_over_json_lines(tmp_path: Path) -> None:
    path = crossing(tmp_path)
    environment = {"PATH": os.pathsep.join([str(program_folder(tmp_path)), os.environ["PATH"]])}
    lines = run(["node", str(EXAMPLES / "pipe.mjs"), str(path)], typed="", **environment)
    followed = [line for line in lines if line.startswith("record ")]
    assert followed == ["record 1: turn", "record 2: turn"]
    assert [line for line in lines if line not in followed] == [
        "tools: move, hp_delta, map_generate, find_tool, call_tool",
        "failed: Ferry Hold cannot be reached from area_001",
        'applied: {"to_area_id":"area_002"}',
        "recalled: Mira: To the Heron Ferry!",
        "the pipe ended with code 0",
    ]


def test_every_example_is_listed() -> None:
    page = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    assert [path.name for path in EXAMPLES.iterdir() if path.suffix != ".md" and f"]({path.name}" not in page] == []
