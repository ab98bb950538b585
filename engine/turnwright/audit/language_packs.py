"""Check the language packs in a folder and compile them; a start reads the compiled files instead of the YAML.

Source: docs/languages.md, "Ship a pack".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from turnwright.model.entry_points import ExtensionError
from turnwright.rulesets.suggesting import BUILT_IN
from turnwright.suggestions.pack import PackError, compiled_file
from turnwright.suggestions.pack_files import COMPILED_FOLDER, PackFiles

_CODE = re.compile(r"[a-z]{2,3}")


class CheckedPacks(NamedTuple):
    """The packs of a folder.

    Attributes:
        languages: the codes of those that can be used, sorted.
        compiled: what each compiled file should hold, by its path.
        problems: what is wrong with the others, one sentence for each, with file and line.
    """

    languages: tuple[str, ...]
    compiled: Mapping[Path, bytes]
    problems: tuple[str, ...]


def check_packs(folder: Path) -> CheckedPacks:
    """Check every language pack in a folder, each a file `<code>.yaml`; other files are not looked at."""
    compiled: dict[str, bytes] = {}
    problems: list[str] = []
    for code in _codes_in(folder):
        try:
            compiled[code] = compiled_file(PackFiles(code, folder, f"{folder.name}/{code}.yaml"), BUILT_IN)
        except (PackError, ExtensionError) as error:
            problems.append(str(error))
    files = {folder / COMPILED_FOLDER / f"{code}.json": held for code, held in compiled.items()}
    return CheckedPacks(tuple(compiled), files, tuple(problems))


def write_compiled(packs: CheckedPacks) -> list[Path]:
    """Write the compiled files that are missing or stale, and return their paths."""
    written = []
    for path, held in packs.compiled.items():
        if path.is_file() and path.read_bytes() == held:
            continue
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(held)
        written.append(path)
    return written


def compile_for_build(folder: Path) -> None:
    """Compile every language pack in a folder, as the build of a distribution does.

    Raises:
        SystemExit: when a pack cannot be used, or when there is none; nothing is written then.
    """
    packs = check_packs(folder)
    if packs.problems or not packs.languages:
        raise SystemExit("\n".join(packs.problems) or "there are no language packs to compile")
    write_compiled(packs)


def _codes_in(folder: Path) -> Iterator[str]:
    yield from sorted(file.stem for file in folder.glob("*.yaml") if _CODE.fullmatch(file.stem))
