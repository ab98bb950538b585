"""`turnwright play` as a process: on a real terminal, and killed where it hurts."""

from __future__ import annotations

import json
import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

import pytest
from tests import builders, warm_python
from tests.builders import call, log_of
from tests.game_master.playing import says

from turnwright import Campaign
from turnwright.audit.verify import verify

PATIENCE = 60.0
SLOW = """
import sys, time
from turnwright.llm import catalog as models
from turnwright.llm.script import ScriptModel
plain, left = ScriptModel.answer, [int(sys.argv[1])]
def answer(self, request, on_text=None):
    print("ASKED", file=sys.stderr, flush=True)
    left[0] -= 1
    for _ in range(0 if left[0] else 1200):
        if on_text: on_text("word ")
        time.sleep(0.05)
    return plain(self, request, on_text)
ScriptModel.answer = answer
from turnwright.cli.main import run
sys.exit(run(sys.argv[2:]))
"""
"""turnwright, whose scripted models take their time when they are asked for the so-manyth time."""
TAKE_TERMINAL = """
import os, sys
os.close(os.open(os.ttyname(0), os.O_RDWR))  # the leader of a session gets the terminal it opens: Ctrl-C reaches it
os.execv(sys.argv[1], sys.argv[1:])
"""


class Silent(AssertionError):
    """Something was not told in time."""


class Terminal:
    """A process on a terminal of its own.

    Args:
        arguments: what stands behind `python` in the command line.
        size: the columns and lines.
        term: which terminal it says to be.
        is_warm: whether the process is a forked one, which gets its signals at second hand.
    """

    def __init__(
        self, *arguments: object, size: tuple[int, int] = (100, 40), term: str = "xterm", is_warm: bool = False
    ) -> None:
        self._ours, theirs = pty.openpty()
        self._is_warm = is_warm
        python = warm_python.command() if is_warm else [sys.executable]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "TERM": term}
        environment |= {"COLUMNS": str(size[0]), "LINES": str(size[1])}
        self.process = subprocess.Popen(
            [sys.executable, "-IS", "-c", TAKE_TERMINAL, *python, *map(str, arguments)],
            env=environment,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
        )
        os.close(theirs)
        self.told = ""
        self._heard = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        warm_python.kill(self.process) if self._is_warm else self.process.kill()
        self.process.wait()
        os.close(self._ours)

    def until(self, text: str, patience: float = PATIENCE) -> str:
        """Read until something is told after what was waited for last, and return what was told up to it."""
        begun, latest = self._heard, time.monotonic() + patience
        while (found := self.told.find(text, begun)) < 0:
            ready, _, _ = select.select([self._ours], [], [], max(0.0, latest - time.monotonic()))
            if not ready:
                raise Silent(f"{text!r} was not told, but {self.told[begun:]!r}")
            self.told += self._read() or self._ended(text)
        self._heard = found + len(text)
        return self.told[begun : self._heard]

    def _read(self) -> str:
        try:
            return os.read(self._ours, 65536).decode(errors="replace")
        except OSError:
            return ""

    def _ended(self, text: str) -> str:
        raise AssertionError(f"it ended before it told {text!r}: {self.told!r}")

    def type(self, text: str) -> None:
        os.write(self._ours, text.encode())

    def interrupt(self, text: str) -> None:
        """Press Ctrl-C until something is told: Python may miss one in the moment before it waits for a key."""
        for _ in range(4):
            self._until_asleep()
            self.type("\x03")
            try:
                self.until(text, PATIENCE / 4)
            except Silent:
                continue
            return
        raise Silent(text)

    def _until_asleep(self) -> None:
        """Wait until it waits for something, which after a prompt is a key; at once where the system does not tell."""
        about, latest = Path(f"/proc/{self.process.pid}/stat"), time.monotonic() + PATIENCE
        while about.exists() and about.read_text().rpartition(")")[2].split()[0] != "S":
            assert time.monotonic() < latest
            os.sched_yield()

    def end(self) -> int:
        while piece := self._read():
            self.told += piece
        return self.process.wait(PATIENCE)


@pytest.fixture
def delve(tmp_path: Path) -> Iterator[Path]:
    with Campaign.new(tmp_path / "delve", "delve", seed="x", clock=builders.clock):
        pass
    yield tmp_path / "delve"
    if (tmp_path / "delve" / "log.jsonl").exists():
        assert not verify(tmp_path / "delve").problems


def script(path: Path, *lines: Any) -> str:
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    return f"script:{path}"


def slow(delve: Path, asked: int, model: str) -> Terminal:
    return Terminal("-c", SLOW, asked, "play", delve, "--model", model, "--instant")


def test_a_session_on_a_terminal(delve: Path, tmp_path: Path) -> None:
    model = script(tmp_path / "s", says("It is dark."), says("It is still dark."))
    with Terminal("-m", "turnwright", "play", delve, "--model", model) as terminal:
        terminal.until("Ilse > ")
        terminal.type("I look around\n")
        terminal.until("It is dark.")
        terminal.until("Ilse > ")
        terminal.type("\x1b[A again\n")  # the line before, and more
        terminal.until("It is still dark.")
        terminal.until("Ilse > ")
        terminal.type("/quit\n")
        assert terminal.end() == 0
    assert log_of(delve)[3]["user_input"] == "I look around again"
    history = delve / ".turnwright" / "play_history"
    assert "I look around again" in history.read_text(encoding="utf-8")
    assert history.stat().st_mode & 0o077 == 0


def test_the_tab_key_completes_commands_and_names(delve: Path) -> None:
    with Terminal("-m", "turnwright", "play", delve, "--model=none") as terminal:
        terminal.until("Ilse > ")
        terminal.type("/mov\t")
        terminal.until("/move ")
        terminal.type("shaft\t")
        terminal.until("Head")
        terminal.type("\n")
        terminal.until("Ilse goes to Shaft Head")
        terminal.until("Ilse > ")
        terminal.type("/quit\n")
        assert terminal.end() == 0
    assert log_of(delve)[-1]["applied_actions"][0]["args"]["to_area_id"] == "shaft_head"


@pytest.mark.slow
def test_lines_of_earlier_sessions_are_at_hand(delve: Path, tmp_path: Path) -> None:
    for expected in ("I knock", "I knock"):
        with Terminal("-m", "turnwright", "play", delve, "--model", script(tmp_path / "s", says("Yes?"))) as terminal:
            terminal.until("Ilse > ")
            terminal.type("I knock\n" if len(log_of(delve)) == 1 else "\x1b[A\x1b[A\n")
            terminal.until("Yes?")
            terminal.until("Ilse > ")
            terminal.type("\x04")
            assert terminal.end() == 0
        assert log_of(delve)[-2]["user_input"] == expected


def test_ctrl_c_stops_the_model_and_the_session_goes_on(delve: Path, tmp_path: Path) -> None:
    model = script(tmp_path / "s", says("Too late."))
    with slow(delve, 1, model) as terminal:
        terminal.until("Ilse > ")
        terminal.type("I listen\n")
        terminal.until("tokens")  # what it wrote so far is counted
        terminal.type("\x03")
        terminal.until("! stopped; what was said is kept")
        terminal.until("Ilse > ")
        terminal.type("/state\n")
        terminal.until("Shaft Head")
        terminal.type("/quit\n")
        assert terminal.end() == 0
    assert [record.get("user_input") for record in log_of(delve)[1:]] == ["I listen"]


@pytest.mark.slow
def test_ctrl_c_twice_at_the_prompt_leaves(delve: Path) -> None:
    with Terminal("-m", "turnwright", "play", delve, "--model=echo") as terminal:
        terminal.until("Ilse > ")
        terminal.interrupt("once more")
        terminal.until("Ilse > ")
        terminal.interrupt("everything is in the log")
        assert terminal.end() == 0


@pytest.mark.parametrize("asked", [pytest.param(1, marks=pytest.mark.slow), 2])
def test_a_session_that_is_killed_in_the_middle_of_an_exchange_goes_on(delve: Path, tmp_path: Path, asked: int) -> None:
    """kill -9 while the model is asked for the first time, or after its calls were applied."""
    made = [says("", call("move", actor_id="ilse", to_area_id="shaft_head")), says("You are down there.")]
    model = script(tmp_path / "s", *made)
    with slow(delve, asked, model) as terminal:
        terminal.until("Ilse > ")
        terminal.type("I go down\n")
        for _ in range(asked):
            terminal.until("ASKED")
        terminal.process.send_signal(signal.SIGKILL)
        terminal.process.wait(PATIENCE)
    assert len(log_of(delve)) == asked + 1
    rest = script(tmp_path / "rest", *made[asked - 1 :])
    with Terminal("-m", "turnwright", "play", delve, "--model", rest, "--instant") as terminal:
        terminal.until("going on where play stopped")
        terminal.until("You are down there.")
        terminal.until("Ilse > ")
        terminal.type("/quit\n")
        assert terminal.end() == 0
    told = [(record.get("user_input"), record.get("assistant_text")) for record in log_of(delve)[1:]]
    assert told == [("I go down", None), (None, None), (None, "You are down there.")]
    with Campaign.open(delve) as campaign:
        assert campaign.state["characters/ilse.json"]["position"] == "shaft_head"


def test_what_is_piped_needs_no_terminal(delve: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "turnwright", "play", delve, "--model", script(tmp_path / "s", says("It is dark."))],
        input="I look around\n",
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        check=True,
        timeout=PATIENCE,
    )
    assert "Ilse > I look around\nIt is dark.\n" in done.stdout
    assert "\x1b" not in done.stdout
    assert done.stderr == ""
