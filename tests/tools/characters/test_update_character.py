"""update_character: hit points by every way, fields and what hangs on them, and the game master's word."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.builders import Json, spelt
from tests.sampling import tries
from tests.tools.conftest import HallWith
from tests.tools.hall import Hall, changed, ephemeral, fight, linked, sheeted


def update(hall: Hall, who: str = "aria", dice: tuple[int, ...] = (), /, **args: Any) -> Json:
    return hall.do("update_character", dice, character_id=who, **args)


def after(result: Json) -> int:
    points: int = result["hp"]["after"]
    return points


# hit points


@pytest.mark.parametrize(
    ("hp", "left"),
    [("-7", 37), (-7, 37), ("-0", 44), ("+5", 44), (44, 44), (12, 12), (1, 1), ("-43", 1), ("-44", 0), (0, 0)],
)
def test_hp_hurts_heals_or_sets(hall: Hall, hp: Any, left: int) -> None:
    result = update(hall, hp=hp)
    assert result["hp"] == {"before": 44, "after": left, "max": 44, "temp": 0}
    assert hall.person("aria")["hp"] == left


@pytest.mark.parametrize("args", [{"hp": "+30"}, {"healing": 30}, {"hp": 38}])
def test_nobody_is_healed_above_the_maximum(hall: Hall, args: Json) -> None:
    assert after(update(hall, "dain", **args)) == 38


def test_healing_goes_before_hp(hall: Hall) -> None:
    action = hall.action("update_character", character_id="dain", hp="-5", healing=3)
    assert after(action["result"]) == 23
    assert action["warnings"] == ["hp was not looked at: healing goes before it"]


@pytest.mark.parametrize("hp", ["+", "+-1", "1d6", "+1.5", 1.5, True, "+1" * 9])
def test_hp_is_a_sign_and_digits_or_a_number(hall: Hall, hp: Any) -> None:
    told = hall.fail("update_character", character_id="aria", hp=hp)
    assert (told["reason"], told["hint"]) == ("invalid_args", {"field": "args.hp", "got": hp})


@pytest.mark.parametrize(("hp", "meant"), [("7", 7), ("five", 5), (" +1", "+1")])
def test_hp_in_other_words_is_the_same_number(hall: Hall, hp: str, meant: Any) -> None:
    told = hall.fail("update_character", character_id="aria", hp=hp)
    assert (told["reason"], told["hint"]) == ("invalid_args", {"field": "args.hp", "got": hp, "allowed": [meant]})


@pytest.mark.parametrize("hp", ["", "-", [], {}])
def test_hp_that_holds_nothing_is_left_out(hall: Hall, hp: Any) -> None:
    told = hall.fail("update_character", character_id="aria", hp=hp)
    assert (told["reason"], told["hint"]) == ("invalid_args", {"field": "args.hp", "remove": True})


@pytest.mark.parametrize("args", [{"healing": 0}, {"healing": -1}, {"temp_hp": -1}, {"max_hp": 0}])
def test_amounts_have_bounds(hall: Hall, args: Json) -> None:
    assert hall.why("update_character", character_id="aria", **args) == "invalid_args"


def test_hit_points_are_not_set_above_what_counts_now(hall_with: HallWith) -> None:
    tired = hall_with(changed("aria", conditions=[{"condition": "exhaustion", "exhaustion_level": 4}]))
    assert tired.fail("update_character", character_id="aria", hp=23)["hint"] == {"field": "args.hp", "got": 23}
    aided = hall_with(changed("aria", effects=[{"effect_id": "e", "name": "Aid", "max_hp_modifier": 5}]))
    assert after(update(aided, hp=49)) == 49


def test_falling_to_zero_is_dying(hall: Hall) -> None:
    result = update(hall, hp=0)
    assert result["changes"]["character_state"] == ["alive", "dying"]
    person = hall.person("aria")
    assert [each["condition"] for each in person["conditions"]] == ["unconscious", "prone"]
    assert person["death_saves"]["failures"] == 0


def test_massive_damage_kills_and_setting_to_zero_does_not(hall: Hall) -> None:
    assert update(hall, "dain", hp="-57")["character"]["character_state"] == "dying"
    assert update(hall, "aria", hp="-88")["character"]["character_state"] == "dead"


def test_damage_at_zero_is_a_failed_death_save(hall: Hall) -> None:
    update(hall, hp=0)
    assert update(hall, hp="-1")["character"]["death_saves"]["failures"] == 1


@pytest.mark.parametrize("args", [{"hp": "+1"}, {"hp": 1}, {"healing": 1}])
def test_any_healing_from_zero_wakes(hall: Hall, args: Json) -> None:
    update(hall, hp=0)
    person = update(hall, **args)["character"]
    assert (person["hp"], person["character_state"]) == (1, "alive")
    assert [each["condition"] for each in person["conditions"]] == ["prone"]
    assert "death_saves" not in person


def test_with_the_rule_off_hit_points_change_no_state(hall: Hall) -> None:
    hall.campaign.set({"rules.hp_zero_ends_game": False})
    assert update(hall, hp="-44")["character"]["character_state"] == "alive"
    assert update(hall, character_state="dead")["character"]["character_state"] == "dead"


@pytest.mark.parametrize("change", [{"hp": "-1"}, {"healing": 5}])
def test_who_died_while_the_rule_was_off_is_dead_once_it_is_on_again(hall: Hall, change: Json) -> None:
    hall.campaign.set({"rules.hp_zero_ends_game": False})
    update(hall, hp="-200")
    assert hall.person("aria")["death_saves"]["dead"] is True
    hall.campaign.set({"rules.hp_zero_ends_game": True})
    hall.reply("hp_delta", {"target_character_id": "aria", "delta": -1 if "hp" in change else 5, "cause": "a stone"})
    assert hall.person("aria")["character_state"] == "dead"


@pytest.mark.parametrize(
    ("fields", "kind", "left", "how"),
    [
        ({"resistances": ["fire"]}, "fire", 39, "resisted"),
        ({"resistances": ["fire"]}, "cold", 33, "none"),
        ({"resistances": ["fire"]}, None, 33, "none"),
        ({"immunities": ["fire"]}, "Flame", 44, "immune"),
        ({"vulnerabilities": ["fire"]}, "fire", 22, "vulnerable"),
    ],
)
def test_resistances_count_for_damage_of_a_type(
    hall_with: HallWith, fields: Json, kind: str | None, left: int, how: str
) -> None:
    result = update(hall_with(sheeted("aria", fields)), hp="-11", damage_type=kind)
    assert (after(result), result["adjusted"]) == (left, how)


def test_a_type_without_damage_is_told(hall: Hall) -> None:
    action = hall.action("update_character", character_id="aria", hp=40, damage_type="fire")
    assert action["warnings"] == ["damage_type was not looked at: there is no damage"]


def test_temporary_hit_points_never_add_up_and_go_first(hall: Hall) -> None:
    assert update(hall, temp_hp=8)["hp"]["temp"] == 8
    assert update(hall, temp_hp=5)["hp"]["temp"] == 8
    assert update(hall, temp_hp=5, temp_hp_replace=True)["hp"]["temp"] == 5
    result = update(hall, hp="-7")
    assert (after(result), result["hp"]["temp"]) == (42, 0)


def test_temporary_hit_points_wake_nobody(hall: Hall) -> None:
    update(hall, hp=0)
    assert update(hall, temp_hp=9)["character"]["character_state"] == "dying"


def test_replacing_wants_something_to_replace_by(hall: Hall) -> None:
    told = hall.fail("update_character", character_id="aria", temp_hp_replace=True)
    assert told["hint"] == {"field": "args.temp_hp_replace", "remove": True}


def test_damage_asks_who_concentrates_for_a_save_and_setting_does_not(hall_with: HallWith) -> None:
    hall = hall_with(changed("cyra", concentration={"spell_name": "Web"}))
    assert "concentration_check" not in update(hall, "cyra", hp=31)
    check = update(hall, "cyra", (8,), hp="-4")["concentration_check"]
    assert (check["dc"], check["total"], check["success"]) == (10, 10, True)
    assert update(hall, "cyra", (7,), hp="-4")["concentration_check"]["broken"]
    assert "concentration" not in hall.person("cyra")


@pytest.mark.parametrize("args", [{"hp": 0}, {"hp": "-32"}, {"character_state": "dead"}])
def test_who_falls_concentrates_no_more(hall_with: HallWith, args: Json) -> None:
    held = {"name": "Bless", "effect_id": "effect-1", "duration": "concentration", "source": "cyra"}
    hall = hall_with(changed("cyra", concentration={"spell_name": "Bless"}), changed("aria", effects=[held]))
    update(hall, "cyra", **args)
    assert "concentration" not in hall.person("cyra")
    assert "effects" not in hall.person("aria")


# the game master's word


@pytest.mark.parametrize(
    ("args", "hp"), [({}, 1), ({"hp": 5}, 5), ({"healing": 7}, 7), ({"hp": "+9"}, 9), ({"healing": 99}, 44)]
)
def test_the_dead_are_raised_by_word_alone(hall: Hall, args: Json, hp: int) -> None:
    killed = update(hall, character_state="dead")
    assert (after(killed), killed["character"]["character_state"]) == (0, "dead")
    told = hall.fail("update_character", character_id="aria", healing=5)
    assert (told["status"], told["reason"]) == ("rejected", "rule_violation")
    assert told["hint"] == {"field": "args.character_state", "add": True, "choices": ["alive"]}
    assert hall.why("update_character", character_id="aria", hp=5) == "rule_violation"
    risen = update(hall, character_state="alive", **args)
    assert (after(risen), risen["character"]["character_state"]) == (hp, "alive")
    assert "death_saves" not in hall.person("aria")


def test_nobody_lives_with_six_levels_of_exhaustion(hall_with: HallWith) -> None:
    hall = hall_with(
        changed("aria", hp=0, character_state="dead", conditions=[{"condition": "exhaustion", "exhaustion_level": 6}])
    )
    assert update(hall, character_state="alive")["character"]["conditions"][0]["exhaustion_level"] == 5


def test_the_word_ends_dying_and_permanent_restraint(hall_with: HallWith) -> None:
    hall = hall_with(changed("dain", character_state="restrained_permanent"))
    assert update(hall, "dain", character_state="alive")["hp"]["after"] == 20
    update(hall, hp=0)
    risen = update(hall, character_state="alive")["character"]
    assert (risen["hp"], risen["character_state"]) == (1, "alive")


@pytest.mark.parametrize(
    "args",
    [
        {"character_state": "dead", "hp": 3},
        {"character_state": "dead", "healing": 3},
        {"character_state": "dead", "hp": "-3"},
        {"character_state": "alive", "hp": 0},
        {"character_state": "alive", "hp": "-3"},
    ],
)
def test_the_word_and_hit_points_do_not_contradict_each_other(hall: Hall, args: Json) -> None:
    told = hall.fail("update_character", character_id="aria", **args)
    assert told["hint"].keys() == {"field", "got"}
    assert told["hint"]["field"] in {"args.hp", "args.healing"}


def test_who_has_no_sheet_is_killed_and_raised_too(hall: Hall) -> None:
    assert update(hall, "lena", character_state="dead")["hp"]["after"] == 0
    assert "death_saves" not in hall.person("lena")
    assert update(hall, "lena", character_state="alive", hp=4)["hp"]["after"] == 4


# fields


def test_only_what_is_given_changes(hall: Hall) -> None:
    before = hall.person("aria")
    result = update(hall, name="Aria the Bold", background="Soldier")
    assert result["changes"] == {"name": ["Aria", "Aria the Bold"], "background": [None, "Soldier"]}
    sheet = before["sheet"] | {"background": "Soldier"}
    assert hall.person("aria") == before | {"name": "Aria the Bold", "sheet": sheet}


def test_nothing_given_changes_nothing(hall: Hall) -> None:
    before = spelt(hall.campaign.state)
    assert update(hall)["changes"] == {}
    assert spelt(hall.campaign.state) == before


def test_scores_merge(hall: Hall) -> None:
    result = update(hall, stats={"str": 20})
    assert result["changes"] == {"stats.str": [18, 20]}


@pytest.mark.parametrize(
    ("args", "most"),
    [
        ({"level": 6}, 52),
        ({"class": "Barbarian"}, 50),
        ({"stats": {"con": 18}}, 54),
        ({"stats": {"con": 15}}, 44),
        ({"class": "FIGHTER"}, 44),
        ({"level": 5}, 44),
        ({"level": 6, "max_hp": 60}, 60),
        ({"custom_class": {"name": "Titan", "hit_die": 12}}, 50),
    ],
)
def test_level_class_and_constitution_change_the_maximum(hall: Hall, args: Json, most: int) -> None:
    result = update(hall, **args)
    assert (result["hp"]["max"], after(result)) == (most, 44)


def test_a_custom_hit_die_is_not_forgotten(hall_with: HallWith) -> None:
    own = {"name": "Titan", "hit_die": 12}
    hall = hall_with(sheeted("aria", {"class": "Titan", "custom_class": own}))
    assert update(hall, level=6)["hp"]["max"] == 14 + 5 * 9


@pytest.mark.parametrize("args", [{"level": 1}, {"max_hp": 12}, {"stats": {"con": 1}}])
def test_hit_points_are_cut_to_a_lower_maximum(hall: Hall, args: Json) -> None:
    result = update(hall, **args)
    assert after(result) == result["hp"]["max"] < 44


def test_slots_and_hit_dice_follow_the_level_and_what_is_spent_stays_spent(hall: Hall) -> None:
    sheet = update(hall, "cyra", level=7)["character"]["sheet"]
    assert sheet["spell_slots"] == {
        "1": {"current": 4, "max": 4},
        "2": {"current": 1, "max": 3},
        "3": {"current": 3, "max": 3},
        "4": {"current": 1, "max": 1},
    }
    assert sheet["hit_dice"] == {"current": 4, "max": 7}
    assert update(hall, "cyra", level=7)["character"]["proficiency_bonus"] == 3


def test_another_class_leaves_a_custom_one_and_its_resource_behind(hall_with: HallWith) -> None:
    own = {"name": "Gambler", "resource_name": "luck", "resource_max": 3}
    hall = hall_with()
    update(hall, custom_class=own)
    assert hall.person("aria")["sheet"]["resource"] == {"name": "luck", "current": 3, "max": 3}
    assert update(hall, resource=1)["changes"]["resource"][1]["current"] == 1
    sheet = update(hall, "aria", (), **{"class": "Rogue"})["character"]["sheet"]
    assert "custom_class" not in sheet
    assert "resource" not in sheet


def test_bonuses_of_a_race_are_added_once(hall: Hall) -> None:
    race = {"name": "Ox", "ability_bonuses": {"str": 2}}
    assert update(hall, custom_race=race)["changes"]["stats.str"] == [18, 20]
    assert update(hall, custom_race=race)["changes"] == {}
    other = {"name": "Cat", "ability_bonuses": {"dex": 2}}
    changes = update(hall, custom_race=other)["changes"]
    assert (changes["stats.str"], changes["stats.dex"]) == ([20, 18], [14, 16])


ELF: Json = {
    "name": "Elf",
    "ability_bonuses": {"dex": 2},
    "speed": 40,
    "fly_speed": 60,
    "darkvision": 60,
    "size": "small",
    "resistances": ["cold"],
    "condition_immunities": ["charmed"],
}


@pytest.mark.parametrize("given", [{"race": "Human"}, {"custom_race": {"name": "Human"}}])
def test_another_race_leaves_a_custom_one_behind_with_all_it_brought(hall: Hall, given: Json) -> None:
    before = update(hall, resistances=["fire"])["character"]["sheet"]
    assert update(hall, custom_race=ELF)["character"]["sheet"]["resistances"] == ["fire", "cold"]
    after = update(hall, **given)["character"]["sheet"]
    assert after.pop("custom_race", {"name": "Human"})["name"] == "Human"
    assert after == before


def test_a_race_takes_no_more_away_than_it_really_brought(hall_with: HallWith) -> None:
    own = {"stats": {"str": 29, "dex": 14}, "speed": 40, "fly_speed": 20, "resistances": ["cold", "fire"]}
    hall = hall_with(sheeted("aria", own | {"senses": {"darkvision": 30, "truesight": 10}}))
    before = hall.person("aria")["sheet"]
    race = ELF | {"ability_bonuses": {"str": 4, "dex": 2}, "darkvision": 30}
    mixed = update(hall, custom_race=race)["character"]["sheet"]
    assert (mixed["stats"]["str"], mixed["fly_speed"], mixed["resistances"]) == (30, 60, ["cold", "fire"])
    assert update(hall, custom_race=race)["changes"] == {}
    assert update(hall, race="Human")["character"]["sheet"] == before


@pytest.mark.parametrize(
    ("race", "gains"),
    [
        ({"resistances": ["fire", "fire"], "ability_bonuses": {"str": 1}}, None),
        (
            {"resistances": ["fire"], "ability_bonuses": {"str": 20}},
            {"ability_bonuses": {"str": 12}, "resistances": ["fire"]},
        ),
        ({"speed": 40}, {"speed": 25}),
    ],
)
def test_only_what_happened_otherwise_than_a_race_says_is_kept(
    hall_with: HallWith, race: Json, gains: Json | None
) -> None:
    hall = hall_with(sheeted("aria", {"speed": 25, "senses": {"darkvision": 60}, "stats": {"str": 18}}))
    before = hall.person("aria")["sheet"]
    after = update(hall, custom_race={"name": "Salamander"} | race)["character"]["sheet"]
    assert after.get("race_gains") == gains
    assert after["custom_race"] == {"name": "Salamander"} | race
    assert (after["senses"], after["speed"]) == ({"darkvision": 60}, race.get("speed", 25))
    assert update(hall, race=before["race"])["character"]["sheet"] == before


def test_what_changed_since_a_race_came_stays(hall: Hall) -> None:
    update(hall, custom_race=ELF)
    update(hall, speed=25, resistances=["cold", "acid"], stats={"str": 12})
    sheet = update(hall, race="Human")["character"]["sheet"]
    assert (sheet["speed"], sheet["resistances"], sheet["stats"]["str"]) == (25, ["cold", "acid"], 12)


def test_a_race_of_an_older_sheet_brought_what_it_says(hall_with: HallWith) -> None:
    race = {"name": "Ox", "ability_bonuses": {"str": 2}, "speed": 40, "resistances": ["cold"]}
    old = {"race": "Ox", "custom_race": race, "stats": {"str": 20}, "speed": 40, "resistances": ["cold", "fire"]}
    sheet = update(hall_with(sheeted("aria", old)), race="Human")["character"]["sheet"]
    assert (sheet["stats"]["str"], sheet["speed"], sheet["resistances"]) == (18, 30, ["fire"])


def test_what_is_said_beside_a_new_race_stands(hall: Hall) -> None:
    update(hall, custom_race=ELF)
    sheet = update(hall, race="Human", resistances=["cold"], stats={"dex": 18}, speed=25)["character"]["sheet"]
    assert (sheet["resistances"], sheet["stats"]["dex"], sheet["speed"]) == (["cold"], 18, 25)
    changes = update(hall, custom_race={"name": "Human"})["changes"]
    assert changes.keys() == {"custom_race"}


def test_who_is_called_what_they_are_stays_of_their_race(hall: Hall) -> None:
    update(hall, custom_race=ELF)
    assert update(hall, race=" elf ", resistances=[])["changes"] == {"race": ["Elf", " elf "]}


@pytest.mark.parametrize(
    ("resource", "told"),
    [
        ({"name": "ki", "current": 4, "max": 3}, {"field": "args.resource.current", "got": 4}),
        ("all", None),
        ({"name": "ki", "current": 1}, {"field": "args.resource.max", "add": True}),
        (-1, None),
    ],
)
def test_a_resource_has_bounds(hall: Hall, resource: Any, told: Json | None) -> None:
    failed = hall.fail("update_character", character_id="aria", resource=resource)
    assert failed["reason"] == "invalid_args"
    assert told is None or failed["hint"] == told


def test_how_much_is_left_wants_a_resource(hall: Hall) -> None:
    assert hall.why("update_character", character_id="aria", resource=1) == "rule_violation"
    update(hall, resource={"name": "ki", "current": 1, "max": 3})
    told = hall.fail("update_character", character_id="aria", resource=4)
    assert told["hint"] == {"field": "args.resource", "got": 4}
    assert update(hall, resource=0)["character"]["resource"]["current"] == 0


# without a sheet


@pytest.mark.parametrize(("hp", "left"), [("-3", 5), ("+3", 11), (20, 20), (0, 0)])
def test_hit_points_without_a_maximum_have_no_ceiling(hall: Hall, hp: Any, left: int) -> None:
    result = update(hall, "lena", hp=hp)
    assert result["hp"] == {"before": 8, "after": left, "max": None, "temp": 0}


def test_hit_points_stay_within_what_json_holds(hall: Hall) -> None:
    update(hall, "lena", hp=2**53)
    assert hall.why("update_character", character_id="lena", healing=1) == "invalid_args"


@pytest.mark.parametrize(
    "args", [{"level": 2}, {"class": "Bard"}, {"temp_hp": 3}, {"resource": 1}, {"stats": {"str": 9}}]
)
def test_what_needs_a_sheet_is_refused_with_what_gives_one(hall: Hall, args: Json) -> None:
    told = hall.fail("update_character", character_id="lena", **args)
    assert told["reason"] == "rule_violation"
    assert told["hint"] == {"field": "args.max_hp", "add": True}


def test_a_maximum_gives_a_sheet(hall: Hall) -> None:
    update(hall, "lena", (), max_hp=5, level=3, **{"class": "Bard"})
    person = hall.person("lena")
    assert (person["hp"], person["max_hp"], person["sheet"]["level"]) == (5, 5, 3)
    assert person["sheet"]["spell_slots"] == {"1": {"current": 4, "max": 4}, "2": {"current": 2, "max": 2}}
    assert person["sheet"]["hit_dice"] == {"current": 3, "max": 3}


def test_name_and_type_need_no_sheet(hall: Hall) -> None:
    assert update(hall, "lena", name="Lena Moss", character_type="ally")["changes"] == {"name": ["Lena", "Lena Moss"]}


def test_who_has_no_hit_points_can_be_given_some(hall_with: HallWith) -> None:
    hall = hall_with(changed("lena", hp=None))
    assert hall.why("update_character", character_id="lena", hp="-3") == "rule_violation"
    assert after(update(hall, "lena", hp=3)) == 3


# fights


def test_a_participant_and_the_character_are_one(hall_with: HallWith) -> None:
    hall = hall_with(fight(linked("aria", 0, 0) | {"id": "p1"}))
    result = hall.do("update_character", character_id="p1", encounter_id="encounter-1", hp="-4", level=6)
    assert (result["character_id"], result["participant_id"]) == ("aria", "p1")
    assert hall.person("aria")["hp"] == 40
    assert hall.encounter()["participants"][0]["statistics"] == {"damage_taken": 4}


def test_of_who_exists_in_a_fight_alone_only_hit_points_change(hall_with: HallWith) -> None:
    hall = hall_with(fight(ephemeral("g1", 0, 0, hp=7)))
    where = {"character_id": "g1", "encounter_id": "encounter-1"}
    result = hall.do("update_character", **where, hp="-4", damage_type="fire")
    assert (result["character_id"], result["participant_id"], after(result)) == (None, "g1", 3)
    assert hall.do("update_character", **where, temp_hp=4)["hp"]["temp"] == 4
    assert hall.do("update_character", **where, character_state="dead")["hp"]["after"] == 0
    assert hall.encounter()["participants"][0]["body"]["character_state"] == "dead"
    for args in ({"level": 2}, {"max_hp": 9}, {"name": "Gob"}, {"ac": 3}, {"resource": 1}, {"character_type": "npc"}):
        told = hall.fail("update_character", **where, **args)
        (key,) = args
        assert told["hint"] == {"field": f"args.{key}", "got": args[key]}


def test_names_are_looked_for_in_the_fight_first(hall_with: HallWith) -> None:
    hall = hall_with(fight(linked("aria", 0, 0)))
    assert hall.why("update_character", character_name="aria", hp=3) == "ambiguous"
    assert hall.do("update_character", character_name="ARIA", encounter_id="encounter-1", hp=3)["hp"]["after"] == 3
    told = hall.fail("update_character", character_name="aria", encounter_id="encounter-9", hp=3)
    assert (told["reason"], told["hint"]["choices"]) == ("not_found", ["encounter-1"])


def test_another_name_is_the_name_in_the_fight_too(hall_with: HallWith) -> None:
    hall = hall_with(fight(linked("brom", 0, 0), ephemeral("g1", 5, 5)))
    hall.do("update_character", character_id="brom", name="Bromwyn")
    where = {"encounter_id": "encounter-1"}
    assert hall.do("execute_action", **where, actor_name="bromwyn", action_type="dodge")["actor"] == "brom"
    assert hall.do("manage_condition", **where, target_name="Bromwyn", operation="query")["target"] == "brom"
    shown = hall.do("get_encounter", **where)
    assert (shown["current_turn"]["name"], shown["participants"][0]["name"]) == ("Bromwyn", "Bromwyn")
    assert hall.fail("execute_action", **where, actor_name="Brom", action_type="dodge")["reason"] == "not_found"


def test_an_ended_fight_can_only_be_read(hall_with: HallWith) -> None:
    hall = hall_with(fight(ephemeral("g1", 0, 0), status="ended"))
    assert hall.why("update_character", character_id="g1", encounter_id="encounter-1", hp=3) == "conflict"


@pytest.mark.parametrize(
    ("start", "size", "end"),
    [((19, 5), "large", (18, 5)), ((19, 18), "gargantuan", (16, 16)), ((16, 0), "huge", (16, 0))],
)
def test_who_grows_at_the_edge_of_a_fight_stands_on_the_grid_and_goes_on(
    hall_with: HallWith, start: tuple[int, int], size: str, end: tuple[int, int]
) -> None:
    hall = hall_with(fight(linked("aria", *start), linked("brom", 3, 3)))
    (x, y), where = end, {"encounter_id": "encounter-1"}
    update(hall, size=size)
    assert hall.encounter()["participants"][0]["position"] == {"x": x, "y": y, "z": 0}
    reached = hall.do("calculate_movement", mode="reach", combatant_id="aria", **where)["squares"]
    assert reached[0] == [x, y, 0]
    assert len(reached) > 1
    moved = hall.do("execute_action", actor_id="aria", move_to={"x": x - 2, "y": y}, **where)["movement"]
    assert (moved["from"], moved["cost"]) == ({"x": x, "y": y, "z": 0}, 10)


def test_who_has_another_size_for_the_fight_stays_where_they_are(hall_with: HallWith) -> None:
    hall = hall_with(fight(linked("aria", 19, 5, overrides={"size": "medium"}), linked("brom", 3, 3)))
    update(hall, size="huge")
    assert hall.encounter()["participants"][0]["position"] == {"x": 19, "y": 5, "z": 0}


# several


def test_a_batch_runs_in_order_each_seeing_the_one_before(hall: Hall) -> None:
    items = [
        {"character_id": "aria", "hp": "-40"},
        {"character_id": "aria", "hp": "-4"},
        {"character_id": "aria", "hp": 45},
    ]
    action = hall.reply("update_character", {"batch": items})["applied_actions"][0]
    told = [entry["result"]["hp"]["after"] if entry["ok"] else entry["reason"] for entry in action["result"]["results"]]
    assert told == [4, 0, "invalid_args"]


def test_all_or_nothing(hall: Hall) -> None:
    items = [{"character_id": "aria", "hp": "-40"}, {"character_id": "nobody", "hp": "-4"}]
    assert hall.why("update_character", batch=items, atomic=True) == "not_found"


def test_damage_is_dealt_by_its_old_name(hall: Hall) -> None:
    action = hall.action("apply_damage", target_id="brom", damage=9, damageType="poison")
    assert (action["tool"], action["alias_of"]) == ("update_character", "apply_damage")
    assert action["args"] == {"character_id": "brom", "hp": "-9", "damage_type": "poison"}
    assert after(action["result"]) == 34


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=tries(25))
@given(
    steps=st.lists(
        st.one_of(
            st.builds(lambda n: {"hp": f"-{n}"}, st.integers(0, 60)),
            st.builds(lambda n: {"hp": f"+{n}"}, st.integers(0, 60)),
            st.builds(lambda n: {"hp": n}, st.integers(0, 60)),
            st.builds(lambda n: {"temp_hp": n}, st.integers(0, 10)),
            st.builds(lambda n: {"level": n}, st.integers(1, 20)),
            st.sampled_from([{"character_state": "dead"}, {"character_state": "alive"}]),
        ),
        max_size=6,
    )
)
def test_hit_points_always_lie_between_nothing_and_the_maximum(hall: Hall, steps: list[Json]) -> None:
    calls = [
        {"id": str(n), "tool": "update_character", "args": {"character_id": "aria"} | args}
        for n, args in enumerate(steps)
    ]
    for action in hall.campaign.process({"tool_calls": calls}, dry_run=True)["applied_actions"]:
        person, hp = action["result"]["character"], action["result"]["hp"]
        assert 0 <= hp["after"] <= hp["max"]
        assert (person["character_state"] == "alive") == (hp["after"] > 0)
