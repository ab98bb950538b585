"""What goes out comes in again: our own sheets to the byte, Foundry's with all that was taken."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import clock
from tests.imports.heroes import HEROES
from tests.imports.shapes import actor, armor, effect, weapon
from tests.imports.test_formats import BRUNI, CSV, hero_actor

from turnwright import Campaign
from turnwright.model.errors import BadRequest

Json = dict[str, Any]


@pytest.fixture
def campaign(tmp_path: Path) -> Iterator[Campaign]:
    with Campaign.new(tmp_path / "game", template="toolkit", seed="1", clock=clock) as opened:
        yield opened


def without_place(document: Json, **changes: Any) -> Json:
    """Return a document without its place in the campaign."""
    kept = {key: value for key, value in document.items() if key not in ("position", "location", "faction")}
    return kept | changes


def rich_actor() -> Json:
    """Return an actor with something of everything that is taken."""
    goods = [
        weapon("Longsword", "1d8", "slashing", "ver", magic=1),
        weapon("Javelin", "1d6", "piercing", "thr", normal=30, long=120),
        armor("Chain Shirt of Hiding", "medium", 13),
    ]
    goods[-1].figures["properties"].extend(["stealthDisadvantage", "mgc"])
    feats = [("Tough", [effect("Tough", "system.attributes.hp.bonuses.level", "2")])]
    value = actor(
        "Mira Vale",
        (16, 12, 14, 10, 13, 8),
        "Ranger",
        race="Half-Elf",
        level=5,
        hp=11,
        goods=goods,
        die="d10",
        saves=("str", "dex"),
        skills=("ste", "prc"),
        slots={1: 3, 2: 2},
        caster=("half", "wis"),
        spells=[("Hunter's Mark", 1, True), ("Light", 0, False)],
        feats=feats,
        gains={"1": "max", "2": 4, "3": 9, "4": "avg", "5": "avg"},
        darkvision=60,
    )
    system = value["system"]
    system["skills"]["ste"]["value"] = 2
    system["attributes"]["exhaustion"] = 2
    system["attributes"]["hp"]["temp"] = 4
    system["traits"]["dr"]["value"] = ["fire", "custom"]
    system["traits"]["ci"] = {"value": ["charmed"]}
    value["items"][0]["system"]["hitDiceUsed"] = 2
    pack = {"_id": "pack000000000000", "name": "Backpack", "type": "container", "system": {"quantity": 1}}
    rope = {"container": "pack000000000000", "quantity": 2, "uses": {"max": "3", "spent": 1}, "rarity": "common"}
    value["items"] += [pack, {"_id": "rope000000000000", "name": "Rope", "type": "loot", "system": rope}]
    slow = effect("Slow", "system.attributes.movement.walk", "-10") | {"statuses": ["poisoned"]}
    slow["changes"].append({"key": "system.traits.dr.value", "mode": 2, "value": "cold"})
    slow["changes"].append({"key": "system.traits.ci.value", "mode": 2, "value": "charmed"})
    slow["changes"].append({"key": "system.abilities.str.value", "mode": 2, "value": "2"})
    value["effects"] = [slow]
    return value


EVERYTHING = [
    *((f"{hero.name}.json", json.dumps(hero_actor(hero)).encode()) for hero in HEROES),
    ("mira.json", json.dumps(rich_actor()).encode()),
    ("bruni.json", json.dumps(BRUNI).encode()),
    ("pip.csv", CSV.replace(" & ", " and ").encode()),
    ("down.yaml", b"{name: Down, class: Rogue, hp: 0, conditions: [blinded], exhaustion: 1}"),
    ("fw.yaml", b"{name: Fw, class: Fighter 5 / Wizard 3, slots: {1: 1}, spells: [Shield], subclass: Champion}"),
    ("rw.yaml", b"{name: Rw, class: Rogue 3 / Warlock 2, hit_dice: 2, cantrips: [Light]}"),
    ("spent.yaml", b"{name: Spent, class: Rogue 3 / Wizard 2, hit_dice: 1}"),
    ("claims.yaml", b"{name: Claims, class: Rogue, level: 3, features: [Wizard 9, Rogue 2]}"),
    ("own.yaml", b"{name: Own, class: Bard 2 / Rogue 3, race: Elf, cantrips: [Light], spells: [Bane; Bless]}"),
]


@pytest.mark.parametrize(("name", "data"), EVERYTHING, ids=[name for name, _ in EVERYTHING])
def test_out_and_in_again(campaign: Campaign, tmp_path: Path, name: str, data: bytes) -> None:
    (report,) = campaign.import_characters(data, name)["imported"]
    own_id = report["character_id"]
    path = f"characters/{own_id}.json"
    document, sheet = campaign.state[path], campaign.export_character(own_id)

    campaign.import_characters(sheet, "own.json", replace=True)

    assert campaign.state[path] == document
    assert campaign.export_character(own_id) == sheet

    with Campaign.new(tmp_path / "other", template="toolkit", seed="2", clock=clock) as other:
        other.import_characters(sheet, "own.json")
        assert other.export_character(own_id) == sheet
        assert other.state[path] == document

    exported = campaign.export_character(own_id, "foundry")
    (again,) = campaign.import_characters(exported, "foundry.json", as_id="again")["imported"]

    assert without_place(campaign.state["characters/again.json"], id=own_id) == without_place(document)
    assert again["derived"] == report["derived"]


def test_the_same_sheet_gives_the_same_files(campaign: Campaign) -> None:
    campaign.import_characters(EVERYTHING[-1][1], "own.yaml")

    for form in ("sheet", "foundry", "csv"):
        assert campaign.export_character("own", form) == campaign.export_character("Own", form)


def test_a_sheet_takes_nothing_of_strangers_along(campaign: Campaign, tmp_path: Path) -> None:
    document = {
        "id": "mira",
        "position": "area_009",
        "hp": 5,
        "max_hp": 5,
        "conditions": [
            {"condition": "charmed", "source": "witch", "duration": "concentration"},
            {"condition": "prone"},
        ],
        "effects": [{"effect_id": "e", "name": "Bless", "source": "priest", "duration": "concentration"}],
        "concentration": {"spell_name": "Bane", "targets": ["goblin-1"], "encounter_id": "encounter-1"},
    }
    data = json.dumps({"turnwright_character": 1, "character": document}).encode()

    (report,) = campaign.import_characters(data, "mira.json")["imported"]

    after = campaign.state["characters/mira.json"]
    assert (after["position"], after["conditions"], after["concentration"]) == (
        None,
        [{"condition": "prone"}],
        {"spell_name": "Bane"},
    )
    assert "effects" not in after
    dropped = {field["path"]: field["why"] for field in report["fields"] if field["how"] == "dropped"}
    assert sorted(dropped) == [
        "$.character.concentration.encounter_id",
        "$.character.concentration.targets",
        "$.character.conditions[0]",
        "$.character.effects[0]",
        "$.character.position",
    ]


def test_somebody_without_a_sheet_leaves_as_a_sheet_alone(tmp_path: Path) -> None:
    with Campaign.new(tmp_path / "plain", seed="1", clock=clock) as campaign:
        (own,) = [path for path in campaign.state if path.startswith("characters/")]
        name = campaign.state[own]["id"]

        data = campaign.export_character(name)
        campaign.import_characters(data, "own.json", replace=True)

        assert campaign.export_character(name) == data
        for form in ("foundry", "csv"):
            with pytest.raises(BadRequest, match="has no sheet"):
                campaign.export_character(name, form)
        with pytest.raises(BadRequest, match="has no sheet"):
            campaign.character_page(name)


def test_cells_are_no_formulas_and_are_read_as_they_were(campaign: Campaign) -> None:
    text = '{name: "=cmd()", class: Rogue, race: "@SUM(1)", features: ["+1"], background: "-x"}'
    campaign.import_characters(text.encode(), "x.yaml", as_id="x")

    data = campaign.export_character("x", "csv")

    assert b"'=cmd(),pc,'@SUM(1),Rogue,1,'-x," in data
    campaign.import_characters(data, "x.csv", as_id="y")
    for key in ("name",):
        assert campaign.state["characters/y.json"][key] == campaign.state["characters/x.json"][key]
    assert campaign.state["characters/y.json"]["sheet"]["features"] == ["+1"]


@given(
    level=st.integers(1, 20),
    hp=st.integers(0, 300),
    scores=st.lists(st.integers(1, 30), min_size=6, max_size=6),
    of_class=st.sampled_from(["Fighter", "Wizard", "Warlock", "Monk", "Sage", "Paladin"]),
    name=st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=30).filter(str.strip),
)
def test_any_character_comes_back(
    tmp_path_factory: pytest.TempPathFactory, level: int, hp: int, scores: list[int], of_class: str, name: str
) -> None:
    value = actor(name, scores, of_class, race="Elf", level=level, hp=hp, die="d8", gains={"1": "max"})
    value["system"]["attributes"]["hp"]["max"] = max(1, hp)
    with Campaign.new(tmp_path_factory.mktemp("any") / "game", template="toolkit", seed="1", clock=clock) as campaign:
        campaign.import_characters(json.dumps(value).encode(), "x.json", as_id="x")
        sheet = campaign.export_character("x")
        campaign.import_characters(sheet, "x.json", replace=True)
        assert campaign.export_character("x") == sheet
        campaign.import_characters(campaign.export_character("x", "foundry"), "x.json", as_id="y")
        first, second = (campaign.state[f"characters/{each}.json"] for each in "xy")
        assert without_place(second, id="x") == without_place(first)
