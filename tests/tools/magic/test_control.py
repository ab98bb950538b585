"""Spells that decide what others do: charms that harm ends, orders, confusion, fear, and a dance."""

from __future__ import annotations

from typing import Any

import pytest
from tests.builders import Json
from tests.tools.conftest import HallWith
from tests.tools.hall import Hall, ephemeral, fight, hall_documents, linked, sheeted

CASTER, FRIEND, FOE, FIGHT = "cyra", "brom", "thug", "encounter-1"
CLUB: Json = {
    "id": "club-1",
    "name": "Club",
    "type": "weapon",
    "quantity": 1,
    "weapon_stats": {"damage": "1d4", "damage_type": "bludgeoning"},
}


@pytest.fixture(name="table")
def fixture_table(hall_with: HallWith) -> Hall:
    """Give a fight of a wizard and her friend against a humanoid foe beside them, who holds a club."""
    values = {"campaign.json": hall_documents()["campaign.json"] | {"content": ["srd-5.1"]}}
    values |= sheeted(CASTER, {}, hp=90, max_hp=90)
    values |= sheeted(FRIEND, {}, hp=90, max_hp=90)
    armed = {"inventory": [CLUB], "equipped": {"mainhand": "club-1"}}
    foe = ephemeral(FOE, 3, 6, 200, "enemy", **armed) | {"stat_block": "guard"}
    block = {"guard": {"id": "guard", "name": "Guard", "type": "humanoid", "traits": []}}
    return hall_with(values, fight(linked(CASTER, 2, 5), linked(FRIEND, 3, 5), foe, stat_blocks=block))


def cast(table: Hall, spell: str, *dice: int, **more: Any) -> Json:
    args: Json = {"caster_id": CASTER, "spell": spell, "ignore_economy": True, "target_ids": [FOE]}
    return table.do("cast_spell", dice, **args | more)


def advance(table: Hall, *dice: int) -> Json:
    return table.do("advance_turn", dice, encounter_id=FIGHT)


def person(table: Hall, who: str) -> Json:
    return next(each for each in table.encounter()["participants"] if each["id"] == who)


def body(table: Hall, who: str) -> Json:
    found = person(table, who)
    return dict(found["body"]) if "body" in found else table.person(who)


def conditions(table: Hall, who: str = FOE) -> list[str]:
    return [each["condition"] for each in body(table, who).get("conditions", ())]


def effects(table: Hall, who: str = FOE) -> list[str]:
    return [each["name"] for each in body(table, who).get("effects", ())]


def hurt(table: Hall, by: str, who: str = FOE) -> None:
    hit: Json = {"encounter_id": FIGHT, "actor_id": by, "action_type": "cast_spell", "spell_name": "Spark"}
    hit |= {"target_id": who, "damage_type": "fire", "save_ability": "dex", "save_dc": 99, "ignore_economy": True}
    table.do("execute_action", [1], **hit, damage_expression="1")


@pytest.mark.parametrize("spell", ["charm person", "dominate person", "dominate monster", "modify memory"])
def test_who_fights_the_caster_saves_with_advantage(spell: str, table: Hall) -> None:
    row = cast(table, spell, 2, 3)["targets"][0]
    assert (row["save"]["rolls"], row["save"]["natural"]) == ([2, 3], 3)
    assert "charmed" in conditions(table)
    friendly = cast(table, spell, 1, target_ids=[FRIEND])["targets"][0]
    assert friendly["save"]["rolls"] == [1]


@pytest.mark.parametrize(("spell", "dice"), [("charm person", (2, 3)), ("suggestion", (2,)), ("mass suggestion", (2,))])
def test_a_charm_ends_when_the_caster_or_a_companion_does_harm(spell: str, dice: tuple[int, ...], table: Hall) -> None:
    for by in (CASTER, FRIEND):
        result = cast(table, spell, *dice)
        assert result["played_out"] in (["behavior"], ["command"])
        hurt(table, FOE)
        assert conditions(table) == ["charmed"]
        hurt(table, by)
        assert conditions(table) == []


def test_whom_damage_lets_save_is_free_of_domination(table: Hall) -> None:
    cast(table, "dominate person", 2, 3)
    hit: Json = {"encounter_id": FIGHT, "actor_id": FRIEND, "action_type": "cast_spell", "spell_name": "Spark"}
    hit |= {"target_id": FOE, "damage_type": "fire", "save_ability": "dex", "save_dc": 99, "ignore_economy": True}
    table.do("execute_action", [1, 2], **hit, damage_expression="1")
    assert conditions(table) == ["charmed"]
    table.do("execute_action", [1, 20], **hit, damage_expression="1")
    assert conditions(table) == []


def test_a_beast_that_is_too_clever_makes_no_friend(table: Hall) -> None:
    beast = [{"monster": "ape", "is_enemy": True, "positions": [{"x": 4, "y": 8}]}]
    args = {"operation": "add", "encounter_id": FIGHT, "monsters": beast}
    table.campaign.process({"tool_calls": [{"id": "a", "tool": "manage_encounter", "args": args}]})
    spell = {"caster_id": CASTER, "spell": "animal friendship", "ignore_economy": True}
    told = table.fail("cast_spell", **spell, target_ids=["ape"])
    assert (told["reason"], "Intelligence is above 3" in told["detail"]) == ("rule_violation", True)
    assert table.why("cast_spell", **spell, target_ids=[FOE]) == "rule_violation"


@pytest.mark.parametrize("order", ["approach", "drop", "flee", "grovel", "halt"])
def test_an_order_is_obeyed_in_the_next_turn(order: str, table: Hall) -> None:
    assert table.why("cast_spell", caster_id=CASTER, spell="command", target_ids=[FOE]) == "invalid_args"
    result = cast(table, "command", 2, choice=order)
    assert result["targets"][0]["effect"] == "Command"
    advance(table)
    told = advance(table)
    (row,) = told["lasting"]
    assert (row["target_id"], row["outcome"]) == (FOE, order)
    economy = person(table, FOE)["economy"]
    assert (economy["action"], economy["bonus_action"]) == (True, True)
    assert economy.get("movement", 0) == (0 if order in ("approach", "flee") else 30)
    assert ("prone" in conditions(table)) is (order == "grovel")
    assert row.get("dropped") == (["Club"] if order == "drop" else None)
    advance(table)
    assert effects(table) == []


@pytest.mark.parametrize(
    ("faces", "outcome", "moves"),
    [((1, 3), "wanders", True), ((2,), "stands", False), ((6,), "stands", False), ((9,), "acts", True)],
)
def test_a_die_decides_the_turns_of_the_confused(
    faces: tuple[int, ...], outcome: str, moves: bool, table: Hall
) -> None:
    cast(table, "confusion", 2)
    assert person(table, FOE)["economy"]["reaction"] is True
    advance(table)
    told = advance(table, *faces)
    (row,) = told["lasting"]
    assert (row["natural"], row["outcome"]) == (faces[0], outcome)
    assert row.get("direction") == ("east" if outcome == "wanders" else None)
    economy = person(table, FOE)["economy"]
    assert economy["reaction"] is True
    assert economy.get("action", False) is (outcome != "acts")
    assert (economy.get("movement", 0) == 0) is moves
    assert advance(table, 3)["saves"][0]["success"] is False
    assert effects(table) == ["Confusion"]


def test_the_confused_strike_at_random_and_get_over_it_by_a_save(table: Hall) -> None:
    cast(table, "confusion", 2)
    advance(table)
    (row,) = advance(table, 8, 2)["lasting"]
    assert (row["outcome"], row["at"]) == ("strikes", FRIEND)
    told = advance(table, 20)
    assert told["saves"][0]["success"] is True
    assert [each["name"] for each in told["effects_expired"]] == ["Confusion"]


def test_who_is_compelled_saves_at_the_end_of_each_turn(table: Hall) -> None:
    assert cast(table, "compulsion", 2)["played_out"] == ["movement"]
    advance(table)
    advance(table)
    assert advance(table, 2)["saves"][0]["success"] is False
    assert effects(table) == ["Compulsion"]
    advance(table)
    advance(table)
    advance(table, 20)
    assert effects(table) == []


def test_the_frightened_drop_what_they_hold_and_save_out_of_sight_alone(table: Hall) -> None:
    cast(table, "fear", 2, target_position={"x": 3, "y": 6}, target_ids=[])
    assert conditions(table) == ["frightened"]
    assert "equipped" not in body(table, FOE)
    advance(table)
    advance(table)
    assert advance(table)["saves"] == []
    walls = [f"{x},7" for x in range(20)]
    table.do("modify_terrain", encounter_id=FIGHT, operation="add", terrain_type="obstacle", positions=walls)
    away = {"encounter_id": FIGHT, "actor_id": FOE, "move_to": {"x": 3, "y": 9}, "ignore_economy": True}
    assert table.why("execute_action", **away) == "rule_violation"
    opened = {"encounter_id": FIGHT, "operation": "remove", "terrain_type": "obstacle", "positions": ["19,7"]}
    table.do("modify_terrain", **opened)
    table.do("execute_action", [2, 2], **away)
    advance(table)
    advance(table)
    assert advance(table, 20)["saves"][0]["success"] is True
    assert conditions(table) == []


def test_who_dances_ends_it_by_a_save_that_takes_the_action(table: Hall) -> None:
    cast(table, "irresistible dance")
    assert (conditions(table), effects(table)) == (["charmed"], ["Irresistible Dance"])
    dance = {"encounter_id": FIGHT, "actor_id": FOE, "action": "Irresistible Dance"}
    advance(table)
    advance(table)
    told = table.do("execute_action", [2], **dance)
    assert (told["save"]["ability"], told["save"]["success"], told["economy"]["action"]) == ("wis", False, False)
    told = table.do("execute_action", [20], **dance, ignore_economy=True)
    assert told["save"]["success"] is True
    assert (conditions(table), effects(table)) == ([], [])
