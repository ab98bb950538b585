"""hp_delta through the front door: what it takes for an integer, whom it reaches, and what it reports."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.builders import Json, call, documents, failed, hp_delta, person, results, spelt, turn
from tests.conftest import MakeCampaign

from turnwright import Campaign

ERROR = ("error", "invalid_args")
MAX_COUNT = 2**53


def hp(campaign: Campaign, who: str = "pc_001") -> tuple[int | None, str]:
    found = campaign.state[f"characters/{who}.json"]
    return found["hp"], found["character_state"]


@pytest.mark.parametrize(
    "delta", [True, False, 1.0, -1.0, 0.5, 1e3, "1", "", None, [], [1], {}, MAX_COUNT + 1, -MAX_COUNT - 1, 10**400]
)
def test_only_an_integer_that_json_can_hold_is_a_delta(campaign: Campaign, delta: Any) -> None:
    before = spelt(campaign.state)
    assert failed(campaign.process(turn(hp_delta(delta)))) == [ERROR]
    assert spelt(campaign.state) == before


@pytest.mark.parametrize("delta", [float("nan"), float("inf"), {1}, (1,), b"1", object(), 1j, "\ud800"])
def test_what_json_cannot_hold_is_that_calls_error(campaign: Campaign, delta: Any) -> None:
    reply = campaign.process(turn(hp_delta(delta), hp_delta(-1)))
    assert failed(reply) == [ERROR]
    assert results(reply) == [{"new_hp": 9}]
    json.dumps(reply, allow_nan=False, ensure_ascii=False).encode()


@pytest.mark.parametrize(
    "text", ["9007199254740993", "-9007199254740993", "1" * 300, "1.0", "1e0", "true", "null", '"1"']
)
def test_the_same_holds_for_the_text_of_a_turn_file(campaign: Campaign, text: str) -> None:
    data = json.dumps(turn(hp_delta("HERE"))).replace('"HERE"', text).encode()
    assert failed(campaign.process(data)) == [ERROR]


@pytest.mark.parametrize("name", ["target_character_id", "delta", "cause"])
def test_all_three_arguments_are_required(campaign: Campaign, name: str) -> None:
    one = hp_delta()
    del one["args"][name]
    reply = campaign.process(turn(one))
    assert failed(reply) == [ERROR]
    assert reply["tool_feedback"]["failed_calls"][0]["hint"]["field"] == f"args.{name}"


@pytest.mark.parametrize("cause", [None, 5, True, [], {}])
def test_a_cause_is_a_string_and_may_be_empty(campaign: Campaign, cause: Any) -> None:
    assert failed(campaign.process(turn(hp_delta(-1, cause=cause)))) == [ERROR]
    assert results(campaign.process(turn(hp_delta(-1, cause="")))) == [{"new_hp": 9}]


@pytest.mark.parametrize(
    "target", ["nobody", "", " pc_001", "PC_001", "pc_001.json", "../campaign", None, 5, ["pc_001"]]
)
def test_an_unknown_target_is_an_error(campaign: Campaign, target: Any) -> None:
    assert failed(campaign.process(turn(hp_delta(-1, target)))) == [ERROR]


def test_anybody_with_hit_points_can_be_reached_at_any_distance(make_campaign: MakeCampaign) -> None:
    people = [person("pc_001"), person("npc_far", position=None, hp=3), person("ghost", hp=None)]
    campaign = make_campaign(documents(people, party=["pc_001"]))
    reply = campaign.process(turn(hp_delta(-1, "npc_far"), hp_delta(-1, "ghost")))
    assert (results(reply), failed(reply)) == ([{"new_hp": 2}], [ERROR])
    hint = reply["tool_feedback"]["failed_calls"][0]["hint"]
    assert hint == {"field": "args.target_character_id", "got": "ghost", "choices": ["npc_far", "pc_001"]}


def test_zero_is_a_delta(campaign: Campaign) -> None:
    assert results(campaign.process(turn(hp_delta(0)))) == [{"new_hp": 10}]


def test_hit_points_grow_to_2_to_the_53_and_no_further(campaign: Campaign) -> None:
    reply = campaign.process(
        turn(hp_delta(MAX_COUNT - 10), hp_delta(1), hp_delta(-MAX_COUNT), hp_delta(MAX_COUNT), hp_delta(MAX_COUNT))
    )
    assert results(reply) == [{"new_hp": MAX_COUNT}, {"new_hp": 0}, {"new_hp": MAX_COUNT}]
    assert failed(reply) == [ERROR, ERROR]


def test_with_a_sheet_healing_ends_at_the_maximum_and_so_never_grows_too_large(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(documents([person("pc_001", hp=5, max_hp=9)], party=["pc_001"]))
    assert results(campaign.process(turn(hp_delta(MAX_COUNT)))) == [{"new_hp": 9, "hp_before": 5}]


def test_a_sheet_follows_the_rules_for_sheets(make_campaign: MakeCampaign) -> None:
    people = [
        person("pc_001", max_hp=10),
        person("pc_002", hp=4, max_hp=4, temp_hp=2),
        person("orc", max_hp=10, character_type="enemy"),
    ]
    campaign = make_campaign(documents(people))
    reply = campaign.process(
        turn(
            hp_delta(-5, "pc_002"),
            hp_delta(-1, "pc_002"),
            hp_delta(-9, "orc"),
            hp_delta(-1, "orc"),
            hp_delta(-99, "orc"),
        )
    )
    assert [result["new_hp"] for result in results(reply)] == [1, 0, 1, 0, 0]
    assert hp(campaign, "pc_002") == (0, "dying")
    assert hp(campaign, "orc") == (0, "dead")
    assert campaign.state["characters/pc_002.json"].get("temp_hp", 0) == 0


def test_the_setting_switches_states_off(campaign: Campaign) -> None:
    campaign.set({"rules.hp_zero_ends_game": False})
    assert results(campaign.process(turn(hp_delta(-99), hp_delta(-99)))) == [{"new_hp": 0}] * 2
    assert hp(campaign) == (0, "alive")


def test_the_targets_state_never_blocks_a_call(make_campaign: MakeCampaign) -> None:
    states = ["alive", "dying", "unconscious", "restrained_permanent", "dead", "asleep"]
    people = [person("pc_001"), *(person(f"n_{state}", character_state=state) for state in states)]
    campaign = make_campaign(documents(people, party=["pc_001"]))
    reply = campaign.process(turn(*(hp_delta(-99, f"n_{state}") for state in states)))
    assert results(reply) == [{"new_hp": 0}] * len(states)
    after = [hp(campaign, f"n_{state}")[1] for state in states]
    assert after == ["dying", "dying", "dying", "restrained_permanent", "dead", "asleep"]


def _dying(make: MakeCampaign, **fields: Any) -> Campaign:
    return make(documents([person("pc_001", hp=0, character_state="dying"), person("pc_002")], **fields))


@pytest.mark.parametrize("delta", [0, -1, True, 1.0, 2.0, "1", None, ..., float("nan")])
def test_for_the_dying_what_is_no_positive_integer_is_restricted_and_no_error(
    make_campaign: MakeCampaign, delta: Any
) -> None:
    one = hp_delta(delta)
    if delta is ...:
        del one["args"]["delta"]
    assert failed(_dying(make_campaign).process(turn(one))) == [("rejected", "actor_state_restricted")]


@pytest.mark.parametrize("target", ["pc_002", "nobody", "PC_001", None, ["pc_001"]])
def test_the_dying_heal_nobody_else(make_campaign: MakeCampaign, target: Any) -> None:
    assert failed(_dying(make_campaign).process(turn(hp_delta(1, target)))) == [("rejected", "actor_state_restricted")]


@pytest.mark.parametrize("change", [{"cause": ...}, {"cause": 5}, {"delta": MAX_COUNT + 1}])
def test_a_positive_delta_on_itself_passes_the_state_and_then_the_arguments_are_looked_at(
    make_campaign: MakeCampaign, change: Json
) -> None:
    args = {"target_character_id": "pc_001", "delta": 1, "cause": ""} | change
    one = call("hp_delta", **{key: value for key, value in args.items() if value is not ...})
    assert failed(_dying(make_campaign).process(turn(one))) == [ERROR]


def test_the_dying_heal_themselves_and_are_then_free_in_the_same_turn(make_campaign: MakeCampaign) -> None:
    reply = _dying(make_campaign).process(
        turn(hp_delta(2), hp_delta(-1, "pc_002"), hp_delta(-2), hp_delta(-1), hp_delta(3))
    )
    assert [result["new_hp"] for result in results(reply)] == [2, 9, 0, 3]
    assert failed(reply) == [("rejected", "actor_state_restricted")]


def test_with_the_rule_off_the_dying_stay_dying_and_may_go_on_healing(make_campaign: MakeCampaign) -> None:
    campaign = _dying(make_campaign, settings={"rules": {"hp_zero_ends_game": False}})
    reply = campaign.process(turn(hp_delta(2), hp_delta(2), hp_delta(-1)))
    assert [result["new_hp"] for result in results(reply)] == [2, 4]
    assert failed(reply) == [("rejected", "actor_state_restricted")]
    assert hp(campaign) == (4, "dying")
