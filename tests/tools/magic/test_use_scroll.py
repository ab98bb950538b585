"""use_scroll: who may read, who must roll, and what is left of the scroll."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.builders import Json
from tests.sampling import tries
from tests.tools.conftest import HallWith
from tests.tools.hall import Hall, ephemeral, fight, hall_documents, linked

TOOL = "use_scroll"
FIREBALL = {"scroll_name": "Scroll of Fireball", "spell_level": 3}
WISH = {"scroll_name": "Wish", "spell_level": 9}


def carrying(who: str, *items: Json, **fields: Any) -> dict[str, Json]:
    path = f"characters/{who}.json"
    return {path: hall_documents()[path] | {"inventory": list(items)} | fields}


def scroll(name: str = "Scroll of Fireball", quantity: int = 1) -> Json:
    return {"id": "item-s", "name": name, "type": "consumable", "quantity": quantity}


def test_a_spell_that_one_could_cast_needs_no_check(hall_with: HallWith) -> None:
    hall = hall_with(carrying("cyra", scroll()))
    assert hall.do(TOOL, character_id="cyra", **FIREBALL) == {
        "character_id": "cyra",
        "spell_name": "Fireball",
        "spell_level": 3,
        "check_required": False,
        "dc": None,
        "natural": None,
        "rolls": [],
        "modifier": None,
        "total": None,
        "success": True,
        "consumed": True,
        "removed_item": "item-s",
        "targets": [],
        "save_dc": 15,
        "attack_bonus": 7,
    }
    assert "inventory" not in hall.person("cyra")


@pytest.mark.parametrize(("natural", "success"), [(14, False), (15, True), (20, True), (1, False)])
def test_a_higher_spell_asks_for_a_check_and_the_scroll_is_lost_either_way(
    hall_with: HallWith, natural: int, success: bool
) -> None:
    hall = hall_with(carrying("cyra", scroll("Scroll of Wish")))  # INT 18
    read = hall.do(TOOL, (natural,), character_name="cyra", **WISH)
    assert (read["dc"], read["modifier"], read["total"], read["success"]) == (19, 4, natural + 4, success)
    assert (read["consumed"], read["removed_item"]) == (True, "item-s")
    assert "inventory" not in hall.person("cyra")


@pytest.mark.parametrize(
    ("level", "save_dc", "attack_bonus"),
    [
        (0, 13, 5),
        (1, 13, 5),
        (2, 13, 5),
        (3, 15, 7),
        (4, 15, 7),
        (5, 17, 9),
        (6, 17, 9),
        (7, 18, 10),
        (8, 18, 10),
        (9, 19, 11),
    ],
)
def test_the_numbers_are_the_scrolls(hall: Hall, level: int, save_dc: int, attack_bonus: int) -> None:
    args = {"character_id": "brom", "scroll_name": "Anything", "spell_level": level, "caster_level": 20}
    read = hall.do(TOOL, **args)
    assert (read["save_dc"], read["attack_bonus"], read["check_required"]) == (save_dc, attack_bonus, False)
    assert hall.do(TOOL, **args, is_attack_spell=True)["save_dc"] is None
    assert hall.do(TOOL, **args, is_attack_spell=False)["attack_bonus"] is None


@pytest.mark.parametrize(("caster_level", "highest"), [(1, 1), (2, 1), (3, 2), (5, 3), (9, 5), (17, 9), (20, 9)])
def test_full_casters_read_spells_up_to_half_their_level(hall: Hall, caster_level: int, highest: int) -> None:
    args = {"character_id": "cyra", "scroll_name": "Anything", "caster_level": caster_level}
    assert not hall.do(TOOL, **args, spell_level=highest)["check_required"]
    if highest < 9:
        assert hall.do(TOOL, (10,), **args, spell_level=highest + 1)["dc"] == 11 + highest


def test_who_casts_nothing_reads_nothing_unless_the_referee_says_so(hall_with: HallWith) -> None:
    hall = hall_with(carrying("aria", scroll(), equipped={}))
    refused = hall.fail(TOOL, character_id="aria", **FIREBALL)
    assert (refused["reason"], refused["hint"]["field"]) == ("rule_violation", "args.on_class_list")
    read = hall.do(TOOL, (13,), character_id="aria", **FIREBALL, on_class_list=True)
    assert (read["dc"], read["modifier"], read["success"]) == (13, 0, True)


def test_what_is_not_on_the_list_cannot_be_read_and_stays(hall_with: HallWith) -> None:
    hall = hall_with(carrying("cyra", scroll()))
    assert hall.why(TOOL, character_id="cyra", **FIREBALL, on_class_list=False) == "rule_violation"
    assert hall.person("cyra")["inventory"]


def test_a_bonus_that_is_given_counts_instead(hall: Hall) -> None:
    read = hall.do(TOOL, (12,), character_id="cyra", **WISH, arcana_bonus=0)
    assert (read["modifier"], read["total"]) == (0, 12)


@pytest.mark.parametrize("called", ["Scroll of Fireball", " scroll of  fireball", "Fireball", "FIREBALL"])
def test_a_scroll_is_found_under_its_name_or_its_spells(hall_with: HallWith, called: str) -> None:
    hall = hall_with(carrying("cyra", {"id": "item-x", "name": "Fire opal"}, scroll(quantity=2)))
    read = hall.do(TOOL, character_id="cyra", scroll_name=called, spell_level=3)
    assert read["removed_item"] == "item-s"
    assert [item["quantity"] for item in hall.person("cyra")["inventory"]] == [1, 1]


def test_a_thing_with_the_name_of_the_spell_is_no_scroll(hall_with: HallWith) -> None:
    hall = hall_with(carrying("cyra", {"id": "item-x", "name": "Light"}))
    action = hall.action(TOOL, character_id="cyra", scroll_name="Scroll of Light", spell_level=0)
    assert action["result"]["removed_item"] is None
    assert "warnings" in action


@pytest.mark.parametrize("called", ["Scroll of Firebal", "fireballl", "Scroll of Fierball"])
def test_a_scroll_whose_name_is_misspelt_is_not_read(hall_with: HallWith, called: str) -> None:
    hall = hall_with(carrying("cyra", scroll(), scroll("Scroll of Wish") | {"id": "item-w"}))
    failed = hall.fail(TOOL, character_id="cyra", scroll_name=called, spell_level=3)
    assert failed["reason"] == "not_found"
    assert failed["hint"] == {"field": "args.scroll_name", "got": called, "allowed": ["Scroll of Fireball"]}


def test_who_carries_scrolls_is_asked_which_where_none_is_meant(hall_with: HallWith) -> None:
    hall = hall_with(carrying("cyra", scroll("Scroll of Fly"), scroll("Scroll of Wish") | {"id": "item-w"}))
    failed = hall.fail(TOOL, character_id="cyra", scroll_name="Wishing", spell_level=3)
    choices = ["Scroll of Wish", "Scroll of Fly"]
    assert failed["hint"] == {"field": "args.scroll_name", "got": "Wishing", "choices": choices}
    used_up = [scroll("Scroll of Fly", quantity=0)]
    assert hall_with(carrying("cyra", *used_up)).do(TOOL, character_id="cyra", scroll_name="Web", spell_level=1)


def test_a_scroll_in_the_hand_leaves_it(hall_with: HallWith) -> None:
    hall = hall_with(carrying("cyra", scroll(), equipped={"mainhand": "item-s"}))
    hall.do(TOOL, character_id="cyra", **FIREBALL)
    assert "equipped" not in hall.person("cyra")


def test_conditions_and_the_call_help_and_hinder(hall: Hall) -> None:
    hall.do("manage_condition", target_id="cyra", operation="add", condition="poisoned")
    assert hall.do(TOOL, (18, 3), character_id="cyra", **WISH)["natural"] == 3
    assert hall.do(TOOL, (7,), character_id="cyra", **WISH, roll_mode="advantage")["rolls"] == [7]
    assert (
        hall.do(TOOL, (), (19, 2), character_id="brom", **WISH, manual_rolls=[19, 2], roll_mode="adv")["natural"] == 19
    )
    assert hall.do(TOOL, (), (5,), character_id="brom", **WISH, manual_roll=5, roll_mode="adv")["natural"] == 5


def test_help_counts_and_is_used_up(hall_with: HallWith) -> None:
    helped = [{"helper_id": "brom", "kind": "check"}]
    hall = hall_with(fight(linked("cyra", 0, 0, helped=helped), linked("brom", 1, 0)))
    assert hall.do(TOOL, (4, 16), character_id="cyra", **WISH)["natural"] == 16
    assert "helped" not in hall.encounter()["participants"][0]


def test_targets_are_people_of_the_fight_or_the_campaign(hall_with: HallWith) -> None:
    hall = hall_with(fight(linked("cyra", 0, 0), ephemeral("goblin", 4, 4)))
    read = hall.do(TOOL, character_id="cyra", **FIREBALL, target_id="goblin", target_ids=["ogg", "goblin"])
    assert read["targets"] == ["goblin", "ogg"]
    wrong = hall.fail(TOOL, character_id="cyra", **FIREBALL, target_ids=["ogg", "oggo"])
    assert (wrong["reason"], wrong["hint"]["field"]) == ("not_found", "args.target_ids.1")


@pytest.mark.parametrize(
    ("args", "reason", "field"),
    [
        (FIREBALL, "invalid_args", "args.character_id"),
        (FIREBALL | {"character_id": "nobody"}, "not_found", "args.character_id"),
        (FIREBALL | {"character_name": "aria"}, "ambiguous", "args.character_id"),
        ({"character_id": "cyra", "spell_level": 3}, "invalid_args", "args.scroll_name"),
        ({"character_id": "cyra", "scroll_name": "Wish"}, "invalid_args", "args.spell_level"),
        (FIREBALL | {"character_id": "cyra", "spell_level": 10}, "invalid_args", "args.spell_level"),
        (FIREBALL | {"character_id": "cyra", "caster_level": 0}, "invalid_args", "args.caster_level"),
        (FIREBALL | {"character_id": "cyra", "manual_roll": 0}, "invalid_args", "args.manual_roll"),
        (FIREBALL | {"character_id": "cyra", "manual_rolls": [1, 2, 3]}, "invalid_args", "args.manual_rolls"),
        (FIREBALL | {"character_id": "cyra", "roll_mode": "xyz"}, "invalid_args", "args.roll_mode"),
        (FIREBALL | {"character_id": "cyra", "target_id": "nobody"}, "not_found", "args.target_id"),
    ],
)
def test_what_is_wrong_is_told_and_changes_nothing(hall: Hall, args: Json, reason: str, field: str) -> None:
    feedback = hall.fail(TOOL, **args)
    assert (feedback["reason"], feedback["hint"]["field"]) == (reason, field)


@pytest.mark.parametrize("how", ["stunned", "dying"])
def test_who_cannot_act_cannot_read(hall: Hall, how: str) -> None:
    if how == "stunned":
        hall.do("manage_condition", target_id="cyra", operation="add", condition=how)
    else:
        hall.do("hp_delta", target_character_id="cyra", delta=-32, cause="a falling stone")
    assert hall.why(TOOL, character_id="cyra", **FIREBALL) == "rule_violation"


def test_keys_may_be_in_camel_case_and_words_loose(hall: Hall) -> None:
    action = hall.action(
        TOOL, characterId="cyra", scrollName="Shield", spellLevel=1, rollMode="Advantge", spellSchool="abjuraton"
    )
    assert action["args"] == {
        "character_id": "cyra",
        "scroll_name": "Shield",
        "spell_level": 1,
        "roll_mode": "advantage",
        "spell_school": "abjuration",
    }


@given(st.integers(0, 9), st.integers(1, 20), st.integers(1, 20))
@settings(max_examples=tries(10), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_check_is_asked_just_above_what_one_could_cast(
    hall_with: HallWith, level: int, caster_level: int, natural: int
) -> None:
    hall = hall_with()
    needed = level > min(9, (caster_level + 1) // 2)
    args = {"character_id": "cyra", "scroll_name": "Anything", "spell_level": level, "caster_level": caster_level}
    read = hall.do(TOOL, (natural,) if needed else (), **args)
    assert read["check_required"] is needed
    assert read["success"] is (not needed or natural + 4 >= 10 + level)
