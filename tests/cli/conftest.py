"""What all tests of commands share."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from tests import builders
from tests.tools.hall import hall_documents

from turnwright.cli.main import run

Turnwright = Callable[..., tuple[int, str, str]]
Play = Callable[..., str]
NOW = "--now=2026-01-14T16:05:31+00:00"


@pytest.fixture
def turnwright(capsys: pytest.CaptureFixture[str]) -> Turnwright:
    """Give a function that runs a command and returns exit code, stdout and stderr."""

    def call(*arguments: object) -> tuple[int, str, str]:
        code = run([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


@pytest.fixture
def play(turnwright: Turnwright, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Play:
    """Give a function that plays: a campaign, the model's answers, the lines typed; it returns what was told."""

    def run(
        campaign: Path,
        answers: Iterable[Any],
        *lines: str,
        options: Iterable[str] = (),
        model: str = "",
        error: str = "",
    ) -> str:
        script = tmp_path / "answers.jsonl"
        script.write_text("".join(f"{json.dumps(answer)}\n" for answer in answers), encoding="utf-8")
        monkeypatch.setenv("COLUMNS", "140")
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        code, out, err = turnwright("play", campaign, "--model", model or f"script:{script}", NOW, *options)
        assert (code, err.strip()) == (0, error), out + err
        assert "\x1b" not in out
        return out

    return run


@pytest.fixture
def hall(tmp_path: Path) -> Path:
    builders.begin(tmp_path / "hall", hall_documents()).close()
    return tmp_path / "hall"
