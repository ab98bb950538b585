"""The files below one folder twice over: as a running system sees them, and as a power cut would leave them.

What was not synced does not survive a power cut: bytes want their file synced, names want their folder synced. Three
things are granted, from file systems with a journal. A rename survives with both its ends or not at all. The names in a
folder survive together with the folder. Of changes of names that nobody synced the first ones survive and the later
ones do not. Bytes come and go as they please.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from turnwright.store.checkpoint_file import CHECKPOINT_PATH
from turnwright.store.secret import SECRET_PATH

FOLDER = -1
"""What a name stands for that is a folder."""


class Content(NamedTuple):
    """The bytes of a file, and when they were last changed."""

    data: bytes = b""
    mtime_ns: int = 0


@dataclass(frozen=True, slots=True)
class Naming:
    """One change of names: what each stands for now (a file's number, `FOLDER`, or None), and in which folders."""

    names: Mapping[str, int | None]
    folders: frozenset[str]
    is_durable: bool = False

    def makes_one_of(self, folders: Collection[str]) -> bool:
        """Return whether this makes one of some folders."""
        return any(number == FOLDER and path in folders for path, number in self.names.items())


@dataclass(frozen=True, slots=True)
class Loss:
    """What a power cut takes of everything that was not synced.

    Attributes:
        changes: how many changes of names survive, given how many there are.
        bytes: what survives of a file, given what was synced and what was written.
    """

    changes: Callable[[int], int]
    bytes: Callable[[Content, Content], Content]


ALL_IS_LOST = Loss(lambda _: 0, lambda synced, _: synced)
"""Bytes and names go back to what was synced."""
NOTHING_IS_LOST = Loss(lambda changes: changes, lambda _, written: written)
"""Everything happened to be written in time."""
BYTES_ARE_LOST = Loss(lambda changes: changes, lambda synced, _: synced)
"""The journal kept the names; files that were never synced are empty."""


def some_is_lost(seed: str) -> Loss:
    """Let chance decide how far the journal came, and of each file whether all, some or no added bytes survive."""
    chance = random.Random(seed)

    def kept(synced: Content, written: Content) -> Content:
        if chance.random() < 0.5:
            return chance.choice((synced, written))
        if written.data.startswith(synced.data):
            return Content(written.data[: chance.randint(len(synced.data), len(written.data))], written.mtime_ns)
        return synced

    return Loss(lambda changes: chance.randint(0, changes), kept)


def belongs_to_checkpoint(path: str) -> bool:
    """Return whether SQLite writes this file, past the port."""
    return path.startswith(CHECKPOINT_PATH)


@dataclass
class Machine:
    """What a machine knows of the files below one folder; paths are relative to it.

    Attributes:
        names: what each path stands for, as a running system sees it: a file's number, or `FOLDER`.
        written: the content of each file, likewise.
        synced: what a power cut would leave of it.
        unwritable: from where to where a file holds bytes that a sync has failed to write.
        boot: how often it was started again.
    """

    names: dict[str, int] = field(default_factory=dict)
    written: dict[int, Content] = field(default_factory=dict)
    synced: dict[int, Content] = field(default_factory=dict)
    unwritable: dict[int, tuple[int, int]] = field(default_factory=dict)
    _safe_names: dict[str, int] = field(default_factory=dict)
    _changes: list[Naming] = field(default_factory=list)
    _last: int = 0
    boot: int = 0

    @classmethod
    def of(cls, root: Path) -> Machine:
        """Return the machine after all that lies in a folder was synced."""
        machine = cls()
        for place in sorted(root.rglob("*")):
            path = place.relative_to(root).as_posix()
            if not belongs_to_checkpoint(path):
                machine.put(path, None if place.is_dir() else Content(place.read_bytes(), place.stat().st_mtime_ns))
        return machine

    def clone(self) -> Machine:
        """Return a machine like this one, which goes its own way from here."""
        return Machine(
            names=dict(self.names),
            written=dict(self.written),
            synced=dict(self.synced),
            unwritable=dict(self.unwritable),
            _safe_names=dict(self._safe_names),
            _changes=list(self._changes),
            _last=self._last,
            boot=self.boot,
        )

    # what is done to files

    def put(self, path: str, content: Content | None) -> None:
        """Let a file with some content, or a folder, be there and durable: somebody else's work."""
        number = FOLDER if content is None else self._new()
        if content is not None:
            self.written[number] = self.synced[number] = content
        self._name({path: number}, is_durable=True)

    def create(self, path: str) -> int:
        """Make an empty file; return its number."""
        number = self._new()
        self.written[number] = Content()
        self._name({path: number})
        return number

    def make_folder(self, path: str) -> None:
        """Make a folder."""
        self._name({path: FOLDER})

    def rename(self, path: str, to: str) -> None:
        """Give a file another name."""
        self._name({to: self.names[path], path: None})

    def unlink(self, path: str) -> None:
        """Take a name away."""
        self._name({path: None})

    def write(self, number: int, data: bytes, offset: int, mtime_ns: int) -> None:
        """Write some bytes at an offset."""
        old = self.written[number].data
        self.written[number] = Content(old[:offset] + data + old[offset + len(data) :], mtime_ns)

    def cut(self, number: int, size: int, mtime_ns: int) -> None:
        """Cut a file; bytes that could not be written are no trouble any more when they are cut off."""
        self.written[number] = Content(self.written[number].data[:size], mtime_ns)
        if size <= self.unwritable.get(number, (size, 0))[0]:
            self.unwritable.pop(number, None)

    def sync(self, number: int) -> None:
        """Make the bytes of a file durable, but for those that a sync has failed to write before."""
        content = self.written[number]
        if number in self.unwritable:
            start, end = self.unwritable[number]
            content = Content(content.data[:start] + bytes(end - start) + content.data[end:], content.mtime_ns)
        self.synced[number] = content

    def fail_to_sync(self, number: int) -> None:
        """Lose the bytes that a sync should have written: the system thinks they are clean, and forgets about them."""
        start, end = len(self.synced.get(number, Content()).data), len(self.written[number].data)
        if start < end:
            self.unwritable.setdefault(number, (start, end))

    def sync_folder(self, folder: str) -> None:
        """Make the names in a folder durable, and with them the folders they are in."""
        self._changes = [replace(one, is_durable=one.is_durable or folder in one.folders) for one in self._changes]
        wanted = {
            above for one in self._changes if one.is_durable for path in one.folders for above in with_above(path)
        }
        wanted |= set(with_above(folder))
        self._changes = [replace(one, is_durable=True) if one.makes_one_of(wanted) else one for one in self._changes]
        while self._changes and self._changes[0].is_durable:
            _apply(self._safe_names, self._changes.pop(0))

    def _new(self) -> int:
        self._last += 1
        return self._last

    def _name(self, names: Mapping[str, int | None], *, is_durable: bool = False) -> None:
        change = Naming(names, frozenset(folder_of(path) for path in names), is_durable)
        _apply(self.names, change)
        self._changes.append(change)

    # what is left of them

    def files(self) -> dict[str, Content]:
        """Return every file as a running system sees it, by path."""
        return {path: self.written[number] for path, number in sorted(self.names.items()) if number != FOLDER}

    def is_synced(self, path: str) -> bool:
        """Return whether all bytes of a file are durable."""
        number = self.names.get(path)
        return number is None or self.synced.get(number) == self.written[number]

    def after_power_cut(self, loss: Loss) -> Machine:
        """Return the machine that starts again; whatever it finds is durable. Without its folder a file is gone."""
        left = dict(self._safe_names)
        survivors = loss.changes(len(self._changes))
        for number, change in enumerate(self._changes):
            if change.is_durable or number < survivors:
                _apply(left, change)
        again = Machine(boot=self.boot + 1)
        for path, number in sorted(left.items()):
            folder = folder_of(path)
            if folder and folder not in again.names:
                continue
            if number == FOLDER:
                again.put(path, None)
            else:
                again.put(path, loss.bytes(self.synced.get(number, Content()), self.written[number]))
        return again

    def lay_out(self, root: Path) -> None:
        """Make a folder that holds what a running system sees."""
        root.mkdir(parents=True)
        for path, number in sorted(self.names.items()):
            place = root / path
            if number == FOLDER:
                place.mkdir()
            else:
                data, mtime_ns = self.written[number]
                place.write_bytes(data)
                if path == SECRET_PATH:
                    place.chmod(0o600)  # as it was made
                os.utime(place, ns=(mtime_ns, mtime_ns))


def folder_of(path: str) -> str:
    """Return the folder a path is in; the empty one is the campaign's own."""
    return path.rpartition("/")[0]


def with_above(folder: str) -> Iterator[str]:
    """Yield a folder and those above it, but for the campaign's own."""
    while folder:
        yield folder
        folder = folder_of(folder)


def _apply(names: dict[str, int], change: Naming) -> None:
    for path, number in change.names.items():
        if number is None:
            names.pop(path, None)
        else:
            names[path] = number
