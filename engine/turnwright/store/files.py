"""The one port to the disk: every file operation of the store goes through here.

Paths are relative to the campaign directory, with forward slashes.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from turnwright.model.errors import StorageFailed
from turnwright.store import platform


@dataclass(frozen=True, slots=True)
class Seen:
    """How a file looked: its size in bytes, when it was last changed, and whether it is an ordinary file."""

    size: int
    mtime_ns: int
    is_file: bool
    is_folder: bool


@contextmanager
def storage_errors(doing: str) -> Iterator[None]:
    """Turn what the machine refuses into one error that says what could not be done."""
    try:
        yield
    except OSError as error:
        where = f" ({error.filename})" if error.filename else ""
        raise StorageFailed(f"{doing}: {error.strerror or error}{where}") from error


class Files:
    """The files below one campaign directory."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def at(self, path: str) -> str:
        """Return the place of a file on this machine."""
        return os.path.join(self.root, path)

    def look(self, path: str) -> Seen | None:
        """Return how a file looks, without following a link, or None when there is none."""
        try:
            return _seen(os.lstat(self.at(path)))
        except (FileNotFoundError, NotADirectoryError):
            return None

    def listing(self, folder: str) -> dict[str, Seen]:
        """Return how the entries of a folder look, by name, sorted; empty when there is no such folder."""
        try:
            with os.scandir(self.at(folder)) as entries:
                found = {entry.name: _seen(entry.stat(follow_symlinks=False)) for entry in entries}
        except FileNotFoundError:
            return {}
        return dict(sorted(found.items()))

    def read(self, path: str) -> bytes:
        """Return the content of an ordinary file; a link is never followed."""
        descriptor = os.open(self.at(path), os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0))
        with open(descriptor, "rb") as file:
            return file.read()

    def replace(self, path: str, data: bytes) -> Seen:
        """Put a whole file in place of what stood there; a reader sees the old one or the new one. Not yet durable."""
        place = self.at(path)
        beside = f"{place}.tmp"
        try:
            with open(beside, "wb") as file:
                file.write(data)
                file.flush()
                seen = _seen(os.fstat(file.fileno()))
            os.replace(beside, place)
        except BaseException:
            with suppress(OSError):
                os.unlink(beside)
            raise
        return seen

    def make_durable(self, path: str) -> None:
        """Make a file and its name survive a power cut."""
        descriptor = os.open(self.at(path), os.O_RDWR)
        try:
            platform.sync_file(descriptor)
        finally:
            os.close(descriptor)
        platform.sync_folder(os.path.dirname(self.at(path)))

    def rename(self, path: str, to: str) -> None:
        """Give a file another name, in place of what stood there."""
        os.replace(self.at(path), self.at(to))

    def remove(self, path: str) -> None:
        """Take a file away, if it is there."""
        with suppress(FileNotFoundError):
            os.unlink(self.at(path))

    def now_ns(self) -> int:
        """Return the time by the file system's own clock, in the unit of `Seen.mtime_ns`."""
        self.make_folder(".turnwright")
        with open(self.at(".turnwright/now"), "wb") as file:
            os.utime(file.fileno())
            return os.fstat(file.fileno()).st_mtime_ns

    def make_folder(self, path: str) -> None:
        """Make a folder and those above it, if they are not there."""
        os.makedirs(self.at(path), exist_ok=True)


def _seen(status: os.stat_result) -> Seen:
    mode = status.st_mode
    return Seen(status.st_size, status.st_mtime_ns, stat.S_ISREG(mode), stat.S_ISDIR(mode))
