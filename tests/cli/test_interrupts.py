"""Ctrl-C while a command still starts: it ends like Ctrl-C later on, without a traceback."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

_INTERRUPTED = """
import runpy, sys

class Interrupts:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupts())
sys.argv = ["turnwright", *{arguments!r}]
runpy.run_module("turnwright", run_name="__main__")
"""


@pytest.mark.parametrize(
    ("module", "arguments"),
    [
        ("click", ["--help"]),
        ("turnwright.cli.main", ["--help"]),
        ("turnwright.cli._streams", ["--help"]),
        ("turnwright.cli.play_command", ["play", "nowhere", "--model", "echo"]),
        ("turnwright.campaign.campaign", ["show", "nowhere"]),
        ("turnwright.cli._output", ["check", "nowhere"]),
    ],
)
def test_an_interrupt_during_an_import_ends_quietly(module: str, arguments: list[str]) -> None:
    program = _INTERRUPTED.format(module=module, arguments=arguments)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr.strip() in ("", "stopped")


def test_the_installed_command_begins_where_imports_are_guarded() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["scripts"] == {"turnwright": "turnwright.__main__:main"}
