"""The one port to the disk: whole files or none, and never through a link."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from turnwright.model.errors import StorageFailed
from turnwright.store.disk import Disk
from turnwright.store.files import MAX_FILE_BYTES, Files, beside, storage_errors


@pytest.fixture(name="files")
def fixture_files(tmp_path: Path) -> Files:
    return Files(tmp_path)


def test_a_replaced_file_holds_the_new_bytes_and_nothing_lies_beside_it(files: Files, tmp_path: Path) -> None:
    files.replace("a.json", b"old")
    seen = files.replace("a.json", b"newer")
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.json"]
    assert (tmp_path / "a.json").read_bytes() == b"newer"
    assert seen == files.look("a.json")


def test_who_has_the_old_file_open_goes_on_reading_the_old_file(files: Files, tmp_path: Path) -> None:
    files.replace("a.json", b"old")
    with (tmp_path / "a.json").open("rb") as reader:
        files.replace("a.json", b"new")
        assert reader.read() == b"old"


@pytest.mark.parametrize("failing", ["write", "replace"])
def test_a_file_that_could_not_be_written_stays_as_it_was(
    files: Files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    files.replace("a.json", b"old")

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace" if failing == "replace" else "fstat", full)
        with pytest.raises(StorageFailed, match="No space"), storage_errors("cannot save"):
            files.replace("a.json", b"new")
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.json"]
    assert files.read("a.json") == b"old"


def test_a_link_in_a_files_place_is_replaced_and_not_followed(files: Files, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_bytes(b"precious")
    (tmp_path / "a.json").symlink_to("elsewhere")
    files.replace("a.json", b"new")
    assert (tmp_path / "elsewhere").read_bytes() == b"precious"
    assert not (tmp_path / "a.json").is_symlink()


def test_a_link_where_the_temporary_file_would_lie_is_not_followed(files: Files, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_bytes(b"precious")
    (tmp_path / beside("a.json")).symlink_to("elsewhere")
    files.replace("a.json", b"new")
    assert (tmp_path / "elsewhere").read_bytes() == b"precious"
    assert files.read("a.json") == b"new"


def test_a_temporary_file_left_by_a_crash_is_no_hindrance(files: Files, tmp_path: Path) -> None:
    (tmp_path / beside("a.json")).write_bytes(b"half of someth")
    files.replace("a.json", b"new")
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.json"]


def test_a_temporary_file_of_somebody_else_is_left_alone(files: Files, tmp_path: Path) -> None:
    (tmp_path / "a.json.tmp").write_bytes(b"an edit that is not done")
    files.replace("a.json", b"new")
    assert (tmp_path / "a.json.tmp").read_bytes() == b"an edit that is not done"


def test_a_file_can_be_written_in_blocks(files: Files) -> None:
    assert files.replace("folder/a.json", iter([b"one", b"two"])).size == 6
    assert files.read("folder/a.json") == b"onetwo"


def test_a_file_in_blocks_whose_folder_vanishes_is_not_replaced_by_an_empty_one(tmp_path: Path) -> None:
    class Vanishing(Disk):
        def rename(self, place: str, to: str) -> None:
            if Path(place).stat().st_size:
                shutil.rmtree(tmp_path / "folder")
            super().rename(place, to)

    (tmp_path / "folder").mkdir()
    files = Files(tmp_path, Vanishing())
    with pytest.raises(FileNotFoundError):
        files.replace("folder/a.json", iter([b"one", b"two"]))
    assert not (tmp_path / "folder").exists()


def test_a_file_that_would_take_all_memory_is_not_read_as_a_whole(files: Files, tmp_path: Path) -> None:
    (tmp_path / "a.json").touch()
    os.truncate(tmp_path / "a.json", MAX_FILE_BYTES + 1)
    with pytest.raises(StorageFailed, match=f"is longer than {MAX_FILE_BYTES} bytes"), storage_errors("cannot read"):
        files.read("a.json")
    assert files.read("a.json", 2) == b"\0\0"


def test_reading_follows_no_link(files: Files, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_bytes(b"secret")
    (tmp_path / "a.json").symlink_to("elsewhere")
    with pytest.raises(OSError, match="symbolic links"):
        files.read("a.json")


def test_reading_waits_for_no_pipe_and_reads_no_device(files: Files, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    for folder, name in ((files, "pipe.json"), (Files(Path("/dev")), "zero")):
        with pytest.raises(OSError, match="is not an ordinary file"):
            folder.read(name)


def test_looking_sees_what_an_entry_is_and_not_what_it_leads_to(files: Files, tmp_path: Path) -> None:
    (tmp_path / "folder.json").mkdir()
    (tmp_path / "file.json").write_bytes(b"12345")
    (tmp_path / "link.json").symlink_to("file.json")
    (tmp_path / "dangling.json").symlink_to("nowhere")
    kinds = {name: (seen.is_file, seen.is_folder) for name, seen in files.listing("").items()}
    neither = (False, False)
    assert kinds == {
        "dangling.json": neither,
        "file.json": (True, False),
        "folder.json": (False, True),
        "link.json": neither,
    }
    assert {name: files.look(name) for name in kinds} == files.listing("")
    assert files.look("missing.json") is None
    assert files.look("file.json/inside.json") is None
    assert files.listing("missing") == {}


def test_a_listing_is_sorted_whatever_order_the_disk_has(files: Files, tmp_path: Path) -> None:
    names = [f"{number:03d}" for number in range(40)]
    for name in reversed(names):
        (tmp_path / name).touch()
    assert list(files.listing("")) == names


def test_an_entry_that_goes_while_a_folder_is_listed_hides_no_other(
    files: Files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a", "b", "c"):
        (tmp_path / name).touch()
    scan = os.scandir

    class Racing:
        """A folder from which somebody renames a file between its being named and looked at."""

        def __init__(self, place: str) -> None:
            self.entries = scan(place)

        def __enter__(self) -> Racing:
            return self

        def __exit__(self, *_: object) -> None:
            self.entries.close()

        def __iter__(self) -> Iterator[os.DirEntry[str]]:
            for entry in self.entries:
                if entry.name == "b":
                    (tmp_path / "b").unlink()
                yield entry

    monkeypatch.setattr(os, "scandir", Racing)
    assert list(files.listing("")) == ["a", "c"]


def test_a_file_is_told_from_another_of_the_same_name(files: Files, tmp_path: Path) -> None:
    files.replace("a.json", b"same")
    before = files.identity("a.json")
    assert before == files.identity("a.json")
    (tmp_path / "kept").hardlink_to(tmp_path / "a.json")  # so that the new file cannot get the old one's number
    files.replace("a.json", b"same")
    assert files.identity("a.json") not in (None, before)
    assert files.identity("missing") is None


def test_the_file_systems_own_clock_agrees_with_its_files(files: Files) -> None:
    before = files.now_ns()
    written = files.replace("a.json", b"")
    assert before <= written.mtime_ns <= files.now_ns()


def test_removing_what_is_not_there_is_nothing(files: Files, tmp_path: Path) -> None:
    files.replace("a.json", b"")
    files.remove("a.json")
    files.remove("a.json")
    assert list(tmp_path.iterdir()) == []


def test_what_the_machine_refuses_names_the_file(files: Files, tmp_path: Path) -> None:
    (tmp_path / "a.json").mkdir()
    with pytest.raises(StorageFailed, match="cannot save the thing") as failed, storage_errors("cannot save the thing"):
        files.replace("a.json", b"")
    assert "a.json" in str(failed.value)
