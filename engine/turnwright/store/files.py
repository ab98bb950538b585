"""The one port to the disk: every file operation of the store goes through here.

Paths are relative to the campaign directory, with forward slashes.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from turnwright.model.errors import StorageFailed
from turnwright.store import platform

_BINARY = getattr(os, "O_BINARY", 0)
_READ = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | _BINARY
_WRITE_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY


@dataclass(frozen=True, slots=True)
class Seen:
    """How a file looked: its size in bytes, when it was last changed, and whether it is an ordinary file."""

    size: int
    mtime_ns: int
    is_file: bool
    is_folder: bool


def identity_of(descriptor: int) -> tuple[int, int]:
    """Return what tells an open file from any other, as `Files.identity` does for a name."""
    status = os.fstat(descriptor)
    return status.st_dev, status.st_ino


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

    def identity(self, path: str) -> tuple[int, int] | None:
        """Return what tells the file of this name from any other, or None when there is none."""
        try:
            status = os.stat(self.at(path))
        except FileNotFoundError:
            return None
        return status.st_dev, status.st_ino

    def listing(self, folder: str) -> dict[str, Seen]:
        """Return how the entries of a folder look, by name, sorted; empty when there is no such folder."""
        try:
            with os.scandir(self.at(folder)) as entries:
                found = {entry.name: seen for entry in entries if (seen := _seen_entry(entry))}
        except FileNotFoundError:
            return {}
        return dict(sorted(found.items()))

    def read(self, path: str, at_most: int = -1) -> bytes:
        """Return the content of an ordinary file, or its first bytes; links are not followed, pipes not waited for."""
        with open(os.open(self.at(path), _READ), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise OSError(errno.EINVAL, "is not an ordinary file", self.at(path))
            return file.read(at_most)

    def replace(self, path: str, data: bytes) -> Seen:
        """Put a whole file in place of what stood there; a reader sees the old one or the new one. Not yet durable."""
        place = self.at(path)
        beside = f"{place}.tmp"
        try:
            with open(_fresh(beside), "wb") as file:
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


def _fresh(place: str) -> int:
    """Open a file that was not there; what lies there, left by a crash or a link to elsewhere, is taken away."""
    try:
        return os.open(place, _WRITE_NEW, 0o666)
    except FileExistsError:
        os.unlink(place)
        return os.open(place, _WRITE_NEW, 0o666)


def _seen_entry(entry: os.DirEntry[str]) -> Seen | None:
    try:
        return _seen(entry.stat(follow_symlinks=False))
    except FileNotFoundError:
        return None  # renamed or taken away since the folder was read


def _seen(status: os.stat_result) -> Seen:
    mode = status.st_mode
    return Seen(status.st_size, status.st_mtime_ns, stat.S_ISREG(mode), stat.S_ISDIR(mode))
