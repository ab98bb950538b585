"""Stage 6: a reply belongs to who was given it, as a turn does to who handed it in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import MakeCampaign
from tests.plain import call, clock, documents, hp_delta, move, spoil, turn

from turnwright import Campaign
from turnwright.verifier import verify


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
