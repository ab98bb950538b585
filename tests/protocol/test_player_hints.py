"""Hints for players: what they may see already is named to them, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest
from tests.builders import Json, area, call, documents, move, person, turn, untyped
from tests.conftest import MakeCampaign
from tests.world.test_exits import NO_SECRETS, SECRETS

from turnwright import Campaign
from turnwright.model.viewer import Viewer
from turnwright.protocol.stage6_publish.player_hints import NOTHING, Known, known_to, redact_hint
from turnwright.protocol.stage6_publish.publish import project

MIRA = "player:pc_001"
KNOWN = Known(tools={"move"}, areas={"here", "there"}, people=("pc_001", "pc_002"))


def hint_of(campaign: Campaign, asked: Json, player: str = MIRA) -> Any:
    """Return the hint of a player's only call as the player is told it."""
    reply = campaign.process(turn(asked), authority=player)
    assert reply["tool_feedback"]["failed_calls"][0]["hint"]
    seen = campaign.project(reply, Viewer.of(player))
    return seen["tool_feedback"]["failed_calls"][0].get("hint")


def test_a_player_is_told_the_ways_out(campaign: Campaign) -> None:
    assert hint_of(campaign, move("area_2")) == {
        "field": "args.to_area_id",
        "got": "area_2",
        "allowed": ["area_002"],
    }
    assert hint_of(campaign, move("elsewhere")) == {
        "field": "args.to_area_id",
        "got": "elsewhere",
        "choices": ["area_002", "area_003"],
    }
    assert hint_of(campaign, move("area_002", "area_009")) == {
        "field": "args.from_area_id",
        "got": "area_009",
        "allowed": ["area_001"],
    }


def test_a_player_is_told_the_tools_for_players(campaign: Campaign) -> None:
    told = hint_of(campaign, call("hp_delta", target_character_id="pc_001", delta=1, cause="x"))
    assert (told["field"], told["choices"]) == ("tool", ["move_options", "move"])


def test_only_who_handed_the_turn_in_is_told(campaign: Campaign) -> None:
    reply = campaign.process(turn(move("area_2")), authority=MIRA)
    seen = campaign.project(reply, Viewer.player("pc_002"))
    assert seen["tool_feedback"] == {"failed_calls": []}
    alone = project(reply, Viewer.of(MIRA), own=True)["tool_feedback"]["failed_calls"][0]
    assert "hint" not in alone, "without knowing who may see what, nothing is named"


@pytest.mark.parametrize("secret", SECRETS)
def test_a_way_out_that_nobody_has_found_is_not_named(make_campaign: MakeCampaign, secret: str) -> None:
    campaign = make_campaign(documents() | SECRETS[secret])
    assert hint_of(campaign, move("elsewhere"))["choices"] == ["area_002"]


@pytest.mark.parametrize("plain", NO_SECRETS)
def test_any_other_way_out_is_named(make_campaign: MakeCampaign, plain: str) -> None:
    campaign = make_campaign(documents() | NO_SECRETS[plain])
    assert hint_of(campaign, move("elsewhere"))["choices"] == ["area_002", "area_003"]


def test_where_every_way_out_is_secret_there_is_no_hint(make_campaign: MakeCampaign) -> None:
    areas = [area("area_001", "area_003"), area("area_003")]
    campaign = make_campaign(documents(areas=areas) | SECRETS["a place"])
    assert hint_of(campaign, move("area_2")) is None


def test_people_elsewhere_are_not_named(make_campaign: MakeCampaign) -> None:
    people = [person("pc_001"), person("pc_002"), person("npc_001", position="area_002")]
    campaign = make_campaign(documents(people, settings={"players": {"tools": ["hp_delta"]}}))
    asked = call("hp_delta", target_character_id="npc_01", delta=-1, cause="x")
    assert hint_of(campaign, asked) == {
        "field": "args.target_character_id",
        "got": "npc_01",
        "choices": ["pc_001", "pc_002"],
    }


def test_who_is_not_in_the_party_knows_nothing(campaign: Campaign) -> None:
    with campaign.reading() as world:
        assert known_to(world, "npc_001") is NOTHING
        assert known_to(world, "nobody") is NOTHING


@pytest.mark.parametrize(
    ("hint", "left"),
    [
        ({}, {}),
        ({"field": "args.x", "remove": True, "allowed": ["y"]}, {"field": "args.x", "remove": True}),
        ({"field": "args.to_area_id", "got": "x"}, {"choices": ["here", "there"]}),
        ({"field": "args.to_area_id", "got": "heer", "allowed": ["pc_001", "elsewhere"]}, {"allowed": ["here"]}),
        ({"field": "args.target_id", "got": "Odo", "allowed": ["npc"]}, {"choices": ["pc_001", "pc_002"]}),
        ({"field": "args.actor_id", "add": True, "allowed": ["npc", "pc_002"]}, {"allowed": ["pc_002"]}),
        ({"field": "args.delta", "got": 1.5, "allowed": [7]}, {}),
        ({"field": "args.batch", "got": [], "allowed": [[{"id": "npc"}]]}, {}),
        ({"field": "answer.value", "got": 9, "allowed": [0, True, 5]}, {"allowed": [0]}),
        ({"field": "user_input", "got": "", "allowed": ["Go on", "Betray Odo"]}, {"allowed": ["Go on"]}),
        ({"field": "tool", "got": "x", "allowed": ["hp_delta", "move"], "why": "y"}, {"allowed": ["move"]}),
        ({"items": [{"hint": {"field": "args.x"}}]}, {}),
    ],
)
def test_a_hint_is_cut_to_what_may_be_named(hint: Json, left: Json) -> None:
    request = {"payload": {"options": [{"index": 0, "label": "Go on"}]}}
    kept = (
        {key: hint[key] for key in ("field", "got", "add") if key in hint}
        if left.keys() & {"allowed", "choices"}
        else {}
    )
    assert redact_hint(hint, KNOWN, untyped(request)) == kept | left
    assert "allowed" not in redact_hint(hint, NOTHING, None)


def test_a_refused_turn_is_told_what_to_leave_out(campaign: Campaign) -> None:
    reply = campaign.process({"comment": "red"}, authority=MIRA)
    assert project(reply, Viewer.of(MIRA), own=True)["hint"] == {"field": "comment", "remove": True}
