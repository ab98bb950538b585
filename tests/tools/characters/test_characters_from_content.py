"""Characters made from content: every race and class gives a legal sheet, and what a call gives stays."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.builders import Json, clock
from tests.sampling import some

from turnwright import Campaign
from turnwright.content.registry import built_in
from turnwright.model.fuzzy_words import match

PACK = built_in("srd-5.1")
RACES = [row.id for row in PACK.rows() if row.kind == "races"]
CLASSES = [row.id for row in PACK.rows() if row.kind == "classes"]
SPELLS = {row.name: row for row in PACK.rows() if row.kind == "spells"}


@pytest.fixture(name="campaign")
def fixture_campaign(tmp_path: Path) -> Iterator[Campaign]:
    with Campaign.new(tmp_path / "c", template="toolkit", seed="heroes", clock=clock) as campaign:
        yield campaign


def made(campaign: Campaign, **args: Any) -> Json:
    call = {"id": "a", "tool": "create_character", "args": {"name": "Greta", **args}}
    reply = campaign.process({"tool_calls": [call]})
    assert reply["status"] == "applied", reply["tool_feedback"]
    action: Json = dict(reply["applied_actions"][0])
    return action


@pytest.mark.parametrize("class_id", CLASSES)
def test_every_class_gives_a_sheet_as_its_entry_says(campaign: Campaign, class_id: str) -> None:
    entry = PACK.entry("classes", class_id)
    assert entry is not None
    races = some(RACES, 3)
    for race_id, level in zip(races, (1, 5, 20), strict=True):
        result = made(campaign, race=race_id, **{"class": class_id}, level=level)["result"]
        character, sheet = result["character"], result["character"]["sheet"]
        assert character["hit_die"] == entry.value["hit_die"]
        assert character["max_hp"] == character["hp"] >= level
        row = entry.value["levels"][level - 1]
        slots = {key: count for key, count in row.get("slots", {}).items() if count}
        pools = {key: pool["max"] for key, pool in (character["spell_slots"] or {}).items()}
        pact = character["pact_slots"]
        assert (pools or ({str(pact["slot_level"]): pact["max"]} if pact else {})) == slots
        known = [*sheet.get("known_spells", ()), *sheet.get("prepared_spells", ())]
        assert all(1 <= SPELLS[name].facets["level"] <= max(map(int, slots)) for name in known)
        assert all(SPELLS[name].facets["level"] == 0 for name in sheet.get("cantrips", ()))
        if row.get("spells_known") is not None:
            assert len(sheet["known_spells"]) == row["spells_known"]
        assert len(set(sheet["skill_proficiencies"])) == len(sheet["skill_proficiencies"])
        assert set(sheet.get("skill_expertise", ())) <= set(sheet["skill_proficiencies"])
        held = {item["id"] for item in character["inventory"]}
        assert held >= set(character["equipped"].values()) > set()
        race = PACK.entry("races", race_id)
        assert race is not None
        assert sheet["size"] == race.value["size"]


def test_a_race_by_part_of_it_is_that_part(campaign: Campaign) -> None:
    dwarf = made(campaign, race="hill dwarf", **{"class": "Fighter"}, level=2)["result"]["character"]
    sheet = dwarf["sheet"]
    assert (sheet["race"], sheet["speed"], sheet["senses"], sheet["resistances"]) == (
        "Hill Dwarf",
        25,
        {"darkvision": 60},
        ["poison"],
    )
    modifier = (sheet["stats"]["con"] - 10) // 2
    assert dwarf["max_hp"] == 10 + 6 + 2 * modifier + 2
    dragon = made(campaign, race="Red Dragonborn")["result"]["character"]["sheet"]
    assert dragon["resistances"] == ["fire"]
    assert [trait["id"] for trait in dragon["traits"]][-1] == "draconic-ancestry-red"


def test_a_level_brings_the_hit_points_of_traits(campaign: Campaign) -> None:
    dwarf = made(campaign, race="Hill Dwarf", **{"class": "Fighter"})["result"]
    call = {"id": "a", "tool": "level_up", "args": {"character_id": dwarf["character_id"], "hp_method": "average"}}
    result = campaign.process({"tool_calls": [call]})["applied_actions"][0]["result"]
    assert result["hp_gain"] == 6 + dwarf["character"]["ability_modifiers"]["con"] + 1


def test_figures_that_are_given_stay_and_are_told_as_overrides(campaign: Campaign) -> None:
    action = made(campaign, race="Dwarf", **{"class": "Wizard"}, speed=30, stats={"str": 17, "int": 9}, max_hp=40)
    sheet = action["result"]["character"]["sheet"]
    assert (sheet["speed"], sheet["stats"]["str"], sheet["stats"]["int"]) == (30, 17, 9)
    assert [(row["field"], row["from"], row["to"], row["how"]) for row in action["corrections"]] == [
        ("args.speed", 25, 30, "override"),
        ("args.max_hp", 10, 40, "override"),
    ]


def test_words_that_name_nothing_mean_what_they_meant(tmp_path: Path) -> None:
    """In a campaign with content and in one without, byte for byte."""
    args: Json = {"name": "Bo", "race": "Frogfolk", "class": "Cook", "level": 3, "stats": {"con": 14}}
    results = []
    for name, content in (("with", ["srd-5.1"]), ("without", None)):
        with Campaign.new(tmp_path / name, template="toolkit", seed="x", clock=clock) as campaign:
            if content is None:
                path = tmp_path / name / "campaign.json"
                path.write_text(
                    path.read_text()
                    .replace('"content": [\n    "srd-5.1"\n  ],\n', "")
                    .replace(',\n  "content": [\n    "srd-5.1"\n  ]', "")
                )
            reply = campaign.process({"tool_calls": [{"id": "a", "tool": "create_character", "args": args}]})
            assert ("content" in campaign.state["campaign.json"]) == (content is not None)
            results.append(reply["applied_actions"])
    assert results[0] == results[1]
    assert "built" not in results[0][0]["result"]


def test_near_misses_are_words_and_not_entries(campaign: Campaign) -> None:
    result = made(campaign, race="Elfs", **{"class": "Warloard"})["result"]
    assert "built" not in result
    assert result["character"]["sheet"]["class"] == "Warloard"


def test_every_weapon_by_name_says_how_it_is_used() -> None:
    """`weapon_type: longsword` is what players and models write."""
    for row in PACK.rows():
        if row.kind == "weapons":
            found = PACK.entry("weapons", row.id)
            assert found is not None
            last, _, first = row.name.partition(", ")
            meant = match("weapon_type", f"{first} {last}".strip()).word
            is_shot = "ammunition" in found.value.get("properties", ())
            assert (meant == "ranged") == is_shot
            assert (meant == "melee_finesse") <= ("finesse" in found.value.get("properties", ()))
