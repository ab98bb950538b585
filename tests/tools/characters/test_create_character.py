"""create_character: what a class, a race and a few numbers make of somebody."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import Json
from tests.tools.hall import Hall

from turnwright.rulesets.fifth_edition.sheets.classes import CLASSES

ARGS = ("error", "invalid_args")


def create(hall: Hall, **args: Any) -> Json:
    character: Json = hall.do("create_character", **({"name": "Mira"} | args))["character"]
    return character


@pytest.mark.parametrize(
    ("args", "most"),
    [
        ({"class": "Wizard", "level": 5, "stats": {"con": 14}}, 32),
        ({"class": "Fighter"}, 10),
        ({"class": "Barbarian", "level": 3, "stats": {"con": 16}}, 35),
        ({"class": "wizard", "level": 3, "stats": {"con": 1}}, 3),
        ({"class": "Beekeeper", "level": 2}, 13),
        ({"custom_class": {"name": "Titan", "hit_die": 12}, "level": 2}, 19),
        ({"custom_class": {"name": "Titan"}, "level": 2}, 13),
    ],
)
def test_hit_points_follow_from_class_level_and_constitution(hall: Hall, args: Json, most: int) -> None:
    character = create(hall, **args)
    assert (character["hp"], character["max_hp"]) == (most, most)
    assert character["hit_dice"] == {"current": args.get("level", 1), "max": args.get("level", 1)}


def test_what_is_left_out_is_a_first_level_human_fighter(hall: Hall) -> None:
    character = create(hall)
    sheet = character["sheet"]
    assert (sheet["race"], sheet["class"], sheet["level"], sheet["speed"]) == ("Human", "Fighter", 1, 30)
    assert sheet["stats"] == dict.fromkeys(("str", "dex", "con", "int", "wis", "cha"), 10)
    assert character["character_type"] == "pc"
    assert character["position"] is None
    assert character["character_state"] == "alive"
    assert (character["proficiency_bonus"], character["caster_type"], character["spell_slots"]) == (2, "none", {})
    assert hall.person("character-1")["name"] == "Mira"


def test_armor_class_is_reckoned_from_dexterity_unless_given(hall: Hall) -> None:
    create(hall, stats={"dex": 16})
    create(hall, stats={"dex": 16}, ac=0)
    first, second = (hall.do("get_character", character_id=f"character-{n}")["effective"]["ac"] for n in (1, 2))
    assert (first["effective"], second["effective"]) == (13, 0)


def test_movement_of_zero_is_zero(hall: Hall) -> None:
    assert create(hall, speed=0)["sheet"]["speed"] == 0


@pytest.mark.parametrize(
    ("name", "slots"),
    [("wizard", {"1": 4, "2": 3, "3": 2}), ("PALADIN", {"1": 4, "2": 2}), ("Rogue", {}), ("warlock", {})],
)
def test_spell_slots_follow_the_class_whatever_its_case(hall: Hall, name: str, slots: dict[str, int]) -> None:
    character = create(hall, **{"class": name, "level": 5})
    assert {level: pool["max"] for level, pool in character["spell_slots"].items()} == slots
    assert all(pool["current"] == pool["max"] for pool in character["spell_slots"].values())


def test_a_warlock_has_pact_slots(hall: Hall) -> None:
    character = create(hall, **{"class": "Warlock", "level": 11})
    assert character["pact_slots"] == {"current": 3, "max": 3, "slot_level": 5}


@pytest.mark.parametrize(
    ("scaling", "level", "most"),
    [("none", 9, 2), ("level", 9, 10), ("half", 9, 6), ("third", 9, 4), (3, 9, 26), ("half", 2, 2), ("third", 3, 2)],
)
def test_a_resource_grows_with_the_level(hall: Hall, scaling: str | int, level: int, most: int) -> None:
    own = {"name": "Monk of Ash", "resource_name": "ki", "resource_max": 2, "resource_scaling": scaling}
    assert create(hall, custom_class=own, level=level)["resource"] == {"name": "ki", "current": most, "max": most}


def test_a_custom_class_says_how_it_casts_and_what_it_saves_with(hall: Hall) -> None:
    own = {"name": "Fighter", "spellcasting": "third", "spellcasting_ability": "int", "save_proficiencies": ["wis"]}
    character = create(hall, custom_class=own, level=7)
    assert character["spell_slots"] == {"1": {"current": 4, "max": 4}, "2": {"current": 2, "max": 2}}
    save = hall.do("roll_check", [10], character_id="character-1", check_type="save", ability="wis")
    assert save["proficiency"] == 3
    save = hall.do("roll_check", [10], character_id="character-1", check_type="save", ability="str")
    assert save["proficiency"] == 0


def test_a_race_adds_to_scores_within_bounds_and_to_what_is_given(hall: Hall) -> None:
    race = {
        "name": "Stoneborn",
        "ability_bonuses": {"con": 2, "str": 5, "cha": -20},
        "speed": 25,
        "resistances": ["poison"],
        "size": "small",
        "darkvision": 60,
        "climb_speed": 20,
    }
    character = create(hall, custom_race=race, stats={"str": 28}, speed=35, resistances=["fire", "poison"])
    sheet = character["sheet"]
    assert sheet["stats"] == {"str": 30, "dex": 10, "con": 12, "int": 10, "wis": 10, "cha": 1}
    assert (sheet["race"], sheet["speed"], sheet["size"], sheet["climb_speed"]) == ("Stoneborn", 25, "small", 20)
    assert sheet["resistances"] == ["fire", "poison"]
    assert sheet["senses"] == {"darkvision": 60}
    assert character["max_hp"] == 11


def test_a_given_speed_counts_when_the_race_says_none(hall: Hall) -> None:
    assert create(hall, custom_race={"name": "Elk"}, speed=35)["sheet"]["speed"] == 35


def test_saves_of_a_custom_class_are_joined_with_those_given(hall: Hall) -> None:
    own = {"name": "Sage", "save_proficiencies": ["int", "wis"]}
    sheet = create(hall, custom_class=own, save_proficiencies=["cha", "int"])["sheet"]
    assert sheet["save_proficiencies"] == ["cha", "int", "wis"]


def test_a_given_list_of_saves_takes_the_place_of_those_of_the_class(hall: Hall) -> None:
    assert create(hall, save_proficiencies=[])["sheet"]["save_proficiencies"] == []
    rolled = hall.do("roll_check", [10], character_id="character-1", check_type="save", ability="str")
    assert rolled["proficiency"] == 0


def test_who_has_no_hit_points_is_dying(hall: Hall) -> None:
    character = create(hall, hp=0)
    assert (character["hp"], character["character_state"]) == (0, "dying")
    assert [each["condition"] for each in character["conditions"]] == ["unconscious", "prone"]


def test_a_foe_without_hit_points_makes_no_death_saves(hall: Hall) -> None:
    character = create(hall, hp=0, character_type="enemy")
    assert "death_saves" not in character


def test_a_preview_stores_nothing_and_uses_up_no_id(hall: Hall) -> None:
    before = hall.campaign.state
    shown = hall.do("create_character", name="Mira", preview_template=True)
    assert (shown["character_id"], shown["preview"], shown["character"]["max_hp"]) == (None, True, 10)
    assert hall.campaign.state == before
    assert hall.do("create_character", name="Mira")["character_id"] == "character-1"


def test_a_name_somebody_bears_already_is_taken_with_a_warning(hall: Hall) -> None:
    action = hall.action("create_character", name=" BROM ")
    assert action["warnings"] == ["brom bears the same name: only ids tell them apart"]
    assert hall.why("get_character", character_name="brom") == "ambiguous"


@pytest.mark.parametrize(
    ("args", "field"),
    [
        ({"name": ""}, "args.name"),
        ({"name": " \t"}, "args.name"),
        ({"name": "x", "hp": 11}, "args.hp"),
        ({"name": "x", "hp": -1}, "args.hp"),
        ({"name": "x", "max_hp": 0}, "args.max_hp"),
        ({"name": "x", "max_hp": 5, "hp": 6}, "args.hp"),
        ({"name": "x", "level": 0}, "args.level"),
        ({"name": "x", "level": 21}, "args.level"),
        ({"name": "x", "level": 2.5}, "args.level"),
        ({"name": "x", "stats": {"str": 0}}, "args.stats.str"),
        ({"name": "x", "stats": {"str": 31}}, "args.stats.str"),
        ({"name": "x", "stats": {"str": True}}, "args.stats.str"),
        ({"name": "x", "custom_class": {"name": "y", "hit_die": 3}}, "args.custom_class.hit_die"),
        ({"name": "x", "custom_class": {"name": "y", "hit_die": 13}}, "args.custom_class.hit_die"),
    ],
)
def test_what_is_out_of_bounds_is_refused_and_nothing_made_up(hall: Hall, args: Json, field: str) -> None:
    told = hall.fail("create_character", **args)
    assert (told["status"], told["reason"]) == ARGS
    got: Any = args
    for key in field.split(".")[1:]:
        got = got[key]
    assert told["hint"] == {"field": field, "got": got}


def test_whoever_is_new_wants_a_name(hall: Hall) -> None:
    told = hall.fail("create_character")
    assert (told["status"], told["reason"]) == ARGS
    assert told["hint"] == {"field": "args.name", "add": True}


@pytest.mark.parametrize(
    "args",
    [
        {"stats": {"luck": 3}},
        {"custom_race": {"name": "x", "ability_bonuses": {"luck": 1}}},
        {"custom_class": {"name": "x", "resource_scaling": "often"}},
        {"custom_class": {"name": "x", "resource_scaling": -1}},
        {"strength": 3},
        {"class": 3},
        {"resistances": ["banana"]},
    ],
)
def test_what_is_no_word_or_no_argument_is_refused(hall: Hall, args: Json) -> None:
    assert hall.why("create_character", name="Mira", **args) == "invalid_args"


def test_words_in_nested_places_are_understood(hall: Hall) -> None:
    action = hall.action(
        "create_character",
        name="Mira",
        customRace={"name": "Elf", "resistances": ["Flame"], "darkvision": 60},
        customClass={"name": "Sage", "hitDie": 6, "spellcasting": "Full Caster"},
        skillProficiencies=["sneak", "Animal Handling"],
    )
    assert action["args"]["custom_race"]["resistances"] == ["fire"]
    assert action["args"]["skill_proficiencies"] == ["stealth", "animal_handling"]
    assert [each["field"] for each in action["corrections"]] == [
        "args.custom_race.resistances.0",
        "args.custom_class.spellcasting",
        "args.skill_proficiencies.0",
        "args.skill_proficiencies.1",
    ]


@given(name=st.sampled_from([*CLASSES, "Nobody"]), level=st.integers(1, 20), con=st.integers(1, 30))
def test_every_level_of_every_class_gives_at_least_one_hit_point(name: str, level: int, con: int) -> None:
    from turnwright.model.sheet import Sheet
    from turnwright.rulesets.fifth_edition.sheets.sheet_rules import max_hp

    sheet = Sheet.model_validate({"class": name, "level": level, "stats": {"con": con}})
    below = Sheet.model_validate({"class": name, "level": max(1, level - 1), "stats": {"con": con}})
    assert max_hp(sheet) >= level
    assert max_hp(sheet) - max_hp(below) >= (1 if level > 1 else 0)
