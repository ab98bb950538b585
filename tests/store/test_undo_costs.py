"""What an undo costs others: under the lock no more is read than what it takes back, however long the log is."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests import builders

from turnwright import Campaign
from turnwright.audit.verify import verify
from turnwright.model.errors import CampaignBusy
from turnwright.store import disk
from turnwright.store.disk import Disk

HIT = builders.turn(builders.hp_delta(1))


class CountingDisk(Disk):
    """Counts how often the log is read while the lock is held: a block holds any record of these tests."""

    def __init__(self) -> None:
        self.reads = 0
        self.is_locked = False
        self.logs: set[int] = set()

    def open(self, place: str, flags: int, mode: int = disk.FOR_ALL) -> int:
        descriptor = super().open(place, flags, mode)
        if place.endswith("log.jsonl"):
            self.logs.add(descriptor)
        return descriptor

    def close(self, descriptor: int) -> None:
        self.logs.discard(descriptor)
        super().close(descriptor)

    def read(self, descriptor: int, length: int, offset: int) -> bytes:
        self.reads += self.is_locked and descriptor in self.logs
        return super().read(descriptor, length, offset)

    def try_lock(self, descriptor: int) -> bool:
        self.is_locked = super().try_lock(descriptor)
        return self.is_locked

    def unlock(self, descriptor: int) -> None:
        self.is_locked = False
        super().unlock(descriptor)

    def taken(self) -> int:
        """Return how often the log was read since this was last asked."""
        reads, self.reads = self.reads, 0
        return reads


@pytest.fixture(name="counting")
def fixture_counting(monkeypatch: pytest.MonkeyPatch) -> CountingDisk:
    counting = CountingDisk()
    monkeypatch.setattr(disk, "DISK", counting)
    return counting


def played(path: Path, turns: int) -> Campaign:
    """Return a campaign of so many turns, opened anew."""
    with builders.begin(path) as campaign:
        for _ in range(turns):
            campaign.process(HIT)
    return Campaign.open(path, builders.clock)


@pytest.mark.parametrize("mark", [None, "2"])
def test_an_undo_reads_under_the_lock_what_it_takes_back_and_no_more(
    tmp_path: Path, counting: CountingDisk, mark: str | None
) -> None:
    reads = []
    for turns in (10, 200):
        campaign = played(tmp_path / f"{mark}_{turns}", turns)
        taken_back = mark and str(turns + 1 - int(mark))
        counting.taken()
        done = campaign.undo(taken_back)
        assert len(done["undone"]) == int(mark or 1)
        reads.append(counting.taken())
        campaign.close()
        assert verify(tmp_path / f"{mark}_{turns}").problems == ()
    assert reads[0] == reads[1] > 0


def test_each_undo_of_a_chain_reads_as_much_as_the_one_before(tmp_path: Path, counting: CountingDisk) -> None:
    campaign = played(tmp_path / "c", 60)
    reads = []
    for left in range(59, 9, -1):
        campaign.undo()
        reads.append(counting.taken())
        assert campaign.state["characters/pc_001.json"]["hp"] == 10 + left
        counting.taken()
    campaign.close()
    assert set(reads[2:]) == {reads[2]}
    assert verify(tmp_path / "c").problems == ()


def test_what_was_undone_before_is_not_read_again(tmp_path: Path, counting: CountingDisk) -> None:
    reads = []
    for turns in (5, 100):
        campaign = played(tmp_path / str(turns), turns)
        campaign.undo("2")
        counting.taken()
        done = campaign.undo()
        reads.append(counting.taken())
        assert done["from"] == 1
        assert campaign.state["characters/pc_001.json"]["hp"] == 10
        campaign.close()
        assert verify(tmp_path / str(turns)).problems == ()
    assert reads[0] == reads[1] > 0


def test_turns_that_come_while_the_log_is_read_are_taken_back_with_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from turnwright.campaign import timeline

    path, read = tmp_path / "c", timeline.read_before
    campaign = played(path, 3)
    others = [builders.turn(builders.move("area_002")), builders.turn(builders.hp_delta(-1, "pc_002"))]

    def while_others_play(*args: object) -> timeline.Before:
        if others:
            with Campaign.open(path, builders.clock, wait=0) as other:
                assert other.process(others.pop())["status"] == "applied"
        return read(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(timeline, "read_before", while_others_play)
    done = campaign.undo("3")
    assert [entry["seq"] for entry in done["undone"]] == [5, 4, 3]
    state = campaign.state
    assert (state["characters/pc_001.json"]["hp"], state["characters/pc_001.json"]["position"]) == (12, "area_001")
    assert state["characters/pc_002.json"]["hp"] == 8
    campaign.close()
    assert verify(path).problems == ()


def test_where_others_never_pause_it_says_so_and_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from turnwright.campaign import timeline

    path, read = tmp_path / "c", timeline.read_before
    campaign = played(path, 3)

    def while_others_play(*args: object) -> timeline.Before:
        with Campaign.open(path, builders.clock, wait=0) as other:
            other.process(HIT)
        return read(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(timeline, "read_before", while_others_play)
    with pytest.raises(CampaignBusy, match="keep changing"):
        campaign.undo()
    assert {record["kind"] for record in builders.log_of(path)} == {"new", "turn"}
    campaign.close()
