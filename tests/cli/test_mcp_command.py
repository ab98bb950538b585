"""`turnwright mcp`: what it refuses, and what it prints for clients."""

from __future__ import annotations

import json
import shlex
import sys
from importlib.metadata import requires
from pathlib import Path
from typing import Any

import pytest
from tests.builders import begin
from tests.cli.conftest import Turnwright, turnwright

from turnwright.cli.mcp_command import CLIENTS

__all__ = ["turnwright"]


@pytest.fixture(name="path")
def fixture_path(tmp_path: Path) -> Path:
    begin(tmp_path / "table").close()
    return tmp_path / "table"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--as", "master"], "--as wants"),
        (["--as", "gm", "--as", "player:pc_001"], "want --http"),
        (["--no-token"], "want --http"),
        (["--token-file", "tokens"], "want --http"),
        (["--http", "--no-token", "--token-file", "tokens"], "exclude each other"),
        (["--http", "--no-token", "--host", "0.0.0.0"], "loopback"),
        (["--as", "player:pc_009"], "pc_009 is not in the party; did you mean"),
        (["--as", "player:mira"], "mira is not in the party; did you mean pc_001?"),
        (["--as", "player:"], "a player needs the id of a character"),
        (["--as", "player:pc_001", "--allow", "undo"], "only the game master can undo"),
        (["--profile", "huge"], "--profile"),
    ],
)
def test_what_cannot_be_served_is_refused(turnwright: Turnwright, path: Path, arguments: list[str], told: str) -> None:
    code, _, err = turnwright("mcp", path, *arguments)
    assert code == 64
    assert told in err


def test_without_the_extra_it_says_what_to_install(
    turnwright: Turnwright, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("turnwright.cli.mcp_command.find_spec", lambda _: None)
    needed = next(line.partition(";")[0] for line in requires("turnwright") or () if "'mcp'" in line)
    command = shlex.join([sys.executable, "-m", "pip", "install", needed])
    code, out, err = turnwright("mcp", path)
    assert (code, out, err) == (64, "", f"error  `turnwright mcp` needs more packages: {command}\n")
    code, out, err = turnwright("mcp", path, "--print-config", "claude-desktop")
    assert code == 0
    assert json.loads(out)["mcpServers"]
    assert err == f"warning  the client cannot start it yet: `turnwright mcp` needs more packages: {command}\n"


@pytest.mark.parametrize("client", CLIENTS)
def test_each_client_gets_what_it_wants_to_be_told(turnwright: Turnwright, path: Path, client: str) -> None:
    options = ["--as", "player:pc_001", "--profile", "core"]
    code, out, _ = turnwright("mcp", path, *options, "--print-config", client)
    assert code == 0
    if client == "claude-code":
        words = shlex.split(out)
        assert words[: words.index("--")] == ["claude", "mcp", "add", "turnwright"]
        command = words[words.index("--") + 1 :]
    else:
        told: Any = json.loads(out)
        (servers,) = told.values()
        if client == "http":
            assert servers["turnwright"]["url"] == "http://127.0.0.1:8765/mcp"
            return
        command = [servers["turnwright"]["command"], *servers["turnwright"]["args"]]
    assert Path(command[0]).is_absolute()
    assert command[command.index("mcp") :] == ["mcp", str(path), *options]
