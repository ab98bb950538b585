"""A directory kept in memory, to be laid down again and again: that is several times cheaper than to copy it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple


class _KeptFile(NamedTuple):
    name: str
    data: bytes
    mode: int
    times: tuple[int, int]
    """Of the last access and of the last change, in ns: the checkpoint knows files by the latter."""


class KeptDirectory:
    """What a directory of ordinary files and folders held."""

    def __init__(self, path: Path) -> None:
        found = sorted(path.rglob("*"))
        self._folders = [str(place.relative_to(path)) for place in found if place.is_dir()]
        self._files = [_kept(place, str(place.relative_to(path))) for place in found if place.is_file()]

    def lay_down(self, path: Path) -> None:
        """Make a directory, which must not be there, that holds the same."""
        path.mkdir(parents=True)
        for name in self._folders:
            (path / name).mkdir()
        for file in self._files:
            with (path / file.name).open("xb", buffering=0) as laid:
                laid.write(file.data)
                os.fchmod(laid.fileno(), file.mode)
                os.utime(laid.fileno(), ns=file.times)


def _kept(path: Path, name: str) -> _KeptFile:
    status = path.stat()
    return _KeptFile(name, path.read_bytes(), status.st_mode & 0o777, (status.st_atime_ns, status.st_mtime_ns))
