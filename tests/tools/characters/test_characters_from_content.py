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


def raised(campaign: Campaign, who: str, **args: Any) -> Json:
    call = {"id": "a", "tool": "level_up", "args": {"character_id": who, **args}}
    reply = campaign.process({"tool_calls": [call]})
    assert reply["status"] == "applied", reply["tool_feedback"]
    action: Json = dict(reply["applied_actions"][0])
    return action


def character_of(campaign: Campaign, who: str) -> Json:
    call = {"id": "a", "tool": "get_character", "args": {"character_id": who}}
    reply = campaign.process({"tool_calls": [call]})
    found: Json = reply["applied_actions"][0]["result"]["character"]
    return found


@pytest.mark.parametrize("class_id", CLASSES)
def test_who_rises_level_by_level_has_what_one_made_at_that_level_has(campaign: Campaign, class_id: str) -> None:
    scores = {"str": 14, "dex": 14, "con": 14, "int": 12, "wis": 14, "cha": 14}
    told = {"race": "human", "class": class_id, "stats": scores, "equipment": []}
    who = made(campaign, **told)["result"]["character_id"]
    for level in range(2, 21):
        rose = raised(campaign, who)
        assert list(next(campaign.records(last=1))["packs"]) == ["srd-5.1"]
        if rose["result"]["new_level"] in (3, 11, 20):
            other = made(campaign, level=level, **told)["result"]["character_id"]
            one, two = (character_of(campaign, each) for each in (who, other))
            for key in ("max_hp", "hit_dice", "spell_slots", "pact_slots", "resource"):
                assert one.get(key) == two.get(key), (level, key)
            for key in ("features", "subclass", "speed", "ac", "stats", "proficiencies"):
                assert one["sheet"].get(key) == two["sheet"].get(key), (level, key)


def test_a_level_raises_scores_and_hit_points_with_constitution(campaign: Campaign) -> None:
    scores = {"str": 15, "dex": 13, "con": 15, "int": 8, "wis": 12, "cha": 10}
    who = made(campaign, race="human", **{"class": "Fighter"}, level=3, stats=scores)["result"]["character_id"]
    before = character_of(campaign, who)["max_hp"]
    result = raised(campaign, who, ability_increase=["con", "str"])["result"]
    assert result["ability_increase"] == ["con", "str"]
    assert "undecided" not in result
    assert result["hp_gain"] == 6 + 3 + 3  # a d10 with Constitution 16, and 1 for each level before
    after = character_of(campaign, who)
    assert (after["max_hp"], after["sheet"]["stats"]["con"], after["sheet"]["stats"]["str"]) == (before + 12, 16, 16)


def test_a_level_names_what_is_still_to_choose(campaign: Campaign) -> None:
    wizard = made(campaign, race="elf", **{"class": "Wizard"}, level=3)["result"]["character_id"]
    assert raised(campaign, wizard)["result"]["undecided"] == [
        "Ability Score Improvement",
        "1 cantrip",
        "2 spells for the spellbook",
    ]
    assert "undecided" not in raised(campaign, wizard, new_spells=["Fireball", "Fly"])["result"]


@pytest.mark.parametrize(
    ("level", "increase", "why"),
    [
        (2, ["str"], "level 3 of Fighter raises no ability score"),
        (3, ["str", "str", "con"], "level 4 of Fighter raises scores by 2 in all"),
        (3, ["dex", "dex"], "dex is 19, and 20 is the most"),
    ],
)
def test_a_level_raises_scores_no_further_than_the_rules(
    campaign: Campaign, level: int, increase: list[str], why: str
) -> None:
    told = {"race": "human", "class": "Fighter", "stats": {"str": 10, "dex": 19, "con": 10}, "level": level}
    who = made(campaign, **told)["result"]["character_id"]
    args = {"character_id": who, "ability_increase": increase}
    reply = campaign.process({"tool_calls": [{"id": "a", "tool": "level_up", "args": args}]})
    (failed,) = reply["tool_feedback"]["failed_calls"]
    assert failed["reason"] == "rule_violation"
    assert failed["detail"] == f"args.ability_increase: {why}"


def test_a_class_of_no_entry_gains_what_the_call_names(campaign: Campaign) -> None:
    who = made(campaign, race="human", **{"class": "Cook"})["result"]["character_id"]
    rose = raised(campaign, who, new_features=["Sharp Knives"])
    assert rose["result"]["new_features"] == ["Sharp Knives"]
    assert "undecided" not in rose["result"]
    assert "packs" not in next(campaign.records(last=1))


def test_a_new_class_gives_features_and_its_proficiencies(campaign: Campaign) -> None:
    scores = {"str": 13, "dex": 13, "con": 12, "int": 10, "wis": 10, "cha": 10}
    who = made(campaign, race="human", **{"class": "Wizard"}, stats={**scores, "int": 13})["result"]["character_id"]
    result = raised(campaign, who, **{"class": "Fighter"})["result"]
    assert result["new_features"] == ["Fighting Style", "Second Wind"]
    assert result["undecided"] == ["Fighting Style"]
    assert {"light-armor", "martial-weapons"} <= set(character_of(campaign, who)["sheet"]["proficiencies"])
