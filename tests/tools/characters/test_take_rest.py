"""take_rest: what a short and a long rest give back, and what they do not."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.builders import Json, spelt
from tests.sampling import tries
from tests.tools.conftest import HallWith
from tests.tools.hall import Hall, changed, fight, hall_documents, linked, sheeted


def rest(hall: Hall, who: str, kind: str, dice: tuple[int, ...] = (), /, **args: Any) -> Json:
    return hall.do("take_rest", dice, character_id=who, rest_type=kind, **args)


def test_a_short_rest_heals_with_hit_dice(hall: Hall) -> None:
    result = rest(hall, "dain", "short", (8, 1), hit_dice_to_spend=2)
    assert (result["hp_before"], result["hp_after"], result["healing"]) == (20, 33, 13)
    assert (result["hit_dice_spent"], result["hit_dice_rolls"]) == (2, [8, 1])
    assert (result["hit_dice_before"], result["hit_dice_after"], result["hit_dice_max"]) == (5, 3, 5)
    assert hall.person("dain")["hp"] == 33


def test_no_more_hit_dice_are_spent_than_are_left(hall: Hall) -> None:
    result = rest(hall, "cyra", "short", (1, 2), hit_dice_to_spend=9)
    assert (result["hit_dice_spent"], result["hit_dice_after"]) == (2, 0)


def test_there_are_as_many_hit_dice_as_levels_whatever_the_sheet_says(hall_with: HallWith) -> None:
    hall = hall_with(sheeted("dain", {"level": 2, "hit_dice": {"current": 5, "max": 5}}))
    result = rest(hall, "dain", "short", (1, 1), hit_dice_to_spend=5)
    assert (result["hit_dice_before"], result["hit_dice_spent"], result["hit_dice_max"]) == (2, 2, 2)


def test_healing_is_told_before_the_maximum_cuts_it(hall: Hall) -> None:
    result = rest(hall, "dain", "short", (8, 8), hit_dice_to_spend=2)
    assert (result["healing"], result["hp_after"]) == (20, 38)
    result = rest(hall, "dain", "short", (8,), hit_dice_to_spend=1)
    assert (result["healing"], result["hp_after"]) == (10, 38)


def test_a_hit_die_never_hurts(hall_with: HallWith) -> None:
    frail = sheeted("dain", {"stats": {"con": 1}})
    result = rest(hall_with(frail), "dain", "short", (3, 8), hit_dice_to_spend=2)
    assert result["healing"] == 3


@pytest.mark.parametrize(
    ("sheet", "sides"),
    [({}, 8), ({"class": "Barbarian"}, 12), ({"custom_class": {"name": "Titan", "hit_die": 4}}, 4)],
)
def test_the_hit_die_is_that_of_the_class(hall_with: HallWith, sheet: Json, sides: int) -> None:
    hall = hall_with(sheeted("dain", sheet))
    rest(hall, "dain", "short", (2,), hit_dice_to_spend=1)
    assert hall.draws()[0]["sides"] == sides


def test_a_short_rest_without_dice_gives_nothing_back(hall: Hall) -> None:
    before = spelt(hall.campaign.state)
    result = rest(hall, "cyra", "short")
    assert (result["healing"], result["slots_restored"], result["conditions_cleared"]) == (0, {}, [])
    assert spelt(hall.campaign.state) == before


def test_the_slots_of_a_warlock_come_back_in_a_short_rest(hall_with: HallWith) -> None:
    pact = {"class": "Warlock", "pact_slots": {"current": 0, "max": 2, "slot_level": 3}}
    hall = hall_with(sheeted("dain", pact))
    assert rest(hall, "dain", "short", restore_spell_slots=False)["pact_restored"] == 0
    assert rest(hall, "dain", "short")["pact_restored"] == 2
    assert hall.person("dain")["sheet"]["pact_slots"]["current"] == 2


def test_short_rests_wake_who_lies_at_zero(hall: Hall) -> None:
    hall.do("update_character", character_id="dain", hp=0)
    result = rest(hall, "dain", "short", (4,), hit_dice_to_spend=1)
    assert (result["hp_before"], result["hp_after"]) == (0, 6)
    assert hall.person("dain")["character_state"] == "alive"


def test_a_long_rest_gives_back_hit_points_slots_and_half_of_the_hit_dice(hall_with: HallWith) -> None:
    spent = {"1": {"current": 0, "max": 4}, "2": {"current": 3, "max": 3}, "3": {"current": 1, "max": 2}}
    hall = hall_with(sheeted("cyra", {"spell_slots": spent, "hit_dice": {"current": 0, "max": 5}}, hp=3, temp_hp=9))
    result = rest(hall, "cyra", "long")
    assert (result["hp_before"], result["hp_after"], result["healing"]) == (3, 32, 0)
    assert result["slots_restored"] == {"1": 4, "3": 1}
    assert (result["hit_dice_before"], result["hit_dice_after"]) == (0, 2)
    assert "temp_hp" not in hall.person("cyra")


@pytest.mark.parametrize(("level", "left", "after"), [(1, 0, 1), (3, 0, 1), (4, 0, 2), (5, 4, 5), (20, 3, 13)])
def test_half_of_the_hit_dice_come_back_rounded_down_and_at_least_one(
    hall_with: HallWith, level: int, left: int, after: int
) -> None:
    hall = hall_with(sheeted("dain", {"level": level, "hit_dice": {"current": left, "max": level}}))
    assert rest(hall, "dain", "long")["hit_dice_after"] == after


def test_a_long_rest_takes_one_level_of_exhaustion(hall_with: HallWith) -> None:
    hall = hall_with(changed("dain", conditions=[{"condition": "exhaustion", "exhaustion_level": 4}]))
    result = rest(hall, "dain", "long")
    assert (result["exhaustion_before"], result["exhaustion_after"], result["hp_after"]) == (4, 3, 38)
    assert rest(hall, "dain", "short")["exhaustion_after"] == 3
    rest(hall, "dain", "long")
    rest(hall, "dain", "long")
    assert rest(hall, "dain", "long")["exhaustion_after"] == 0
    assert "conditions" not in hall.person("dain")


def test_hit_points_rise_to_the_maximum_that_counts(hall_with: HallWith) -> None:
    aid = {"effect_id": "e", "name": "Aid", "max_hp_modifier": 5}
    assert rest(hall_with(changed("dain", hp=1, effects=[aid])), "dain", "long")["hp_after"] == 43
    tired = [{"condition": "exhaustion", "exhaustion_level": 5}]
    assert rest(hall_with(changed("dain", hp=1, conditions=tired)), "dain", "long")["hp_after"] == 19


def test_a_long_rest_ends_concentration_with_what_it_holds(hall_with: HallWith) -> None:
    held = {"effect_id": "e", "name": "Bless", "duration": "concentration", "source": "brom"}
    hall = hall_with(changed("brom", concentration={"spell_name": "Bless"}), changed("dain", effects=[held]))
    rest(hall, "brom", "short")
    assert hall.person("brom")["concentration"]
    rest(hall, "brom", "long")
    assert "concentration" not in hall.person("brom")
    assert "effects" not in hall.person("dain")


@pytest.mark.parametrize("kind", ["short", "long"])
def test_rests_end_what_lasts_until_a_rest_and_what_is_named(hall_with: HallWith, kind: str) -> None:
    conditions = [
        {"condition": "charmed", "duration": "until_rest"},
        {"condition": "blinded"},
        {"condition": "deafened"},
        {"condition": "exhaustion", "exhaustion_level": 3},
    ]
    effects = [{"effect_id": "e1", "name": "Song", "duration": "until_rest"}, {"effect_id": "e2", "name": "Curse"}]
    hall = hall_with(changed("dain", conditions=conditions, effects=effects))
    result = rest(hall, "dain", kind, clear_conditions=["blind", "exhaustion", "prone"])
    assert result["conditions_cleared"] == ["charmed", "blinded", "exhaustion"]
    assert result["effects_ended"] == ["Song"]
    assert [each["condition"] for each in hall.person("dain")["conditions"]] == ["deafened"]


def test_a_rest_ends_unconsciousness_that_hit_points_did_not_bring(hall_with: HallWith) -> None:
    asleep = {"condition": "unconscious", "source": "a lullaby", "duration": "until_rest"}
    hall = hall_with(changed("dain", conditions=[asleep]))
    hall.do("update_character", character_id="dain", hp=0)
    result = rest(hall, "dain", "short", restore_hp=False)
    assert result["conditions_cleared"] == ["unconscious"]
    assert [each.get("source") for each in hall.person("dain")["conditions"]] == ["hp_zero", None]


def test_only_healing_wakes_who_lies_at_zero(hall: Hall) -> None:
    hall.do("update_character", character_id="dain", hp=0)
    result = rest(hall, "dain", "short", clear_conditions=["unconscious", "prone"])
    assert result["conditions_cleared"] == ["prone"]


@pytest.mark.parametrize(
    ("args", "kept"),
    [
        ({"restore_hp": False}, {"hp_after": 3}),
        ({"restore_spell_slots": False}, {"slots_restored": {}}),
        ({"restore_hit_dice": False}, {"hit_dice_after": 2}),
    ],
)
def test_the_game_master_can_hold_back(hall_with: HallWith, args: Json, kept: Json) -> None:
    hall = hall_with(changed("cyra", hp=3))
    assert kept.items() <= rest(hall, "cyra", "long", **args).items()


def test_without_hit_points_to_regain_no_hit_dice_are_spent(hall: Hall) -> None:
    assert rest(hall, "dain", "short", restore_hp=False, hit_dice_to_spend=2)["hit_dice_spent"] == 0


@pytest.mark.parametrize("kind", ["short", "long"])
def test_a_disturbed_rest_does_nothing_at_all(hall_with: HallWith, kind: str) -> None:
    tired = [{"condition": "exhaustion", "exhaustion_level": 3}, {"condition": "prone", "duration": "until_rest"}]
    hall = hall_with(changed("cyra", hp=3, temp_hp=4, conditions=tired, concentration={"spell_name": "Web"}))
    before = spelt(hall.campaign.state)
    action = hall.action("take_rest", character_id="cyra", rest_type=kind, hit_dice_to_spend=2, uninterrupted=False)
    result = action["result"]
    assert (result["interrupted"], result["hp_after"], result["exhaustion_after"]) == (True, 3, 3)
    assert action["warnings"]
    assert spelt(hall.campaign.state) == before


@pytest.mark.parametrize("kind", ["short", "long"])
def test_nobody_rests_in_a_fight(hall_with: HallWith, kind: str) -> None:
    told = hall_with(fight(linked("dain", 0, 0))).fail("take_rest", character_id="dain", rest_type=kind)
    assert (told["status"], told["reason"]) == ("rejected", "rule_violation")
    body = hall_documents()["characters/dain.json"]
    over = hall_with(fight(linked("dain", 0, 0, body=body), status="ended"))
    assert rest(over, "dain", kind)["interrupted"] is False


def test_a_long_rest_wants_a_hit_point_and_the_dead_rest_no_more(hall: Hall) -> None:
    hall.do("update_character", character_id="dain", hp=0)
    assert hall.why("take_rest", character_id="dain", rest_type="long") == "rule_violation"
    hall.do("update_character", character_id="dain", character_state="dead")
    assert hall.why("take_rest", character_id="dain", rest_type="short", hit_dice_to_spend=1) == "rule_violation"


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        ({"character_id": "lena", "rest_type": "short"}, "rule_violation"),
        ({"character_id": "nobody", "rest_type": "short"}, "not_found"),
        ({"character_name": "aria", "rest_type": "short"}, "ambiguous"),
        ({"rest_type": "short"}, "invalid_args"),
        ({"character_id": "dain"}, "invalid_args"),
        ({"character_id": "dain", "rest_type": "nap"}, "invalid_args"),
        ({"character_id": "dain", "rest_type": "short", "hit_dice_to_spend": -1}, "invalid_args"),
        ({"character_id": "dain", "rest_type": "short", "clear_conditions": ["banana"]}, "invalid_args"),
    ],
)
def test_rests_that_cannot_be_are_refused(hall: Hall, args: Json, reason: str) -> None:
    assert hall.why("take_rest", **args) == reason


def test_a_whole_party_rests_in_one_call(hall: Hall) -> None:
    names = ["Brom", "cyra", "DAIN"]
    reply = hall.reply("take_rest", {"batch": [{"characterName": name, "restType": "long rest"} for name in names]})
    action = reply["applied_actions"][0]
    assert [entry["result"]["hp_after"] for entry in action["result"]["results"]] == [38, 32, 38]
    assert action["corrections"][2] == {
        "field": "args.batch.2.rest_type",
        "from": "long rest",
        "to": "long",
        "how": "alias",
    }


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=tries(25))
@given(
    asked=st.integers(0, 8),
    kind=st.sampled_from(["short", "long"]),
    flags=st.fixed_dictionaries(
        {name: st.booleans() for name in ("restore_hp", "restore_spell_slots", "restore_hit_dice", "uninterrupted")}
    ),
)
def test_no_rest_takes_anything_away_but_hit_dice(hall: Hall, asked: int, kind: str, flags: dict[str, bool]) -> None:
    args = {"character_id": "cyra", "rest_type": kind, "hit_dice_to_spend": asked} | flags
    turn = {"tool_calls": [{"id": "c", "tool": "take_rest", "args": args}]}
    result = hall.campaign.process(turn, dry_run=True)["applied_actions"][0]["result"]
    assert result["hp_before"] <= result["hp_after"] <= 32
    assert 0 <= result["hit_dice_after"] <= result["hit_dice_max"]
    assert result["hit_dice_spent"] <= min(asked, result["hit_dice_before"])
    assert flags["uninterrupted"] or result["hit_dice_after"] == result["hit_dice_before"]
