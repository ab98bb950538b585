"""Traits of a race on a sheet: what the dice make of Lucky and of Relentless Endurance."""

from __future__ import annotations

from tests.tools.conftest import HallWith
from tests.tools.hall import sheeted

LUCKY = {"id": "lucky", "name": "Lucky", "figures": {"on": ["attack", "check", "save"], "reroll": 1}}
TOUGH = {"id": "relentless-endurance", "name": "Relentless Endurance", "figures": {"hp_at_0": 1}}


def test_a_one_is_thrown_again_and_of_two_dice_one(hall_with: HallWith) -> None:
    hall = hall_with(sheeted("aria", {"traits": [LUCKY]}))
    check = {"character_id": "aria", "check_type": "ability", "ability": "wis"}
    assert hall.do("roll_check", [1, 14], **check)["natural"] == 14
    assert hall.do("roll_check", [1, 1], **check)["natural"] == 1
    assert hall.do("roll_check", [1, 1, 9], **check, disadvantage=True)["rolls"] == [9, 1]
    assert hall.do("roll_check", [], [1], **check, manual_roll=1)["natural"] == 1


def test_the_word_of_a_race_alone_is_no_trait(hall_with: HallWith) -> None:
    hall = hall_with(sheeted("aria", {"race": "Halfling"}))
    assert hall.do("roll_check", [1], character_id="aria", check_type="ability", ability="wis")["natural"] == 1


def test_who_relents_not_stays_at_one_hit_point_once_between_long_rests(hall_with: HallWith) -> None:
    hall = hall_with(sheeted("aria", {"traits": [TOUGH]}))
    assert hall.do("update_character", character_id="aria", hp="-44")["hp"]["after"] == 1
    assert hall.do("update_character", character_id="aria", hp="-1")["hp"]["after"] == 0
    hall.do("update_character", character_id="aria", hp="+5")
    hall.do("take_rest", character_id="aria", rest_type="long")
    assert hall.do("update_character", character_id="aria", hp="-44")["hp"]["after"] == 1


def test_damage_that_kills_outright_is_not_withstood(hall_with: HallWith) -> None:
    hall = hall_with(sheeted("aria", {"traits": [TOUGH]}))
    assert hall.do("update_character", character_id="aria", hp="-88")["character"]["character_state"] == "dead"
