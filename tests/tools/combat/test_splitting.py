"""Oozes that lightning and blades divide."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.builders import Json, clock
from tests.tools.blocks import advance, begin, call, person

from turnwright import Campaign


@pytest.fixture(name="campaign")
def fixture_campaign(tmp_path: Path) -> Iterator[Campaign]:
    with Campaign.new(tmp_path / "c", template="toolkit", seed="splitting", clock=clock) as campaign:
        yield campaign


def hit(campaign: Campaign, target: str, damage: int, kind: str) -> Json:
    blow = {"encounter_id": "encounter-1", "actor_id": "post", "target_id": target, "action_type": "attack"}
    figures = {"attack_bonus": 30, "damage_expression": str(damage), "damage_type": kind, "ignore_economy": True}
    return call(campaign, "execute_action", {**blow, **figures}, 10)


def order(campaign: Campaign) -> list[str]:
    return [each["id"] for each in campaign.state["encounters/encounter-1.json"]["participants"]]


def test_a_jelly_that_is_cut_becomes_two_of_half_the_size_and_hit_points(campaign: Campaign) -> None:
    begin(campaign, {"monster": "ochre jelly"})
    first = hit(campaign, "ochre-jelly", 5, "bludgeoning")
    assert first.get("warnings", []) == []
    told = hit(campaign, "ochre-jelly", 8, "slashing")
    assert told["result"]["damage"]["final"] == 0
    assert told["warnings"] == ["ochre-jelly, Split: ochre-jelly-2 at 11,11, medium as itself, 20 hit points each"]
    one, two = person(campaign, "ochre-jelly"), person(campaign, "ochre-jelly-2")
    assert [(each["body"]["hp"], each["body"]["max_hp"], each["overrides"]["size"]) for each in (one, two)] == [
        (20, 20, "medium"),
        (20, 20, "medium"),
    ]
    assert (two["name"], two["split_from"], two["position"]) == (
        "Ochre Jelly 2",
        "ochre-jelly",
        {"x": 11, "y": 11, "z": 0},
    )
    assert order(campaign) == ["ochre-jelly", "ochre-jelly-2", "post"]


def test_a_half_splits_again_with_its_next_reaction_while_it_has_10_hit_points(campaign: Campaign) -> None:
    begin(campaign, {"monster": "ochre jelly"})
    hit(campaign, "ochre-jelly", 1, "lightning")
    assert hit(campaign, "ochre-jelly", 1, "lightning").get("warnings", []) == []
    for _ in range(3):
        advance(campaign)
    told = hit(campaign, "ochre-jelly", 1, "lightning")
    assert "11 hit points each" in told["warnings"][0]
    for _ in range(3):
        advance(campaign)
    assert hit(campaign, "ochre-jelly", 1, "lightning").get("warnings", []) == []  # small
    assert len(order(campaign)) == 4


def test_its_halves_have_turns_and_count_once_as_experience(campaign: Campaign) -> None:
    begin(campaign, {"monster": "ochre jelly"})
    hit(campaign, "ochre-jelly", 1, "lightning")
    assert advance(campaign)["current"]["id"] == "ochre-jelly-2"
    for who in ("ochre-jelly", "ochre-jelly-2"):
        hit(campaign, who, 40, "force")
    args = {"encounter_id": "encounter-1", "outcome": "victory", "award_xp": "all"}
    ended = call(campaign, "end_encounter", args)["result"]
    assert (ended["experience"]["xp"], ended["experience"]["monsters"]) == (450, ["ochre-jelly"])


def test_nobody_splits_of_other_damage_or_below_10_hit_points(campaign: Campaign) -> None:
    begin(campaign, {"monster": "ochre jelly", "max_hp": 12})
    assert hit(campaign, "ochre-jelly", 3, "fire").get("warnings", []) == []
    assert hit(campaign, "ochre-jelly", 9, "slashing").get("warnings", []) == []
    assert order(campaign) == ["ochre-jelly", "post"]
