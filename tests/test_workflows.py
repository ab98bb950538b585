"""The workflow of the code host: what it runs exists, and it tries what the package says it supports."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

ROOT = Path(__file__).resolve().parent.parent
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def jobs(path: Path) -> dict[str, Any]:
    workflow = YAML(typ="safe", pure=True).load(path.read_text(encoding="utf-8"))
    assert {"name", "on", "permissions", "jobs"} <= set(workflow)
    found: dict[str, Any] = workflow["jobs"]
    return found


def commands(path: Path) -> list[str]:
    return [step["run"] for job in jobs(path).values() for step in job["steps"] if "run" in step]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_what_a_workflow_runs_exists(path: Path) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    wanted = {word for line in commands(path) if line.startswith("make ") for word in line.split()[1:]}
    assert {"check", "test", "docs"} <= wanted <= targets
    tests = {word for line in commands(path) for word in line.split() if word.startswith("tests/")}
    assert tests
    assert [name for name in tests if not (ROOT / name).exists()] == []


def test_the_matrix_holds_every_supported_python_and_system() -> None:
    matrix = jobs(ROOT / ".github/workflows/ci.yml")["smoke"]["strategy"]["matrix"]
    classifiers = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["classifiers"]
    supported = [one.rpartition(" ")[2] for one in classifiers if re.search(r":: 3\.\d+$", one)]
    assert matrix["python"] == supported
    assert matrix["os"] == ["ubuntu-latest", "macos-latest", "windows-latest"]
