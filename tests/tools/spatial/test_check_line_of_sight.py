"""check_line_of_sight: walls, cover, light and senses."""

from __future__ import annotations

from typing import Any

import pytest
from tests.builders import Json
from tests.tools.conftest import HallWith
from tests.tools.hall import Hall, ephemeral, fight, linked

TOOL = "check_line_of_sight"
FIGHT = {"encounter_id": "encounter-1"}
HERE, THERE = {"x": 0, "y": 0}, {"x": 6, "y": 0}
LINE: Json = {"from": HERE, "to": THERE}


def looked(hall: Hall, **args: Any) -> Json:
    result: Json = hall.do(TOOL, **args)
    return result


def thing(x: int, y: int, kind: str = "wall", **fields: Any) -> Json:
    return {"x": x, "y": y, "type": kind} | fields


def test_with_nothing_in_the_way_everything_is_seen(hall: Hall) -> None:
    assert looked(hall, **LINE) == {
        "line_of_sight": True,
        "blocked": False,
        "cover": "none",
        "ac_bonus": 0,
        "dex_save_bonus": 0,
        "distance_feet": 30,
        "blocked_by": None,
        "can_see": True,
        "obscurement": "none",
        "detected_by": [],
    }


@pytest.mark.parametrize(
    ("things", "cover", "bonus"),
    [
        ([thing(3, 0)], "total", None),
        ([thing(3, 0, "pillar")], "total", None),
        ([thing(3, 0, "half_cover")], "half", 2),
        ([thing(3, 0, "half_cover"), thing(4, 0, "three_quarters_cover")], "three_quarters", 5),
        ([thing(3, 1)], "none", 0),
        ([thing(0, 0)], "none", 0),
        ([thing(6, 0, "half_cover")], "half", 2),
        ([thing(3, 0, height=0)], "total", None),
        ([thing(7, 0)], "none", 0),
    ],
)
def test_the_greatest_cover_on_the_line_counts(hall: Hall, things: list[Json], cover: str, bonus: int | None) -> None:
    result = looked(hall, **LINE, obstacles=things)
    assert (result["cover"], result["ac_bonus"], result["dex_save_bonus"]) == (cover, bonus, bonus)
    assert (result["line_of_sight"], result["blocked"]) == (cover != "total", cover == "total")
    assert (result["blocked_by"] is None, result["can_see"]) == (cover != "total", cover != "total")


def test_what_blocks_first_is_told(hall: Hall) -> None:
    walls = [thing(4, 0), thing(2, 0, "pillar")]
    assert looked(hall, **LINE, obstacles=walls)["blocked_by"] == {"type": "pillar", "x": 2, "y": 0}


def test_a_corner_that_is_only_touched_does_not_block(hall: Hall) -> None:
    diagonal = {"from": HERE, "to": {"x": 2, "y": 2}}
    assert looked(hall, **diagonal, obstacles=[thing(1, 0), thing(0, 1)])["line_of_sight"]
    assert not looked(hall, **diagonal, obstacles=[thing(1, 1)])["line_of_sight"]


def test_a_low_wall_is_looked_over_from_above(hall: Hall) -> None:
    low = [thing(3, 0, height=5)]
    assert not looked(hall, **LINE, obstacles=low)["line_of_sight"]
    above = {"from": {"x": 0, "y": 0, "z": 3}, "to": {"x": 6, "y": 0, "z": 3}}
    assert looked(hall, **above, obstacles=low)["line_of_sight"]


def test_the_same_square_is_always_clear(hall: Hall) -> None:
    result = looked(hall, **{"from": HERE, "to": HERE}, obstacles=[thing(0, 0)])
    assert (result["line_of_sight"], result["distance_feet"], result["cover"]) == (True, 0, "none")


def test_creatures_give_half_cover_if_they_block(hall: Hall) -> None:
    people = [{"x": 3, "y": 0}, {"x": 4, "y": 0, "size": "tiny"}]
    assert looked(hall, **LINE, creatures=people)["cover"] == "none"
    assert looked(hall, **LINE, creatures=people, creatures_block=True)["cover"] == "half"
    assert looked(hall, **LINE, creatures=people[1:], creatures_block=True)["cover"] == "none"


@pytest.mark.parametrize(
    ("light", "senses", "can_see", "obscurement", "detected_by"),
    [
        ("dim", {}, True, "lightly", []),
        ("dim", {"darkvision": 60}, True, "none", ["darkvision"]),
        ("dim", {"darkvision": 25}, True, "lightly", []),
        ("darkness", {}, False, "heavily", []),
        ("darkness", {"darkvision": 30}, True, "lightly", ["darkvision"]),
        ("darkness", {"truesight_range": 30}, True, "none", ["truesight"]),
        ("darkness", {"blindsight_range": 29}, False, "heavily", []),
        ("darkness", {"tremorsense_range": 30}, False, "heavily", ["tremorsense"]),
        ("magical_darkness", {"darkvision": 120}, False, "heavily", []),
        ("magical_darkness", {"blindsight_range": 30}, True, "none", ["blindsight"]),
    ],
)
def test_light_and_senses(
    hall: Hall, light: str, senses: Json, can_see: bool, obscurement: str, detected_by: list[str]
) -> None:
    result = looked(hall, **LINE, lighting=light, **senses)
    assert (result["can_see"], result["obscurement"]) == (can_see, obscurement)
    assert result["detected_by"] == detected_by
    assert result["line_of_sight"]


def test_only_the_senses_that_are_named_count(hall: Hall) -> None:
    args = {"lighting": "darkness", "darkvision": 60, "blindsight_range": 60}
    assert looked(hall, **LINE, **args)["detected_by"] == ["blindsight", "darkvision"]
    assert looked(hall, **LINE, **args, senses=["darkvision"])["detected_by"] == ["darkvision"]
    assert not looked(hall, **LINE, **args, senses=[])["can_see"]


def test_a_sense_of_nobody_in_particular_needs_its_range(hall: Hall) -> None:
    feedback = hall.fail(TOOL, **LINE, senses=["dark vision"], lighting="dark")
    assert (feedback["reason"], feedback["hint"]["field"]) == ("invalid_args", "args.darkvision")


@pytest.fixture
def cave(hall_with: HallWith) -> Hall:
    """Give a dark fight: an elf and a fighter at the left, a rat behind a wall, another beside, a wisp unseen."""
    return hall_with(
        fight(
            linked("cyra", 0, 0),
            linked("aria", 0, 2),
            ephemeral("rat", 6, 0),
            ephemeral("mouse", 6, 2),
            ephemeral("wisp", 4, 3, conditions=[{"condition": "invisible"}]),
            ephemeral("blind", 0, 5, conditions=[{"condition": "blinded"}], sheet={"senses": {"darkvision": 60}}),
            lighting="darkness",
            terrain={"obstacles": ["3,0"]},
        )
    )


def test_the_fight_gives_walls_light_and_eyes(cave: Hall) -> None:
    blocked = looked(cave, from_id="cyra", to_id="rat", **FIGHT)
    assert (blocked["blocked_by"], blocked["can_see"]) == ({"type": "wall", "x": 3, "y": 0}, False)
    seen = looked(cave, from_id="Cyra", to_id="Mouse", **FIGHT)
    assert (seen["can_see"], seen["obscurement"], seen["detected_by"]) == (True, "lightly", ["darkvision"])
    assert not looked(cave, from_id="aria", to_id="mouse", **FIGHT)["can_see"]
    assert looked(cave, from_id="aria", to_id="mouse", lighting="bright", **FIGHT)["can_see"]
    assert not looked(cave, from_id="cyra", to_id="mouse", darkvision=0, **FIGHT)["can_see"]
    assert not looked(cave, from_id="cyra", to_id="mouse", senses=["tremorsense"], **FIGHT)["can_see"]


def test_the_invisible_and_the_blind(cave: Hall) -> None:
    bright = {"lighting": "bright", **FIGHT}
    assert not looked(cave, from_id="cyra", to_id="wisp", **bright)["can_see"]
    assert looked(cave, from_id="cyra", to_id="wisp", truesight_range=60, **bright)["can_see"]
    assert not looked(cave, from_id="blind", to_id="mouse", **bright)["can_see"]
    assert looked(cave, from_id="blind", to_id="mouse", blindsight_range=60, **bright)["can_see"]


def test_creatures_of_the_fight_cover_but_not_the_two_themselves(hall_with: HallWith) -> None:
    hall = hall_with(
        fight(
            ephemeral("a", 0, 0),
            ephemeral("b", 3, 0),
            ephemeral("c", 6, 0),
            ephemeral("corpse", 9, 0, hp=0, max_hp=9, character_state="dead"),
            ephemeral("d", 12, 0),
        )
    )
    among = {"creatures_block": True, **FIGHT}
    assert looked(hall, from_id="a", to_id="c", **among)["cover"] == "half"
    assert looked(hall, from_id="a", to_id="b", **among)["cover"] == "none"
    assert looked(hall, from_id="c", to_id="d", **among)["cover"] == "none"
    assert looked(hall, **{"from": {"x": 0, "y": 0}, "to": {"x": 3, "y": 0}}, **among)["cover"] == "none"
    assert looked(hall, from_id="a", to_id="c", **FIGHT)["cover"] == "none"


def test_a_prop_covers_until_it_is_broken(cave: Hall) -> None:
    args = {"name": "Crate", "type": "crate", "cover_type": "three_quarters", "hp": 4}
    cave.do("place_prop", **FIGHT, position={"x": 3, "y": 2}, **args)
    line = {"from_id": "aria", "to_id": "mouse", **FIGHT}
    assert looked(cave, **line)["cover"] == "three_quarters"
    cave.do("place_prop", **FIGHT, operation="update", prop_id="crate", hp=0)
    assert looked(cave, **line)["cover"] == "none"


@pytest.mark.parametrize(
    ("args", "reason", "field"),
    [
        ({"to": THERE}, "invalid_args", "args.from"),
        ({"from": HERE}, "invalid_args", "args.to"),
        ({"from": HERE, "from_id": "aria", "to": THERE}, "invalid_args", "args.from"),
        ({"from_id": "aria", "to": THERE}, "invalid_args", "args.encounter_id"),
        ({"from_id": "nobody", "to": THERE, **FIGHT}, "not_found", "args.from_id"),
        ({"from_id": "aria", **FIGHT}, "invalid_args", "args.to_id"),
        ({"from": HERE, "to": THERE, "encounter_id": "x"}, "not_found", "args.encounter_id"),
        ({"from": HERE, "to": THERE, "darkvision": -1}, "invalid_args", "args.darkvision"),
        ({"from": HERE, "to": THERE, "obstacles": [{"x": 1}]}, "invalid_args", "args.obstacles.0.y"),
        ({"from": HERE, "to": THERE, "senses": ["smell"]}, "invalid_args", "args.senses.0"),
    ],
)
def test_ill_formed_arguments_are_refused(cave: Hall, args: Json, reason: str, field: str) -> None:
    feedback = cave.fail(TOOL, **args)
    assert (feedback["reason"], feedback["hint"]["field"]) == (reason, field)


def test_spelling_is_loose_also_in_lists(hall: Hall) -> None:
    action = hall.action(TOOL, **LINE, obstacles=[thing(3, 0, "3/4")], creaturesBlock=True, blindsightRange=5)
    assert action["args"]["obstacles"][0]["type"] == "three_quarters_cover"
    assert action["corrections"][0]["field"] == "args.obstacles.0.type"
