"""One writer at a time, across processes, and nobody is locked out by the dead."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests import warm_python
from tests.store.kit import SECONDS, ended, python

from turnwright.model.errors import CampaignBusy
from turnwright.store import platform
from turnwright.store.files import Files
from turnwright.store.lock import LOCK_PATH, Lock

HOLD = """
import sys
from pathlib import Path
from turnwright.store import platform
from turnwright.store.files import Files
from turnwright.store.lock import Lock

with Lock(Files(Path(sys.argv[1]))).held(0):
    print("held", flush=True)
    sys.stdin.readline()
"""


@pytest.fixture(name="lock")
def fixture_lock(tmp_path: Path) -> Iterator[Lock]:
    lock = Lock(Files(tmp_path))
    yield lock
    lock.close()


@pytest.fixture(name="other")
def fixture_other(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """Give a process that holds the lock until it is sent a line."""
    process = python(HOLD, tmp_path)
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    yield process
    warm_python.kill(process)
    process.communicate()


def test_a_lock_that_another_process_holds_is_busy(lock: Lock, other: subprocess.Popen[str]) -> None:
    with pytest.raises(CampaignBusy), lock.held(0):
        pass


class Watch:
    """A clock that goes on only while somebody sleeps."""

    def __init__(self) -> None:
        self.now = 0.0
        self.pauses: list[float] = []

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self.now += seconds


def test_being_busy_is_said_only_after_the_wait(
    lock: Lock, other: subprocess.Popen[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Watch()
    monkeypatch.setattr("turnwright.store.lock.time", clock)
    with pytest.raises(CampaignBusy, match=r"0\.2 s"), lock.held(0.2):
        pass
    assert clock.now >= 0.2
    assert max(clock.pauses) <= 0.05


def test_who_waits_gets_the_lock_when_it_is_given_back(tmp_path: Path, other: subprocess.Popen[str]) -> None:
    waiting = python(HOLD.replace("held(0)", "held(60)"), tmp_path)
    assert other.poll() is None
    assert waiting.poll() is None
    ended(other)
    assert waiting.stdout is not None
    assert waiting.stdout.readline() == "held\n"
    ended(waiting)


def test_the_lock_of_a_process_that_is_killed_is_free(lock: Lock, other: subprocess.Popen[str]) -> None:
    warm_python.kill(other)
    other.wait(SECONDS)
    with lock.held(0):
        pass


def test_a_lock_given_back_can_be_taken_again(lock: Lock, tmp_path: Path) -> None:
    another = Lock(Files(tmp_path))
    for _ in range(2):
        with lock.held(0), pytest.raises(CampaignBusy), another.held(0):
            pass
        with another.held(0):
            pass
    another.close()


def test_an_error_inside_gives_the_lock_back(lock: Lock, tmp_path: Path) -> None:
    with pytest.raises(KeyError), lock.held(0):
        raise KeyError
    another = Lock(Files(tmp_path))
    with another.held(0):
        pass
    another.close()


@pytest.mark.parametrize("what", [LOCK_PATH, ".turnwright"])
def test_who_finds_its_lock_deleted_takes_the_one_that_others_see(lock: Lock, tmp_path: Path, what: str) -> None:
    with lock.held(0):
        pass
    place = tmp_path / what
    shutil.rmtree(place) if place.is_dir() else place.unlink()
    another = Lock(Files(tmp_path))
    with another.held(0), pytest.raises(CampaignBusy), lock.held(0):
        pass
    with lock.held(0), pytest.raises(CampaignBusy), another.held(0):
        pass
    another.close()


def test_who_finds_its_campaign_moved_away_takes_the_lock_of_the_one_in_its_place(tmp_path: Path) -> None:
    place, copy = tmp_path / "campaign", tmp_path / "copy"
    place.mkdir()
    lock, another = Lock(Files(place)), Lock(Files(place))
    with lock.held(0):
        pass
    shutil.copytree(place, copy)
    place.rename(tmp_path / "old")
    copy.rename(place)
    with another.held(0), pytest.raises(CampaignBusy), lock.held(0):
        pass
    with lock.held(0), pytest.raises(CampaignBusy), another.held(0):
        pass
    lock.close()
    another.close()


def test_a_lock_deleted_while_somebody_waits_for_it_is_not_taken(
    lock: Lock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, newcomer = tmp_path / LOCK_PATH, Lock(Files(tmp_path))
    with lock.held(0):
        holder = os.open(file, os.O_RDWR)
    assert platform.try_lock(holder)

    def meanwhile(_: float) -> None:
        file.unlink()
        os.close(holder)

    monkeypatch.setattr(time, "sleep", meanwhile)
    with lock.held(SECONDS), pytest.raises(CampaignBusy), newcomer.held(0):
        pass
    newcomer.close()
