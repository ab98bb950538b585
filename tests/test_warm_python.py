"""A forked process is what Python started anew would be, as far as those who start one can tell."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests import warm_python

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="nothing forks there")
TELL = """
import json, os, sys
mask = os.umask(0)
told = [sys.argv, os.getcwd(), mask, os.environ.get("TOLD"), os.environ.get("HOME"), sys.path[0], sys.stdin.read()]
print(json.dumps([*told, sys.stdout.encoding, sys.stdout.isatty(), __name__]), flush=True)
print("an error", file=sys.stderr)
sys.exit(7)
"""


def run(*command: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(command, input=b"asked", env=os.environ | environment, capture_output=True, check=False)


def test_it_has_what_a_process_has_and_ends_as_one_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("HOME", raising=False)
    before = os.umask(0o27)
    try:
        forked, started = (
            run(*python, "-c", TELL, "one", "zwei ü", TOLD="so") for python in (warm_python.command(), [sys.executable])
        )
    finally:
        os.umask(before)
    assert (forked.returncode, forked.stdout, forked.stderr) == (started.returncode, started.stdout, started.stderr)
    assert json.loads(forked.stdout)[:4] == [["-c", "one", "zwei ü"], str(tmp_path), 0o27, "so"]
    assert (forked.returncode, forked.stderr) == (7, b"an error\n")


@pytest.mark.parametrize("arguments", [["--version"], ["nonsense"], ["show", "nowhere"]])
def test_the_program_says_the_same(arguments: list[str]) -> None:
    forked, started = (
        run(*python, "-m", "turnwright", *arguments) for python in (warm_python.command(), [sys.executable])
    )
    assert (forked.returncode, forked.stdout, forked.stderr) == (started.returncode, started.stdout, started.stderr)


def sleeper(handling: str = "") -> subprocess.Popen[bytes]:
    program = f"import os, signal, sys, time\n{handling}\nprint(os.getpid(), flush=True)\ntime.sleep(600)"
    return subprocess.Popen([*warm_python.command(), "-c", program], stdout=subprocess.PIPE)


def test_signals_reach_it_and_its_death_by_one_is_told() -> None:
    with sleeper("signal.signal(signal.SIGTERM, lambda *_: sys.exit(3))") as handled, sleeper() as unhandled:
        for process, code in ((handled, 3), (unhandled, -signal.SIGTERM)):
            assert process.stdout is not None
            process.stdout.readline()
            process.terminate()
            assert process.wait(60) == code


def test_who_is_killed_is_dead_at_once() -> None:
    with sleeper() as process:
        assert process.stdout is not None
        pid = int(process.stdout.readline())
        warm_python.kill(process)
        assert process.wait(60) == -signal.SIGKILL
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_what_is_read_at_the_start_is_refused() -> None:
    refused = run(*warm_python.command(), "-c", "pass", PYTHONHASHSEED="7")
    assert refused.returncode == 99
    assert b"PYTHONHASHSEED is read when Python starts" in refused.stderr
