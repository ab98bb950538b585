"""Monsters by name in create_encounter: every figure is one of the entry's, and nothing is made up."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.builders import Json, clock
from tests.content.packs import RAT
from tests.sampling import some

from turnwright import Campaign, Viewer
from turnwright.audit.check import check_directory
from turnwright.audit.verify import verify
from turnwright.content.registry import built_in
from turnwright.rulesets.fifth_edition.sheets.skills import ability_modifier

TOOL = "create_encounter"
HERO: Json = {"name": "Mira", "class": "Fighter", "level": 3}
ME: list[Json] = [{"character_id": "character-1"}]


@pytest.fixture(name="place")
def fixture_place(tmp_path: Path) -> Path:
    with Campaign.new(tmp_path / "c", template="toolkit", seed="monsters", clock=clock) as campaign:
        call(campaign, "create_character", HERO)
    return tmp_path / "c"


@pytest.fixture(name="campaign")
def fixture_campaign(place: Path) -> Iterator[Campaign]:
    with Campaign.open(place, clock=clock) as campaign:
        yield campaign


def call(campaign: Campaign, tool: str, args: Json, dice: tuple[int, ...] = ()) -> Json:
    reply = campaign.process({"tool_calls": [{"id": "a", "tool": tool, "args": args}]}, dice=list(dice))
    assert reply["status"] == "applied", reply["tool_feedback"]
    action: Json = reply["applied_actions"][0]
    return action


def fight(campaign: Campaign, number: int = 1) -> Json:
    found: Json = campaign.state[f"encounters/encounter-{number}.json"]
    return found


def begun(campaign: Campaign, *monsters: Json, dice: tuple[int, ...] = (), **args: Any) -> Json:
    return call(campaign, TOOL, {"participants": ME, "monsters": list(monsters), **args}, dice)


def by_id(encounter: Json) -> dict[str, Json]:
    return {person["id"]: person for person in encounter["participants"]}


def _is_of(strike: Json, entry: Mapping[str, Any]) -> bool:
    """Return whether a usual attack is one of the entry's, figure by figure."""
    for action in entry.get("actions", ()):
        attack = action.get("attack")
        for part in action.get("damage", ()) if isinstance(attack, dict) else ():
            bonus = part.get("bonus", 0)
            dice = str(part["flat"]) if "flat" in part else part["dice"] + (f"{bonus:+d}" if bonus else "")
            if (strike["attack_bonus"], strike["damage"], strike["damage_type"], strike["reach"]) == (
                *(attack["to_hit"], dice, part["type"]),
                attack.get("reach", 5),
            ):
                return True
    return False


def test_every_monster_joins_with_the_figures_of_its_entry(campaign: Campaign) -> None:
    pack = built_in("srd-5.1")
    names = [row.id for row in pack.rows() if row.kind == "monsters"]
    chosen = some(names, 80)
    struck = 0
    for number, first in enumerate(range(0, len(chosen), 20), start=1):
        group = chosen[first : first + 20]
        monsters = [{"monster": f"monsters/{name}"} for name in group]
        result = begun(campaign, *monsters, terrain={"width": 100, "height": 100})["result"]
        assert [row["monster"] for row in result["monsters"]] == group
        people = by_id(fight(campaign, number))
        for row in result["monsters"]:
            found = pack.entry("monsters", row["monster"])
            assert found is not None
            entry, person = found.value, people[row["ids"][0]]
            body, sheet = person["body"], person["body"]["sheet"]
            assert (body["hp"], body["max_hp"], sheet["ac"]) == (*[entry["hp"]["average"]] * 2, entry["ac"]["value"])
            assert (sheet["stats"], sheet.get("size", "medium")) == (entry["stats"], entry["size"])
            assert person.get("initiative_bonus", 0) == ability_modifier(entry["stats"]["dex"])
            assert person.get("save_bonuses", {}) == entry.get("saves", {})
            assert set(sheet.get("immunities", ())) <= {each["type"] for each in entry.get("immunities", ())}
            assert row["tier"] == entry["tier"]
            if row["attacks_with"] is None:
                assert "strike" not in person
            else:
                struck += 1
                assert _is_of(person["strike"], entry), row
            assert fight(campaign, number)["stat_blocks"][row["monster"]] == entry
        call(campaign, "end_encounter", {"encounter_id": f"encounter-{number}", "outcome": "other"})
    assert struck > len(chosen) / 2


def test_several_of_a_kind_are_numbered_and_nobody_is_called_twice(campaign: Campaign) -> None:
    call(campaign, "create_character", {"name": "Goblin 2", "class": "Rogue", "level": 1})
    result = begun(campaign, {"monster": "goblins", "count": 2}, {"monster": "wolf"}, {"monster": "goblin"})["result"]
    ids = [name for row in result["monsters"] for name in row["ids"]]
    assert ids == ["goblin-1", "goblin-3", "wolf", "goblin-4"]
    assert by_id(fight(campaign))["goblin-3"]["name"] == "Goblin 3"


def test_names_of_their_own(campaign: Campaign) -> None:
    people = begun(campaign, {"monster": "orc", "name": "Skreek", "count": 2})["result"]["monsters"]
    assert people[0]["ids"] == ["skreek-1", "skreek-2"]
    assert by_id(fight(campaign))["skreek-1"]["name"] == "Skreek 1"


def test_what_a_call_overrides_is_told(campaign: Campaign) -> None:
    action = begun(campaign, {"monster": "ogre", "ac": 13, "max_hp": 40, "positions": [{"x": 9, "y": 9}]})
    assert action["corrections"] == [
        {"field": "args.monsters.0.ac", "from": 11, "to": 13, "how": "override"},
        {"field": "args.monsters.0.max_hp", "from": 59, "to": 40, "how": "override"},
    ]
    ogre = by_id(fight(campaign))["ogre"]
    assert (ogre["body"]["hp"], ogre["body"]["sheet"]["ac"]) == (40, 13)
    same = call(
        campaign,
        "manage_encounter",
        {"operation": "create", "participants": [_stranger()], "monsters": [{"monster": "ogre", "ac": 11}]},
    )
    assert [each["how"] for each in same["corrections"]] == ["placed"]


def _stranger() -> Json:
    return {"id": "x", "name": "X", "hp": 1, "max_hp": 1, "position": {"x": 0, "y": 0}}


def test_hit_points_are_rolled_for_each(campaign: Campaign) -> None:
    action = begun(campaign, {"monster": "goblin", "count": 2, "hp": "roll"}, dice=(1, 2, 6, 5, 10, 11, 12))
    people = by_id(fight(campaign))
    assert [people[name]["body"]["max_hp"] for name in ("goblin-1", "goblin-2")] == [3, 11]
    assert [row["natural"] for row in action["result"]["order"]] == [12, 11, 10]
    (record,) = (record for record in campaign.records(after=1) if record["kind"] == "turn")
    assert [draw["why"] for draw in record["draws"]][:3] == ["goblin-1 hit points"] * 2 + ["goblin-2 hit points"]


def test_hit_points_are_never_below_one(campaign: Campaign) -> None:
    begun(campaign, {"monster": "rat", "hp": "roll"}, dice=(1, 10, 10))
    assert by_id(fight(campaign))["rat"]["body"]["max_hp"] == 1


def test_the_table_is_not_asked_for_the_hit_points_of_foes(campaign: Campaign) -> None:
    campaign.set({"dice.source": "table"})
    turn = {
        "tool_calls": [
            {"id": "a", "tool": TOOL, "args": {"participants": ME, "monsters": [{"monster": "rat", "hp": "roll"}]}}
        ]
    }
    reply = campaign.process(turn)
    assert reply["status"] == "waiting"
    assert [die["why"] for die in reply["request"]["dice"]] == ["character-1 initiative"]


def test_monsters_are_placed_apart_on_free_squares(campaign: Campaign) -> None:
    walls = [f"{x},{y}" for x in range(4, 9) for y in range(4)]
    action = begun(campaign, {"monster": "wolf", "count": 3}, {"monster": "ogre"}, terrain={"obstacles": walls})
    placed = {each["from"]: each["to"] for each in action["corrections"]}
    assert set(placed) == {"wolf-1", "wolf-2", "wolf-3", "ogre"}
    me = by_id(fight(campaign))["character-1"]["position"]
    for square in placed.values():
        assert max(abs(square["x"] - me["x"]), abs(square["y"] - me["y"])) in (6, 7)
        assert f"{square['x']},{square['y']}" not in walls
    assert len({(each["x"], each["y"]) for each in placed.values()}) == 4


def test_a_monster_without_a_plain_attack_gets_none_made_up(campaign: Campaign) -> None:
    row = begun(campaign, {"monster": "shrieker"})["result"]["monsters"][0]
    assert (row["attacks_with"], row["not_executed"]) == (None, ["Shriek: light, speed"])
    assert "strike" not in by_id(fight(campaign))["shrieker"]


def test_what_the_fight_does_not_execute_is_named(campaign: Campaign) -> None:
    rows = begun(campaign, {"monster": "wolf"}, {"monster": "adult black dragon"}, {"monster": "aboleth"})["result"][
        "monsters"
    ]
    assert [row["not_executed"] for row in rows[:2]] == [[], []]
    assert rows[1]["attacks_with"] == "Claw"
    assert {"Bite", "Acid Breath", "Multiattack", "Wing Attack"} <= set(rows[1]["actions"])
    assert [each.split(":")[0] for each in rows[2]["not_executed"]][:2] == ["Tentacle", "Enslave"]


def test_multiattack_of_one_action_is_that_many_attacks(campaign: Campaign) -> None:
    begun(campaign, {"monster": "brown bear"}, {"monster": "gladiator"}, {"monster": "ape"})
    people = by_id(fight(campaign))
    assert [people[name]["strike"]["attacks"] for name in ("brown-bear", "ape")] == [1, 2]


def test_a_fight_goes_on_and_is_read_without_the_pack(place: Path) -> None:
    with Campaign.open(place, clock=clock) as campaign:
        begun(campaign, {"monster": "goblin"})
    value = json.loads((place / "campaign.json").read_bytes())
    (place / "campaign.json").write_text(json.dumps(value | {"content": ["gone"]}))
    with Campaign.open(place, clock=clock) as campaign:
        campaign.process({"tool_calls": [{"id": "a", "tool": "advance_turn", "args": {"encounter_id": "encounter-1"}}]})
        assert fight(campaign)["stat_blocks"]["goblin"]["name"] == "Goblin"
    assert list(verify(place).problems) == []
    assert [found.rule for found in check_directory(place)] == ["unknown_pack"]


def test_records_name_packs_and_own_entries_need_none(place: Path) -> None:
    own = place / "content" / "monsters"
    own.mkdir(parents=True)
    (own / "mill-rat.json").write_text(json.dumps(RAT))
    with Campaign.open(place, clock=clock) as campaign:
        begun(campaign, {"monster": "mill rats", "count": 2})
        call(campaign, "end_encounter", {"encounter_id": "encounter-1", "outcome": "fled"})
        begun(campaign, {"monster": "goblin"})
        turns = [record for record in campaign.records() if record["kind"] == "turn"]
    assert ["packs" in record for record in turns] == [True, False, False, True]


def test_players_see_neither_stat_blocks_nor_overrides(campaign: Campaign) -> None:
    call(campaign, "manage_party", {"operation": "add", "character_id": "character-1"})
    reply = campaign.process(
        {
            "tool_calls": [
                {"id": "a", "tool": TOOL, "args": {"participants": ME, "monsters": [{"monster": "ogre", "ac": 13}]}}
            ]
        }
    )
    for own in (False, True):
        seen = json.dumps(campaign.project(reply, Viewer.player("character-1"), own=own))
        assert "override" not in seen
        assert "not_executed" not in seen
        assert "Greatclub" not in seen


def test_a_stat_block_that_a_fight_lacks_is_a_problem(place: Path) -> None:
    with Campaign.open(place, clock=clock) as campaign:
        begun(campaign, {"monster": "goblin"})
    path = place / "encounters" / "encounter-1.json"
    value = json.loads(path.read_bytes())
    del value["stat_blocks"]
    path.write_text(json.dumps(value))
    assert "unknown_stat_block" in {found.rule for found in check_directory(place)}
