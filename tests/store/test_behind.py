"""Documents and results follow the log: at once after a pause, later while turns come fast, and never lost."""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from threading import Event, RLock, Semaphore, Thread, Timer
from types import SimpleNamespace

import pytest
from tests import builders
from tests.store.kit import SECONDS, contents, edit, ended, python

from turnwright import Campaign
from turnwright.audit.verify import verify
from turnwright.model.errors import CampaignBusy, CampaignClosed, CampaignInvalid, StorageFailed
from turnwright.store.files import Files
from turnwright.store.lock import Lock

PC = "characters/pc_001.json"
HIT = builders.turn(builders.hp_delta(-1))
LONG = 3600.0


@pytest.fixture(name="path")
def fixture_path(campaign: Campaign, tmp_path: Path) -> Path:
    campaign.close()
    return tmp_path / "campaign_0"


def hp_on_disk(path: Path) -> int:
    return int(json.loads((path / PC).read_bytes())["hp"])


def test_the_first_turn_is_written_at_once_and_those_that_come_fast_when_one_asks(path: Path) -> None:
    with Campaign.open(path, builders.clock, lag=LONG) as campaign:
        for _ in range(3):
            campaign.process(HIT)
        assert hp_on_disk(path) == 9
        assert [file.name for file in (path / "results").iterdir()] == ["turn_0001.json"]
        campaign.flush()
        assert hp_on_disk(path) == 7
        assert len(list((path / "results").iterdir())) == 3
        campaign.process(HIT)
    assert hp_on_disk(path) == 6
    assert (verify(path).problems, verify(path).notes) == ((), ())


def test_what_is_behind_is_written_soon_although_nobody_asks(path: Path) -> None:
    with Campaign.open(path, builders.clock, lag=0.05) as campaign:
        campaign.process(HIT)
        campaign.process(HIT)
        deadline = time.monotonic() + SECONDS
        while hp_on_disk(path) != 8 and time.monotonic() < deadline:
            time.sleep(0.01)
        assert hp_on_disk(path) == 8


def test_a_process_that_ends_without_closing_writes_first(path: Path) -> None:
    code = """
import sys
from tests import builders
from turnwright import Campaign

campaign = Campaign.open(sys.argv[1], builders.clock, lag=0.2)
for _ in range(4):
    campaign.process(builders.turn(builders.hp_delta(-1)))
"""
    ended(python(code, path))
    assert hp_on_disk(path) == 6
    assert verify(path).notes == ()


def test_readers_see_what_is_in_the_log_however_far_the_files_are_behind(path: Path) -> None:
    with Campaign.open(path, builders.clock, lag=LONG) as campaign:
        for _ in range(3):
            campaign.process(HIT)
        with Campaign.open(path, builders.clock) as other:
            assert other.state[PC]["hp"] == 7
        assert hp_on_disk(path) == 9
        assert campaign.state[PC]["hp"] == 7
        assert hp_on_disk(path) == 7, "who reads what it has written itself brings the files up to date first"


def test_another_writer_goes_on_from_the_log_and_so_does_the_first(path: Path) -> None:
    with (
        Campaign.open(path, builders.clock, lag=LONG) as first,
        Campaign.open(path, builders.clock, lag=LONG) as second,
    ):
        for writer in (first, first, second, second, first, second):
            writer.process(HIT)
    assert hp_on_disk(path) == 4
    assert verify(path).problems == ()


def test_a_disk_that_takes_no_documents_costs_no_turn_and_is_told_of_on_closing(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    campaign = Campaign.open(path, builders.clock)
    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", refuse)
        assert campaign.process(HIT)["status"] == "applied"
        with pytest.raises(StorageFailed, match="No space left"):
            campaign.close()
    with Campaign.open(path, builders.clock) as again:
        assert again.process({})["state_summary"]["hp"]["pc_001"] == 9
    assert hp_on_disk(path) == 9


def test_a_campaign_that_was_deleted_is_not_made_again_by_what_was_behind(path: Path) -> None:
    campaign = Campaign.open(path, builders.clock, lag=LONG)
    campaign.process(HIT)
    campaign.process(HIT)
    shutil.rmtree(path)
    with pytest.raises(CampaignInvalid, match="the log is missing"):
        campaign.close()
    assert not path.exists()


def test_what_another_process_is_in_the_way_of_is_written_when_it_is_done(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_busy, tries = Event(), Semaphore(0)

    class Late(Timer):
        def run(self) -> None:
            is_busy.wait(SECONDS)
            tries.release()
            super().run()

    monkeypatch.setattr("turnwright.store.write_behind.Timer", Late)
    with Campaign.open(path, builders.clock, lag=0.05, wait=60) as campaign:
        monkeypatch.setattr("turnwright.store.write_behind.time", SimpleNamespace(monotonic=lambda: 0.0))
        campaign.process(HIT)
        campaign.process(HIT)
        with Lock(Files(path)).held(0):
            is_busy.set()
            assert tries.acquire(timeout=SECONDS)
            assert tries.acquire(timeout=SECONDS)
            assert hp_on_disk(path) == 9
        deadline = time.monotonic() + SECONDS
        while hp_on_disk(path) != 8 and time.monotonic() < deadline:
            time.sleep(0.01)
        assert hp_on_disk(path) == 8


def test_who_closes_a_campaign_that_is_kept_busy_may_do_so_without_waiting(path: Path) -> None:
    campaign = Campaign.open(path, builders.clock, lag=LONG, wait=LONG)
    campaign.process(HIT)
    campaign.process(HIT)
    with Lock(Files(path)).held(0), pytest.raises(CampaignBusy):
        campaign.close(wait=0)
    assert hp_on_disk(path) == 9


class ToldLock:
    """A lock that tells when somebody asks for it."""

    def __init__(self) -> None:
        self._lock = RLock()
        self.was_asked = Event()

    def __enter__(self) -> None:
        self.was_asked.set()
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="open files are counted as Linux shows them")
def test_a_campaign_that_is_closed_while_a_late_writing_waits_stays_closed(path: Path) -> None:
    campaign = Campaign.open(path, builders.clock, lag=LONG)
    campaign.process(HIT)
    campaign.process(HIT)
    lock = campaign._writer._mutex = ToldLock()  # type: ignore[assignment]
    refused: list[CampaignClosed] = []

    def write_late() -> None:
        try:
            campaign.flush()
        except CampaignClosed as error:
            refused.append(error)

    late = Thread(target=write_late)
    with lock:
        lock.was_asked.clear()
        late.start()
        assert lock.was_asked.wait(SECONDS)
        campaign.close()
    late.join()
    opened = [entry.readlink() for entry in Path("/proc/self/fd").iterdir() if entry.is_symlink()]
    campaign.close()
    assert [place for place in opened if place.is_relative_to(path)] == []
    assert len(refused) == 1


def test_files_that_stay_behind_because_of_an_invalid_edit_are_told_of_each_time(path: Path) -> None:
    campaign = Campaign.open(path, builders.clock, lag=LONG)
    for target in ("pc_001", "npc_001", "pc_001"):
        campaign.process(builders.turn(builders.hp_delta(-1, target)))
    words = (path / PC).read_bytes()
    edit(path / PC, hp=-5)
    try:
        for _ in range(2):
            with pytest.raises(CampaignInvalid):
                campaign.flush()
    finally:
        (path / PC).write_bytes(words)
        campaign.close()


def test_the_files_are_the_same_whatever_the_lag(make_campaign: Callable[[], Campaign], tmp_path: Path) -> None:
    for number, lag in enumerate((0.0, 0.01, LONG)):
        make_campaign().close()
        with Campaign.open(tmp_path / f"campaign_{number}", builders.clock, lag=lag) as campaign:
            campaign.set({"results.keep": 3})
            grown = builders.turn(builders.call("map_generate", parent_area_id="area_002"))
            turns: list[builders.Json] = [HIT, grown, HIT, {}, HIT, HIT]
            for turn in turns:
                campaign.process(turn)
            campaign.undo()
    folders = [contents(tmp_path / f"campaign_{number}") for number in range(3)]
    assert folders[0] == folders[1] == folders[2]
    assert len([name for name in folders[0] if name.startswith("results/")]) == 3


def test_threads_may_share_a_campaign(path: Path) -> None:
    with Campaign.open(path, builders.clock, lag=0.01) as campaign:

        def heal() -> None:
            for _ in range(20):
                campaign.process(builders.turn(builders.hp_delta(1)))

        threads = [Thread(target=heal) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert campaign.state[PC]["hp"] == 90
    assert [record["seq"] for record in builders.log_of(path)] == list(range(81))
    assert verify(path).problems == ()
