"""What a question costs, and calls that come from a short list of tools."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests import builders
from tests.builders import call, documents, hp_delta
from tests.game_master import table as mill
from tests.game_master.playing import Table, calls, says
from tests.toolset.test_offered import sample

from turnwright import Campaign
from turnwright.game_master.prompts.current_request import current_request, token_counts
from turnwright.game_master.prompts.tool_list import DOOR_TOOLS

MAX_TOKENS = {"moment": 6000, "core": 3000, "tiny": 1500}


@pytest.fixture(scope="module")
def barrow(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Campaign]:
    folder = tmp_path_factory.mktemp("barrow")
    return {name: sample(folder / name, "barrow", turns) for name, turns in (("hall", 4), ("fight", 8))}


@pytest.mark.parametrize("profile", MAX_TOKENS)
@pytest.mark.parametrize("moment", ["hall", "fight"])
def test_a_question_keeps_within_its_budget(barrow: dict[str, Campaign], moment: str, profile: str) -> None:
    overrides = {"agents.profile": profile}
    request = current_request(barrow[moment], "I draw my sword and look around.", overrides=overrides)
    counts = token_counts(request)
    assert counts["question"] <= MAX_TOKENS[profile]
    assert counts["question"] == counts["system"] + counts["message"] + counts["tools"]
    names = [tool["function"]["name"] for tool in request.tools]
    assert names[-2:] == list(DOOR_TOOLS)
    assert set(names[:-2]) <= set(request.tool_names)
    assert "execute_action" not in names or moment == "fight"
    if moment == "fight":
        assert {"execute_action", "advance_turn"} <= set(names)
    else:
        assert {"create_encounter", "roll_check"} <= set(names)


def test_the_whole_list_has_all_tools_of_the_agent_and_none_of_the_door(barrow: dict[str, Campaign]) -> None:
    request = current_request(barrow["fight"], "I strike.", overrides={"agents.profile": "full"})
    assert tuple(tool["function"]["name"] for tool in request.tools) == request.tool_names


def test_a_list_that_leaves_nothing_out_has_no_tools_of_the_door(tmp_path: Path) -> None:
    with builders.begin(tmp_path / "c", documents()) as campaign:
        request = current_request(campaign, "I walk.")
    assert tuple(tool["function"]["name"] for tool in request.tools) == request.tool_names


@pytest.fixture
def play(tmp_path: Path) -> Any:
    """Give a function that begins the table at the mill with these answers of its model."""
    opened: list[Table] = []

    def begin(*lines: Any, profile: str = "tiny") -> Table:
        path = tmp_path / str(len(opened))
        opened.append(Table(builders.begin(path, mill.values()), path, *lines, settings={"agents.profile": profile}))
        return opened[-1]

    yield begin
    for one in opened:
        one.campaign.close()


def test_a_call_through_call_tool_is_one_like_any_other(play: Any) -> None:
    inner = {"name": "hp_delta", "arguments": {"target_character_id": "Brom", "delta": -2, "cause": "a fall"}}
    table = play(calls(call("call_tool", "c1", **inner)), says("He falls."))
    assert table.say("Brom climbs").outcome == "answered"
    done = table.records()[-2]
    assert done["applied_actions"][0]["args"]["target_character_id"] == "brom"
    assert done["tool_calls"] == [hp_delta(-2, "brom", "a fall") | {"id": "c1"}]


def test_a_search_is_answered_without_a_turn(play: Any) -> None:
    table = play(calls(call("find_tool", query="rest for the night")), says("You sit down."))
    assert table.say("We rest").outcome == "answered"
    told = table.model.requests[1].messages[-1].text
    found = json.loads(told.partition("\n")[0])["found"]
    assert [tool["name"] for tool in found[0]["tools"]] == ["take_rest"]
    assert "call_tool" in told
    assert [record["tool_calls"] for record in table.records()[-2:] if record.get("tool_calls")] == []


def test_calls_beside_a_search_are_asked_for_again(play: Any) -> None:
    table = play(calls(call("find_tool", query="dice"), hp_delta(-1, "brom")), says("Nothing yet."))
    table.say("We wait")
    assert "were not made" in table.model.requests[1].messages[-1].text
    assert table.campaign.state["characters/brom.json"]["hp"] == 20


@pytest.mark.parametrize("profile", ["moment", "full", "core", "tiny"])
def test_an_agent_gets_no_further_through_call_tool(play: Any, profile: str) -> None:
    inner = {"name": "delete_character", "arguments": {"character_id": "brom"}}
    table = play(calls(call("call_tool", **inner)), says("No."), profile=profile)
    table.say("Away with him")
    assert "characters/brom.json" in table.campaign.state


def test_a_model_that_only_searches_is_stopped(play: Any) -> None:
    table = play(*[calls(call("find_tool", query="dice"))] * 8)
    assert table.say("Go on").outcome == "stuck"
    assert len(table.model.requests) <= 6
