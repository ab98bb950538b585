"""measure_distance: three ways of counting, squares and creatures."""

from __future__ import annotations

from typing import Any

import pytest
from tests.builders import Json
from tests.tools.conftest import HallWith
from tests.tools.hall import Hall, ephemeral, fight, linked

TOOL = "measure_distance"
FIGHT = {"encounter_id": "encounter-1"}


def spot(x: int, y: int, z: int = 0) -> Json:
    return {"x": x, "y": y, "z": z}


def measured(hall: Hall, start: Any, to: Any, **args: Any) -> Json:
    result: Json = hall.do(TOOL, **{"from": start, "to": to}, **args)
    return result


@pytest.fixture
def brawl(hall_with: HallWith) -> Hall:
    return hall_with(
        fight(linked("aria", 0, 0), linked("ogg", 4, 1, is_enemy=True), ephemeral("rat", 0, 3), ephemeral("gnat", 9, 9))
    )


@pytest.mark.parametrize(
    ("mode", "to", "feet", "squares"),
    [
        ("euclidean", spot(3, 4), 25, 5),
        ("euclidean", spot(1, 1), 7, 1),
        ("euclidean", spot(2, 3, 6), 35, 7),
        ("euclidean", spot(0, 0), 0, 0),
        ("euclidean", spot(1, 2), 11, 2),
        ("grid_5e", spot(3, 4), 20, 4),
        ("grid_5e", spot(2, 3, 6), 30, 6),
        ("grid_alt", spot(3, 4), 25, 4),
        ("grid_alt", spot(1, 1), 5, 1),
        ("grid_alt", spot(2, 2), 15, 2),
        ("grid_alt", spot(3, 3), 20, 3),
        ("grid_alt", spot(4, 4), 30, 4),
        ("grid_alt", spot(2, 3, 6), 50, 6),
    ],
)
def test_each_mode_counts_as_written(hall: Hall, mode: str, to: Json, feet: int, squares: int) -> None:
    result = measured(hall, spot(0, 0), to, mode=mode)
    assert (result["distance_feet"], result["distance_squares"], result["mode"]) == (feet, squares, mode)


def test_the_result_says_what_was_measured(hall: Hall) -> None:
    assert measured(hall, {"x": 2, "y": 9, "z": 1}, {"x": 5, "y": 5}) == {
        "distance_feet": 25,
        "distance_squares": 5,
        "mode": "euclidean",
        "delta": {"dx": 3, "dy": 4, "dz": 1},
        "from": spot(2, 9, 1),
        "to": spot(5, 5),
    }


def test_height_is_left_out_when_that_is_wished(hall: Hall) -> None:
    result = measured(hall, spot(0, 0, 30), spot(3, 4), include_elevation=False)
    assert (result["distance_feet"], result["delta"]["dz"]) == (25, 0)


def test_creatures_are_measured_from_their_nearest_squares(brawl: Hall) -> None:
    # The ogre fills 4,1 to 5,2.
    assert measured(brawl, "aria", "ogg", mode="grid_5e", **FIGHT)["distance_feet"] == 20
    assert measured(brawl, spot(6, 3), "OGG ", mode="grid_5e", **FIGHT)["distance_feet"] == 5
    assert measured(brawl, "Ogg", spot(5, 2), **FIGHT)["distance_feet"] == 0


@pytest.mark.parametrize("who", ["rat", "RAT"])
def test_somebody_needs_a_fight_to_be_found_in(brawl: Hall, who: str) -> None:
    feedback = brawl.fail(TOOL, **{"from": who, "to": spot(1, 1)})
    assert (feedback["reason"], feedback["hint"]["field"]) == ("invalid_args", "args.encounter_id")
    assert feedback["hint"]["choices"] == ["encounter-1"]


def test_who_is_not_in_the_fight_is_not_found(brawl: Hall) -> None:
    feedback = brawl.fail(TOOL, **{"from": spot(1, 1), "to": "brom"}, **FIGHT)
    assert (feedback["reason"], feedback["hint"]["field"]) == ("not_found", "args.to")
    assert brawl.why(TOOL, **{"from": spot(1, 1), "to": "rat"}, encounter_id="encounter-9") == "not_found"


def test_a_name_of_two_is_ambiguous(hall_with: HallWith) -> None:
    hall = hall_with(fight(ephemeral("g1", 1, 1) | {"name": "Goblin"}, ephemeral("g2", 2, 2) | {"name": "goblin"}))
    feedback = hall.fail(TOOL, **{"from": "Goblin", "to": "g1"}, **FIGHT)
    assert (feedback["reason"], feedback["hint"]["choices"]) == ("ambiguous", ["g1", "g2"])


def test_a_fight_that_has_ended_can_be_measured(hall_with: HallWith) -> None:
    hall = hall_with(fight(ephemeral("rat", 0, 3), ephemeral("gnat", 9, 9), status="ended", outcome="fled"))
    assert measured(hall, "rat", "gnat", mode="grid_5e", **FIGHT)["distance_feet"] == 45


def test_spelling_is_loose(hall: Hall) -> None:
    action = hall.action(TOOL, **{"from": {"X": 1, "Y": 1}, "to": {"x": 3, "y": 1}}, mode="5e", includeElevation=True)
    assert action["args"]["from"] == {"x": 1, "y": 1}
    assert action["corrections"] == [{"field": "args.mode", "from": "5e", "to": "grid_5e", "how": "alias"}]


@pytest.mark.parametrize(
    ("args", "field"),
    [
        ({"from": {"x": 1}, "to": spot(1, 1)}, "args.from.y"),
        ({"from": {"x": 1, "y": 2.5}, "to": spot(1, 1)}, "args.from.y"),
        ({"from": {"x": 1, "y": True}, "to": spot(1, 1)}, "args.from.y"),
        ({"from": {"x": 10**7, "y": 1}, "to": spot(1, 1)}, "args.from.x"),
        ({"from": {"x": 1, "y": 1, "w": 1}, "to": spot(1, 1)}, "args.from.w"),
        ({"from": spot(1, 1), "to": 7}, "args.to"),
        ({"from": spot(1, 1), "to": ""}, "args.to"),
        ({"from": spot(1, 1), "to": spot(1, 1), "mode": "banana"}, "args.mode"),
    ],
)
def test_ill_formed_arguments_are_refused(hall: Hall, args: Json, field: str) -> None:
    feedback = hall.fail(TOOL, **args)
    assert (feedback["reason"], feedback["hint"]["field"]) == ("invalid_args", field)


def test_no_square_is_made_up(hall: Hall) -> None:
    feedback = hall.fail(TOOL, **{"from": spot(1, 1)})
    assert (feedback["reason"], feedback["detail"]) == ("invalid_args", "args.to: is required")
    assert feedback["hint"] == {"field": "args.to", "add": True}


def test_it_can_be_asked_outside_of_turns(hall: Hall) -> None:
    answer = hall.campaign.query(TOOL, {"from": spot(0, 0), "to": spot(3, 4)})
    assert answer["result"]["distance_feet"] == 25
