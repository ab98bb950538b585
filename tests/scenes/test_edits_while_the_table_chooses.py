"""Offers on disk that were committed, and what people change while the table still chooses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.builders import Json, clock, failed, results
from tests.scenes.night import ENGAGE, begin, play
from tests.scenes.night import answer as answered

from turnwright import Campaign

OFFERS = [
    {
        "label": f"let it come, {place}",
        "hint": "something stirs below",
        "cost_type": "clock",
        "cost_target": "clock-1",
        "narrative": "It stirs.",
    }
    for place in (1, 2)
]
PLAN = {"narration": "You fall.", "wake_up_location": "canal", "clocks_to_advance": ["clock-1"]}


@pytest.fixture
def cornered(tmp_path: Path) -> Path:
    """Give the directory of a bargain without a way back, in which everything is about one clock."""
    path = tmp_path / "night"
    with Campaign.new(path, template="scenes", seed="x", clock=clock) as campaign:
        begin(campaign)
        campaign.process({"user_input": "I go in."})
    edit(path, dice_pool=[])
    with opened(path) as campaign:
        desperate = {**ENGAGE, "args": {**ENGAGE["args"], "engage_position": "desperate"}}
        play(campaign, desperate)
        play(campaign, narration="The city leans in.", offers=OFFERS, pass_out_plan=PLAN)
        assert campaign.state["crew.json"]["awaiting"]["stage"] == "player_choice"
    return path


def opened(path: Path) -> Campaign:
    return Campaign.open(path, clock=clock)


def edit(path: Path, name: str = "crew.json", /, **changes: Any) -> None:
    value = json.loads((path / name).read_text(encoding="utf-8"))
    (path / name).write_text(json.dumps(value | changes), encoding="utf-8")


def answer(path: Path, value: Any) -> Json:
    with opened(path) as campaign:
        return answered(campaign, value)


def test_a_deal_about_a_clock_that_threatens_no_more_says_what_is_left(cornered: Path) -> None:
    edit(cornered, "clocks/clock-1.json", type="goal")
    reply = answer(cornered, "offer_1")
    (failure,) = reply["tool_feedback"]["failed_calls"]
    assert failure["reason"] == "bargain_target_unknown"
    assert failure["hint"] == {"field": "answer.value", "got": "offer_1", "choices": ["pass_out"]}


def test_other_deals_that_hold_are_named_first(cornered: Path) -> None:
    offers = [OFFERS[0], {**OFFERS[1], "cost_type": "item", "cost_target": "a ring"}]
    with opened(cornered) as campaign:
        campaign.undo()
        play(campaign, narration="The city leans in.", offers=offers)
    edit(cornered, "clocks/clock-1.json", type="goal")
    reply = answer(cornered, 0)
    assert reply["tool_feedback"]["failed_calls"][0]["hint"]["choices"] == ["offer_2", "pass_out"]


def test_passing_out_is_always_there(cornered: Path) -> None:
    edit(cornered, "clocks/clock-1.json", type="goal")
    reply = answer(cornered, "pass_out")
    assert failed(reply) == []
    assert results(reply)[0]["clocks_advanced"] == ["hush-id"]  # the one that is nearest to full of those that threaten


def test_who_joins_while_nobody_acts_can_pass_out(cornered: Path) -> None:
    selected = json.loads((cornered / "campaign.json").read_text(encoding="utf-8"))["selected"]
    alone = selected | {"party_character_ids": [], "active_actor_id": None}
    with opened(cornered) as campaign:
        campaign.undo()
    edit(cornered, "campaign.json", selected=alone)
    with opened(cornered) as campaign:
        play(campaign, narration="The city leans in.", offers=OFFERS)
    assert failed(answer(cornered, "pass_out")) == [("rejected", "invalid_actor_state")]
    edit(cornered, "campaign.json", selected=selected)
    assert failed(answer(cornered, "pass_out")) == []


@pytest.mark.parametrize("value", [0, "option_1"])
def test_coin_that_came_in_after_the_law_named_its_price_can_be_paid(tmp_path: Path, value: Any) -> None:
    path, ways = tmp_path / "night", ({"coin": 2}, {"stress": 2}, {"stress": 3})
    with Campaign.new(path, template="scenes", seed="x", clock=clock) as campaign:
        begin(campaign)
    edit(path, heat=10)
    with opened(path) as campaign:
        play(campaign, narration="It is over.", continue_scene=False)
        play(campaign, summary="They met.", key_moments=["a door"])
        play(campaign, eo_type="raid", eo_narration="Boots on the stairs.", eo_options=[_way(**way) for way in ways])
    assert failed(answer(path, value)) == [("rejected", "option_unavailable")]
    edit(path, "characters/character-1.json", coin=2)
    reply = answer(path, value)
    assert failed(reply) == []
    assert results(reply)[0]["cost_amount"] == 2


def _way(**price: int) -> Json:
    ((kind, amount),) = price.items()
    way = {"eo_label": f"pay {kind}", "eo_cost_type": kind, "eo_cost_amount": amount}
    return {**way, "eo_resolution": "They leave."}
