"""What tests of the campaign directory share: looking at its files, forging its log, other processes."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests import warm_python

from turnwright.store import platform

Json = Any
ROOT = Path(__file__).resolve().parents[2]
CHECKPOINT = ".turnwright/checkpoint.sqlite3"
SECONDS = 60
"""How long another process may take before a test gives up on it."""


@pytest.fixture(autouse=True)
def unsynced(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """Spare the disk: nobody pulls the plug in a test, and syncing is what takes the time."""
    if "test_platform" not in request.module.__name__:
        monkeypatch.setattr(platform, "sync_file", lambda _: None)
        monkeypatch.setattr(platform, "sync_folder", lambda _: None)


def contents(path: Path) -> dict[str, bytes]:
    """Return every file of a campaign outside `.turnwright/`, by path."""
    found = (file for file in sorted(path.rglob("*")) if file.is_file() and not file.is_symlink())
    files = {file.relative_to(path).as_posix(): file.read_bytes() for file in found}
    return {name: data for name, data in files.items() if not name.startswith(".turnwright/")}


def log_of(path: Path) -> list[Json]:
    """Return the records of a campaign's log; only a line feed ends a line."""
    return [json.loads(line) for line in (path / "log.jsonl").read_bytes().split(b"\n") if line]


def kinds(path: Path) -> list[str]:
    """Return the kinds of the records of a campaign's log."""
    return [record["kind"] for record in log_of(path)]


def forget_checkpoint(path: Path) -> None:
    for file in (path / ".turnwright").glob("checkpoint.sqlite3*"):
        file.unlink()


def relog(path: Path, change: Callable[[list[Json]], object]) -> None:
    """Forge a log: change its records in place, chain them anew, and take the checkpoint away."""
    records = log_of(path)
    change(records)
    prev, lines = "0" * 64, []
    for record in records:
        record["prev"] = prev
        lines.append(json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode())
        prev = hashlib.sha256(lines[-1]).hexdigest()
    (path / "log.jsonl").write_bytes(b"".join(line + b"\n" for line in lines))
    forget_checkpoint(path)


def edit(file: Path, **fields: Any) -> None:
    """Edit a document as people do: other spacing, and some fields changed."""
    value = json.loads(file.read_text(encoding="utf-8")) | fields
    file.write_text(json.dumps(value, indent=4), encoding="utf-8")


def python(code: str, *args: object, stdout: int | None = subprocess.PIPE, **env: str) -> subprocess.Popen[str]:
    """Start another process that runs some code; `args` are its `sys.argv[1:]`."""
    is_about_start = any(name.startswith("PYTHON") for name in env)  # such words are for Python when it starts
    command = [*([sys.executable] if is_about_start else warm_python.command()), "-c", code, *map(str, args)]
    return subprocess.Popen(
        command,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": f"{ROOT / 'engine'}{os.pathsep}{ROOT}", **env},
        stdin=subprocess.PIPE,
        stdout=stdout,
        text=True,
    )


def ended(process: subprocess.Popen[str]) -> str:
    """Wait for another process, which must end well, and return what it printed."""
    out, _ = process.communicate(timeout=SECONDS)
    assert process.returncode == 0
    return out or ""
