"""A reading goes on from what the one before had open, and sees what one that opens everything anew sees."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from threading import Thread

import pytest
from tests import builders
from tests.store.kit import forget_checkpoint

from turnwright import Campaign
from turnwright.model.errors import CampaignClosed, CampaignInvalid
from turnwright.model.state.overlay import World
from turnwright.store import recovery as opening
from turnwright.store.checkpoint_file import CheckpointFile

TURN = builders.turn(builders.hp_delta(1))
PC = "characters/pc_001.json"


@pytest.fixture(name="opened")
def fixture_opened(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Give a list that grows whenever a checkpoint is opened; it says for each whether that was to write."""
    opened = list[bool]()
    really = CheckpointFile.open.__func__  # type: ignore[attr-defined]

    def told(cls: type[CheckpointFile], files: object, *, writable: bool) -> CheckpointFile:
        opened.append(writable)
        found: CheckpointFile = really(cls, files, writable=writable)
        return found

    monkeypatch.setattr(CheckpointFile, "open", classmethod(told))
    return opened


def anew(path: Path) -> dict[str, object]:
    """Return what somebody sees who opens the campaign for it."""
    with Campaign.open(path, builders.clock) as other:
        return {"state": other.state, "records": list(other.records()), "legal": other.legal()}


def seen(campaign: Campaign) -> dict[str, object]:
    return {"state": campaign.state, "records": list(campaign.records()), "legal": campaign.legal()}


def hp_in(world: World) -> int | None:
    character = world.character("pc_001")
    return character.hp if character else None


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def test_readings_one_after_the_other_open_the_checkpoint_once(campaign: Campaign, opened: list[bool]) -> None:
    for _ in range(3):
        seen(campaign)
    assert opened == [False]
    campaign.process(TURN)
    seen(campaign)
    assert opened == [False, True]


def test_readings_at_the_same_time_have_one_each(campaign: Campaign, opened: list[bool]) -> None:
    with campaign.reading() as first, campaign.reading() as second:
        campaign.process(TURN)
        assert [hp_in(world) for world in (first, second)] == [10, 10]
        assert campaign.state[PC]["hp"] == 11
    assert opened.count(False) == 3
    assert campaign.state[PC]["hp"] == 11
    assert opened.count(False) == 3


@pytest.mark.parametrize("lag", [0, 3600])
def test_what_oneself_and_others_did_since_is_seen(tmp_path: Path, lag: float) -> None:
    path = tmp_path / "c"
    builders.begin(path).close()
    with (
        Campaign.open(path, builders.clock, lag=lag) as campaign,
        Campaign.open(path, builders.clock, lag=lag) as other,
    ):
        for one in (campaign, other, other, campaign):
            one.process(TURN)
            assert seen(campaign) == anew(path)
        assert campaign.state[PC]["hp"] == 14
        other.undo()
        other.set({"results.keep": 5})
        (path / PC).write_text((path / PC).read_text(encoding="utf-8").replace("Mira", "Nora"), encoding="utf-8")
        other.process(TURN)
        assert seen(campaign) == anew(path)
        assert campaign.state[PC] == other.state[PC]
        assert campaign.state[PC]["name"] == "Nora"


def test_a_checkpoint_that_is_gone_or_made_again_is_not_read(campaign: Campaign, tmp_path: Path) -> None:
    path = tmp_path / "campaign_0"
    campaign.process(TURN)
    campaign.flush()
    before = seen(campaign)
    forget_checkpoint(path)
    assert seen(campaign) == before
    with Campaign.open(path, builders.clock) as other:
        other.process(TURN)
    assert seen(campaign) == anew(path) != before


def test_a_log_that_went_back_is_refused_as_by_who_opens_it_anew(campaign: Campaign, tmp_path: Path) -> None:
    path = tmp_path / "campaign_0"
    log = (path / "log.jsonl").read_bytes()
    campaign.process(TURN)
    campaign.flush()
    seen(campaign)
    whole = (path / "log.jsonl").read_bytes()
    (path / "log.jsonl").write_bytes(log)
    with pytest.raises(CampaignInvalid) as told:
        campaign.state  # noqa: B018
    with pytest.raises(CampaignInvalid) as told_anew:
        anew(path)
    assert told.value.problems == told_anew.value.problems
    saved = {file: file.read_bytes() for file in (path / ".turnwright").glob("checkpoint.sqlite3*")}
    forget_checkpoint(path)
    assert seen(campaign) == anew(path)
    assert campaign.state[PC]["hp"] == 10
    for file, data in saved.items():
        file.write_bytes(data)
    (path / "log.jsonl").write_bytes(whole)
    assert seen(campaign) == anew(path)


def test_a_log_that_was_put_back_is_read_by_who_had_read_the_longer_one(campaign: Campaign, tmp_path: Path) -> None:
    path, twin = tmp_path / "campaign_0", tmp_path / "twin"
    before, log = seen(campaign), (path / "log.jsonl").read_bytes()
    shutil.copytree(path, twin)
    with Campaign.open(twin, builders.clock) as other:
        other.process(TURN)
    (path / "log.jsonl").write_bytes((twin / "log.jsonl").read_bytes())
    assert seen(campaign) == anew(path)
    assert campaign.state[PC]["hp"] == 11
    (path / "log.jsonl").write_bytes(log)
    assert seen(campaign) == anew(path) == before


def test_another_campaign_of_the_same_name_is_read_as_what_it_is(tmp_path: Path) -> None:
    path = tmp_path / "c"
    with builders.begin(path) as campaign:
        seen(campaign)
        shutil.rmtree(path)
        builders.begin(path, builders.documents(people=[builders.person("pc_001", hp=3)], party=["pc_001"])).close()
        assert seen(campaign) == anew(path)
        assert campaign.state[PC]["hp"] == 3


def test_a_large_campaign_is_not_kept_in_memory_by_who_read_it_once(
    campaign: Campaign, opened: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "_MAX_AT_REST", 3)
    campaign.state  # noqa: B018
    with campaign.reading() as world:
        world.campaign  # noqa: B018
    assert opened == [False, False]
    list(campaign.records())
    assert opened == [False, False]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="counts what Linux lists")
def test_nothing_stays_open_once_the_campaign_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "c"
    builders.begin(path).close()
    anew(path)
    before = open_files()
    campaign = Campaign.open(path, builders.clock)
    campaign.process(TURN)
    seen(campaign)
    campaign.close()
    assert open_files() == before
    with pytest.raises(CampaignClosed):
        seen(campaign)
    assert open_files() == before


def test_threads_that_read_while_one_writes_see_whole_turns(tmp_path: Path) -> None:
    path = tmp_path / "c"
    trade = builders.turn(builders.hp_delta(1), builders.hp_delta(1, "pc_002"))
    wrong = list[object]()
    with builders.begin(path) as campaign:
        threads = [Thread(target=_watch, args=(campaign, wrong)) for _ in range(3)]
        for thread in threads:
            thread.start()
        for _ in range(20):
            campaign.process(trade)
        for thread in threads:
            thread.join()
    assert wrong == []


def _watch(campaign: Campaign, wrong: list[object]) -> None:
    for _ in range(30):
        state = campaign.state
        hp = state[PC]["hp"], state["characters/pc_002.json"]["hp"]
        wrong += [hp] if hp[0] - hp[1] != 2 else []
