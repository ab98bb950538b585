"""level_up: hit points by every method, and slots that grow without being refilled."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.builders import Json
from tests.sampling import tries
from tests.tools.conftest import HallWith
from tests.tools.hall import Hall, changed, sheeted

from turnwright.rulesets.fifth_edition.magic.slots import pact_slots, spell_slots


def up(hall: Hall, who: str = "aria", dice: tuple[int, ...] = (), /, **args: Any) -> Json:
    return hall.do("level_up", dice, character_id=who, **args)


@pytest.mark.parametrize(
    ("args", "dice", "gain"),
    [
        ({}, (), 8),
        ({"hp_method": "average"}, (), 8),
        ({"hp_method": "max"}, (), 12),
        ({"hp_method": "roll"}, (3,), 5),
        ({"hp_method": "roll", "manual_roll": 10}, (10,), 12),
        ({"hp_method": "manual", "manual_hp": 4}, (), 4),
        ({"hpMethod": "Fixed"}, (), 8),
        ({"target_level": 8}, (), 24),
        ({"target_level": 8, "hp_method": "roll"}, (1, 2, 10), 19),
        ({"target_level": 7, "hp_method": "roll", "manual_roll": 1}, (1, 1), 6),
        ({"target_level": 8, "hp_method": "manual", "manual_hp": 4}, (), 12),
    ],
)
def test_hit_points_by_every_method(hall: Hall, args: Json, dice: tuple[int, ...], gain: int) -> None:
    result = up(hall, "aria", dice, **args)
    assert (result["hp_gain"], result["rolls"]) == (gain, list(dice))
    assert (result["old_max_hp"], result["new_max_hp"], result["hp"]) == (44, 44 + gain, 44 + gain)
    levels = args.get("target_level", 6) - 5
    assert (result["old_level"], result["new_level"]) == (5, 5 + levels)
    assert result["hit_dice"] == {"current": 5 + levels, "max": 5 + levels}


@pytest.mark.parametrize("method", ["average", "max", "roll"])
def test_each_level_gives_at_least_one_hit_point(hall_with: HallWith, method: str) -> None:
    hall = hall_with(sheeted("cyra", {"stats": {"con": 1}}))
    dice = (1, 1) if method == "roll" else ()
    assert up(hall, "cyra", dice, target_level=7, hp_method=method)["hp_gain"] == 2


def test_the_wounded_gain_as_much_and_the_fallen_only_in_maximum(hall: Hall) -> None:
    assert up(hall, "dain")["hp"] == 27
    hall.do("update_character", character_id="dain", hp=0)
    result = up(hall, "dain")
    assert (result["hp"], result["new_max_hp"]) == (0, 52)
    assert hall.person("dain")["character_state"] == "dying"


def test_slots_rise_by_the_increase_only(hall: Hall) -> None:
    result = up(hall, "cyra")
    assert result["spell_slots"] == {
        "1": {"current": 4, "max": 4},
        "2": {"current": 1, "max": 3},
        "3": {"current": 3, "max": 3},
    }
    assert up(hall, "cyra")["spell_slots"]["4"] == {"current": 1, "max": 1}


def test_hit_dice_spent_stay_spent(hall: Hall) -> None:
    assert up(hall, "cyra")["hit_dice"] == {"current": 3, "max": 6}


def test_pact_slots_follow_the_row_of_the_warlock(hall_with: HallWith) -> None:
    pact = {"class": "Warlock", "level": 10, "pact_slots": {"current": 0, "max": 2, "slot_level": 5}}
    hall = hall_with(sheeted("dain", pact))
    assert up(hall, "dain")["pact_slots"] == {"current": 1, "max": 3, "slot_level": 5}
    assert hall.do("get_character", character_id="dain")["pact_slots"]["max"] == 3


def test_the_proficiency_bonus_rises_at_nine(hall: Hall) -> None:
    result = up(hall, target_level=9)
    assert (result["old_proficiency"], result["new_proficiency"]) == (3, 4)


def test_the_resource_of_a_custom_class_grows_and_is_whole_again(hall_with: HallWith) -> None:
    own = {"name": "Monk of Ash", "resource_name": "ki", "resource_max": 2, "resource_scaling": "level", "hit_die": 6}
    resource = {"name": "ki", "current": 1, "max": 6}
    hall = hall_with(sheeted("dain", {"class": own["name"], "custom_class": own, "resource": resource}))
    result = up(hall, "dain")
    assert result["resource"] == {"name": "ki", "current": 7, "max": 7}
    assert result["hp_gain"] == 6


def test_a_resource_may_grow_by_a_part_each_level(hall: Hall) -> None:
    own = {"name": "Shaman", "resource_name": "totems", "resource_max": 1, "resource_scaling": 0.75}
    made = hall.do("create_character", name="Una", level=4, custom_class=own)
    assert made["character"]["resource"]["max"] == 3
    assert hall.person(made["character_id"])["sheet"]["custom_class"]["resource_scaling"] == 0.75
    assert up(hall, made["character_id"])["resource"]["max"] == 4


def test_what_is_learnt_is_written_down_once(hall_with: HallWith) -> None:
    hall = hall_with(sheeted("cyra", {"known_spells": ["Web"], "features": ["Arcane Recovery"]}))
    up(hall, "cyra", new_spells=["Fireball", "Web"], new_features=["Sculpt Spells"])
    sheet = hall.person("cyra")["sheet"]
    assert sheet["known_spells"] == ["Web", "Fireball"]
    assert sheet["features"] == ["Arcane Recovery", "Sculpt Spells"]


def test_what_belongs_to_another_method_is_asked_about(hall: Hall) -> None:
    told = hall.fail("level_up", character_id="aria", manual_hp=9, manual_roll=3)
    assert [each["choices"] for each in told["hints"]] == [["manual"], ["roll"]]


@pytest.mark.parametrize(
    ("args", "reason", "hint"),
    [
        ({"target_level": 5}, "rule_violation", {"field": "args.target_level", "got": 5, "choices": [6]}),
        ({"target_level": 2}, "rule_violation", {"field": "args.target_level", "got": 2, "choices": [6]}),
        ({"target_level": 21}, "invalid_args", {"field": "args.target_level", "got": 21}),
        ({"target_level": 1}, "invalid_args", {"field": "args.target_level", "got": 1}),
        ({"hp_method": "manual"}, "invalid_args", {"field": "args.manual_hp", "add": True}),
        (
            {"hp_method": "roll", "manual_roll": 11},
            "invalid_args",
            {"field": "args.manual_roll", "got": 11},
        ),
        (
            {"hp_method": "roll", "manual_roll": 0},
            "invalid_args",
            {"field": "args.manual_roll", "got": 0},
        ),
    ],
)
def test_levels_that_cannot_be_are_refused(hall: Hall, args: Json, reason: str, hint: Json) -> None:
    told = hall.fail("level_up", character_id="aria", **args)
    assert (told["reason"], told["hint"]) == (reason, hint)


@pytest.mark.parametrize(("args", "reason"), [({"character_id": "lena"}, "rule_violation"), ({}, "invalid_args")])
def test_a_level_wants_a_sheet(hall: Hall, args: Json, reason: str) -> None:
    assert hall.why("level_up", **args) == reason


def test_nobody_is_above_level_twenty(hall_with: HallWith) -> None:
    hall = hall_with(sheeted("aria", {"level": 20}))
    assert hall.why("level_up", character_id="aria") == "rule_violation"


def test_a_batch_raises_several_or_one_twice(hall: Hall) -> None:
    items = [{"character_name": "Brom"}, {"character_name": "brom"}, {"character_name": "lena"}]
    result = hall.reply("level_up", {"batch": items})["applied_actions"][0]["result"]
    assert [entry["result"]["new_level"] for entry in result["results"] if entry["ok"]] == [6, 7]
    assert result["results"][2]["reason"] == "rule_violation"


CASTERS = {"Wizard": "full", "Paladin": "half", "Warlock": "warlock", "Rogue": "none"}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=tries(15))
@given(
    name=st.sampled_from(sorted(CASTERS)), start=st.integers(1, 19), target=st.integers(2, 20), spent=st.integers(0, 3)
)
def test_maxima_follow_the_tables_and_what_is_left_rises_by_the_difference(
    hall: Hall, name: str, start: int, target: int, spent: int
) -> None:
    calls = [
        {"id": "a", "tool": "create_character", "args": {"name": "Ysolde", "class": name, "level": start}},
        {
            "id": "b",
            "tool": "manage_spell_slots",
            "args": {"character_name": "Ysolde", "operation": "expend", "slot_level": 1, "count": spent},
        },
        {"id": "c", "tool": "level_up", "args": {"character_name": "Ysolde", "target_level": target}},
    ]
    reply = hall.campaign.process({"tool_calls": calls if spent else [calls[0], calls[2]]}, dry_run=True)
    done = {action["id"]: action["result"] for action in reply["applied_actions"]}
    assert ("c" in done) == (target > start)
    if "c" not in done:
        return
    used = sum(row["count"] for row in done["b"]["expended"]) if "b" in done else 0
    after = done["c"]["spell_slots"]
    caster: Any = CASTERS[name]
    assert [pool["max"] for pool in after.values()] == list(spell_slots(caster, target))
    assert sum(pool["max"] - pool["current"] for pool in after.values()) == used
    row = pact_slots(caster, target)
    assert (done["c"]["pact_slots"] is None) == (row is None)
    if row:
        assert (done["c"]["pact_slots"]["max"], done["c"]["pact_slots"]["slot_level"]) == row


MAX_COUNT = 2**53
LUCKY = {"name": "Gambler", "resource_name": "luck", "resource_max": MAX_COUNT, "resource_scaling": MAX_COUNT}


def test_nothing_grows_beyond_what_a_document_holds(hall_with: HallWith) -> None:
    own = {"class": "Gambler", "custom_class": LUCKY}
    result = up(hall_with(sheeted("aria", own, hp=MAX_COUNT, max_hp=MAX_COUNT)))
    assert (result["hp"], result["new_max_hp"], result["resource"]["max"]) == (MAX_COUNT, MAX_COUNT, MAX_COUNT)


def test_what_effects_add_up_to_is_no_more_than_a_document_holds(hall_with: HallWith) -> None:
    giant = [
        {"effect_id": f"e{n}", "name": f"Giant {n}", "max_hp_modifier": MAX_COUNT, "ac_bonus": MAX_COUNT}
        for n in (1, 2)
    ]
    hall = hall_with(changed("aria", effects=giant))
    hall.do("take_rest", character_id="aria", rest_type="long")
    assert hall.person("aria")["hp"] == MAX_COUNT
    assert up(hall)["hp"] == MAX_COUNT
