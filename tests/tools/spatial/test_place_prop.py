"""place_prop: things on the grid, and what they are for."""

from __future__ import annotations

from typing import Any

import pytest
from tests.builders import Json
from tests.tools.conftest import HallWith
from tests.tools.hall import Hall, ephemeral, fight, linked

TOOL = "place_prop"
FIGHT = {"encounter_id": "encounter-1"}
BARREL: Json = {"name": "Oak Barrel", "type": "barrel", "position": {"x": 3, "y": 4}}


@pytest.fixture
def brawl(hall_with: HallWith) -> Hall:
    return hall_with(
        fight(linked("aria", 0, 0), linked("ogg", 6, 6, is_enemy=True), ephemeral("dead", 9, 9, character_state="dead"))
    )


def place(hall: Hall, **args: Any) -> Json:
    prop: Json = hall.do(TOOL, **FIGHT, **BARREL | args)["prop"]
    return prop


def test_an_id_that_somebody_wrote_by_hand_is_not_given_again(hall_with: HallWith) -> None:
    door = {"id": "prop-1", "name": "Door", "type": "door", "position": {"x": 5, "y": 5}}
    assert place(hall_with(fight(linked("aria", 0, 0), props=[door])))["prop_id"] == "prop-2"


def test_a_prop_is_placed_with_all_that_is_said_of_it(brawl: Hall) -> None:
    result = brawl.do(
        TOOL,
        **FIGHT,
        name="Chest",
        type="chest",
        position={"x": 3, "y": 4, "z": 1},
        state="closed",
        locked=True,
        lock_dc=15,
        cover_type="half",
        hp=8,
        ac=12,
        size="small",
        description="Iron bands.",
        hidden=True,
        trap_dc=13,
        trap_damage="2d6",
        trigger="opening",
    )
    assert result == {
        "prop": {
            "prop_id": "prop-1",
            "name": "Chest",
            "type": "chest",
            "position": {"x": 3, "y": 4, "z": 1},
            "state": "closed",
            "locked": True,
            "lock_dc": 15,
            "cover_type": "half",
            "blocks_movement": False,
            "destructible": True,
            "broken": False,
            "hp": 8,
            "ac": 12,
            "size": "small",
            "description": "Iron bands.",
            "hidden": True,
            "trap_dc": 13,
            "trap_damage": "2d6",
            "trigger": "opening",
        },
        "count": 1,
    }
    assert brawl.encounter()["props"][0]["id"] == "prop-1"


def test_hit_points_make_a_thing_destructible_unless_it_says_otherwise(brawl: Hall) -> None:
    assert not place(brawl)["destructible"]
    assert place(brawl, hp=3)["destructible"]
    assert not place(brawl, hp=3, destructible=False)["destructible"]


@pytest.mark.parametrize("missing", ["name", "type", "position"])
def test_placing_needs_a_name_a_type_and_a_square(brawl: Hall, missing: str) -> None:
    feedback = brawl.fail(TOOL, **FIGHT, **{key: value for key, value in BARREL.items() if key != missing})
    assert (feedback["reason"], feedback["detail"]) == ("invalid_args", f"args.{missing}: is required for place")


@pytest.mark.parametrize(
    ("args", "field"),
    [
        ({"position": {"x": 20, "y": 0}}, "args.position"),
        ({"position": {"x": 0, "y": -1}}, "args.position"),
        ({"name": "  "}, "args.name"),
        ({"hp": 0}, "args.hp"),
        ({"lock_dc": 31}, "args.lock_dc"),
        ({"ac": 0}, "args.ac"),
        ({"type": "spaceship"}, "args.type"),
        ({"trap_damage": "lots"}, "args.trap_damage"),
        ({"cover_type": "quarter and a bit"}, "args.cover_type"),
        ({"prop_id": "prop-9"}, "args.prop_id"),
        ({"colour": "red"}, "args.colour"),
    ],
)
def test_ill_formed_arguments_are_refused(brawl: Hall, args: Json, field: str) -> None:
    feedback = brawl.fail(TOOL, **FIGHT, **BARREL | args)
    assert (feedback["reason"], feedback["hint"]["field"]) == ("invalid_args", field)


def test_for_a_square_off_the_grid_none_is_made_up(brawl: Hall) -> None:
    hint = brawl.fail(TOOL, **FIGHT, **BARREL | {"position": {"x": 99, "y": 4}})["hint"]
    assert hint == {"field": "args.position", "got": {"x": 99, "y": 4, "z": 0}}


@pytest.mark.parametrize("at", [(0, 0), (7, 7), (3, 4)])
def test_nothing_solid_can_stand_where_somebody_or_something_solid_is(brawl: Hall, at: tuple[int, int]) -> None:
    place(brawl, blocks_movement=True)
    position = {"x": at[0], "y": at[1]}
    feedback = brawl.fail(TOOL, **FIGHT, **BARREL | {"position": position, "blocks_movement": True})
    assert feedback["reason"] == "conflict"
    free = feedback["hint"]["choices"][0]
    assert max(abs(free["x"] - at[0]), abs(free["y"] - at[1])) == 1
    assert place(brawl, position=free, blocks_movement=True)
    assert place(brawl, position=position)["prop_id"] == "prop-3"


def test_the_dead_hinder_nothing(brawl: Hall) -> None:
    assert place(brawl, position={"x": 9, "y": 9}, blocks_movement=True)["blocks_movement"]


def test_an_update_changes_any_property_and_leaves_the_others(brawl: Hall) -> None:
    place(brawl, state="closed", locked=True)
    args = {"operation": "update", "prop_id": "oak barrel", "locked": False, "name": "Keg", "type": "crate"}
    result = brawl.do(TOOL, **FIGHT, **args, trap_dc=10)
    changed = {key: result["prop"][key] for key in ("name", "type", "locked", "trap_dc", "state")}
    assert changed == {"name": "Keg", "type": "crate", "locked": False, "trap_dc": 10, "state": "closed"}
    assert "moved" not in result
    moved = brawl.do(TOOL, **FIGHT, operation="update", prop_id="prop-1", position={"x": 5, "y": 5})["moved"]
    assert moved == {"from": {"x": 3, "y": 4, "z": 0}, "to": {"x": 5, "y": 5, "z": 0}}


def test_a_broken_prop_neither_covers_nor_blocks_until_it_is_mended(brawl: Hall) -> None:
    place(brawl, blocks_movement=True, cover_type="total", hp=5)
    update = {"operation": "update", "prop_id": "prop-1", **FIGHT}
    broken = brawl.do(TOOL, **update, hp=-2)["prop"]
    assert (broken["broken"], broken["cover_type"], broken["blocks_movement"]) == (True, "none", False)
    line = {"from_position": {"x": 3, "y": 3}, "to_position": {"x": 3, "y": 4}, **FIGHT}
    assert brawl.do("calculate_movement", **line)["reachable"]
    mended = brawl.do(TOOL, **update, hp=1)["prop"]
    assert (mended["broken"], mended["cover_type"], mended["blocks_movement"]) == (False, "total", True)
    assert not brawl.do("calculate_movement", **line)["reachable"]


def test_a_prop_does_not_begin_to_block_where_somebody_stands(brawl: Hall) -> None:
    place(brawl, position={"x": 0, "y": 0})
    feedback = brawl.fail(TOOL, **FIGHT, operation="update", prop_id="prop-1", blocks_movement=True)
    assert (feedback["reason"], feedback["hint"]["field"]) == ("conflict", "args.blocks_movement")
    assert brawl.do(TOOL, **FIGHT, operation="update", prop_id="prop-1", state="wobbly")["prop"]["state"] == "wobbly"


def test_a_move_tells_from_where_to_where(brawl: Hall) -> None:
    place(brawl, blocks_movement=True)
    move = {"operation": "move", "prop_id": "prop-1", **FIGHT}
    assert brawl.do(TOOL, **move, position={"x": 4, "y": 4})["moved"] == {
        "from": {"x": 3, "y": 4, "z": 0},
        "to": {"x": 4, "y": 4, "z": 0},
    }
    assert "moved" not in brawl.do(TOOL, **move, position={"x": 4, "y": 4})
    assert brawl.why(TOOL, **move, position={"x": 6, "y": 6}) == "conflict"
    assert brawl.why(TOOL, **move, position={"x": 40, "y": 4}) == "invalid_args"
    assert brawl.fail(TOOL, **move)["detail"] == "args.position: is required for move"


def test_props_are_listed_and_removed_and_their_ids_are_not_used_again(brawl: Hall) -> None:
    place(brawl)
    place(brawl, name="Second")
    listed = brawl.do(TOOL, **FIGHT, operation="list")
    assert ([prop["prop_id"] for prop in listed["props"]], listed["count"]) == (["prop-1", "prop-2"], 2)
    gone = brawl.do(TOOL, **FIGHT, operation="delete", prop_id="SECOND")
    assert (gone["prop"]["prop_id"], gone["count"]) == ("prop-2", 1)
    assert place(brawl)["prop_id"] == "prop-3"


def test_a_prop_must_be_there_and_be_one(brawl: Hall) -> None:
    place(brawl)
    place(brawl)
    feedback = brawl.fail(TOOL, **FIGHT, operation="remove", prop_id="oak barrel")
    assert (feedback["reason"], feedback["hint"]["choices"]) == ("ambiguous", ["prop-1", "prop-2"])
    feedback = brawl.fail(TOOL, **FIGHT, operation="move", prop_id="prop-12", position={"x": 1, "y": 1})
    assert (feedback["reason"], feedback["hint"]["choices"][0]) == ("not_found", "prop-1")
    assert brawl.fail(TOOL, **FIGHT, operation="remove")["hint"]["field"] == "args.prop_id"
    assert brawl.why(TOOL, **FIGHT, operation="remov", prop_id="prop-1") == "invalid_args"


def test_the_fight_must_run_for_a_change_and_be_there_for_a_look(hall_with: HallWith) -> None:
    hall = hall_with(fight(ephemeral("rat", 1, 1), status="ended", outcome="fled"))
    assert hall.why(TOOL, **FIGHT, **BARREL) == "conflict"
    assert hall.do(TOOL, **FIGHT, operation="list") == {"props": [], "count": 0}
    assert hall.why(TOOL, encounter_id="encounter-2", operation="list") == "not_found"
    assert hall.why(TOOL, **BARREL) == "invalid_args"


def test_words_are_read_loosely(brawl: Hall) -> None:
    action = brawl.action(TOOL, **FIGHT, **BARREL | {"type": "Keg"}, coverType="three quarters")
    assert (action["args"]["type"], action["args"]["cover_type"]) == ("barrel", "three_quarters")
