"""C1 and C2: what looking up a content entry by name costs, cold and warm."""

from __future__ import annotations

import json
import random
import zlib
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from scripts.bench.ground import Ground
from scripts.bench.measuring import cpu, ratio, timed
from scripts.bench.table import Row

from turnwright.content.compiled import CompiledPack, place_of
from turnwright.content.library import Library
from turnwright.content.registry import COMPILED_FOLDER

_MAX_COLD, _MAX_WARM = 3, 30
_FILE = COMPILED_FOLDER / "srd-5.1.pack"


def lookups(ground: Ground) -> Iterator[Row]:
    """C1: a lookup in a pack just opened, over opening the file and reading that entry by hand; C2: the lookup again.

    Every lookup of C1 is of another entry, by its name, and from a pack of which nothing was read yet.
    """
    pack = CompiledPack("srd-5.1", lambda: _FILE.open("rb", buffering=0))
    rows = list(pack.rows())
    random.Random("bench").shuffle(rows)
    chosen = list(islice(rows, ground.pick(300, 30)))
    places = [place_of(pack, row.kind, row.id) for row in chosen]
    references = [row.reference for row in chosen]

    def ours() -> float:
        return timed(lambda: [_cold(reference) for reference in references], cpu)[0]

    def floor() -> float:
        return timed(lambda: [_read(_FILE, *place) for place in places], cpu)[0]

    if [_cold(reference) for reference in references] != [_read(_FILE, *place) for place in places]:
        raise RuntimeError("a lookup gives another entry than the file holds")
    told = "opening the file and reading that entry with the standard library"
    yield Row(
        "C1", f"one content lookup, cold; {len(chosen)} entries", told, ratio(ground.rounds, ours, floor), _MAX_COLD
    )
    yield from _warm(ground)


def _warm(ground: Ground) -> Iterator[Row]:
    times = ground.pick(100_000, 10_000)
    library = Library([CompiledPack("srd-5.1", lambda: _FILE.open("rb", buffering=0))])
    library.look_up("goblin")
    table = {("goblin", None): library.look_up("goblin")}

    def ours() -> float:
        return timed(lambda: [library.look_up("goblin") for _ in range(times)], cpu)[0]

    def floor() -> float:
        return timed(lambda: [table["goblin", None] for _ in range(times)], cpu)[0]

    value = ratio(ground.rounds, ours, floor)
    yield Row("C2", "the same content lookup again", "a lookup in a dictionary", value, _MAX_WARM)


def _cold(reference: str) -> object:
    pack = CompiledPack("srd-5.1", lambda: _FILE.open("rb", buffering=0))
    return Library([pack]).look_up(reference).found.value


def _read(path: Path, dictionary_at: int, dictionary_size: int, at: int, size: int) -> object:
    with path.open("rb") as file:
        file.seek(dictionary_at)
        dictionary = file.read(dictionary_size)
        file.seek(at)
        stream = zlib.decompressobj(-zlib.MAX_WBITS, dictionary)
        return json.loads(stream.decompress(file.read(size)))
