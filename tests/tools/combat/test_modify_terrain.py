"""modify_terrain: what comes to lie on the ground, what goes, and what cannot be."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.builders import Json
from tests.sampling import tries
from tests.tools.conftest import HallWith
from tests.tools.hall import Hall, ephemeral, fight, hall_documents, linked

KINDS = {"obstacle": "obstacles", "difficult_terrain": "difficult_terrain", "water": "water"}


@pytest.fixture
def fighting(hall_with: HallWith) -> Hall:
    return hall_with(fight(linked("aria", 0, 0), linked("ogg", 5, 5), terrain={"width": 10, "height": 8}))


def change(hall: Hall, operation: str, kind: str, positions: list[str] | None = None, /, **args: Any) -> Json:
    where = {} if positions is None else {"positions": positions}
    return hall.do(
        "modify_terrain", encounter_id="encounter-1", operation=operation, terrain_type=kind, **where, **args
    )


def refused(hall: Hall, operation: str, kind: str, positions: list[str] | None = None, /, **args: Any) -> Json:
    where = {} if positions is None else {"positions": positions}
    return hall.fail(
        "modify_terrain", encounter_id="encounter-1", operation=operation, terrain_type=kind, **where, **args
    )


@pytest.mark.parametrize(("kind", "where"), KINDS.items())
def test_squares_are_added_removed_and_cleared(fighting: Hall, kind: str, where: str) -> None:
    added = change(fighting, "add", kind, ["3,3", "03,3", "4,3", "4,4"])
    assert (added["affected"], added["count"], added["totals"][where]) == (["3,3", "4,3", "4,4"], 3, 3)
    again = change(fighting, "add", kind, ["4,3", "1,3"])
    assert (again["affected"], again["count"]) == (["1,3"], 1)
    assert fighting.encounter()["terrain"][where] == ["3,3", "4,3", "4,4", "1,3"]
    gone = change(fighting, "remove", kind, ["4,4", "9,7", "3,3"])
    assert (gone["affected"], gone["count"], gone["totals"][where]) == (["4,4", "3,3"], 2, 2)
    assert change(fighting, "remove", kind, ["9,7", "30,30"])["count"] == 0
    cleared = change(fighting, "clear", kind)
    assert (cleared["affected"], cleared["count"]) == (["4,3", "1,3"], 2)
    assert cleared["totals"] == {"obstacles": 0, "difficult_terrain": 0, "water": 0, "hazards": 0}
    assert where not in fighting.encounter()["terrain"]


def test_hazards_of_two_kinds_share_a_square_and_the_same_one_does_not(fighting: Hall) -> None:
    fire = {"type": "fire", "damage": "1d6", "damageType": "Fire ", "saveAbility": "dax", "dc": 12}
    first = change(fighting, "add", "hazard", ["2,2", "2,3"], hazard_details=fire)
    assert (first["count"], first["totals"]["hazards"]) == (2, 2)
    other = change(fighting, "add", "hazard", ["2,3", "2,4"], hazard_details={"type": "FIRE"})
    assert other["affected"] == ["2,4"]
    pit = change(fighting, "add", "hazard", ["2,2"], hazard_details={"type": "pit", "condition": "prone"})
    assert (pit["affected"], pit["totals"]["hazards"]) == (["2,2"], 3)
    assert fighting.encounter()["terrain"]["hazards"][0] == {
        "type": "fire",
        "damage": "1d6",
        "damage_type": "fire",
        "dc": 12,
        "save_ability": "dex",
        "position": "2,2",
    }
    assert change(fighting, "remove", "hazard", ["2,2"])["totals"]["hazards"] == 2
    assert change(fighting, "clear", "hazard")["affected"] == ["2,3", "2,4"]


def test_words_are_understood_loosely(fighting: Hall) -> None:
    action = fighting.action(
        "modify_terrain", encounterId="encounter-1", operation="ad", terrainType="wall", positions=["1,1"]
    )
    assert (action["args"]["operation"], action["args"]["terrain_type"]) == ("add", "obstacle")
    assert [each["how"] for each in action["corrections"]] == ["fuzzy", "alias"]
    assert change(fighting, "add", "difficult", ["1,2"])["terrain_type"] == "difficult_terrain"
    assert change(fighting, "delete", "rubble", ["1,2"])["count"] == 1


@pytest.mark.parametrize("word", ["clera", "remoev", "clea"])
def test_what_takes_away_is_never_guessed(fighting: Hall, word: str) -> None:
    assert refused(fighting, word, "water", ["1,1"])["reason"] == "invalid_args"


def test_terrain_that_lasts_some_rounds_is_remembered_until_it_is_taken_away(fighting: Hall) -> None:
    change(fighting, "add", "water", ["1,1"])
    change(fighting, "add", "water", ["1,1", "1,2", "1,3"], duration=3, source="a spell")
    assert fighting.encounter()["terrain"]["timed"] == [
        {"terrain_type": "water", "positions": ["1,2", "1,3"], "rounds_remaining": 3, "source": "a spell"}
    ]
    change(fighting, "remove", "water", ["1,2"])
    assert fighting.encounter()["terrain"]["timed"][0]["positions"] == ["1,3"]
    change(fighting, "clear", "water")
    assert "timed" not in fighting.encounter()["terrain"]


def test_nobody_who_lives_is_walled_in(fighting: Hall) -> None:
    failure = refused(fighting, "add", "obstacle", ["1,1", "6,6", "0,0"])  # the ogre fills 5,5 to 6,6
    assert failure["reason"] == "conflict"
    assert failure["hint"] == {"field": "args.positions", "got": ["1,1", "6,6", "0,0"]}
    assert refused(fighting, "add", "obstacle", ["0,0"])["hint"] == {"field": "args.positions", "got": ["0,0"]}
    change(fighting, "add", "water", ["0,0"])


def test_the_dead_are_buried_without_a_word_and_the_dying_are_not(hall_with: HallWith) -> None:
    fallen = {"hp": 0, "character_state": "dying", "death_saves": {}}
    dying = {"characters/aria.json": hall_documents()["characters/aria.json"] | fallen}
    rat = ephemeral("rat", 3, 3, character_state="dead")
    hall = hall_with(dying, fight(linked("aria", 0, 0), rat | {"body": rat["body"] | {"hp": 0}}))
    assert refused(hall, "add", "obstacle", ["0,0"])["reason"] == "conflict"
    assert change(hall, "add", "obstacle", ["3,3"])["count"] == 1


@pytest.mark.parametrize(
    ("operation", "kind", "positions", "more", "field"),
    [
        ("add", "water", [], {}, "positions"),
        ("add", "water", ["1;1"], {}, "positions.0"),
        ("add", "water", ["1,1", "1,-1"], {}, "positions.1"),
        ("add", "water", ["10,1"], {}, "positions.0"),
        ("clear", "water", ["1,1"], {}, "operation"),
        ("add", "hazard", ["1,1"], {}, "hazard_details"),
        ("add", "hazard", ["1,1"], {"hazard_details": {}}, "hazard_details.type"),
        ("add", "hazard", ["1,1"], {"hazard_details": {"type": "x", "damage": "no"}}, "hazard_details.damage"),
        ("add", "hazard", ["1,1"], {"hazard_details": {"type": "x", "save_ability": "con"}}, "hazard_details.dc"),
        ("add", "water", ["1,1"], {"hazard_details": {"type": "x"}}, "hazard_details"),
        ("remove", "water", ["1,1"], {"duration": 2}, "duration"),
        ("clear", "water", None, {"source": "me"}, "source"),
        ("add", "water", ["1,1"], {"duration": 0}, "duration"),
        ("add", "banana", ["1,1"], {}, "terrain_type"),
        ("add", "water", ["1,1"], {"position": "1,1"}, "position"),
    ],
)
def test_what_makes_no_sense_is_a_wrong_argument(
    fighting: Hall, operation: str, kind: str, positions: list[str] | None, more: Json, field: str
) -> None:
    failure = refused(fighting, operation, kind, positions, **more)
    assert (failure["reason"], failure["hint"]["field"]) == ("invalid_args", f"args.{field}")


@pytest.mark.parametrize("operation", ["add", "remove"])
def test_squares_are_named(fighting: Hall, operation: str) -> None:
    failure = refused(fighting, operation, "water", None)
    assert (failure["reason"], failure["detail"]) == ("invalid_args", f"args.positions: is required for {operation}")
    assert failure["hint"] == {"field": "args.positions", "add": True}


def test_the_fight_must_go_on(fighting: Hall) -> None:
    args = {"operation": "clear", "terrain_type": "water"}
    assert fighting.why("modify_terrain", encounter_id="encounter-9", **args) == "not_found"
    fighting.do("end_encounter", encounter_id="encounter-1", outcome="other")
    assert fighting.why("modify_terrain", encounter_id="encounter-1", **args) == "conflict"


SQUARES = st.lists(st.builds("{},{}".format, st.integers(0, 9), st.integers(0, 7)), min_size=1, max_size=6)


@settings(max_examples=tries(10), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(st.tuples(st.sampled_from(["add", "remove"]), SQUARES), max_size=5))
def test_squares_behave_as_a_set_that_keeps_its_order(fighting: Hall, steps: list[tuple[str, list[str]]]) -> None:
    change(fighting, "clear", "water")
    expected: dict[str, None] = {}
    for operation, squares in steps:
        fresh = dict.fromkeys(key for key in squares if (key in expected) is (operation == "remove"))
        assert change(fighting, operation, "water", squares)["affected"] == list(fresh)
        expected = {**expected, **fresh} if operation == "add" else {k: None for k in expected if k not in fresh}
        assert fighting.encounter()["terrain"].get("water", []) == list(expected)
