"""Stirges: they attach to the target they bite, drain it, and let go."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.builders import Json, clock
from tests.tools.blocks import act, advance, begin, call, fails, person, reply_to

from turnwright import Campaign


@pytest.fixture(name="campaign")
def fixture_campaign(tmp_path: Path) -> Iterator[Campaign]:
    with Campaign.new(tmp_path / "c", template="toolkit", seed="attaching", clock=clock) as campaign:
        yield campaign


def bite(campaign: Campaign) -> Json:
    begin(campaign, {"monster": "stirge"})
    return act(campaign, "stirge", "Blood Drain", 15, 2)


def at(campaign: Campaign, who: str) -> tuple[int, int]:
    place = person(campaign, who)["position"]
    return place["x"], place["y"]


def move(campaign: Campaign, who: str, x: int, y: int) -> Json:
    args = {"encounter_id": "encounter-1", "actor_id": who, "move_to": {"x": x, "y": y}}
    found: Json = call(campaign, "execute_action", args)["result"]
    return found


def test_a_stirge_hangs_on_whom_it_hits_and_attacks_no_more(campaign: Campaign) -> None:
    hit = bite(campaign)
    assert (hit["damage"]["final"], hit["effects"]) == (5, ["Blood Drain (stirge)"])
    assert (person(campaign, "stirge")["attached_to"], at(campaign, "stirge")) == ("post", (10, 10))
    failed = fails(
        campaign, {"actor_id": "stirge", "action": "Blood Drain", "target_id": "post", "ignore_economy": True}
    )
    assert failed["detail"] == "stirge hangs on post, and attacks nobody until it lets go by moving"


def test_it_drains_as_its_turns_start_until_it_has_10_hit_points(campaign: Campaign) -> None:
    bite(campaign)
    advance(campaign)
    first = advance(campaign, 4)
    assert first["lasting"] == [{"target_id": "post", "name": "Blood Drain (stirge)", "rolled": 7, "damage": 7}]
    (effect,) = person(campaign, "post")["body"]["effects"]
    assert effect["turn_damage"]["left"] == 3
    advance(campaign)
    advance(campaign, 1)
    assert "attached_to" not in person(campaign, "stirge")
    assert "effects" not in person(campaign, "post")["body"]
    assert at(campaign, "stirge") != at(campaign, "post")
    assert person(campaign, "post")["body"]["hp"] == 200 - 5 - 7 - 4


def test_it_moves_with_its_bearer_and_lets_go_for_5_feet_of_its_own(campaign: Campaign) -> None:
    bite(campaign)
    advance(campaign)
    move(campaign, "post", 12, 10)
    assert at(campaign, "stirge") == (12, 10)
    advance(campaign, 1)
    gone = move(campaign, "stirge", 14, 10)
    assert gone["movement"]["cost"] == 15
    assert "attached_to" not in person(campaign, "stirge")
    assert "effects" not in person(campaign, "post")["body"]


def test_an_action_pulls_it_off_and_its_death_ends_it(campaign: Campaign) -> None:
    bite(campaign)
    advance(campaign)
    args = {"encounter_id": "encounter-1", "actor_id": "post", "action": "Blood Drain (stirge)", "target_id": "post"}
    assert call(campaign, "execute_action", args)["result"]["outcome"] == "Blood Drain (stirge) of post is over"
    assert "attached_to" not in person(campaign, "stirge")
    advance(campaign)
    move(campaign, "stirge", 11, 10)
    act(campaign, "stirge", "Blood Drain", 15, 2)
    advance(campaign)
    blow = {"encounter_id": "encounter-1", "actor_id": "post", "target_id": "stirge", "action_type": "attack"}
    call(campaign, "execute_action", {**blow, "attack_bonus": 30, "damage_expression": "9"}, 10)
    assert "attached_to" not in person(campaign, "stirge")
    assert "effects" not in person(campaign, "post")["body"]


def test_it_lets_go_of_the_dead_and_when_the_fight_ends(campaign: Campaign) -> None:
    commoner = {"monster": "commoner", "is_enemy": False, "positions": [{"x": 12, "y": 10}]}
    begin(campaign, {"monster": "stirge"}, commoner)
    act(campaign, "stirge", "Blood Drain", 15, 1, target_id="commoner")
    assert "attached_to" not in person(campaign, "stirge")  # a commoner has 4 hit points
    act(campaign, "stirge", "Blood Drain", 15, 1, ignore_economy=True)
    assert person(campaign, "stirge")["attached_to"] == "post"
    ended = reply_to(campaign, "end_encounter", {"encounter_id": "encounter-1", "outcome": "fled"})
    assert ended["status"] == "applied"
    assert "attached_to" not in person(campaign, "stirge")
    assert "effects" not in person(campaign, "post")["body"]
