"""Calls of the toolkit take bounded time, however much they name, and however much they ask for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from tests import builders
from tests.growth import Work, growth, ratio

from turnwright import Campaign
from turnwright.protocol.stage3_tools.run import MAX_RESULT_BYTES

MAX_GROWTH = 2.0
"""What four times as much may cost, for each of its parts; what grows with the square costs 4."""
Json = Any
SQUARES = [f"{x},{y}" for x in range(100) for y in range(100)]
LAVA = {"type": "lava", "damage": "1d4"}
ENEMY = {"id": "grik", "name": "Grik", "hp": 7, "max_hp": 7, "is_enemy": True, "position": {"x": 0, "y": 0}}
HERE, THERE = {"x": 0, "y": 0}, {"x": 9, "y": 0}


@pytest.fixture
def campaign(tmp_path: Path) -> Iterator[Campaign]:
    with Campaign.new(tmp_path / "hall", "toolkit", seed="x", clock=builders.clock) as campaign:
        yield campaign


def fight(**terrain: Any) -> Json:
    return builders.call("create_encounter", participants=[ENEMY], terrain={"width": 100, "height": 100, **terrain})


def laid(kind: str, squares: int) -> Json:
    details = {**LAVA, "type": kind}
    return builders.call(
        "modify_terrain",
        encounter_id="encounter-1",
        operation="add",
        terrain_type="hazard",
        positions=SQUARES[:squares],
        hazard_details=details,
    )


HEAVY: dict[str, Callable[[int], list[Json]]] = {
    "a fight of hazards": lambda n: [fight(hazards=[{**LAVA, "position": square} for square in SQUARES[:n]])],
    "hazards upon hazards": lambda n: [fight(), laid("lava", n), laid("acid", n)],
    "obstacles on one square": lambda n: [
        builders.call("check_line_of_sight", **{"from": HERE, "to": THERE}, obstacles=[{"x": 3, "y": 0}] * 5 * n)
    ],
    "an item that heals by blanks": lambda n: [
        builders.call("create_character", name="Ada", character_type="pc"),
        builders.call(
            "manage_inventory",
            operation="give",
            character_id="character-1",
            item={"name": "P", "type": "consumable", "effect": "Heal" + " " * (n // 2 - 20) + "x\nx"},
        ),
        builders.call("manage_inventory", operation="use", character_id="character-1", item_name="P"),
    ],
}


@pytest.mark.parametrize("name", HEAVY)
def test_the_time_of_a_turn_grows_no_faster_than_what_it_names(tmp_path: Path, name: str) -> None:
    def done(size: int) -> Work:
        calls, places = HEAVY[name](size), count()

        def work() -> None:
            with Campaign.new(
                tmp_path / f"{size}-{next(places)}", "toolkit", seed="x", clock=builders.clock
            ) as campaign:
                reply = campaign.process(builders.turn(*calls))
            assert reply["status"] == "applied", reply["tool_feedback"]

        return work

    assert growth(done, 1000, 4000, MAX_GROWTH) < MAX_GROWTH


SHAPES: dict[str, Callable[[int], Json]] = {
    "sphere": lambda size: {"radius": size},
    "cylinder": lambda size: {"radius": size, "height": size},
    "cube": lambda size: {"side_length": size},
}


@pytest.mark.parametrize("shape", SHAPES)
def test_an_area_too_large_to_be_listed_is_refused_without_being_made(campaign: Campaign, shape: str) -> None:
    def asked(size: int) -> Json:
        return builders.turn(*[builders.call("calculate_aoe", origin=HERE, shape=shape, **SHAPES[shape](size))] * 3)

    large, small = asked(1000), asked(500)
    most = 2.0  # the larger one has four times the squares, or eight
    assert ratio(lambda: campaign.process(large), lambda: campaign.process(small), most) < most
    turn = large
    (failed, *_) = campaign.process(turn)["tool_feedback"]["failed_calls"]
    field = next(iter(SHAPES[shape](1000)))
    assert failed["hint"] == {"field": f"args.{field}", "got": 1000}  # a smaller one would be another area
    assert failed["reason"] == "limit_exceeded"


@pytest.mark.parametrize(("shape", "largest"), [("sphere", 114), ("cylinder", 125), ("cube", 180)])
def test_the_largest_area_that_is_listed_has_no_more_squares_than_may_be(
    campaign: Campaign, shape: str, largest: int
) -> None:
    asked = [
        builders.call("calculate_aoe", origin=HERE, shape=shape, **SHAPES[shape](largest + more)) for more in (0, 1)
    ]
    fits, fails = (campaign.process(builders.turn(each), dry_run=True) for each in asked)
    assert fits["applied_actions"][0]["result"]["tile_count"] <= 50_000
    assert fails["tool_feedback"]["failed_calls"][0]["detail"] == "the area has more than 50000 squares"


def test_a_short_turn_makes_no_endless_line_in_the_log(campaign: Campaign, tmp_path: Path) -> None:
    area = builders.call("calculate_aoe", origin=HERE, shape="cylinder", radius=100, height=190)
    dice = builders.call("roll_dice", batch=[{"expression": "100d2!"}] * 20)
    reply = campaign.process(builders.turn(*[area] * 8, *[dice] * 12))
    failed = reply["tool_feedback"]["failed_calls"]
    assert {call["reason"] for call in failed} == {"limit_exceeded"}
    assert len(reply["applied_actions"]) + len(failed) == 20
    assert len((tmp_path / "hall" / "log.jsonl").read_bytes().splitlines()[-1]) < 2 * MAX_RESULT_BYTES
    thrown = [action for action in reply["applied_actions"] if action["tool"] == "roll_dice"]
    assert 0 < len(thrown) < 12
    assert len({draw["part"] for draw in builders.log_of(tmp_path / "hall")[-1]["draws"]}) == len(thrown)


def test_what_one_call_asks_for_is_told_however_long_it_is(campaign: Campaign, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("turnwright.protocol.stage3_tools.run.MAX_RESULT_BYTES", 100)
    area = builders.call("calculate_aoe", origin=HERE, shape="sphere", radius=20)
    assert campaign.process(builders.turn(area))["status"] == "applied"
    assert campaign.process(builders.turn(area, area))["status"] == "partial"
