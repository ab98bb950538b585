"""Spells that find, hide and foretell, and those in which a die or hit points decide, put to work."""

from __future__ import annotations

import json

import pytest
from tests.builders import Json
from tests.tools.conftest import HallWith
from tests.tools.hall import Hall, hall_documents
from tests.tools.magic.spell_table import (
    CASTER,
    FIGHT,
    FOE,
    FRIEND,
    advance,
    body,
    cast,
    conditions,
    effects,
    spell_table,
    strike,
)


@pytest.fixture(name="table")
def fixture_table(hall_with: HallWith) -> Hall:
    """Give the fight in which spells are put to work."""
    return spell_table(hall_with)


def found(told: Json) -> list[tuple[str, list[str]]]:
    return [(each["id"], each["signs"]) for each in told["targets"][0]["detected"]]


def walk(table: Hall, who: str, x: int, y: int) -> None:
    to = {"x": x, "y": y}
    args: Json = {"encounter_id": FIGHT, "actor_id": who, "action_type": "disengage", "move_to": to}
    table.do("execute_action", **args, ignore_economy=True)


# finding


def test_magic_is_found_within_thirty_feet_while_the_spell_lasts(table: Hall) -> None:
    cast(table, "mage armor", FRIEND)
    told = cast(table, "detect magic")
    assert (found(told), told["concentration"]) == ([(FRIEND, ["Mage Armor"])], True)
    walk(table, CASTER, 10, 5)
    assert found(cast(table, "detect magic", again=True)) == []
    walk(table, CASTER, 9, 5)
    assert found(cast(table, "detect magic", again=True)) == [(FRIEND, ["Mage Armor"])]
    table.do("manage_concentration", operation="break", character_id=CASTER)
    assert table.why("cast_spell", caster_id=CASTER, spell="detect magic", again=True) == "rule_violation"


def test_kinds_of_creature_are_found(table: Hall) -> None:
    assert found(cast(table, "detect evil and good")) == [(FOE, ["undead"])]


def test_ailments_are_found(table: Hall) -> None:
    poison = {"target_id": FRIEND, "operation": "add", "condition": "poisoned", "encounter_id": FIGHT}
    table.do("manage_condition", **poison)
    assert found(cast(table, "detect poison and disease")) == [(FRIEND, ["poisoned"])]


def test_who_is_hidden_from_divinations_is_not_found(table: Hall) -> None:
    cast(table, "mage armor", FRIEND)
    cast(table, "nondetection", FRIEND)
    assert found(cast(table, "detect magic")) == []
    told = table.fail(
        "cast_spell", caster_id=CASTER, spell="scrying", target_ids=[FRIEND], choice="firsthand", ignore_economy=True
    )
    assert "Nondetection hides it" in told["detail"]
    cast(table, "mind blank", CASTER)
    assert "Mind Blank" in effects(table, CASTER)


def test_an_aura_is_feigned_or_a_kind_masked(table: Hall) -> None:
    cast(table, "arcanist's magic aura", FRIEND, choice="aura_evocation")
    assert found(cast(table, "detect magic")) == [(FRIEND, ["evocation"])]
    cast(table, "arcanist's magic aura", FRIEND, choice="aura_none")
    assert found(cast(table, "detect magic", again=True)) == []
    cast(table, "arcanist's magic aura", FOE, choice="mask_humanoid")
    assert found(cast(table, "detect evil and good")) == []
    assert "unaffected" not in cast(table, "hold person", FOE, dice=(1,))["targets"][0]


def test_somebody_is_located_with_direction_and_distance(table: Hall) -> None:
    walk(table, CASTER, 12, 5)
    told = cast(table, "locate creature", FRIEND)["targets"][0]["located"]
    assert told == {"found": True, "feet": 45, "direction": "west"}
    walk(table, CASTER, 12, 14)
    again = cast(table, "locate creature", FRIEND, again=True)["targets"][0]["located"]
    assert again == {"found": True, "feet": 45, "direction": "northwest"}


def test_outside_of_a_fight_the_place_is_told(hall_with: HallWith) -> None:
    hall = hall_with({"campaign.json": hall_documents()["campaign.json"] | {"content": ["srd-5.1"]}})
    args = {"caster_id": CASTER, "spell": "locate creature", "target_ids": [FRIEND], "ignore_economy": True}
    told = hall.do("cast_spell", **args)["targets"][0]["located"]
    assert told == {"found": True, "location": hall.person(FRIEND)["position"]}


def test_the_nearest_thing_of_a_name_is_located(table: Hall) -> None:
    told = cast(table, "locate object", choice="club")["targets"][0]["located"]
    assert told == {"found": True, "feet": 5, "direction": "east"}
    assert cast(table, "locate object", choice="crown")["targets"][0]["located"] == {"found": False}


# what is foretold


@pytest.mark.parametrize("spell", ["augury", "divination", "commune"])
def test_answers_are_less_sure_with_each_asking_before_a_long_rest(spell: str, hall_with: HallWith) -> None:
    table = spell_table(hall_with)
    told = [cast(table, spell, dice=dice)["targets"][0]["omen"] for dice in ((), (25,), (51,), (75,))]
    assert [each["chance"] for each in told] == [0, 25, 50, 75]
    assert [each["goes_wrong"] for each in told] == [False, True, False, True]
    table.do("end_encounter", encounter_id=FIGHT, outcome="fled")
    table.do("take_rest", character_id=CASTER, rest_type="long")
    again = table.do("cast_spell", caster_id=CASTER, spell=spell, ignore_economy=True)["targets"][0]
    assert again["omen"] == {"castings": 1, "chance": 0, "goes_wrong": False}


def test_players_do_not_see_how_sure_an_answer_is(hall_with: HallWith) -> None:
    campaign = hall_documents()["campaign.json"]
    settings = campaign.get("settings", {}) | {"players": {"tools": ["cast_spell"]}}
    hall = hall_with({"campaign.json": campaign | {"content": ["srd-5.1"], "settings": settings}})
    hall.do("cast_spell", caster_id=CASTER, spell="augury", ignore_economy=True)
    args = {"caster_id": CASTER, "spell": "augury", "ritual": True}
    call = {"id": "a", "tool": "cast_spell", "args": args}
    reply = hall.campaign.process({"tool_calls": [call]}, authority=f"player:{CASTER}", dice=[25], reply_as="openai")
    assert reply["status"] == "applied", reply["tool_feedback"]
    assert "Augury" in json.dumps(reply["tool_messages"])
    assert "omen" not in json.dumps(reply["tool_messages"])
    assert reply["applied_actions"][0]["result"]["targets"][0]["omen"]["goes_wrong"] is True


def test_another_plane_breaks_the_mind_of_who_fails(table: Hall) -> None:
    row = cast(table, "contact other plane", dice=(1, 1, 1, 1, 1, 1, 14))["targets"][0]
    assert (row["save"]["dc"], row["save"]["ability"]) == (15, "int")
    failed = cast(table, "contact other plane", dice=(6, 6, 6, 6, 6, 6, 1))["targets"][0]
    assert (failed["save"]["dc"], failed["damage"]["raw"], failed["damage"]["type"]) == (15, 36, "psychic")
    assert body(table, CASTER)["effects"][-1]["duration"] == "until_long_rest"
    move = {"encounter_id": FIGHT, "actor_id": CASTER, "action_type": "dodge", "ignore_economy": True}
    assert "Contact Other Plane keeps cyra from it" in table.fail("execute_action", **move)["detail"]


def test_a_message_may_be_lost_on_its_way_to_another_plane(table: Hall) -> None:
    assert "crossing" not in cast(table, "sending", FRIEND, choice="Hold the door.")["targets"][0]
    cast(table, "etherealness", FRIEND, slot=8)
    cast(table, "etherealness")
    table.do("execute_action", encounter_id=FIGHT, actor_id=CASTER, action="Etherealness", ignore_economy=True)
    cast(table, "blink", CASTER)
    table.do("execute_action", encounter_id=FIGHT, actor_id=FRIEND, action="Etherealness", ignore_economy=True)
    cast(table, "banishment", FOE, dice=(1,))
    row = cast(table, "sending", FOE, dice=(5,), choice="Where are you?")["targets"][0]
    assert row["crossing"] == {"rolled": 5, "is_lost": True}
    assert cast(table, "sending", FOE, dice=(6,), choice="Where?")["targets"][0]["crossing"]["is_lost"] is False


def test_what_is_known_of_somebody_changes_the_save_against_being_watched(table: Hall) -> None:
    stranger = cast(table, "scrying", FOE, dice=(10,), choice="secondhand", save_dc=99)["targets"][0]["save"]
    known = cast(table, "scrying", FOE, dice=(10,), choice="familiar body part", save_dc=99)["targets"][0]["save"]
    assert stranger["total"] - known["total"] == 5 + 5 + 10
    assert cast(table, "scrying", FOE, dice=(20,), choice="firsthand")["targets"][0]["save"]["success"] is True
    again = cast(table, "scrying", FOE, choice="firsthand")["targets"][0]
    assert again["unaffected"] == "Scrying withstood blocks it"
    held = next(each for each in body(table, FOE)["effects"] if each["name"] == "Scrying withstood")
    assert held["rounds_remaining"] == 14_400


# what hit points and dice decide


@pytest.mark.parametrize(
    ("hp", "wanted"),
    [
        (51, []),
        (50, [("deafened", 10)]),
        (40, [("blinded", 100), ("deafened", 100)]),
        (30, [("blinded", 600), ("deafened", 600), ("stunned", 600)]),
    ],
)
def test_a_divine_word_does_what_hit_points_let_it(hp: int, wanted: list[tuple[str, int]], hall_with: HallWith) -> None:
    table = spell_table(hall_with)
    table.do("update_character", character_id=FOE, hp=hp, encounter_id=FIGHT)
    cast(table, "divine word", FOE, dice=(1,))
    held = body(table, FOE).get("conditions", ())
    assert [(each["condition"], each["rounds_remaining"]) for each in held] == wanted


def test_a_divine_word_kills_the_weakest_and_sends_outsiders_home(table: Hall) -> None:
    table.do("update_character", character_id=FOE, hp=20, encounter_id=FIGHT)
    assert cast(table, "divine word", FOE, dice=(1,))["targets"][0]["target_status"] == "dead"
    cast(table, "arcanist's magic aura", FRIEND, choice="mask_fiend")
    row = cast(table, "divine word", FRIEND, dice=(1,))["targets"][0]
    assert (row["effect"], row.get("conditions")) == ("Divine Word", None)
    gone = body(table, FRIEND)["effects"][-1]
    assert (gone["away"], gone["rounds_remaining"]) == (True, 14_400)


@pytest.mark.parametrize(("face", "race"), [(4, "dragonborn"), (5, "hill dwarf"), (96, "human"), (100, "tiefling")])
def test_a_new_body_is_of_the_race_that_falls(face: int, race: str, hall_with: HallWith) -> None:
    table = spell_table(hall_with)
    table.do("update_character", character_id=FRIEND, character_state="dead")
    row = cast(table, "reincarnate", FRIEND, dice=(face,))["targets"][0]
    assert row["new_race"] == {"rolled": face, "race": race}
    assert (body(table, FRIEND)["sheet"]["race"], body(table, FRIEND)["hp"]) == (race, 90)


def test_the_lifted_rise_and_come_down_as_far_as_the_entry_lets_them(table: Hall) -> None:
    row = cast(table, "levitate", FRIEND)["targets"][0]
    assert ("save" in row, row["position"]["z"]) == (False, 4)
    down = cast(table, "levitate", FRIEND, target_position={"x": 3, "y": 5, "z": 1})["targets"][0]
    assert down["position"]["z"] == 1
    advance(table)
    walk_off = {"encounter_id": FIGHT, "actor_id": FRIEND, "move_to": {"x": 3, "y": 4}}
    assert "has a speed of 0" in table.fail("execute_action", **walk_off)["detail"]
    kept = cast(table, "levitate", FOE, dice=(20,))["targets"][0]
    assert (kept["save"]["ability"], "position" in kept) == ("con", False)


def test_the_imprisoned_are_gone_or_bound_until_magic_frees_them(table: Hall) -> None:
    cast(table, "imprisonment", FOE, dice=(1,), choice="chaining")
    assert conditions(table, FOE) == ["restrained"]
    assert body(table, FOE)["conditions"][0]["duration"] == "until_dispelled"
    cast(table, "imprisonment", FOE, dice=(20,), choice="burial")
    again = cast(table, "imprisonment", FOE, choice="burial")["targets"][0]
    assert again["unaffected"] == "Imprisonment withstood blocks it"


def test_the_misled_lose_sight_of_the_caster_until_it_acts(table: Hall) -> None:
    told = cast(table, "mislead")
    assert (told["figures"], conditions(table, CASTER)) == ({"moves_by": "twice_speed"}, ["invisible"])
    strike(table, CASTER, FOE, 2, 3, attack_bonus=-9)
    assert conditions(table, CASTER) == []


def test_what_is_created_lasts_as_long_as_its_matter_lets_it(table: Hall) -> None:
    told = {choice: cast(table, "creation", choice=choice)["rounds"] for choice in ("vegetable", "gem")}
    assert told == {"vegetable": 14_400, "gem": 100}
    advance(table)
