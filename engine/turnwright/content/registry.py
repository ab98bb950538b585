"""Where packs are: in turnwright itself, in a campaign's folder, or in an installed distribution. None is imported.

Source: docs/content.md, "Packs".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager
from functools import cache, partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Protocol

from turnwright.content.compiled import CompiledPack
from turnwright.content.kinds import BUILT_IN_PACKS
from turnwright.content.pack import Pack, PackError

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from turnwright.content.source import PackSource, SourceFiles

COMPILED_FOLDER = Path(__file__).resolve().parent.parent / "data" / "content"
"""Where the compiled packs of turnwright are; the build makes them of `content/` in the repository."""


class CarriedPacks(Protocol):
    """The packs in a campaign's own folder."""

    def mark(self, pack_id: str) -> object:
        """Return a value that changes when the files of a pack change; None where the campaign has no such pack."""

    def files(self, pack_id: str) -> SourceFiles:
        """Return the files of a pack.

        Raises:
            OSError: when they cannot be read, or are too many or too long.
        """


class PackRegistry:
    """Packs by id, for one campaign or for none. A pack is opened when it is first asked for, and kept."""

    def __init__(self, carried: CarriedPacks | None = None) -> None:
        """Take the packs that a campaign carries along, if any."""
        self._carried = carried
        self._read: dict[str, tuple[object, Pack]] = {}

    def pack(self, pack_id: str) -> Pack:
        """Return a pack: the campaign's own copy, else turnwright's, else an installed one.

        Raises:
            PackError: when the pack is missing or unusable; the message says what to do.
        """
        mark = self._carried.mark(pack_id) if self._carried else None
        if mark is not None:
            return self._carried_pack(pack_id, mark)
        return built_in(pack_id) if pack_id in BUILT_IN_PACKS else installed_pack(pack_id)

    def packs(self, ids: Iterable[str]) -> list[Pack]:
        """Return several packs in order."""
        return [self.pack(pack_id) for pack_id in dict.fromkeys(ids)]

    def _carried_pack(self, pack_id: str, mark: object) -> Pack:
        known = self._read.get(pack_id)
        if known is None or known[0] != mark:
            from turnwright.content.source import read_pack

            assert self._carried is not None
            try:
                source = read_pack(self._carried.files(pack_id))
            except OSError as error:
                raise PackError(f"content/packs/{pack_id} cannot be read: {error.strerror or error}") from error
            known = self._read[pack_id] = (mark, _sound(source, pack_id, f"content/packs/{pack_id}"))
        return known[1]


def _sound(source: PackSource, pack_id: str, place: str) -> Pack:
    if source.problems:
        told = f"the pack in {place} is damaged; `turnwright content check` lists all problems"
        raise PackError(f"{told}. First: {source.problems[0]}")
    pack = source.loaded()
    if pack.id != pack_id:
        raise PackError(f"the pack in {place} has the id {pack.id}")
    return pack


@cache
def built_in(pack_id: str) -> CompiledPack:
    """Return a pack of turnwright itself; it is not read yet."""
    return CompiledPack(pack_id, partial(_open, COMPILED_FOLDER / f"{pack_id}.pack"))


def _open(path: Path) -> AbstractContextManager[IO[bytes]]:
    return path.open("rb", buffering=0)


@cache
def installed_pack(pack_id: str) -> Pack:
    """Return the pack that an installed distribution registers under this id.

    Its package holds the pack compiled, as `<id>.pack`, or as its author wrote it, in a folder of that name.

    Raises:
        PackError: when none does, or its data cannot be used.
    """
    from turnwright.model.entry_points import ExtensionError, Group, data_of, find

    try:
        extension = find(Group.CONTENT, pack_id, BUILT_IN_PACKS)
        if extension is None:
            told = "add it with `turnwright content add`, or install a distribution that has it"
            raise PackError(f"there is no pack {pack_id}: {told}")
        folder = data_of(extension)
    except ExtensionError as error:
        raise PackError(str(error)) from error
    compiled = folder.joinpath(f"{pack_id}.pack")
    if compiled.is_file():
        return CompiledPack(pack_id, partial(_open_resource, compiled))
    from turnwright.content.source import read_pack

    place = f"{extension.value}/{pack_id} of {extension}"
    try:
        files = _resources(folder.joinpath(pack_id))
    except OSError as error:
        raise PackError(f"{place} cannot be read: {error.strerror or error}") from error
    return _sound(read_pack(files), pack_id, place)


def _open_resource(file: Traversable) -> AbstractContextManager[IO[bytes]]:
    return file.open("rb")


def _resources(folder: Traversable) -> Mapping[str, bytes]:
    """Return the files of a pack among the data of a package."""
    files: dict[str, bytes] = {}
    for item in folder.iterdir():
        if item.is_file():
            files[item.name] = item.read_bytes()
        elif item.is_dir() and not item.name.startswith((".", "__")):
            files |= {f"{item.name}/{inner.name}": inner.read_bytes() for inner in item.iterdir() if inner.is_file()}
    return files


def pack_fault(registry: PackRegistry, pack_id: str) -> str | None:
    """Return why a pack that a campaign names cannot be used; None where it can be."""
    try:
        registry.pack(pack_id).sha256  # noqa: B018 - reads its header, or all of it
    except PackError as error:
        return str(error)
    return None
