"""Stage 2: settings, whose turn it is, dialog types, and when a campaign takes no more turns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.builders import STAMP, Json, call, documents, failed, hp_delta, log_of, move, person, results, spelt, turn
from tests.conftest import MakeCampaign

from turnwright import Campaign, CampaignError
from turnwright.model.errors import BadRequest

NOT_PERMITTED = ("rejected", "not_permitted")
MIRA, TOMAS = "player:pc_001", "player:pc_002"


# a patch of settings


def test_a_patch_answers_with_settings_changed_keys_and_revision(campaign: Campaign, tmp_path: Any) -> None:
    answer = campaign.set({"limits.calls": 9, "dialog.strict_semantic_guard": False, "rules.hp_zero_ends_game": False})
    assert answer["changed"] == ["limits.calls", "rules.hp_zero_ends_game"]
    assert answer["settings_revision"] == 1
    assert answer["settings"]["limits.calls"] == 9
    assert answer["settings"]["dialog.strict_semantic_guard"] is False
    record = log_of(tmp_path / "campaign_0")[-1]
    assert (record["kind"], record["settings_revision"]) == ("settings", 1)
    stored = campaign.state["campaign.json"]["settings"]
    assert stored == {"limits": {"calls": 9}, "rules": {"hp_zero_ends_game": False}}


def test_the_revision_rises_once_a_patch_and_only_when_something_changes(campaign: Campaign, tmp_path: Any) -> None:
    campaign.set({"limits.calls": 9, "limits.turn_depth": 9})
    campaign.set({"limits.calls": 9})
    campaign.set({})
    assert campaign.set({"limits.calls": 64})["settings_revision"] == 2
    assert [record["kind"] for record in log_of(tmp_path / "campaign_0")] == ["new", "settings", "settings"]
    assert campaign.state["campaign.json"]["settings"] == {"limits": {"turn_depth": 9}}


@pytest.mark.parametrize(
    "patch",
    [
        {"limits.cals": 9},
        {"limits": {"calls": 9}},
        {"limits.calls": True},
        {"limits.calls": 9.0},
        {"limits.calls": "9"},
        {"limits.calls": None},
        {"limits.calls": 0},
        {"limits.calls": 10**9},
        {"rules.hp_zero_ends_game": 1},
        {"rules.hp_zero_ends_game": "true"},
        {"narration.check": "sometimes"},
        {"narration.check": ["off"]},
        {"players.tools": "move"},
        {"players.tools": [5]},
        {"selected.active_actor_id": "npc_001"},
        {"selected.active_actor_id": 5},
        {"selected.party_character_ids": []},
        {"goal.text": None},
        {"goal.mood": "grim"},
        {"": 1},
        {5: 1},
        {"goal.text": "\ud800"},
        {"players.tools": ["\ud800"]},
        {"goal.text": float("nan")},
    ],
)
def test_a_patch_with_one_bad_key_changes_nothing_at_all(campaign: Campaign, tmp_path: Any, patch: Json) -> None:
    before = spelt(campaign.state)
    with pytest.raises(CampaignError):
        campaign.set({"results.keep": 7} | patch)
    assert spelt(campaign.state) == before
    assert len(log_of(tmp_path / "campaign_0")) == 1


def test_every_fault_of_a_patch_is_named(campaign: Campaign) -> None:
    with pytest.raises(CampaignError) as raised:
        campaign.set({"limits.cals": 9, "narration.check": "no", "results.keep": 7})
    assert "limits.cals" in str(raised.value)
    assert "narration.check" in str(raised.value)
    assert "results.keep" not in str(raised.value)


def test_only_what_is_wrong_is_blamed(campaign: Campaign) -> None:
    patch = {"goal.text": "Out!", "goal.status": None, "selected.active_actor_id": "nobody", "limits.calls": "x"}
    with pytest.raises(CampaignError) as raised:
        campaign.set(patch)
    told = [fault.partition(": ")[0] for fault in str(raised.value).split("; ")]
    assert told == ["goal.status", "selected.active_actor_id", "limits.calls"]


def test_acting_character_and_goal_can_be_set_too(campaign: Campaign) -> None:
    answer = campaign.set({"selected.active_actor_id": "pc_002", "goal.text": "Out!", "goal.status": "active"})
    assert answer["changed"] == ["selected.active_actor_id", "goal.text"]
    assert campaign.process({})["state_summary"]["active_actor_id"] == "pc_002"
    campaign.set({"selected.active_actor_id": None})
    assert failed(campaign.process(turn(hp_delta(1)))) == [("rejected", "invalid_actor_state")]


def test_a_turn_records_the_revision_it_ran_under(campaign: Campaign, tmp_path: Any) -> None:
    campaign.process({})
    campaign.set({"limits.calls": 9})
    campaign.process({})
    turns = [record for record in log_of(tmp_path / "campaign_0") if record["kind"] == "turn"]
    assert [record["settings_revision"] for record in turns] == [0, 1]


# whose turn


def test_the_acting_character_is_the_active_one_unless_the_turn_names_another(campaign: Campaign) -> None:
    assert campaign.process({})["state_summary"]["active_actor_id"] == "pc_001"
    assert campaign.process({"actor_id": "pc_002"})["state_summary"]["active_actor_id"] == "pc_002"
    assert campaign.process({})["state_summary"]["active_actor_id"] == "pc_001"


@pytest.mark.parametrize(
    ("actor", "meant"), [("npc_001", None), ("nobody", None), ("", None), (" pc_001", "pc_001"), ("PC_001", "pc_001")]
)
def test_who_is_not_in_the_party_cannot_act(campaign: Campaign, actor: str, meant: str | None) -> None:
    reply = campaign.process({"turn_id": "t", "actor_id": actor})
    assert (reply["status"], reply["reason"], reply["turn_id"]) == ("refused", "actor_not_in_party", "t")
    assert (reply["hint"]["field"], reply["hint"]["got"]) == ("actor_id", actor)
    assert reply["hint"].get("allowed") == (meant and [meant])
    assert sorted(reply["hint"].get("choices", ())) == ([] if meant else ["pc_001", "pc_002"])


def test_a_player_runs_as_its_character_whoever_is_active(campaign: Campaign) -> None:
    reply = campaign.process(turn(move("area_002", actor="pc_002"), call("move_options")), authority=TOMAS)
    assert reply["status"] == "applied"
    assert reply["state_summary"]["active_actor_id"] == "pc_002"
    assert list(campaign.records())[-1]["authority"] == TOMAS


@pytest.mark.parametrize("tool", ["hp_delta", "map_generate"])
def test_a_player_has_only_the_tools_for_players(campaign: Campaign, tool: str) -> None:
    calls = [call(tool), call("move_options"), call("ghost")]
    reply = campaign.process(turn(*calls), authority=MIRA)
    assert failed(reply) == [NOT_PERMITTED, ("rejected", "tool_not_allowed")]
    assert len(results(reply)) == 1


def test_which_tools_are_for_players_is_a_setting(campaign: Campaign) -> None:
    campaign.set({"players.tools": ["hp_delta"]})
    reply = campaign.process(turn(hp_delta(1), call("move_options")), authority=MIRA)
    assert (len(results(reply)), failed(reply)) == (1, [NOT_PERMITTED])


def test_authority_is_asked_after_the_allowlist_and_before_the_state(make_campaign: MakeCampaign) -> None:
    people = [person("pc_001", character_state="dead")]
    campaign = make_campaign(documents(people, party=["pc_001"], allowlist=["move", "hp_delta"]))
    reply = campaign.process(turn(call("map_generate"), hp_delta(1), move("area_002")), authority=MIRA)
    assert failed(reply) == [
        ("rejected", "tool_not_allowed"),
        NOT_PERMITTED,
        ("rejected", "actor_state_restricted"),
    ]


@pytest.mark.parametrize(
    "value",
    [
        {"assistant_text": "It rains."},
        {"dialog_type": "action_prompt"},
        {"dm_note": "a"},
        {"keep_narration": True},
        {"agent": "a"},
        {"speaker_id": "pc_001"},
        {"addressees": []},
        {"private": True},
        {"actor_id": "pc_002"},
    ],
)
def test_what_is_not_for_players_is_not_permitted(campaign: Campaign, value: Json, tmp_path: Any) -> None:
    reply = campaign.process({"user_input": "hello", **value}, authority=MIRA)
    assert (reply["status"], reply["reason"]) == ("refused", "not_permitted")
    assert len(log_of(tmp_path / "campaign_0")) == 1


@pytest.mark.parametrize("value", [{}, {"user_input": "a"}, {"actor_id": "pc_001"}, {"turn_id": "t", "x_client": 1}])
def test_what_is_for_players_is_taken(campaign: Campaign, value: Json) -> None:
    assert campaign.process(value, authority=MIRA)["status"] == "empty"


@pytest.mark.parametrize("authority", ["player:npc_001", "player:nobody", "player:", "player:pc_001 "])
def test_a_player_of_nobody_in_the_party_takes_no_turn(campaign: Campaign, authority: str) -> None:
    reply = campaign.process({"user_input": "a"}, authority=authority)
    assert (reply["status"], reply["reason"]) == ("refused", "actor_not_in_party")


def test_authority_comes_from_the_door_and_never_from_the_file(campaign: Campaign) -> None:
    reply = campaign.process({"authority": "gm", "user_input": "a"}, authority=MIRA)
    assert (reply["status"], reply["reason"]) == ("refused", "invalid_turn")


def test_a_query_asks_the_same_authority(campaign: Campaign) -> None:
    assert campaign.query("move_options", {"actor_id": "pc_002"}, authority=TOMAS)["ok"]
    campaign.set({"players.tools": []})
    denied = campaign.query("move_options", {}, authority=TOMAS)
    assert (denied["ok"], denied["reason"]) == (False, "not_permitted")
    for tool in ("hp_delta", "move", "map_generate"):
        with pytest.raises(CampaignError):
            campaign.query(tool, {})
    assert campaign.query("ghost", {})["reason"] == "tool_not_allowed"


@pytest.mark.parametrize("value", [float("nan"), {1}, object()])
def test_a_query_that_json_cannot_hold_is_an_answer_and_no_crash(campaign: Campaign, value: Any) -> None:
    assert campaign.query("move_options", {"actor_id": value})["reason"] == "invalid_args"


# dialog types


@pytest.mark.parametrize(
    ("given", "kept", "source"),
    [
        (..., "scene_description", "fallback"),
        ("", "scene_description", "fallback"),
        (" \n", "scene_description", "fallback"),
        ("prophecy", "scene_description", "fallback"),
        ("scene description", "scene_description", "fallback"),
        ("scene_description", "scene_description", "model"),
        ("  Action_Prompt\n", "action_prompt", "model"),
        ("RESOLUTION_SUMMARY", "resolution_summary", "model"),
        ("rule_explanation", "rule_explanation", "model"),
    ],
)
@pytest.mark.parametrize("guard", [False, True])
def test_dialog_types_fall_back_unless_the_guard_is_on(
    campaign: Campaign, given: Any, kept: str, source: str, guard: bool
) -> None:
    if guard:
        campaign.set({"dialog.strict_semantic_guard": True})
    reply = campaign.process({} if given is ... else {"dialog_type": given})
    if guard and source == "fallback" and given is not ... and given.strip():
        assert (reply["status"], reply["reason"]) == ("refused", "invalid_turn")
        return
    record = list(campaign.records())[-1]
    assert (record["dialog_type"], record["dialog_type_source"]) == (kept, source)


# lifecycle and milestones


def lively(make: MakeCampaign, **campaign: Any) -> Campaign:
    settings = {"lifecycle": {"enabled": True}}
    return make(documents([person("pc_001"), person("pc_002")], settings=settings, **campaign))


def test_off_by_default_nothing_ends_and_no_milestone_counts(campaign: Campaign) -> None:
    campaign.set({"goal.status": "achieved"})
    campaign.process(turn(hp_delta(-99), hp_delta(-99, "pc_002")))
    for _ in range(8):
        assert campaign.process({})["status"] == "empty"
    document = campaign.state["campaign.json"]
    assert (document["milestone"]["current"], document["lifecycle"]["ended"]) == ("intro", False)


def test_a_fallen_party_ends_the_campaign_with_that_very_turn(make_campaign: MakeCampaign) -> None:
    campaign = lively(make_campaign)
    campaign.process(turn(hp_delta(-99, "pc_002")))
    assert campaign.state["campaign.json"]["lifecycle"]["ended"] is False
    assert campaign.process(turn(hp_delta(-99)))["status"] == "applied"
    ended = {"ended": True, "reason": "party_dead", "ended_at": STAMP}
    assert campaign.state["campaign.json"]["lifecycle"] == ended
    for value in ({}, {"user_input": "help!"}, turn(hp_delta(1))):
        reply = campaign.process(value)
        assert (reply["status"], reply["reason"]) == ("refused", "campaign_ended")
        assert "party_dead" in reply["detail"]


def test_an_end_can_be_undone(make_campaign: MakeCampaign) -> None:
    campaign = lively(make_campaign, party=["pc_001"])
    last = campaign.process(turn(hp_delta(-99)))
    assert campaign.process({})["reason"] == "campaign_ended"
    campaign.undo(last["turn_id"])
    assert campaign.process({})["status"] == "empty"


def test_a_reached_goal_ends_it_before_the_next_turn(make_campaign: MakeCampaign) -> None:
    campaign = lively(make_campaign)
    campaign.set({"goal.status": "completed"})
    assert campaign.process({})["reason"] == "campaign_ended"
    campaign.set({"goal.status": "active"})
    assert campaign.process({})["status"] == "empty"


def test_a_duplicate_of_the_last_turn_is_still_answered_after_the_end(make_campaign: MakeCampaign) -> None:
    campaign = lively(make_campaign, party=["pc_001"])
    value = turn(hp_delta(-99), turn_id="last")
    first = campaign.process(value)
    assert campaign.process(value) == first


def milestone(campaign: Campaign) -> tuple[str, int, int, str]:
    found = campaign.state["campaign.json"]["milestone"]
    return found["current"], found["last_advanced_turn"], found["pressure"], found["summary"]


def test_milestones_advance_by_the_number_of_turns(make_campaign: MakeCampaign) -> None:
    campaign = lively(make_campaign, milestone={"turn_trigger_interval": 3, "summary": "so far"})
    seen = []
    for number in range(7):
        campaign.process({"user_input": str(number)})
        seen.append(milestone(campaign))
    before, first, second = ("intro", 0, 0, "so far"), ("milestone_1", 3, 0, ""), ("milestone_2", 6, 0, "")
    assert seen == [before, before, first, first, first, second, second]


def test_a_failed_turn_counts_as_a_turn_and_advances_nothing(make_campaign: MakeCampaign) -> None:
    campaign = lively(make_campaign, milestone={"turn_trigger_interval": 2})
    values: list[Json] = [{}, turn(move("nowhere")), turn(move("nowhere"))]
    for value in values:
        campaign.process(value)
    assert milestone(campaign)[:2] == ("intro", 0)
    campaign.process(turn(move("nowhere"), hp_delta(0)))
    assert milestone(campaign)[:2] == ("milestone_1", 4)


# what is no text, by the door of Python


@pytest.mark.parametrize("value", [None, 5, 1.5, b"1", ["gm"]])
def test_a_mark_or_an_authority_that_is_no_text_is_a_bad_request(campaign: Campaign, tmp_path: Any, value: Any) -> None:
    requests: list[Callable[[], Any]] = [
        lambda: campaign.process({}, authority=value),
        lambda: campaign.query("move_options", {}, authority=value),
        lambda: campaign.legal(value),
        lambda: campaign.state_at(value),
        lambda: campaign.fork(tmp_path / "fork", value),
    ]
    if value is not None:
        requests += [lambda: campaign.undo(value), lambda: campaign.fork(tmp_path / "fork", "0", seed=value)]
    requests += [lambda: campaign.fork(value, "0"), lambda: Campaign.open(value), lambda: Campaign.new(value)]
    for request in requests:
        with pytest.raises(BadRequest):
            request()
    assert len(log_of(tmp_path / "campaign_0")) == 1


@pytest.mark.parametrize("source", [5, b"a.json", ["a.json"], "\ud800"])
def test_a_source_that_no_record_can_hold_is_a_bad_request(campaign: Campaign, source: Any) -> None:
    with pytest.raises(BadRequest):
        campaign.process({}, source=source)
    assert [record["kind"] for record in campaign.records()] == ["new"]


@pytest.mark.parametrize("dice", [3, None, {6}, "6", b"6", 1.5])
def test_given_dice_that_are_no_list_of_faces_are_a_bad_request(campaign: Campaign, dice: Any) -> None:
    with pytest.raises(BadRequest):
        campaign.process({}, dice=dice)
