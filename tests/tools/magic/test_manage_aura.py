"""manage_aura: whom an aura reaches, what it does to them, and when it is over."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.builders import Json
from tests.sampling import tries
from tests.tools.conftest import HallWith
from tests.tools.hall import Hall, ephemeral, fight, hall_documents, linked

TOOL = "manage_aura"
GUARDIANS: Json = {
    "spell_name": "Spirit Guardians",
    "radius": 15,
    "damage": "3d8",
    "damage_type": "radiant",
    "save_dc": 15,
    "save_ability": "wis",
    "half_on_save": True,
}
IN_FIGHT = {"encounter_id": "encounter-1"}


def create(hall: Hall, owner: str = "brom", **aura: Any) -> str:
    made = hall.do(TOOL, operation="create", owner_id=owner, **aura)
    assert made["aura_id"] == made["aura"]["aura_id"]
    return str(made["aura_id"])


def near(*targets: str, **more: Any) -> list[Json]:
    return [{"target_id": target, "distance": 5} | more for target in targets]


def process(hall: Hall, dice: tuple[int, ...], aura_id: str | None = "aura-1", **more: Any) -> Json:
    args = {"operation": "process"} | ({"aura_id": aura_id} if aura_id else {})
    return hall.do(TOOL, dice, **args, **more)


def by_target(result: Json) -> dict[str, Json]:
    return {row["target_id"]: row for row in result["results"]}


@pytest.fixture
def battle(hall_with: HallWith) -> Hall:
    """Brom in the middle, a goblin at 5 feet, Ogg at 15, Grik at 20, Aria beside him."""
    people = [
        linked("brom", 10, 10),
        linked("aria", 10, 11),
        ephemeral("goblin", 11, 11, 10),
        linked("ogg", 13, 10, is_enemy=True),
        linked("grik", 14, 10, is_enemy=True),
    ]
    return hall_with(fight(*people))


# create, list, remove


def test_an_aura_is_created_listed_and_removed(hall: Hall) -> None:
    made = hall.do(TOOL, operation="create", owner_name="Brom", **GUARDIANS, duration=100, effect="pale spirits")
    assert made["aura"] == GUARDIANS | {
        "aura_id": "aura-1",
        "owner_id": "brom",
        "encounter_id": None,
        "duration": 100,
        "rounds_remaining": 100,
        "healing": None,
        "condition": None,
        "effect": "pale spirits",
        "affects_enemies": True,
        "affects_allies": False,
        "affects_self": False,
    }
    assert (made["remaining"], made["removed"], made["expired"]) == (100, False, False)
    assert hall.do(TOOL, operation="list")["auras"] == [made["aura"]]
    gone = hall.do(TOOL, operation="remove", aura_id="aura-1", reason="dismissed")
    assert (gone["aura_id"], gone["aura"], gone["removed"], gone["reason"]) == ("aura-1", None, True, "dismissed")
    assert hall.do(TOOL, operation="list")["auras"] == []
    assert create(hall, spell_name="Light", radius=20) == "aura-2"


@pytest.mark.parametrize(
    ("does", "enemies", "allies"),
    [
        ({"damage": "1d6"}, True, False),
        ({"condition": "frightened"}, True, False),
        ({"healing": "1d6"}, False, True),
        ({"effect": "hope"}, False, True),
        ({"damage": "1d6", "healing": "1d4"}, True, False),
        ({"damage": "1d6", "affects_allies": True}, True, True),
        ({"healing": "1d6", "affects_enemies": True, "affects_allies": False}, True, False),
    ],
)
def test_whom_it_affects_follows_from_what_it_does(hall: Hall, does: Json, enemies: bool, allies: bool) -> None:
    made = hall.do(TOOL, operation="create", owner_id="brom", spell_name="Aura", radius=10, **does)["aura"]
    assert (made["affects_enemies"], made["affects_allies"], made["affects_self"]) == (enemies, allies, False)


def test_a_list_may_be_of_an_owner_or_of_a_fight(battle: Hall) -> None:
    create(battle, **GUARDIANS, **IN_FIGHT)
    create(battle, spell_name="Light", radius=20)
    create(battle, "goblin", spell_name="Stench", radius=5, **IN_FIGHT)

    def listed(**args: Any) -> list[str]:
        return [aura["aura_id"] for aura in battle.do(TOOL, operation="list", **args)["auras"]]

    assert listed() == ["aura-1", "aura-2", "aura-3"]
    assert listed(owner_name="brom") == ["aura-1", "aura-2"]
    assert listed(**IN_FIGHT) == ["aura-1", "aura-3"]
    assert listed(owner_id="goblin", **IN_FIGHT) == ["aura-3"]


# in a fight


def test_positions_tell_who_is_near_and_enemies_alone_are_hurt(battle: Hall) -> None:
    create(battle, **GUARDIANS, **IN_FIGHT)
    done = process(battle, (8, 4, 3, 16, 10))  # 15 damage; the goblin saves, Ogg (WIS 7) does not
    rows = by_target(done)
    assert done["skipped"] == ["brom", "aria"]
    assert rows["goblin"] == {
        "aura_id": "aura-1",
        "target_id": "goblin",
        "in_range": True,
        "save": {"natural": 16, "total": 16, "success": True},
        "damage_rolled": 15,
        "damage_applied": 7,
        "healing": 0,
        "condition": None,
        "hp": 3,
    }
    assert rows["ogg"]["save"] == {"natural": 10, "total": 8, "success": False}
    assert (rows["ogg"]["damage_applied"], rows["ogg"]["hp"], battle.person("ogg")["hp"]) == (15, 44, 44)
    assert rows["grik"] == {
        "aura_id": "aura-1",
        "target_id": "grik",
        "in_range": False,
        "save": None,
        "damage_rolled": None,
        "damage_applied": 0,
        "healing": 0,
        "condition": None,
    }
    people = {person["id"]: person for person in battle.encounter()["participants"]}
    assert people["goblin"]["body"]["hp"] == 3
    assert people["brom"]["statistics"] == {"damage_dealt": 22}
    assert people["ogg"]["statistics"] == {"damage_taken": 15}


@pytest.mark.parametrize(("x", "y", "z", "within"), [(13, 13, 0, True), (14, 10, 0, False), (10, 10, 3, True)])
def test_distance_counts_squares_as_the_grid_does(hall_with: HallWith, x: int, y: int, z: int, within: bool) -> None:
    goblin = ephemeral("goblin", x, y) | {"position": {"x": x, "y": y, "z": z}}
    hall = hall_with(fight(linked("brom", 10, 10), goblin))
    create(hall, spell_name="Chill", radius=15, damage="1d4", **IN_FIGHT)
    assert by_target(process(hall, (2,) if within else ()))["goblin"]["in_range"] is within


def test_the_large_are_reached_at_their_nearest_square(hall_with: HallWith) -> None:
    hall = hall_with(fight(linked("brom", 10, 10), linked("ogg", 6, 10, is_enemy=True)))  # fills 6 and 7
    create(hall, spell_name="Chill", radius=15, damage="1d4", **IN_FIGHT)
    assert by_target(process(hall, (2,)))["ogg"]["in_range"]


def test_nobody_in_reach_draws_no_die(hall_with: HallWith) -> None:
    hall = hall_with(fight(linked("brom", 0, 0), ephemeral("goblin", 19, 19)))
    create(hall, **GUARDIANS, **IN_FIGHT)
    assert not by_target(process(hall, ()))["goblin"]["in_range"]


def test_resistance_immunity_and_temporary_hit_points_count(hall_with: HallWith) -> None:
    path = "characters/ogg.json"
    ogg = hall_documents()[path]
    proof = {path: ogg | {"temp_hp": 3, "sheet": ogg["sheet"] | {"resistances": ["fire"]}}}
    salamander = ephemeral("salamander", 1, 1, sheet={"immunities": ["fire"]})
    hall = hall_with(proof, fight(linked("brom", 0, 0), salamander, linked("ogg", 2, 2, is_enemy=True)))
    create(hall, spell_name="Fire Aura", radius=10, damage="2d6", damage_type="fire", **IN_FIGHT)
    rows = by_target(process(hall, (5, 6)))
    assert (rows["salamander"]["damage_applied"], rows["ogg"]["damage_applied"]) == (0, 5)
    assert (hall.person("ogg")["hp"], hall.person("ogg").get("temp_hp")) == (57, None)


def test_healing_reaches_allies_and_wakes_the_fallen(battle: Hall) -> None:
    battle.do("hp_delta", target_character_id="brom", delta=-3, cause="an axe")
    battle.do("hp_delta", target_character_id="aria", delta=-44, cause="an axe")
    create(battle, spell_name="Aura of Vitality", radius=30, healing="2d6", affects_self=True, **IN_FIGHT)
    done = process(battle, (4, 5))
    rows = by_target(done)
    assert (rows["aria"]["healing"], rows["aria"]["hp"], rows["brom"]["healing"]) == (9, 9, 3)
    assert battle.person("aria")["character_state"] == "alive"
    assert done["skipped"] == ["goblin", "ogg", "grik"]
    healer = battle.encounter()["participants"][0]
    assert healer["statistics"]["healing_done"] == 12


def test_the_dead_are_left_alone(battle: Hall) -> None:
    battle.do("manage_condition", target_id="aria", operation="add", condition="exhaustion", exhaustion_levels=6)
    create(battle, spell_name="Aura of Vitality", radius=30, healing="2d6", **IN_FIGHT)
    done = process(battle, ())
    assert "aria" in done["skipped"]
    assert battle.person("aria")["hp"] == 0


def test_a_condition_is_resisted_or_had(battle: Hall) -> None:
    fear: Json = {"spell_name": "Dread", "radius": 20, "condition": "frightened", "save_dc": 12, "save_ability": "wis"}
    create(battle, **fear, **IN_FIGHT)
    rows = by_target(process(battle, (12, 11, 12)))  # goblin saves, Ogg at -2 and Grik at -1 do not
    assert [rows[who]["condition"] for who in ("goblin", "ogg", "grik")] == ["resisted", "applied", "applied"]
    assert battle.person("ogg")["conditions"] == [{"condition": "frightened", "source": "brom", "description": "Dread"}]
    assert battle.encounter()["conditions_applied"] == {"frightened": 2}


def test_without_a_save_everybody_near_has_the_condition_but_the_immune(hall_with: HallWith) -> None:
    statue = ephemeral("statue", 1, 0, sheet={"condition_immunities": ["poisoned"]})
    hall = hall_with(fight(linked("brom", 0, 0), statue, ephemeral("goblin", 0, 1)))
    create(hall, spell_name="Stench", radius=5, condition="poisoned", **IN_FIGHT)
    rows = by_target(process(hall, ()))
    assert (rows["statue"]["condition"], rows["goblin"]["condition"]) == ("resisted", "applied")


def test_what_it_gave_goes_with_the_concentration_that_holds_it(battle: Hall) -> None:
    held = {"character_id": "brom", "spell_name": "Hold Monsters"}
    battle.do("manage_concentration", operation="set", **held)
    create(battle, spell_name="Hold Monsters", radius=20, condition="paralyzed", **IN_FIGHT)
    process(battle, ())
    assert battle.person("ogg")["conditions"][0]["duration"] == "concentration"
    battle.do("manage_concentration", operation="break", character_id="brom")
    assert "conditions" not in battle.person("ogg")
    assert "conditions" not in battle.encounter()["participants"][2]["body"]
    assert battle.do(TOOL, operation="list")["auras"] == []


def test_the_hurt_save_for_their_own_concentration_last(battle: Hall) -> None:
    for who in ("ogg", "grik"):
        battle.do("manage_concentration", operation="set", character_id=who, spell_name="Bane")
    create(battle, **GUARDIANS | {"radius": 30, "damage": "1d8"}, **IN_FIGHT)
    done = process(battle, (4, 2, 3, 4, 6, 12))  # damage, three saves, then Ogg (CON +3) and Grik
    rows = by_target(done)
    assert rows["ogg"]["concentration_check"]["broken"]
    assert not rows["grik"]["concentration_check"]["broken"]
    assert "concentration_check" not in rows["goblin"]


def test_all_auras_of_a_fight_are_processed_at_once(battle: Hall) -> None:
    create(battle, spell_name="Chill", radius=5, damage="1d4", **IN_FIGHT)
    create(battle, "goblin", spell_name="Stench", radius=5, damage="1d6", duration=1, **IN_FIGHT)
    create(battle, spell_name="Light", radius=30)
    done = process(battle, (2, 6), None, **IN_FIGHT, decrement_duration=True)
    told = [(row["aura_id"], row["target_id"]) for row in done["results"] if row["in_range"]]
    assert told == [("aura-1", "goblin"), ("aura-2", "brom"), ("aura-2", "aria")]
    assert (done["aura_id"], done["aura"], done["expired"], done["removed"]) == (None, None, True, True)
    assert [aura["aura_id"] for aura in done["auras"]] == ["aura-1"]
    assert [aura["aura_id"] for aura in battle.do(TOOL, operation="list")["auras"]] == ["aura-1", "aura-3"]


def test_an_aura_may_end_another_with_the_concentration_of_its_owner(hall_with: HallWith) -> None:
    path = "characters/ogg.json"
    held = {path: hall_documents()[path] | {"concentration": {"spell_name": "Darkness"}}}
    hall = hall_with(held, fight(linked("brom", 0, 0), linked("ogg", 1, 1, is_enemy=True)))
    create(hall, spell_name="Chill", radius=10, condition="stunned", **IN_FIGHT)
    create(hall, "ogg", spell_name="Darkness", radius=10, damage="1d6", **IN_FIGHT)
    done = process(hall, (), None, **IN_FIGHT)
    assert [row["aura_id"] for row in done["results"]] == ["aura-1"]
    assert done["removed"]


def test_who_saves_against_a_second_aura_is_as_the_first_left_them(battle: Hall) -> None:
    create(battle, spell_name="Hold", radius=5, condition="paralyzed", **IN_FIGHT)
    fire: Json = {"damage": "1d4", "damage_type": "fire", "save_dc": 10, "save_ability": "dex"}
    create(battle, spell_name="Fire", radius=5, **fire, **IN_FIGHT)
    done = process(battle, (3, 20), None, **IN_FIGHT)
    row = next(row for row in done["results"] if row["aura_id"] == "aura-2" and row["in_range"])
    assert (row["target_id"], row["save"]["success"], row["damage_applied"]) == ("goblin", False, 3)


def test_the_owner_may_be_a_participant_by_another_id(hall_with: HallWith) -> None:
    people = [linked("brom", 0, 0, id="priest", name="The Priest"), ephemeral("goblin", 1, 1)]
    hall = hall_with(fight(*people))
    made = hall.do(TOOL, operation="create", owner_name="the priest", **GUARDIANS, **IN_FIGHT)
    assert made["aura"]["owner_id"] == "brom"
    done = process(hall, (1, 1, 1, 1))
    assert (done["skipped"], list(by_target(done))) == (["priest"], ["goblin"])


def test_an_aura_is_bound_by_processing_it_in_a_fight(battle: Hall) -> None:
    create(battle, spell_name="Chill", radius=5, damage="1d4")
    refused = battle.fail(TOOL, operation="process", aura_id="aura-1")
    assert refused["hint"] == {"field": "args.encounter_id", "add": True, "choices": ["encounter-1"]}
    done = process(battle, (2,), **IN_FIGHT)
    assert done["aura"]["encounter_id"] == "encounter-1"
    assert process(battle, (2,))["results"][0]["target_id"] == "goblin"


def test_only_those_who_are_named_are_touched(battle: Hall) -> None:
    create(battle, spell_name="Chill", radius=5, damage="1d4", **IN_FIGHT)
    named = [{"target_id": "grik", "distance": 0}, {"target_id": "ogg"}, {"target_id": "aria"}]
    done = process(battle, (3,), targets=named)
    rows = by_target(done)
    assert (rows["grik"]["in_range"], rows["ogg"]["in_range"], done["skipped"]) == (True, False, ["aria"])


def test_whose_turn_begins_inside_is_touched_and_nobody_else(hall_with: HallWith) -> None:
    people = [linked("brom", 10, 10), ephemeral("goblin", 11, 11, 30), ephemeral("orc", 9, 9, 30)]
    hall = hall_with(fight(*people))
    create(hall, **GUARDIANS, **IN_FIGHT, duration=1)
    begun = hall.do("advance_turn", (4, 4, 4, 3), **IN_FIGHT)
    told = {key: begun["aura_results"][0][key] for key in ("aura_id", "target_id", "damage_applied", "hp")}
    assert told == {"aura_id": "aura-1", "target_id": "goblin", "damage_applied": 12, "hp": 18}
    assert len(begun["aura_results"]) == 1
    hall.do("advance_turn", (1, 1, 1, 20), **IN_FIGHT)
    assert hall.do("advance_turn", **IN_FIGHT)["aura_results"] == []
    assert hall.do(TOOL, operation="list")["auras"] == []


# without a fight


def test_outside_a_fight_the_targets_are_told(hall: Hall) -> None:
    create(hall, **GUARDIANS)
    targets = [*near("ogg", save_modifier=10), *near("grik"), {"target_id": "aria", "distance": 20}]
    done = process(hall, (4, 4, 4, 5, 16), targets=targets)
    rows = by_target(done)
    assert rows["ogg"]["save"] == {"natural": 5, "total": 15, "success": True}
    assert (rows["ogg"]["damage_applied"], rows["grik"]["damage_applied"]) == (6, 6)
    assert not rows["aria"]["in_range"]
    assert hall.person("grik")["hp"] == 1


def test_who_is_nobody_is_only_reckoned(hall: Hall) -> None:
    create(hall, **GUARDIANS, condition="prone")
    action = hall.action(TOOL, (6, 5, 4, 3), operation="process", aura_id="aura-1", targets=near("a villager"))
    row = action["result"]["results"][0]
    assert (row["damage_applied"], row["condition"], row["save"]["total"]) == (15, "applied", 3)
    assert "hp" not in row
    assert "a villager" in action["warnings"][0]
    saved = process(hall, (6, 5, 4, 3), targets=near("a villager", save_modifier=12))
    assert (saved["results"][0]["damage_applied"], saved["results"][0]["condition"]) == (7, "resisted")


def test_who_has_no_sheet_is_hurt_too(hall: Hall) -> None:
    create(hall, spell_name="Chill", radius=5, damage="1d4+20", healing="1d4")
    row = process(hall, (3, 2), targets=near("lena"))["results"][0]
    assert (row["damage_applied"], row["healing"], row["hp"]) == (23, 2, 2)


def test_a_success_without_half_takes_nothing(hall: Hall) -> None:
    create(hall, **GUARDIANS | {"half_on_save": False})
    row = process(hall, (8, 8, 8, 20), targets=near("ogg"))["results"][0]
    assert (row["damage_rolled"], row["damage_applied"], row["hp"]) == (24, 0, 59)


def test_rounds_are_taken_off_only_when_asked(hall: Hall) -> None:
    create(hall, spell_name="Chill", radius=5, damage="1d4", duration=2)
    assert process(hall, (1,), targets=near("ogg"))["remaining"] == 2
    once = process(hall, (1,), targets=near("ogg"), decrement_duration=True)
    assert (once["remaining"], once["expired"], once["removed"]) == (1, False, False)
    last = process(hall, (1,), targets=near("ogg"), decrement_duration=True)
    assert (last["aura"], last["remaining"], last["expired"], last["removed"]) == (None, None, True, True)
    assert hall.why(TOOL, operation="process", aura_id="aura-1", targets=near("ogg")) == "not_found"


def test_an_aura_without_a_duration_never_runs_out(hall: Hall) -> None:
    create(hall, spell_name="Chill", radius=5)
    done = process(hall, (), targets=near("ogg"), decrement_duration=True)
    assert (done["expired"], done["remaining"], done["aura"]["aura_id"]) == (False, None, "aura-1")


def test_dice_of_a_real_table_stand_in_for_draws(hall: Hall) -> None:
    create(hall, **GUARDIANS, healing="1d6")
    made = hall.do(
        TOOL,
        (5, 2),
        (8, 7, 3, 14),
        operation="process",
        aura_id="aura-1",
        targets=[*near("ogg"), *near("grik")],
        manual_damage_rolls=[8, 7],
        manual_healing_rolls=[3],
        manual_save_rolls=[{"target_id": "grik", "roll": 14}],
    )
    rows = by_target(made)
    assert (rows["ogg"]["damage_rolled"], rows["grik"]["save"]["natural"]) == (20, 14)
    faces = [(draw["value"], draw["sides"]) for draw in hall.draws()]
    assert faces == [(8, 8), (7, 8), (5, 8), (3, 6), (2, 20), (14, 20)]


def test_the_face_of_a_save_may_name_the_character_behind_a_participant(hall_with: HallWith) -> None:
    hall = hall_with(fight(linked("brom", 1, 1), linked("ogg", 2, 1, id="first", is_enemy=True)))
    create(hall, **GUARDIANS, **IN_FIGHT)
    result = hall.do(
        TOOL,
        (1, 1, 1),
        (4,),
        operation="process",
        aura_id="aura-1",
        **IN_FIGHT,
        manual_save_rolls=[{"target_id": "ogg", "roll": 4}],
    )
    assert by_target(result)["first"]["save"]["natural"] == 4


@pytest.mark.parametrize(
    ("change", "reason", "field"),
    [
        ({"owner_id": None}, "invalid_args", "args.owner_id"),
        ({"owner_id": "nobody"}, "not_found", "args.owner_id"),
        ({"owner_id": None, "owner_name": "Aria"}, "ambiguous", "args.owner_id"),
        ({"spell_name": None}, "invalid_args", "args.spell_name"),
        ({"radius": None}, "invalid_args", "args.radius"),
        ({"radius": 0}, "invalid_args", "args.radius"),
        ({"radius": 2.5}, "invalid_args", "args.radius"),
        ({"damage": "many"}, "invalid_args", "args.damage"),
        ({"damage": "0d6"}, "invalid_args", "args.damage"),
        ({"damage_type": "banana"}, "invalid_args", "args.damage_type"),
        ({"save_ability": None}, "invalid_args", "args.save_ability"),
        ({"save_dc": None}, "invalid_args", "args.save_dc"),
        ({"duration": 0}, "invalid_args", "args.duration"),
        ({"encounter_id": "encounter-9"}, "not_found", "args.encounter_id"),
        ({"operation": "creation of"}, "invalid_args", "args.operation"),
    ],
)
def test_what_is_wrong_with_a_new_aura_is_told(hall: Hall, change: Json, reason: str, field: str) -> None:
    args: Json = {"operation": "create", "owner_id": "brom"} | GUARDIANS | change
    feedback = hall.fail(TOOL, **{key: value for key, value in args.items() if value is not None})
    assert (feedback["reason"], feedback["hint"]["field"]) == (reason, field)


@pytest.mark.parametrize(
    ("args", "reason", "field"),
    [
        ({}, "invalid_args", "args.aura_id"),
        ({"aura_id": "aura-9", "targets": near("ogg")}, "not_found", "args.aura_id"),
        ({"aura_id": "aura-1"}, "invalid_args", "args.targets"),
        ({"aura_id": "aura-1", "targets": [{"target_id": "ogg"}]}, "invalid_args", "args.targets.0.distance"),
        ({"aura_id": "aura-1", "targets": near("ogg", "ogg")}, "invalid_args", "args.targets.1"),
        ({"aura_id": "aura-1", "targets": near("ogg", distance=-1)}, "invalid_args", "args.targets.0.distance"),
        (
            {"aura_id": "aura-1", "targets": near("ogg"), "manual_damage_rolls": [9]},
            "invalid_args",
            "args.manual_damage_rolls",
        ),
        (
            {"aura_id": "aura-1", "targets": near("ogg"), "manual_damage_rolls": [1, 1, 1, 1]},
            "invalid_args",
            "args.manual_damage_rolls",
        ),
        (
            {"aura_id": "aura-1", "targets": near("ogg"), "manual_healing_rolls": [1]},
            "invalid_args",
            "args.manual_healing_rolls",
        ),
        (
            {"aura_id": "aura-1", "targets": near("ogg"), "manual_save_rolls": [{"target_id": "grik", "roll": 3}]},
            "not_found",
            "args.manual_save_rolls.0.target_id",
        ),
        ({"aura_id": "aura-1", "encounter_id": "encounter-9"}, "not_found", "args.encounter_id"),
    ],
)
def test_what_is_wrong_with_processing_is_told(hall: Hall, args: Json, reason: str, field: str) -> None:
    create(hall, **GUARDIANS)
    feedback = hall.fail(TOOL, operation="process", **args)
    assert (feedback["reason"], feedback["hint"]["field"]) == (reason, field)


def test_faces_of_a_real_table_want_one_aura(battle: Hall) -> None:
    create(battle, **GUARDIANS, **IN_FIGHT)
    refused = battle.fail(TOOL, operation="process", **IN_FIGHT, manual_damage_rolls=[3])
    assert (refused["reason"], refused["hint"]["field"]) == ("invalid_args", "args.manual_damage_rolls")


def test_removing_wants_an_aura_that_is_there(hall: Hall) -> None:
    assert hall.fail(TOOL, operation="remove")["detail"].startswith("args.aura_id")
    create(hall, **GUARDIANS)
    refused = hall.fail(TOOL, operation="remove", aura_id="aura-7")
    assert (refused["reason"], refused["hint"]["choices"]) == ("not_found", ["aura-1"])
    assert hall.why(TOOL, operation="remov", aura_id="aura-1") == "invalid_args"


def test_an_aura_is_bound_to_the_fight_of_its_owner_alone(hall_with: HallWith) -> None:
    ended = fight(ephemeral("goblin", 0, 0), encounter_id="encounter-2", status="ended")
    other = fight(ephemeral("orc", 0, 0), encounter_id="encounter-3")
    hall = hall_with(fight(linked("brom", 0, 0)), ended, other)
    new: Json = {"operation": "create", "owner_id": "brom"} | GUARDIANS
    assert hall.why(TOOL, **new, encounter_id="encounter-2") == "conflict"
    assert hall.why(TOOL, **new, encounter_id="encounter-3") == "not_found"
    create(hall, **GUARDIANS, **IN_FIGHT)
    elsewhere = hall.fail(TOOL, operation="process", aura_id="aura-1", encounter_id="encounter-3")
    assert (elsewhere["reason"], elsewhere["hint"]["choices"]) == ("conflict", ["encounter-1"])
    create(hall, spell_name="Light", radius=5)
    unbound = hall.fail(TOOL, operation="process", aura_id="aura-2", encounter_id="encounter-3")
    assert (unbound["reason"], unbound["hint"]["choices"]) == ("not_found", ["encounter-1"])
    hall.do(TOOL, operation="create", owner_id="cyra", spell_name="Light", radius=5)
    nowhere: Json = {"operation": "process", "aura_id": "aura-3", "targets": [{"target_id": "aria", "distance": 5}]}
    unbound = hall.fail(TOOL, **nowhere, encounter_id="encounter-3")
    assert unbound["hint"] == {"field": "args.encounter_id", "got": "encounter-3"}
    hall.do(TOOL, **nowhere)


# old names and spellings


def test_old_names_still_do(hall: Hall) -> None:
    made = hall.action("create_aura", ownerName="brom", spellName="Chill", radius=5, damage="1d4", damageType="ice")
    assert (made["tool"], made["alias_of"], made["args"]["operation"]) == (TOOL, "create_aura", "create")
    assert made["result"]["aura"]["damage_type"] == "cold"
    done = hall.action("process_aura", (4,), auraId="aura-1", targets=[{"targetId": "ogg", "distance": 5}])
    assert (done["alias_of"], done["result"]["results"][0]["damage_applied"]) == ("process_aura", 4)
    assert hall.why("process_aura", aura_id="aura-1", operation="list") == "invalid_args"


@given(st.integers(1, 8), st.integers(1, 20), st.integers(0, 30), st.booleans())
@settings(max_examples=tries(10), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_nobody_is_hurt_for_more_than_was_rolled(
    hall_with: HallWith, face: int, natural: int, distance: int, half: bool
) -> None:
    hall = hall_with()
    create(hall, **GUARDIANS | {"damage": "1d8", "half_on_save": half})
    within = distance <= 15
    dice = (face, natural) if within else ()
    row = process(hall, dice, targets=near("ogg", distance=distance))["results"][0]
    saved = natural - 2 >= 15
    wanted = (face // 2 if half else 0) if saved else face
    assert (row["in_range"], row["damage_applied"]) == (within, wanted if within else 0)
    assert hall.person("ogg")["hp"] == 59 - row["damage_applied"]
