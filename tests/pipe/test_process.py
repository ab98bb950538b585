"""`turnwright pipe` as a process: how it ends, and that nothing is torn when it does."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from tests import warm_python
from tests.builders import PEOPLE, area, begin, documents, move, turn

from turnwright import Campaign

AREAS = [area("area_001", "area_002"), area("area_002", "area_001")]
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="signals and pipes of POSIX")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    begin(tmp_path / "c", documents(PEOPLE, AREAS)).close()
    return tmp_path / "c"


@contextmanager
def pipe(home: Path, *options: str) -> Iterator[subprocess.Popen[bytes]]:
    command = [*warm_python.command(), "-m", "turnwright", "pipe", str(home), *options]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
    ) as process:
        try:
            yield process
        finally:
            warm_python.kill(process)


def write(process: subprocess.Popen[bytes], *requests: Any) -> None:
    assert process.stdin is not None
    process.stdin.write(b"".join(json.dumps(request).encode() + b"\n" for request in requests))


def read(process: subprocess.Popen[bytes]) -> Any:
    assert process.stdout is not None
    return json.loads(process.stdout.readline())


def close_input(process: subprocess.Popen[bytes]) -> None:
    assert process.stdin is not None
    process.stdin.close()


def step(number: int) -> dict[str, Any]:
    there, back = move("area_002"), move("area_001", "area_002")
    return {"id": number, "op": "turn", "turn": turn(back if number % 2 else there)}


def test_it_ends_with_its_input(home: Path) -> None:
    with pipe(home) as process:
        write(process, step(0))
        assert read(process)["result"]["status"] == "applied"
        write(process, {"id": 1, "op": "follow"})
        assert read(process)["result"] == {"following": True}
        close_input(process)
        assert process.wait(60) == 0
        assert process.stderr is not None
        assert process.stderr.read() == b""


def test_an_input_that_is_closed_is_one_that_has_ended(home: Path) -> None:
    command = f'exec "{sys.executable}" -m turnwright pipe "{home}" <&-'
    done = subprocess.run(["/bin/sh", "-c", command], capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@POSIX
def test_streams_that_do_not_wait_by_themselves_are_waited_for(home: Path) -> None:
    source, into = os.pipe()
    out, sink = os.pipe()
    os.set_blocking(source, False)
    os.set_blocking(sink, False)
    command = [*warm_python.command(), "-m", "turnwright", "pipe", str(home)]
    asked = [{"id": number, "op": "tools", "form": "openai"} for number in range(100)]
    with (
        subprocess.Popen(command, stdin=source, stdout=sink, stderr=subprocess.PIPE) as process,
        os.fdopen(into, "wb", buffering=0) as requests,
        os.fdopen(out, "rb") as answers,
    ):
        try:
            os.close(source)
            os.close(sink)
            requests.write(json.dumps({"id": "first", "op": "legal"}).encode() + b"\n")
            assert json.loads(answers.readline())["id"] == "first"  # it waits for more now, with nothing to read
            requests.write(b"".join(json.dumps(one).encode() + b"\n" for one in asked))
            assert process.stderr is not None
            with suppress(subprocess.TimeoutExpired):
                process.wait(2)  # long enough to fill what the system holds
            requests.close()
            lines = answers.readlines()
            assert [json.loads(line)["id"] for line in lines] == [one["id"] for one in asked]
            assert sum(map(len, lines)) > 1 << 16
            assert (process.wait(60), process.stderr.read()) == (0, b"")
        finally:
            warm_python.kill(process)


@POSIX
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_while_it_waits_and_while_it_follows(home: Path, number: int) -> None:
    for request in ({"id": 1, "op": "legal"}, {"id": 1, "op": "follow"}):
        with pipe(home) as process:
            write(process, request)
            assert read(process)["ok"]
            process.send_signal(number)
            assert process.wait(60) == 0
            assert process.stdout is not None
            assert process.stdout.read() == b""
            assert process.stderr is not None
            assert process.stderr.read() == b""


@POSIX
def test_a_signal_ends_it_where_nobody_reads(home: Path) -> None:
    with pipe(home) as process:
        write(process, *({"id": number, "op": "legal"} for number in range(60)))
        assert process.stdout is not None
        assert os.read(process.stdout.fileno(), 1)  # it has begun to write, and the pipe fills up
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
    with Campaign.open(home) as campaign:
        assert len(list(campaign.records())) == 1


@POSIX
def test_it_ends_when_its_reader_leaves(home: Path) -> None:
    with pipe(home) as process:
        write(process, step(0))
        assert read(process)["ok"]
        assert process.stdout is not None
        process.stdout.close()
        write(process, step(1))
        assert process.wait(60) == 0
        assert process.stderr is not None
        assert process.stderr.read() == b""
    with Campaign.open(home) as campaign:
        assert [record["kind"] for record in campaign.records()] == ["new", "turn", "turn"]


@POSIX
def test_a_pipe_that_is_killed_leaves_what_it_answered(home: Path) -> None:
    with pipe(home) as process:
        for number in range(3):
            write(process, step(number))
            assert read(process)["ok"]
        warm_python.kill(process)
        process.wait(60)
    with pipe(home) as process:
        write(process, step(3))
        assert read(process)["result"]["seq"] == 4


def test_two_pipes_serve_one_campaign_and_each_hears_of_the_other(home: Path) -> None:
    with pipe(home) as one, pipe(home) as other:
        write(other, {"id": "f", "op": "follow"})
        assert read(other)["ok"]
        for number in range(4):
            write(one if number % 2 else other, step(number))
            told = read(one) if number % 2 else next(line for line in iter(lambda: read(other), None) if "id" in line)
            assert told["result"]["seq"] == number + 1
        close_input(other)
        close_input(one)
    with Campaign.open(home) as campaign:
        assert len(list(campaign.records())) == 5


@pytest.mark.parametrize(
    ("options", "code", "told"),
    [(["--as", "pc_001"], 64, b"--as wants gm"), (["--as", "player:nobody"], 64, b"not in the party")],
)
def test_a_role_that_there_is_not_is_refused(home: Path, options: list[str], code: int, told: bytes) -> None:
    command = [*warm_python.command(), "-m", "turnwright", "pipe", str(home), *options]
    done = subprocess.run(command, input=b'{"id": 1, "op": "legal"}\n', capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (code, b"")
    assert told in done.stderr
