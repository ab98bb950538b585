"""Hand edits of files that are behind the log: nothing is lost of the turns or of the edit, and nothing is doubled."""

from __future__ import annotations

import errno
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from tests import builders
from tests.store.kit import CHECKPOINT, edit, kinds

from turnwright import Campaign
from turnwright.audit.verify import verify
from turnwright.model.errors import StorageFailed
from turnwright.store import platform
from turnwright.store.checkpoint import Checkpoint
from turnwright.store.files import Files

PC, NPC, HEAD = "characters/pc_001.json", "characters/npc_001.json", "campaign.json"
HIT = builders.turn(builders.hp_delta(-1))
HIT_NPC = builders.turn(builders.hp_delta(-1, "npc_001"))
LONG = 3600.0


@pytest.fixture(name="path")
def fixture_path(campaign: Campaign, tmp_path: Path) -> Path:
    campaign.close()
    return tmp_path / "campaign_0"


@pytest.fixture(name="listed")
def fixture_listed(path: Path) -> Path:
    """Give a campaign in which people have begun lists."""
    for name in (PC, HEAD):
        edit(path / name, extra={"notes": ["one"]})
    with opened(path) as campaign:
        campaign.process({})
    return path


def opened(path: Path) -> Campaign:
    return Campaign.open(path, builders.clock, lag=LONG)


def no_space(*_: Any) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def killed(path: Path) -> Path:
    """Return a campaign as it is when the process that has it open is killed now."""
    return Path(shutil.copytree(path, path.with_name("killed")))


def require_whole(path: Path) -> None:
    found = verify(path)
    assert (found.problems, found.notes) == ((), ())


def test_an_edit_is_made_on_top_of_what_the_file_did_not_hold_yet(path: Path) -> None:
    with opened(path) as campaign:
        for _ in range(3):
            campaign.process(HIT)
        assert builders.on_disk(path)[PC]["hp"] == 9
        edit(path / PC, name="Nadia")
        campaign.process(HIT)
        assert (campaign.state[PC]["hp"], campaign.state[PC]["name"]) == (6, "Nadia")
    assert builders.on_disk(path)[PC]["name"] == "Nadia"
    assert kinds(path) == ["new", "turn", "turn", "turn", "edit", "turn"]
    require_whole(path)


def test_an_edit_that_was_never_looked_at_is_not_written_over_when_the_campaign_is_closed(path: Path) -> None:
    with opened(path) as campaign:
        campaign.process(HIT)
        campaign.process(HIT)
        edit(path / PC, name="Nadia")
    assert builders.on_disk(path)[PC]["name"] == "Nadia"
    assert builders.on_disk(path)[PC]["hp"] == 8


def test_an_edit_whose_file_could_not_be_read_is_not_written_over(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A dropped turn fails because of that, and in the same breath everything that is behind is written."""
    read = Files.read

    def refuse(self: Files, name: str, at_most: int | None = None) -> bytes:
        if name == NPC:
            raise OSError(24, "Too many open files")
        return read(self, name, at_most)

    with opened(path) as campaign:
        campaign.process(HIT)
        campaign.process(HIT_NPC)
        edit(path / NPC, name="Grell the Bold")
        (path / "turns/a.json").write_text(json.dumps(HIT_NPC), encoding="utf-8")
        with monkeypatch.context() as patch:
            patch.setattr(Files, "read", refuse)
            with pytest.raises(StorageFailed, match="Too many open files"):
                list(campaign.process_drop())
        assert builders.on_disk(path)[NPC]["name"] == "Grell the Bold"
        assert [name for name, _ in campaign.process_drop()] == ["a.json"]
    assert (builders.on_disk(path)[NPC]["name"], builders.on_disk(path)[NPC]["hp"]) == ("Grell the Bold", 3)
    require_whole(path)


def test_turns_in_between_stand_though_another_could_not_be_written(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(path) as campaign:
        for _ in range(3):
            campaign.process(HIT)
        with monkeypatch.context() as patch:
            patch.setattr(platform, "sync_file", no_space)
            with pytest.raises(StorageFailed, match="No space left"):
                campaign.process(HIT)
        edit(path / PC, name="Nadia")
    assert (builders.on_disk(path)[PC]["hp"], builders.on_disk(path)[PC]["name"]) == (7, "Nadia")
    assert kinds(path) == ["new", "turn", "turn", "turn", "edit"]
    require_whole(path)


def test_turns_in_between_stand_though_the_process_that_took_them_was_killed(listed: Path) -> None:
    with opened(listed) as campaign:
        for _ in range(3):
            campaign.process(HIT)
        edit(listed / PC, extra={"notes": ["one", "two"]})
        campaign.process(HIT)
        path = killed(listed)
    edit(path / PC, extra={"notes": ["one", "two", "three"]})
    with opened(path) as campaign:
        campaign.process({})
    assert builders.on_disk(path)[PC]["extra"] == {"notes": ["one", "two", "three"]}
    assert builders.on_disk(path)[PC]["hp"] == 6
    require_whole(path)


def test_what_was_written_before_writing_failed_is_no_part_of_an_edit(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(path) as campaign:
        campaign.process(HIT)
        campaign.process(HIT)
        with monkeypatch.context() as patch:
            patch.setattr(Checkpoint, "save", no_space)
            with pytest.raises(StorageFailed, match="No space left"):
                campaign.flush()
        assert builders.on_disk(path)[PC]["hp"] == 8
        campaign.process(HIT)
        edit(path / PC, name="Nadia")
    assert (builders.on_disk(path)[PC]["hp"], builders.on_disk(path)[PC]["name"]) == (7, "Nadia")
    require_whole(path)


def test_what_was_written_before_a_crash_is_no_part_of_an_edit(listed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    edit(listed / PC, extra={"notes": ["one", "two"]})
    with opened(listed) as campaign:
        campaign.process({})
        campaign.undo("#3")
        campaign.flush()
        assert builders.on_disk(listed)[PC]["extra"] == {"notes": ["one"]}
        campaign.undo("#5")
        with monkeypatch.context() as patch:
            patch.setattr(Checkpoint, "save", no_space)
            with pytest.raises(StorageFailed, match="No space left"):
                campaign.flush()
        path = killed(listed)
    edit(path / PC, extra={"notes": ["one", "two", "three"]})
    with opened(path) as campaign:
        campaign.process({})
    assert builders.on_disk(path)[PC]["extra"] == {"notes": ["one", "two", "three"]}
    require_whole(path)


def test_an_edit_stands_as_it_was_saved_where_a_power_cut_may_have_taken_the_checkpoint_back(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    older = shutil.copy(path / CHECKPOINT, path.with_name("older"))
    with opened(path) as campaign:
        campaign.process(HIT)
    shutil.copy(older, path / CHECKPOINT)
    monkeypatch.setattr(platform, "boot_id", lambda: "another")
    edit(path / PC, hp=10, name="Nadia")
    with opened(path) as campaign:
        campaign.process({})
    assert (builders.on_disk(path)[PC]["hp"], builders.on_disk(path)[PC]["name"]) == (10, "Nadia")
    require_whole(path)


def test_what_an_edit_adds_to_a_list_is_added_once_whenever_the_file_is_written(listed: Path) -> None:
    with opened(listed) as campaign:
        for _ in range(3):
            campaign.process(HIT)
        edit(listed / PC, extra={"notes": ["one", "two"]})
        campaign.process(HIT)
        campaign.flush()
        assert campaign.state[PC]["extra"] == {"notes": ["one", "two"]}
    assert (builders.on_disk(listed)[PC]["hp"], builders.on_disk(listed)[PC]["extra"]) == (6, {"notes": ["one", "two"]})
    assert kinds(listed)[3:] == ["turn", "turn", "turn", "edit", "turn"]
    require_whole(listed)


def test_a_second_edit_before_the_file_is_written_brings_only_what_is_new_in_it(listed: Path) -> None:
    with opened(listed) as campaign:
        for notes in (["one"], ["one", "two"], ["one", "two", "three"]):
            edit(listed / PC, extra={"notes": notes})
            campaign.process(HIT)
        assert campaign.state[PC]["extra"] == {"notes": ["one", "two", "three"]}
    assert builders.on_disk(listed)[PC]["hp"] == 7
    require_whole(listed)


def test_an_edit_of_settings_and_of_a_list_is_one_edit_although_its_revision_is_raised(listed: Path) -> None:
    with opened(listed) as campaign:
        campaign.process(HIT)
        allowed = [*builders.ALL_CORE, "dance"]
        edit(listed / HEAD, settings={"narration": {"check": "off"}}, allowlist=allowed)
        campaign.process({})
        campaign.flush()
        assert campaign.state[HEAD]["allowlist"] == allowed
    assert builders.on_disk(listed)[HEAD]["settings_revision"] == 1
    assert kinds(listed)[3:] == ["turn", "edit", "turn"]
    require_whole(listed)


def test_an_edit_is_made_on_top_of_one_that_another_process_adopted(listed: Path) -> None:
    with opened(listed) as first, opened(listed) as second:
        first.process({})
        second.process({})
        edit(listed / PC, extra={"notes": ["one", "two"]})
        second.process({})
        assert first.process(HIT)["state_summary"]["hp"]["pc_001"] == 9
        edit(listed / PC, extra={"notes": ["one", "two", "three"]})
        assert first.process(HIT)["state_summary"]["hp"]["pc_001"] == 8
        assert first.state[PC]["extra"] == second.state[PC]["extra"] == {"notes": ["one", "two", "three"]}
    require_whole(listed)


def test_an_edit_that_another_process_made_on_top_is_not_made_again(listed: Path) -> None:
    with opened(listed) as first, opened(listed) as second:
        first.process({})
        second.process({})
        edit(listed / PC, extra={"notes": ["one", "two"]})
        first.process({})
        second.process(HIT)
        edit(listed / PC, extra={"notes": ["one", "two", "three"]})
        assert first.process({})["state_summary"]["hp"]["pc_001"] == 9
        assert second.process(HIT)["state_summary"]["hp"]["pc_001"] == 8
        assert second.state[PC]["extra"] == {"notes": ["one", "two", "three"]}
    assert kinds(listed)[3:].count("edit") == 2
    require_whole(listed)


@pytest.mark.parametrize("how", ["put back", "deleted"])
def test_a_file_that_changes_again_after_its_edit_was_adopted_ends_as_the_document(path: Path, how: str) -> None:
    with opened(path) as campaign:
        campaign.process(HIT)
        before = (path / NPC).read_bytes()
        edit(path / NPC, name="Grell the Bold")
        campaign.process(builders.turn(builders.hp_delta(0, "npc_001")))
        assert kinds(path)[2:] == ["edit", "turn"]
        if how == "put back":
            (path / NPC).write_bytes(before)
        else:
            (path / NPC).unlink()
        campaign.process({})
    assert builders.on_disk(path)[NPC]["name"] == "Grell the Bold"
    require_whole(path)
