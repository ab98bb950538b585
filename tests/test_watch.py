"""The watcher: many campaigns, files in the order of their names, nothing lost and nobody held up."""

from __future__ import annotations

import errno
import json
import os
import shutil
import signal
import sys
from collections.abc import Iterator
from functools import partial
from itertools import count
from pathlib import Path
from queue import Queue
from threading import Event, Thread, Timer
from types import SimpleNamespace
from typing import Any

import pytest
from tests import builders
from tests.fault_injection import break_turns
from tests.faults.processes import TURNWRIGHT, Child

from turnwright import Campaign
from turnwright.campaign.inbox_watcher import Watcher, campaigns_of, is_turn_file
from turnwright.model.errors import CampaignBusy, StorageFailed
from turnwright.store import inbox as drop_folder
from turnwright.store.disk import Disk
from turnwright.store.files import Files
from turnwright.store.folders import find_campaigns, is_found
from turnwright.store.lock import Lock

PATIENCE = 30
Taken = tuple[str, str, str]


class Ear:
    """Keeps what a watcher tells."""

    def __init__(self) -> None:
        self.taken: Queue[Taken] = Queue()
        self.failed: Queue[tuple[str, Exception]] = Queue()
        self.recovered: Queue[str] = Queue()

    def watcher(self, root: Path, wait: float = 0.2) -> Watcher:
        return Watcher(
            root,
            lambda folder, name, reply: self.taken.put((folder.name, name, reply["status"])),
            lambda folder, error: self.failed.put((folder.name, error)),
            lambda folder: self.recovered.put(folder.name),
            clock=builders.clock,
            wait=wait,
        )

    def next(self) -> Taken:
        return self.taken.get(timeout=PATIENCE)

    def all(self) -> list[Taken]:
        return [self.taken.get_nowait() for _ in range(self.taken.qsize())]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name in ("alpha", "beta"):
        Campaign.new(tmp_path / name, seed=name, clock=builders.clock).close()
    return tmp_path


@pytest.fixture
def ear() -> Ear:
    return Ear()


@pytest.fixture
def seconds(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Give the number of seconds that have passed for a watcher, to be changed."""
    passed = [0.0]
    monkeypatch.setattr("turnwright.campaign.inbox_watcher.time", SimpleNamespace(monotonic=lambda: passed[0]))
    return passed


@pytest.fixture
def running(root: Path, ear: Ear) -> Iterator[Path]:
    """Run a watcher in a thread until the test ends."""
    watcher = ear.watcher(root)
    thread = Thread(target=watcher.run)
    thread.start()
    drop(root / "alpha", "ready.json", "{}")
    assert ear.next() == ("alpha", "ready.json", "empty")
    yield root
    watcher.stop()
    thread.join(PATIENCE)
    watcher.close()
    assert not thread.is_alive()


def drop(folder: Path, name: str, text: str) -> None:
    """Drop a file as a careful program does: written elsewhere, then renamed."""
    beside = folder / "turns" / f".{name}"
    beside.write_text(text)
    beside.rename(folder / "turns" / name)


def age(path: Path) -> None:
    """Let a file look as if nobody had written to it for a while."""
    past = path.stat().st_mtime - 2 * PATIENCE
    os.utime(path, (past, past))


def test_campaigns_are_found_at_and_below_a_folder(root: Path) -> None:
    (root / "group").mkdir()
    Campaign.new(root / "group" / "gamma", clock=builders.clock).close()
    (root / "link").symlink_to(root / "alpha")
    assert list(find_campaigns(root)) == [root / "alpha", root / "beta", root / "group" / "gamma"]
    assert list(find_campaigns(root / "alpha")) == [root / "alpha"]
    folders = [root, *(folder for folder in root.rglob("*") if folder.is_dir()), root / "link"]
    assert {folder for folder in folders if is_found(root, folder)} == set(find_campaigns(root))
    assert is_found(root / "alpha", root / "alpha")
    assert not is_found(root / "alpha" / "turns", root / "alpha")


def test_only_files_in_a_drop_folder_are_turn_files() -> None:
    paths = ["/c/turns/a.json", "/c/turns/.a.json", "/c/turns/done/a.json", "/c/turns/a.txt", "/c/campaign.json"]
    assert [is_turn_file(path) for path in paths] == [True, False, False, False, False]
    assert campaigns_of(paths) == {Path("/c")}


def test_a_sweep_takes_what_was_dropped_before_in_the_order_of_names(root: Path, ear: Ear) -> None:
    for name in ("b.json", "a.json", "B.json", "10.json", "9.json"):
        drop(root / "beta", name, "{}")
    watcher = ear.watcher(root)
    assert watcher.sweep() == 5
    watcher.close()
    assert [name for _, name, _ in ear.all()] == ["10.json", "9.json", "B.json", "a.json", "b.json"]


def test_one_bad_file_does_not_stop_the_rest(root: Path, ear: Ear) -> None:
    drop(root / "alpha", "1.json", '{"unknown": 1}')
    drop(root / "alpha", "2.json", "{}")
    drop(root / "beta", "3.json", "{}")
    watcher = ear.watcher(root)
    watcher.sweep()
    watcher.close()
    expected = [("alpha", "1.json", "refused"), ("alpha", "2.json", "empty"), ("beta", "3.json", "empty")]
    assert ear.all() == expected


def test_one_invalid_campaign_does_not_stop_the_rest_and_is_told_once(root: Path, ear: Ear) -> None:
    (root / "alpha" / "campaign.json").write_text('{"titel": 5')
    drop(root / "alpha", "1.json", "{}")
    drop(root / "beta", "2.json", "{}")
    watcher = ear.watcher(root)
    for _ in range(3):
        watcher.sweep()
    assert ear.all() == [("beta", "2.json", "empty")]
    assert ear.failed.get_nowait()[0] == "alpha"
    assert ear.failed.empty()
    assert (root / "alpha" / "turns" / "1.json").exists()
    (root / "alpha" / "campaign.json").unlink()
    watcher.sweep()
    watcher.close()
    assert ear.all() == [("alpha", "1.json", "empty")]
    assert ear.recovered.get_nowait() == "alpha"


def test_a_folder_that_nobody_may_look_into_is_told_once_and_hides_no_other(
    root: Path, ear: Ear, monkeypatch: pytest.MonkeyPatch
) -> None:
    private, listing = root / "anna", Path.iterdir
    private.mkdir()

    def refuse(folder: Path) -> Iterator[Path]:
        if folder == private:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(folder))
        return listing(folder)

    drop(root / "beta", "1.json", "{}")
    watcher = ear.watcher(root)
    with monkeypatch.context() as patched:
        patched.setattr(Path, "iterdir", refuse)
        assert [watcher.sweep() for _ in range(3)] == [1, 0, 0]
    folder, error = ear.failed.get_nowait()
    assert (folder, type(error)) == ("anna", StorageFailed)
    assert "Permission denied" in str(error)
    assert ear.failed.empty()
    assert ear.recovered.empty()
    watcher.sweep()
    assert ear.recovered.get_nowait() == "anna"


def test_where_nothing_tells_of_changes_files_are_looked_for_and_it_is_told_once(
    root: Path, ear: Ear, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*arguments: Any, **options: Any) -> Iterator[Any]:
        raise OSError('OS file watch limit reached. about ["/somewhere"]')

    monkeypatch.setattr("turnwright.campaign.inbox_watcher.WAKE_MS", 100)
    with monkeypatch.context() as patched:
        patched.setattr("watchfiles.watch", refuse)
        watcher = ear.watcher(root)
        thread = Thread(target=watcher.run)
        thread.start()
        for name in ("a.json", "b.json", "c.json", "d.json"):
            drop(root / "alpha", name, "{}")
            assert ear.next() == ("alpha", name, "empty")
        folder, error = ear.failed.get_nowait()
        assert (folder, type(error)) == (root.name, StorageFailed)
        assert "limit reached" in str(error)
        assert ear.failed.empty()
    assert ear.recovered.get(timeout=PATIENCE) == root.name
    watcher.stop()
    thread.join(PATIENCE)
    watcher.close()


def test_a_root_that_is_moved_away_is_told_and_served_again_when_it_is_back(running: Path, ear: Ear) -> None:
    elsewhere = running.with_name("elsewhere")
    running.rename(elsewhere)
    folder, error = ear.failed.get(timeout=PATIENCE)
    assert (folder, type(error)) == (running.name, StorageFailed)
    shutil.copytree(elsewhere, running)
    assert ear.recovered.get(timeout=PATIENCE) == running.name
    for name in ("1.json", "2.json", "3.json"):
        drop(running / "beta", name, "{}")
        assert ear.next() == ("beta", name, "empty")
    assert ear.failed.empty()


def test_a_busy_campaign_holds_up_no_other_and_is_told_when_it_was_busy_for_long(
    root: Path, ear: Ear, seconds: list[float]
) -> None:
    watcher = ear.watcher(root, wait=10)
    for name in ("alpha", "beta"):
        drop(root / name, "1.json", "{}")
    with Lock(Files(root / "alpha")).held(0):
        assert watcher.sweep() == 1
        seconds[0] = 9.9
        assert watcher.sweep() == 0
        assert ear.failed.empty()
        for seconds[0] in (10.0, 11.0, 25.0):
            assert watcher.sweep() == 0
        folder, error = ear.failed.get_nowait()
        assert (folder, type(error)) == ("alpha", CampaignBusy)
        assert ear.failed.empty()
    assert watcher.sweep() == 1
    watcher.close()
    assert ear.all() == [("beta", "1.json", "empty"), ("alpha", "1.json", "empty")]
    assert ear.recovered.get_nowait() == "alpha"


class Tries:
    """Keeps for how long campaigns are waited for, from when another process has one."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.have_begun = Event()
        self.waits: Queue[float] = Queue()
        self._lock = Lock(Files(folder))
        take = Lock.take

        def told(lock: Lock, wait: float) -> None:
            if self.have_begun.is_set():
                self.waits.put(wait)
            take(lock, 0)

        monkeypatch.setattr(Lock, "take", told)

    def begin(self) -> None:
        self._lock.take(0)
        self.have_begun.set()

    def end(self) -> None:
        self._lock.close()


@pytest.fixture
def behind(root: Path, ear: Ear, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Watcher, Tries]]:
    """Give a watcher in the middle of a backlog of `alpha`, whose files are behind and which another process has."""
    monkeypatch.setattr("turnwright.campaign.campaign.DEFAULT_LAG", 0.05)
    monkeypatch.setattr("turnwright.campaign.runner._MAX_BATCH", 1)
    monkeypatch.setattr("turnwright.store.write_behind.time", SimpleNamespace(monotonic=lambda: 0.0))
    tries = Tries(root / "alpha", monkeypatch)

    class Late(Timer):
        def run(self) -> None:
            tries.have_begun.wait(PATIENCE)
            super().run()

    monkeypatch.setattr("turnwright.store.write_behind.Timer", Late)

    def told(folder: Path, name: str, reply: Any) -> None:
        ear.taken.put((folder.name, name, reply["status"]))
        if name == "2.json":
            tries.begin()

    for name in ("1.json", "2.json", "3.json"):
        drop(root / "alpha", name, json.dumps({"turn_id": name[0]}))
    watcher = Watcher(root, told, lambda folder, error: ear.failed.put((folder.name, error)), wait=PATIENCE)
    assert watcher.take(root / "alpha") == 2
    assert not (root / "alpha" / "results" / "2.json").exists()
    yield watcher, tries
    tries.end()
    watcher.close()
    assert ear.failed.empty()
    assert (root / "alpha" / "results" / "2.json").exists()


def test_a_busy_campaign_whose_files_are_behind_holds_up_no_other(
    root: Path, ear: Ear, behind: tuple[Watcher, Tries]
) -> None:
    watcher, tries = behind
    waits = [tries.waits.get(timeout=PATIENCE) for _ in range(3)]  # of the files left, and of the late writing
    drop(root / "beta", "1.json", "{}")
    assert watcher.sweep() == 1
    assert [name for name, *_ in ear.all()] == ["alpha", "alpha", "beta"]
    assert waits == [0, 0, 0]
    tries.end()
    assert watcher.sweep() == 1


def test_a_busy_campaign_whose_files_are_behind_makes_no_room_for_another_until_they_are_written(
    root: Path, behind: tuple[Watcher, Tries], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("turnwright.campaign.inbox_watcher.MAX_OPEN", 1)
    watcher, tries = behind
    drop(root / "beta", "1.json", "{}")
    assert watcher.take(root / "beta") == 1
    tries.end()
    drop(root / "beta", "2.json", "{}")
    assert watcher.take(root / "beta") == 1
    assert (root / "alpha" / "results" / "2.json").exists()


def test_a_busy_campaign_is_waited_for_when_all_others_are_done(root: Path, ear: Ear) -> None:
    lock = Lock(Files(root / "alpha"))
    lock.take(0)

    def told(folder: Path, name: str, reply: Any) -> None:
        ear.taken.put((folder.name, name, reply["status"]))
        lock.give_back()

    for name in ("alpha", "beta"):
        drop(root / name, "1.json", "{}")
    watcher = Watcher(root, told, lambda folder, error: ear.failed.put((folder.name, error)), wait=PATIENCE)
    assert watcher.sweep_patiently() == 2
    watcher.close()
    lock.close()
    assert ear.all() == [("beta", "1.json", "empty"), ("alpha", "1.json", "empty")]
    assert ear.failed.empty()


def test_a_campaign_without_a_log_is_left_while_it_may_still_be_copied(
    root: Path, ear: Ear, seconds: list[float], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Begun in the middle of it, its log would be written over, with what was told as applied."""
    watcher = ear.watcher(root, wait=60)
    drop(root / "alpha", "1.json", '{"turn_id": "one"}')
    watcher.sweep()
    drop(root / "alpha", "2.json", '{"turn_id": "two"}')
    source, copy = tmp_path_factory.mktemp("source") / "gamma", root / "gamma"
    shutil.copytree(root / "alpha", source)
    copy.mkdir()
    for name in ("campaign.json", "characters", "maps", "turns"):
        seconds[0] += 1.9
        (shutil.copytree if (source / name).is_dir() else shutil.copy2)(source / name, copy / name)  # times and all
        assert watcher.take(copy) == 0
    seconds[0] += 1.9
    (copy / "log.jsonl").write_bytes((source / "log.jsonl").read_bytes()[:100])
    assert watcher.take(copy) == 0
    assert not (copy / ".turnwright").exists()
    for name in ("log.jsonl", "results", ".turnwright"):
        (shutil.copytree if (source / name).is_dir() else shutil.copy2)(source / name, copy / name)
    assert watcher.take(copy) == 1
    watcher.close()
    assert [record.get("turn_id") for record in builders.log_of(copy)] == [None, "one", "two"]
    assert ear.failed.empty()


def test_a_log_is_begun_when_nothing_has_changed_for_some_seconds(
    root: Path, ear: Ear, seconds: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "alpha" / "log.jsonl").unlink()
    shutil.rmtree(root / "alpha" / ".turnwright")
    drop(root / "alpha", "1.json", "{}")
    monkeypatch.setattr("turnwright.campaign.inbox_watcher.age_ns", lambda *_: 0)
    watcher = ear.watcher(root, wait=0)
    taken = []
    for seconds[0] in (0.0, 1.5, 1.9, 2.0):
        taken.append(watcher.sweep())
    watcher.close()
    assert taken == [0, 0, 0, 1]
    assert ear.failed.empty()


def test_a_campaign_that_keeps_changing_before_it_has_a_log_is_told_of(
    root: Path, ear: Ear, seconds: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    log = (root / "alpha" / "log.jsonl").rename(root / "log")
    drop(root / "alpha", "1.json", "{}")
    monkeypatch.setattr("turnwright.campaign.inbox_watcher.age_ns", lambda *_: 0)
    watcher = ear.watcher(root, wait=0)
    for seconds[0] in (0.0, 1.0, 2.0):
        (root / "alpha" / f"{seconds[0]}.txt").touch()
        assert watcher.sweep() == 0
    assert "copying" in str(ear.failed.get_nowait()[1])
    log.rename(root / "alpha" / "log.jsonl")
    assert watcher.sweep() == 1
    watcher.close()
    assert ear.recovered.get_nowait() == "alpha"


def test_a_log_is_begun_at_once_where_nothing_has_changed_for_long(
    root: Path, ear: Ear, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "alpha" / "log.jsonl").unlink()
    shutil.rmtree(root / "alpha" / ".turnwright")
    drop(root / "alpha", "1.json", "{}")
    monkeypatch.setattr("turnwright.campaign.inbox_watcher.age_ns", lambda *_: 2_000_000_000)
    watcher = ear.watcher(root, wait=0)
    assert watcher.sweep() == 1
    watcher.close()
    assert ear.failed.empty()


def test_what_may_still_be_copied_is_waited_for_however_short_others_are(
    root: Path, ear: Ear, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "alpha" / "log.jsonl").unlink()
    shutil.rmtree(root / "alpha" / ".turnwright")
    drop(root / "alpha", "1.json", "{}")
    monkeypatch.setattr("turnwright.campaign.inbox_watcher.age_ns", lambda *_: 0)
    monkeypatch.setattr(
        "turnwright.campaign.inbox_watcher.time", SimpleNamespace(monotonic=partial(next, count(step=0.1)))
    )
    watcher = ear.watcher(root, wait=0)
    assert watcher.sweep_patiently() == 1
    watcher.close()
    assert ear.failed.empty()


def test_who_is_told_to_stop_ends_between_campaigns(root: Path, ear: Ear) -> None:
    for name in ("alpha", "beta"):
        drop(root / name, "1.json", "{}")
    watcher = Watcher(root, lambda *_: watcher.stop(), lambda *_: None)
    assert watcher.sweep() == 1
    watcher.close()
    assert (root / "beta" / "turns" / "1.json").exists()


def test_a_fault_of_the_program_in_one_campaign_does_not_stop_the_rest_and_is_told_once(
    root: Path, ear: Ear, monkeypatch: pytest.MonkeyPatch
) -> None:
    drop(root / "alpha", "1.json", "{}")
    drop(root / "beta", "2.json", "{}")
    opening = Campaign.open

    def fail(path: Path, *arguments: Any, **options: Any) -> Campaign:
        if path.name == "alpha":
            raise LookupError("nobody thought of this")
        return opening(path, *arguments, **options)

    with monkeypatch.context() as patched:
        patched.setattr(Campaign, "open", fail)
        watcher = ear.watcher(root)
        assert [watcher.sweep() for _ in range(3)] == [1, 0, 0]
        folder, error = ear.failed.get_nowait()
        assert (folder, type(error)) == ("alpha", LookupError)
        assert ear.failed.empty()
    assert watcher.sweep() == 1
    watcher.close()


def test_what_ends_the_program_is_no_fault_of_a_campaign(root: Path, ear: Ear, monkeypatch: pytest.MonkeyPatch) -> None:
    drop(root / "alpha", "1.json", "{}")

    def stop(*arguments: Any, **options: Any) -> Campaign:
        raise KeyboardInterrupt

    monkeypatch.setattr(Campaign, "open", stop)
    with pytest.raises(KeyboardInterrupt):
        ear.watcher(root).sweep()


@pytest.mark.skipif(sys.platform != "linux", reason="names that are no UTF-8")
def test_a_campaign_whose_name_is_in_no_encoding_is_watched_like_the_others(running: Path, ear: Ear) -> None:
    (running / "alpha").rename(running / "a\udcff")
    for folder, name in (("a\udcff", "1.json"), ("beta", "2.json"), ("a\udcff", "3.json")):
        drop(running / folder, name, "{}")
        assert ear.next() == (folder, name, "empty")
    assert ear.failed.empty()


def test_a_file_that_does_not_parse_is_left_until_it_has_been_quiet(
    root: Path, ear: Ear, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("turnwright.store.inbox.UNFINISHED_NS", PATIENCE * 10**9)
    path = root / "alpha" / "turns" / "slow.json"
    path.write_text('{"user_input": ')
    watcher = ear.watcher(root)
    assert watcher.sweep() == 0
    assert path.exists()
    age(path)
    assert watcher.sweep() == 1
    watcher.close()
    assert ear.all() == [("alpha", "slow.json", "refused")]


def test_a_file_from_the_future_that_does_not_parse_is_not_waited_for(root: Path, ear: Ear) -> None:
    path = root / "alpha" / "turns" / "copied.json"
    path.write_text('{"user_input": ')
    future = path.stat().st_mtime + 3600
    os.utime(path, (future, future))
    watcher = ear.watcher(root)
    assert watcher.sweep() == 1
    watcher.close()
    assert ear.all() == [("alpha", "copied.json", "refused")]


def test_what_is_no_ordinary_file_is_refused_in_place_and_told_once(root: Path, ear: Ear) -> None:
    (root / "alpha" / "turns" / "link.json").symlink_to(root / "alpha" / "campaign.json")
    watcher = ear.watcher(root)
    assert [watcher.sweep() for _ in range(3)] == [1, 0, 0]
    watcher.close()
    assert ear.all() == [("alpha", "link.json", "refused")]
    assert (root / "alpha" / "turns" / "link.json").is_symlink()


def test_each_file_of_a_name_is_told(root: Path, ear: Ear, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that always uses one name drops the next file as soon as the last one is gone."""
    watcher, claim = ear.watcher(root), drop_folder.claim

    def and_the_next_one(files: Files, name: str, seq: int) -> drop_folder.Claim | None:
        claimed = claim(files, name, seq)
        drop(root / "alpha", name, "{" if seq % 2 else "{}")
        age(root / "alpha" / "turns" / name)
        return claimed

    monkeypatch.setattr(drop_folder, "claim", and_the_next_one)
    drop(root / "alpha", "turn.json", "{}")
    for _ in range(6):
        assert watcher.sweep() == 1
    watcher.close()


def test_what_lies_in_the_way_anew_is_told_anew(root: Path, ear: Ear) -> None:
    place = root / "alpha" / "turns" / "a.json"
    watcher = ear.watcher(root)
    for refuse in (place.mkdir, lambda: place.write_text("{"), place.mkdir):
        refuse()
        if place.is_file():
            age(place)
        assert watcher.take(root / "alpha") == 1
        assert watcher.take(root / "alpha") == 0
        if place.is_dir():
            place.rmdir()
    watcher.close()
    assert [status for _, _, status in ear.all()] == ["refused"] * 3


def test_a_file_that_cannot_be_moved_is_told_once_until_another_has_its_name_and_stops_no_other(
    root: Path, ear: Ear, monkeypatch: pytest.MonkeyPatch
) -> None:
    rename = Disk.rename

    def refuse(self: Disk, place: str, to: str) -> None:
        if Path(place).name == "a.json":
            raise PermissionError(errno.EPERM, os.strerror(errno.EPERM), place)
        rename(self, place, to)

    monkeypatch.setattr(Disk, "rename", refuse)
    drop(root / "alpha", "b.json", "{}")
    (root / "alpha" / "turns" / "a.json").write_text("{}")
    watcher = ear.watcher(root)
    assert [watcher.sweep() for _ in range(3)] == [2, 0, 0]
    assert ear.all() == [("alpha", "b.json", "empty"), ("alpha", "a.json", "refused")]
    assert watcher._unfinished == set(), "it is not looked at again and again"
    (root / "alpha" / "turns" / "a.json").write_text("{ }")
    assert [watcher.sweep() for _ in range(2)] == [1, 0]
    monkeypatch.undo()
    assert watcher.sweep() == 1
    watcher.close()
    assert ear.all() == [("alpha", "a.json", "refused"), ("alpha", "a.json", "empty")]


def test_a_campaign_made_anew_in_the_same_place_is_taken_at_once(root: Path, ear: Ear) -> None:
    watcher = ear.watcher(root)
    drop(root / "beta", "1.json", "{}")
    assert watcher.sweep() == 1
    shutil.rmtree(root / "beta")
    Campaign.new(root / "beta", seed="another", clock=builders.clock).close()
    drop(root / "beta", "2.json", "{}")
    assert watcher.sweep() == 1
    watcher.close()
    assert ear.failed.empty()


def test_a_turn_dropped_into_a_folder_put_back_from_a_copy_is_in_its_log(running: Path, ear: Ear) -> None:
    for name in ("1.json", "2.json"):
        drop(running / "beta", name, "{}")
        assert ear.next() == ("beta", name, "empty")
        shutil.copytree(running / "beta", running.parent / "backup")
        shutil.rmtree(running / "beta")
        (running.parent / "backup").rename(running / "beta")
    drop(running / "beta", "3.json", "{}")
    assert ear.next() == ("beta", "3.json", "empty")
    assert len(builders.log_of(running / "beta")) == 4


def test_only_campaigns_that_a_sweep_finds_are_watched(running: Path, ear: Ear, tmp_path_factory: Any) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (running / "link").symlink_to(elsewhere)
    (running / "plain" / "turns").mkdir(parents=True)
    others = [running / "plain"]
    for folder in (elsewhere / "linked", running / ".hidden", running / "alpha" / "inner"):
        Campaign.new(folder, clock=builders.clock).close()
        others.append(folder)
    for folder in others:
        drop(folder, "1.json", "{}")
    drop(running / "beta", "2.json", "{}")
    assert ear.next() == ("beta", "2.json", "empty")
    Campaign.new(running / "gamma", clock=builders.clock).close()  # has everything looked at anew
    drop(running / "gamma", "3.json", "{}")
    assert ear.next() == ("gamma", "3.json", "empty")
    assert ear.all() == []
    assert ear.failed.empty()
    assert all((folder / "turns" / "1.json").exists() for folder in others)


def test_a_turn_that_brings_out_a_fault_of_the_program_stops_no_other(
    root: Path, ear: Ear, monkeypatch: pytest.MonkeyPatch
) -> None:
    break_turns(monkeypatch)
    drop(root / "alpha", "1.json", '{"x_breaks": 1}')
    drop(root / "alpha", "2.json", "{}")
    watcher = ear.watcher(root)
    assert [watcher.sweep() for _ in range(2)] == [2, 0]
    assert ear.all() == [("alpha", "1.json", "refused"), ("alpha", "2.json", "empty")]
    folder, error = ear.failed.get_nowait()
    assert (folder, str(error)) == ("alpha", "turnwright itself failed at 1.json (1 sub-exception)")
    assert ear.failed.empty()
    watcher.close()


def test_a_dropped_file_is_taken_at_once(running: Path, ear: Ear) -> None:
    drop(running / "beta", "a.json", '{"turn_id": "first"}')
    assert ear.next() == ("beta", "a.json", "empty")
    assert json.loads((running / "beta" / "results" / "first.json").read_text())["status"] == "empty"


def test_a_folder_may_be_watched_by_a_relative_path(root: Path, ear: Ear, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("turnwright.campaign.inbox_watcher.SWEEP_SECONDS", 10 * PATIENCE)
    monkeypatch.chdir(root.parent)
    watcher = ear.watcher(Path(root.name))
    thread = Thread(target=watcher.run)
    thread.start()
    try:
        for name in ("a.json", "b.json", "c.json"):  # two may be taken by the sweeps at the beginning
            drop(root / "alpha", name, "{}")
            assert ear.next() == ("alpha", name, "empty")
    finally:
        watcher.stop()
        thread.join()


def test_a_file_that_is_being_written_is_taken_when_it_is_whole(
    running: Path, ear: Ear, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("turnwright.store.inbox.UNFINISHED_NS", PATIENCE * 10**9)
    path = running / "beta" / "turns" / "slow.json"
    with path.open("w") as file:
        file.write('{"turn_id": ')
        file.flush()
        drop(running / "beta", "other.json", "{}")
        assert ear.next() == ("beta", "other.json", "empty")
        file.write('"slow"}')
    assert ear.next() == ("beta", "slow.json", "empty")


def test_a_campaign_that_appears_while_watching_is_watched_too(running: Path, ear: Ear) -> None:
    Campaign.new(running / "gamma", clock=builders.clock).close()
    drop(running / "gamma", "a.json", "{}")
    assert ear.next() == ("gamma", "a.json", "empty")


def test_a_campaign_that_is_moved_there_whole_is_noticed_at_once(
    running: Path, ear: Ear, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("turnwright.campaign.inbox_watcher.SWEEP_SECONDS", 3600)
    Campaign.new(running / ".gamma", clock=builders.clock).close()
    drop(running / ".gamma", "a.json", "{}")
    for name in ("1.json", "2.json"):  # meanwhile the watcher has learnt of the hidden folder
        drop(running / "beta", name, "{}")
        assert ear.next() == ("beta", name, "empty")
    (running / ".gamma").rename(running / "gamma")
    assert ear.next() == ("gamma", "a.json", "empty")
    drop(running / "gamma", "b.json", "{}")
    assert ear.next() == ("gamma", "b.json", "empty")


@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGTERM], ids=lambda by: by.name)
def test_what_befalls_a_campaign_is_told_line_by_line_until_a_signal_ends_it_cleanly(
    root: Path, by: signal.Signals
) -> None:
    alpha = root / "alpha"
    with Child(*TURNWRIGHT, "watch", root, "--json") as watching:
        drop(alpha, "a.json", "{}")
        (told,) = watching.hear_lines(1)
        assert told["file"] == "a.json"
        person = alpha / "characters" / "pc_001.json"
        sound, ill = root / "sound", root / "ill"
        shutil.copy(person, sound)
        ill.write_text("{}")
        ill.rename(person)
        drop(alpha, "b.json", "{}")
        told = watching.hear_lines(2)[1]
        assert (told["campaign"], told["error"]["reason"]) == (str(alpha), "campaign_invalid")
        sound.rename(person)
        drop(alpha, "c.json", "{}")
        mended, *others = watching.hear_lines(5)[2:]
        assert mended["file"] == "b.json"
        others.remove({"campaign": str(alpha), "error": None})  # before or after what was dropped then
        assert [told["file"] for told in others] == ["c.json"]
        assert len(watching.stop(by)) == 5
        told_aside = [line.partition(" ")[0] for line in watching.complaints.splitlines()]
    assert told_aside == ["watching", "problem", "recovered", "stopped"]
