"""Every system call that the store makes on files, one method each. Nothing else in the store talks to the machine.

A test puts another disk in the place of this one, and so decides what happens at each call. SQLite alone reads and
writes its own file; see `store/checkpoint_file.py`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from turnwright.store import platform

BINARY = getattr(os, "O_BINARY", 0)
_UNFOLLOWED = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | BINARY
READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | _UNFOLLOWED
"""To read: a link is not followed, a pipe not waited for."""
NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _UNFOLLOWED
"""To write a file that was not there."""
APPEND = os.O_WRONLY | os.O_APPEND | os.O_CREAT | _UNFOLLOWED
"""To write at the end of a file, which may be there."""
UPDATE = os.O_RDWR | _UNFOLLOWED
"""To change or sync a file that is there."""
KEEP = os.O_RDWR | os.O_CREAT | _UNFOLLOWED
"""To open a file whatever it holds, and make it if it is not there."""


FOR_ALL, FOR_OWNER = 0o666, 0o600
"""Mode of new files, before the umask."""


class Disk:
    """The machine's files, by place and by open descriptor. Each method raises `OSError` as the system does."""

    def open(self, place: str, flags: int, mode: int = FOR_ALL) -> int:
        """Open a file by one of the ways above; return its descriptor. A new one is as open as the umask lets it be."""
        return os.open(place, flags, mode)

    def restrict(self, descriptor: int) -> None:
        """Make an open file accessible only to its owner."""
        platform.restrict(descriptor)

    def close(self, descriptor: int) -> None:
        """Close an open file."""
        os.close(descriptor)

    def read(self, descriptor: int, length: int, offset: int) -> bytes:
        """Return up to `length` bytes from an offset; fewer only at the end."""
        return platform.read_at(descriptor, length, offset)

    def write(self, descriptor: int, data: bytes | memoryview) -> int:
        """Write some of the data; return how many bytes."""
        return os.write(descriptor, data)

    def truncate(self, descriptor: int, size: int) -> None:
        """Cut an open file."""
        os.ftruncate(descriptor, size)

    def touch(self, descriptor: int) -> None:
        """Set the time of an open file to the file system's own now."""
        os.utime(descriptor)

    def sync(self, descriptor: int) -> None:
        """Make what was written to an open file survive a power cut."""
        platform.sync_file(descriptor)

    def sync_folder(self, place: str) -> None:
        """Make the names in a folder survive a power cut."""
        platform.sync_folder(place)

    def rename(self, place: str, to: str) -> None:
        """Give a file another name, in place of what stood there."""
        os.replace(place, to)

    def unlink(self, place: str) -> None:
        """Take a name away."""
        os.unlink(place)

    def make_folder(self, place: str) -> None:
        """Make one folder."""
        os.mkdir(place)

    def status(self, descriptor: int) -> os.stat_result:
        """Return how an open file looks."""
        return os.fstat(descriptor)

    def look(self, place: str) -> os.stat_result:
        """Return how a name looks; a link is not followed."""
        return os.lstat(place)

    def entries(self, place: str) -> Iterator[tuple[str, os.stat_result]]:
        """Yield the names in a folder and their stat results; entries that vanish meanwhile are omitted."""
        with os.scandir(place) as entries:
            for entry in entries:
                try:
                    yield entry.name, entry.stat(follow_symlinks=False)
                except FileNotFoundError:
                    continue

    def boot_id(self) -> str | None:
        """Return what tells this start of the machine from any other, or None where the system does not say."""
        return platform.boot_id()

    def try_lock(self, descriptor: int) -> bool:
        """Take the exclusive lock of an open file without waiting; return whether it is ours now."""
        return platform.try_lock(descriptor)

    def unlock(self, descriptor: int) -> None:
        """Give the lock of an open file back."""
        platform.unlock(descriptor)


DISK = Disk()
"""The disk of this machine, which `Files` takes unless it is given another."""
