"""The files of a pack on the disk: read, compiled and written. Links are refused, and so are packs over the limits.

A campaign's own files are read through `store/`; this is for an author's folder or archive. Source: docs/content.md.
"""

from __future__ import annotations

import stat
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from turnwright.content.compiled import compile_pack
from turnwright.content.pack import Pack, PackError
from turnwright.content.registry import PackRegistry
from turnwright.content.source import (
    MAX_FILE_BYTES,
    MAX_FILES,
    MAX_PACK_BYTES,
    PackProblem,
    PackSource,
    SourceFiles,
    check_references,
    read_pack,
)

_DEPTH = 2
_COMPRESSIONS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""What is unpacked: others take as much memory as the archive says, and each fails with errors of its own."""


def read_folder(folder: Path) -> SourceFiles:
    """Return the files of a pack in a folder. Names that begin with a point are left out.

    Raises:
        PackError: when something is a link or not a regular file, or when it is too much.
    """
    found: dict[str, bytes] = {}
    total = 0
    try:
        for path in _ordinary_files(folder, 1):
            size = path.stat().st_size
            total += size
            if size > MAX_FILE_BYTES or total > MAX_PACK_BYTES or len(found) >= MAX_FILES:
                raise PackError(f"{path} is too much: {_bounds()}")
            found[path.relative_to(folder).as_posix()] = path.read_bytes()
    except OSError as error:
        raise PackError(f"{folder} cannot be read: {error.strerror or error}") from error
    return found


def _ordinary_files(folder: Path, depth: int) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path.name.startswith("."):
            continue
        mode = path.lstat().st_mode
        if stat.S_ISREG(mode):
            yield path
        elif stat.S_ISDIR(mode) and depth < _DEPTH:
            yield from _ordinary_files(path, depth + 1)
        else:
            raise PackError(f"{path} must be a regular file: links, devices and deeper folders are refused")


def read_archive(archive: Path) -> SourceFiles:
    """Return the files of a pack in a ZIP archive, at its top or in the one folder there.

    It unpacks no file to the disk. It does not trust the sizes that the archive states.

    Raises:
        PackError: when it is not an archive, when a name points outside it, when a member is encrypted or not a regular
            file, or when it is too large.
    """
    found: dict[str, bytes] = {}
    total = 0
    try:
        with zipfile.ZipFile(archive) as opened:
            for info in opened.infolist():
                if info.is_dir():
                    continue
                name = _safe_name(info, archive)
                if name is None:
                    continue
                if name in found:
                    raise PackError(f"{archive} has {name} twice")
                if len(found) >= MAX_FILES:
                    raise PackError(f"{archive} is too much: {_bounds()}")
                with opened.open(info) as file:
                    data = file.read(min(MAX_FILE_BYTES, MAX_PACK_BYTES - total) + 1)
                total += len(data)
                if len(data) > MAX_FILE_BYTES or total > MAX_PACK_BYTES:
                    raise PackError(f"{archive} is too much: {_bounds()}")
                found[name] = data
    except (OSError, zipfile.BadZipFile, RuntimeError, NotImplementedError, ValueError, EOFError, zlib.error) as error:
        raise PackError(f"{archive} cannot be read as a ZIP archive: {error}") from error
    return _without_top(found)


def _safe_name(info: zipfile.ZipInfo, archive: Path) -> str | None:
    """Return the path of a file in an archive; None for one whose name begins with a dot."""
    name = info.filename
    parts = name.split("/")
    kind = stat.S_IFMT(info.external_attr >> 16)
    if "\\" in name or name.startswith("/") or ":" in name or "\0" in name or ".." in parts or "" in parts:
        raise PackError(f"{archive} has a file whose name leads elsewhere: {name!r}")
    if kind not in (0, stat.S_IFREG):
        raise PackError(f"{archive} has {name!r}, which is a link or not a regular file")
    if info.compress_type not in _COMPRESSIONS:
        raise PackError(f"{archive} has {name!r}, which is neither stored nor deflated; make the archive with deflate")
    if info.flag_bits & 1:
        raise PackError(f"{archive} has {name!r}, which is encrypted")
    return None if any(part.startswith(".") or part == "__MACOSX" for part in parts) else name


def _without_top(files: dict[str, bytes]) -> SourceFiles:
    """Return the files as paths below the one folder that holds them all, where there is one."""
    tops = {name.partition("/")[0] for name in files}
    if len(tops) == 1 and all("/" in name for name in files) and "pack.json" not in files:
        return {name.partition("/")[2]: data for name, data in files.items()}
    return files


def _bounds() -> str:
    return f"a pack has up to {MAX_FILES} files of {MAX_FILE_BYTES} bytes, {MAX_PACK_BYTES} bytes together"


def read_place(place: Path) -> SourceFiles:
    """Return the files of a pack in a folder or a ZIP archive.

    Raises:
        PackError: when it is neither, or cannot be used.
    """
    if place.is_dir():
        return read_folder(place)
    if place.is_file():
        return read_archive(place)
    raise PackError(f"there is no folder or file {place}")


def checked(files: SourceFiles, registry: PackRegistry) -> PackSource:
    """Return a pack, checked as a whole: each entry, and what entries refer to in the packs that it requires."""
    source = read_pack(files)
    if source.manifest is None:
        return source
    others: list[Mapping[str, Any]] = []
    for place, pack_id in enumerate(source.manifest.requires):
        try:
            others.append(_ids_of(registry.pack(pack_id)))
        except PackError as error:
            source.problems.append(PackProblem("pack.json", 0, "", f"$.requires[{place}]", str(error)))
    check_references(source, others)
    return source


def _ids_of(pack: Pack) -> Mapping[str, set[str]]:
    ids: dict[str, set[str]] = {}
    for row in pack.rows():
        ids.setdefault(row.kind, set()).add(row.id)
    return ids


def compiled_file(folder: Path) -> bytes:
    """Return the compiled form of the pack in a folder.

    Raises:
        PackError: when something is wrong with it; the message has all problems.
    """
    source = checked(read_folder(folder), PackRegistry())
    if source.problems or source.manifest is None:
        raise PackError("\n".join(map(str, source.problems)))
    return compile_pack(source.manifest, source.entries)


def compile_for_build(source: Path, target: Path) -> list[Path]:
    """Compile every pack in a folder of packs into `<target>/<id>.pack`, and return the files that were written.

    Raises:
        SystemExit: when a pack cannot be used, or when there is none.
    """
    packs = sorted(path.parent for path in source.glob("*/pack.json"))
    if not packs:
        raise SystemExit(f"there are no packs in {source}")
    written = []
    for pack in packs:
        try:
            data = compiled_file(pack)
        except PackError as error:
            raise SystemExit(f"{pack.name}: {error}") from None
        path = target / f"{pack.name}.pack"
        if not path.is_file() or path.read_bytes() != data:
            target.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            written.append(path)
    return written
