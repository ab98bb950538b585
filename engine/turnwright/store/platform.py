"""Operating system differences: locks, durability, forks. No other module of the package checks the platform.

Tested on Linux; the branches for macOS and Windows are tested with fakes.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache

if sys.platform == "win32":  # pragma: no cover
    import msvcrt
else:
    import fcntl


def try_lock(descriptor: int) -> bool:
    """Take the exclusive lock of an open file without waiting; return whether it is ours now."""
    try:
        if sys.platform == "win32":  # pragma: no cover
            os.lseek(descriptor, 0, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True


def unlock(descriptor: int) -> None:
    """Give the lock of an open file back."""
    if sys.platform == "win32":  # pragma: no cover
        os.lseek(descriptor, 0, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)
    else:
        fcntl.flock(descriptor, fcntl.LOCK_UN)


def restrict(descriptor: int) -> None:
    """Make an open file accessible only to its owner, if the system supports that."""
    if sys.platform != "win32":
        os.fchmod(descriptor, 0o600)


def is_open_to_others(mode: int) -> bool:
    """Return whether a file's mode gives any permission to users other than its owner."""
    return sys.platform != "win32" and bool(mode & 0o077)


def at_forks(before: Callable[[], None], in_parent: Callable[[], None], in_child: Callable[[], None]) -> None:
    """Have something done around each fork of this process, where the system forks."""
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(before=before, after_in_parent=in_parent, after_in_child=in_child)


@cache
def boot_id() -> str | None:
    """Return what tells this start of the machine from any other, or None where the system does not say."""
    try:
        with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
            return file.read().strip()
    except OSError:
        return None


def read_at(descriptor: int, length: int, offset: int) -> bytes:
    """Return up to `length` bytes of an open file from an offset; fewer only at its end."""
    if hasattr(os, "pread"):
        return os.pread(descriptor, length, offset)
    os.lseek(descriptor, offset, os.SEEK_SET)  # pragma: no cover
    return os.read(descriptor, length)  # pragma: no cover


def sync_file(descriptor: int) -> None:
    """Make what was written to an open file survive a power cut."""
    if sys.platform == "darwin":  # pragma: no cover
        # fsync on macOS leaves the data in the drive's cache.
        fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
    elif hasattr(os, "fdatasync"):
        os.fdatasync(descriptor)
    else:  # pragma: no cover
        os.fsync(descriptor)


def sync_folder(path: str) -> None:
    """Make the names in a folder survive a power cut, where the system has such a thing."""
    if sys.platform == "win32":  # pragma: no cover
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        with suppress(OSError):  # some network file systems refuse to sync a folder, and need not
            os.fsync(descriptor)
    finally:
        os.close(descriptor)
