"""The recorded sessions of the page "Sessions", played again on a real terminal of 80 columns and 24 lines.

Each block of the page is typed as it stands: a line after `$ ` begins a program, what follows a prompt is typed there,
and `$ kill -9 %1` kills the program that still waits. Everything that is printed is compared with the page, or with
`--update-golden` written onto it:
`pytest tests/golden tests/cli/test_recorded_sessions.py -k recorded --update-golden`.
"""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.cli.test_play_terminal import Terminal
from tests.test_docs import matches

from turnwright.audit.verify import verify

PAGE = Path(__file__).parents[2] / "docs" / "sessions.md"
NOW = "2026-01-14T16:05:31+00:00"
COLUMNS, LINES = 80, 24
_BLOCK = re.compile(r"^<!-- (pty: ([\w-]+)|file: (\S+)) -->\n```\w+\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_PROMPT = re.compile(r"(?P<prompt>\S[^>\n]{0,75} > )(?P<typed>.*)")
_SPINNER = re.compile(r"\r\x1b\[K(?:[|/\\-] [^\r\n]*)?")
_STYLE = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")
KILL = "kill -9 %1"


class Step(NamedTuple):
    """One program of a session: its command line, and the lines that it shows, with what is typed into it."""

    command: str
    shown: str

    @property
    def prompts(self) -> list[tuple[str, str]]:
        """The prompts that are answered, each with what is typed there."""
        found = (_PROMPT.fullmatch(line) for line in self.shown.splitlines())
        return [(one["prompt"], one["typed"]) for one in found if one]


def sessions() -> dict[str, list[Step]]:
    """Return the sessions of the page by name."""
    text, named = PAGE.read_text(encoding="utf-8"), {}
    for _, name, _, block in _BLOCK.findall(text):
        if name:
            parts = re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
            named[name] = [Step(*part.split("\n", 1)) for part in parts]
    return named


def files() -> Iterator[tuple[str, str]]:
    """Yield the names and contents of the files that the page shows."""
    for _, _, name, content in _BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        if name:
            yield name, content


def plain(told: str) -> str:
    """Return what a terminal shows of what it was sent, without colors and signs of work."""
    return _STYLE.sub("", _SPINNER.sub("", told)).replace("\r\n", "\n").replace("\r", "")


def arguments(command: str) -> list[str]:
    words = shlex.split(command)
    assert words[0] == "turnwright"
    instant = ["--instant"] if words[1] == "play" else []
    return [*words[1:], *instant, "--now", NOW]


@pytest.mark.parametrize("name", ["alone", "review", "table-dice", "retcon"])
def test_a_recorded_session_is_what_happens(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, update_golden: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, sys.path)))
    for file, content in files():
        (tmp_path / file).write_text(content, encoding="utf-8")
    steps = sessions()[name]
    for step, following in zip(steps, [*steps[1:], None], strict=True):
        if step.command == KILL:
            continue
        is_killed = following is not None and following.command == KILL
        told = typed_again(step, is_killed=is_killed)
        if update_golden:
            record(step, told)
            continue
        shown = step.shown.rstrip("\n") if is_killed else step.shown
        assert matches(shown, told), f"$ {step.command}\n{told}"
        assert max(map(len, told.splitlines())) <= COLUMNS
    for campaign in tmp_path.glob("*/campaign.json"):
        assert not verify(campaign.parent).problems


def typed_again(step: Step, *, is_killed: bool) -> str:
    """Run a program on a terminal, type what the page shows, and return what the terminal shows."""
    words = ("-m", "turnwright", *arguments(step.command))
    with Terminal(*words, size=(COLUMNS, LINES), term="dumb", is_warm=True) as terminal:
        *answered, last = step.prompts or [("", "")]
        for prompt, typed in answered if is_killed else step.prompts:
            terminal.until(prompt)
            terminal.type(f"{typed}\n")
        if is_killed:
            terminal.until(last[0])
        else:
            assert terminal.end() == 0
    return plain(terminal.told)


def record(step: Step, told: str) -> None:
    """Write what happens now onto the page, but for seconds and tokens, which differ."""
    told = re.sub(r"\[(\d+ questions?), .*?; in all .*?\]", r"[\1, [...]]", told)
    told = re.sub(r"^  [\d,]+ tokens in", "  [...] tokens in", told, flags=re.MULTILINE)
    page = PAGE.read_text(encoding="utf-8")
    whole = f"{told.rstrip()}\n" if told.rstrip() == told.rstrip("\n") else f"{told}\n"
    PAGE.write_text(page.replace(f"$ {step.command}\n{step.shown}", f"$ {step.command}\n{whole}"), encoding="utf-8")


def test_every_session_of_the_page_is_played() -> None:
    assert sorted(sessions()) == ["alone", "retcon", "review", "table-dice"]
