"""Packs as authors write them: every problem named by file, entry and path, and hostile archives refused."""

from __future__ import annotations

import json
import os
import stat
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.content.packs import KNIFE, RAT, archive, files, manifest, write

from turnwright.content import folders
from turnwright.content.example import example_files
from turnwright.content.folders import checked, read_archive, read_folder, read_place
from turnwright.content.pack import PackError
from turnwright.content.registry import PackRegistry
from turnwright.content.source import is_pack_id, read_pack


def rat(**changes: Any) -> dict[str, bytes]:
    return files({**RAT, **changes})


def without(key: str) -> dict[str, bytes]:
    return files({name: value for name, value in RAT.items() if name != key})


BITE = RAT["actions"][0]
BROKEN: Mapping[str, tuple[Mapping[str, bytes], str, str, str]] = {
    "no manifest": ({"monsters.jsonl": b""}, "", "", "is missing"),
    "no JSON": ({**files(), "pack.json": b"{"}, "", "$", "is no JSON"),
    "a list": ({**files(), "pack.json": b"[]"}, "", "$", "wants an object"),
    "unknown key of the manifest": (files(licence="MIT"), "", "$.licence", "the nearest one is license"),
    "a later format": (files(format=2), "", "$.format", "must be 1 (got 2)"),
    "an odd id": (files(id="../mill"), "", "$.id", "must be words of lower-case letters"),
    "a name of a device": (files(id="con"), "", "$.id", "must be words"),
    "an unknown required pack": (files(requires=["moon"]), "", "$.requires[0]", "there is no pack moon"),
    "an unknown file": ({**files(), "monster.jsonl": b""}, "", "", "did you mean monsters.jsonl?"),
    "code": ({**files(), "setup.py": b"import os"}, "", "", "is no file of a pack"),
    "unknown key": (rat(armor_class=12), "monsters/mill-rat", "$.armor_class", "is no known key"),
    "missing key": (without("hp"), "monsters/mill-rat", "$.hp", "is required"),
    "an average": (
        rat(hp={"average": 9, "dice": "1d4"}),
        "monsters/mill-rat",
        "$.hp",
        "average must be 2, as the dice give",
    ),
    "experience": (rat(xp=25), "monsters/mill-rat", "$", "xp must be 0 or 10 for this cr"),
    "proficiency": (rat(proficiency_bonus=3), "monsters/mill-rat", "$", "proficiency_bonus must be 2 for this cr"),
    "a rating": (rat(cr=0.3), "monsters/mill-rat", "$", "cr must be 0, 0.125, 0.25, 0.5 or a whole number"),
    "a size": (rat(size="big"), "monsters/mill-rat", "$.size", "wants 'tiny', 'small'"),
    "dice": (
        rat(hp={"average": 2, "dice": "d4"}),
        "monsters/mill-rat",
        "$.hp.dice",
        "has characters that cannot stand here",
    ),
    "a damage type": (
        rat(actions=[{**BITE, "damage": [{"flat": 1, "type": "sharp"}]}]),
        "monsters/mill-rat",
        "$.actions[0].damage[0].type",
        "wants 'slashing'",
    ),
    "an action twice": (rat(actions=[BITE, BITE]), "monsters/mill-rat", "$", "bite is there twice"),
    "multiattack": (rat(multiattack=[[{"action": "claw"}]]), "monsters/mill-rat", "$", "claw is no action"),
    "prose in figures": (
        rat(figures={"lore": "It gnaws. It squeaks."}),
        "monsters/mill-rat",
        "$.figures",
        "no sentence",
    ),
    "null in figures": (rat(figures={"lore": None}), "monsters/mill-rat", "$.figures", "has null at lore"),
    "a key in figures": (rat(figures={"Lore!": 1}), "monsters/mill-rat", "$.figures", "must be a key in snake_case"),
    "full with something missing": (
        rat(missing=["claws"]),
        "monsters/mill-rat",
        "$",
        "tier must be partly or reference",
    ),
    "partly with nothing missing": (rat(tier="partly"), "monsters/mill-rat", "$", "missing must name what is not"),
    "no list": (rat(actions={}), "monsters/mill-rat", "$.actions", "wants a list"),
    "no object": ({**files(), "monsters.jsonl": b'"rat"\n'}, "", "$", "wants an object"),
    "an id that is a path": (rat(id="../rat"), "monsters/../rat", "$.id", "has characters that cannot stand here"),
    "the same id twice": (
        files(RAT, RAT),
        "monsters/mill-rat",
        "$.id",
        "is also the id of an entry in monsters.jsonl:1",
    ),
    "another name than the file's": (
        {**files(), "weapons/dirk.json": json.dumps({**KNIFE, "id": "stiletto"}).encode()},
        "weapons/stiletto",
        "$.id",
        "must be the name of the file, dirk",
    ),
    "a reference": (
        rat(forms_of=["mill-cat"]),
        "monsters/mill-rat",
        "$.forms_of[0]",
        "mill-cat is in neither this pack",
    ),
    "a duplicate key": ({**files(), "monsters.jsonl": b'{"id": "a", "id": "b"}\n'}, "", "$", "is no JSON"),
    "deep": ({**files(), "monsters.jsonl": b"[" * 60 + b"]" * 60 + b"\n"}, "", "$", "nested more than"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_problem_is_named_by_entry_and_path(case: str) -> None:
    content, entry, path, told = BROKEN[case]
    problems = checked(content, PackRegistry()).problems
    assert [(problem.entry, problem.path) for problem in problems if told in problem.message] == [(entry, path)], (
        problems
    )


def test_all_problems_are_named_at_once_and_the_rest_is_read() -> None:
    content = files({**RAT, "size": "big", "xp": "many"}, {**RAT, "id": "other-rat", "name": "Other Rat"})
    source = checked(content, PackRegistry())
    assert [(problem.line, problem.path) for problem in source.problems] == [(1, "$.size"), (1, "$.xp")]
    assert set(source.entries["monsters"]) == {"other-rat"}


def test_lines_that_begin_with_a_number_sign_are_comments() -> None:
    text = "# a rat\n\n  # another line\n" + json.dumps(RAT, indent=1).replace('"name"', '# its name\n "name"')
    content = {"pack.json": manifest(), "monsters/mill-rat.json": text.encode()}
    source = checked(content, PackRegistry())
    assert source.problems == []
    assert source.count == 1


def test_a_pack_is_checked_against_those_that_it_requires() -> None:
    content = rat(forms_of=["giant-rat"])
    assert len(checked(content, PackRegistry()).problems) == 1
    assert checked({**content, "pack.json": manifest(requires=["srd-5.1"])}, PackRegistry()).problems == []


def test_the_example_of_new_is_a_good_pack(tmp_path: Path) -> None:
    source = checked(read_folder(write(tmp_path, example_files("my-pack", "My Pack", "my-pack"))), PackRegistry())
    assert source.problems == []
    assert {kind: len(found) for kind, found in source.entries.items()} == {"monsters": 1, "spells": 1, "weapons": 1}


@given(st.dictionaries(st.sampled_from(["pack.json", "monsters.jsonl", "spells/x.json", "x"]), st.binary(max_size=200)))
def test_any_bytes_are_a_pack_or_problems(content: dict[str, bytes]) -> None:
    source = read_pack(content)
    assert source.problems or source.manifest


def test_a_folder_and_an_archive_hold_the_same_pack(tmp_path: Path) -> None:
    content = files()
    write(tmp_path / "mill", {**content, ".hidden": b"x", ".git/config": b"x"})
    plain, nested = archive(tmp_path / "a.zip", content), archive(tmp_path / "b.zip", content, "mill-1.0/")
    read = [read_place(place) for place in (tmp_path / "mill", plain, nested)]
    assert read == [content] * 3
    assert len({read_pack(found).loaded().sha256 for found in read}) == 1


def test_links_and_devices_in_a_folder_are_refused(tmp_path: Path) -> None:
    write(tmp_path / "mill", files())
    (tmp_path / "mill" / "LICENSE").symlink_to("/etc/passwd")
    with pytest.raises(PackError, match="must be a regular file"):
        read_folder(tmp_path / "mill")
    (tmp_path / "mill" / "LICENSE").unlink()
    os.mkfifo(tmp_path / "mill" / "LICENSE")
    with pytest.raises(PackError, match="must be a regular file"):
        read_folder(tmp_path / "mill")


@pytest.mark.parametrize("name", ["../x.md", "/x.md", "a/../../x.md", "C:/x.md", "a\\..\\x.md", "a//x.md"])
def test_names_in_an_archive_that_lead_elsewhere_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(PackError, match="leads elsewhere"):
        read_archive(archive(tmp_path / "bad.zip", {**files(), name: b"x"}))


def test_links_in_an_archive_are_refused(tmp_path: Path) -> None:
    place = archive(tmp_path / "bad.zip", files())
    with zipfile.ZipFile(place, "a") as made:
        link = zipfile.ZipInfo("NOTICE")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        made.writestr(link, "/etc/passwd")
    with pytest.raises(PackError, match="a link or not a regular file"):
        read_archive(place)


@pytest.mark.parametrize("compression", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_only_stored_and_deflated_files_are_unpacked(tmp_path: Path, compression: int) -> None:
    place = archive(tmp_path / "odd.zip", files())
    with zipfile.ZipFile(place, "a", compression) as made:
        made.writestr("README.md", "a mill")
    damaged = bytearray(place.read_bytes())
    damaged[damaged.index(b"README.md") + len("README.md") + 2] ^= 0xFF
    for data in (place.read_bytes(), bytes(damaged)):
        (tmp_path / "odd.zip").write_bytes(data)
        with pytest.raises(PackError, match="neither stored nor deflated"):
            read_archive(tmp_path / "odd.zip")


def test_a_file_twice_in_an_archive_is_refused(tmp_path: Path) -> None:
    place = archive(tmp_path / "bad.zip", files())
    with pytest.warns(UserWarning, match="Duplicate name"), zipfile.ZipFile(place, "a") as made:
        made.writestr("pack.json", manifest(id="other"))
    with pytest.raises(PackError, match="twice"):
        read_archive(place)


def test_a_bomb_is_refused_before_it_fills_the_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folders, "MAX_FILE_BYTES", 1 << 16)
    bomb = archive(tmp_path / "bomb.zip", {**files(), "README.md": b" " * (1 << 24)})
    assert bomb.stat().st_size < 1 << 16
    with pytest.raises(PackError, match="is too much"):
        read_archive(bomb)
    monkeypatch.setattr(folders, "MAX_FILES", 3)
    with pytest.raises(PackError, match="is too much"):
        read_archive(archive(tmp_path / "many.zip", {**files(), **{f"{name}.md": b"" for name in "abcdef"}}))


@pytest.mark.parametrize("data", [b"", b"PK", b"no archive", b"PK\x05\x06" + b"\0" * 18])
def test_what_is_no_archive_is_an_error(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "x.zip").write_bytes(data)
    try:
        content = read_archive(tmp_path / "x.zip")
    except PackError:
        return
    assert checked(content, PackRegistry()).problems


def test_a_damaged_archive_is_an_error_or_has_problems(tmp_path: Path) -> None:
    whole = archive(tmp_path / "good.zip", files()).read_bytes()
    for place in range(0, len(whole), 7):
        (tmp_path / "bad.zip").write_bytes(whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :])
        try:
            read_pack(read_archive(tmp_path / "bad.zip"))
        except PackError:
            continue


def test_ids_of_packs() -> None:
    good = ("srd-5.1", "my_pack", "a", "x1")
    bad = ("", "1a", "A", "a b", "a/b", "..", "a..b", "a-", "nul", "com1", "x" * 65, "a\n")
    assert [name for name in good if not is_pack_id(name)] + [name for name in bad if is_pack_id(name)] == []
