"""roll_death_save: between life and death."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.builders import Json
from tests.sampling import tries
from tests.tools.conftest import HallWith
from tests.tools.hall import Hall, ephemeral, fight, hall_documents, linked

SAVE = "roll_death_save"


def dying(successes: int = 0, failures: int = 0, **more: Any) -> dict[str, Json]:
    path = "characters/aria.json"
    down = [{"condition": "unconscious", "source": "hp_zero"}, {"condition": "prone"}]
    saves = {"successes": successes, "failures": failures}
    changes = {"hp": 0, "character_state": "dying", "conditions": down, "death_saves": saves}
    return {path: hall_documents()[path] | changes | more}


def saved(hall: Hall, *dice: int, **args: Any) -> Json:
    return hall.do(SAVE, dice, **({"character_id": "aria"} | args))


@pytest.mark.parametrize(
    ("before", "die", "outcome", "counts"),
    [
        ((0, 0), 10, "success", (1, 0)),
        ((0, 0), 9, "failure", (0, 1)),
        ((1, 2), 19, "success", (2, 2)),
        ((0, 0), 1, "critical_failure", (0, 2)),
        ((0, 1), 1, "death", (0, 3)),
        ((0, 2), 1, "death", (0, 3)),
        ((2, 2), 9, "death", (2, 3)),
        ((2, 2), 10, "stabilized", (3, 2)),
        ((2, 2), 20, "revived", (0, 0)),
    ],
)
def test_each_outcome_and_the_counts_that_decided(
    hall_with: HallWith, before: tuple[int, int], die: int, outcome: str, counts: tuple[int, int]
) -> None:
    hall = hall_with(dying(*before))
    result = saved(hall, die)
    assert (result["natural"], result["rolls"], result["total"], result["modifier"]) == (die, [die], die, 0)
    assert (result["outcome"], result["successes"], result["failures"]) == (outcome, *counts)
    assert (result["is_stable"], result["is_dead"]) == (outcome == "stabilized", outcome == "death")
    assert result["hp"] == (1 if outcome == "revived" else 0)


def test_what_is_kept(hall_with: HallWith) -> None:
    hall = hall_with(dying(0, 1))
    saved(hall, 15)
    assert hall.person("aria")["death_saves"] == {"successes": 1, "failures": 1, "stable": False, "dead": False}
    assert hall.person("aria")["character_state"] == "dying"


def test_the_revived_stay_prone_and_wake(hall_with: HallWith) -> None:
    hall = hall_with(dying(2, 2))
    saved(hall, 20)
    aria = hall.person("aria")
    assert (aria["hp"], aria["character_state"], aria["conditions"]) == (1, "alive", [{"condition": "prone"}])
    assert "death_saves" not in aria


def test_the_stable_begin_anew_and_roll_no_more(hall_with: HallWith) -> None:
    hall = hall_with(dying(2, 2))
    saved(hall, 10)
    aria = hall.person("aria")
    assert aria["character_state"] == "unconscious"
    assert aria["death_saves"] == {"successes": 0, "failures": 0, "stable": True, "dead": False}
    result = saved(hall)
    assert (result["outcome"], result["natural"], result["total"], result["rolls"]) == (
        "already_stable",
        None,
        None,
        [],
    )


def test_the_dead_roll_no_more(hall_with: HallWith) -> None:
    hall = hall_with(dying(0, 2))
    saved(hall, 5)
    assert hall.person("aria")["character_state"] == "dead"
    result = saved(hall)
    assert (result["outcome"], result["is_dead"], result["failures"]) == ("already_dead", True, 3)


def test_the_die_decides_naturals_and_the_modifier_the_rest(hall_with: HallWith) -> None:
    assert saved(hall_with(dying()), 8, modifier=2)["outcome"] == "success"
    assert saved(hall_with(dying()), 12, modifier=-3)["outcome"] == "failure"
    assert saved(hall_with(dying()), 1, modifier=20)["outcome"] == "critical_failure"
    assert saved(hall_with(dying()), 20, modifier=-20)["outcome"] == "revived"


@pytest.mark.parametrize(("mode", "natural"), [("advantage", 15), ("disadvantage", 4), ("Advantge", 15)])
def test_advantage_throws_two(hall_with: HallWith, mode: str, natural: int) -> None:
    result = saved(hall_with(dying()), 15, 4, roll_mode=mode)
    assert (result["natural"], result["rolls"]) == (natural, [15, 4])


def test_faces_from_the_table(hall_with: HallWith) -> None:
    hall = hall_with(dying())
    assert saved(hall, 12, manual_roll=12, roll_mode="disadvantage")["natural"] == 12
    assert [draw["given"] for draw in hall.draws()] == [True]
    assert saved(hall_with(dying()), 3, 12, manual_rolls=[3, 12], roll_mode="advantage")["natural"] == 12
    assert saved(hall_with(dying()), 3, manualRolls=[3, 12])["natural"] == 3


@pytest.mark.parametrize("face", [0, 21, 2.5, True, "7"])
def test_a_face_is_a_face(hall_with: HallWith, face: Any) -> None:
    assert hall_with(dying()).why(SAVE, character_id="aria", manual_roll=face) == "invalid_args"


def test_exhaustion_and_effects_count_as_in_any_save(hall_with: HallWith) -> None:
    tired = [{"condition": "exhaustion", "exhaustion_level": 3}]
    assert saved(hall_with(dying(conditions=tired)), 12, 5)["natural"] == 5
    bless = [{"effect_id": "e1", "name": "Aura of Protection", "saving_throw_bonus": 3}]
    result = saved(hall_with(dying(effects=bless)), 7)
    assert (result["modifier"], result["outcome"]) == (3, "success")


def test_only_dying_player_characters_make_death_saves(hall_with: HallWith) -> None:
    hall = hall_with(dying(hp=1, character_state="alive"))
    assert hall.why(SAVE, character_id="aria") == "rule_violation"
    path = "characters/grik.json"
    down = {path: hall_documents()[path] | {"hp": 0, "character_state": "dying"}}
    assert hall_with(down).why(SAVE, character_id="grik") == "rule_violation"
    assert hall.why(SAVE, character_id="lena") == "rule_violation"


def test_whom_it_is_about_is_named_by_id_or_name(hall_with: HallWith) -> None:
    hall = hall_with(dying())
    assert hall.do(SAVE, (10,), character_id="aria")["character"] == "aria"
    assert hall.why(SAVE, character_id="arya") == "not_found"
    assert hall.why(SAVE, character_name="Nobody") == "not_found"
    assert hall.why(SAVE, character_name="Aria") == "ambiguous"
    assert hall.why(SAVE, character_id="aria", character_name="Brom") == "invalid_args"
    assert hall.why(SAVE) == "invalid_args"


def test_somebody_of_the_fight_alone_makes_them_there(hall_with: HallWith) -> None:
    hero = ephemeral("hero", 5, 5, 9, "pc", max_hp=9) | {"is_enemy": False}
    hero["body"] |= {"hp": 0, "character_state": "dying"}
    hall = hall_with(fight(hero, ephemeral("g1", 9, 9, 7)))
    result = hall.do(SAVE, (12,), encounter_id="encounter-1", character_name="Hero")
    assert (result["character"], result["successes"]) == ("hero", 1)
    body = hall.encounter()["participants"][0]["body"]
    assert body["death_saves"]["successes"] == 1
    assert hall.why(SAVE, encounter_id="encounter-1", character_id="g1") == "rule_violation"
    assert hall.why(SAVE, character_id="hero") == "not_found"


def test_a_participant_may_be_meant_by_its_id(hall_with: HallWith) -> None:
    hall = hall_with(dying(), fight(linked("aria", 5, 5) | {"id": "p1"}))
    assert hall.do(SAVE, (10,), encounter_id="encounter-1", character_id="p1")["character"] == "p1"
    assert hall.person("aria")["death_saves"]["successes"] == 1


@pytest.mark.parametrize("called", ["character_id", "character_name"])
def test_nobody_is_offered_who_makes_no_death_saves(hall_with: HallWith, called: str) -> None:
    plain = {"id": "aria", "name": "Aria of the Marsh", "character_type": "pc", "hp": 0, "character_state": "dying"}
    hall = hall_with({"characters/aria.json": plain})
    named = plain["id" if called == "character_id" else "name"]
    failure = hall.fail(SAVE, **{called: named})
    assert failure["reason"] == "rule_violation"
    assert failure["hint"] == {"field": f"args.{called}", "got": named}


def test_who_is_in_a_fight_is_offered_as_a_call_without_the_fight_can_name_them(hall_with: HallWith) -> None:
    hall = hall_with(dying(name="Aria of the Marsh"), fight(linked("aria", 5, 5) | {"id": "pip", "name": "Pip"}))
    by_id = hall.fail(SAVE, character_id="brom")["hint"]
    assert by_id == {"field": "args.character_id", "got": "brom", "choices": ["aria"]}
    by_name = hall.fail(SAVE, character_name="Brom")["hint"]
    assert by_name == {"field": "args.character_name", "got": "Brom", "choices": ["Aria of the Marsh"]}
    in_fight = hall.fail(SAVE, character_id="brom", encounter_id="encounter-1")["hint"]
    assert in_fight == {"field": "args.character_id", "got": "brom", "choices": ["pip"]}
    assert hall.do(SAVE, (10,), character_name=by_name["choices"][0])["character"] == "pip"


@settings(max_examples=tries(15), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.integers(1, 20), min_size=6, max_size=6))
def test_after_six_saves_it_is_over(hall_with: HallWith, faces: list[int]) -> None:
    hall = hall_with(dying())
    for face in faces:
        aria = hall.person("aria")
        if aria["hp"] or aria["character_state"] in ("unconscious", "dead"):
            break
        saves = aria["death_saves"]
        assert saves["successes"] < 3
        assert saves["failures"] < 3
        saved(hall, face)
    assert hall.person("aria")["character_state"] in ("alive", "unconscious", "dead")
