"""The programs in `examples/` do what they say."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples"


def run(command: list[str], typed: str, **environment: str) -> list[str]:
    """Run a program and return the lines it prints."""
    env = {**os.environ, "PYTHONPATH": str(ROOT / "engine"), "PYTHONUTF8": "1", **environment}
    done = subprocess.run(command, input=typed, env=env, capture_output=True, encoding="utf-8", timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


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
    programs = tmp_path / "programs"
    programs.mkdir()
    program = programs / "turnwright"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m turnwright "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    path = os.pathsep.join([str(programs), os.environ["PATH"]])
    lines = run(["sh", str(EXAMPLES / "play_turn.sh"), str(tmp_path / "walk")], typed="", PATH=path)
    assert lines[1:] == [
        "failed; the hint allows: area_002",
        "         applied   move  pc_001 goes to Next Area (area_002)",
    ]


def test_every_example_is_listed() -> None:
    page = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    assert [path.name for path in EXAMPLES.iterdir() if path.suffix != ".md" and f"]({path.name}" not in page] == []
