"""get_encounter: how much of a fight each verbosity shows."""

from __future__ import annotations

from typing import Any

import pytest
from tests.builders import Json, spelt
from tests.tools.conftest import HallWith
from tests.tools.hall import Hall, ephemeral, fight, hall_documents, linked

MINIMAL = ["encounter_id", "status", "round", "current_turn", "participant_count"]
SUMMARY = ["id", "name", "hp_percent", "is_current", "status"]
STANDARD = [*SUMMARY, "initiative", "hp", "max_hp", "ac", "is_enemy", "conditions", "position"]


@pytest.fixture
def fighting(hall_with: HallWith) -> Hall:
    held = {"condition": "poisoned", "source": "a bite", "duration": 3, "rounds_remaining": 2}
    aria = hall_documents()["characters/aria.json"] | {"hp": 20, "temp_hp": 4, "conditions": [held]}
    return hall_with(
        {"characters/aria.json": aria},
        {
            "auras/aura-1.json": {"id": "aura-1", "owner_id": "brom", "spell_name": "Bless", "radius": 10}
            | {"encounter_id": "encounter-1", "duration": 5, "rounds_remaining": 4},
            "auras/aura-2.json": {"id": "aura-2", "owner_id": "brom", "spell_name": "Light", "radius": 10},
        },
        fight(
            linked("aria", 0, 0, statistics={"damage_dealt": 3}),
            linked("brom", 2, 0, overrides={"ac": 20}, readied={"trigger": "it moves", "action": "strike"}),
            ephemeral("rat", 5, 5) | {"strike": {"attacks": 2}},
            terrain={
                "width": 9,
                "obstacles": ["1,1"],
                "hazards": [{"position": "2,2", "type": "fire", "damage": "1d4"}],
            },
            props=[{"id": "prop-1", "name": "Table", "type": "table", "position": {"x": 7, "y": 7}}],
            actions=[{"actor": "aria", "action_type": "dodge"}],
            lighting="dim",
            round=3,
        ),
    )


def look(hall: Hall, verbosity: str | None = None) -> Json:
    return hall.do("get_encounter", encounter_id="encounter-1", **({"verbosity": verbosity} if verbosity else {}))


def test_minimal_tells_whose_turn_it_is_and_no_more(fighting: Hall) -> None:
    result = look(fighting, "minimal")
    assert list(result) == MINIMAL
    assert (result["round"], result["current_turn"], result["participant_count"]) == (
        3,
        {"id": "aria", "name": "Aria"},
        3,
    )


def test_summary_tells_how_everybody_is(fighting: Hall) -> None:
    result = look(fighting, "summary")
    assert list(result) == [*MINIMAL, "participants"]
    assert [list(row) for row in result["participants"]] == [SUMMARY] * 3
    assert result["participants"][0] == {
        "id": "aria",
        "name": "Aria",
        "hp_percent": 45,  # 20 of 44 is 45.45
        "is_current": True,
        "status": "bloodied",
    }


def test_standard_is_the_default_and_adds_numbers_and_places(fighting: Hall) -> None:
    result = look(fighting)
    assert result == look(fighting, "standard")
    assert list(result) == [*MINIMAL, "participants", "turn_index", "terrain"]
    assert [list(row) for row in result["participants"]] == [STANDARD] * 3
    aria, brom, _ = result["participants"]
    assert (aria["hp"], aria["max_hp"], aria["conditions"]) == (20, 44, ["poisoned"])
    assert (brom["ac"], brom["position"]) == (20, {"x": 2, "y": 0, "z": 0})
    assert result["terrain"] == {"obstacles": ["1,1"], "difficult_terrain": [], "water": [], "hazards": ["2,2"]}


def test_detailed_tells_everything(fighting: Hall) -> None:
    result = look(fighting, "detailed")
    aria, brom, rat = result["participants"]
    assert aria["condition_details"] == [
        {
            "condition": "poisoned",
            "source": "a bite",
            "duration": 3,
            "rounds_remaining": 2,
            "save_dc": None,
            "save_ability": None,
            "exhaustion_level": None,
        }
    ]
    assert (aria["source"], aria["character_id"], aria["temp_hp"], aria["speed"]) == ("persistent", "aria", 4, 30)
    assert aria["statistics"] == {
        "damage_dealt": 3,
        "damage_taken": 0,
        "healing_done": 0,
        "attacks_made": 0,
        "attacks_hit": 0,
    }
    assert (brom["readied"], brom["resistances"]) == ({"trigger": "it moves", "action": "strike"}, ["poison"])
    assert brom["senses"] == {"darkvision": 60}
    assert (rat["source"], rat["economy"]["attacks"]) == ("ephemeral", 2)
    assert (result["lighting"], result["terrain"]["width"], result["terrain"]["height"]) == ("dim", 9, 20)
    assert result["terrain"]["hazard_details"] == [{"type": "fire", "damage": "1d4", "position": "2,2"}]
    assert result["auras"] == [
        {"aura_id": "aura-1", "owner_id": "brom", "spell_name": "Bless", "radius": 10, "rounds_remaining": 4}
    ]
    assert [prop["id"] for prop in result["props"]] == ["prop-1"]
    assert result["actions"] == [{"action_type": "dodge", "actor": "aria"}]


@pytest.mark.parametrize(
    ("hp", "most", "percent", "status"),
    [
        (10, 10, 100, "ok"),
        (6, 10, 60, "ok"),
        (5, 10, 50, "bloodied"),
        (3, 10, 30, "bloodied"),
        (1, 4, 25, "critical"),
        (1, 8, 13, "critical"),  # 12.5 is rounded up
        (0, 10, 0, "down"),
    ],
)
def test_how_bad_it_is_in_one_word(hall_with: HallWith, hp: int, most: int, percent: int, status: str) -> None:
    rat = ephemeral("rat", 0, 0)
    hall = hall_with(fight(rat | {"body": rat["body"] | {"hp": hp, "max_hp": most}}))
    (row,) = look(hall, "summary")["participants"]
    assert (row["hp_percent"], row["status"]) == (percent, status)


def test_death_saves_are_told_of_who_is_at_0(hall_with: HallWith) -> None:
    fallen = {"hp": 0, "character_state": "dying", "death_saves": {"successes": 2, "failures": 1}}
    hall = hall_with(
        {"characters/aria.json": hall_documents()["characters/aria.json"] | fallen},
        fight(linked("aria", 0, 0), linked("brom", 1, 0)),
    )
    aria, brom = look(hall)["participants"]
    assert aria["death_saves"] == {"successes": 2, "failures": 1, "stable": False, "dead": False}
    assert "death_saves" not in brom


def test_exhaustion_of_level_4_halves_what_is_shown(hall_with: HallWith) -> None:
    weary = {"conditions": [{"condition": "exhaustion", "exhaustion_level": 4}]}
    hall = hall_with(
        {"characters/aria.json": hall_documents()["characters/aria.json"] | weary}, fight(linked("aria", 0, 0))
    )
    (row,) = look(hall)["participants"]
    assert (row["hp"], row["max_hp"], row["hp_percent"]) == (22, 22, 100)


@pytest.mark.parametrize("verbosity", ["minimal", "summary", "standard", "detailed"])
def test_a_fight_that_has_ended_shows_how_whatever_the_verbosity(fighting: Hall, verbosity: str) -> None:
    fighting.do("end_encounter", encounter_id="encounter-1", outcome="victory", notes="The rat ran.")
    fighting.do("update_character", character_id="aria", hp=1)
    result = look(fighting, verbosity)
    assert (result["status"], result["outcome"], result["round"]) == ("ended", "victory", 3)
    assert (result["current_turn"], result["notes"]) == (None, "The rat ran.")
    assert result["participants"][0]["hp"] == 20  # as the fight left her
    assert not any(row["is_current"] for row in result["participants"])


def test_looking_changes_nothing_and_needs_no_turn(fighting: Hall) -> None:
    before = spelt(fighting.campaign.state)
    asked = fighting.campaign.query("get_encounter", {"encounter_id": "encounter-1", "verbosity": "detailed"})
    assert asked["ok"]
    assert asked["result"] == look(fighting, "detailed")
    assert spelt(fighting.campaign.state) == before


@pytest.mark.parametrize("args", [{"verbosity": "brief"}, {"verbosity": "SUMMARY"}, {"verbosity": "sumary"}])
def test_the_old_name_and_loose_words_give_a_summary(fighting: Hall, args: Any) -> None:
    action = fighting.action("get_encounter_summary", encounterId="encounter-1")
    assert (action["tool"], action["alias_of"]) == ("get_encounter", "get_encounter_summary")
    assert action["result"] == look(fighting, "summary")
    assert look(fighting, args["verbosity"]) == look(fighting, "summary")


def test_the_old_name_stands_for_a_summary_alone(fighting: Hall) -> None:
    failure = fighting.fail("get_encounter_summary", encounter_id="encounter-1", verbosity="detailed")
    assert (failure["reason"], failure["hint"]["choices"]) == ("invalid_args", ["summary"])


def test_there_must_be_such_a_fight(fighting: Hall) -> None:
    failure = fighting.fail("get_encounter", encounter_id="encounter_1")
    assert (failure["reason"], failure["hint"]["allowed"]) == ("not_found", ["encounter-1"])
    failure = fighting.fail("get_encounter", encounter_id="encounter-1", verbosity="banana")
    assert (failure["reason"], failure["hint"]["field"]) == ("invalid_args", "args.verbosity")
    failure = fighting.fail("get_encounter", encounter_id="../../campaign")
    assert failure["reason"] == "not_found"
