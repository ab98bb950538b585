"""What somebody meets who has read the README and nothing else: lines to paste, refusals, and names."""

from __future__ import annotations

import os
import shlex
import subprocess
from pathlib import Path

import pytest
from tests import warm_python
from tests.cli.conftest import NOW, Turnwright

ROOT = Path(__file__).resolve().parent.parent.parent


def installed(folder: Path) -> Path:
    """Return the path of a program in a folder of its own, which no shell finds by its name."""
    path = folder / "bin" / "turnwright"
    path.parent.mkdir()
    program = "import sys; del sys.argv[0]; from turnwright.cli.main import main; main()"
    python = shlex.join([*warm_python.command(), "-c", program])
    path.write_text(f'#!/bin/sh\nexec {python} "$0" "$@"\n', encoding="utf-8")
    path.chmod(0o755)
    return path


def shell(line: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a line as a shell does whose PATH has no turnwright."""
    environment = os.environ | {"PATH": "/usr/bin:/bin", "TURNWRIGHT": "bin/turnwright"}
    return subprocess.run(
        ["bash", "-c", line], capture_output=True, text=True, cwd=folder, env=environment, check=False
    )


def test_the_lines_that_the_demonstration_prints_can_be_pasted(tmp_path: Path) -> None:
    installed(tmp_path)
    shown = shell(f"bash {shlex.quote(str(ROOT / 'scripts' / 'demo.sh'))}", tmp_path)
    assert shown.returncode == 0, shown.stderr
    printed = [line.strip("\033[01m ") for line in shown.stdout.splitlines() if "\033" in line]
    begun = next(line.removeprefix("$ ") for line in printed if line.startswith("$ bin/turnwright new "))
    again = shell(begun.replace("demo/oxbow", "again"), tmp_path)
    assert again.returncode == 0, again.stderr
    assert "play it: bin/turnwright play again\n" in again.stdout
    behind = shown.stdout.partition("Next:")[2].splitlines()
    following = [line.strip() for line in behind if line.startswith("  bin/turnwright")]
    assert [shell(f"{line} < /dev/null", tmp_path).returncode for line in following] == [0, 0]


@pytest.mark.parametrize(
    "arguments",
    [
        ("--new", "heist"),
        ("--new", "scenes", "--model", "none"),
        ("--new", "heist", "--model", "echo", "--approve", "human"),
        ("--new", "delve", "--as", "player:nobody"),
        ("--new", "nowhere"),
        ("--new", "delve", "--set", "agents.profile=huge"),
    ],
)
def test_a_session_that_cannot_begin_leaves_no_campaign_behind(
    turnwright: Turnwright, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    place = tmp_path / "evening"
    code, _, err = turnwright("play", place, *arguments)
    assert (code, err[:7], place.exists()) == (64, "error  ", False)


def test_a_scene_game_says_which_line_plays_it(turnwright: Turnwright, tmp_path: Path) -> None:
    place = tmp_path / "the ship"
    code, out, _ = turnwright("new", place, "--game", "scenes", NOW)
    assert code == 0
    line = next(line for line in out.splitlines() if "turnwright play" in line)
    assert shlex.split(line.partition(": ")[2])[:4] == ["turnwright", "play", str(place), "--model"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("undoo",), "there is no command 'undoo'; did you mean undo?"),
        (("redo",), "there is no command 'redo'; `turnwright undo CAMPAIGN --redo` does it"),
        (("undo",), "Missing argument 'CAMPAIGN'."),
        (("undo", "nowhere", "3", "--redo"), "TURN and --exchange or --redo exclude each other"),
        (("map", "nowhere", "--sgv"), "No such option '--sgv'."),
    ],
)
def test_wrong_usage_is_told_as_every_other_error(
    turnwright: Turnwright, arguments: tuple[str, ...], told: str
) -> None:
    code, _, err = turnwright(*arguments)
    first, usage = err.splitlines()
    assert code == 64
    assert first.startswith(f"error  {told}")
    assert usage.startswith("  usage: ")
    assert "--help" in usage


@pytest.mark.parametrize(
    ("key", "told"),
    [
        ("narration", "the text of the game master goes in assistant_text"),
        ("narrative", "the text of the game master goes in assistant_text"),
        ("player_input", "what a player says goes in user_input"),
        ("calls", "calls of tools go in tool_calls"),
    ],
)
def test_a_turn_file_in_other_words_is_told_what_goes_where(
    turnwright: Turnwright, tmp_path: Path, key: str, told: str
) -> None:
    turnwright("new", tmp_path / "c", NOW)
    (tmp_path / "turn.json").write_text(f'{{"{key}": "It rains."}}')
    code, out, _ = turnwright("process", tmp_path / "c", tmp_path / "turn.json")
    assert code == 2
    assert f'"{key}" is no key of a turn; {told}' in out
