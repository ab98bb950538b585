"""Content packs that travel with a campaign, in `content/packs/<id>/`.

A pack is there when its `pack.json` is, which is written last and taken away first: a crash leaves no pack that is half
an old and half a new one. Source: docs/content.md, "Packs".
"""

from __future__ import annotations

import errno
from collections.abc import Iterator, Mapping
from contextlib import suppress

from turnwright.store.files import Files, Seen

PACKS_FOLDER = "content/packs/"
_MANIFEST = "pack.json"
_MAX_BYTES = 1 << 26
_MAX_FILES = 20_100


class CarriedPacks:
    """The packs in a campaign's folder."""

    def __init__(self, files: Files) -> None:
        """Take the files of the campaign."""
        self._files = files

    def ids(self) -> list[str]:
        """Return the ids of the packs that are there, sorted."""
        return [name for name in self._listing(PACKS_FOLDER) if self._manifest(name) is not None]

    def mark(self, pack_id: str) -> object:
        """Return what changes when the files of a pack do; None where the campaign has no such pack."""
        if self._manifest(pack_id) is None:
            return None
        return tuple((path, seen.size, seen.mtime_ns, seen.mark) for path, seen in self._found(pack_id))

    def files(self, pack_id: str) -> Mapping[str, bytes]:
        """Return the files of a pack, by path below its folder.

        Raises:
            OSError: when they cannot be read, are links, or are too many or too long.
        """
        folder, found, total = f"{PACKS_FOLDER}{pack_id}/", dict[str, bytes](), 0
        for path, seen in self._found(pack_id):
            total += seen.size
            if total > _MAX_BYTES or len(found) >= _MAX_FILES:
                raise OSError(errno.EFBIG, f"more than {_MAX_FILES} files or {_MAX_BYTES} bytes", folder)
            found[path] = self._files.read(folder + path)
        return found

    def holds(self, pack_id: str, content: Mapping[str, bytes]) -> bool:
        """Return whether a pack is there with just these files."""
        if self._manifest(pack_id) is None:
            return False
        try:
            return self.files(pack_id) == dict(content)
        except OSError:
            return False

    def write(self, pack_id: str, content: Mapping[str, bytes]) -> None:
        """Write a pack, replacing an existing one. After an error, the partial file does not count as a pack.

        Raises:
            OSError: when it cannot be written.
        """
        folder = f"{PACKS_FOLDER}{pack_id}/"
        before = [path for path, _ in self._found(pack_id)]
        self._files.remove(folder + _MANIFEST)
        written: list[str] = []
        try:
            for path in sorted(content, key=lambda path: (path == _MANIFEST, path)):
                written.append(path)
                self._files.replace(folder + path, content[path], synced=True)
                self._files.make_names_durable((folder + path).rpartition("/")[0])
        except OSError:
            for path in written:
                with suppress(OSError):
                    self._files.remove(folder + path)
            raise
        for path in before:
            if path not in content:
                self._files.remove(folder + path)

    def remove(self, pack_id: str) -> None:
        """Take a pack away; empty folders stay."""
        for path in [_MANIFEST, *(path for path, _ in self._found(pack_id))]:
            self._files.remove(f"{PACKS_FOLDER}{pack_id}/{path}")

    def _manifest(self, pack_id: str) -> Seen | None:
        seen = self._files.look(f"{PACKS_FOLDER}{pack_id}/{_MANIFEST}")
        return seen if seen is not None and seen.is_file else None

    def _found(self, pack_id: str) -> Iterator[tuple[str, Seen]]:
        """Yield the files of a pack: those in its folder, and in the folders there."""
        folder = f"{PACKS_FOLDER}{pack_id}/"
        for name, seen in self._listing(folder).items():
            if name.startswith("."):
                continue
            if not seen.is_folder:
                yield name, seen
                continue
            for inner, below in self._listing(f"{folder}{name}/").items():
                if not inner.startswith("."):
                    yield f"{name}/{inner}", below

    def _listing(self, folder: str) -> Mapping[str, Seen]:
        try:
            return self._files.listing(folder)
        except NotADirectoryError:
            return {}
