"""manage_concentration: one spell at a time, what damage does to it, and what hangs on it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.builders import Json
from tests.sampling import tries
from tests.tools.conftest import HallWith
from tests.tools.hall import Hall, ephemeral, fight, hall_documents, linked

TOOL = "manage_concentration"
KEYS = {
    "target",
    "operation",
    "concentrating",
    "spell_name",
    "targets",
    "duration",
    "rounds_remaining",
    "dc",
    "natural",
    "rolls",
    "modifier",
    "total",
    "success",
    "broken",
    "previous_spell",
    "reason",
}


def begin(hall: Hall, who: str = "cyra", spell: str = "Haste", **more: Any) -> Json:
    return hall.do(TOOL, character_id=who, operation="set", spell_name=spell, **more)


def test_a_spell_is_begun_seen_and_ended(hall: Hall) -> None:
    begun = begin(hall, targets=["aria", "brom", "aria"], duration=10)
    assert set(begun) == KEYS
    assert (begun["concentrating"], begun["spell_name"], begun["targets"]) == (True, "Haste", ["aria", "brom"])
    assert (begun["duration"], begun["rounds_remaining"], begun["previous_spell"]) == (10, 10, None)
    seen = hall.do(TOOL, character_name=" CYRA ", operation="get")
    assert seen == begun | {"operation": "get"}
    ended = hall.do(TOOL, character_id="cyra", operation="break", reason="she laughs")
    assert (ended["concentrating"], ended["broken"], ended["spell_name"]) == (False, True, "Haste")
    assert ended["reason"] == "she laughs"
    assert "concentration" not in hall.person("cyra")


def test_blanks_make_no_other_spell(hall: Hall) -> None:
    begin(hall, spell=" Spirit  Guardians")
    hall.do("manage_aura", operation="create", owner_id="cyra", spell_name="spirit guardians ", radius=5)
    hall.do(TOOL, character_id="cyra", operation="break")
    assert hall.do("manage_aura", operation="list")["auras"] == []


def test_a_new_spell_ends_the_old_one_and_what_hung_on_it(hall: Hall) -> None:
    begin(hall, spell="Hold Person", targets=["grik"])
    held = {"target_id": "grik", "operation": "add", "duration": "concentration"}
    hall.do("manage_condition", **held, condition="paralyzed", source="Cyra")
    hall.do("manage_condition", **held, condition="poisoned", source="Brom")
    hall.do("manage_aura", operation="create", owner_id="cyra", spell_name="hold person", radius=5)
    hall.do("manage_aura", operation="create", owner_id="cyra", spell_name="Light", radius=5)
    assert begin(hall)["previous_spell"] == "Hold Person"
    assert [row["condition"] for row in hall.person("grik")["conditions"]] == ["poisoned"]
    assert [aura["spell_name"] for aura in hall.do("manage_aura", operation="list")["auras"]] == ["Light"]


@pytest.mark.parametrize("operation", ["check", "break", "get"])
def test_who_holds_nothing_loses_nothing_and_no_die_falls(hall: Hall, operation: str) -> None:
    harm = {"damage_amount": 30} if operation == "check" else {}
    told = hall.do(TOOL, character_id="cyra", operation=operation, **harm)
    assert (told["concentrating"], told["broken"], told["success"], told["natural"]) == (False, False, None, None)


@pytest.mark.parametrize(
    ("damage", "dc"), [(1, 10), (19, 10), (20, 10), (21, 10), (22, 11), (23, 11), (40, 20), (101, 50)]
)
def test_the_dc_is_half_the_damage_and_at_least_ten(hall: Hall, damage: int, dc: int) -> None:
    begin(hall)
    assert hall.do(TOOL, (10,), character_id="cyra", operation="check", damage_amount=damage)["dc"] == dc


@pytest.mark.parametrize(("natural", "kept"), [(8, True), (7, False), (20, True), (1, False)])
def test_constitution_holds_the_spell(hall: Hall, natural: int, kept: bool) -> None:
    begin(hall)  # CON 14, and wizards save with INT and WIS
    made = hall.do(TOOL, (natural,), character_id="cyra", operation="check", damage=9)
    assert (made["dc"], made["modifier"], made["total"]) == (10, 2, natural + 2)
    assert (made["success"], made["broken"], made["concentrating"]) == (kept, not kept, kept)
    assert made["spell_name"] == "Haste"
    assert ("concentration" in hall.person("cyra")) is kept


def test_the_saves_of_the_class_count(hall: Hall) -> None:
    begin(hall, "aria", "Shield of Faith")  # fighters save with CON: 2 + 3
    assert hall.do(TOOL, (5,), character_id="aria", operation="check", damage_amount=3)["total"] == 10


def test_a_modifier_that_is_given_counts_instead(hall: Hall) -> None:
    begin(hall)
    zero = {"character_id": "cyra", "operation": "check", "damage_amount": 3, "con_save_modifier": 0}
    assert hall.do(TOOL, (10,), **zero)["modifier"] == 0


def test_no_damage_asks_no_save(hall: Hall) -> None:
    begin(hall)
    told = hall.do(TOOL, character_id="cyra", operation="check", damage_amount=0)
    assert (told["concentrating"], told["dc"], told["success"]) == (True, None, None)


def test_advantage_throws_two_and_a_given_face_counts_whatever_the_mode(hall: Hall) -> None:
    begin(hall)
    check = {"character_id": "cyra", "operation": "check", "damage_amount": 3}
    assert hall.do(TOOL, (3, 15), **check, roll_mode="advantage")["natural"] == 15
    assert hall.do(TOOL, (15, 9), **check, roll_mode="disadv")["rolls"] == [15, 9]
    assert hall.do(TOOL, (), (12,), **check, roll_mode="advantage", manual_roll=12)["rolls"] == [12]
    assert hall.draws()[0]["given"]
    assert hall.do(TOOL, (), (14, 11), **check, roll_mode="disadvantage", manual_rolls=[14, 11])["natural"] == 11
    assert hall.do(TOOL, (), (14,), **check, manual_rolls=[14, 11])["natural"] == 14


def test_exhaustion_hinders_the_save(hall: Hall) -> None:
    begin(hall)
    hall.do("manage_condition", target_id="cyra", operation="add", condition="exhaustion", exhaustion_levels=3)
    made = hall.do(TOOL, (17, 4), character_id="cyra", operation="check", damage_amount=3)
    assert (made["natural"], made["success"]) == (4, False)


def test_in_a_fight_the_round_is_remembered_and_ephemeral_casters_concentrate_too(hall_with: HallWith) -> None:
    people = [linked("cyra", 0, 0, id="mage"), ephemeral("shaman", 3, 3), linked("brom", 5, 5)]
    hall = hall_with(fight(*people, round=4))
    assert begin(hall, "mage", encounter_id="encounter-1", targets=["shaman", "brom"])["target"] == "mage"
    held = hall.person("cyra")["concentration"]
    assert (held["started_round"], held["encounter_id"], held["targets"]) == (4, "encounter-1", ["shaman", "brom"])
    begin(hall, "shaman", "Bane", encounter_id="encounter-1", targets=["mage"])
    body = hall.encounter()["participants"][1]["body"]
    assert body["concentration"]["spell_name"] == "Bane"
    hall.do(TOOL, character_name="Shaman", operation="break", encounter_id="encounter-1")
    assert "concentration" not in hall.encounter()["participants"][1]["body"]


@pytest.mark.parametrize(
    ("args", "reason", "field"),
    [
        ({"operation": "get"}, "invalid_args", "args.character_id"),
        ({"character_id": "nobody", "operation": "get"}, "not_found", "args.character_id"),
        ({"character_name": "Nobody", "operation": "get"}, "not_found", "args.character_name"),
        ({"character_name": "aria", "operation": "get"}, "ambiguous", "args.character_id"),
        ({"character_id": "cyra", "operation": "set"}, "invalid_args", "args.spell_name"),
        ({"character_id": "cyra", "operation": "juggle"}, "invalid_args", None),
        ({"character_id": "cyra", "operation": "check"}, "invalid_args", "args.damage_amount"),
        ({"character_id": "cyra", "operation": "check", "damage_amount": -1}, "invalid_args", "args.damage_amount"),
        ({"character_id": "cyra", "operation": "check", "damage_amount": 2.5}, "invalid_args", "args.damage_amount"),
        (
            {"character_id": "cyra", "operation": "check", "damage_amount": 1, "damage": 2},
            "invalid_args",
            "args.damage",
        ),
        (
            {"character_id": "cyra", "operation": "check", "damage_amount": 1, "manual_roll": 21},
            "invalid_args",
            "args.manual_roll",
        ),
        (
            {"character_id": "cyra", "operation": "set", "spell_name": "Bless", "targets": ["brom", "arya"]},
            "not_found",
            "args.targets.1",
        ),
        (
            {"character_id": "cyra", "operation": "set", "spell_name": "Bless", "duration": 0},
            "invalid_args",
            "args.duration",
        ),
        ({"character_id": "cyra", "operation": "get", "encounter_id": "encounter-9"}, "not_found", "args.encounter_id"),
    ],
)
def test_what_is_wrong_is_told_and_changes_nothing(hall: Hall, args: Json, reason: str, field: str | None) -> None:
    feedback = hall.fail(TOOL, **args)
    assert (feedback["reason"], feedback["hint"].get("field")) == (reason, field or "args.operation")


def test_who_cannot_act_cannot_begin_to_concentrate(hall: Hall) -> None:
    hall.do("manage_condition", target_id="cyra", operation="add", condition="stunned")
    hall.do("hp_delta", target_character_id="brom", delta=-38, cause="a falling stone")
    for who in ("cyra", "brom"):
        assert hall.why(TOOL, character_id=who, operation="set", spell_name="Bless") == "rule_violation"


@pytest.mark.parametrize("operation", ["set", "get", "check", "break"])
def test_old_names_of_three_operations_still_do(hall: Hall, operation: str) -> None:
    begin(hall)
    if operation == "set":
        return
    args: Json = {"character_id": "cyra"} | ({"damageTaken": 4} if operation == "check" else {})
    action = hall.action(f"{operation}_concentration", (15,) if operation == "check" else (), **args)
    assert (action["tool"], action["alias_of"]) == (TOOL, f"{operation}_concentration")
    assert action["args"]["operation"] == operation
    if operation == "check":
        assert action["args"]["damage_amount"] == 4


def test_an_old_name_contradicts_another_operation(hall: Hall) -> None:
    assert hall.why("break_concentration", character_id="cyra", operation="get") == "invalid_args"


def test_several_hits_are_several_checks_in_one_batch(hall: Hall) -> None:
    begin(hall)
    hits = [{"character_id": "cyra", "operation": "check", "damageAmount": damage} for damage in (4, 30, 4)]
    reply = hall.reply(TOOL, {"batch": hits}, (8, 12))
    rows = [row["result"] for row in reply["applied_actions"][0]["result"]["results"]]
    assert [row["success"] for row in rows] == [True, False, None]
    assert [row["concentrating"] for row in rows] == [True, False, False]


def concentrating_documents() -> dict[str, Json]:
    path = "characters/cyra.json"
    return {path: hall_documents()[path] | {"concentration": {"spell_name": "Haste"}}}


@given(st.integers(1, 20), st.integers(1, 400), st.integers(-5, 15))
@settings(max_examples=tries(10), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_check_keeps_the_spell_just_when_it_reaches_the_dc(
    hall_with: HallWith, natural: int, damage: int, modifier: int
) -> None:
    hall = hall_with(concentrating_documents())
    args = {"character_id": "cyra", "operation": "check", "damage_amount": damage, "con_save_modifier": modifier}
    made = hall.do(TOOL, (natural,), **args)
    assert made["success"] is (natural + modifier >= max(10, damage // 2))
    assert made["concentrating"] is made["success"] is not made["broken"]
