"""A program that stays never waits for whoever reads its output, and obeys signals whoever reads."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread
from typing import Any, NamedTuple

import pytest
from tests import builders, warm_python
from tests.faults.processes import TURNWRIGHT

from turnwright.campaign.inbox_watcher import StopSign
from turnwright.cli._nonblocking_output import NonblockingOutput, words_of_dropped

PATIENCE = 60
"""Seconds after which a test gives up."""

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pipes and signals of POSIX")


class Pipe(NamedTuple):
    reading: int
    writing: int


@pytest.fixture(name="pipe")
def fixture_pipe() -> Iterator[Pipe]:
    pipe = Pipe(*os.pipe())
    yield pipe
    for descriptor in pipe:
        with suppress(OSError):
            os.close(descriptor)


def fill(pipe: Pipe) -> int:
    """Fill a pipe to the brim; return how many bytes it holds."""
    os.set_blocking(pipe.writing, False)
    held = 0
    for block in (b"." * 4096, b"."):
        with suppress(BlockingIOError):
            while True:
                held += os.write(pipe.writing, block)
    os.set_blocking(pipe.writing, True)
    return held


def read(pipe: Pipe, length: int) -> bytes:
    found = b""
    while len(found) < length and (block := os.read(pipe.reading, length - len(found))):
        found += block
    return found


def test_what_has_no_room_is_dropped_and_told_of_in_its_place(pipe: Pipe) -> None:
    held = fill(pipe)
    output = NonblockingOutput(pipe.writing, words_of_dropped, lambda _: None, room=30)
    for number in range(8):
        assert output.write(f"line {number:04}\n".encode()) == 10
    assert read(pipe, held) == b"." * held
    expected = b"line 0000\nline 0001\nline 0002\ndropped  5 lines that nobody read in time\n"
    assert read(pipe, len(expected)) == expected
    assert output.finish(PATIENCE) == 0  # the room that the notice took is free again
    output.write(b"line 0008\n")
    assert read(pipe, 10) == b"line 0008\n"
    assert output.finish(PATIENCE) == 0


def test_a_reader_that_left_is_told_of_once_and_nobody_waits(pipe: Pipe) -> None:
    told: list[OSError] = []
    output = NonblockingOutput(pipe.writing, words_of_dropped, told.append)
    os.close(pipe.reading)
    for _ in range(3):
        output.write(b"line\n")
        assert output.finish(PATIENCE) == 141
    assert [type(error) for error in told] == [BrokenPipeError]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is always full")
def test_output_that_cannot_be_written_is_told_by_the_exit_code() -> None:
    descriptor = os.open("/dev/full", os.O_WRONLY)
    output = NonblockingOutput(descriptor, words_of_dropped, lambda _: None)
    output.write(b"line\n")
    assert output.finish(PATIENCE) == 74
    os.close(descriptor)


def test_a_handler_may_say_stop_while_the_same_thread_holds_what_it_waits_with() -> None:
    sign, has_stopped = StopSign(), Event()

    def interrupted() -> None:
        with sign._changed:  # as a signal may find it
            sign.set()
        if sign.wait(0):
            has_stopped.set()

    Thread(target=interrupted, daemon=True).start()
    assert has_stopped.wait(PATIENCE)


@pytest.fixture(name="home")
def fixture_home(tmp_path: Path) -> Path:
    builders.begin(tmp_path / "c").close()
    return tmp_path / "c"


def drop(home: Path, count: int) -> None:
    for number in range(count):
        beside = home / "turns" / f".{number}"
        beside.write_text("{}", encoding="utf-8")
        beside.rename(home / "turns" / f"{number}.json")


def wait_for_turns(home: Path, count: int, process: subprocess.Popen[Any]) -> None:
    end = time.monotonic() + PATIENCE
    while len(list((home / "turns/done").glob("*.json"))) < count:
        assert process.poll() is None, "it ended"
        assert time.monotonic() < end, "it works no more"
        time.sleep(0.01)


def started(home: Path, stdout: Any, stderr: Any, *options: str) -> subprocess.Popen[Any]:
    command = [*warm_python.command(), *map(str, TURNWRIGHT), "watch", str(home), *options]
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr)


@pytest.mark.parametrize(("by", "options"), [(signal.SIGINT, ["--json"]), (signal.SIGTERM, [])])
def test_a_watch_whose_pipes_are_full_works_on_and_obeys(
    home: Path, pipe: Pipe, by: signal.Signals, options: list[str]
) -> None:
    fill(pipe)
    with started(home, pipe.writing, pipe.writing, *options) as process:
        drop(home, 3)
        wait_for_turns(home, 3, process)
        process.send_signal(by)
        assert process.wait(PATIENCE) == 0


def test_a_watch_whose_reader_left_works_on_and_says_so(home: Path, pipe: Pipe, tmp_path: Path) -> None:
    os.close(pipe.reading)
    errors = tmp_path / "errors"
    with errors.open("wb") as stderr, started(home, pipe.writing, stderr) as process:
        drop(home, 3)
        wait_for_turns(home, 3, process)
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 141
    told = errors.read_text(encoding="utf-8").splitlines()
    assert told[0] == f"watching {home}; stop with Ctrl-C"
    # A busy machine may write to the closed pipe only after it was told to stop.
    assert sorted(told[1:]) == ["standard output is dropped: nobody reads it any more", "stopped"]


def test_a_watch_tells_a_program_how_many_lines_it_dropped(home: Path, pipe: Pipe) -> None:
    held = fill(pipe)
    program = (
        "import sys, turnwright.cli._nonblocking_output as unhurried;"
        "unhurried.NonblockingOutput.__init__.__kwdefaults__['room'] = 1;"  # less than a line
        f"unhurried._LAST_WORDS_SECONDS = {PATIENCE};"
        "from turnwright.cli.main import main; main(sys.argv[1:])"
    )
    command = [*warm_python.command(), "-c", program, "watch", str(home), "--json"]
    with subprocess.Popen(command, stdout=pipe.writing, stderr=subprocess.DEVNULL) as process:
        drop(home, 3)
        wait_for_turns(home, 3, process)
        read(pipe, held)
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 0
    os.set_blocking(pipe.reading, False)
    assert sum(json.loads(line)["dropped"] for line in os.read(pipe.reading, 1000).splitlines()) == 3


def test_a_line_larger_than_all_room_is_told_of_at_once(pipe: Pipe) -> None:
    output = NonblockingOutput(pipe.writing, words_of_dropped, lambda _: None, room=30)
    output.write(b"." * 40 + b"\n")
    assert output.finish(PATIENCE) == 0
    os.set_blocking(pipe.reading, False)
    assert os.read(pipe.reading, 100) == b"dropped  1 line that nobody read in time\n"
