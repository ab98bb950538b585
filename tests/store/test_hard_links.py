"""A copy made with hard links shares the log with the campaign; what is done in one never shows in the other."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from tests import builders
from tests.faults.disk import Operation, TellingDisk, use
from tests.faults.machine import ALL_IS_LOST, BYTES_ARE_LOST, NOTHING_IS_LOST, Machine
from tests.store.kit import contents, forget_checkpoint, kinds, log_of

from turnwright import Campaign
from turnwright.audit.check import check_directory
from turnwright.audit.verify import verify
from turnwright.game_master import telemetry
from turnwright.model.errors import CampaignInvalid

PC = "characters/pc_001.json"


def heal(path: Path, turn_id: str) -> None:
    with Campaign.open(path, builders.clock) as campaign:
        reply = campaign.process(builders.turn(builders.hp_delta(1), turn_id=turn_id))
        assert reply["status"] == "applied"


def turns_of(path: Path) -> list[str]:
    return [record["turn_id"] for record in log_of(path) if record["kind"] == "turn"]


def hp_of(path: Path) -> int:
    with Campaign.open(path, builders.clock) as campaign:
        return int(campaign.state[PC]["hp"])


def linked(path: Path, copy: Path) -> Path:
    """Copy a directory as `cp -al` does."""
    shutil.copytree(path, copy, copy_function=os.link)
    return copy


@pytest.fixture(name="path")
def fixture_path(campaign: Campaign, tmp_path: Path) -> Path:
    path = tmp_path / "campaign_0"
    campaign.close()
    heal(path, "before")
    return path


@pytest.mark.parametrize("order", ["original first", "copy first"])
def test_turns_in_a_copy_and_in_its_original_stand_apart(path: Path, tmp_path: Path, order: str) -> None:
    copy = linked(path, tmp_path / "copy")
    begins_at = hp_of(path)
    for number in range(3):
        for place in (path, copy) if order == "original first" else (copy, path):
            heal(place, f"{place.name}_{number}")
    for place in (path, copy):
        assert turns_of(place) == ["before", *(f"{place.name}_{number}" for number in range(3))]
        assert "edit" not in kinds(place)
        assert hp_of(place) == begins_at + 3
        found = verify(place)
        assert (found.problems, found.notes) == ((), ())


def test_a_program_that_stays_leaves_a_copy_that_is_made_meanwhile_alone(path: Path, tmp_path: Path) -> None:
    with Campaign.open(path, builders.clock) as campaign:
        assert campaign.process(builders.turn(builders.hp_delta(1), turn_id="one"))["status"] == "applied"
        campaign.flush()
        copy = linked(path, tmp_path / "copy")
        then = contents(copy)
        for turn_id in ("two", "three"):
            assert campaign.process(builders.turn(builders.hp_delta(1), turn_id=turn_id))["status"] == "applied"
    assert contents(copy) == then
    assert turns_of(path) == ["before", "one", "two", "three"]
    assert verify(copy).problems == verify(path).problems == ()


def test_turns_that_came_into_a_copy_through_the_shared_log_are_not_taken_back_in_it(
    path: Path, tmp_path: Path
) -> None:
    """Somebody appended to the shared file, as an earlier version did: documents of the copy are from before that."""
    copy = linked(path, tmp_path / "copy")
    heal(path, "after")
    (copy / "log.jsonl").unlink()
    os.link(path / "log.jsonl", copy / "log.jsonl")
    heal(copy, "more")
    assert turns_of(copy) == ["before", "after", "more"]
    assert "edit" not in kinds(copy)
    assert turns_of(path) == ["before", "after"]


@pytest.mark.parametrize("which", ["original", "copy"])
def test_where_nothing_tells_which_is_the_copy_it_is_refused_before_anything_is_written(
    path: Path, tmp_path: Path, which: str
) -> None:
    copy = linked(path, tmp_path / "copy")
    forget_checkpoint(path)
    forget_checkpoint(copy)
    place = path if which == "original" else copy
    before = contents(path), contents(copy)
    with pytest.raises(CampaignInvalid, match=r"mv log\.own log\.jsonl.*cp -a") as refusal:
        heal(place, "refused")
    assert [problem.rule for problem in refusal.value.problems] == ["shared"]
    assert (contents(path), contents(copy)) == before
    assert [problem.rule for problem in check_directory(place) if not problem.warning] == ["shared"]
    # The first remedy, as it is told:
    shutil.copy(place / "log.jsonl", place / "log.own")
    (place / "log.own").rename(place / "log.jsonl")
    heal(path, "one")
    heal(copy, "two")
    assert turns_of(path) == ["before", "one"]
    assert turns_of(copy) == ["before", "two"]


def test_the_other_remedy_gives_the_copy_files_of_its_own(path: Path, tmp_path: Path) -> None:
    copy = linked(path, tmp_path / "copy")
    forget_checkpoint(path)
    shutil.copytree(copy, tmp_path / "apart")
    shutil.rmtree(copy)
    (tmp_path / "apart").rename(copy)
    heal(path, "one")
    heal(copy, "two")
    assert turns_of(path) == ["before", "one"]
    assert turns_of(copy) == ["before", "two"]


def test_check_and_verify_tell_of_a_shared_log_and_say_which_directory_is_the_copy(path: Path, tmp_path: Path) -> None:
    copy = linked(path, tmp_path / "copy")
    for place, here in ((path, "the original"), (copy, "the copy")):
        (problem,) = check_directory(place)
        assert problem.warning
        assert here in problem.message
        found = verify(place)
        assert found.problems == ()
        assert [note for note in found.notes if here in note]
    heal(path, "one")
    assert check_directory(path) == check_directory(copy) == []


def test_telemetry_of_a_copy_stays_as_it_was(path: Path, tmp_path: Path) -> None:
    one: Any = {"one": 1}
    two: Any = {"two": 2}
    assert telemetry.append(path, one) is None
    copy = linked(path, tmp_path / "copy")
    assert telemetry.append(path, two) is None
    assert (copy / "telemetry.jsonl").read_bytes().count(b"\n") == 1
    assert (path / "telemetry.jsonl").read_bytes().count(b"\n") == 2


@pytest.mark.parametrize("loss", [NOTHING_IS_LOST, BYTES_ARE_LOST, ALL_IS_LOST])
def test_no_power_cut_while_the_log_becomes_its_own_loses_a_record(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, loss: object
) -> None:
    linked(path, tmp_path / "copy")
    machine, known, left = Machine.of(path), (path / "log.jsonl").read_bytes(), []

    def cut(operation: Operation) -> None:
        after = machine.after_power_cut(loss)  # type: ignore[arg-type]
        left.append((operation, after.files()["log.jsonl"].data))

    use(monkeypatch, TellingDisk(path, machine, cut))
    heal(path, "one")
    assert {"rename", "sync"} <= {operation.name for operation, _ in left}
    assert [str(operation) for operation, data in left if not data.startswith(known)] == []
