"""move_options: where the acting character could go."""

from __future__ import annotations

from typing import Any

import pytest
from tests.builders import AREAS, area, call, documents, failed, log_of, on_disk, person, results, turn
from tests.conftest import MakeCampaign

from turnwright import Campaign

ERROR = ("error", "invalid_args")


def test_options_are_the_ways_out_with_their_names(campaign: Campaign) -> None:
    assert results(campaign.process(turn(call("move_options")))) == [
        {
            "options": [
                {"to_area_id": "area_002", "name": "Area 002"},
                {"to_area_id": "area_003", "name": "Area 003"},
            ]
        }
    ]


def test_options_are_sorted_by_id_however_the_links_were_written(make_campaign: MakeCampaign) -> None:
    areas = [area("area_001", "c", "area_002", "a", "b"), *(area(i, "area_001") for i in ("a", "b", "c", "area_002"))]
    options = results(make_campaign(documents(areas=areas)).process(turn(call("move_options"))))[0]["options"]
    assert [option["to_area_id"] for option in options] == ["a", "area_002", "b", "c"]


def test_a_dead_end_has_no_options(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(documents([person("pc_001", position="area_003")], party=["pc_001"]))
    assert results(campaign.process(turn(call("move_options")))) == [{"options": []}]


@pytest.mark.parametrize("position", [None, "area_404"])
def test_who_stands_nowhere_or_in_no_area_has_none(make_campaign: MakeCampaign, position: str | None) -> None:
    campaign = make_campaign(documents([person("pc_001", position=position)], party=["pc_001"]))
    assert failed(campaign.process(turn(call("move_options")))) == [ERROR]


@pytest.mark.parametrize("actor", ["pc_002", 5, True, [], "", " pc_001"])
def test_another_actor_or_one_that_is_no_string_is_an_error(campaign: Campaign, actor: Any) -> None:
    assert failed(campaign.process(turn(call("move_options", actor_id=actor)))) == [ERROR]


def test_the_tool_works_only_where_the_allowlist_has_it(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(documents(allowlist=["move"]))
    assert failed(campaign.process(turn(call("move_options")))) == [("rejected", "tool_not_allowed")]


def test_it_changes_nothing_and_is_logged_like_any_call(campaign: Campaign, tmp_path: Any) -> None:
    before = on_disk(tmp_path / "campaign_0")
    campaign.process(turn(call("move_options")))
    record = log_of(tmp_path / "campaign_0")[-1]
    assert (record["changes"], record["draws"]) == ({}, [])
    assert [action["tool"] for action in record["applied_actions"]] == ["move_options"]
    assert on_disk(tmp_path / "campaign_0") == before


def test_a_query_gives_the_same_answer_without_a_record(campaign: Campaign, tmp_path: Any) -> None:
    in_a_turn = results(campaign.process(turn(call("move_options"))))[0]
    size = len(log_of(tmp_path / "campaign_0"))
    assert campaign.query("move_options", {}) == {"ok": True, "result": in_a_turn}
    denied = campaign.query("move_options", {"actor_id": "pc_002"})
    assert (denied["ok"], denied["status"], denied["reason"]) == (False, *ERROR)
    assert len(log_of(tmp_path / "campaign_0")) == size


def test_every_option_can_be_taken_and_nothing_else(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(documents(protocol={"move_from": "checked"}))
    offered = {option["to_area_id"] for option in campaign.query("move_options", {})["result"]["options"]}
    taken = {
        one["id"]
        for one in AREAS
        if campaign.process(turn(call("move", to_area_id=one["id"])), dry_run=True)["status"] == "applied"
    }
    assert taken == offered
