"""calculate_movement: the cheapest way, what is in reach, and what lies beside."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.builders import Json
from tests.sampling import tries
from tests.tools.conftest import HallWith
from tests.tools.hall import Hall, ephemeral, fight, linked

TOOL = "calculate_movement"
FIGHT = {"encounter_id": "encounter-1"}
ORIGIN = {"x": 0, "y": 0}


def to(x: int, y: int, z: int = 0) -> Json:
    return {"to_position": {"x": x, "y": y, "z": z}}


def test_a_straight_way_over_open_floor(hall: Hall) -> None:
    assert hall.do(TOOL, from_position=ORIGIN, **to(3, 1)) == {
        "path": [[0, 0], [1, 0], [2, 0], [3, 1]],
        "cost_feet": 15,
        "steps": 3,
        "difficult_squares": 0,
        "reachable": True,
        "within_movement": True,
    }


def test_staying_costs_nothing(hall: Hall) -> None:
    result = hall.do(TOOL, from_position=ORIGIN, **to(0, 0), movement_remaining=0)
    assert (result["path"], result["cost_feet"], result["within_movement"]) == ([[0, 0]], 0, True)


def test_a_movement_of_0_is_0(hall: Hall) -> None:
    assert not hall.do(TOOL, from_position=ORIGIN, **to(1, 0), movement=0)["within_movement"]
    reached = hall.do(TOOL, mode="reach", from_position={"x": 5, "y": 5}, movement_remaining=0)
    assert reached == {"squares": [[5, 5, 0]], "count": 1}


def test_the_movement_is_30_feet_when_nobody_says(hall: Hall) -> None:
    assert hall.do(TOOL, from_position=ORIGIN, **to(6, 0))["within_movement"]
    assert not hall.do(TOOL, from_position=ORIGIN, **to(7, 0))["within_movement"]


@pytest.mark.parametrize(
    ("ground", "cost", "rough"),
    [
        ({"difficult_terrain": ["1,0", "1,1", "1,2"]}, 20, 1),
        ({"water": ["1,0", "1,1", "1,2"]}, 20, 1),
        ({"difficult_terrain": ["1,0", "1,1", "1,2"], "water": ["1,0"]}, 20, 1),
        ({"difficult_terrain": ["1,0", "1,1", "1,2"], "ignore_difficult_terrain": True}, 15, 0),
        ({"obstacles": ["1,0"]}, 20, 0),
        ({"obstacles": ["1,0", "1,1"]}, 30, 0),
    ],
)
def test_ground_makes_a_way_dearer(hall: Hall, ground: Json, cost: int, rough: int) -> None:
    result = hall.do(TOOL, from_position=ORIGIN, **to(3, 0), grid_height=5, **ground)
    assert (result["cost_feet"], result["difficult_squares"]) == (cost, rough)


def test_a_corner_is_not_squeezed_past(hall: Hall) -> None:
    result = hall.do(TOOL, from_position=ORIGIN, **to(1, 1), obstacles=["1,0"])
    assert result["path"] == [[0, 0], [0, 1], [1, 1]]


def test_every_second_diagonal_costs_double_under_the_variant(hall: Hall) -> None:
    costs = [hall.do(TOOL, from_position=ORIGIN, **to(n, n), diagonalRule="3.5e")["cost_feet"] for n in range(1, 5)]
    assert costs == [5, 15, 20, 30]


def test_that_no_way_leads_there_is_an_answer(hall: Hall) -> None:
    walled = ["1,0", "0,1", "1,1"]
    assert hall.do(TOOL, from_position=ORIGIN, **to(5, 5), obstacles=walled) == {
        "path": [],
        "cost_feet": None,
        "steps": None,
        "difficult_squares": None,
        "reachable": False,
        "within_movement": False,
    }


def test_height_is_paid_for(hall: Hall) -> None:
    assert hall.do(TOOL, from_position=ORIGIN, **to(1, 0, 2))["cost_feet"] == 25


def test_reach_lists_squares_by_cost_and_then_by_place(hall: Hall) -> None:
    result = hall.do(TOOL, mode="reach", from_position=ORIGIN, movement_remaining=5, difficult_terrain=["1,0"])
    assert result == {"squares": [[0, 0, 0], [0, 1, 5], [1, 1, 5]], "count": 3}


def test_adjacent_squares_say_what_they_are_like(hall: Hall) -> None:
    result = hall.do(
        "get_adjacent_squares",
        position={"x": 0, "y": 1},
        obstacles=["0,0"],
        difficult_terrain=["0,0", "1,0"],
        water=["1,0", "1,1"],
    )
    assert result["count"] == 5
    assert [(square["x"], square["y"], square["status"]) for square in result["squares"]] == [
        (0, 0, "obstacle"),
        (1, 0, "difficult"),
        (1, 1, "water"),
        (0, 2, "open"),
        (1, 2, "open"),
    ]
    assert {square["occupant"] for square in result["squares"]} == {None}


# in a fight


@pytest.fixture
def brawl(hall_with: HallWith) -> Hall:
    """Give a corridor: Aria at its left end, Brom and a rat in the way, a mountain of a beast, one who is down."""
    return hall_with(
        fight(
            linked("aria", 0, 2),
            linked("brom", 2, 2),
            ephemeral("rat", 4, 2),
            ephemeral("beast", 8, 0, sheet={"size": "huge"}),
            ephemeral("down", 6, 2, hp=0, max_hp=9, character_state="dying"),
            ephemeral("dead", 7, 4, hp=0, max_hp=9, character_state="dead"),
            terrain={
                "width": 12,
                "height": 5,
                "obstacles": [f"{x},{y}" for x in range(8) for y in (1, 3)],
            },
        )
    )


def test_friends_are_difficult_ground_and_enemies_bar_the_way(brawl: Hall) -> None:
    result = brawl.do(TOOL, **FIGHT, combatant_id="aria", **to(3, 2))
    assert (result["path"], result["cost_feet"]) == ([[0, 2], [1, 2], [2, 2], [3, 2]], 20)
    assert result["difficult_squares"] == 1
    assert not brawl.do(TOOL, **FIGHT, combatant_id="aria", **to(5, 2))["reachable"]


def test_nobody_ends_in_an_occupied_square_but_in_that_of_the_dead(brawl: Hall) -> None:
    assert not brawl.do(TOOL, **FIGHT, combatant_id="aria", **to(2, 2))["reachable"]
    start = {"from_position": {"x": 5, "y": 2}}
    assert not brawl.do(TOOL, **FIGHT, combatant_id="aria", **start, **to(6, 2))["reachable"]
    assert brawl.do(TOOL, **FIGHT, combatant_id="aria", **start, **to(7, 4))["reachable"]


def test_who_is_down_or_two_sizes_larger_can_be_crossed(brawl: Hall) -> None:
    start = {"from_position": {"x": 5, "y": 2}}
    past = brawl.do(TOOL, **FIGHT, combatant_id="aria", **start, **to(7, 2))
    assert (past["cost_feet"], past["difficult_squares"]) == (15, 1)
    through = brawl.do(TOOL, **FIGHT, combatant_id="aria", **start, **to(11, 1), obstacles=["8,3", "8,4"])
    assert (through["reachable"], through["difficult_squares"]) == (True, 4)


def test_without_a_combatant_creatures_are_not_in_the_way(brawl: Hall) -> None:
    start = {"from_position": {"x": 0, "y": 2}}
    assert brawl.do(TOOL, **FIGHT, **start, **to(4, 2))["cost_feet"] == 20
    assert not brawl.do(TOOL, **FIGHT, **start, **to(5, 2), creatures_block=True)["reachable"]
    assert brawl.do(TOOL, **FIGHT, **start, **to(2, 2), creatures_block=True)["cost_feet"] == 10
    assert not brawl.do(TOOL, **FIGHT, **start, **to(3, 2), creatures_block=True)["reachable"]


def test_blocked_by_creatures_a_combatant_may_still_be_led_to_one(brawl: Hall) -> None:
    args = {"combatant_id": "brom", "creatures_block": True, **FIGHT}
    assert brawl.do(TOOL, **args, **to(4, 2))["path"] == [[2, 2], [3, 2], [4, 2]]
    assert brawl.do(TOOL, **args, **to(5, 2))["reachable"] is False


def test_the_grid_is_that_of_the_fight(brawl: Hall) -> None:
    feedback = brawl.fail(TOOL, **FIGHT, combatant_id="aria", **to(12, 2), grid_width=40)
    hint = {"field": "args.to_position", "got": {"x": 12, "y": 2, "z": 0}}
    assert (feedback["reason"], feedback["hint"]) == ("invalid_args", hint)
    assert brawl.why(TOOL, **FIGHT, from_position={"x": 3, "y": 5}, **to(1, 2)) == "invalid_args"
    # The beast is huge: at 10,0 it would stand on 12,0.
    feedback = brawl.fail(TOOL, **FIGHT, combatant_id="beast", from_position={"x": 10, "y": 0}, mode="reach")
    assert feedback["hint"] == {"field": "args.from_position", "got": {"x": 10, "y": 0, "z": 0}}


def test_a_combatant_has_the_movement_that_is_left(hall_with: HallWith) -> None:
    spent = linked("aria", 0, 0, economy={"movement": 25})
    dashed = linked("brom", 0, 9, economy={"movement": 25, "dashes": 30})
    held = ephemeral("held", 9, 9, conditions=[{"condition": "grappled"}]) | {"economy": {"dashes": 30}}
    hall = hall_with(fight(spent, dashed, held))
    reach = {"mode": "reach", **FIGHT}
    assert hall.do(TOOL, **reach, combatant_id="aria")["count"] == 4
    assert hall.do(TOOL, **FIGHT, combatant_id="brom", **to(7, 9))["within_movement"]
    assert not hall.do(TOOL, **FIGHT, combatant_id="brom", **to(8, 9))["within_movement"]
    assert hall.do(TOOL, **reach, combatant_id="held")["count"] == 1
    assert hall.do(TOOL, **reach, combatant_id="held", movement_remaining=5)["count"] == 9


def test_to_another_height_it_tells_of_the_way_that_would_be_gone(hall_with: HallWith) -> None:
    walls = {"width": 8, "height": 5, "obstacles": ["2,1", "2,2", "2,3", "2,4"]}
    hall = hall_with(fight(linked("aria", 0, 0), ephemeral("g1", 2, 0), terrain=walls))
    told = hall.do(TOOL, **FIGHT, combatant_id="aria", **to(3, 0, 1))
    gone = hall.do("execute_action", **FIGHT, actor_id="aria", move_to={"x": 3, "y": 0, "z": 1})
    assert (told["path"], told["cost_feet"]) == ([[0, 0], [1, 0], [2, 0], [3, 0]], 25)
    assert gone["movement"]["cost"] == told["cost_feet"]
    assert [blow["attacker_id"] for blow in gone["opportunity_attacks"]] == told["opportunity_attacks_from"] == []


def test_the_prone_crawl(hall_with: HallWith) -> None:
    hall = hall_with(fight(ephemeral("snail", 0, 0, conditions=[{"condition": "prone"}])))
    result = hall.do(TOOL, **FIGHT, combatant_id="snail", **to(2, 0), difficult_terrain=["2,0", "2,1"])
    assert result["cost_feet"] == 25


def test_a_large_body_needs_room_for_all_of_it(hall_with: HallWith) -> None:
    hall = hall_with(fight(linked("ogg", 0, 0), terrain={"width": 8, "height": 5, "obstacles": ["3,0", "3,2", "3,4"]}))
    assert not hall.do(TOOL, **FIGHT, combatant_id="ogg", **to(5, 0))["reachable"]
    assert hall.do(TOOL, **FIGHT, from_position=ORIGIN, **to(5, 0))["reachable"]
    assert not hall.do(TOOL, **FIGHT, combatant_id="ogg", **to(7, 0))["reachable"]


def test_enemies_whose_reach_is_left_may_strike(hall_with: HallWith) -> None:
    hall = hall_with(
        fight(
            linked("aria", 5, 5),
            ephemeral("pike", 3, 5) | {"strike": {"reach": 10}},
            ephemeral("rat", 5, 4),
            ephemeral("spent", 4, 4) | {"economy": {"reaction": True}},
            ephemeral("dazed", 6, 4, conditions=[{"condition": "stunned"}]),
            ephemeral("caught", 4, 6) | {"surprised": True},
            ephemeral("blind", 6, 6, conditions=[{"condition": "blinded"}]),
            ephemeral("friend", 5, 6, character_type="pc"),
        )
    )
    args = {"combatant_id": "aria", **FIGHT}
    assert hall.do(TOOL, **args, **to(9, 5))["opportunity_attacks_from"] == ["pike", "rat"]
    assert hall.do(TOOL, **args, **to(6, 5))["opportunity_attacks_from"] == ["pike"]
    assert hall.do(TOOL, **args, **to(5, 5))["opportunity_attacks_from"] == []
    assert "opportunity_attacks_from" not in hall.do(TOOL, **args, **to(9, 5), ignore_opportunity_attacks=True)
    assert "opportunity_attacks_from" not in hall.do(TOOL, **FIGHT, from_position={"x": 5, "y": 5}, **to(9, 5))


def test_who_may_strike_is_named_in_the_order_of_the_strikes(hall_with: HallWith) -> None:
    later = ephemeral("later", 6, 5) | {"strike": {"reach": 10}}
    people = linked("aria", 5, 5), later, ephemeral("b", 5, 4), ephemeral("a", 6, 4), ephemeral("sooner", 6, 6)
    hall = hall_with(fight(*people))
    told = hall.do(TOOL, **FIGHT, combatant_id="aria", **to(3, 5))["opportunity_attacks_from"]
    assert told == ["a", "sooner", "later", "b"]


def test_who_disengaged_is_not_struck_at(hall_with: HallWith) -> None:
    hall = hall_with(fight(linked("aria", 5, 5, economy={"disengaged": True}), ephemeral("rat", 5, 4)))
    assert hall.do(TOOL, **FIGHT, combatant_id="aria", **to(9, 5))["opportunity_attacks_from"] == []


def test_adjacent_squares_of_a_fight_name_who_stands_there(brawl: Hall) -> None:
    beside = brawl.do(TOOL, **FIGHT, mode="adjacent", combatant_id="rat", from_position={"x": 7, "y": 2})["squares"]
    found = {(square["x"], square["y"]): (square["status"], square["occupant"]) for square in beside}
    assert found[6, 2] == ("occupied", "down")
    assert found[8, 1] == found[8, 2] == ("occupied", "beast")
    assert found[6, 1] == ("obstacle", None)
    assert found[8, 3] == ("open", None)


def test_a_prop_that_blocks_is_an_obstacle(brawl: Hall) -> None:
    brawl.do(
        "place_prop", **FIGHT, name="Door", type="door", position={"x": 1, "y": 2}, blocks_movement=True, state="closed"
    )
    assert not brawl.do(TOOL, **FIGHT, combatant_id="aria", **to(3, 2))["reachable"]


# arguments


def test_arguments_have_other_names(hall: Hall) -> None:
    action = hall.action(TOOL, **{"from": ORIGIN, "to": {"x": 2, "y": 0}, "movement": 10})
    assert action["args"] == {"from_position": ORIGIN, "to_position": {"x": 2, "y": 0}, "movement_remaining": 10}
    feedback = hall.fail(TOOL, **{"from": ORIGIN, "fromPosition": ORIGIN}, **to(1, 1))
    assert (feedback["reason"], feedback["hint"]) == (
        "invalid_args",
        {"field": "args.fromPosition", "remove": True},
    )


@pytest.mark.parametrize(
    ("args", "reason", "field"),
    [
        (to(1, 1), "invalid_args", "args.from_position"),
        ({"from_position": ORIGIN}, "invalid_args", "args.to_position"),
        ({"mode": "reach"}, "invalid_args", "args.from_position"),
        ({"combatant_id": "aria", **to(1, 1)}, "invalid_args", "args.encounter_id"),
        ({"combatant_id": "aria", **FIGHT, **to(1, 1)}, "not_found", "args.encounter_id"),
        ({"from_position": ORIGIN, **to(1, 1), "movement_remaining": -1}, "invalid_args", "args.movement_remaining"),
        ({"from_position": ORIGIN, **to(1, 1), "movement_remaining": 2.5}, "invalid_args", "args.movement_remaining"),
        ({"from_position": ORIGIN, **to(1, 1), "grid_width": 4}, "invalid_args", "args.grid_width"),
        ({"from_position": ORIGIN, **to(1, 1), "obstacles": ["1, 2"]}, "invalid_args", "args.obstacles.0"),
        ({"from_position": ORIGIN, **to(20, 1)}, "invalid_args", "args.to_position"),
        ({"mode": "fly", "from_position": ORIGIN}, "invalid_args", "args.mode"),
    ],
)
def test_ill_formed_arguments_are_refused(hall: Hall, args: Json, reason: str, field: str) -> None:
    feedback = hall.fail(TOOL, **args)
    assert (feedback["reason"], feedback["hint"]["field"]) == (reason, field)


def test_who_takes_no_part_is_not_found(brawl: Hall) -> None:
    assert brawl.why(TOOL, **FIGHT, combatant_id="cyra", **to(1, 1)) == "not_found"


SQUARES = st.lists(st.builds(lambda x, y: f"{x},{y}", st.integers(0, 6), st.integers(0, 6)), max_size=12)


@settings(max_examples=tries(20), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(SQUARES, SQUARES, st.integers(0, 8))
def test_what_is_in_reach_is_just_what_a_way_leads_to(
    hall: Hall, obstacles: list[str], rough: list[str], squares: int
) -> None:
    shared: Json = {"from_position": {"x": 3, "y": 3}, "grid_width": 7, "grid_height": 7, "movement": 5 * squares}
    shared |= {"obstacles": obstacles, "difficult_terrain": rough}

    def asked(**args: Any) -> Any:
        return hall.campaign.query(TOOL, shared | args)["result"]

    reached = {(x, y): cost for x, y, cost in asked(mode="reach")["squares"]}
    for x in range(0, 7, 2):
        for y in range(0, 7, 3):
            way = asked(to_position={"x": x, "y": y})
            assert way["within_movement"] == ((x, y) in reached)
            if way["within_movement"]:
                assert way["cost_feet"] == reached[x, y]
