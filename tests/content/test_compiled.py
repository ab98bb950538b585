"""A pack in one file: read no more than is asked for, and never trusted."""

from __future__ import annotations

import random
import zlib
from contextlib import AbstractContextManager
from typing import IO

import pytest
from tests.content.packs import RAT, CountingFile, files
from tests.growth import ratio
from tests.sampling import some

from turnwright.content.compiled import _HEADER, CompiledPack, compile_pack, hash_of
from turnwright.content.library import Library
from turnwright.content.pack import LoadedPack, PackError
from turnwright.content.registry import COMPILED_FOLDER, built_in
from turnwright.content.source import read_pack

SRD = (COMPILED_FOLDER / "srd-5.1.pack").read_bytes()


def small() -> LoadedPack:
    return read_pack(files()).loaded()


def opened(data: bytes, log: list[int]) -> CompiledPack:
    def opener() -> AbstractContextManager[IO[bytes]]:
        log.append(0)
        return CountingFile(data, log)

    return CompiledPack("srd-5.1", opener)


def test_nothing_is_read_before_a_name_is_asked_for() -> None:
    log: list[int] = []
    library = Library([opened(SRD, log)])
    assert log == []
    library.look_up("goblin")
    assert log.count(0) == 1, "it is opened once"
    assert len(log) <= 5, "header, index, dictionary, entry"
    assert sum(log) < len(SRD) / 3


def test_a_second_lookup_reads_its_entry_and_the_same_one_nothing() -> None:
    log: list[int] = []
    library = Library([opened(SRD, log)])
    library.look_up("goblin")
    before = len(log)
    library.look_up("goblin")
    assert len(log) == before
    library.look_up("ogre")
    assert sum(log[before:]) < 2_000


def test_names_of_nothing_cost_no_entry() -> None:
    log: list[int] = []
    pack = opened(SRD, log)
    pack.with_key("goblin")
    before = sum(log)
    assert pack.with_key("no-such-thing") == ()
    assert sum(log) - before == 0


def test_a_warm_lookup_is_a_lookup_in_a_dictionary() -> None:
    library = Library([built_in("srd-5.1")])
    library.look_up("goblin")
    table = {("goblin", None): 1}
    allowed = 30

    def lookups() -> None:
        for _ in range(2_000):
            library.look_up("goblin")

    def floor() -> None:
        for _ in range(2_000):
            table["goblin", None]

    assert ratio(lookups, floor, allowed) <= allowed


def test_the_hash_is_that_of_the_content_in_any_form() -> None:
    pack = small()
    compiled = opened(compile_pack(pack.manifest, pack.entries), [])
    assert compiled.sha256 == pack.sha256 == hash_of(pack.manifest, pack.entries)
    assert compiled.manifest == pack.manifest
    changed = read_pack(files({**RAT, "passive_perception": 11})).loaded()
    assert changed.sha256 != pack.sha256


def test_entries_come_back_as_they_were() -> None:
    pack = small()
    compiled = opened(compile_pack(pack.manifest, pack.entries), [])
    assert {row.reference for row in compiled.rows()} == {"monsters/mill-rat", "weapons/knife"}
    for row in compiled.rows():
        found = compiled.entry(row.kind, row.id)
        assert found is not None
        assert found.value == pack.entries[row.kind][row.id]
    assert compiled.entry("spells", "mill-rat") is None


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", SRD[:40], SRD[: _HEADER.size], SRD[:1000], b"\0" * 4096])
def test_what_is_no_pack_is_an_error_that_names_it(data: bytes) -> None:
    with pytest.raises(PackError, match=r"srd-5\.1 cannot be read"):
        opened(data, []).with_key("goblin")


def test_damage_is_an_error_or_gives_what_was_written() -> None:
    pack = small()
    whole = compile_pack(pack.manifest, pack.entries)
    good = opened(whole, []).with_key("mill-rat")
    chance = random.Random("damage")
    for place in some(range(len(whole)), 200):
        data = bytearray(whole)
        data[place] ^= 1 << chance.randrange(8)
        damaged = opened(bytes(data), [])
        try:
            found = damaged.with_key("mill-rat")
            damaged.rows()
        except PackError:
            continue
        assert found in (good, ()), place


def test_a_bomb_in_an_entry_is_not_inflated() -> None:
    pack = small()
    whole = compile_pack(pack.manifest, pack.entries)
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    bomb = squeeze.compress(b" " * 50_000_000) + squeeze.flush()
    header = list(_HEADER.unpack_from(whole))
    header[8], header[9] = len(whole), len(bomb)  # as the manifest
    data = _HEADER.pack(*header) + whole[_HEADER.size :] + bomb
    assert len(bomb) < 100_000
    with pytest.raises(PackError):
        opened(data, []).manifest  # noqa: B018
