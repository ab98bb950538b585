"""Whatever is being done, and however it ends: nothing is lost, nothing is doubled, and the next process goes on.

A crash point is one instant of the scenario and one way in which the world is found afterwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest
from tests.faults.crash import CrashPoint, crash_points, undisturbed
from tests.faults.disk import TellingDisk
from tests.faults.machine import Machine
from tests.faults.outcome import require_nothing_wrong
from tests.faults.recovery import Recovery
from tests.faults.scenario import STEPS

from turnwright.store.store import Store

SHARDS = 24
TO_THE_END = 60
"""After every so many points the scenario is played to its end."""
SAMPLE = 131
"""In the ordinary tests every so many-th point is tried; a prime, so that they fall on all ways and operations."""


def wrong_after(recovery: Recovery, points: Iterable[CrashPoint]) -> Iterator[str]:
    """Go on from crash points and yield what was wrong, a paragraph for each point."""
    for number, point in enumerate(points):
        if faults := list(recovery.faults(point, to_the_end=number % TO_THE_END == TO_THE_END - 1)):
            yield "\n    ".join([str(point), *faults])


def ended_by(end: str) -> list[CrashPoint]:
    return [point for point in crash_points() if point.way.startswith(end)]


@pytest.mark.parametrize("end", ["killed", "power cut"])
def test_a_sample_of_crashes_loses_nothing_and_doubles_nothing(recovery: Recovery, end: str) -> None:
    points = ended_by(end)[::SAMPLE]
    assert len(points) >= 20
    assert {point.way for point in points} == {point.way for point in ended_by(end)}
    require_nothing_wrong(wrong_after(recovery, points))


def test_no_power_cut_parts_a_refused_file_from_its_name_or_its_reason(recovery: Recovery) -> None:
    """Neither while it is put away nor when the next files are claimed, which makes names durable."""
    refusing = next(number for number, step in enumerate(STEPS) if "turns/e.json" in step.people)
    claiming = next(number for number, step in enumerate(STEPS) if "turns/g.json" in step.people)
    cuts = [
        point
        for point in ended_by("power cut")
        if (
            point.instant.step == refusing
            and ("turns/refused" in point.instant.about or "e.json" in point.instant.about)
        )
        or (point.instant.step == claiming and "(sync_folder turns" in point.instant.about)
    ]
    assert len({point.instant.about for point in cuts}) >= 8
    require_nothing_wrong(wrong_after(recovery, cuts))


@pytest.mark.slow
@pytest.mark.parametrize("shard", range(SHARDS))
@pytest.mark.parametrize("end", ["killed", "power cut"])
def test_no_crash_loses_or_doubles_anything(recovery: Recovery, end: str, shard: int) -> None:
    points = ended_by(end)[shard::SHARDS]
    require_nothing_wrong(wrong_after(recovery, points))
    assert len(recovery.directories) > len(points) * 2 // 3, "most points leave a directory like no other"


# The harness itself: an engine that does not do what it should is found out.


def sample(way: str) -> list[CrashPoint]:
    return [point for point in crash_points() if point.way == way][::29]


def play_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the scenario be played again, as things are now."""
    seen = undisturbed.__wrapped__()
    for module in ("crash", "recovery"):
        monkeypatch.setattr(f"tests.faults.{module}.undisturbed", lambda: seen)


def test_a_disk_that_only_says_it_synced_is_found_out(recovery: Recovery, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Machine, "sync", lambda *_: None)
    play_anew(monkeypatch)
    assert any("was told, and record" in one for one in wrong_after(recovery, sample("power cut, all is lost")))


def test_files_that_come_back_after_a_power_cut_are_found_out(
    recovery: Recovery, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Machine, "sync_folder", lambda *_: None)
    play_anew(monkeypatch)
    assert any("the log differs" in one for one in wrong_after(recovery, sample("power cut, all is lost")))


def test_a_claim_whose_record_is_forgotten_is_found_out(recovery: Recovery, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Store, "record_of_source", lambda *_: None)
    assert any("the log differs" in one for one in wrong_after(recovery, sample("killed")))


def test_a_file_written_in_place_is_found_out(recovery: Recovery, monkeypatch: pytest.MonkeyPatch) -> None:
    """A result that is half there when the process dies, although the checkpoint knows it whole."""
    write = TellingDisk.write

    def too_little(self: TellingDisk, descriptor: int, data: bytes | memoryview) -> int:
        is_result = self.path_of(descriptor).startswith("results/")
        write(self, descriptor, data[: len(data) // 2] if is_result else data)
        return len(data)

    monkeypatch.setattr(TellingDisk, "write", too_little)
    assert any("results/" in one for one in wrong_after(recovery, sample("killed")))
