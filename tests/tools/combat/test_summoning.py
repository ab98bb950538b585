"""Monsters whose actions bring others into the fight."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.builders import Json, clock
from tests.tools.blocks import act, advance, begin, call, fails, person

from turnwright import Campaign

COMMONER: Json = {"monster": "commoner", "is_enemy": False, "positions": [{"x": 12, "y": 10}]}


@pytest.fixture(name="campaign")
def fixture_campaign(tmp_path: Path) -> Iterator[Campaign]:
    with Campaign.new(tmp_path / "c", template="toolkit", seed="summoning", clock=clock) as campaign:
        yield campaign


def order(campaign: Campaign) -> list[str]:
    return [each["id"] for each in campaign.state["encounters/encounter-1.json"]["participants"]]


def test_a_wraith_calls_a_specter_from_a_humanoid_that_has_died(campaign: Campaign) -> None:
    begin(campaign, {"monster": "wraith"}, COMMONER)
    calling = {"actor_id": "wraith", "action": "Create Specter", "target_id": "commoner"}
    assert fails(campaign, calling)["detail"] == "commoner is not dead, which Create Specter needs"
    act(campaign, "wraith", "Life Drain", 15, *[1] * 4, 10, target_id="commoner")
    done = act(campaign, "wraith", "Create Specter", 7, target_id="commoner", ignore_economy=True)
    assert done["summoned"] == ["specter"]
    specter = person(campaign, "specter")
    assert (specter["summoned_by"], specter["is_enemy"], specter["stat_block"]) == ("wraith", True, "specter")
    assert specter["initiative"] == 7 + 2
    again = fails(campaign, {**calling, "ignore_economy": True})
    assert again["detail"] == "Create Specter has called commoner already"


def test_no_beast_becomes_a_specter_and_nobody_far_off(campaign: Campaign) -> None:
    wolf = {"monster": "wolf", "is_enemy": False, "max_hp": 1, "positions": [{"x": 12, "y": 10}]}
    far = {"monster": "commoner", "is_enemy": False, "max_hp": 1, "positions": [{"x": 16, "y": 10}]}
    begin(campaign, {"monster": "wraith"}, wolf, far)
    blow = {"encounter_id": "encounter-1", "actor_id": "post", "action_type": "attack", "ignore_economy": True}
    for each in ("wolf", "commoner"):
        figures = {"attack_bonus": 30, "damage_expression": "9", "weapon_type": "ranged"}
        call(campaign, "execute_action", {**blow, **figures, "target_id": each}, 10, 10)
    calling = {"actor_id": "wraith", "action": "Create Specter", "ignore_economy": True}
    assert fails(campaign, {**calling, "target_id": "wolf"})["detail"] == (
        "wolf is not humanoid, which Create Specter needs"
    )
    assert fails(campaign, {**calling, "target_id": "commoner"})["detail"] == (
        "commoner is 25 feet away, and Create Specter reaches 10 feet"
    )


def test_a_wraith_commands_no_more_than_seven_specters(campaign: Campaign) -> None:
    around = [(9, 8), (10, 8), (11, 8), (12, 8), (13, 8), (13, 9), (13, 10), (13, 11)]
    many = {**COMMONER, "max_hp": 1, "count": 8, "positions": [{"x": x, "y": y} for x, y in around]}
    begin(campaign, {"monster": "wraith"}, many)
    blow = {"encounter_id": "encounter-1", "actor_id": "post", "action_type": "attack", "ignore_economy": True}
    figures = {"attack_bonus": 30, "damage_expression": "9", "weapon_type": "ranged"}
    calling = {"action": "Create Specter", "ignore_economy": True}
    for number in range(1, 9):
        who = f"commoner-{number}"
        call(campaign, "execute_action", {**blow, **figures, "target_id": who}, 10, 10)
        if number < 8:
            act(campaign, "wraith", "Create Specter", 7, target_id=who, ignore_economy=True)
    failed = fails(campaign, {"actor_id": "wraith", **calling, "target_id": "commoner-8"})
    assert failed["detail"] == "wraith commands 7 by Create Specter already, of at most 7"


def test_a_treant_animates_trees_that_only_slam(campaign: Campaign) -> None:
    begin(campaign, {"monster": "treant"})
    far = {"actor_id": "treant", "action": "Animate Trees", "target_position": {"x": 30, "y": 10}}
    assert "reaches 60 feet" in fails(campaign, far)["detail"]
    done = act(campaign, "treant", "Animate Trees", 5, 4, target_id=None)
    assert done["summoned"] == ["treant-1", "treant-2"]
    tree = person(campaign, "treant-1")
    assert (tree["body"]["sheet"]["stats"]["int"], tree["body"]["sheet"]["stats"]["cha"]) == (1, 1)
    block = campaign.state["encounters/encounter-1.json"]["stat_blocks"][tree["stat_block"]]
    assert ([each["id"] for each in block["actions"]], "multiattack" in block) == (["slam"], False)
    assert (tree["is_enemy"], tree["summoned_by"]) == (True, "treant")
    for _ in range(4):
        advance(campaign)
    again = fails(campaign, {"actor_id": "treant", "action": "Animate Trees"})
    assert again["detail"] == "Animate Trees of treant is used up: 1 per day"


def test_who_was_summoned_has_turns_and_is_worth_no_experience(campaign: Campaign) -> None:
    begin(campaign, {"monster": "treant"})
    act(campaign, "treant", "Animate Trees", 5, 4, target_id=None)
    turns = {advance(campaign)["current"]["id"] for _ in range(len(order(campaign)))}
    assert turns == set(order(campaign))
    args = {"encounter_id": "encounter-1", "outcome": "victory", "award_xp": "all"}
    assert call(campaign, "end_encounter", args)["result"]["experience"]["monsters"] == ["treant"]
