"""Access the files of one campaign directory by path: read and replace whole files, rename entries.

Paths are relative to the campaign directory, with forward slashes. Names are UTF-8, whatever the locale says; invalid
bytes appear as lone surrogates.
"""

import errno
import os
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from turnwright.model.errors import BadRequest, StorageFailed
from turnwright.store import disk
from turnwright.store.disk import Disk

ENGINE_FOLDER = ".turnwright"
"""The engine's private folder."""
MAX_FILE_BYTES = 1 << 26
"""Maximum size in bytes of a file that is read whole, so that a hostile file cannot exhaust memory."""
_BLOCK = 1 << 15


class Seen(NamedTuple):
    """The stat result of a file: size in bytes, modification time, type and identity.

    Attributes:
        links: its number of hard links.
        ctime_ns: when its data or metadata last changed; unlike `mtime_ns`, programs cannot set it.
    """

    size: int
    mtime_ns: int
    mode: int
    device: int
    inode: int
    links: int = 1
    ctime_ns: int = 0

    @property
    def is_file(self) -> bool:
        """Whether it is an ordinary file."""
        return stat.S_ISREG(self.mode)

    @property
    def is_folder(self) -> bool:
        """Whether it is a folder."""
        return stat.S_ISDIR(self.mode)

    @property
    def is_link(self) -> bool:
        """Whether it is a link, which is not followed."""
        return stat.S_ISLNK(self.mode)

    @property
    def mark(self) -> str:
        """A value that differs after a change even if size and modification time are the same."""
        return _mark(self.ctime_ns, self.inode)

    @property
    def identity(self) -> tuple[int, int]:
        """A value that distinguishes the file from any other."""
        return self.device, self.inode


class FolderFault(OSError):
    """A folder above a file leads elsewhere, or the machine will not say: no fault of the file."""


@contextmanager
def storage_errors(doing: str) -> Iterator[None]:
    """Turn what the machine refuses into one error that says what could not be done."""
    try:
        yield
    except OSError as error:
        raise storage_failed(doing, error) from error


def storage_failed(doing: str, error: OSError) -> StorageFailed:
    """Return the error that says what could not be done, and what the machine said."""
    where = f" ({_from_here(error.filename)})" if error.filename else ""
    why = "is a link, which is not followed" if error.errno == errno.ELOOP else error.strerror or error
    return StorageFailed(f"{doing}: {why}{where}")


def _from_here(place: object) -> object:
    """Return a path relative to the working directory if it lies below it."""
    with suppress(OSError, ValueError, TypeError):
        return Path(place).relative_to(Path.cwd())  # type: ignore[arg-type]
    return place


def require_path(path: str | Path) -> None:
    """Refuse what names no place on any machine."""
    try:
        is_path = b"\0" not in os.fsencode(Path(path))
    except (UnicodeEncodeError, TypeError):
        is_path = False
    if not is_path:
        raise BadRequest(f"{str(path)!r} is no path")


def require_ordinary(path: Path) -> None:
    """Reject an existing entry that is not a file, such as a folder or a pipe: opening a pipe may block forever.

    Raises:
        BadRequest: when it is neither a regular file nor a link to one.
        OSError: when it exists and its status cannot be read.
    """
    try:
        status = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return
    if not stat.S_ISREG(status.st_mode):
        raise BadRequest(f"{path} is not an ordinary file")


def read_foreign(path: Path) -> bytes:
    """Return the content of a file that is not one of a campaign's own.

    Raises:
        BadRequest: when it is not a regular file, or longer than `MAX_FILE_BYTES`, so that it cannot fill the memory.
    """
    require_ordinary(path)
    with path.open("rb") as file:
        content = file.read(MAX_FILE_BYTES + 1)
    if len(content) > MAX_FILE_BYTES:
        raise BadRequest(f"{path} is longer than {MAX_FILE_BYTES} bytes")
    return content


def beside(path: str) -> str:
    """Return the temporary path for writing a file: in the same folder, under a name no other program would use."""
    folder, slash, name = path.rpartition("/")
    return f"{folder}{slash}.turnwright-{name}.tmp"


class Files:
    """The files below one campaign directory."""

    def __init__(self, root: Path, machine: Disk | None = None) -> None:
        self.root = root
        self.disk = machine or disk.DISK
        self._prefix = os.path.join(root, "")

    def at(self, path: str) -> str:
        """Return the place of a file on this machine."""
        return self._prefix + _native(path)

    def look(self, path: str) -> Seen | None:
        """Return how a file looks, without following a link, or None when there is none."""
        status = self.status(path)
        return _seen(status) if status else None

    def status(self, path: str) -> os.stat_result | None:
        """Return how a file looks, as the system tells it; for what is looked at in each turn."""
        try:
            return self.disk.look(self._prefix + _native(path))
        except (FileNotFoundError, NotADirectoryError):
            return None

    def is_as_left(self, path: str, size: int, mtime_ns: int | None, mark: str | None) -> bool:
        """Return whether a file looks as it did."""
        status = self.status(path)
        if status is None or status.st_mtime_ns != mtime_ns or status.st_size != size:
            return False
        return _mark(status.st_ctime_ns, status.st_ino) == mark

    def look_at_open(self, descriptor: int) -> Seen:
        """Return how an open file looks, whatever its name stands for by now."""
        return _seen(self.disk.status(descriptor))

    def identity(self, path: str) -> tuple[int, int] | None:
        """Return what tells the file of this name from any other, or None when there is none."""
        seen = self.look(path)
        return seen.identity if seen else None

    def listing(self, folder: str) -> dict[str, Seen]:
        """Return the stat results of a folder's entries, by name, sorted; empty when there is no such folder."""
        try:
            return {utf_8(name): _seen(status) for name, status in sorted(self.disk.entries(self.at(folder)))}
        except FileNotFoundError:
            return {}

    def read(self, path: str, at_most: int | None = None) -> bytes:
        """Return the content of an ordinary file, or its first bytes; links are not followed, pipes not waited for.

        Raises:
            OSError: also when all of it is wanted, and that is more than `MAX_FILE_BYTES`.
        """
        with self.opened(path, disk.READ) as descriptor:
            seen = self.look_at_open(descriptor)
            if not seen.is_file:
                raise OSError(errno.EINVAL, "is not an ordinary file", self.at(path))
            if at_most is None and seen.size > MAX_FILE_BYTES:
                raise OSError(errno.EFBIG, f"is longer than {MAX_FILE_BYTES} bytes", self.at(path))
            return b"".join(self.blocks(descriptor, 0, MAX_FILE_BYTES if at_most is None else at_most))

    def blocks(
        self, descriptor: int, offset: int, at_most: int | None = None, *, block: int = _BLOCK
    ) -> Iterator[bytes]:
        """Yield what an open file holds from an offset on, in blocks of a size."""
        end = sys.maxsize if at_most is None else offset + at_most
        while data := self.disk.read(descriptor, min(block, end - offset), offset):
            yield data
            offset += len(data)

    @contextmanager
    def opened(self, path: str, how: int) -> Iterator[int]:
        """Open a file for the duration of a `with` block."""
        descriptor = self.disk.open(self.at(path), how)
        try:
            yield descriptor
        finally:
            self.close(descriptor)

    def close(self, descriptor: int) -> None:
        """Close a file, ignoring errors: what was written was synced, or can be rebuilt."""
        with suppress(OSError):
            self.disk.close(descriptor)

    def write_all(self, descriptor: int, data: bytes) -> None:
        """Write all of the data to an open file."""
        written = self.disk.write(descriptor, data)
        while written < len(data):
            written += self.disk.write(descriptor, memoryview(data)[written:])

    def replace(
        self, path: str, data: bytes | Iterable[bytes], *, synced: bool = False, is_private: bool = False
    ) -> Seen:
        """Replace a file atomically: a reader sees the old file or the new one. Not yet durable.

        Args:
            path: of the file; its folder is created if missing.
            data: the new content, whole or in blocks.
            synced: make the bytes durable before the rename, because the old content could not be rebuilt.
            is_private: make it accessible only to its owner, whatever the umask says.
        """
        self.require_own_folders_of(path)
        unfinished = self.at(beside(path))
        descriptor = self._fresh(beside(path), is_private=is_private)
        try:
            try:
                for block in (data,) if isinstance(data, bytes) else data:
                    self.write_all(descriptor, block)
                if synced:
                    self.disk.sync(descriptor)
                seen = self.look_at_open(descriptor)
            finally:
                self.disk.close(descriptor)
            self.disk.rename(unfinished, self.at(path))
            now = self.look(path)  # a new name is a change, too
            self.require_own_folders_of(path)  # a link may have been put there meanwhile
        except OSError:
            with suppress(OSError):
                self.disk.unlink(unfinished)
            raise
        return now if now and now.identity == seen.identity else seen

    def _fresh(self, path: str, *, is_private: bool) -> int:
        """Open a new file, removing a leftover of a crash or a link to elsewhere first."""
        try:
            return self._make(path, is_private=is_private)
        except FileExistsError:
            self.disk.unlink(self.at(path))
        except FileNotFoundError:
            self.make_folder(os.path.dirname(path))
        return self._make(path, is_private=is_private)

    def _make(self, path: str, *, is_private: bool) -> int:
        if not is_private:
            return self.disk.open(self.at(path), disk.NEW)
        descriptor = self.disk.open(self.at(path), disk.NEW, disk.FOR_OWNER)
        self.disk.restrict(descriptor)  # a strange umask may have taken too much
        return descriptor

    def require_own_folders_of(self, path: str) -> None:
        """Refuse a path on which a folder of the campaign was swapped for a link, which would lead writing elsewhere.

        Raises:
            FolderFault: naming the folder; also when it cannot be looked at.
        """
        end = path.find("/")
        while end >= 0:
            folder = path[:end]
            try:
                seen = self.look(folder)
            except OSError as error:
                raise FolderFault(error.errno, error.strerror, self.at(folder)) from error
            if seen and seen.is_link:
                raise FolderFault(errno.ELOOP, os.strerror(errno.ELOOP), self.at(folder))
            end = path.find("/", end + 1)

    def make_durable(self, path: str) -> None:
        """Make a file and its name survive a power cut."""
        with self.opened(path, disk.UPDATE) as descriptor:
            self.disk.sync(descriptor)
        self.disk.sync_folder(os.path.dirname(self.at(path)))

    def give_own(self, path: str) -> None:
        """Put a copy of a file in its place, so that no other name leads to what is written to it from now on."""
        with self.opened(path, disk.READ) as descriptor:
            self.replace(path, self.blocks(descriptor, 0), synced=True)
        self.make_names_durable(os.path.dirname(path))

    def make_names_durable(self, folder: str) -> None:
        """Make the names in a folder survive a power cut."""
        self.disk.sync_folder(self.at(folder))

    def rename(self, path: str, to: str) -> None:
        """Give a file another name, in place of what stood there.

        Raises:
            FolderFault: when the fault is one of the folders', before or afterwards.
            OSError: when the machine does not do it.
        """
        self.require_own_folders_of(path)
        self.require_own_folders_of(to)
        self.disk.rename(self.at(path), self.at(to))
        self.require_own_folders_of(to)

    def remove(self, path: str) -> None:
        """Take a file away, if it is there."""
        self.require_own_folders_of(path)
        with suppress(FileNotFoundError):
            self.disk.unlink(self.at(path))

    def now_ns(self) -> int:
        """Return the time by the file system's own clock, in the unit of `Seen.mtime_ns`."""
        self.make_folder(ENGINE_FOLDER)
        return self.touch(f"{ENGINE_FOLDER}/now")

    def touch(self, path: str) -> int:
        """Give a file, made if it is not there, the time by the file system's own clock, and return that."""
        with self.opened(path, disk.KEEP) as descriptor:
            self.disk.touch(descriptor)
            return self.look_at_open(descriptor).mtime_ns

    def make_folder(self, path: str) -> None:
        """Make a folder and those above it, if they are not there."""
        self._make_folder(self.at(path))

    def _make_folder(self, place: str) -> None:
        try:
            self.disk.make_folder(place)
        except FileExistsError:
            if not stat.S_ISDIR(self.disk.look(place).st_mode):
                raise
        except FileNotFoundError:
            self._make_folder(os.path.dirname(place))
            self.disk.make_folder(place)


def _native(path: str) -> str:
    """Return a path in UTF-8 as this process spells it in the encoding of its file system."""
    return path if path.isascii() else os.fsdecode(path.encode(errors="surrogateescape"))


def _mark(ctime_ns: int, inode: int) -> str:
    return f"{ctime_ns}:{inode}"


def utf_8(name: str) -> str:
    """Return a name as the system gives it in UTF-8."""
    return name if name.isascii() else os.fsencode(name).decode(errors="surrogateescape")


def _seen(status: os.stat_result) -> Seen:
    return Seen(
        status.st_size,
        status.st_mtime_ns,
        status.st_mode,
        status.st_dev,
        status.st_ino,
        status.st_nlink,
        status.st_ctime_ns,
    )
