"""synthesize_spell: the DC, what comes of the check, what it costs, and what the spell turns out to be."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.builders import Json
from tests.sampling import tries
from tests.tools.conftest import HallWith
from tests.tools.hall import Hall, ephemeral, fight, hall_documents, linked

TOOL = "synthesize_spell"
BOLT: Json = {"type": "damage", "damage": "2d6", "damage_type": "cold"}


def spell(level: int = 1, effect: Json | None = None, **more: Any) -> Json:
    return {"name": "Frost Lash", "level": level, "effect": BOLT if effect is None else effect} | more


def args_of(level: int = 1, effect: Json | None = None, who: str = "cyra", **more: Any) -> Json:
    return {"caster_id": who, "intent": "Lash out with frost", "proposed_spell": spell(level, effect), **more}


def cast(hall: Hall, dice: tuple[int, ...], *args: Any, manual: tuple[int, ...] = (), **more: Any) -> Json:
    return hall.do(TOOL, dice, manual, **args_of(*args, **more))


def slots(hall: Hall, who: str = "cyra") -> dict[str, int]:
    return {level: pool["current"] for level, pool in hall.person(who)["sheet"]["spell_slots"].items()}


def test_a_success_tells_what_the_spell_does(hall: Hall) -> None:
    made = cast(hall, (6, 3, 4))  # Arcana 4 + 3
    assert made == {
        "caster": "cyra",
        "dc": 13,
        "circumstances": [],
        "natural": 6,
        "rolls": [6],
        "mode": "normal",
        "bonus": 7,
        "total": 13,
        "margin": 0,
        "outcome": "success",
        "mishap_damage": None,
        "spell": {
            "name": "Frost Lash",
            "level": 1,
            "school": None,
            "effect": BOLT
            | {
                "healing": None,
                "condition": None,
                "damage_rolls": [[3, 4]],
                "damage_total": 7,
                "healing_rolls": [],
                "healing_total": None,
            },
            "range": None,
            "area": None,
            "saving_throw": None,
            "concentration": False,
            "duration": None,
        },
        "slot": {"level": 1, "remaining": 3, "pact": False},
        "previous_spell": None,
    }
    assert slots(hall) == {"1": 3, "2": 1, "3": 2}


@pytest.mark.parametrize(("level", "dc"), [(1, 13), (2, 15), (3, 16)])
def test_the_dc_rises_with_the_level(hall: Hall, level: int, dc: int) -> None:
    assert cast(hall, (15, 1, 1), level)["dc"] == dc


def test_circumstances_add_to_the_dc_and_are_told(hall: Hall) -> None:
    circumstances = [{"why": "it is raining", "modifier": -2}, {"why": "a hurry", "modifier": 5}]
    made = cast(hall, (9, 1, 1), circumstances=circumstances)
    assert (made["dc"], made["circumstances"], made["outcome"]) == (16, circumstances, "success")


def test_a_strong_success_throws_twice_and_keeps_the_better(hall: Hall) -> None:
    made = cast(hall, (16, 1, 2, 5, 6))
    assert (made["margin"], made["outcome"]) == (10, "strong_success")
    effect = made["spell"]["effect"]
    assert (effect["damage_rolls"], effect["damage_total"]) == ([[1, 2], [5, 6]], 11)
    again = cast(hall, (16, 5, 6, 1, 2))["spell"]["effect"]
    assert again["damage_total"] == 11


def test_a_natural_20_gives_all_the_dice_can(hall: Hall) -> None:
    both = {"type": "damage", "damage": "2d6+1", "healing": "1d8!"}
    made = cast(hall, (20,), 3, both, circumstances=[{"why": "a seal", "modifier": 5}] * 3)
    assert (made["outcome"], made["margin"]) == ("critical_success", 27 - 31)
    effect = made["spell"]["effect"]
    assert (effect["damage_total"], effect["healing_total"]) == (13, 8)


def test_a_failure_costs_the_slot_and_no_more(hall: Hall) -> None:
    made = cast(hall, (5,))
    assert (made["margin"], made["outcome"], made["mishap_damage"]) == (-1, "failure", None)
    assert made["spell"]["effect"]["damage_total"] is None
    assert (slots(hall)["1"], hall.person("cyra")["hp"]) == (3, 32)


def test_a_mishap_hurts_the_caster(hall: Hall) -> None:
    wards = [{"why": "wards", "modifier": 5}]
    assert cast(hall, (2, 2, 6), 2, circumstances=wards)["margin"] == -11
    assert hall.person("cyra")["hp"] == 24
    assert cast(hall, (1, 4))["mishap_damage"] == 4
    assert hall.person("cyra")["hp"] == 20


def test_a_reckless_failure_is_a_mishap_however_close(hall: Hall) -> None:
    made = cast(hall, (5, 7, 3, 4), 2, reckless=True)
    assert (made["mode"], made["natural"], made["margin"]) == ("advantage", 7, -1)
    assert (made["outcome"], made["mishap_damage"], hall.person("cyra")["hp"]) == ("mishap", 7, 25)


def test_a_mishap_is_force_damage_and_shakes_concentration(hall_with: HallWith) -> None:
    path = "characters/cyra.json"
    cyra = hall_documents()[path]
    sheet = cyra["sheet"] | {"resistances": ["force"]}
    hall = hall_with({path: cyra | {"sheet": sheet, "concentration": {"spell_name": "Haste"}}})
    made = cast(hall, (1, 5, 7))
    assert (made["mishap_damage"], hall.person("cyra")["hp"]) == (2, 30)
    assert made["concentration_check"] == {
        "target_id": "cyra",
        "spell_name": "Haste",
        "dc": 10,
        "natural": 7,
        "modifier": 2,
        "total": 9,
        "success": False,
        "broken": True,
    }
    assert "concentration" not in hall.person("cyra")


def test_a_mishap_may_fell_the_caster(hall: Hall) -> None:
    hall.do("hp_delta", target_character_id="cyra", delta=-30, cause="a falling stone")
    assert cast(hall, (1, 6))["mishap_damage"] == 6
    assert (hall.person("cyra")["hp"], hall.person("cyra")["character_state"]) == (0, "dying")


def test_only_a_success_is_concentrated_on(hall: Hall) -> None:
    first = args_of() | {"proposed_spell": spell(concentration=True, duration=10)}
    assert hall.do(TOOL, (5,), **first)["previous_spell"] is None
    assert "concentration" not in hall.person("cyra")
    hall.do(TOOL, (10, 1, 1), **first)
    held = hall.person("cyra")["concentration"]
    assert held == {"spell_name": "Frost Lash", "duration": 10, "rounds_remaining": 10}
    second = first | {"proposed_spell": spell(name="Ice Wall", concentration=True, duration="an hour")}
    assert hall.do(TOOL, (10, 1, 1), **second)["previous_spell"] == "Frost Lash"
    assert hall.person("cyra")["concentration"] == {"spell_name": "Ice Wall"}


def test_the_saving_throw_is_the_casters_unless_it_is_given(hall: Hall) -> None:
    for asked, dc in (({"ability": "Dexterity"}, 15), ({"ability": "dex", "dc": 12}, 12)):
        made = hall.do(TOOL, (10, 1, 1), **args_of() | {"proposed_spell": spell(savingThrow=asked)})
        assert made["spell"]["saving_throw"] == {"ability": "dex", "dc": dc}


def test_without_a_slot_it_cannot_be_tried_unless_none_is_spent(hall: Hall) -> None:
    refused = hall.fail(TOOL, **args_of(4))
    repair = {"field": "args.expend_slot", "choices": [False]}
    assert (refused["reason"], refused["hint"]) == ("rule_violation", repair | {"add": True})
    assert hall.fail(TOOL, **args_of(4), expend_slot=True)["hint"] == repair | {"got": True}
    free = cast(hall, (20,), 4, expend_slot=False)
    assert (free["slot"], slots(hall)) == (None, {"1": 4, "2": 1, "3": 2})
    assert cast(hall, (5,), 2)["slot"]["remaining"] == 0
    assert hall.why(TOOL, **args_of(2)) == "rule_violation"


def test_a_pact_pays_with_its_own_slots(hall_with: HallWith) -> None:
    path = "characters/dain.json"
    dain = hall_documents()[path]
    pact = {"current": 1, "max": 2, "slot_level": 3}
    hall = hall_with({path: dain | {"sheet": dain["sheet"] | {"class": "Warlock", "pact_slots": pact}}})
    assert hall.why(TOOL, **args_of(4, who="dain")) == "rule_violation"
    assert cast(hall, (12, 1, 1), 1, who="dain")["slot"] == {"level": 3, "remaining": 0, "pact": True}
    assert hall.why(TOOL, **args_of(1, who="dain")) == "rule_violation"


def test_who_has_no_sheet_needs_no_slot(hall: Hall) -> None:
    made = cast(hall, (13, 1, 1), who="lena")
    assert (made["bonus"], made["slot"], made["outcome"]) == (0, None, "success")
    assert cast(hall, (1, 5), who="lena")["mishap_damage"] == 5
    assert hall.person("lena")["hp"] == 3


@pytest.mark.parametrize("said", [{}, {"expend_slot": True}])
def test_a_sheet_made_up_for_a_fight_that_holds_no_slots_pays_none(hall_with: HallWith, said: Json) -> None:
    hall = hall_with(fight(linked("aria", 0, 0), ephemeral("shaman", 3, 3, 9)))
    made = cast(hall, (19, 1, 1), who="shaman", encounter_id="encounter-1", **said)
    assert (made["slot"], made["outcome"]) == (None, "success")
    assert hall.fail(TOOL, **args_of(who="aria"))["reason"] == "rule_violation"


def test_an_ephemeral_caster_is_hurt_in_the_fight(hall_with: HallWith) -> None:
    slots_ = {"spell_slots": {"1": {"current": 1, "max": 1}}}
    hall = hall_with(fight(linked("aria", 0, 0), ephemeral("shaman", 3, 3, 9, sheet=slots_)))
    made = cast(hall, (1, 4), who="shaman", encounter_id="encounter-1")
    assert made["slot"] == {"level": 1, "remaining": 0, "pact": False}
    assert hall.encounter()["participants"][1]["body"]["hp"] == 5


def test_a_caster_who_falls_lets_go_of_whom_they_hold(hall_with: HallWith) -> None:
    hall = hall_with(fight(linked("cyra", 0, 0), linked("grik", 1, 0)))
    hall.do("manage_condition", target_id="grik", operation="add", condition="grappled", source="cyra")
    hall.do("hp_delta", target_character_id="cyra", delta=-31, cause="a falling stone")
    cast(hall, (1, 6))
    assert "conditions" not in hall.person("grik")


def test_the_numbers_are_settings(hall: Hall) -> None:
    hall.campaign.set(
        {
            "rules.improvised_base_dc": 8,
            "rules.improvised_dc_per_two_levels": 2,
            "rules.improvised_strong_margin": 5,
            "rules.improvised_mishap_margin": 2,
            "rules.improvised_mishap_die": 4,
        }
    )
    assert cast(hall, (7, 1, 1, 1, 2))["outcome"] == "strong_success"
    assert cast(hall, (6, 1, 1))["dc"] == 9
    hard = [{"why": "wards", "modifier": 5}]
    assert cast(hall, (5, 4, 1), 2, circumstances=hard)["outcome"] == "mishap"


def test_reckless_and_the_referee_may_cancel_out(hall: Hall) -> None:
    assert cast(hall, (10, 1, 1), reckless=True, roll_mode="disadvantage")["mode"] == "cancelled"
    assert cast(hall, (1, 1), manual=(10,), reckless=True, manual_roll=10)["rolls"] == [10]
    assert cast(hall, (1, 1), manual=(3, 10), reckless=True, manual_rolls=[3, 10])["natural"] == 10


@pytest.mark.parametrize(
    ("change", "reason", "field"),
    [
        ({"caster_id": "nobody"}, "not_found", "args.caster_id"),
        ({"caster_id": None}, "invalid_args", "args.caster_id"),
        ({"caster_id": None, "caster_name": "Aria"}, "ambiguous", "args.caster_id"),
        ({"intent": ""}, "invalid_args", "args.intent"),
        ({"proposed_spell": None}, "invalid_args", "args.proposed_spell"),
        ({"proposed_spell": spell(0)}, "invalid_args", "args.proposed_spell.level"),
        ({"proposed_spell": spell(10)}, "invalid_args", "args.proposed_spell.level"),
        ({"proposed_spell": spell(2.5)}, "invalid_args", "args.proposed_spell.level"),  # type: ignore[arg-type]
        ({"proposed_spell": spell(1, {"type": "damage"})}, "invalid_args", "args.proposed_spell.effect.damage"),
        ({"proposed_spell": spell(1, {"type": "healing"})}, "invalid_args", "args.proposed_spell.effect.healing"),
        (
            {"proposed_spell": spell(1, {"type": "damage", "damage": "0d6"})},
            "invalid_args",
            "args.proposed_spell.effect.damage",
        ),
        ({"proposed_spell": spell(1, {"type": "banana"})}, "invalid_args", "args.proposed_spell.effect.type"),
        ({"proposed_spell": spell(range=-1)}, "invalid_args", "args.proposed_spell.range"),
        ({"proposed_spell": spell(duration=0)}, "invalid_args", "args.proposed_spell.duration"),
        (
            {"circumstances": [{"why": "a storm", "modifier": 6}]},
            "invalid_args",
            "args.circumstances.0.modifier",
        ),
        ({"circumstances": [{"why": "a storm", "modifier": 1}] * 6}, "invalid_args", "args.circumstances"),
        ({"encounter_id": "encounter-9"}, "not_found", "args.encounter_id"),
    ],
)
def test_what_is_wrong_is_told_and_changes_nothing(hall: Hall, change: Json, reason: str, field: str) -> None:
    args = {key: value for key, value in (args_of() | change).items() if value is not None or key == "proposed_spell"}
    feedback = hall.fail(TOOL, **args)
    assert (feedback["reason"], feedback["hint"]["field"]) == (reason, field)


def test_who_cannot_act_cannot_cast(hall: Hall) -> None:
    hall.do("manage_condition", target_id="cyra", operation="add", condition="paralyzed")
    assert hall.why(TOOL, **args_of()) == "rule_violation"


def test_words_deep_inside_may_be_spelt_loosely(hall: Hall) -> None:
    lash = {"type": "Harm", "damage": "1d4", "damageType": "frost"}
    proposed = {
        "name": "Lash",
        "level": 1,
        "effect": lash,
        "area": {"shape": "sphre", "size": 10},
        "school": "evocaton",
    }
    action = hall.action(TOOL, (10, 2), casterName="CYRA", intent="Lash out", proposedSpell=proposed, expendSlot=False)
    assert action["args"]["proposed_spell"] == {
        "name": "Lash",
        "level": 1,
        "effect": {"type": "damage", "damage": "1d4", "damage_type": "cold"},
        "area": {"shape": "sphere", "size": 10},
        "school": "evocation",
    }
    told = {(row["field"], row["how"]) for row in action["corrections"]}
    assert ("args.proposed_spell.effect.damage_type", "alias") in told
    assert ("args.proposed_spell.area.shape", "fuzzy") in told


@given(st.integers(2, 19), st.integers(1, 3), st.lists(st.integers(-5, 5), max_size=5))
@settings(max_examples=tries(10), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_margin_decides(hall_with: HallWith, natural: int, level: int, modifiers: list[int]) -> None:
    hall = hall_with()
    circumstances = [{"why": "it is so", "modifier": modifier} for modifier in modifiers]
    args = args_of(level, {"type": "utility"}, circumstances=circumstances)
    margin = natural + 7 - (12 + level + level // 2 + sum(modifiers))
    made = hall.do(TOOL, (natural, *[1] * level) if margin <= -10 else (natural,), **args)
    assert made["margin"] == margin
    wanted = {True: "strong_success" if margin >= 10 else "success", False: "mishap" if margin <= -10 else "failure"}
    assert made["outcome"] == wanted[margin >= 0]
