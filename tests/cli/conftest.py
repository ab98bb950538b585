"""What all tests of commands share."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from turnwright.cli.main import run

Turnwright = Callable[..., tuple[int, str, str]]


@pytest.fixture
def turnwright(capsys: pytest.CaptureFixture[str]) -> Turnwright:
    """Give a function that runs a command and returns exit code, stdout and stderr."""

    def call(*arguments: object) -> tuple[int, str, str]:
        code = run([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call
