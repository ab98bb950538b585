"""create_encounter: who may join, where they stand, and in what order they act."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.builders import Json
from tests.sampling import tries
from tests.tools.conftest import HallWith
from tests.tools.hall import Hall, changed, ephemeral, fight, linked


def goblin(x: int = 5, y: int = 5, /, **fields: Any) -> Json:
    return {"id": "g", "name": "Goblin", "hp": 7, "max_hp": 7, "position": {"x": x, "y": y}, "is_enemy": True} | fields


def create(hall: Hall, dice: list[int], *participants: Json, **args: Any) -> Json:
    return hall.do("create_encounter", dice, participants=list(participants), **args)


def refused(hall: Hall, *participants: Json, **args: Any) -> Json:
    return hall.fail("create_encounter", participants=list(participants), **args)


def order(result: Json) -> list[str]:
    return [row["id"] for row in result["order"]]


def test_the_order_is_initiative_then_bonus_then_input(hall: Hall) -> None:
    # aria 10+2, ogg 13-1, a 12+0, b 11+1: four times 12.
    people = [{"character_id": "aria"}, {"character_id": "ogg"}, goblin(9, 9, id="a"), goblin(8, 8, id="b")]
    people[3] |= {"initiative_bonus": 1}
    result = create(hall, [10, 13, 12, 11], *people)
    assert order(result) == ["aria", "b", "a", "ogg"]
    assert [row["initiative"] for row in result["order"]] == [12, 12, 12, 12]
    assert [row["natural"] for row in result["order"]] == [10, 11, 12, 13]
    assert result["current_turn"] == {"id": "aria", "name": "Aria"}
    assert (result["encounter_id"], result["round"], result["lighting"]) == ("encounter-1", 1, "bright")


def test_equals_keep_the_order_of_the_call(hall: Hall) -> None:
    result = create(hall, [7, 7, 7], goblin(1, 1, id="c"), goblin(2, 2, id="a"), goblin(3, 3, id="b"))
    assert order(result) == ["c", "a", "b"]


def test_each_has_a_die_of_its_own_in_input_order(hall: Hall) -> None:
    create(hall, [3, 4], goblin(1, 1, id="x"), goblin(2, 2, id="y"))
    assert [draw["why"] for draw in hall.draws()] == ["x initiative", "y initiative"]


def test_who_is_poisoned_rolls_twice_and_keeps_the_lower(hall_with: HallWith) -> None:
    hall = hall_with(changed("aria", conditions=[{"condition": "poisoned"}]))
    result = create(hall, [15, 4, 9], {"character_id": "aria"}, goblin())
    assert result["order"][1]["natural"] == 4


def test_an_effect_may_help_with_initiative(hall_with: HallWith) -> None:
    effect = {"effect_id": "effect-9", "name": "Alertness", "advantage_on": ["initiative"]}
    hall = hall_with(changed("aria", effects=[effect]))
    assert create(hall, [5, 14, 9], {"character_id": "aria"}, goblin())["order"][0]["natural"] == 14


def test_a_linked_participant_shows_the_sheets_values_and_keeps_none(hall: Hall) -> None:
    result = create(hall, [10], {"character_id": "ogg", "position": {"x": 4, "y": 4}})
    assert result["order"] == [
        {
            "id": "ogg",
            "name": "Ogg",
            "initiative": 9,
            "natural": 10,
            "bonus": -1,
            "hp": 59,
            "max_hp": 59,
            "ac": 11,
            "position": {"x": 4, "y": 4, "z": 0},
            "is_enemy": True,
            "size": "large",
            "speed": 40,
            "surprised": False,
            "source": "persistent",
            "character_id": "ogg",
        }
    ]
    (person,) = hall.encounter()["participants"]
    assert "body" not in person
    assert person["remembered"]["hp"] == 59
    hall.do("update_character", character_id="ogg", hp=30)
    assert hall.do("get_encounter", encounter_id="encounter-1")["participants"][0]["hp"] == 30


def test_somebody_made_up_gets_the_defaults(hall: Hall) -> None:
    result = create(hall, [10], {"id": "hound", "name": "Hound", "hp": 5, "max_hp": 11, "position": {"x": 0, "y": 0}})
    (row,) = result["order"]
    told = {key: row[key] for key in ("ac", "speed", "size", "is_enemy", "bonus", "hp", "max_hp", "source")}
    assert told == {
        "ac": 10,
        "speed": 30,
        "size": "medium",
        "is_enemy": False,
        "bonus": 0,
        "hp": 5,
        "max_hp": 11,
        "source": "ephemeral",
    }
    (person,) = hall.encounter()["participants"]
    assert person["body"]["character_type"] == "pc"
    assert person["strike"] == {
        "attack_bonus": 0,
        "damage": "1d6+2",
        "damage_type": "slashing",
        "reach": 5,
        "attacks": 1,
    }
    assert not hall.campaign.state.get("characters/hound.json")


@pytest.mark.parametrize(
    ("fields", "kind"),
    [({"is_enemy": True}, "enemy"), ({}, "pc"), ({"character_type": "npc"}, "npc"), ({"is_enemy": False}, "pc")],
)
def test_who_makes_death_saves_follows_from_the_side_unless_it_is_said(hall: Hall, fields: Json, kind: str) -> None:
    one = {"id": "x", "name": "X", "hp": 1, "max_hp": 1, "position": {"x": 0, "y": 0}}
    create(hall, [10], one | fields)
    assert hall.encounter()["participants"][0]["body"]["character_type"] == kind


def test_zero_means_zero_for_speed_ac_and_reach(hall: Hall) -> None:
    result = create(hall, [10, 9], goblin(speed=0, ac=0, reach=0), {"character_id": "aria", "speed": 0, "ac": 0})
    assert [(row["speed"], row["ac"]) for row in result["order"]] == [(0, 0), (0, 0)]
    assert hall.encounter()["participants"][1]["strike"]["reach"] == 0


def test_who_joins_at_0_hit_points_is_dying_already(hall: Hall) -> None:
    hero = goblin(1, 1, id="hero", hp=0, character_type="pc", is_enemy=False)
    result = create(hall, [20, 19, 1], hero, goblin(2, 2, id="beast", hp=0), goblin(3, 3))
    bodies = {person["id"]: person["body"] for person in hall.encounter()["participants"]}
    assert bodies["hero"]["death_saves"] == {"successes": 0, "failures": 0, "stable": False, "dead": False}
    assert [each["condition"] for each in bodies["hero"]["conditions"]] == ["unconscious", "prone"]
    assert bodies["beast"]["character_state"] == "dying"
    assert "conditions" not in bodies["beast"]
    assert result["current_turn"]["id"] == "hero"  # a player character has death saves to make


def test_the_first_who_can_act_begins(hall: Hall) -> None:
    result = create(hall, [20, 10], goblin(1, 1, id="corpse", hp=0), goblin(2, 2))
    assert order(result) == ["corpse", "g"]
    assert result["current_turn"]["id"] == "g"


def test_overrides_hold_for_this_fight_alone(hall: Hall) -> None:
    before = hall.person("aria")
    said = {"ac": 20, "speed": 50, "size": "large", "initiative_bonus": 9, "attacks": 2, "damage": "1d12"}
    result = create(hall, [10], {"character_id": "aria"} | said)
    row = result["order"][0]
    assert (row["ac"], row["speed"], row["size"], row["initiative"]) == (20, 50, "large", 19)
    assert hall.person("aria") == before


def test_a_character_may_be_named_and_gets_its_id(hall: Hall) -> None:
    result = create(hall, [10, 9], {"characterName": " BROM "}, {"character_id": "cyra", "id": "mage"})
    assert order(result) == ["mage", "brom"]
    assert result["order"][0]["character_id"] == "cyra"


def test_squares_left_out_are_the_first_free_ones(hall: Hall) -> None:
    people = [{"character_id": who} for who in ("aria", "ogg", "brom")]
    terrain = {"width": 5, "height": 5, "obstacles": ["0,0"]}
    create(hall, [10, 10, 10, 10], *people, goblin(1, 0), terrain=terrain)
    places = {each["id"]: each["position"] for each in hall.encounter()["participants"]}
    assert {who: (at["x"], at["y"]) for who, at in places.items()} == {
        "g": (1, 0),
        "aria": (2, 0),
        "ogg": (3, 0),
        "brom": (0, 1),
    }


def test_terrain_is_counted_and_kept_in_one_spelling(hall: Hall) -> None:
    terrain = {
        "width": 30,
        "height": 10,
        "obstacles": ["1,1", "01,1", "2,2"],
        "difficultTerrain": ["3,3"],
        "water": ["4,4", "4,5"],
        "hazards": [
            {"position": "6,6", "type": "fire", "damage": "1d6", "damageType": "flame"},
            {"position": "6,6", "type": "Fire"},
            {"position": "6,6", "type": "spikes", "dc": 12, "save_ability": "dexterity"},
        ],
    }
    result = create(hall, [10], goblin(), terrain=terrain, lighting="dark")
    assert result["terrain"] == {
        "width": 30,
        "height": 10,
        "obstacles": 2,
        "difficult_terrain": 1,
        "water": 2,
        "hazards": 1,
    }
    assert result["lighting"] == "darkness"
    kept = hall.encounter()["terrain"]
    assert kept["obstacles"] == ["1,1", "2,2"]
    assert [(each["type"], each.get("damage_type")) for each in kept["hazards"]] == [("fire", "fire"), ("spikes", None)]


def test_surprise_is_told_by_participant_or_by_id(hall: Hall) -> None:
    people = [{"character_id": "aria", "id": "hero"}, goblin(surprised=True), goblin(6, 6, id="h")]
    result = create(hall, [12, 11, 10], *people, surprise=["aria"])
    assert [row["surprised"] for row in result["order"]] == [True, True, False]


def test_camel_case_and_loose_words_are_understood_inside_participants(hall: Hall) -> None:
    one = {"id": "g", "name": "G", "hp": 1, "maxHp": 1, "position": {"x": 0, "y": 0}, "isEnemy": True, "size": "big"}
    action = hall.action("create_encounter", [10], participants=[one | {"resistances": ["flame"]}])
    assert action["result"]["order"][0]["size"] == "large"
    assert [(each["field"], each["to"]) for each in action["corrections"]] == [
        ("args.participants.0.size", "large"),
        ("args.participants.0.resistances.0", "fire"),
    ]


def test_a_namesake_of_a_character_is_warned_of(hall: Hall) -> None:
    action = hall.action("create_encounter", [10], participants=[goblin(id="aria")])
    assert action["warnings"] == ["aria is not the character of this id; to bring that one, give character_id"]


# what is refused


@pytest.mark.parametrize("name", ["id", "name", "hp", "max_hp", "position"])
def test_somebody_made_up_is_described_in_full(hall: Hall, name: str) -> None:
    one = goblin()
    del one[name]
    failure = refused(hall, one)
    assert failure["reason"] == "invalid_args"
    assert failure["hint"]["field"] == f"args.participants.0.{name}"
    assert failure["hint"]["add"]


def test_neither_the_id_nor_the_name_of_who_is_made_up_is_made_of_the_other(hall: Hall) -> None:
    one = goblin(id="grub", name="Old Grub")
    assert refused(hall, {key: one[key] for key in one if key != "id"})["hint"] == {
        "field": "args.participants.0.id",
        "add": True,
    }
    assert refused(hall, {key: one[key] for key in one if key != "name"})["hint"] == {
        "field": "args.participants.0.name",
        "add": True,
    }


def test_who_is_made_up_has_as_many_hit_points_as_the_call_says_once(hall: Hall) -> None:
    one = goblin()
    del one["hp"]
    assert refused(hall, one)["hint"] == {"field": "args.participants.0.hp", "add": True, "allowed": [7]}
    one = goblin()
    del one["max_hp"]
    for hp in (7, 0):  # they may be hurt, so that their maximum is a guess
        assert refused(hall, one | {"hp": hp})["hint"] == {"field": "args.participants.0.max_hp", "add": True}


def test_all_that_is_wrong_with_those_who_join_is_told_at_once(hall: Hall) -> None:
    one = goblin()
    del one["id"], one["hp"]
    failure = refused(hall, one, {"character_id": "bromm", "position": {"x": 1, "y": 1}}, goblin(hp=9))
    assert failure["hint"] == failure["hints"][0]
    assert failure["hints"] == [
        {"field": "args.participants.0.id", "add": True},
        {"field": "args.participants.0.hp", "add": True, "allowed": [7]},
        {"field": "args.participants.1.character_id", "got": "bromm", "allowed": ["brom"]},
        {"field": "args.participants.2.hp", "got": 9},
    ]


@pytest.mark.parametrize(
    "one",
    [
        {"name": "Brom"},
        {"id": "brom"},
        {"id": "hero", "name": " BROM "},
        {"id": "Brom", "name": "brom", "hp": 7, "max_hp": 7, "position": {"x": 0, "y": 0}},
    ],
)
def test_a_character_is_not_made_up_anew(hall: Hall, one: Json) -> None:
    failure = refused(hall, goblin(), one)
    assert failure["reason"] == "invalid_args"
    assert failure["hint"] == {"field": "args.participants.1.character_id", "add": True, "choices": ["brom"]}


def test_who_cannot_join_or_joins_already_may_have_namesakes(hall: Hall) -> None:
    create(hall, [10, 10, 10], {"character_id": "brom"}, goblin(1, 1, name="Brom"), goblin(3, 3, id="l", name="Lena"))
    create(hall, [10], goblin(name="Brom"))
    create(hall, [10], goblin(name="Aria"))  # two of the name: nobody knows which is meant


def test_a_bare_name_is_who_is_meant(hall: Hall) -> None:
    failure = hall.fail("create_encounter", participants=[goblin(), "Brom"])
    assert failure["reason"] == "invalid_args"
    meant = {"character_id": "Brom"}
    assert failure["hint"] == {"field": "args.participants.1", "got": "Brom", "allowed": [meant]}
    assert refused(hall, goblin(), meant)["hint"]["allowed"][0] == "brom"


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"hp": 8}, "hp"),
        ({"max_hp": 0}, "max_hp"),
        ({"ac": -1}, "ac"),
        ({"speed": -5}, "speed"),
        ({"damage": "0d6"}, "damage"),
        ({"stats": {"str": 31}}, "stats.str"),
        ({"attacks": 0}, "attacks"),
        ({"initiative_bonus": 1.5}, "initiative_bonus"),
        ({"position": {"x": 20, "y": 0}}, "position"),
        ({"position": {"x": 0, "y": -1}}, "position"),
        ({"position": {"x": 0, "y": 0, "z": 5000}}, "position"),
        ({"size": "large", "position": {"x": 19, "y": 0}}, "position"),
        ({"conditions": ["prone"]}, "conditions"),
        ({"is_enemy": 1}, "is_enemy"),
    ],
)
def test_values_out_of_bounds_are_wrong_arguments(hall: Hall, fields: Json, field: str) -> None:
    failure = refused(hall, goblin() | fields)
    assert (failure["reason"], failure["hint"]["field"]) == ("invalid_args", f"args.participants.0.{field}")


@pytest.mark.parametrize(
    "fields",
    [{"hp": 5}, {"max_hp": 5}, {"stats": {}}, {"resistances": ["fire"]}, {"character_type": "npc"}],
)
def test_what_is_the_characters_own_cannot_be_given(hall: Hall, fields: Json) -> None:
    failure = refused(hall, {"character_id": "aria"} | fields)
    (name,) = fields
    assert failure["reason"] == "invalid_args"
    assert failure["hint"] == {"field": f"args.participants.0.{name}", "remove": True}


def test_the_name_beside_the_id_must_be_the_right_one(hall: Hall) -> None:
    failure = refused(hall, {"character_id": "aria", "name": "Mara"})
    hint = {"field": "args.participants.0.name", "got": "Mara", "choices": ["Aria"]}
    assert (failure["reason"], failure["hint"]) == ("invalid_args", hint)
    create(hall, [10], {"character_id": "brom", "name": "brom"})


def test_who_is_unknown_ambiguous_or_has_no_sheet_cannot_join(hall: Hall) -> None:
    failure = refused(hall, {"character_id": "arria"})
    assert (failure["reason"], failure["hint"]["field"]) == ("not_found", "args.participants.0.character_id")
    assert failure["hint"]["allowed"][0] == "aria"
    failure = refused(hall, {"character_name": "Aria"})
    assert (failure["reason"], failure["hint"]["choices"]) == ("ambiguous", ["aria", "aria_2"])
    failure = refused(hall, {"character_id": "lena"})
    assert failure["reason"] == "rule_violation"
    assert failure["hint"] == {"field": "args.participants.0.character_id", "got": "lena"}


def test_nobody_joins_twice_or_fights_in_two_places(hall: Hall) -> None:
    failure = refused(hall, {"character_id": "aria"}, {"character_id": "aria", "id": "twin"})
    assert (failure["reason"], failure["hint"]) == ("conflict", {"field": "args.participants.1", "remove": True})
    create(hall, [10], {"character_id": "aria"})
    failure = refused(hall, {"character_id": "aria"})
    assert failure["reason"] == "conflict"
    assert failure["hint"] == {"field": "args.participants.0.character_id", "got": "aria"}
    hall.do("end_encounter", encounter_id="encounter-1", outcome="fled")
    assert create(hall, [10], {"character_id": "aria"})["encounter_id"] == "encounter-2"


@pytest.mark.parametrize(
    "people",
    [
        [goblin(1, 1), goblin(2, 2)],
        [{"character_id": "aria", "id": "p"}, goblin(2, 2, id="aria")],
        [goblin(2, 2, id="aria"), {"character_id": "aria", "id": "p"}],
        [{"character_id": "aria", "id": "p"}, {"character_id": "brom", "id": "p"}],
    ],
)
def test_an_id_is_one_participants_alone(hall: Hall, people: list[Json]) -> None:
    failure = refused(hall, *people)
    assert failure["reason"] == "conflict"
    assert failure["hint"]["field"] == "args.participants.1.id"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (goblin(3, 3), goblin(3, 3, id="h")),
        (goblin(3, 3, size="large"), goblin(4, 4, id="h")),
        (goblin(3, 3), goblin(2, 2, id="h", size="huge")),
    ],
)
def test_two_on_a_square_are_a_conflict_but_not_at_two_heights(hall: Hall, first: Json, second: Json) -> None:
    failure = refused(hall, first, second)
    assert (failure["reason"], failure["hint"]["field"]) == ("conflict", "args.participants.1.position")
    place = second["position"] | {"z": 2}
    create(hall, [10, 10], first, second | {"position": place})


def test_nobody_stands_in_a_wall(hall: Hall) -> None:
    failure = refused(hall, goblin(3, 3), terrain={"obstacles": ["3,3"]})
    assert failure["reason"] == "conflict"
    assert failure["hint"]["choices"] == [{"x": 0, "y": 0, "z": 0}]


def test_a_full_grid_holds_nobody_more(hall: Hall) -> None:
    people = [goblin(x, y, id=f"g{x}{y}") for x in range(5) for y in range(5)]
    failure = refused(hall, *people, {"character_id": "aria"}, terrain={"width": 5, "height": 5})
    assert failure["reason"] == "conflict"


@pytest.mark.parametrize(
    ("terrain", "field"),
    [
        ({"width": 4}, "width"),
        ({"height": 101}, "height"),
        ({"obstacles": ["20,0"]}, "obstacles.0"),
        ({"water": ["0,0", "0,20"]}, "water.1"),
        ({"obstacles": ["1, 2"]}, "obstacles.0"),
        ({"obstacles": ["-1,2"]}, "obstacles.0"),
        ({"hazards": [{"position": "0,0"}]}, "hazards.0.type"),
        ({"hazards": [{"position": "20,0", "type": "fire"}]}, "hazards.0.position"),
        ({"hazards": [{"position": "0,0", "type": "pit", "save_ability": "dex"}]}, "hazards.0.dc"),
        ({"hazards": [{"position": "0,0", "type": "pit", "damage": "lots"}]}, "hazards.0.damage"),
        ({"walls": ["1,1"]}, "walls"),
    ],
)
def test_terrain_out_of_bounds_is_a_wrong_argument(hall: Hall, terrain: Json, field: str) -> None:
    failure = refused(hall, goblin(), terrain=terrain)
    assert (failure["reason"], failure["hint"]["field"]) == ("invalid_args", f"args.terrain.{field}")


def test_nobody_at_all_is_wrong_and_more_than_a_hundred_are_too_many(hall: Hall) -> None:
    assert refused(hall)["reason"] == "invalid_args"
    people = [goblin(i % 20, i // 20, id=f"g{i}") for i in range(101)]
    failure = refused(hall, *people)
    assert failure["reason"] == "limit_exceeded"
    assert failure["hint"] == {"field": "args.participants", "got": 101}
    assert len(create(hall, [10] * 100, *people[:100])["order"]) == 100


def test_who_is_surprised_takes_part(hall: Hall) -> None:
    failure = refused(hall, goblin(), surprise=["gg"])
    assert (failure["reason"], failure["hint"]["choices"]) == ("not_found", ["g"])


def test_an_encounter_by_hand_and_a_new_one_have_different_ids(hall_with: HallWith) -> None:
    hall = hall_with(fight(linked("brom", 0, 0), ephemeral("rat", 3, 3)))
    assert create(hall, [10], goblin())["encounter_id"] == "encounter-2"


@settings(max_examples=tries(20), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rolls=st.lists(st.tuples(st.integers(1, 20), st.integers(-5, 15)), min_size=1, max_size=12))
def test_the_order_is_a_stable_sort_whatever_is_rolled(hall: Hall, rolls: list[tuple[int, int]]) -> None:
    people = [goblin(i, 0, id=f"g{i}", initiative_bonus=bonus) for i, (_, bonus) in enumerate(rolls)]
    result = create(hall, [face for face, _ in rolls], *people)
    wanted = sorted(range(len(rolls)), key=lambda i: (-sum(rolls[i]), -rolls[i][1], i))
    assert order(result) == [f"g{i}" for i in wanted]
