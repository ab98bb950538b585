"""The pack `srd-5.1`: counts, figures, references and license. Figures here are written down by hand."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from tests.content.packs import ROOT, SRD

from turnwright.content.compiled import compile_pack
from turnwright.content.folders import checked, read_folder
from turnwright.content.kinds import BUILT_IN_PACKS
from turnwright.content.registry import COMPILED_FOLDER, PackRegistry, built_in
from turnwright.content.source import PackSource

COUNTS = {
    "monsters": 334,
    "spells": 319,
    "weapons": 37,
    "armor": 13,
    "gear": 187,
    "magic_items": 362,
    "races": 9,
    "classes": 12,
    "backgrounds": 1,
}
TIERS = {
    "monsters": {"full": 294, "partly": 40},
    "spells": {"full": 229, "partly": 50, "reference": 40},
    "weapons": {"full": 37},
    "armor": {"full": 13},
    "magic_items": {"full": 70, "partly": 160, "reference": 132},
}
XP = {0: (0, 10), 0.125: (25,), 0.25: (50,), 0.5: (100,), 1: (200,), 2: (450,), 3: (700,), 4: (1100,), 5: (1800,)}
XP |= {8: (3900,), 10: (5900,), 17: (18000,), 20: (25000,), 24: (62000,), 30: (155000,)}
FIGURES: list[tuple[str, str, str, Any]] = [
    ("monsters", "goblin", "ac.value", 15),
    ("monsters", "goblin", "hp", {"average": 7, "dice": "2d6"}),
    ("monsters", "goblin", "skills.stealth", 6),
    ("monsters", "goblin", "actions.0.attack.to_hit", 4),
    ("monsters", "adult-black-dragon", "hp.average", 195),
    ("monsters", "adult-black-dragon", "actions.4.save", {"ability": "dex", "dc": 18, "success": "half"}),
    ("monsters", "adult-black-dragon", "actions.4.damage.0.dice", "12d8"),
    ("monsters", "adult-black-dragon", "actions.4.recharge.min", 5),
    ("monsters", "tarrasque", "cr", 30),
    ("monsters", "tarrasque", "hp.average", 676),
    ("monsters", "lich", "traits.2.spellcasting.slots.9", 1),
    ("monsters", "commoner", "hp.average", 4),
    ("monsters", "ogre", "actions.0.damage.0", {"dice": "2d8", "bonus": 4, "average": 13, "type": "bludgeoning"}),
    ("monsters", "troll", "ac.value", 15),
    ("spells", "fireball", "damage.0.dice", "8d6"),
    ("spells", "fireball", "damage.0.by_slot.9", "14d6"),
    ("spells", "fireball", "area", {"shape": "sphere", "size": 20}),
    ("spells", "magic-missile", "figures.darts", {"base": 3, "per_slot": 1}),
    ("spells", "cure-wounds", "heal.dice", "1d8"),
    ("spells", "fire-bolt", "damage.0.by_level.17", "4d10"),
    ("spells", "bless", "concentration", True),
    ("spells", "shield", "casting_time.unit", "reaction"),
    ("weapons", "longsword", "damage", {"dice": "1d8", "type": "slashing"}),
    ("weapons", "longsword", "versatile", "1d10"),
    ("weapons", "longbow", "range", [150, 600]),
    ("weapons", "greatsword", "damage.dice", "2d6"),
    ("armor", "plate-armor", "ac", {"base": 18, "dex": 0}),
    ("armor", "plate-armor", "str_minimum", 15),
    ("armor", "studded-leather-armor", "ac", {"base": 12, "dex": "full"}),
    ("armor", "breastplate", "ac", {"base": 14, "dex": 2}),
    ("armor", "shield", "ac_bonus", 2),
    ("gear", "rope-hempen-50-feet", "weight", 10),
    ("magic_items", "potion-of-healing-common", "heal", {"dice": "2d4", "bonus": 2}),
    ("magic_items", "weapon-2", "bonus", {"attack": 2, "damage": 2}),
    ("races", "dwarf", "speed", 25),
    ("races", "elf", "ability_bonuses", {"dex": 2}),
    ("classes", "wizard", "hit_die", 6),
    ("classes", "barbarian", "levels.0.columns.rage_count", 2),
    ("classes", "cleric", "levels.4.slots", {"1": 4, "2": 3, "3": 2}),
    ("backgrounds", "acolyte", "gold", 15),
]


@cache
def source() -> PackSource:
    return checked(read_folder(SRD), PackRegistry())


def entries() -> Iterator[tuple[str, dict[str, Any]]]:
    for kind, found in source().entries.items():
        for value in found.values():
            yield kind, value


def at(value: Any, path: str) -> Any:
    for step in path.split("."):
        value = value[int(step)] if isinstance(value, list) else value[step]
    return value


def nodes(value: Any) -> Iterator[Any]:
    yield value
    for child in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from nodes(child)


def test_it_holds_every_entry_and_nothing_is_wrong_with_it() -> None:
    assert source().problems == []
    assert {kind: len(found) for kind, found in source().entries.items()} == COUNTS


def test_its_tiers_are_those_that_the_documentation_counts() -> None:
    for kind, counts in TIERS.items():
        assert Counter(value["tier"] for each, value in entries() if each == kind) == counts
    assert all(value["missing"] for _, value in entries() if value["tier"] == "partly")


def test_it_holds_the_figures_of_the_book() -> None:
    found = {(kind, entry, path): at(source().entries[kind][entry], path) for kind, entry, path, _ in FIGURES}
    assert found == {(kind, entry, path): value for kind, entry, path, value in FIGURES}


def test_averages_are_those_of_the_dice() -> None:
    checked_ones = 0
    for _, value in entries():
        for node in nodes(value):
            if isinstance(node, dict) and {"average", "dice"} <= node.keys():
                count, sides = map(int, node["dice"].split("d"))
                due = count * (sides + 1) // 2 + node.get("bonus", 0)
                assert node["average"] in (due, max(due, 0), max(due, 1)), (value["id"], node)
                checked_ones += 1
    assert checked_ones > 1000


def test_experience_is_that_of_the_rating() -> None:
    rated = [value for kind, value in entries() if kind == "monsters" and value["cr"] in XP]
    assert len(rated) > 250
    assert [value["id"] for value in rated if value["xp"] not in XP[value["cr"]]] == []


def test_it_holds_no_prose() -> None:
    texts = [(value["id"], node) for _, value in entries() for node in nodes(value) if isinstance(node, str)]
    assert [pair for pair in texts if len(pair[1]) > 64 or len(pair[1].split()) > 11 or pair[1].endswith(".")] == []
    assert [value["id"] for _, value in entries() if "description" in value] == []


def test_its_files_are_spelled_as_the_schema_has_it() -> None:
    for kind, found in source().entries.items():
        lines = [json.dumps(found[name], ensure_ascii=False, separators=(",", ":")) for name in sorted(found)]
        assert (SRD / f"{kind}.jsonl").read_text(encoding="utf-8") == "".join(f"{line}\n" for line in lines)


def test_the_compiled_pack_is_that_of_its_files() -> None:
    pack = source().loaded()
    compiled = COMPILED_FOLDER / "srd-5.1.pack"
    assert compiled.is_file(), "there is no compiled pack: run `make setup`"
    assert compiled.read_bytes() == compile_pack(pack.manifest, pack.entries), "it is stale: run `make generate`"


def test_the_compiled_pack_gives_every_entry_as_it_was_written() -> None:
    pack = built_in("srd-5.1")
    assert pack.sha256 == source().loaded().sha256
    assert len(pack.rows()) == sum(COUNTS.values())
    for kind, value in entries():
        found = pack.entry(kind, value["id"])
        assert found is not None
        assert found.value == value


@pytest.mark.parametrize("pack_id", BUILT_IN_PACKS)
def test_it_says_what_its_license_asks_for(pack_id: str) -> None:
    manifest = built_in(pack_id).manifest
    quoted = (SRD / "NOTICE.md").read_text(encoding="utf-8").split("\n")
    notice = " ".join(line.removeprefix(">").strip() for line in quoted if line.startswith(">"))
    assert re.sub(r"\s+", " ", manifest.attribution) == re.sub(r"\s+", " ", notice).strip()
    assert manifest.license == "CC-BY-4.0"
    assert "CC-BY-4.0" in (ROOT / "content" / "srd-5.1" / "NOTICE.md").read_text(encoding="utf-8")
