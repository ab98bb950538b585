"""Lasting areas of spells at work: on who enters them or has a turn there, on the ground, and on the view."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest
from tests.builders import Json
from tests.tools.conftest import HallWith
from tests.tools.hall import Hall, ephemeral, fight, hall_documents, linked, sheeted

from turnwright.content.registry import built_in

CASTER, FRIEND, FOE, FIGHT = "cyra", "brom", "thug", "encounter-1"
ALWAYS_FAILS, ALWAYS_SUCCEEDS = 99, 1
POINT = {"x": 10, "y": 10}
OUTSIDE = {"x": 10, "y": 19}
TURN_ORDER = {CASTER: 30, FRIEND: 20, FOE: 10}


@cache
def spells() -> Mapping[str, Json]:
    """Return the entries of all spells with a lasting area that are executed in full."""
    pack = built_in("srd-5.1")
    found = (pack.entry("spells", row.id) for row in pack.rows() if row.kind == "spells")
    entries = [dict(entry.value) for entry in found if entry is not None]
    return {each["id"]: each for each in entries if "lasting_area" in each and each["tier"] == "full"}


def acting_at(moment: str) -> list[str]:
    return sorted(key for key, value in spells().items() if moment in value["lasting_area"].get("acts", ()))


@pytest.fixture(name="table")
def fixture_table(hall_with: HallWith) -> Hall:
    """Give a fight of a wizard at one end of a hall, a friend beside her, and a foe who is far away and quick."""
    values = {"campaign.json": hall_documents()["campaign.json"] | {"content": ["srd-5.1"]}}
    own = hall_documents()[f"characters/{CASTER}.json"]["sheet"]
    values |= sheeted(CASTER, {"stats": {**own["stats"], "int": 18}}, hp=900, max_hp=900)
    values |= sheeted(FRIEND, {}, hp=900, max_hp=900)
    foe = ephemeral(FOE, OUTSIDE["x"], OUTSIDE["y"], 9000, "enemy", sheet={"speed": 300})
    people = [linked(CASTER, 10, 4), linked(FRIEND, 3, 4), foe]
    return hall_with(values, fight(*[each | {"initiative": TURN_ORDER[each["id"]]} for each in people]))


def call(table: Hall, tool: str, /, **args: Any) -> Json:
    """Return the result of a call that must be applied, with the dice as they fall."""
    reply = table.campaign.process({"tool_calls": [{"id": "call_001", "tool": tool, "args": args}]})
    assert reply["status"] == "applied", reply["tool_feedback"]
    result: Json = reply["applied_actions"][0]["result"]
    return result


def cast(table: Hall, spell: str, **more: Any) -> Json:
    said = spells().get(spell, {"area": {}})
    args: Json = {"caster_id": CASTER, "spell": spell, "ignore_economy": True, "save_dc": ALWAYS_FAILS}
    if said["area"].get("shape") == "wall":
        args |= {"target_position": {"x": 5, "y": 10}, "target_end": {"x": 15, "y": 10}}
        args |= {"choice": "right"} if "within" in said["lasting_area"] else {}
    elif said["area"].get("shape") == "emanation":
        args |= {"choice": "radiant"} if spell == "spirit-guardians" else {}
    else:
        args["target_position"] = POINT
    return call(table, "cast_spell", **args | more)


def walk(table: Hall, who: str, to: Json, **more: Any) -> Json:
    args = {"encounter_id": FIGHT, "actor_id": who, "move_to": to, "ignore_economy": True}
    return call(table, "execute_action", **args | more)


def advance_to(table: Hall, who: str) -> Json:
    """Advance until somebody's turn begins, and return what happened last."""
    for _ in range(9):
        told = call(table, "advance_turn", encounter_id=FIGHT)
        if told["current"]["id"] == who:
            return told
    raise AssertionError(f"{who} has no turn")


def person(table: Hall, who: str) -> Json:
    return next(each for each in table.encounter()["participants"] if each["id"] == who)


def body(table: Hall, who: str) -> Json:
    found = person(table, who)
    return dict(found["body"]) if "body" in found else table.person(who)


def conditions(table: Hall, who: str) -> list[str]:
    return [each["condition"] for each in body(table, who).get("conditions", ())]


def effects(table: Hall, who: str) -> list[str]:
    return [each["name"] for each in body(table, who).get("effects", ())]


def zones(table: Hall) -> list[Json]:
    return list(table.encounter().get("zones", ()))


def near(spell: str) -> Json:
    """Return a square in the area: of one around the caster, beside her."""
    return {"x": 10, "y": 5} if spells()[spell]["area"]["shape"] == "emanation" else POINT


def free(table: Hall) -> None:
    """Let the foe get up and go, whatever holds it."""
    call(table, "manage_condition", target_id=FOE, operation="remove", condition="all", encounter_id=FIGHT)


def check_row(spell: Json, row: Json, dc: int) -> None:
    """Compare what the area did to a creature with the figures of its entry."""
    said = spell["lasting_area"]
    assert row["spell"] == spell["name"]
    if said.get("saves", True):
        assert (row["save"]["ability"], row["save"]["dc"]) == (spell["save"]["ability"], dc)
    has_failed = not row.get("save", {"success": False})["success"]
    whens = [said["deals"]] if "deals" in said else [None, "failed_save"]
    parts = [each for each in spell.get("damage", ()) if each.get("when") in whens]
    is_half = spell.get("save", {}).get("success") == "half"
    if parts and (has_failed or is_half):
        part = parts[0]
        assert row["damage"]["expression"] == str(part.get("dice", part.get("flat")))
        assert row["damage"]["final"] == (row["damage"]["raw"] if has_failed else row["damage"]["raw"] // 2)
        assert row["damage"]["type"] in (part["type"] if isinstance(part["type"], list) else [part["type"]])
    else:
        assert "damage" not in row
    wanted = [each["id"] for each in spell.get("conditions", ()) if each["on"] == "failed_save"]
    assert row.get("conditions", []) == (wanted if has_failed else [])


@pytest.mark.parametrize("name", acting_at("enters"))
def test_who_enters_an_area_meets_what_its_entry_says(name: str, table: Hall) -> None:
    spell = spells()[name]
    cast(table, name)
    went = walk(table, FOE, near(name))
    (row,) = [each for each in went["areas"] if each["moment"] == "enters"]
    check_row(spell, row, ALWAYS_FAILS)
    free(table)
    walk(table, FOE, OUTSIDE)
    again = walk(table, FOE, near(name)).get("areas", [])
    assert len(again) == (0 if spell["lasting_area"].get("once_a_turn") else 1)
    free(table)
    advance_to(table, FRIEND)
    walk(table, FOE, OUTSIDE)
    assert len(walk(table, FOE, near(name))["areas"]) == 1


@pytest.mark.parametrize("name", acting_at("turn_start"))
def test_who_starts_a_turn_in_an_area_meets_what_its_entry_says(name: str, table: Hall) -> None:
    spell = spells()[name]
    walk(table, FOE, near(name))
    cast(table, name, save_dc=ALWAYS_SUCCEEDS if name == "guardian-of-faith" else ALWAYS_FAILS)
    told = advance_to(table, FOE)
    (row,) = told["areas"]
    assert (row["moment"], row["target_id"]) == ("turn_start", FOE)
    check_row(spell, row, ALWAYS_SUCCEEDS if name == "guardian-of-faith" else ALWAYS_FAILS)


@pytest.mark.parametrize("name", acting_at("turn_end"))
def test_who_ends_a_turn_in_an_area_or_near_enough_meets_what_its_entry_says(name: str, table: Hall) -> None:
    spell = spells()[name]
    beside = {"x": 10, "y": 11 if "within" in spell["lasting_area"] else 10}
    walk(table, FOE, beside)
    cast(table, name, target_ids=[])
    free(table)
    advance_to(table, FOE)
    told = call(table, "advance_turn", encounter_id=FIGHT)
    (row,) = told["areas"]
    assert (row["moment"], row["target_id"]) == ("turn_end", FOE)
    check_row(spell, row, ALWAYS_FAILS)


@pytest.mark.parametrize("name", sorted(key for key, value in spells().items() if "save" in value))
def test_a_success_leaves_half_or_nothing(name: str, table: Hall) -> None:
    spell = spells()[name]
    cast(table, name, save_dc=ALWAYS_SUCCEEDS)
    walk(table, FOE, near(name))
    advance_to(table, FOE)
    told = call(table, "advance_turn", encounter_id=FIGHT)
    for row in told.get("areas", ()):
        check_row(spell, row, ALWAYS_SUCCEEDS)
    assert conditions(table, FOE) == []


# the ground


@pytest.mark.parametrize("name", sorted(k for k, v in spells().items() if v["lasting_area"].get("difficult_terrain")))
def test_the_ground_of_an_area_is_difficult_while_it_lies_there(name: str, table: Hall) -> None:
    cast(table, name, save_dc=ALWAYS_SUCCEEDS)
    walk(table, FOE, {"x": 10, "y": 11})
    assert walk(table, FOE, POINT)["movement"]["cost"] == 10
    free(table)
    end_of(table, spells()[name])
    walk(table, FOE, {"x": 10, "y": 11})
    assert walk(table, FOE, POINT)["movement"]["cost"] == 5
    assert zones(table) == []


def end_of(table: Hall, spell: Json) -> None:
    """Let a spell end: with the concentration, with its time, or with the turn that its entry names."""
    if spell.get("concentration"):
        call(table, "manage_concentration", operation="break", character_id=CASTER)
        return
    if "until" in spell["lasting_area"]:
        assert spell["lasting_area"]["until"] == "source_next_turn_end"
        advance_to(table, CASTER)
        assert len(zones(table)) == 1
        call(table, "advance_turn", encounter_id=FIGHT)
        return
    (kept,) = body(table, CASTER)["effects"]
    assert kept["rounds_remaining"] == 10 * spell["duration"]["amount"]
    args = {"operation": "remove", "effect_id": kept["effect_id"], "target_id": CASTER, "encounter_id": FIGHT}
    call(table, "manage_effect", **args)


def test_every_5_feet_among_spikes_hurt(table: Hall) -> None:
    spell = spells()["spike-growth"]
    (part,) = spell["damage"]
    told = cast(table, "spike-growth")
    assert told["figures"]["notice"] == spell["figures"]["notice"]
    walk(table, FOE, {"x": 10, "y": 15})
    went = walk(table, FOE, {"x": 10, "y": 11})
    reach = [row for row in went["areas"] if row["moment"] == "moves"]
    rough = (went["movement"]["cost"] - 20) // 5  # of four steps
    assert len(reach) == rough == 3
    assert {row["damage"]["expression"] for row in reach} == {part["dice"]}
    assert walk(table, FOE, {"x": 10, "y": 10})["movement"]["cost"] == 10


def test_a_blade_barrier_covers_who_is_behind_it(table: Hall) -> None:
    cast(table, "blade-barrier")
    bolt = call(table, "cast_spell", caster_id=CASTER, spell="fire bolt", target_ids=[FOE], ignore_economy=True)
    assert bolt["targets"][0]["attack"]["cover"] == spells()["blade-barrier"]["lasting_area"]["cover"]


def test_a_wall_is_no_longer_than_its_entry_says_or_a_ring(table: Hall) -> None:
    args: Json = {"caster_id": CASTER, "spell": "wall of fire", "ignore_economy": True, "choice": "left"}
    far = {"target_position": {"x": 0, "y": 10}, "target_end": {"x": 19, "y": 10}}
    told = table.fail("cast_spell", **args, **far)
    assert (told["reason"], told["hint"]["field"]) == ("rule_violation", "args.target_end")
    assert table.why("cast_spell", **args, target_position=POINT) == "invalid_args"  # a ring has other sides
    nowhere = {"target_position": POINT, "target_end": POINT}
    assert table.fail("cast_spell", **args, **nowhere)["hint"]["field"] == "args.target_end"
    call(table, "cast_spell", **args | {"choice": "inside"}, target_position=POINT, save_dc=ALWAYS_FAILS)
    (ring,) = zones(table)
    size = spells()["wall-of-fire"]["area"]["figures"]["ring_diameter"] // 2
    assert (ring["shape"], ring["size"], ring["side"]) == ("ring", size, "inside")
    went = walk(table, FOE, {"x": 10, "y": 10})
    assert [row["moment"] for row in went["areas"]] == ["enters"]
    advance_to(table, FOE)
    assert call(table, "advance_turn", encounter_id=FIGHT)["areas"][0]["moment"] == "turn_end"
    walk(table, FOE, {"x": 10, "y": 13})
    advance_to(table, FOE)
    assert "areas" not in call(table, "advance_turn", encounter_id=FIGHT)


@pytest.mark.parametrize("spell", ["moonbeam", "web", "cloudkill", "flaming sphere", "entangle"])
@pytest.mark.parametrize("point", [{"x": 10**9, "y": 5}, {"x": 10, "y": -(10**9)}])
def test_an_area_appears_within_range(spell: str, point: Json, table: Hall) -> None:
    args: Json = {"caster_id": CASTER, "spell": spell, "target_position": point, "ignore_economy": True}
    told = table.fail("cast_spell", **args)
    assert (told["reason"], told["hint"]["field"]) == ("rule_violation", "args.target_position")
    assert "feet away" in told["detail"]


def test_only_one_side_of_a_wall_of_fire_burns(table: Hall) -> None:
    walk(table, FOE, {"x": 10, "y": 12})
    cast(table, "wall-of-fire", choice="left")
    advance_to(table, FOE)
    assert "areas" not in call(table, "advance_turn", encounter_id=FIGHT)
    cast(table, "wall-of-fire", choice="right")
    advance_to(table, FOE)
    assert len(call(table, "advance_turn", encounter_id=FIGHT)["areas"]) == 1


# who is held


@pytest.mark.parametrize(
    "name", sorted(k for k, v in spells().items() if any("escape" in c for c in v.get("conditions", ())))
)
def test_who_is_held_breaks_free_by_an_action(name: str, table: Hall) -> None:
    spell = spells()[name]
    walk(table, FOE, POINT)
    cast(table, name, target_ids=[])
    if "restrained" not in conditions(table, FOE):
        advance_to(table, FOE)
    (held,) = body(table, FOE)["conditions"]
    assert (held["condition"], held["duration"]) == ("restrained", "concentration")
    escape = spell["conditions"][0]["escape"]
    checks = escape["check"] if isinstance(escape["check"], list) else [escape["check"]]
    assert (held["ends_by"]["abilities"], held["ends_by"]["dc"]) == (checks, ALWAYS_FAILS)
    tries = {"encounter_id": FIGHT, "actor_id": FOE, "action": spell["name"], "ignore_economy": True}
    tried = call(table, "execute_action", **tries)
    assert (tried["check"]["ability"] in checks, tried["check"]["success"]) == (True, False)
    assert table.why("execute_action", **tries | {"target_id": FRIEND, "actor_id": FRIEND}) == "not_found"
    call(table, "manage_concentration", operation="break", character_id=CASTER)
    assert conditions(table, FOE) == []
    cast(table, name, target_ids=[], save_dc=9)
    if "restrained" not in conditions(table, FOE) and name != "entangle":
        advance_to(table, FOE)
    tried = [call(table, "execute_action", **tries)["check"]["success"] for _ in range(9) if conditions(table, FOE)]
    assert tried == [] or tried[-1] is True
    assert conditions(table, FOE) == []


def test_tentacles_crush_whom_they_hold_without_a_further_save(table: Hall) -> None:
    cast(table, "black-tentacles")
    walk(table, FOE, POINT)
    (row,) = advance_to(table, FOE)["areas"]
    part = spells()["black-tentacles"]["damage"][1]
    assert ("save" in row, row["damage"]["expression"], row["damage"]["type"]) == (False, part["dice"], part["type"])


def test_who_is_stopped_by_an_area_goes_no_further(table: Hall) -> None:
    cast(table, "black-tentacles")
    went = walk(table, FOE, POINT)
    assert went["movement"]["to"] != POINT | {"z": 0}
    assert went["areas"][0]["conditions"] == ["restrained"]


# the view


@pytest.mark.parametrize(
    "name", sorted(k for k, v in spells().items() if v["lasting_area"].get("obscured") == "heavily")
)
def test_nobody_is_seen_in_a_thick_cloud(name: str, table: Hall) -> None:
    walk(table, FOE, POINT)
    shot: Json = {"encounter_id": FIGHT, "actor_id": FRIEND, "action_type": "attack", "target_id": FOE}
    blow = {"damage_expression": "1d4", "damage_type": "fire", "attack_bonus": 0, "ignore_economy": True}
    walk(table, FRIEND, {"x": 11, "y": 10})
    seen = call(table, "execute_action", **shot, **blow)["attack"]
    cast(table, name, target_ids=[FRIEND] if "appears" in spells()[name]["lasting_area"].get("acts", ()) else [])
    hidden = call(table, "execute_action", **shot, **blow)["attack"]
    assert seen["mode"] == "normal"
    assert hidden["disadvantage_reasons"]
    (shown,) = call(table, "get_encounter", encounter_id=FIGHT)["areas"]
    assert (shown["spell"], shown["obscured"], shown["source_id"]) == (spells()[name]["name"], "heavily", CASTER)
    sight = {"from_id": FRIEND, "to_id": FOE, "encounter_id": FIGHT}
    assert call(table, "check_line_of_sight", **sight)["can_see"] is False
    end_of(table, spells()[name])
    assert call(table, "check_line_of_sight", **sight)["can_see"] is True


def test_a_fog_grows_with_the_slot(table: Hall) -> None:
    call(table, "cast_spell", caster_id=CASTER, spell="fog cloud", slot=3, ignore_economy=True, target_position=POINT)
    assert zones(table)[0]["size"] == 60


# areas that move


def test_a_cloud_drifts_away_from_its_caster(table: Hall) -> None:
    cast(table, "cloudkill")
    assert zones(table)[0]["at"] == POINT | {"z": 0}
    advance_to(table, CASTER)
    feet = spells()["cloudkill"]["lasting_area"]["drift"]
    assert zones(table)[0]["at"] == {"x": 10, "y": 10 + feet // 5, "z": 0}


@pytest.mark.parametrize("name", sorted(k for k, v in spells().items() if "move" in v["lasting_area"]))
def test_its_caster_moves_an_area_no_farther_than_its_entry_says(name: str, table: Hall) -> None:
    spell = spells()[name]
    cast(table, name, ignore_economy=True)
    feet = spell["lasting_area"]["move"]
    again: Json = {"caster_id": CASTER, "spell": name, "again": True}
    far = {"x": 10, "y": 10 + feet // 5 + 1}
    assert table.why("cast_spell", **again, target_position=far) == "rule_violation"
    assert table.why("cast_spell", **again) == "invalid_args"
    told = call(table, "cast_spell", **again, target_position={"x": 10, "y": 10 + min(feet, 40) // 5})
    assert zones(table)[0]["at"] == {"x": 10, "y": 10 + min(feet, 40) // 5, "z": 0}
    cost = spell.get("repeat")
    assert told["economy"]["action"] is (cost != "action")
    assert told["economy"]["bonus_action"] is (cost != "bonus_action")
    assert "areas" not in told  # whom it comes over has not entered it


def test_a_sphere_of_fire_is_rammed_into_somebody(table: Hall) -> None:
    walk(table, FOE, {"x": 10, "y": 15})
    cast(table, "flaming-sphere")
    ram = {"caster_id": CASTER, "spell": "flaming sphere", "again": True, "target_ids": [FOE], "save_dc": 99}
    row = call(table, "cast_spell", **ram)["targets"][0]
    assert row["damage"]["expression"] == spells()["flaming-sphere"]["damage"][0]["dice"]
    assert zones(table)[0]["at"] == {"x": 10, "y": 14, "z": 0}


def test_what_surrounds_its_caster_goes_along_and_nobody_enters_by_that(table: Hall) -> None:
    walk(table, FOE, {"x": 10, "y": 12})
    cast(table, "spirit-guardians")
    assert effects(table, FOE) == []
    went = walk(table, CASTER, {"x": 10, "y": 10})
    assert "areas" not in went
    assert effects(table, FOE) == ["Spirit Guardians"]
    told = advance_to(table, FOE)
    assert told["areas"][0]["moment"] == "turn_start"
    effect = body(table, FOE)["effects"][0]
    assert effect["speed_factor"] == spells()["spirit-guardians"]["lasting_area"]["speed_factor"]
    walk(table, FOE, OUTSIDE)
    assert effects(table, FOE) == []


def test_its_caster_spares_whom_she_names(table: Hall) -> None:
    cast(table, "spirit-guardians", spared_ids=[FRIEND])
    assert "areas" not in walk(table, FRIEND, {"x": 9, "y": 5})
    assert effects(table, FRIEND) == []
    assert "areas" in walk(table, FOE, {"x": 11, "y": 5})


# what holds while one is in them


def test_those_who_are_chosen_leave_no_trace_while_they_are_near(table: Hall) -> None:
    walk(table, FRIEND, {"x": 9, "y": 4})
    cast(table, "pass-without-trace", target_ids=[FRIEND])
    wanted = spells()["pass-without-trace"]["figures"]["bonus"]
    for who in (CASTER, FRIEND):
        assert body(table, who)["effects"][0]["roll_bonuses"] == wanted
    walk(table, FRIEND, OUTSIDE | {"x": 3})
    assert effects(table, FRIEND) == []
    walk(table, FOE, {"x": 11, "y": 4})
    assert effects(table, FOE) == []


def test_in_a_silence_nobody_hears_casts_with_words_or_is_hurt_by_thunder(table: Hall) -> None:
    walk(table, CASTER, {"x": 10, "y": 9})
    walk(table, FOE, {"x": 10, "y": 8})
    cast(table, "silence")
    assert conditions(table, FOE) == ["deafened"]
    assert body(table, FOE)["effects"][0]["immunities"] == ["thunder"]
    spell = {"caster_id": CASTER, "spell": "fire bolt", "target_ids": [FOE]}
    assert table.why("cast_spell", **spell) == "rule_violation"
    walk(table, FOE, OUTSIDE)
    assert (conditions(table, FOE), effects(table, FOE)) == ([], [])


def test_a_stench_costs_the_action_but_not_of_whom_poison_does_nothing_to(table: Hall) -> None:
    walk(table, FOE, POINT)
    cast(table, "stinking-cloud")
    told = advance_to(table, FOE)
    assert told["areas"][0]["loses_action"] is True
    assert person(table, FOE)["economy"]["action"] is True
    proof = {"name": "Proof", "immunities": ["poison"]}
    call(table, "manage_effect", operation="add", target_id=FOE, encounter_id=FIGHT, effect=proof)
    (row,) = advance_to(table, FOE)["areas"]
    assert "save" not in row
    assert "action" not in person(table, FOE).get("economy", {})


def test_sleet_breaks_concentration(table: Hall) -> None:
    walk(table, FRIEND, POINT)
    call(table, "manage_concentration", operation="start", character_id=FRIEND, spell_name="Bless")
    cast(table, "sleet-storm")
    told = advance_to(table, FRIEND)
    check = told["areas"][0]["concentration_check"]
    assert (check["spell_name"], check["dc"], check["broken"]) == ("Bless", ALWAYS_FAILS, True)
    assert "concentration" not in table.person(FRIEND)


def test_a_guardian_vanishes_after_the_damage_that_its_entry_says(table: Hall) -> None:
    cast(table, "guardian-of-faith")
    assert "areas" not in walk(table, FRIEND, {"x": 9, "y": 10})
    walk(table, FOE, POINT)
    limit = spells()["guardian-of-faith"]["lasting_area"]["damage_limit"]
    for left in (limit - 40, None):
        advance_to(table, FOE)
        assert [zone["damage_left"] for zone in zones(table)] == ([] if left is None else [left])
    assert "Guardian of Faith" not in effects(table, CASTER)


def test_shapechangers_save_against_a_moonbeam_with_disadvantage(table: Hall) -> None:
    wolf = [{"monster": "werewolf", "is_enemy": True, "positions": [POINT]}]
    added = call(table, "manage_encounter", operation="add", encounter_id=FIGHT, monsters=wolf)["added"]
    cast(table, "moonbeam")
    (row,) = advance_to(table, *added)["areas"]
    assert len(row["save"]["rolls"]) == 2
    assert row["save"]["natural"] == min(row["save"]["rolls"])


# what is asked


def test_a_place_is_asked_for_and_an_area_that_stays_is_not_moved(table: Hall) -> None:
    told = table.fail("cast_spell", caster_id=CASTER, spell="web", ignore_economy=True)
    assert (told["reason"], told["hint"]["field"]) == ("invalid_args", "args.target_position")
    cast(table, "grease")
    again = {"caster_id": CASTER, "spell": "grease", "again": True, "target_ids": [FOE]}
    assert table.why("cast_spell", **again) == "rule_violation"
