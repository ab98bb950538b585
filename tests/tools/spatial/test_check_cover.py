"""check_cover: what covers a target, and all that could."""

from __future__ import annotations

from typing import Any

import pytest
from tests.builders import Json
from tests.tools.conftest import HallWith
from tests.tools.hall import Hall, ephemeral, fight, linked

TOOL = "check_cover"
FIGHT = {"encounter_id": "encounter-1"}
LINE = {"attacker": {"x": 0, "y": 0}, "target": {"x": 6, "y": 0}}


def thing(x: int, y: int, kind: str = "wall", **fields: Any) -> Json:
    return {"x": x, "y": y, "type": kind} | fields


def test_without_cover_nothing_is_added(hall: Hall) -> None:
    assert hall.do(TOOL, **LINE) == {
        "cover": "none",
        "ac_bonus": 0,
        "dex_save_bonus": 0,
        "targetable": True,
        "sources": [],
        "distance_feet": 30,
    }


def test_all_sources_are_listed_and_the_best_counts(hall: Hall) -> None:
    things = [thing(5, 0, "three_quarters_cover"), thing(2, 0, "half_cover", z=1), thing(3, 4)]
    result = hall.do(TOOL, **LINE, obstacles=things)
    assert (result["cover"], result["ac_bonus"], result["dex_save_bonus"]) == ("three_quarters", 5, 5)
    assert result["sources"] == [
        {"type": "half_cover", "x": 2, "y": 0, "z": 1, "cover": "half"},
        {"type": "three_quarters_cover", "x": 5, "y": 0, "z": 0, "cover": "three_quarters"},
    ]


@pytest.mark.parametrize("kind", ["wall", "pillar", "total_cover"])
def test_behind_total_cover_nobody_can_be_aimed_at(hall: Hall, kind: str) -> None:
    result = hall.do(TOOL, **LINE, obstacles=[thing(3, 0, kind)])
    assert (result["cover"], result["targetable"]) == ("total", False)
    assert (result["ac_bonus"], result["dex_save_bonus"]) == (None, None)


def test_creatures_cover_only_when_asked(hall: Hall) -> None:
    people = [{"x": 3, "y": 0, "size": "large"}]
    assert hall.do(TOOL, **LINE, creatures=people)["cover"] == "none"
    result = hall.do(TOOL, **LINE, creatures=people, creaturesProvideCover=True)
    assert (result["cover"], result["sources"][0]["type"]) == ("half", "creature")


def test_the_fight_gives_walls_props_and_creatures(hall_with: HallWith) -> None:
    hall = hall_with(
        fight(
            linked("aria", 0, 0),
            ephemeral("rat", 3, 0),
            linked("brom", 6, 0),
            ephemeral("hid", 0, 6),
            terrain={"obstacles": ["0,3"]},
        )
    )
    assert hall.do(TOOL, attacker_id="aria", target_id="brom", **FIGHT)["cover"] == "none"
    crowd = {"creatures_provide_cover": True, **FIGHT}
    assert hall.do(TOOL, attacker_id="Aria", target_id="Brom", **crowd)["cover"] == "half"
    assert hall.do(TOOL, attacker_id="aria", target_id="rat", **crowd)["cover"] == "none"
    assert hall.do(TOOL, attacker_id="aria", target_id="hid", **FIGHT)["cover"] == "total"
    hall.do("place_prop", **FIGHT, name="Table", type="table", position={"x": 0, "y": 4}, cover_type="half")
    sources = hall.do(TOOL, attacker_id="hid", target_id="aria", **FIGHT)["sources"]
    assert [source["cover"] for source in sources] == ["half", "total"]


def test_a_large_target_has_the_cover_of_its_least_covered_square(hall_with: HallWith) -> None:
    hall = hall_with(fight(linked("aria", 0, 1), ephemeral("rat", 1, 0), linked("ogg", 2, 0, is_enemy=True)))
    crowd = {"attacker_id": "aria", "creatures_provide_cover": True, **FIGHT}
    assert hall.do(TOOL, target_id="ogg", **crowd)["cover"] == "none"
    assert hall.do(TOOL, target={"x": 2, "y": 0}, **crowd)["cover"] == "half"


@pytest.mark.parametrize(
    ("args", "reason", "field"),
    [
        ({"target": {"x": 1, "y": 1}}, "invalid_args", "args.attacker"),
        ({"attacker": {"x": 1, "y": 1}}, "invalid_args", "args.target"),
        ({**LINE, "target_id": "aria"}, "invalid_args", "args.target"),
        ({"attacker_id": "aria", "target": {"x": 1, "y": 1}}, "invalid_args", "args.encounter_id"),
        ({**LINE, "encounter_id": "encounter-9"}, "not_found", "args.encounter_id"),
        ({**LINE, "obstacles": [thing(1, 1, "fog")]}, "invalid_args", "args.obstacles.0.type"),
        ({**LINE, "shield": True}, "invalid_args", "args.shield"),
    ],
)
def test_ill_formed_arguments_are_refused(hall: Hall, args: Json, reason: str, field: str) -> None:
    feedback = hall.fail(TOOL, **args)
    assert (feedback["reason"], feedback["hint"]["field"]) == (reason, field)


def test_who_takes_no_part_is_not_found(hall_with: HallWith) -> None:
    hall = hall_with(fight(ephemeral("rat", 3, 0)))
    feedback = hall.fail(TOOL, attacker_id="rat", target_id="aria", **FIGHT)
    assert (feedback["reason"], feedback["hint"]["field"]) == ("not_found", "args.target_id")
