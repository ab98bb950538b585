"""Calls of the toolkit take bounded time, however much they name, and however much they ask for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests import plain
from tests.timing import best

from turnwright import Campaign
from turnwright.stages.tools import MOST_TOLD

ENOUGH_S = 2.0
"""For one turn; what grew with the square of what was named took more than five times as long."""
Json = dict[str, Any]
SQUARES = [f"{x},{y}" for x in range(100) for y in range(100)]
LAVA = {"type": "lava", "damage": "1d4"}
ENEMY = {"id": "grik", "name": "Grik", "hp": 7, "max_hp": 7, "is_enemy": True, "position": {"x": 0, "y": 0}}
HERE, THERE = {"x": 0, "y": 0}, {"x": 9, "y": 0}


@pytest.fixture
def campaign(tmp_path: Path) -> Iterator[Campaign]:
    with Campaign.new(tmp_path / "hall", "toolkit", seed="x", clock=plain.clock) as campaign:
        yield campaign


def fight(**terrain: Any) -> Json:
    return plain.call("create_encounter", participants=[ENEMY], terrain={"width": 100, "height": 100, **terrain})


def laid(kind: str) -> Json:
    details = {**LAVA, "type": kind}
    return plain.call(
        "modify_terrain",
        encounter_id="encounter-1",
        operation="add",
        terrain_type="hazard",
        positions=SQUARES,
        hazard_details=details,
    )


HEAVY: dict[str, Callable[[], list[Json]]] = {
    "a fight of hazards": lambda: [fight(hazards=[{**LAVA, "position": square} for square in SQUARES[:8000]])],
    "hazards upon hazards": lambda: [fight(), laid("lava"), laid("acid")],
    "obstacles on one square": lambda: [
        plain.call("check_line_of_sight", **{"from": HERE, "to": THERE}, obstacles=[{"x": 3, "y": 0}] * 40_000)
    ],
    "an item that heals by blanks": lambda: [
        plain.call("create_character", name="Ada", character_type="pc"),
        plain.call(
            "manage_inventory",
            operation="give",
            character_id="character-1",
            item={"name": "P", "type": "consumable", "effect": "Heal" + " " * 3_980 + "x\nx"},
        ),
        plain.call("manage_inventory", operation="use", character_id="character-1", item_name="P"),
    ],
}


@pytest.mark.parametrize("name", HEAVY)
def test_a_turn_that_names_very_much_is_taken_in_bounded_time(campaign: Campaign, name: str) -> None:
    calls = HEAVY[name]()
    replies: list[Json] = []
    assert best(lambda: replies.append(campaign.process(plain.turn(*calls))), ENOUGH_S) < ENOUGH_S
    assert replies[0]["status"] == "applied", replies[0]["tool_feedback"]


SHAPES = [
    {"shape": "sphere", "radius": 1000},
    {"shape": "cylinder", "radius": 1000, "height": 1000},
    {"shape": "cube", "side_length": 1000},
]


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: str(shape["shape"]))
def test_an_area_too_large_to_be_listed_is_refused_without_being_made(campaign: Campaign, shape: Json) -> None:
    turn = plain.turn(*[plain.call("calculate_aoe", origin=HERE, **shape)] * 16)
    assert best(lambda: campaign.process(turn), ENOUGH_S, 1) < ENOUGH_S
    (failed, *_) = campaign.process(turn)["tool_feedback"]["failed_calls"]
    hint = failed["hint"]
    fitting, larger = hint["allowed"][0], hint["allowed"][0] + 5
    field = hint["field"].removeprefix("args.")
    fits, does_not = (
        campaign.process(plain.turn(plain.call("calculate_aoe", origin=HERE, **{**shape, field: size})))["status"]
        for size in (fitting, larger)
    )
    assert (failed["reason"], fits, does_not) == ("limit_exceeded", "applied", "failed")


def test_a_short_turn_makes_no_endless_line_in_the_log(campaign: Campaign, tmp_path: Path) -> None:
    area = plain.call("calculate_aoe", origin=HERE, shape="cylinder", radius=100, height=190)
    dice = plain.call("roll_dice", batch=[{"expression": "100d2!"}] * 20)
    reply = campaign.process(plain.turn(*[area] * 8, *[dice] * 12))
    failed = reply["tool_feedback"]["failed_calls"]
    assert {call["reason"] for call in failed} == {"limit_exceeded"}
    assert len(reply["applied_actions"]) + len(failed) == 20
    assert len((tmp_path / "hall" / "log.jsonl").read_bytes().splitlines()[-1]) < 2 * MOST_TOLD
    thrown = [action for action in reply["applied_actions"] if action["tool"] == "roll_dice"]
    assert 0 < len(thrown) < 12
    assert len({draw["part"] for draw in plain.log_of(tmp_path / "hall")[-1]["draws"]}) == len(thrown)


def test_what_one_call_asks_for_is_told_however_long_it_is(campaign: Campaign, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("turnwright.stages.tools.MOST_TOLD", 100)
    area = plain.call("calculate_aoe", origin=HERE, shape="sphere", radius=20)
    assert campaign.process(plain.turn(area))["status"] == "applied"
    assert campaign.process(plain.turn(area, area))["status"] == "partial"
