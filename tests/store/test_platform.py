"""What differs between operating systems. Linux is asked itself; the others are played by fakes."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from turnwright.store import platform as real_platform

LOADED_FROM = Path(real_platform.__file__)


class FakeFcntl(ModuleType):
    """The calls that `fcntl` was asked for."""

    LOCK_EX, LOCK_NB, LOCK_UN, F_FULLFSYNC = 2, 4, 8, 51

    def __init__(self) -> None:
        super().__init__("fcntl")
        self.calls: list[tuple[str, int, int]] = []
        self.refuses: OSError | None = None

    def flock(self, descriptor: int, operation: int) -> None:
        self.calls.append(("flock", descriptor, operation))
        if self.refuses:
            raise self.refuses

    def fcntl(self, descriptor: int, command: int) -> int:
        self.calls.append(("fcntl", descriptor, command))
        return 0


class FakeMsvcrt(ModuleType):
    """The byte ranges that `msvcrt` was asked to lock, each with where the file stood."""

    LK_NBLCK, LK_UNLCK = 2, 0

    def __init__(self) -> None:
        super().__init__("msvcrt")
        self.calls: list[tuple[int, int, int, int]] = []
        self.refuses: OSError | None = None

    def locking(self, descriptor: int, mode: int, length: int) -> None:
        self.calls.append((descriptor, mode, length, os.lseek(descriptor, 0, os.SEEK_CUR)))
        if self.refuses:
            raise self.refuses


def loaded(monkeypatch: pytest.MonkeyPatch, name: str, fake: ModuleType) -> Any:
    """Load the module afresh, as another operating system would."""
    spec = importlib.util.spec_from_file_location("platform_elsewhere", LOADED_FROM)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setattr(sys, "platform", name)
    monkeypatch.setitem(sys.modules, fake.__name__, fake)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(name="descriptor")
def fixture_descriptor(tmp_path: Path) -> Iterator[int]:
    (tmp_path / "file").write_bytes(b"0123456789")
    descriptor = os.open(tmp_path / "file", os.O_RDWR)
    yield descriptor
    os.close(descriptor)


@pytest.mark.parametrize("refusal", [BlockingIOError(), PermissionError()])
def test_a_lock_that_somebody_has_is_not_ours(
    descriptor: int, monkeypatch: pytest.MonkeyPatch, refusal: OSError
) -> None:
    fcntl, msvcrt = FakeFcntl(), FakeMsvcrt()
    for name, fake in (("linux", fcntl), ("darwin", fcntl), ("win32", msvcrt)):
        with monkeypatch.context() as patch:
            platform = loaded(patch, name, fake)
            fake.refuses = None
            assert platform.try_lock(descriptor) is True
            fake.refuses = refusal
            assert platform.try_lock(descriptor) is False


@pytest.mark.parametrize("name", ["linux", "darwin", "win32"])
def test_what_is_no_matter_of_who_has_the_lock_is_an_error(
    descriptor: int, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    fake = FakeMsvcrt() if name == "win32" else FakeFcntl()
    fake.refuses = OSError(5, "the disk is gone")
    platform = loaded(monkeypatch, name, fake)
    with pytest.raises(OSError, match="the disk is gone"):
        platform.try_lock(descriptor)


@pytest.mark.parametrize("name", ["linux", "darwin"])
def test_unix_locks_the_whole_file_without_waiting(descriptor: int, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    fake = FakeFcntl()
    platform = loaded(monkeypatch, name, fake)
    platform.try_lock(descriptor)
    platform.unlock(descriptor)
    assert fake.calls == [("flock", descriptor, 2 | 4), ("flock", descriptor, 8)]


def test_windows_locks_and_unlocks_the_same_byte(descriptor: int, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = FakeMsvcrt()
    platform = loaded(monkeypatch, "win32", fake)
    os.lseek(descriptor, 7, os.SEEK_SET)
    platform.try_lock(descriptor)
    os.lseek(descriptor, 3, os.SEEK_SET)
    platform.unlock(descriptor)
    assert fake.calls == [(descriptor, 2, 1, 0), (descriptor, 0, 1, 0)]


def test_macos_asks_the_drive_itself_to_write(descriptor: int, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = FakeFcntl()
    monkeypatch.delattr(os, "fdatasync")
    platform = loaded(monkeypatch, "darwin", fake)
    platform.sync_file(descriptor)
    assert fake.calls == [("fcntl", descriptor, 51)]


def test_a_system_without_fdatasync_syncs_the_file(descriptor: int, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[int] = []
    monkeypatch.delattr(os, "fdatasync")
    monkeypatch.setattr(os, "fsync", synced.append)
    loaded(monkeypatch, "win32", FakeMsvcrt()).sync_file(descriptor)
    assert synced == [descriptor]


def test_linux_syncs_the_data(descriptor: int, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[int] = []
    monkeypatch.setattr(os, "fdatasync", synced.append)
    real_platform.sync_file(descriptor)
    assert synced == [descriptor]


def test_a_folder_is_synced_where_there_is_such_a_thing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda descriptor: synced.append(os.fstat(descriptor).st_ino))
    loaded(monkeypatch, "win32", FakeMsvcrt()).sync_folder(str(tmp_path / "no such folder"))
    assert synced == []
    loaded(monkeypatch, "darwin", FakeFcntl()).sync_folder(str(tmp_path))
    assert synced == [tmp_path.stat().st_ino]


def test_a_file_system_that_cannot_sync_a_folder_is_forgiven(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: int) -> None:
        raise OSError(22, "Invalid argument")

    monkeypatch.setattr(os, "fsync", refuse)
    real_platform.sync_folder(str(tmp_path))
