"""calculate_aoe: squares of the five shapes, and who stands in them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.builders import Json
from tests.sampling import tries
from tests.tools.conftest import HallWith
from tests.tools.hall import Hall, ephemeral, fight, linked

TOOL = "calculate_aoe"
FIGHT = {"encounter_id": "encounter-1"}
AT = {"origin": {"x": 10, "y": 10}}


def shape(hall: Hall, name: str, **args: Any) -> Json:
    result: Json = hall.do(TOOL, shape=name, **AT | args)
    return result


@pytest.mark.parametrize(
    ("args", "tiles", "footprint"),
    [
        ({"shape": "sphere", "radius": 5}, 7, 5),
        ({"shape": "sphere", "radius": 4}, 1, 1),
        ({"shape": "sphere", "radius": 20}, 257, 49),
        ({"shape": "cylinder", "radius": 10, "height": 12}, 39, 13),
        ({"shape": "cube", "side_length": 15}, 27, 9),
        ({"shape": "cube", "side_length": 15, "direction": {"x": 0, "y": -3}}, 27, 9),
        ({"shape": "cone", "length": 15}, 7, 7),
        ({"shape": "line", "length": 30}, 6, 6),
        ({"shape": "line", "length": 30, "width": 10}, 12, 12),
        ({"shape": "line", "length": 30, "include_origin": True}, 7, 7),
        ({"shape": "sphere", "radius": 5, "include_origin": False}, 6, 4),
    ],
)
def test_each_shape_covers_so_many_squares(hall: Hall, args: Json, tiles: int, footprint: int) -> None:
    result = hall.do(TOOL, **AT, **args)
    assert (result["tile_count"], result["footprint_count"]) == (tiles, footprint)
    assert (len(result["tiles"]), len(result["footprint"])) == (tiles, footprint)
    assert result["tiles"] == sorted(result["tiles"], key=lambda tile: tile[::-1])
    assert result["creatures"] == []


def test_a_cone_is_as_wide_as_it_is_long(hall: Hall) -> None:
    cone = shape(hall, "cone", length=15)["footprint"]
    assert cone == [[12, 9], [13, 9], [11, 10], [12, 10], [13, 10], [12, 11], [13, 11]]


def test_a_line_runs_from_beside_its_origin(hall: Hall) -> None:
    assert shape(hall, "line", length=15, direction={"x": 0, "y": 0.001})["tiles"] == [
        [10, 11, 0],
        [10, 12, 0],
        [10, 13, 0],
    ]


@pytest.fixture
def brawl(hall_with: HallWith) -> Hall:
    """Give a fight around 10,10: an ogre of four squares, and a rat behind a wall."""
    return hall_with(
        fight(
            linked("aria", 10, 10),
            linked("ogg", 12, 9, is_enemy=True),
            ephemeral("rat", 10, 7),
            ephemeral("ghost", 11, 10, hp=0, max_hp=9, character_state="dead"),
            ephemeral("down", 9, 10, hp=0, max_hp=9, character_state="dying"),
            ephemeral("high", 10, 11) | {"position": {"x": 10, "y": 11, "z": 9}},
            terrain={"obstacles": ["10,8"]},
        )
    )


def test_the_living_whose_square_is_covered_are_touched(brawl: Hall) -> None:
    assert shape(brawl, "sphere", radius=10, **FIGHT)["creatures"] == ["aria", "ogg", "down"]
    assert shape(brawl, "sphere", radius=5, **FIGHT)["creatures"] == ["aria", "down"]
    assert shape(brawl, "sphere", radius=5, include_origin=False, **FIGHT)["creatures"] == ["down"]


def test_total_cover_from_the_origin_spares(brawl: Hall) -> None:
    assert "rat" not in shape(brawl, "sphere", radius=20, **FIGHT)["creatures"]
    assert "rat" in shape(brawl, "sphere", radius=20, origin={"x": 12, "y": 7}, **FIGHT)["creatures"]
    brawl.do("place_prop", **FIGHT, name="Screen", type="custom", position={"x": 11, "y": 10}, cover_type="total")
    brawl.do("place_prop", **FIGHT, name="Screen", type="custom", position={"x": 11, "y": 9}, cover_type="total")
    assert "ogg" not in shape(brawl, "sphere", radius=10, **FIGHT)["creatures"]
    brawl.do("place_prop", **FIGHT, operation="update", prop_id="prop-1", cover_type="three_quarters")
    assert "ogg" in shape(brawl, "sphere", radius=10, **FIGHT)["creatures"]


def test_who_is_excluded_is_not_listed(brawl: Hall) -> None:
    assert shape(brawl, "sphere", radius=10, exclude_ids=["Aria", "down"], **FIGHT)["creatures"] == ["ogg"]
    feedback = brawl.fail(TOOL, shape="sphere", radius=10, exclude_ids=["aria", "ogre"], **AT, **FIGHT)
    assert (feedback["reason"], feedback["hint"]["field"]) == ("not_found", "args.exclude_ids.1")
    assert brawl.why(TOOL, shape="sphere", radius=10, exclude_ids=["aria"], **AT) == "invalid_args"


@pytest.mark.parametrize(
    ("args", "field"),
    [
        ({"shape": "sphere"}, "args.radius"),
        ({"shape": "cylinder", "radius": 5}, "args.height"),
        ({"shape": "cone"}, "args.length"),
        ({"shape": "line"}, "args.length"),
        ({"shape": "cube"}, "args.side_length"),
        ({"shape": "sphere", "radius": 0}, "args.radius"),
        ({"shape": "sphere", "radius": -5}, "args.radius"),
        ({"shape": "sphere", "radius": 1001}, "args.radius"),
        ({"shape": "cone", "length": 15, "direction": {"x": 0, "y": 0}}, "args.direction"),
        ({"shape": "cone", "length": 15, "direction": {"x": 1}}, "args.direction.y"),
        ({"shape": "blob", "radius": 5}, "args.shape"),
    ],
)
def test_ill_formed_arguments_are_refused(hall: Hall, args: Json, field: str) -> None:
    feedback = hall.fail(TOOL, **AT, **args)
    assert (feedback["reason"], feedback["hint"]["field"]) == ("invalid_args", field)


@pytest.mark.parametrize(
    ("args", "field"),
    [
        ({"shape": "sphere", "radius": 1000}, "radius"),
        ({"shape": "cylinder", "radius": 1000, "height": 1000}, "radius"),
        ({"shape": "cube", "side_length": 1000}, "side_length"),
    ],
)
def test_a_vast_area_is_too_much_and_no_smaller_one_is_offered(hall: Hall, args: Json, field: str) -> None:
    feedback = hall.fail(TOOL, **AT, **args)
    assert feedback["reason"] == "limit_exceeded"
    assert feedback["hint"] == {"field": f"args.{field}", "got": 1000}


def test_words_are_read_loosely(hall: Hall) -> None:
    action = hall.action(TOOL, shape="Ball", radius=5, includeOrigin=False, **AT)
    assert action["args"] == {"shape": "sphere", "radius": 5, "include_origin": False} | AT


@settings(max_examples=tries(20), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.integers(5, 40), st.integers(-20, 20), st.integers(-20, 20), st.sampled_from(["sphere", "cone", "line", "cube"])
)
def test_an_area_moves_with_its_origin(hall: Hall, size: int, x: int, y: int, name: str) -> None:
    sizes = {"sphere": "radius", "cone": "length", "line": "length", "cube": "side_length"}
    args: dict[str, Any] = {"shape": name, sizes[name]: size}
    here = hall.campaign.query(TOOL, {"origin": {"x": 0, "y": 0}} | args)["result"]["tiles"]
    there = hall.campaign.query(TOOL, {"origin": {"x": x, "y": y, "z": 2}} | args)["result"]["tiles"]
    assert [[dx + x, dy + y, dz + 2] for dx, dy, dz in here] == there
