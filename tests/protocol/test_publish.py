"""Stage 6: a reply belongs to who was given it, as a turn does to who handed it in."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.builders import Json, call, clock, documents, hp_delta, move, person, spoil, turn
from tests.conftest import MakeCampaign
from tests.tools.hall import changed, ephemeral, fight, hall_documents, linked

from turnwright import Campaign
from turnwright.audit.verify import verify
from turnwright.model.viewer import Viewer
from turnwright.protocol.stage6_publish.publish import project

UNKNOWN = "something that the call names does not exist"


def test_the_next_turn_in_the_same_objects_leaves_earlier_replies_as_they_were(campaign: Campaign) -> None:
    step = move("area_2")
    campaign.process(turn(step))
    step["args"]["to_area_id"] = "area_002"
    reply = campaign.process(turn(step))
    before = json.dumps(reply)
    step["args"]["to_area_id"] = "area_001"
    assert json.dumps(reply) == before
    assert reply["applied_actions"][0]["args"]["to_area_id"] == "area_002"


def test_what_is_done_to_a_turn_and_a_reply_does_not_reach_the_record_that_closes_the_turn(
    make_campaign: MakeCampaign, tmp_path: Path
) -> None:
    campaign = make_campaign(documents(protocol={}))
    campaign.set({"narration.check": "retry"})
    asked = turn(call("move", from_area_id=["x"]), assistant_text="You lose 5 hit points.", turn_id="a")
    reply = campaign.process(asked)
    assert reply["status"] == "retry_needed"
    findings = json.loads(json.dumps(reply["findings"]))
    spoil(reply)
    spoil(asked)
    campaign.process(turn(hp_delta(), turn_id="b"))
    closed = list(campaign.records())[-2]
    assert closed["tool_calls"] == [call("move", from_area_id=["x"])]
    assert closed["conflict_report"]["conflicts"] == findings
    campaign.close()
    assert not verify(tmp_path / "campaign_0").problems


@pytest.mark.parametrize("sample", ["heist", "delve"])
def test_what_is_done_to_turns_and_replies_reaches_no_document(tmp_path: Path, sample: str) -> None:
    folder = tmp_path / sample
    with Campaign.new(folder, sample, seed=sample, clock=clock) as campaign:
        for file in sorted((folder / "turns").glob("*.json")):
            value = _plain_json(file.read_bytes())
            reply = campaign.process(value)
            before = campaign.state
            spoil(reply)
            spoil(value)
            assert campaign.state == before, file.name
    assert not verify(folder).problems


def _plain_json(text: bytes) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return {}


# what players learn of what they asked for themselves

ARIA = "player:aria"
FIGHTING = [
    "execute_action",
    "hp_delta",
    "advance_turn",
    "manage_inventory",
    "manage_notes",
    "roll_check",
    "get_character",
    "get_encounter",
]


@pytest.fixture
def skirmish(make_campaign: MakeCampaign) -> Campaign:
    """Give a fight of Aria and Brom against Ogg and a goblin who hides, whose tools are in the hands of players."""
    people = (
        linked("aria", 1, 1),
        linked("ogg", 2, 1, is_enemy=True),
        ephemeral("goblin", 9, 1, hp=7) | {"hidden": True},
        linked("brom", 4, 1),
    )
    values = hall_documents() | changed("ogg", conditions=[{"condition": "heir of Karn"}]) | fight(*people)
    values["campaign.json"]["settings"] = {"players": {"tools": FIGHTING}}
    return make_campaign(values)


def own(campaign: Campaign, tool: str, args: Json, *, is_judged: bool = True) -> Any:
    """Return what Aria's player is told of the result of a call of theirs."""
    reply = campaign.process({"tool_calls": [call(tool, **args)]}, authority=ARIA)
    assert reply["status"] == "applied", reply
    viewer = Viewer.of(ARIA)
    seen = campaign.project(reply, viewer) if is_judged else project(reply, viewer, own=True)
    (action,) = seen["applied_actions"]
    return action["result"]


STRIKES = {
    "encounter_id": "encounter-1",
    "actor_id": "aria",
    "action_type": "attack",
    "target_id": "ogg",
    "manual_attack_roll": 19,
    "manual_damage_roll": 5,
}


def test_a_player_s_own_blow_tells_how_the_enemy_looks_and_no_numbers_of_theirs(skirmish: Campaign) -> None:
    seen = own(skirmish, "execute_action", STRIKES)
    assert seen["attack"]["result"] == "hit"
    assert seen["target_hp"] == {"look": "hurt"}
    assert {"target_ac", "target_status", "economy"}.isdisjoint({*seen, *seen["attack"]})


@pytest.mark.parametrize(
    ("target", "told"), [("ogg", {"look": "hurt"}), ("brom", {"new_hp": 33, "hp_before": 38}), ("goblin", {})]
)
def test_hit_points_of_others_are_a_look_and_of_who_hides_nothing(
    make_campaign: MakeCampaign, target: str, told: Json
) -> None:
    people = (linked("aria", 1, 1), linked("ogg", 2, 1, is_enemy=True))
    goblin = {"characters/goblin.json": {"id": "goblin", "hp": 7, "max_hp": 7, "character_state": "alive"}}
    values = hall_documents() | goblin | fight(*people, linked("goblin", 5, 5, is_enemy=True, hidden=True))
    values["campaign.json"]["settings"] = {"players": {"tools": FIGHTING}}
    campaign = make_campaign(values)
    assert own(campaign, "hp_delta", {"target_character_id": target, "delta": -5, "cause": "x"}) == told


def test_whose_turn_begins_is_told_without_hit_points_and_who_hides_is_not_awaited(skirmish: Campaign) -> None:
    seen = own(skirmish, "advance_turn", {"encounter_id": "encounter-1"})
    assert seen["previous"] == {"id": "aria", "name": "Aria"}
    assert seen["current"] == {"id": "ogg", "name": "Ogg", "conditions": []}
    assert "goblin" not in json.dumps(seen)
    assert own(skirmish, "advance_turn", {"encounter_id": "encounter-1"})["current"]["name"] == "someone unseen"


@pytest.mark.parametrize(
    ("tool", "args", "is_told"),
    [
        ("manage_inventory", {"operation": "list", "character_id": "aria"}, True),
        ("manage_inventory", {"operation": "list", "character_id": "ogg"}, False),
        ("roll_check", {"character_id": "aria", "check_type": "skill", "skill": "stealth"}, True),
        ("get_character", {"character_id": "brom"}, True),
        ("get_character", {"character_id": "ogg"}, False),
        ("get_encounter", {"encounter_id": "encounter-1"}, False),
        ("manage_notes", {"operation": "list"}, False),
        ("manage_notes", {"operation": "search", "query": "aria"}, False),
    ],
)
def test_what_may_tell_of_others_is_not_told(skirmish: Campaign, tool: str, args: Json, is_told: bool) -> None:
    assert bool(own(skirmish, tool, args)) == is_told


def test_in_a_batch_each_item_is_judged_for_itself(skirmish: Campaign) -> None:
    batch = [{"operation": "list", "character_id": who} for who in ("aria", "ogg")]
    seen = own(skirmish, "manage_inventory", {"batch": batch})
    assert [bool(entry["result"]) for entry in seen["results"]] == [True, False]
    assert (seen["succeeded"], seen["failed"]) == (2, 0)


def test_where_nobody_judges_results_they_are_not_told(skirmish: Campaign, make_campaign: MakeCampaign) -> None:
    assert own(skirmish, "execute_action", STRIKES, is_judged=False) == {}
    reply = make_campaign(documents()).process(turn(move("area_2", "pc_001")), authority="player:pc_001")
    assert reply["applied_actions"] == []
    reply = make_campaign(documents()).process(turn(move("area_002")), authority="player:pc_001")
    (action,) = project(reply, Viewer.of("player:pc_001"), own=True)["applied_actions"]
    assert action["result"] == {"to_area_id": "area_002"}


def test_what_a_player_looks_up_between_turns_is_cut_as_in_a_turn(skirmish: Campaign) -> None:
    def asked(who: str) -> Json:
        found: Json = skirmish.query("get_character", {"character_id": who}, authority=ARIA)
        return found

    assert asked("ogg") == {"ok": True, "result": {}}
    assert asked("brom") == skirmish.query("get_character", {"character_id": "brom"})
    batch = [{"character_id": "brom"}, {"character_id": "og"}]
    of_brom, of_nobody = skirmish.query("get_character", {"batch": batch}, authority=ARIA)["result"]["results"]
    assert of_brom["ok"]
    assert (of_nobody["detail"], "hint" in of_nobody) == (UNKNOWN, False)
    unknown = asked("og")
    assert (unknown["ok"], unknown["reason"]) == (False, "not_found")
    assert unknown["detail"] == UNKNOWN
    assert "ogg" not in json.dumps(unknown)
    assert "ogg" in json.dumps(skirmish.query("get_character", {"character_id": "og"})), "the game master is told"


@pytest.mark.parametrize(
    ("call_of", "values"),
    [
        (lambda name: move("area_002", actor=name), {"protocol": {"actor_context": "reject"}}),
        (lambda name: move("area_002", actor=name), {"protocol": {"actor_context": "strict_error"}}),
        (
            lambda name: hp_delta(1, target=name),
            {
                "people": [person("pc_001", character_state="dying"), person("npc_001", name="Grell")],
                "settings": {"players": {"tools": ["hp_delta"]}},
                "party": ["pc_001"],
            },
        ),
    ],
)
def test_a_player_cannot_learn_from_a_hint_whether_there_is_somebody(
    make_campaign: MakeCampaign, call_of: Callable[[str], Json], values: Json
) -> None:
    campaign = make_campaign(documents(**values))

    def told(name: str) -> str:
        reply = campaign.process(turn(call_of(name)), authority="player:pc_001")
        seen = campaign.project(reply, Viewer.player("pc_001"))
        (failure,) = seen["tool_feedback"]["failed_calls"]
        return json.dumps(failure).replace(name, "X")

    assert told("Grell") == told("Nobody") == told("npc_001")
    assert '"choices": ["pc_001"]' in told("Grell")
