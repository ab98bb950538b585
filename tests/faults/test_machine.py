"""What survives a power cut, and what does not: the model that crash tests rest on."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.faults.machine import (
    ALL_IS_LOST,
    BYTES_ARE_LOST,
    NOTHING_IS_LOST,
    Content,
    Loss,
    Machine,
    some_is_lost,
)

OLD = Content(b"old", 1)


@pytest.fixture(name="machine")
def fixture_machine() -> Machine:
    machine = Machine()
    machine.put("folder", None)
    machine.put("file", OLD)
    return machine


def left(machine: Machine, loss: Loss = ALL_IS_LOST) -> dict[str, bytes]:
    return {path: content.data for path, content in machine.after_power_cut(loss).files().items()}


def test_what_was_there_stays(machine: Machine) -> None:
    assert left(machine) == {"file": b"old"}


def test_bytes_are_safe_when_their_file_was_synced(machine: Machine) -> None:
    number = machine.names["file"]
    machine.write(number, b"+1", 3, 2)
    assert left(machine) == {"file": b"old"}
    machine.sync(number)
    machine.write(number, b"+2", 5, 3)
    assert left(machine) == {"file": b"old+1"}
    assert left(machine, NOTHING_IS_LOST) == {"file": b"old+1+2"}


def test_a_name_is_safe_when_its_folder_was_synced(machine: Machine) -> None:
    machine.sync(machine.create("new"))
    assert left(machine) == {"file": b"old"}
    machine.sync_folder("folder")
    assert left(machine) == {"file": b"old"}
    machine.sync_folder("")
    assert left(machine) == {"file": b"old", "new": b""}


def test_a_file_whose_name_alone_survives_is_empty(machine: Machine) -> None:
    machine.write(machine.create("new.tmp"), b"new", 0, 2)
    machine.rename("new.tmp", "file")
    assert left(machine) == {"file": b"old"}
    assert left(machine, BYTES_ARE_LOST) == {"file": b""}


@pytest.mark.parametrize("synced", ["", "folder"])
def test_a_rename_survives_with_both_its_ends(machine: Machine, synced: str) -> None:
    machine.rename("file", "folder/file")
    assert left(machine) == {"file": b"old"}
    machine.sync_folder(synced)
    assert left(machine) == {"folder/file": b"old"}


def test_what_was_deleted_comes_back(machine: Machine) -> None:
    machine.unlink("file")
    assert machine.files() == {}
    assert left(machine) == {"file": b"old"}
    machine.sync_folder("")
    assert left(machine) == {}


def test_a_folder_survives_with_the_names_in_it(machine: Machine) -> None:
    machine.make_folder("folder/new")
    machine.make_folder("folder/new/inner")
    machine.sync(machine.create("folder/new/inner/file"))
    assert left(machine) == {"file": b"old"}
    machine.sync_folder("folder/new/inner")
    assert left(machine) == {"file": b"old", "folder/new/inner/file": b""}


def test_what_moved_from_a_synced_folder_into_a_new_one_is_not_gone(machine: Machine) -> None:
    machine.rename("file", "folder/file")
    machine.make_folder("new")
    machine.rename("folder/file", "new/file")
    machine.sync_folder("folder")
    assert left(machine) == {"new/file": b"old"}


def test_bytes_that_a_sync_could_not_write_are_never_safe_unless_written_again(machine: Machine) -> None:
    number = machine.names["file"]
    machine.write(number, b"+1", 3, 2)
    machine.fail_to_sync(number)
    machine.sync(number)
    assert left(machine) == {"file": b"old\0\0"}
    machine.cut(number, 3, 4)
    machine.write(number, b"+2", 3, 5)
    machine.sync(number)
    assert left(machine) == {"file": b"old+2"}


def test_chance_takes_the_latest_changes_and_any_added_bytes(machine: Machine) -> None:
    machine.write(machine.names["file"], b"+12345", 3, 2)
    machine.rename("file", "one")
    machine.rename("one", "two")
    found = [left(machine, some_is_lost(str(seed))) for seed in range(200)]
    assert {path for files in found for path in files} == {"file", "one", "two"}
    assert {data for files in found for data in files.values()} == {b"old+12345"[:end] for end in range(3, 10)}
    assert found == [left(machine, some_is_lost(str(seed))) for seed in range(200)]


def test_a_copy_goes_its_own_way(machine: Machine) -> None:
    copy = machine.clone()
    copy.unlink("file")
    copy.sync_folder("")
    assert (left(copy), left(machine)) == ({}, {"file": b"old"})


def test_a_directory_holds_what_a_running_system_sees(machine: Machine, tmp_path: Path) -> None:
    machine.write(machine.create("folder/new"), b"new", 0, 5_000_000_000)
    machine.lay_out(tmp_path / "again")
    assert (tmp_path / "again/folder/new").read_bytes() == b"new"
    assert (tmp_path / "again/folder/new").stat().st_mtime_ns == 5_000_000_000
    assert left(Machine.of(tmp_path / "again")) == {"file": b"old", "folder/new": b"new"}
