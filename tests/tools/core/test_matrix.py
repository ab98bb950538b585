"""The whole matrix of acting state by core tool (stages 3.6), and who counts as an acting character."""

from __future__ import annotations

from typing import Any

import pytest
from tests.builders import Json, call, documents, failed, hp_delta, move, person, spelt, turn
from tests.conftest import MakeCampaign

CALLS: dict[str, Json] = {
    "move": move("area_002"),
    "hp_delta, itself, up": hp_delta(1),
    "hp_delta, itself, zero": hp_delta(0),
    "hp_delta, itself, down": hp_delta(-1),
    "hp_delta, another, up": hp_delta(1, "pc_002"),
    "hp_delta, another, down": hp_delta(-1, "pc_002"),
    "map_generate": call("map_generate", parent_area_id=None),
    "move_options": call("move_options"),
}
EVERYTHING = set(CALLS)
PERMITTED: dict[Any, set[str]] = {
    "alive": EVERYTHING,
    "dying": {"hp_delta, itself, up"},
    "unconscious": set(),
    "restrained_permanent": set(),
    "dead": set(),
}
STATES = [*PERMITTED, "asleep", "Alive", "", None]


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("state", STATES)
def test_what_a_state_permits(make_campaign: MakeCampaign, state: Any, name: str) -> None:
    campaign = make_campaign(documents([person("pc_001", character_state=state), person("pc_002")]))
    before = spelt(campaign.state)
    reply = campaign.process(turn(CALLS[name]))
    if state not in PERMITTED:
        assert failed(reply) == [("rejected", "invalid_actor_state")]
    elif name in PERMITTED[state]:
        assert reply["status"] == "applied"
        return
    else:
        assert failed(reply) == [("rejected", "actor_state_restricted")]
    assert spelt(campaign.state) == before


@pytest.mark.parametrize("name", CALLS)
def test_without_an_acting_character_no_core_tool_is_for_anybody(make_campaign: MakeCampaign, name: str) -> None:
    campaign = make_campaign(documents(active=None))
    assert failed(campaign.process(turn(CALLS[name]))) == [("rejected", "invalid_actor_state")]


@pytest.mark.parametrize("name", ["move", "hp_delta, itself, up", "map_generate", "move_options"])
@pytest.mark.parametrize("state", STATES)
def test_outside_the_allowlist_the_answer_is_the_same_in_every_state(
    make_campaign: MakeCampaign, state: Any, name: str
) -> None:
    campaign = make_campaign(
        documents([person("pc_001", character_state=state), person("pc_002")], allowlist=["ghost"])
    )
    ghost = CALLS[name] | {"tool": "ghost"}
    assert failed(campaign.process(turn(CALLS[name], ghost))) == [("rejected", "tool_not_allowed")] * 2


def test_the_acting_character_is_the_turns_and_else_the_campaigns(make_campaign: MakeCampaign) -> None:
    people = [person("pc_001", character_state="dead"), person("pc_002"), person("pc_003", position="area_002")]
    campaign = make_campaign(documents(people, party=["pc_001", "pc_002"]))
    assert failed(campaign.process(turn(hp_delta(1, "pc_002")))) == [("rejected", "actor_state_restricted")]
    assert campaign.process(turn(hp_delta(1, "pc_001"), actor_id="pc_002"))["status"] == "applied"
    refused = campaign.process(turn(hp_delta(1), actor_id="pc_003"))
    assert (refused["status"], refused["reason"]) == ("refused", "actor_not_in_party")


def test_a_character_brought_down_in_a_turn_is_restricted_in_the_rest_of_it(make_campaign: MakeCampaign) -> None:
    reply = make_campaign().process(turn(hp_delta(-10), move("area_002"), hp_delta(1), move("area_002")))
    assert [action["tool"] for action in reply["applied_actions"]] == ["hp_delta", "hp_delta", "move"]
    assert failed(reply) == [("rejected", "actor_state_restricted")]
