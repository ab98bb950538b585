"""manage_effect: what comes, goes, runs out, and what it does meanwhile."""

from __future__ import annotations

from typing import Any

import pytest
from tests.builders import Json
from tests.tools.conftest import HallWith
from tests.tools.hall import Hall, changed, ephemeral, fight, linked


def add(hall: Hall, who: str = "aria", /, **effect: Any) -> Json:
    return hall.do("manage_effect", target_id=who, operation="add", effect={"name": "Blessing"} | effect)


def names(result: Json) -> list[str]:
    return [effect["name"] for effect in result["effects"]]


def test_an_effect_is_added_looked_at_and_removed(hall: Hall) -> None:
    added = add(hall, type="boon", ac_bonus=2)
    effect = {"effect_id": "effect-1", "name": "Blessing", "type": "boon", "ac_bonus": 2}
    assert (added["effect_id"], added["effect"], added["effects"]) == ("effect-1", effect, [effect])
    assert (added["target"], added["operation"], added["replaced"], added["expired"]) == ("aria", "add", False, [])
    assert hall.do("manage_effect", target_id="aria", operation="query")["effects"] == [effect]
    removed = hall.do("manage_effect", target_id="aria", operation="remove", effect_id="effect-1")
    assert (removed["effect_id"], removed["effect"], removed["effects"]) == ("effect-1", effect, [])
    assert "effects" not in hall.person("aria")


def test_one_may_be_removed_by_name(hall: Hall) -> None:
    add(hall)
    assert hall.do("manage_effect", target_name="Brom", operation="query")["effects"] == []
    removed = hall.do("manage_effect", target_id="aria", operation="remove", name=" BLESSING ")
    assert removed["effects"] == []


def test_one_of_the_same_name_takes_the_place_of_the_other(hall: Hall) -> None:
    add(hall, ac_bonus=2)
    add(hall, name="Haste")
    again = add(hall, name="blessing ", ac_bonus=1)
    assert again["replaced"]
    assert [effect["effect_id"] for effect in again["effects"]] == ["effect-2", "effect-3"]
    assert hall.do("get_character", character_id="aria")["effective"]["ac"]["effective"] == 18


def test_an_id_that_somebody_wrote_by_hand_is_not_given_again(hall_with: HallWith) -> None:
    hall = hall_with(changed("aria", effects=[{"effect_id": "effect-1", "name": "Old"}]))
    assert add(hall)["effect_id"] == "effect-2"


@pytest.mark.parametrize(
    ("effect", "value", "effective"),
    [
        ({"ac_bonus": -2}, "ac", 15),
        ({"speed_modifier": -10}, "speed", 20),
        ({"speed_modifier": -40}, "speed", 0),
        ({"max_hp_modifier": 6}, "max_hp", 50),
        ({"max_hp_modifier": -99}, "max_hp", 1),
    ],
)
def test_effects_come_last_into_the_values(hall: Hall, effect: Json, value: str, effective: int) -> None:
    add(hall, **effect)
    assert hall.do("get_character", character_id="aria")["effective"][value]["effective"] == effective


def test_effects_enter_saves_attacks_and_checks(hall: Hall) -> None:
    add(hall, saving_throw_bonus=2, attack_bonus=3, ability_bonuses={"str": 2}, advantage_on=["athletics"])
    roll = {"character_id": "aria", "ability": "str"}
    assert hall.do("roll_check", [10], check_type="save", **roll)["total"] == 10 + 5 + 3 + 2
    assert hall.do("roll_check", [10], check_type="attack", **roll)["total"] == 10 + 5 + 3 + 3
    checked = hall.do("roll_check", [10, 2], character_id="aria", check_type="skill", skill="athletics")
    assert (checked["mode"], checked["total"]) == ("advantage", 10 + 5 + 3)


def test_resistance_by_effect_halves_damage(hall: Hall) -> None:
    add(hall, resistances=["Flame"])
    hurt = hall.do("update_character", character_id="aria", hp="-11", damage_type="fire")
    assert hurt["hp"]["after"] == 39


def test_rounds_tick_down_and_run_out(hall: Hall) -> None:
    add(hall, duration=2)
    add(hall, name="Curse", type="hex", duration="until dispelled")
    add(hall, name="Spark", duration=1)
    first = hall.do("manage_effect", target_id="aria", operation="tick")
    assert first["expired"] == [{"effect_id": "effect-3", "name": "Spark"}]
    assert [effect.get("rounds_remaining") for effect in first["effects"]] == [1, None]
    second = hall.do("manage_effect", target_id="aria", operation="count down")
    assert second["expired"] == [{"effect_id": "effect-1", "name": "Blessing"}]
    third = hall.do("manage_effect", target_id="aria", operation="tick")
    assert (names(third), third["expired"]) == (["Curse"], [])


def test_the_concentration_of_a_caster_holds_an_effect(hall_with: HallWith) -> None:
    hall = hall_with(changed("brom", concentration={"spell_name": "Bless"}))
    assert add(hall, duration="concentration", source="BROM")["effect"]["source"] == "brom"
    add(hall, name="Other", duration="concentration", source="cyra")
    hall.do("update_character", character_id="brom", hp=0)
    assert [effect["name"] for effect in hall.person("aria")["effects"]] == ["Other"]


@pytest.mark.parametrize("source", [None, "a strange light"])
def test_concentration_of_nobody_is_told(hall: Hall, source: str | None) -> None:
    effect = {"name": "Glow", "duration": "concentration", "source": source}
    action = hall.action("manage_effect", target_id="aria", operation="add", effect=effect)
    assert action["warnings"] == ["no concentration ends it: name in source who concentrates"]


def test_a_roll_that_no_rule_knows_is_told(hall: Hall) -> None:
    effect = {"name": "Luck", "advantage_on": ["Sleight of Hand", "cooking"], "disadvantage_on": ["dex_saves"]}
    action = hall.action("manage_effect", target_id="aria", operation="add", effect=effect)
    assert action["warnings"] == ["cooking is no roll that any rule looks for"]


def test_a_roll_that_some_rule_knows_is_not_told(hall: Hall) -> None:
    known = ["initiative", "initiative_rolls", "Initiative Rolls", "death_saves", "saves", "dex", "con_saves"]
    action = hall.action(
        "manage_effect", target_id="aria", operation="add", effect={"name": "Luck", "advantage_on": known}
    )
    assert "warnings" not in action


def test_who_exists_in_a_fight_alone_bears_effects_too(hall_with: HallWith) -> None:
    hall = hall_with(fight(ephemeral("g1", 0, 0), linked("aria", 1, 0) | {"id": "p1"}))
    where = {"encounter_id": "encounter-1", "operation": "add"}
    assert hall.do("manage_effect", target_id="g1", effect={"name": "Hex", "ac_bonus": -2}, **where)["target"] == "g1"
    assert hall.encounter()["participants"][0]["body"]["effects"][0]["ac_bonus"] == -2
    assert hall.do("manage_effect", target_id="p1", effect={"name": "Hex"}, **where)["target"] == "p1"
    assert hall.person("aria")["effects"][0]["name"] == "Hex"
    assert hall.why("manage_effect", target_id="g1", operation="query") == "not_found"


@pytest.mark.parametrize(
    ("args", "reason", "told"),
    [
        ({"operation": "add"}, "invalid_args", {"field": "effect", "add": True}),
        ({"operation": "remove"}, "invalid_args", {"field": "effect_id", "add": True, "choices": ["effect-1"]}),
        ({"operation": "remov"}, "invalid_args", {"field": "operation", "got": "remov", "allowed": ["remove"]}),
        (
            {"operation": "remove", "effect_id": "effect-9"},
            "not_found",
            {"field": "effect_id", "got": "effect-9", "choices": ["effect-1"]},
        ),
        (
            {"operation": "remove", "name": "Blesing"},
            "not_found",
            {"field": "name", "got": "Blesing", "allowed": ["Blessing"]},
        ),
        (
            {"operation": "remove", "effect_id": "effect-1", "name": "Haste"},
            "invalid_args",
            {"field": "name", "got": "Haste", "choices": ["Blessing"]},
        ),
    ],
)
def test_what_does_not_fit_is_told(hall: Hall, args: Json, reason: str, told: Json) -> None:
    add(hall)
    failed = hall.fail("manage_effect", target_id="aria", **args)
    assert (failed["reason"], failed["hint"]) == (reason, told | {"field": f"args.{told['field']}"})


@pytest.mark.parametrize(
    ("effect", "told"),
    [
        ({}, {"field": "name", "add": True}),
        ({"name": " "}, {"field": "name", "got": " "}),
        ({"duration": 0}, {"field": "duration", "got": 0}),
        ({"duration": 1.5}, {"field": "duration", "got": 1.5}),
        (
            {"duration": "soon"},
            {"field": "duration", "got": "soon", "choices": ["concentration", "until_rest", "until_dispelled"]},
        ),
        ({"ac_bonus": 1.5}, {"field": "ac_bonus", "got": 1.5}),
        ({"damage_bonus": "1d1"}, {"field": "damage_bonus", "got": "1d1"}),
        (
            {"ability_bonuses": {"strength": 1}},
            {"field": "ability_bonuses", "got": {"strength": 1}, "allowed": [{"str": 1}]},
        ),
        ({"armor": 1}, {"field": "armor", "got": 1}),
        ({"type": "banana"}, {"field": "type", "got": "banana", "choices": ["boon", "neutral", "curse"]}),
    ],
)
def test_an_effect_that_does_not_fit_is_told(hall: Hall, effect: Json, told: Json) -> None:
    named = {"name": "x"} | effect if effect else effect
    failed = hall.fail("manage_effect", target_id="aria", operation="add", effect=named)
    assert failed["reason"] == "invalid_args"
    assert failed["hint"] == told | {"field": f"args.effect.{told['field']}"}


def test_a_misspelt_id_or_name_is_repaired_from_what_there_is(hall: Hall) -> None:
    add(hall)
    by_id = hall.fail("manage_effect", target_id="aria", operation="remove", effect_id="effect-7")
    assert by_id["hint"]["choices"] == ["effect-1"]
    by_name = hall.fail("manage_effect", target_id="aria", operation="remove", name="Blesing")
    assert by_name["hint"]["allowed"] == ["Blessing"]


@pytest.mark.parametrize(("args", "reason"), [({}, "invalid_args"), ({"target_name": "ARIA"}, "ambiguous")])
def test_the_bearer_must_be_clear(hall: Hall, args: Json, reason: str) -> None:
    assert hall.why("manage_effect", operation="query", **args) == reason


def test_a_batch_blesses_several(hall: Hall) -> None:
    items: list[Json] = [
        {"targetId": who, "operation": "add", "effect": {"name": "Bless"}} for who in ("aria", "x", "brom")
    ]
    result = hall.reply("manage_effect", {"batch": items})["applied_actions"][0]["result"]
    assert [entry["result"]["effect_id"] if entry["ok"] else entry["reason"] for entry in result["results"]] == [
        "effect-1",
        "not_found",
        "effect-2",
    ]
