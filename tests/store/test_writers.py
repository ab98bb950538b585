"""A writer that is kept out, in any way, says so and changes nothing; many at once are tested in `tests/faults/`."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from tests import builders
from tests.store.kit import contents

from turnwright import Campaign
from turnwright.audit.verify import verify
from turnwright.model.errors import CampaignBusy, CampaignInvalid
from turnwright.store import platform
from turnwright.store.checkpoint import Checkpoint
from turnwright.store.files import Files
from turnwright.store.lock import Lock

PC = "characters/pc_001.json"
HEAL = builders.turn(builders.hp_delta(1))


@pytest.fixture(name="path")
def fixture_path(campaign: Campaign, tmp_path: Path) -> Path:
    campaign.close()
    return tmp_path / "campaign_0"


def test_a_writer_that_finds_the_campaign_busy_says_so_and_changes_nothing(path: Path) -> None:
    before = contents(path)
    lock = Lock(Files(path))
    with lock.held(0), Campaign.open(path, builders.clock, wait=0) as campaign:
        doors: list[Callable[[], object]] = [
            lambda: campaign.process(HEAL),
            lambda: campaign.set({"goal.text": "x"}),
            lambda: campaign.undo(),
        ]
        for door in doors:
            with pytest.raises(CampaignBusy):
                door()
    lock.close()
    assert contents(path) == before
    with Campaign.open(path, builders.clock, wait=0) as campaign:
        assert campaign.process(HEAL)["status"] == "applied"


def test_a_broken_lock_cannot_fork_a_log(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody appends although we hold the lock: our line, which would follow another, is not written."""
    with Campaign.open(path, builders.clock) as ours, Campaign.open(path, builders.clock) as theirs:
        ours.process(HEAL)
        monkeypatch.setattr(platform, "try_lock", lambda _: True)
        store = ours._store
        with store.writing(0):
            theirs.process(HEAL)
            with pytest.raises(CampaignInvalid, match="somebody else has written"):
                store.append({"seq": 2, "kind": "settings", "prev": store.history.head}, {})
        assert ours.process(HEAL)["seq"] == 3
    assert verify(path).problems == ()


@pytest.mark.parametrize("is_kept", [True, False])
def test_a_folder_that_is_put_back_from_a_copy_gets_the_turns_of_a_program_that_stays(
    path: Path, *, is_kept: bool
) -> None:
    copy, old = path.with_name("copy"), path.with_name("old")
    with Campaign.open(path, builders.clock) as campaign:
        for _ in range(3):
            assert campaign.process(HEAL)["status"] == "applied"
            campaign.flush()
            shutil.copytree(path, copy)
            path.rename(old)
            if not is_kept:
                shutil.rmtree(old)
            copy.rename(path)
            before = len(builders.log_of(path))
            assert campaign.process(HEAL)["seq"] == before
            assert len(builders.log_of(path)) == before + 1
            shutil.rmtree(old, ignore_errors=True)
    assert verify(path).problems == ()


def test_the_lock_is_that_of_the_folder_that_has_the_name(path: Path) -> None:
    with Campaign.open(path, builders.clock) as campaign:
        campaign.process(HEAL)
        shutil.copytree(path, path.with_name("copy"))
        path.rename(path.with_name("old"))
        path.with_name("copy").rename(path)
        lock = Lock(Files(path))
        with campaign._writer.writing(), pytest.raises(CampaignBusy), lock.held(0):
            pass
        lock.close()


def test_a_log_that_is_replaced_within_a_turn_is_not_written_past(path: Path) -> None:
    with Campaign.open(path, builders.clock) as campaign:
        campaign.process(HEAL)
        store = campaign._store
        with store.writing(0):
            shutil.copy(path / "log.jsonl", path / "copy")
            (path / "copy").replace(path / "log.jsonl")
            with pytest.raises(CampaignInvalid, match="another in its place"):
                store.append({"seq": 2, "kind": "settings", "prev": store.history.head}, {})
        assert campaign.process(HEAL)["seq"] == 2
    assert verify(path).problems == ()


def test_another_campaign_in_the_same_place_is_not_taken_for_the_first(path: Path) -> None:
    """Its log is as long, and nothing was appended to the first: only which file it is tells them apart."""
    shutil.rmtree(path)
    builders.begin(path, seed="other").close()
    other = (path / "log.jsonl").stat().st_size
    shutil.rmtree(path)
    with builders.begin(path) as campaign:
        assert campaign.process("{")["status"] == "refused"
        assert (path / "log.jsonl").stat().st_size == other
        shutil.rmtree(path)
        builders.begin(path, seed="other").close()
        with pytest.raises(CampaignInvalid, match="no longer holds record 0"):
            campaign.process(HEAL)
    assert verify(path).problems == ()


def test_no_error_of_the_database_gets_out(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from turnwright.model.errors import StorageFailed

    def locked(*_: object) -> None:
        error = sqlite3.OperationalError("database is locked")
        error.sqlite_errorcode = sqlite3.SQLITE_BUSY
        raise error

    with Campaign.open(path, builders.clock) as campaign:
        campaign.process(HEAL)
        with monkeypatch.context() as patch:
            patch.setattr(Checkpoint, "_save_areas", locked)
            campaign.process(builders.turn(builders.call("map_generate", parent_area_id="area_003")))
            with pytest.raises(StorageFailed, match="database is locked"):
                campaign.flush()
        assert campaign.process(HEAL)["seq"] == 3
