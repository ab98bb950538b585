"""A process that forks with a campaign open: parent and children write as if each had opened it by itself."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests import builders
from tests.sampling import count
from tests.store.kit import ended, log_of, python

from turnwright import Campaign
from turnwright.audit.verify import verify

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="the system does not fork")

BEGIN = """
import os, sys
from tests import builders
from turnwright import Campaign
from turnwright.store import platform

platform.sync_file = platform.sync_folder = lambda _: None
campaign = Campaign.open(sys.argv[1], builders.clock, wait=60)
campaign.process({"turn_id": "first"})


def tell(what):
    os.write(1, f"{what}\\n".encode())  # in one piece: others tell at the same time


def take(name, count):
    for number in range(count):
        tell(campaign.process({"turn_id": f"{name}-{number}"})["turn_id"])


def forked(work):
    if child := os.fork():
        return child
    try:
        work()
        os._exit(0)
    finally:
        os._exit(1)


def require_end(child):
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
"""


@pytest.fixture(name="path")
def fixture_path(campaign: Campaign, tmp_path: Path) -> Path:
    campaign.close()
    return tmp_path / "campaign_0"


def told_by(path: Path, code: str) -> list[str]:
    """Return what a program printed, which must leave the campaign sound."""
    told = ended(python(BEGIN + code, path)).split()
    assert verify(path).problems == ()
    return told


def turn_ids(path: Path) -> list[str]:
    return [record["turn_id"] for record in log_of(path)[1:]]


def test_no_turn_that_was_told_is_lost_however_many_processes_have_the_campaign(path: Path) -> None:
    code = """
children = [forked(lambda: take(name, 60)) for name in ("one", "two")]
take("parent", 60)
for child in children:
    require_end(child)
campaign.close()
"""
    told = told_by(path, code)
    assert sorted(turn_ids(path)) == sorted(["first", *told])
    assert len(told) == 180


def test_a_fork_waits_for_the_turns_of_other_threads(path: Path) -> None:
    code = """
from threading import Thread

thread = Thread(target=take, args=("thread", 100))
thread.start()
for number in range(10):
    require_end(forked(lambda: take(f"child-{number}", 1)))
thread.join()
campaign.close()
"""
    told = told_by(path, code)
    assert sorted(turn_ids(path)) == sorted(["first", *told])
    assert len(told) == 110


def test_what_the_child_opens_anew_outlasts_what_the_parent_closes(path: Path) -> None:
    """As long as the parent's connection is known to SQLite in the child, its own one holds no lock that others see."""
    code = """
is_open, opened = os.pipe()
is_closed, closed = os.pipe()


def child():
    with Campaign.open(sys.argv[1], builders.clock, lag=0) as own:
        own.process({"turn_id": "before"})
        os.write(opened, b"x")
        os.read(is_closed, 1)
        own.process({"turn_id": "after"})
        tell(os.path.exists(os.path.join(sys.argv[1], ".turnwright/checkpoint.sqlite3-wal")))


started = forked(child)
os.read(is_open, 1)
campaign.close()
os.write(closed, b"x")
require_end(started)
"""
    assert told_by(path, code) == ["True"]
    assert turn_ids(path) == ["first", "before", "after"]


def test_what_the_parent_is_behind_with_the_parent_writes(path: Path) -> None:
    code = """
campaign.flush()
campaign._writer._behind._pause = 60
campaign.process(builders.turn(builders.hp_delta(-1), turn_id="second"))


def child():
    assert campaign.state["characters/pc_001.json"]["hp"] == 9
    campaign.process(builders.turn(builders.hp_delta(-1), turn_id="third"))
    campaign.close()


require_end(forked(child))
campaign.close()
"""
    told_by(path, code)
    assert turn_ids(path) == ["first", "second", "third"]
    assert builders.on_disk(path)["characters/pc_001.json"]["hp"] == 8


def test_a_fork_waits_until_nobody_reads(path: Path) -> None:
    """A child that finds SQLite's own locks taken, by a thread that it does not have, would wait for ever."""
    code = """
from threading import Event, Thread

campaign.flush()
enough = Event()


def read():
    while not enough.is_set():
        campaign.query("move_options", {})


readers = [Thread(target=read) for _ in range(3)]
for reader in readers:
    reader.start()
for _ in range(FORKS):
    require_end(forked(lambda: None))
enough.set()
for reader in readers:
    reader.join()
campaign.close()
"""
    told_by(path, code.replace("FORKS", str(count(quick=25, thorough=80))))


def test_what_is_read_across_a_fork_is_read_in_both(path: Path) -> None:
    code = """
campaign.flush()
with campaign.reading() as world:
    def child():
        tell(world.campaign.id)
        with Campaign.open(sys.argv[1], builders.clock, lag=0) as own:
            own.process({"turn_id": "child"})

    require_end(forked(child))
    tell(world.character("pc_001").id)
campaign.close()
"""
    assert told_by(path, code) == ["plain", "pc_001"]
    assert turn_ids(path) == ["first", "child"]


def test_a_child_that_leaves_what_the_parent_reads_goes_on_by_itself(path: Path) -> None:
    code = """
campaign.flush()
reading = campaign.reading()
world = reading.__enter__()


def child():
    reading.__exit__(None, None, None)
    tell(campaign.state["characters/pc_001.json"]["hp"])


require_end(forked(child))
tell(world.character("pc_001").id)
reading.__exit__(None, None, None)
tell(campaign.state["characters/pc_001.json"]["hp"])
campaign.close()
"""
    assert told_by(path, code) == ["10", "pc_001", "10"]
