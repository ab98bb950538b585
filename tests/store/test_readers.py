"""Readers see whole turns, wait for nobody, and change nothing."""

from __future__ import annotations

import errno
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from tests import builders
from tests.store.kit import SECONDS, contents, ended, forget_checkpoint, python

from turnwright import Campaign
from turnwright.model.errors import CampaignInvalid, StorageFailed
from turnwright.store.document_cache import Current
from turnwright.store.files import Files
from turnwright.store.lock import Lock
from turnwright.store.records import Records

TRADE = builders.turn(builders.hp_delta(1), builders.hp_delta(-1, "npc_001"), builders.hp_delta(1, "pc_002"))
PC, OTHER, NPC = "characters/pc_001.json", "characters/pc_002.json", "characters/npc_001.json"
TRADER = """
import sys, time
from tests import builders
from turnwright import Campaign
from turnwright.store import platform

platform.sync_file = platform.sync_folder = lambda _: None
turn = builders.turn(builders.hp_delta(1), builders.hp_delta(-1, "npc_001"), builders.hp_delta(1, "pc_002"))
with Campaign.open(sys.argv[1], builders.clock) as campaign:
    campaign.process({})
    print("ready", flush=True)
    for number in range(100):
        campaign.process(turn)
        time.sleep(0.003)
        if number % 25 == 24:
            sys.stdin.readline()
"""
"""Takes 100 turns, and waits for a line after each 25."""
READER = """
import os, sys
from pathlib import Path
from tests import builders
from turnwright import Campaign
from turnwright.audit.verify import verify


def look(path):
    with Campaign.open(path, builders.clock) as campaign:
        yield campaign.state["characters/pc_001.json"]["hp"]
        yield len(list(campaign.records()))
        yield len(campaign.query("move_options", {})["result"]["options"])
        yield verify(Path(path)).problems
        try:
            yield campaign.process(builders.turn(builders.hp_delta(1)))["status"]
        except Exception as error:
            yield type(error).__name__


builders.begin(Path(sys.argv[2])).close()
list(look(sys.argv[2]))  # so that everything is imported while we may
is_root = os.getuid() == 0
if is_root:
    os.seteuid(65534)
print(*look(sys.argv[1]), sep="|")
if is_root:
    os.seteuid(0)
"""


@pytest.fixture(name="rich")
def fixture_rich(tmp_path: Path) -> Path:
    """Give the directory of a campaign with an enemy that can lose a lot."""
    people = [builders.person("pc_001"), builders.person("pc_002"), builders.person("npc_001", hp=1000)]
    builders.begin(tmp_path / "rich", builders.documents(people)).close()
    return tmp_path / "rich"


def hp(state: builders.Json) -> tuple[int, int, int]:
    return state[PC]["hp"], state[OTHER]["hp"], state[NPC]["hp"]


def test_whole_turns_are_seen_while_a_writer_runs(rich: Path) -> None:
    writer = python(TRADER, rich)
    assert writer.stdout is not None
    assert writer.stdin is not None
    assert writer.stdout.readline() == "ready\n"
    pauses, last = {35, 60, 85, 110}, (10, 10, 1000)
    seen: set[int] = set()
    with Campaign.open(rich, builders.clock) as reader:
        while writer.poll() is None:
            mira, tomas, grell = hp(reader.state)
            assert mira == tomas == 1010 - grell
            assert mira >= last[0], "what was seen stays seen"
            last = (mira, tomas, grell)
            if mira in pauses - seen:
                print(file=writer.stdin, flush=True)
            seen.add(mira)
            with reader.reading() as world:
                first = [world.get(path) for path in (PC, OTHER, NPC)]
                count = world.campaign.settings_revision
                fresh = reader.state  # another reader, later: the first one's world stays as it was
                again = [world.get(path) for path in (PC, OTHER, NPC)]
                assert again == first
                assert world.campaign.settings_revision == count
                assert fresh[PC]["hp"] >= mira
            records = list(reader.records())
            assert [record["seq"] for record in records] == list(range(len(records)))
            assert records[-1]["kind"] in ("turn", "new")
    ended(writer)
    assert pauses <= seen
    with Campaign.open(rich, builders.clock) as reader:
        assert hp(reader.state) == (110, 110, 900)


def test_a_reader_waits_for_no_writer(campaign: Campaign, tmp_path: Path) -> None:
    campaign.process(TRADE)
    path = tmp_path / "campaign_0"
    lock = Lock(Files(path))
    with lock.held(0), Campaign.open(path, builders.clock, wait=0) as reader:
        assert hp(reader.state) == (11, 9, 4)
        assert len(list(reader.records())) == 2
        assert reader.query("move_options", {})["ok"]
        assert reader.state_at("0")[PC]["hp"] == 10
    lock.close()


def test_a_reader_waits_for_no_thread_that_waits_to_write(campaign: Campaign, tmp_path: Path) -> None:
    path, waits, pause = tmp_path / "campaign_0", Event(), time.sleep
    campaign.close()
    lock = Lock(Files(path))

    def noted(seconds: float) -> None:
        waits.set()
        pause(seconds)

    with Campaign.open(path, builders.clock, wait=SECONDS, lag=3600) as ours, pytest.MonkeyPatch.context() as patched:
        for _ in range(2):
            ours.process(TRADE)  # the second one leaves files behind the log
        patched.setattr(time, "sleep", noted)
        with lock.held(0):
            writer = Thread(target=ours.process, args=(TRADE,))
            writer.start()
            assert waits.wait(SECONDS)
            assert hp(ours.state) == (12, 10, 3)
            assert writer.is_alive()
        writer.join(SECONDS)
        assert hp(ours.state) == (13, 11, 2)
    lock.close()


@pytest.mark.parametrize("has_checkpoint", [True, False])
def test_a_turn_counts_as_soon_as_its_line_is_in_the_log(
    campaign: Campaign, tmp_path: Path, has_checkpoint: bool
) -> None:
    path = tmp_path / "campaign_0"
    campaign.process(TRADE)
    campaign.close()
    shutil.copytree(path, tmp_path / "behind")
    with Campaign.open(path, builders.clock) as further:
        further.process(TRADE)
        expected = further.state
    shutil.copy(path / "log.jsonl", tmp_path / "behind/log.jsonl")
    if not has_checkpoint:
        forget_checkpoint(tmp_path / "behind")
    before = contents(tmp_path / "behind")
    with Campaign.open(tmp_path / "behind", builders.clock) as reader:
        assert reader.state == expected
    assert contents(tmp_path / "behind") == before


def test_a_line_that_is_being_written_is_not_seen(campaign: Campaign, tmp_path: Path) -> None:
    path = tmp_path / "campaign_0"
    campaign.process(TRADE)
    whole = (path / "log.jsonl").read_bytes()
    campaign.process(TRADE)
    grown = (path / "log.jsonl").read_bytes()
    forget_checkpoint(path)
    for size in (len(whole), len(whole) + 1, len(grown) - 1):
        (path / "log.jsonl").write_bytes(grown[:size])
        with Campaign.open(path, builders.clock) as reader:
            assert hp(reader.state) == (11, 9, 4)
            assert len(list(reader.records())) == 2


def _deleted(path: Path) -> None:
    shutil.rmtree(path)


def _emptied(path: Path) -> None:
    shutil.rmtree(path)
    path.mkdir()


def _with_an_empty_log(path: Path) -> None:
    _emptied(path)
    (path / "log.jsonl").touch()


@pytest.mark.parametrize("become", [_deleted, _emptied, _with_an_empty_log])
def test_what_is_no_campaign_any_more_is_refused_by_every_reader(
    campaign: Campaign, tmp_path: Path, become: Callable[[Path], None]
) -> None:
    campaign.flush()
    become(tmp_path / "campaign_0")
    readers: list[Callable[[], object]] = [
        lambda: campaign.state,
        lambda: list(campaign.records()),
        lambda: campaign.query("move_options", {}),
        campaign.legal,
        lambda: campaign.state_at("0"),
        lambda: campaign.fork(tmp_path / "fork", "0"),
        lambda: campaign.reading().__enter__(),
    ]
    for read in readers:
        with pytest.raises(CampaignInvalid, match=r"campaign\.json: \$: there is no campaign\.json"):
            read()


def test_an_error_of_who_reads_stays_their_own(campaign: Campaign) -> None:
    with pytest.raises(FileNotFoundError, match="mine"), campaign.reading():
        raise FileNotFoundError("a file of mine")


def test_what_the_machine_refuses_while_a_world_is_read_is_said_of_the_campaign(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    with campaign.moment() as (world, last_turn):
        monkeypatch.setattr(Current, "get", refuse)
        monkeypatch.setattr(Records, "at", refuse)
        for read in (lambda: world.get(PC), last_turn):
            with pytest.raises(StorageFailed, match="cannot read the campaign"):
                read()


def test_reading_makes_and_changes_no_file(campaign: Campaign, tmp_path: Path) -> None:
    path = tmp_path / "campaign_0"
    campaign.process(TRADE)
    campaign.close()
    before = {file: file.stat().st_mtime_ns for file in path.rglob("*") if "checkpoint.sqlite3-" not in file.name}
    with Campaign.open(path, builders.clock) as reader:
        reader.state  # noqa: B018
        list(reader.records())
        reader.query("move_options", {})
        reader.legal()
        reader.state_at("0")
    after = {file: file.stat().st_mtime_ns for file in path.rglob("*") if "checkpoint.sqlite3-" not in file.name}
    assert {file: time for file, time in after.items() if not file.is_dir()} == {
        file: time for file, time in before.items() if not file.is_dir()
    }


@pytest.fixture(name="shared")
def fixture_shared() -> Iterator[Path]:
    """Give a folder that everybody may read."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    for place, _, _ in os.walk(folder):
        Path(place).chmod(0o755)
    shutil.rmtree(folder)


@pytest.mark.skipif(sys.platform == "win32", reason="permissions are another thing there")
@pytest.mark.parametrize("has_checkpoint", [True, False])
@pytest.mark.parametrize("is_open", [True, False])
def test_who_may_not_write_can_read_and_verify(
    shared: Path, tmp_path: Path, has_checkpoint: bool, is_open: bool
) -> None:
    path = shared / "campaign"
    campaign = builders.begin(path)
    campaign.process(TRADE)
    if not is_open:
        campaign.close()
    if not has_checkpoint:
        forget_checkpoint(path)
    for place, _, names in os.walk(path):
        for name in names:
            (Path(place) / name).chmod(0o444)
        Path(place).chmod(0o555)
    assert ended(python(READER, path, tmp_path / "warm")) == "11|2|2|()|StorageFailed\n"
    campaign.close()


def test_without_a_checkpoint_all_readings_together_read_each_record_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "campaign"
    builders.begin(path).close()
    with Campaign.open(path, builders.clock) as other:
        other.process(TRADE)
    forget_checkpoint(path)
    taken: list[int] = []
    take = Records.take

    def counted(self: Records, record: Any, offset: int) -> None:
        taken.append(record["seq"])
        take(self, record, offset)

    monkeypatch.setattr(Records, "take", counted)
    with Campaign.open(path, builders.clock) as campaign:
        before = [campaign.state for _ in range(3)]
        assert taken == [0, 1]
        with Campaign.open(path, builders.clock) as other:
            other.process(TRADE)
        taken.clear()
        after = [campaign.state for _ in range(3)]
        assert taken == [2]
    assert [state[PC]["hp"] for state in (*before, *after)] == [11] * 3 + [12] * 3
