"""Detect the format of a file, and find its reader and writer: the `Imports` of the fifth edition.

Source: docs/characters.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from turnwright.model.character import Character
from turnwright.model.json_fault import find_json_fault
from turnwright.model.state.overlay import World
from turnwright.model.strict_json import JsonError, parse_json
from turnwright.rulesets.imports import Imported, ImportFault, Imports, Page, Target

if TYPE_CHECKING:
    from turnwright.content.registry import PackRegistry

_ARCHIVES = (
    (b"PK\x03\x04", "a ZIP archive"),
    (b"PK\x05\x06", "a ZIP archive"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ\x00", "an xz archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"Rar!", "a RAR archive"),
    (b"\x28\xb5\x2f\xfd", "a zstd archive"),
    (b"%PDF", "a PDF"),
)
_BOM = b"\xef\xbb\xbf"


class _Imports:
    """Reads and writes characters of the fifth edition."""

    tool = "import_character"
    forms: Mapping[str, str] = MappingProxyType(
        {
            "sheet": "a sheet of turnwright's own",
            "foundry": "an actor of Foundry VTT",
            "csv": "a table",
        }
    )

    def read(self, data: bytes, name: str, target: Target) -> Sequence[Imported]:
        """Return the characters of a file; see `Imports.read`."""
        _refuse_archive(data)
        data = data.removeprefix(_BOM)  # spreadsheets write one
        if not data.strip():
            raise ImportFault("is empty")
        ending = f".{name.rpartition('.')[2]}".casefold() if "." in name else ""
        if ending in (".yaml", ".yml"):
            from turnwright.rulesets.fifth_edition.imports.yaml_table import read_yaml

            return read_yaml(data, target)
        if ending in (".csv", ".tsv"):
            from turnwright.rulesets.fifth_edition.imports.csv_table import read_csv

            return read_csv(data, target)
        if ending != ".json" and not data.lstrip().startswith((b"{", b"[")):
            raise ImportFault("is of no known format: files end in .json, .yaml or .csv")
        return [_read_json(data, target)]

    def write(self, world: World, character: Character, form: str, open_packs: Callable[[], PackRegistry]) -> bytes:
        """Return a character as a file; see `Imports.write`."""
        if form == "sheet":
            from turnwright.rulesets.fifth_edition.imports.own_sheet import write_sheet

            return write_sheet(character)
        if character.max_hp is None:
            raise ImportFault(f"{character.id} has no sheet (no max_hp); only a sheet of turnwright's own can hold it")
        if form == "foundry":
            from turnwright.rulesets.fifth_edition.imports.foundry_writer import write_actor

            return write_actor(world, character, open_packs)
        from turnwright.rulesets.fifth_edition.imports.csv_table import write_csv

        return write_csv(world, character)

    def page(self, world: World, character: Character, open_packs: Callable[[], PackRegistry]) -> Page:
        """Return a printable page about a character; see `Imports.page`."""
        if character.max_hp is None:
            raise ImportFault(f"{character.id} has no sheet (no max_hp) to print")
        from turnwright.rulesets.fifth_edition.imports.page import page_of

        return page_of(world, character, open_packs)


IMPORTS: Imports = _Imports()


def _refuse_archive(data: bytes) -> None:
    for mark, what in _ARCHIVES:
        if data.startswith(mark):
            raise ImportFault(f"is {what}; only plain files of text are read: unpack it first")


def _read_json(data: bytes, target: Target) -> Imported:
    value = _parsed(data, target.max_depth)
    from turnwright.rulesets.fifth_edition.imports import dnd_beyond, foundry, own_sheet

    if own_sheet.is_sheet(value):
        return own_sheet.read_sheet(value, target)
    if dnd_beyond.is_character(value):
        return dnd_beyond.read_character(value, target)
    if foundry.is_actor(value):
        return foundry.read_actor(value, target)
    raise ImportFault(
        "is JSON, but neither a sheet of turnwright's own, nor an actor of Foundry VTT, nor a character of D&D Beyond"
    )


def _parsed(data: bytes, max_depth: int) -> Any:
    try:
        value = parse_json(data, max_depth=max_depth)
    except JsonError as error:
        raise ImportFault(str(error)) from None
    if fault := find_json_fault(value):
        raise ImportFault(f"{'.'.join(map(str, ('$', *fault.path)))}: {fault.why}")
    return value
