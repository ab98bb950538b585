"""Writers that share a campaign, and writers that die: no turn is lost, none is applied twice."""

from __future__ import annotations

import errno
import json
import os
import shutil
import sqlite3
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests import plain
from tests.store.kit import contents, ended, python
from tests.store.machine import Killed, Machine

from turnwright import Campaign
from turnwright.model.errors import CampaignBusy, CampaignInvalid
from turnwright.store import platform
from turnwright.store.checkpoint import Checkpoint
from turnwright.store.files import Files
from turnwright.store.lock import Lock
from turnwright.verifier import verify

PC = "characters/pc_001.json"
HEAL = plain.turn(plain.hp_delta(1))
BEGIN = """
import json, sys
from tests import plain
from turnwright import Campaign
from turnwright.store import platform

platform.sync_file = platform.sync_folder = lambda _: None
campaign = Campaign.open(sys.argv[1], plain.clock)
campaign.state
print("ready", flush=True)
sys.stdin.readline()
"""


@pytest.fixture(name="path")
def fixture_path(campaign: Campaign, tmp_path: Path) -> Path:
    campaign.close()
    return tmp_path / "campaign_0"


def complete_lines(path: Path) -> list[bytes]:
    return [line for line in (path / "log.jsonl").read_bytes().splitlines(keepends=True) if line.endswith(b"\n")]


def raced(code: str, path: Path, writers: int = 2) -> list[Any]:
    """Let several processes run the same code at the same time; return what each of them printed, as JSON."""
    processes = [python(BEGIN + code, path) for _ in range(writers)]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    return [json.loads(ended(process)) for process in processes]


def test_two_processes_that_heal_fifty_times_each_heal_a_hundred_times(path: Path) -> None:
    code = """
turn = plain.turn(plain.hp_delta(1))
print(json.dumps([campaign.process(turn)["turn_id"] for _ in range(50)]))
"""
    ids = raced(code, path)
    records = plain.log_of(path)
    assert [record["seq"] for record in records] == list(range(101))
    assert sorted(ids[0] + ids[1]) == [f"turn_{number:04d}" for number in range(1, 101)]
    assert plain.on_disk(path)[PC]["hp"] == 110
    found = verify(path)
    assert (found.problems, found.notes, found.turns) == ((), (), 100)


def test_the_same_turns_from_two_processes_are_applied_once(path: Path) -> None:
    code = """
turns = [plain.turn(plain.hp_delta(number), turn_id=f"once-{number}") for number in range(20)]
print(json.dumps([campaign.process(turn) for turn in turns]))
"""
    replies = raced(code, path)
    assert replies[0] == replies[1]
    assert plain.on_disk(path)[PC]["hp"] == 10 + sum(range(20))
    assert len(plain.log_of(path)) == 21


def test_two_processes_share_a_drop_folder(path: Path) -> None:
    (path / "turns").mkdir(exist_ok=True)
    for number in range(20):
        (path / f"turns/{number:02d}.json").write_text(json.dumps(HEAL), encoding="utf-8")
    taken = raced("print(json.dumps([name for name, reply in campaign.process_drop()]))", path)
    assert sorted(taken[0] + taken[1]) == [f"{number:02d}.json" for number in range(20)]
    assert plain.on_disk(path)[PC]["hp"] == 30
    assert len(list((path / "turns/done").iterdir())) == 20
    assert verify(path).problems == ()


def test_a_writer_that_finds_the_campaign_busy_says_so_and_changes_nothing(path: Path) -> None:
    before = contents(path)
    lock = Lock(Files(path))
    with lock.held(0), Campaign.open(path, plain.clock, wait=0) as campaign:
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
    with Campaign.open(path, plain.clock, wait=0) as campaign:
        assert campaign.process(HEAL)["status"] == "applied"


def test_a_broken_lock_cannot_fork_a_log(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody appends although we hold the lock: our line, which would follow another, is not written."""
    with Campaign.open(path, plain.clock) as ours, Campaign.open(path, plain.clock) as theirs:
        ours.process(HEAL)
        monkeypatch.setattr(platform, "try_lock", lambda _: True)
        store = ours._store
        with store.writing(0):
            theirs.process(HEAL)
            with pytest.raises(CampaignInvalid, match="somebody else has written"):
                store.append({"seq": 2, "kind": "settings", "prev": store.history.head}, {})
        assert ours.process(HEAL)["seq"] == 3
    assert verify(path).problems == ()


# killed at any instant


def prepared(path: Path) -> None:
    """Drop what makes documents, changes them, takes them away, is refused, and has nothing to do."""
    turns = path / "turns"
    turns.mkdir(exist_ok=True)
    files = {
        "1.json": plain.turn(plain.hp_delta(-1), plain.call("map_generate", parent_area_id="area_003")),
        "2.json": {"dragons": 1},
        "3.json": plain.turn(plain.hp_delta(-1), plain.move("nowhere"), turn_id="named"),
        "4.json": {},
    }
    for name, turn in files.items():
        (turns / name).write_text(json.dumps(turn), encoding="utf-8")


@pytest.mark.parametrize(("together", "lines"), [(1, {1, 2, 3, 4}), (64, {1, 4})])
@pytest.mark.parametrize("tears", [False, True])
def test_a_writer_killed_at_any_instant_loses_nothing_and_doubles_nothing(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tears: bool, together: int, lines: set[int]
) -> None:
    monkeypatch.setattr("turnwright.campaign._MOST_TOGETHER", together)
    prepared(path)
    expected = None
    stops = Counter[int]()
    for last in range(1, 400):
        place = tmp_path / "again"
        shutil.copytree(path, place)
        with monkeypatch.context() as patch:
            Machine(patch, last if expected else 10**6, tears=tears)
            campaign = Campaign.open(place, plain.clock)
            try:
                list(campaign.process_drop())
                was_killed = False
            except Killed:
                was_killed = True
        campaign.close()
        stops[len(complete_lines(place))] += 1 if was_killed else 0
        with Campaign.open(place, plain.clock) as campaign:
            list(campaign.process_drop())
        files = contents(place)
        expected = expected or files
        assert files == expected, f"killed at operation {last}"
        assert verify(place).problems == (), f"killed at operation {last}"
        shutil.rmtree(place)
        if last > 1 and not was_killed:
            break
    assert set(stops) == lines, "it was killed before, between and after the three records"


@pytest.mark.parametrize("what", ["set", "undo"])
def test_what_is_no_turn_survives_a_kill_too(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    with Campaign.open(path, plain.clock) as campaign:
        campaign.process(plain.turn(plain.hp_delta(-1), plain.call("map_generate", parent_area_id="area_003")))
    doors: dict[str, Callable[[Campaign], object]] = {
        "set": lambda campaign: campaign.set({"narration.check": "off", "results.keep": 1}),
        "undo": lambda campaign: campaign.undo("turn_0001"),
    }
    for last in range(1, 100):
        place = tmp_path / "again"
        shutil.copytree(path, place)
        campaign = Campaign.open(place, plain.clock)
        with monkeypatch.context() as patch:
            machine = Machine(patch, last, tears=True)
            try:
                doors[what](campaign)
            except Killed:
                assert machine.left <= 0
        campaign.close()
        is_done = len(complete_lines(place)) == 3
        with Campaign.open(place, plain.clock) as campaign:
            reply = campaign.process({})
        assert reply["state_summary"]["hp"]["pc_001"] == (10 if is_done and what == "undo" else 9)
        assert verify(place).problems == ()
        shutil.rmtree(place)
        if machine.left > 0:
            return
    pytest.fail("it was killed every time")


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EACCES, errno.EIO])
def test_whatever_the_disk_refuses_is_told_as_one_error_and_mended_by_the_next_turn(
    path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    from turnwright.model.errors import StorageFailed

    failures = 0
    with Campaign.open(path, plain.clock) as campaign:
        campaign.process(HEAL)
        for place, door in (
            ("write", lambda: campaign.process(HEAL | {"turn_id": "write"})),
            ("replace", campaign.flush),
        ):
            with monkeypatch.context() as patch:

                def refuse(*_: object, **__: object) -> None:
                    raise OSError(code, os.strerror(code))

                patch.setattr(os, place, refuse)
                if place == "replace":  # what is durable in the log is told although no document can be written
                    assert campaign.process(HEAL | {"turn_id": place})["status"] == "applied"
                with pytest.raises(StorageFailed, match=os.strerror(code)):
                    door()
                failures += 1
            assert campaign.process(HEAL | {"turn_id": place})["status"] == "applied"
        assert campaign.state[PC]["hp"] == 11 + failures
    assert verify(path).problems == ()


def test_a_writer_killed_in_earnest_leaves_nothing_that_the_next_does_not_mend(path: Path) -> None:
    code = """
while True:
    print(campaign.process(plain.turn(plain.hp_delta(1)))["seq"], flush=True)
"""
    for _ in range(3):
        process = python(BEGIN + code, path, TMPDIR=str(path.parent))
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("go\n")
        process.stdin.flush()
        told = [process.stdout.readline() for _ in range(6)][-1]
        process.kill()
        rest, _ = process.communicate()
        told = [told, *rest.splitlines(keepends=True)][-1]
        with Campaign.open(path, plain.clock, wait=0) as campaign:
            reply = campaign.process({})
        told_seq = int(told) if told.endswith("\n") else 0
        assert reply["seq"] > told_seq, "what was told is in the log"
        turns = sum(record["status"] == "applied" for record in plain.log_of(path) if record["kind"] == "turn")
        assert reply["state_summary"]["hp"]["pc_001"] == 10 + turns
    assert verify(path).problems == ()


def test_no_error_of_the_database_gets_out(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from turnwright.model.errors import StorageFailed

    def locked(*_: object) -> None:
        error = sqlite3.OperationalError("database is locked")
        error.sqlite_errorcode = sqlite3.SQLITE_BUSY
        raise error

    with Campaign.open(path, plain.clock) as campaign:
        campaign.process(HEAL)
        with monkeypatch.context() as patch:
            patch.setattr(Checkpoint, "_save_areas", locked)
            campaign.process(plain.turn(plain.call("map_generate", parent_area_id="area_003")))
            with pytest.raises(StorageFailed, match="database is locked"):
                campaign.flush()
        assert campaign.process(HEAL)["seq"] == 3
