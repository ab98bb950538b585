"""No command reads a file or a line of any length whole: each has a bound, and says so."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest
from tests import builders
from tests.cli.conftest import Turnwright

from turnwright.cli._keyboard import MAX_LINE_LENGTH, Keyboard
from turnwright.store.files import MAX_FILE_BYTES


@pytest.fixture(name="huge")
def fixture_huge(tmp_path: Path) -> Path:
    """Give a file without blocks that is far too long."""
    huge = tmp_path / "huge"
    with huge.open("wb") as file:
        file.truncate(1 << 40)
    return huge


def test_files_that_commands_are_given_have_a_bound(tmp_path: Path, turnwright: Turnwright, huge: Path) -> None:
    builders.begin(tmp_path / "c").close()
    for arguments in (
        ("new", tmp_path / "n", "--from", huge),
        ("play", tmp_path / "c", "--model", f"script:{huge}"),
    ):
        code, _, err = turnwright(*arguments)
        assert (code, f"is longer than {MAX_FILE_BYTES} bytes" in err) == (64, True)
    assert not (tmp_path / "n" / "log.jsonl").exists()


class Endless(io.StringIO):
    """A line that is longer than anybody should keep, and one behind it; says how much was asked for at once."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.longest = 0

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
        line = super().readline(-1 if size is None else size)
        self.longest = max(self.longest, len(line))
        return line


@pytest.mark.parametrize(
    "too_long", ["a" * (3 * MAX_LINE_LENGTH), "a" * MAX_LINE_LENGTH + "\\\na\\\nb"], ids=["one", "many"]
)
def test_a_line_that_is_too_long_is_left_out_and_the_next_one_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], too_long: str
) -> None:
    lines = Endless(f"{too_long}\nlook\n{'b' * MAX_LINE_LENGTH}\n")
    monkeypatch.setattr(sys, "stdin", lines)
    with Keyboard(tmp_path) as keyboard:
        assert keyboard.line("> ") == "look"
        assert keyboard.line("> ") == "b" * MAX_LINE_LENGTH
        assert keyboard.line("> ") is None
    assert lines.longest <= MAX_LINE_LENGTH + 2
    assert capsys.readouterr().err.count("was left out") == 1
