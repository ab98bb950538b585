"""A disk that tells of every operation before it does it, so that a test may look around, or refuse."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.faults.machine import Machine, belongs_to_checkpoint

from turnwright.store import disk
from turnwright.store import hand_edits as guard
from turnwright.store.checkpoint import Checkpoint
from turnwright.store.disk import FOR_ALL, Disk

LATER_NS = 3_600_000_000_000
"""An hour lies between any two looks at the file system's clock, so that files count as settled."""
CHECKPOINT_OPERATIONS = ("create", "save", "note", "set_pruned_seq", "close")
_LOOKS = {"close", "read", "status", "look", "entries", "try_lock", "unlock", "checkpoint.close"}


@dataclass(frozen=True, slots=True)
class Operation:
    """One thing that is about to be done to a file.

    Attributes:
        name: the method of `Disk`, or `checkpoint.` and a method of `Checkpoint`.
        path: relative to the campaign.
        data: what a write would write.
        number: the file's number in the machine, when it is open.
        changes: whether anything on the disk may be different afterwards.
    """

    name: str
    path: str
    data: bytes = b""
    number: int | None = None
    changes: bool = True


Meet = Callable[[Operation], int | None]
"""Told of each operation beforehand. It may raise `OSError`, and may let a write take only so many bytes."""


@dataclass(slots=True)
class _Open:
    """An open file that may be written to."""

    path: str
    number: int | None
    appends: bool
    offset: int = 0


class TellingDisk(Disk):
    """The machine's own disk, for one campaign; a `Machine` follows all that is done to it."""

    def __init__(self, root: Path, machine: Machine, meet: Meet = lambda _: None) -> None:
        self.root = root
        self.machine = machine
        self.meet = meet
        self._prefix = f"{root}{os.sep}"
        self._files: dict[int, _Open] = {}

    def _path(self, place: str) -> str:
        return place.removeprefix(self._prefix) if place != self._prefix[:-1] else ""

    def _told(self, name: str, path: str, data: bytes = b"", number: int | None = None) -> int | None:
        if belongs_to_checkpoint(path):  # what becomes of the checkpoint is told as a whole
            return None
        return self.meet(Operation(name, path, data, number, name not in _LOOKS))

    def tell_of_checkpoint(self, operation: str) -> None:
        """Tell of one operation of SQLite."""
        name = f"checkpoint.{operation}"
        self.meet(Operation(name, "", changes=name not in _LOOKS))

    def path_of(self, descriptor: int) -> str:
        """Return the path under which a file was opened."""
        return self._files[descriptor].path

    def boot_id(self) -> str:
        return f"boot {self.machine.boot}"

    # open files

    def open(self, place: str, flags: int, mode: int = FOR_ALL) -> int:
        path = self._path(place)
        is_new = bool(flags & os.O_CREAT) and path not in self.machine.names
        if belongs_to_checkpoint(path):
            return super().open(place, flags, mode)
        self.meet(Operation("open", path, changes=is_new))
        descriptor = super().open(place, flags, mode)
        number = self.machine.create(path) if is_new else self.machine.names.get(path)
        self._files[descriptor] = _Open(path, number, bool(flags & os.O_APPEND))
        return descriptor

    def close(self, descriptor: int) -> None:
        # The descriptor is gone even when closing fails.
        file = self._files.pop(descriptor, None)
        super().close(descriptor)
        if file:
            self._told("close", file.path)

    def read(self, descriptor: int, length: int, offset: int) -> bytes:
        self._told("read", self._files[descriptor].path)
        return super().read(descriptor, length, offset)

    def write(self, descriptor: int, data: bytes | memoryview) -> int:
        file = self._files[descriptor]
        assert file.number is not None
        at_most = self._told("write", file.path, bytes(data), file.number)
        written = super().write(descriptor, data if at_most is None else data[:at_most])
        offset = len(self.machine.written[file.number].data) if file.appends else file.offset
        self.machine.write(file.number, bytes(data[:written]), offset, os.fstat(descriptor).st_mtime_ns)
        file.offset = offset + written
        return written

    def restrict(self, descriptor: int) -> None:
        self._told("restrict", self._files[descriptor].path)
        super().restrict(descriptor)

    def truncate(self, descriptor: int, size: int) -> None:
        file = self._files[descriptor]
        assert file.number is not None
        self._told("truncate", file.path, number=file.number)
        super().truncate(descriptor, size)
        self.machine.cut(file.number, size, os.fstat(descriptor).st_mtime_ns)

    def touch(self, descriptor: int) -> None:
        self._told("touch", self._files[descriptor].path)
        super().touch(descriptor)
        later = os.fstat(descriptor).st_mtime_ns + LATER_NS
        os.utime(descriptor, ns=(later, later))

    def sync(self, descriptor: int) -> None:
        file = self._files[descriptor]
        assert file.number is not None
        try:
            self._told("sync", file.path, number=file.number)
        except OSError as error:
            if error.errno == errno.EIO:
                self.machine.fail_to_sync(file.number)
            raise
        self.machine.sync(file.number)

    def status(self, descriptor: int) -> os.stat_result:
        self._told("status", self._files[descriptor].path)
        return super().status(descriptor)

    def try_lock(self, descriptor: int) -> bool:
        self._told("try_lock", self._files[descriptor].path)
        return super().try_lock(descriptor)

    def unlock(self, descriptor: int) -> None:
        self._told("unlock", self._files[descriptor].path)
        super().unlock(descriptor)

    # names

    def sync_folder(self, place: str) -> None:
        self._told("sync_folder", self._path(place))
        self.machine.sync_folder(self._path(place))

    def rename(self, place: str, to: str) -> None:
        self._told("rename", self._path(place))
        super().rename(place, to)
        if not belongs_to_checkpoint(self._path(place)):
            self.machine.rename(self._path(place), self._path(to))

    def unlink(self, place: str) -> None:
        path = self._path(place)
        self._told("unlink", path)
        super().unlink(place)
        if not belongs_to_checkpoint(path):
            self.machine.unlink(path)

    def make_folder(self, place: str) -> None:
        self.meet(Operation("make_folder", self._path(place), changes=self._path(place) not in self.machine.names))
        super().make_folder(place)
        self.machine.make_folder(self._path(place))

    def look(self, place: str) -> os.stat_result:
        self._told("look", self._path(place))
        return super().look(place)

    def entries(self, place: str) -> Iterator[tuple[str, os.stat_result]]:
        self._told("entries", self._path(place))
        return super().entries(place)


_UNTOLD = {operation: getattr(Checkpoint, operation) for operation in CHECKPOINT_OPERATIONS}


def tell_of_checkpoints(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each operation of a checkpoint be told of by the disk of its campaign."""

    def telling(operation: str, work: Callable[..., Any], files_of: Callable[[Any], Any]) -> Callable[..., Any]:
        def told(first: Any, *args: Any) -> Any:
            if isinstance(machine := files_of(first).disk, TellingDisk):
                machine.tell_of_checkpoint(operation)
            return work(first, *args)

        return told

    for operation, work in _UNTOLD.items():
        if operation == "create":
            monkeypatch.setattr(Checkpoint, operation, staticmethod(telling(operation, work, lambda files: files)))
        else:
            monkeypatch.setattr(Checkpoint, operation, telling(operation, work, lambda checkpoint: checkpoint._files))


def use(monkeypatch: pytest.MonkeyPatch, tested: Disk) -> None:
    """Let campaigns that are opened from now on lie on this disk.

    How old a file is depends on how fast a test runs, and must not decide what is done: here every file is old enough.
    """
    monkeypatch.setattr(disk, "DISK", tested)
    monkeypatch.setattr(guard, "SETTLED_NS", -(10**18))
