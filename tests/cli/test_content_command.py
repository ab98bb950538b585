"""turnwright content: for players, game masters and authors."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.builders import STAMP
from tests.cli.conftest import Turnwright
from tests.content.packs import RAT, archive, files, write


class Said(NamedTuple):
    """What a command printed."""

    out: str
    err: str


Content = Callable[..., Said]


@pytest.fixture(name="content")
def fixture_content(turnwright: Turnwright) -> Content:
    """Give a function that runs a command, which must end with a code, and returns what it printed."""

    def run(*arguments: str, code: int = 0) -> Said:
        ended, out, err = turnwright(*arguments)
        assert ended == code, err
        return Said(out, err)

    return run


@pytest.fixture(name="place")
def fixture_place(tmp_path: Path, content: Content) -> Path:
    content("new", str(tmp_path / "c"), "--template", "toolkit", "--seed", "content")
    return tmp_path / "c"


def test_show_prints_a_stat_block(content: Content) -> None:
    shown = content("content", "show", "giant", "rats", code=64)
    shown = content("content", "show", "giant rats")
    assert "Giant Rat  monsters/giant-rat  (pack srd-5.1)" in shown.out
    assert "hit points   7 (2d6)" in shown.out
    assert "Bite. melee weapon +4 to hit, reach 5 ft.; 4 (1d4+2) piercing" in shown.out
    assert "the engine plays out part of it; left to the table: " in content("content", "show", "succubus").out


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("firebal", "Fireball (spells/fireball)"),
        ("rage", "Rage of Barbarian (classes/barbarian), Ranger (classes/ranger)"),
        ("sneak attack", "Sneak Attack of Rogue (classes/rogue)"),
        ("rope", "Rope Trick (spells/rope-trick), Rope, hempen (50 feet) (gear/rope-hempen-50-feet), "),
        ("healing elixir", "Healing Word (spells/healing-word), "),
    ],
)
def test_show_prints_only_what_has_the_name_and_else_the_nearest(content: Content, name: str, nearest: str) -> None:
    shown = content("content", "show", name, code=1)
    assert shown.out == ""
    assert shown.err.startswith(f"there is no entry {name}; the nearest: {nearest}")


def test_the_words_of_a_name_may_stand_in_any_order(content: Content) -> None:
    for name in ("healing potion", "potion healing", "Healing Potions"):
        assert content("content", "show", name).out.startswith(
            "Potion of Healing  magic_items/potion-of-healing-common"
        )
    assert content("content", "show", "red dragon, adult").out.startswith("Adult Red Dragon")


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("magic missile", "3 darts, 1 more for each slot level above 1st"),
        ("barbarian", "level 20. Primal Champion; brutal critical dice 3, unlimited rages, +4 rage damage"),
        ("barbarian", "the engine plays out part of it; left to the table: what features do beyond these figures"),
        ("halfling", "Brave. advantage on saves against frightened"),
        ("haste", "+2 armor class; advantage on dex save"),
        ("torch", "bright light 20 ft., dim light 20 ft."),
        ("warlock", "slots 5th 4"),
        ("goblin", "the engine plays out all of it"),
        ("delayed blast fireball", "1d6 more for every higher slot level"),
    ],
)
def test_figures_are_told_in_english(content: Content, name: str, told: str) -> None:
    shown = " ".join(content("content", "show", name).out.split())
    assert told in shown
    assert "9999" not in shown


def test_show_gives_the_entry_to_a_program(content: Content) -> None:
    value = json.loads(content("content", "show", "fire ball", "--json").out)
    assert (value["kind"], value["matched"], value["entry"]["damage"][0]["dice"]) == ("spells", "name", "8d6")


def test_show_asks_which_of_several(content: Content) -> None:
    asked = content("content", "show", "shield", code=1)
    assert "spells/shield, armor/shield; say --kind spells or --kind armor" in asked.err
    assert "armor class" in content("content", "show", "shield", "--kind", "armor").out
    assert "there is no entry zzz; `turnwright content find WORD`" in content("content", "show", "zzz", code=1).err


def test_find_lists_what_passes(content: Content) -> None:
    rows = content("content", "find", "dragon", "--cr", "10-14", "--json").out.splitlines()
    found = [json.loads(row) for row in rows]
    assert {row["id"] for row in found} >= {"adult-black-dragon", "young-red-dragon"}
    assert all(10 <= row["cr"] <= 14 for row in found)
    listed = content("content", "find", "--kind", "spells", "--level", "9", "--class", "cleric").out
    assert "spells/mass-heal" in listed
    assert content("content", "find", "no such words", code=1).err.strip() == "nothing was found"
    for bad in ("x", "1-", "1/0"):
        assert "--cr must be a number" in content("content", "find", "--cr", bad, code=64).err
    assert "monsters/goblin" in content("content", "find", "goblin", "--cr", "1/4").out


@pytest.mark.parametrize(
    ("option", "given", "told"),
    [
        ("--cr", "5-1", "--cr: from-to begins with the lower number (got '5-1')"),
        ("--class", "wizzard", "--class: no entry has 'wizzard'; did you mean wizard?"),
        ("--type", "undeadd", "--type: no entry has 'undeadd'; did you mean undead?"),
        ("--class", "zzz", "--class: no entry has 'zzz'; there are bard, cleric, druid,"),
    ],
)
def test_a_filter_that_no_entry_can_pass_is_refused(content: Content, option: str, given: str, told: str) -> None:
    assert told in content("content", "find", option, given, code=64).err


def test_a_new_pack_is_checked_added_and_used(content: Content, place: Path, tmp_path: Path) -> None:
    pack = tmp_path / "my-marsh"
    assert "the pack my-marsh" in content("content", "new", str(pack)).out
    assert "nothing is wrong; 3 entries" in content("content", "check", str(pack)).out
    added = content("content", "add", str(place), str(pack), "--now", STAMP, "--json")
    assert json.loads(added.out)["copied"] is True
    assert "already" in content("content", "add", str(place), str(pack)).out
    shown = content("content", "show", "bog goblins", "--campaign", str(place))
    assert "(pack my-marsh)" in shown.out
    assert "nothing is wrong" in content("check", str(place)).out
    assert "not an empty directory" in content("content", "new", str(pack), code=64).err
    assert "gives no id of a pack" in content("content", "new", str(tmp_path / "9"), code=64).err


def test_an_archive_is_added_too(content: Content, place: Path, tmp_path: Path) -> None:
    content("content", "add", str(place), str(archive(tmp_path / "mill.zip", files(), "mill/")))
    assert "Mill Rat" in content("content", "show", "mill rat", "--campaign", str(place)).out
    bad = archive(tmp_path / "bad.zip", {"../x.md": b""})
    assert "leads elsewhere" in content("content", "add", str(place), str(bad), code=64).err


def test_problems_are_named_and_nothing_is_added(content: Content, place: Path, tmp_path: Path) -> None:
    pack = write(tmp_path / "mill", files({**RAT, "size": "big"}))
    log = (place / "log.jsonl").read_bytes()
    told = content("content", "add", str(place), str(pack), code=1).err
    assert "monsters.jsonl:1  monsters/mill-rat  $.size  wants 'tiny'" in told
    problem = json.loads(content("content", "check", str(pack), "--json", code=1).out)
    assert (problem["entry"], problem["path"], problem["line"]) == ("monsters/mill-rat", "$.size", 1)
    assert (place / "log.jsonl").read_bytes() == log
    assert "there is no folder or file" in content("content", "check", str(tmp_path / "none"), code=64).err


def test_a_pack_compiles_into_one_file(content: Content, tmp_path: Path) -> None:
    pack = write(tmp_path / "mill", files())
    content("content", "check", str(pack), "--compile", str(tmp_path / "mill.pack"))
    first = (tmp_path / "mill.pack").read_bytes()
    content("content", "check", str(pack), "--compile", str(tmp_path / "mill.pack"))
    assert (tmp_path / "mill.pack").read_bytes() == first


def test_the_license_is_shown(content: Content, place: Path) -> None:
    told = content("content", "license").out
    assert "license: CC-BY-4.0" in told
    assert "by Wizards of the Coast LLC and available at" in told
    value = json.loads(content("content", "license", "--campaign", str(place), "--json").out)
    assert (value["id"], value["license"], len(value["sha256"])) == ("srd-5.1", "CC-BY-4.0", 64)


def test_a_campaign_whose_pack_is_missing_is_told_what_to_do(content: Content, place: Path) -> None:
    value = json.loads((place / "campaign.json").read_bytes())
    (place / "campaign.json").write_text(json.dumps(value | {"content": ["gone"]}))
    assert "turnwright content add" in content("check", str(place)).err
    content("process", str(place))
    assert "there is no pack gone" in content("content", "show", "goblin", "--campaign", str(place), code=64).err
