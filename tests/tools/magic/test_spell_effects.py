"""What spells of the packs leave on somebody, at work: on hits, on saves, as turns start and end, and in rests."""

from __future__ import annotations

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


# damage that comes later


def test_acid_hurts_again_at_the_end_of_the_targets_next_turn_and_half_on_a_miss(table: Hall) -> None:
    cast(table, "acid arrow", FOE, dice=(19, 19, 1, 1, 1, 1))
    advance(table)
    advance(table)
    lasting = advance(table, 3, 4)["lasting"]
    assert lasting == [{"target_id": FOE, "name": "Acid Arrow", "rolled": 7, "damage": 7}]
    assert effects(table, FOE) == []
    row = cast(table, "acid arrow", FOE, dice=(2, 2, 4, 4, 4, 3), attack_bonus=0)["targets"][0]
    assert (row["attack"]["result"], row["damage"]["raw"], row["damage"]["final"]) == ("miss", 15, 7)
    assert effects(table, FOE) == []


def test_each_failed_save_against_a_phantom_hurts(table: Hall) -> None:
    cast(table, "phantasmal killer", FOE, dice=(1,))
    advance(table)
    advance(table)
    told = advance(table, 1, 1, 2, 3, 4)
    assert told["lasting"] == [{"target_id": FOE, "name": "frightened", "rolled": 10, "damage": 10}]
    advance(table)
    advance(table)
    assert "lasting" not in advance(table, 20)
    assert conditions(table, FOE) == []


def test_stone_comes_after_three_failed_saves_and_not_before(table: Hall) -> None:
    cast(table, "flesh to stone", FOE, dice=(1,))
    for wanted in (["restrained"], ["restrained"], ["petrified"]):
        advance(table)
        advance(table)
        advance(table, 1)
        assert conditions(table, FOE) == wanted
    table.do("manage_concentration", operation="break", character_id=CASTER)
    assert conditions(table, FOE) == []


def test_three_saves_end_it_before_it_is_stone(table: Hall) -> None:
    cast(table, "flesh to stone", FOE, dice=(1,))
    for wanted in (["restrained"], ["restrained"], []):
        advance(table)
        advance(table)
        advance(table, 20)
        assert conditions(table, FOE) == wanted


def test_laughter_ends_by_a_save_with_advantage_when_hurt_with_all_that_it_brought(table: Hall) -> None:
    cast(table, "hideous laughter", FOE, dice=(1,))
    assert conditions(table, FOE) == ["prone", "incapacitated"]
    strike(table, FRIEND, FOE, 19, 19, 4, 1, 2)
    assert conditions(table, FOE) == ["prone", "incapacitated"]
    strike(table, FRIEND, FOE, 19, 19, 4, 1, 20)
    assert conditions(table, FOE) == []


# hit points


def test_healing_is_all_that_it_can_be_or_nothing(table: Hall) -> None:
    cast(table, "beacon of hope", FRIEND)
    assert cast(table, "cure wounds", FRIEND, dice=(1,))["targets"][0]["healing"]["raw"] == 8 + 4
    cast(table, "chill touch", FOE, dice=(19, 19, 3, 3))
    table.do("update_character", character_id=FOE, hp="+20", encounter_id=FIGHT)
    assert body(table, FOE)["hp"] == 194
    assert effects(table, FOE) == ["Chill Touch", "Chill Touch on the undead"]
    attack = strike(table, FOE, CASTER, 5, 15, attack_bonus=1, damage_expression="1d4")["attack"]
    assert attack["disadvantage_reasons"] == ["Chill Touch on the undead"]
    assert strike(table, FOE, FRIEND, 2, attack_bonus=-9)["attack"]["disadvantage_reasons"] == []


def test_hit_points_come_as_turns_start(table: Hall) -> None:
    cast(table, "heroism", FRIEND)
    assert advance(table)["lasting"] == [{"target_id": FRIEND, "name": "Heroism", "temp_hp": 4}]
    advance(table)
    advance(table)
    cast(table, "regenerate", FRIEND, dice=(1, 1, 1, 1))
    told = advance(table)["lasting"]
    assert {"target_id": FRIEND, "name": "Regenerate", "healing": 1} in told


def test_a_ward_keeps_from_falling_once(table: Hall) -> None:
    cast(table, "death ward", FRIEND)
    strike(table, FOE, FRIEND, 19, damage_expression="500", attack_bonus=20)
    assert (body(table, FRIEND)["hp"], effects(table, FRIEND)) == (1, [])
    cast(table, "death ward", FRIEND)
    cast(table, "power word kill", FRIEND)
    assert (body(table, FRIEND)["hp"], effects(table, FRIEND)) == (1, [])


def test_a_pool_of_healing_is_shared_out_as_the_call_says(table: Hall) -> None:
    told = table.fail("cast_spell", caster_id=CASTER, spell="mass heal", target_ids=[FRIEND, CASTER])
    assert (told["reason"], told["hint"]["field"]) == ("invalid_args", "args.amounts")
    refused = table.fail(
        "cast_spell", caster_id=CASTER, spell="mass heal", target_ids=[FRIEND, CASTER], amounts=[700, 1]
    )
    assert refused["reason"] == "rule_violation"
    rows = cast(table, "mass heal", FRIEND, CASTER, amounts=[20, 5])["targets"]
    assert [row["healing"]["gained"] for row in rows] == [20, 0]
    assert table.why("cast_spell", caster_id=CASTER, spell="cure wounds", target_ids=[FRIEND], amounts=[1]) == (
        "invalid_args"
    )


def test_a_feast_raises_the_maximum_and_cures_poison(table: Hall) -> None:
    table.do("manage_condition", target_id=FRIEND, operation="add", condition="poisoned", encounter_id=FIGHT)
    row = cast(table, "heroes' feast", FRIEND, dice=(10, 6))["targets"][0]
    assert (row["ended"], row["target_hp"]) == (["poisoned"], {"before": 76, "after": 76, "max": 106, "temp": 0})
    assert table.do("manage_condition", target_id=FRIEND, operation="add", condition="frightened", encounter_id=FIGHT)
    assert conditions(table, FRIEND) == []


# attacks


def test_hits_with_weapons_deal_more(table: Hall) -> None:
    cast(table, "hunter's mark", FOE)
    assert effects(table, CASTER) == ["Hunter's Mark"]
    damage = strike(table, CASTER, FOE, 19, 6)["damage"]
    plain = strike(table, CASTER, FRIEND, 19)["damage"]
    assert damage["raw"] == plain["raw"] + 6


def test_a_holy_weapon_deals_its_own_type(table: Hall) -> None:
    cast(table, "divine favor")
    damage = strike(table, CASTER, FOE, 19, 3)["damage"]
    assert {"type": "radiant", "raw": 3, "final": 3, "adjusted": "none"} in damage["parts"]


def test_the_weak_deal_half_with_strength_until_they_save(table: Hall) -> None:
    cast(table, "ray of enfeeblement", FOE, dice=(19, 19))
    damage = strike(table, FOE, FRIEND, 19, 3, 4, damage_expression="2d4", attack_bonus=20)["damage"]
    assert (damage["raw"], damage["final"]) == (7, 3)
    advance(table)
    advance(table)
    saves = advance(table, 20)["saves"]
    assert (saves[0]["condition"], saves[0]["success"]) == ("Ray of Enfeeblement", True)
    assert effects(table, FOE) == []


def test_size_and_weapons_grow_or_shrink(table: Hall) -> None:
    assert table.fail("cast_spell", caster_id=CASTER, spell="enlarge/reduce", target_ids=[FOE])["reason"] == (
        "invalid_args"
    )
    cast(table, "enlarge/reduce", FRIEND, choice="enlarge")
    assert strike(table, FRIEND, FOE, 19, 2, 4)["damage"]["raw"] == 6 + _strength(table)
    assert table.do("get_character", character_id=FRIEND)["character"]["sheet"]["size"] in ("medium", "small")
    cast(table, "enlarge/reduce", FRIEND, choice="reduce")
    assert strike(table, FRIEND, FOE, 19, 4, 3)["damage"]["raw"] == 1 + _strength(table)


def _strength(table: Hall) -> int:
    return (int(body(table, FRIEND)["sheet"]["stats"]["str"]) - 10) // 2


def test_a_weapon_is_enchanted_and_hits_as_a_magical_one(table: Hall) -> None:
    cast(table, "magic weapon", FRIEND, slot=6)
    before = strike(table, FRIEND, FOE, 19, 2)
    assert before["damage"]["raw"] == 2 + 3 + _strength(table)
    assert table.why("cast_spell", caster_id=CASTER, spell="magic weapon", target_ids=[CASTER], choice="Club") in (
        "invalid_args",
        "rule_violation",
    )
    cast(table, "shillelagh", FRIEND)
    assert strike(table, FRIEND, FOE, 19, 8)["damage"]["expression"].startswith("1d8")


def test_fire_burns_who_hits_from_near(table: Hall) -> None:
    cast(table, "fire shield", choice="chill")
    told = strike(table, FOE, CASTER, 19, 1, 5, 6, attack_bonus=20, damage_expression="1d4")
    burned = told["traits"][0]
    assert (burned["action"], burned["damage"]["type"], burned["damage"]["raw"]) == ("Fire Shield", "cold", 11)
    cast(table, "fire shield", choice="warm")
    assert body(table, CASTER)["effects"][0]["resistances"] == ["cold"]


def test_images_are_struck_in_their_owners_place(table: Hall) -> None:
    cast(table, "mirror image")
    struck = strike(table, FOE, CASTER, 6, 19, attack_bonus=20)
    assert struck["attack"]["image"] == {"natural": 6, "is_destroyed": True, "left": 2}
    assert (struck["attack"]["result"], struck["damage"]) == ("miss", None)
    real = strike(table, FOE, CASTER, 7, 19, 3, attack_bonus=20, damage_expression="1d4")
    assert "image" not in real["attack"]
    strike(table, FOE, CASTER, 8, 19, attack_bonus=20)
    strike(table, FOE, CASTER, 11, 19, attack_bonus=20)
    assert effects(table, CASTER) == []


def test_who_is_kept_off_loses_the_attack_and_the_bearers_own_attack_ends_it(table: Hall) -> None:
    cast(table, "sanctuary", FRIEND)
    lost = strike(table, FOE, FRIEND, 1)
    assert (lost["attack"]["kept_off"]["success"], lost["attack"]["rolls"], lost["damage"]) == (False, [], None)
    strike(table, FOE, FRIEND, 20, 2, attack_bonus=-9)
    strike(table, FRIEND, FOE, 2, attack_bonus=-9)
    assert effects(table, FRIEND) == []


def test_evil_attacks_the_protected_with_disadvantage_and_cannot_charm_them(table: Hall) -> None:
    cast(table, "protection from evil and good", FRIEND)
    attack = strike(table, FOE, FRIEND, 2, 3, attack_bonus=-9)["attack"]
    assert attack["disadvantage_reasons"] == ["Protection from Evil and Good"]
    assert strike(table, CASTER, FRIEND, 2, attack_bonus=-9)["attack"]["disadvantage_reasons"] == []
    fear = {"target_id": FRIEND, "operation": "add", "condition": "frightened", "encounter_id": FIGHT}
    table.do("manage_condition", **fear, source=FOE)
    assert conditions(table, FRIEND) == []
    table.do("manage_condition", **fear, source=CASTER)
    assert conditions(table, FRIEND) == ["frightened"]


def test_stone_skin_halves_plain_weapons_alone(table: Hall) -> None:
    cast(table, "stoneskin", FRIEND)
    blow = {"attack_bonus": 20, "damage_expression": "1d8", "damage_type": "slashing"}
    assert strike(table, FOE, FRIEND, 19, 7, **blow)["damage"]["final"] == 3
    assert strike(table, FOE, FRIEND, 19, 7, **blow, weapon_is=["magical"])["damage"]["final"] == 7


def test_the_outlined_gain_nothing_from_being_invisible(table: Hall) -> None:
    hidden = {"target_id": FOE, "operation": "add", "condition": "invisible", "encounter_id": FIGHT}
    table.do("manage_condition", **hidden)
    cast(table, "faerie fire", FOE, dice=(1,))
    attack = strike(table, FRIEND, FOE, 2, 3, attack_bonus=-9)["attack"]
    assert (attack["mode"], attack["advantage_reasons"]) == ("advantage", ["Faerie Fire"])


# others


def test_a_shield_stops_darts(table: Hall) -> None:
    cast(table, "shield")
    row = cast(table, "magic missile", CASTER)["targets"][0]
    assert (row["unaffected"], "damage" in row) == ("Shield blocks it", False)


def test_invisibility_ends_with_an_attack(table: Hall) -> None:
    cast(table, "invisibility", FRIEND)
    strike(table, FRIEND, FOE, 2, 3, attack_bonus=-9)
    assert conditions(table, FRIEND) == []


def test_a_storm_is_asked_for_and_adds_a_die(table: Hall) -> None:
    told = table.fail("cast_spell", caster_id=CASTER, spell="call lightning", target_ids=[FOE])
    assert told["hint"]["choices"] == ["storm", "no_storm"]
    row = cast(table, "call lightning", FOE, dice=(1, 1, 1, 1, 1), choice="storm")["targets"][0]
    assert row["damage"]["expression"] == "4d10"


def test_who_arrives_where_somebody_stands_is_hurt_and_stays(table: Hall) -> None:
    rows = cast(table, "dimension door", FRIEND, dice=(1, 2, 3, 4, 4, 3, 2, 1), target_position={"x": 3, "y": 6})
    assert [row["damage"]["raw"] for row in rows["targets"]] == [10, 10]
    assert all("position" not in row for row in rows["targets"])
    rows = cast(table, "dimension door", FRIEND, target_position={"x": 8, "y": 8})
    assert [row["position"] for row in rows["targets"]] == [{"x": 8, "y": 8, "z": 0}, {"x": 8, "y": 7, "z": 0}]
    refused = table.fail(
        "cast_spell", caster_id=CASTER, spell="dimension door", target_ids=[FOE], target_position={"x": 1, "y": 1}
    )
    assert refused["reason"] == "rule_violation"


def test_a_smooth_talker_rolls_no_less_than_the_floor(table: Hall) -> None:
    cast(table, "glibness", slot=8)
    rolled = table.do("roll_check", [4], character_id=CASTER, check_type="ability", ability="cha")
    assert (rolled["natural"], rolled["rolls"]) == (15, [4])
    assert table.do("roll_check", [4], character_id=CASTER, check_type="ability", ability="str")["natural"] == 4


def test_endurance_brings_hit_points_and_other_gifts_none(table: Hall) -> None:
    assert cast(table, "enhance ability", FRIEND, dice=(3, 4), choice="bears_endurance")["targets"][0]["temp_hp"] == 7
    assert "temp_hp" not in cast(table, "enhance ability", FRIEND, choice="bulls_strength")["targets"][0]


def test_the_ordeal_of_returning_wears_off_with_long_rests(hall_with: HallWith) -> None:
    values = {"campaign.json": hall_documents()["campaign.json"] | {"content": ["srd-5.1"]}}
    dead = hall_documents()[f"characters/{FRIEND}.json"] | {"hp": 0, "character_state": "dead"}
    hall = hall_with(values, {f"characters/{FRIEND}.json": dead})
    hall.do("cast_spell", caster_id=CASTER, spell="raise dead", target_ids=[FRIEND], ignore_economy=True)
    raised = hall.do("roll_check", [10], character_id=FRIEND, check_type="ability", ability="cha")
    for rest, less in enumerate((-3, -2, -1)):
        hall.do("take_rest", character_id=FRIEND, rest_type="long")
        again = hall.do("roll_check", [10], character_id=FRIEND, check_type="ability", ability="cha")
        assert again["total"] - raised["total"] == rest + 1 == less + 4
    assert hall.do("take_rest", character_id=FRIEND, rest_type="long")["effects_ended"] == ["Raise Dead"]


def test_the_foreseeing_are_never_surprised(hall_with: HallWith) -> None:
    values = {"campaign.json": hall_documents()["campaign.json"] | {"content": ["srd-5.1"]}}
    hall = hall_with(values)
    hall.do("cast_spell", caster_id=CASTER, spell="foresight", target_ids=[FRIEND], ignore_economy=True)
    args: Json = {"participants": [{"character_id": FRIEND}], "monsters": [{"monster": "goblin"}]}
    args |= {"surprise": [FRIEND, "goblin"]}
    reply = hall.campaign.process({"tool_calls": [{"id": "a", "tool": "create_encounter", "args": args}]})
    assert reply["status"] == "applied", reply["tool_feedback"]
    surprised = [each.get("surprised", False) for each in hall.encounter()["participants"]]
    assert sorted(surprised) == [False, True]


def test_poison_finds_the_protected_ready(table: Hall) -> None:
    cast(table, "protection from poison", FOE)
    assert body(table, FOE)["effects"][0]["advantage_on"] == ["save_vs_poisoned"]


def test_dispelling_ends_low_spells_at_once_and_high_ones_by_a_check(table: Hall) -> None:
    cast(table, "aid", FRIEND, slot=2)
    cast(table, "greater invisibility", FRIEND)
    row = cast(table, "dispel magic", FRIEND, dice=(1,))["targets"][0]
    assert row["dispelled"] == [
        {"spell": "Greater Invisibility", "level": 4, "check": {"dc": 14, "natural": 1, "total": 5, "success": False}}
        | {"ended": False},
        {"spell": "Aid", "level": 2, "ended": True},
    ]
    assert (effects(table, FRIEND), conditions(table, FRIEND)) == ([], ["invisible"])
    assert table.person(CASTER)["concentration"]["spell_name"] == "Greater Invisibility"
    row = cast(table, "dispel magic", FRIEND, slot=4)["targets"][0]
    assert row["dispelled"] == [{"spell": "Greater Invisibility", "level": 4, "ended": True}]
    assert conditions(table, FRIEND) == []
    assert "concentration" not in table.person(CASTER) or table.person(CASTER)["concentration"] is None
    assert cast(table, "dispel magic", FRIEND)["targets"][0]["dispelled"] == []


def test_spells_without_figures_keep_their_name_and_time(table: Hall) -> None:
    done = cast(table, "find the path")
    assert (done["tier"], done["not_executed"], done["rounds"]) == ("partly", ["effect"], 14_400)
    assert effects(table, CASTER) == ["Find the Path"]
    table.do("manage_concentration", operation="break", character_id=CASTER)
    assert effects(table, CASTER) == []
    assert table.why("cast_spell", caster_id=CASTER, spell="wish") == "not_executable"


def test_a_counterspell_meets_the_next_spell_of_its_target(table: Hall) -> None:
    cast(table, "counterspell", FRIEND)
    again = {"caster_id": FRIEND, "spell": "cure wounds", "target_ids": [FRIEND], "ignore_economy": True}
    low = table.do("cast_spell", **again)
    assert (low["countered"], low["targets"]) == ({"by": CASTER, "success": True}, [])
    assert "countered" not in table.do("cast_spell", [4], **again)
    cast(table, "counterspell", FRIEND)
    high = table.do("cast_spell", [1, 1, 1, 1, 1, 1], **again, slot=5)
    assert high["countered"]["check"] == {"dc": 15, "natural": 1, "total": 5, "success": False}
    assert high["targets"][0]["healing"]["raw"] >= 5
    cast(table, "counterspell", FRIEND, slot=5)
    assert table.do("cast_spell", **again, slot=5)["countered"]["success"] is True
    cast(table, "counterspell", FRIEND)
    advance(table)
    assert effects(table, FRIEND) == []


def test_a_weapon_of_force_moves_only_so_far_when_it_strikes_again(table: Hall) -> None:
    cast(table, "spiritual weapon", FOE, dice=(2,), attack_bonus=-9)
    assert body(table, CASTER)["effects"][0]["at"] == [3, 6, 0]
    far = {"x": 12, "y": 6, "z": 0}
    table.do("manage_condition", target_id=FOE, operation="remove", condition="all", encounter_id=FIGHT)
    move = {"encounter_id": FIGHT, "actor_id": FRIEND, "action_type": "dash", "ignore_economy": True}
    table.do("execute_action", [2], **move, move_to=far)
    told = table.fail("cast_spell", caster_id=CASTER, spell="spiritual weapon", target_ids=[FRIEND], again=True)
    assert told["detail"] == "brom is 45 feet from Spiritual Weapon, which moves 20 feet"
    cast(table, "spiritual weapon", CASTER, dice=(2,), attack_bonus=-9, again=True)
    assert body(table, CASTER)["effects"][0]["at"] == [2, 5, 0]
    cast(table, "arcane sword", FOE, dice=(2,), attack_bonus=-9)
    assert [each.get("at") for each in body(table, CASTER)["effects"]] == [[2, 5, 0], [3, 6, 0]]


def test_a_globe_keeps_spells_out_up_to_its_level(table: Hall) -> None:
    cast(table, "globe of invulnerability", slot=7)
    outside: Json = {"ignore_economy": True, "caster_id": "ogg", "save_dc": 40}
    late = {"character_id": "ogg", "position": {"x": 7, "y": 5}, "is_enemy": True}
    table.do("manage_encounter", [1], operation="add", encounter_id=FIGHT, participants=[late])
    kept = table.do("cast_spell", **outside, spell="bane", target_ids=[CASTER], slot=6)["targets"][0]
    assert kept["unaffected"] == "Globe of Invulnerability blocks it"
    assert "save" in table.do("cast_spell", [5], **outside, spell="bane", target_ids=[CASTER], slot=7)["targets"][0]
    within: Json = {"ignore_economy": True, "caster_id": FRIEND, "save_dc": 40}
    assert "save" in table.do("cast_spell", [5], **within, spell="bane", target_ids=[FOE], slot=1)["targets"][0]


def test_time_stops_for_so_many_turns(table: Hall) -> None:
    cast(table, "time stop", dice=(1,))
    assert body(table, CASTER)["effects"][0]["extra_turns"] == 2
    strike(table, CASTER, FRIEND, 2, attack_bonus=-9)
    turns = [advance(table)["current"]["id"] for _ in range(3)]
    assert turns == [CASTER, CASTER, FRIEND]
    assert effects(table, CASTER) == []
    assert table.encounter().get("round", 1) == 1
