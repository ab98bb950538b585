"""Clients that are not of the SDK which the server is made with: the inspector's command line, old and new."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tests.mcp.harness import begin_sample, http_server, turns_of_sample
from tests.mcp.node_tools import INSPECTOR, OLD_INSPECTOR, node_with

from turnwright import Campaign

pytestmark = pytest.mark.slow
FIGHTING = 10
"""The turns of the barrow after which its fight runs."""
PATIENCE = 120
_SCRIPT = ".bin/mcp-inspector"


class Program(NamedTuple):
    """One inspector.

    Attributes:
        package: what is installed.
        era: options that choose an era of the protocol.
        refused: how it ends when a tool answered with an error.
    """

    package: str
    era: tuple[str, ...]
    refused: int


PROGRAMS: Mapping[str, Program] = {
    "0.15": Program(OLD_INSPECTOR, (), 0),
    "2.12-legacy": Program(INSPECTOR, ("--protocol-era", "legacy"), 5),
    "2.12-modern": Program(INSPECTOR, ("--protocol-era", "modern"), 5),
}
Ask = Callable[..., dict[str, Any]]


@pytest.fixture(name="fight")
def fixture_fight(tmp_path: Path) -> Path:
    """Return a campaign in which a fight runs."""
    path = tmp_path / "barrow"
    with begin_sample(path, "barrow") as campaign:
        for turn in turns_of_sample("barrow")[:FIGHTING]:
            campaign.process(turn.read_bytes())
    return path


@pytest.fixture(name="target", params=["stdio", "http"])
def fixture_target(request: pytest.FixtureRequest, fight: Path) -> Iterator[list[str]]:
    """Give the words that tell an inspector which server to use."""
    if request.param == "stdio":
        yield over_stdio(fight)
        return
    with http_server(fight) as listening:
        yield [listening.url, "--transport", "http", "--header", f"Authorization: Bearer {listening['gm']}"]


def over_stdio(path: Path) -> list[str]:
    """Return the words for a server that the inspector starts: it passes on few variables of the environment."""
    found = os.environ.get("PYTHONPATH")
    passed_on = ["-e", f"PYTHONPATH={found}"] if found else []
    return [sys.executable, "-m", "turnwright", "mcp", str(path), *passed_on]


def inspector(program: Program, target: list[str], home: Path) -> Ask:
    """Return a function that runs an inspector once, and returns the result it printed."""
    node = node_with(program.package)
    home.mkdir(exist_ok=True)

    def ask(method: str, *options: str, code: int = 0) -> dict[str, Any]:
        command = node.command(_SCRIPT, "--cli", *target, *program.era, "--method", method, *options)
        run = subprocess.run(
            command, env=node.environment(home), capture_output=True, text=True, timeout=PATIENCE, check=False
        )
        assert run.returncode == code, run.stdout + run.stderr
        found: dict[str, Any] = json.loads(run.stdout)
        return found

    return ask


@pytest.mark.parametrize("name", PROGRAMS)
def test_an_inspector_lists_reads_and_calls(name: str, target: list[str], fight: Path, tmp_path: Path) -> None:
    program = PROGRAMS[name]
    ask = inspector(program, target, tmp_path / "home")
    tools = {tool["name"]: tool for tool in ask("tools/list")["tools"]}
    assert tools["execute_action"]["_meta"] == {"ui": {"resourceUri": "ui://turnwright/battlefield"}}
    assert tools["roll_dice"]["annotations"]["readOnlyHint"] is False

    addresses = [one["uri"] for one in ask("resources/list")["resources"]]
    assert {"turnwright://state", "turnwright://battlefield/encounter-1", "ui://turnwright/battlefield"} <= {*addresses}
    assert ask("resources/templates/list")["resourceTemplates"]
    (page,) = ask("resources/read", "--uri", "ui://turnwright/battlefield")["contents"]
    assert page["mimeType"] == "text/html;profile=mcp-app"
    assert page["text"].startswith("<!doctype html>")

    assert "start_session" in [one["name"] for one in ask("prompts/list")["prompts"]]
    (message,) = ask("prompts/get", "--prompt-name", "recap")["messages"]
    assert message["content"]["text"]

    thrown = ask("tools/call", "--tool-name", "roll_dice", "--tool-arg", "expression=2d6", "reason=a test")
    total = thrown["structuredContent"]["result"]["total"]
    assert thrown["content"][0]["text"].endswith(f"= {total}")
    options = ("--tool-name", "hp_delta", "--tool-arg", "target_character_id=nobody", "delta=-1", "cause=a stone")
    refused = ask("tools/call", *options, code=program.refused)
    assert (refused["isError"], refused["structuredContent"]["reason"]) == (True, "invalid_args")

    with Campaign.open(fight) as campaign:
        *_, applied, failed = campaign.records()
    assert applied["applied_actions"][0]["result"]["total"] == total
    assert (applied["status"], failed["status"]) == ("applied", "failed")


def test_the_schemas_of_all_tools_are_portable(fight: Path, tmp_path: Path) -> None:
    node = node_with(INSPECTOR)
    command = node.command(_SCRIPT, "--cli", *over_stdio(fight), "--method", "tools/list", "--strict")
    run = subprocess.run(command, env=node.environment(tmp_path), capture_output=True, text=True, timeout=PATIENCE)
    assert run.returncode == 0, run.stderr  # 6 where a schema is one that clients cannot read
    assert json.loads(run.stdout)["tools"]
