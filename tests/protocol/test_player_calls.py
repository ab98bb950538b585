"""Calls of players with the tools a campaign gives them: they act as their own character, and are no referees."""

from __future__ import annotations

from typing import Any

import pytest
from tests.builders import Json, call, turn
from tests.conftest import MakeCampaign
from tests.tools.hall import ephemeral, fight, hall_documents, linked

from turnwright import Campaign

ARIA = "player:aria"
TOOLS = [
    *("execute_action", "cast_spell", "update_character", "manage_inventory", "roll_check", "get_character"),
    *("manage_spell_slots", "manage_concentration", "manage_effect", "move_party"),
]


@pytest.fixture
def table(make_campaign: MakeCampaign) -> Campaign:
    """Give Aria and Brom in a fight; Aria's player has many tools."""
    documents = hall_documents() | fight(linked("aria", 1, 1), linked("brom", 2, 1))
    documents["campaign.json"] = documents["campaign.json"] | {"settings": {"players": {"tools": TOOLS}}}
    return make_campaign(documents)


def answer(table: Campaign, asked: Json) -> tuple[str, Json]:
    reply = table.process(turn(asked), authority=ARIA)
    return reply["status"], next(iter(reply["tool_feedback"]["failed_calls"]), {})


def action(**args: Any) -> Json:
    return call("execute_action", encounter_id="encounter-1", action_type="dodge", **args)


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        (action(actor_id="brom"), "args.actor_id"),
        (action(actorName="Brom"), "args.actorName"),
        (call("cast_spell", caster_id="brom", spell="Light"), "args.caster_id"),
        (call("update_character", character_id="brom", hp="-5"), "args.character_id"),
        (
            call(
                "manage_inventory",
                operation="transfer",
                character_name="Brom",
                item_name="Rope",
                to_character_id="aria",
            ),
            "args.character_name",
        ),
    ],
)
def test_a_player_cannot_act_as_another_character(table: Campaign, asked: Json, field: str) -> None:
    _, failed = answer(table, asked)
    assert (failed["status"], failed["reason"], failed["hint"]["field"]) == ("rejected", "not_permitted", field)
    assert failed["hint"]["choices"] == ["aria"]
    assert "allowed" not in failed["hint"]


def test_nor_in_an_item_of_a_batch(table: Campaign) -> None:
    others = {"character_id": "brom", "check_type": "initiative"}
    status, failed = answer(table, call("roll_check", batch=[others]))
    assert (status, failed["reason"]) == ("failed", "not_permitted")


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        (action(actor_id="aria", ignore_economy=True), "args.ignore_economy"),
        (call("move_party", operation="status", show_hidden=True), "args.show_hidden"),
    ],
)
def test_a_player_is_no_referee(table: Campaign, asked: Json, field: str) -> None:
    status, failed = answer(table, asked)
    assert (status, failed["reason"]) == ("failed", "not_permitted")
    assert failed["hint"] == {"field": field, "remove": True}


@pytest.mark.parametrize(
    "asked",
    [
        action(actor_id="aria"),
        action(actor_name="aria"),
        call("roll_check", character_name="Aria", check_type="initiative"),
        call("get_character", character_id="brom"),
        call("manage_inventory", operation="list", character_id="brom"),
        call("manage_spell_slots", operation="view", character_id="brom"),
        call("manage_concentration", operation="get", character_id="brom"),
        call("manage_effect", operation="query", target_id="brom"),
    ],
)
def test_a_player_does_what_is_their_own_and_reads_of_others(table: Campaign, asked: Json) -> None:
    assert answer(table, asked) == ("applied", {})


@pytest.mark.parametrize(
    ("tool", "args"),
    [
        ("check_line_of_sight", {"from_id": "aria", "to_id": "lurker"}),
        ("check_cover", {"attacker_id": "aria", "target_id": "lurker"}),
        ("measure_distance", {"from": "aria", "to": "lurker"}),
        ("manage_condition", {"operation": "get", "target_id": "lurker"}),
        ("execute_action", {"actor_id": "aria", "action_type": "attack", "target_id": "lurker", "attack_bonus": 1}),
        ("execute_action", {"actor_id": "aria", "action_type": "shove", "target_id": "lurker"}),
        ("execute_action", {"actor_id": "aria", "action_type": "help", "target_id": "lurker"}),
    ],
)
def test_a_hidden_enemy_is_answered_like_an_unknown_id(make_campaign: MakeCampaign, tool: str, args: Json) -> None:
    told = []
    for who in ("lurker", "nobody"):
        hidden = ephemeral(who, 3, 1) | {"hidden": True} if who == "lurker" else ephemeral("grik", 3, 1)
        documents = hall_documents() | fight(linked("aria", 1, 1), hidden)
        documents["campaign.json"] |= {"settings": {"players": {"tools": [tool]}}}
        encounter = {} if tool == "manage_condition" else {"encounter_id": "encounter-1"}
        _, failed = answer(make_campaign(documents), call(tool, **encounter, **args))
        told.append({key: value for key, value in failed.items() if key != "hint"})
    assert told[0]["reason"] == "not_found"
    assert told[0] == told[1]
