"""The briefing: what goes to the model, and what the turn that it makes carries."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from tests.builders import Json, begin, call, documents
from tests.cached_fixtures import require_a_schema
from tests.game_master.city import EVERYTHING, TEXT, prompt
from tests.game_master.city import values as city
from tests.game_master.table import PARTY, Log, briefed, fight, values

from turnwright import Campaign
from turnwright.game_master import recent_records as recent
from turnwright.game_master.agents import Chosen, limits_of
from turnwright.game_master.prompts.request_builder import AgentRequest, build_request
from turnwright.game_master.recent_records import recent_records
from turnwright.model.settings import settings_of
from turnwright.model.wire.agent import SPEAKERS, AgentKind
from turnwright.protocol.stage0_prepare.prepare import describe
from turnwright.rulesets.agent_tools import OPERATIONS_OF
from turnwright.rulesets.in_use import settings_in
from turnwright.rulesets.registry import BUILT_IN
from turnwright.rulesets.toolbox import TOOLS

NARRATIVE, COMBAT, INDIVIDUAL, PUPPETEER, SUMMARIZER = SPEAKERS
OWN = {"agents": {"individual_npcs": ["marrow"], "default_model": "small", "larger_model": "big"}}


def fits(document: Any, told: AgentRequest) -> bool:
    return jsonschema.Draft202012Validator(told.answer_schema).is_valid(document)


def answer(*calls: Json, text: str = "") -> Json:
    return {"assistant_text": text, "tool_calls": list(calls)}


def tool_of(told: AgentRequest, name: str) -> Json:
    return next(dict(tool["function"]) for tool in told.tools if tool["function"]["name"] == name)


# what the turn carries


def test_the_narrator_speaks_to_everybody_in_nobody_s_voice() -> None:
    told = briefed(values(settings=OWN))
    assert (told.agent, told.speaker_id, told.addressees, told.private) == (NARRATIVE, None, (), False)
    assert (told.actor, told.prompt_id, told.npc_id, told.voice) == ("mira", None, None, "")
    assert (told.model, told.limits) == ("small", limits_of(settings_of(OWN), NARRATIVE))


def test_who_is_played_speaks_to_who_spoke_and_whoever_else_was_named() -> None:
    told = briefed(values(settings=OWN), "@Marrow @Brom come here", private=True, actor_id="mira")
    assert (told.agent, told.npc_id, told.speaker_id) == (INDIVIDUAL, "marrow", "marrow")
    assert (told.addressees, told.private, told.actor) == (("mira", "brom"), True, "mira")
    assert told.model == "big"


def test_a_private_word_to_the_narrator_is_answered_to_who_spoke() -> None:
    told = briefed(values(), "Psst.", actor_id="brom", private=True)
    assert (told.addressees, told.private, told.actor) == (("brom",), True, "brom")


def test_a_member_of_the_party_who_is_played_acts_for_themselves() -> None:
    assert briefed(values(party=[*PARTY, "marrow"]), "@Marrow go").actor == "marrow"
    assert briefed(values(party=[]), "@Marrow go").actor is None


def test_the_agent_can_be_chosen_by_whoever_asks() -> None:
    assert briefed(values(), agent=PUPPETEER).npc_id == "guard"
    chosen = Chosen(PUPPETEER, "marrow", ("marrow",))
    assert briefed(values(), agent=chosen).npc_id == "marrow"


def test_calls_beyond_the_agent_are_told_apart() -> None:
    told = briefed(values(), "@guard sleep well")
    calls = [
        call("manage_inventory", operation="give"),
        call("move", "call_002"),
        call("take_rest", "call_003"),
        "none",
    ]
    refused = [refusal for one in calls if (refusal := told.refusal(one))]
    assert [refusal["id"] for refusal in refused] == ["call_002", "call_003"]
    assert set(refused[0]["hint"]["choices"]) == set(told.tool_names)
    assert briefed(values(allowlist=[])).refusal(call("take_rest")) is None
    assert briefed(city("encounter"), None).refusal(call("execute_action")) is None


# the schema of an answer


def test_an_answer_is_a_text_and_calls_that_are_legal_now() -> None:
    told = briefed(values(allowlist=["move", "hp_delta"]))
    step = call("move", actor_id="mira", from_area_id="mill", to_area_id="ford")
    assert fits(answer(text="Hello."), told)
    assert fits(answer(step), told)
    assert fits(answer(step, call("hp_delta", target_character_id="brom", delta=-1, cause="a stone")), told)
    assert not fits(answer(call("move", actor_id="mira", from_area_id="mill", to_area_id="nowhere")), told)
    assert not fits(answer(call("move", actor_id="brom", from_area_id="mill", to_area_id="ford")), told)
    assert not fits(answer(call("map_generate", parent_area_id=None)), told)
    assert not fits({"tool_calls": []}, told)
    assert not fits({**answer(), "more": 1}, told)
    assert not fits(answer(*[step] * 9), told)


def test_without_a_legal_call_an_answer_is_a_text() -> None:
    told = briefed(values(allowlist=[]))
    assert (told.tools, told.tool_names) == ((), ())
    assert fits(answer(text="Hello."), told)
    assert not fits(answer(call("move")), told)


@pytest.mark.parametrize("agent", SPEAKERS)
def test_the_schema_is_one_and_holds_the_agent_s_tools_alone(agent: AgentKind) -> None:
    settings = {"agents": {**OWN["agents"], "profile": "full"}}
    told = briefed(values(settings=settings, fight=fight() if agent is COMBAT else None), agent=agent)
    require_a_schema(told.answer_schema)
    listed = told.answer_schema["properties"]["tool_calls"].get("items", {})
    calls = listed.get("oneOf", [listed] if listed else [])
    assert tuple(one["properties"]["tool"]["const"] for one in calls) == told.tool_names
    assert tuple(tool["function"]["name"] for tool in told.tools) == told.tool_names


@pytest.mark.parametrize("agent", [INDIVIDUAL, PUPPETEER])
def test_operations_beyond_an_agent_are_offered_nowhere(agent: AgentKind) -> None:
    told = briefed(values(settings=OWN), "@Marrow hello" if agent is INDIVIDUAL else "@guard hello")
    assert told.agent is agent
    for name, operations in OPERATIONS_OF[agent].items():
        assert tool_of(told, name)["parameters"]["properties"]["operation"]["enum"] == list(operations)
        assert not fits(answer(call(name, operation="list")), told)
    assert fits(answer(call("manage_inventory", operation="transfer")), told)
    done = call("manage_quest", operation="complete", quest_id="quest-1")
    assert fits(answer(done), told) is (agent is INDIVIDUAL)
    assert not fits(answer(call("manage_quest", batch=[{"operation": "fail", "quest_id": "quest-1"}])), told)
    assert (
        "complete"
        in describe(TOOLS["manage_quest"], "openai")["function"]["parameters"]["properties"]["operation"]["enum"]
    )


# hints and notes


def test_hints_come_last_before_the_message() -> None:
    block = "## Tool hints (advisory)\n- `move` (recommended): a step.\n"
    plain, hinted = briefed(values()), briefed(values(), suggestions_block=block)
    assert hinted.system.endswith(block)
    assert hinted.messages == plain.messages
    assert "Hints" not in plain.system


@pytest.mark.parametrize("documents", [values(), values(fight=fight()), city("encounter")])
def test_with_suggestions_off_the_prompt_is_that_of_a_build_without_them(documents: dict[str, Json]) -> None:
    without = briefed(documents)
    off = {**documents["campaign.json"], "settings": {"suggestions": {"enabled": False}}}
    assert briefed({**documents, "campaign.json": off}, suggestions_block="") == without


CLAIM = {
    "kind": "missing",
    "claim": "you take the lantern",
    "tool": "manage_inventory",
    "expected": None,
    "actual": None,
    "severity": "error",
    "span": [0, 5],
}


def test_what_was_told_without_a_call_is_noted_for_who_told_it_alone() -> None:
    log = Log()
    log.turn(user_input="I take it.", assistant_text="You take the lantern.", agent="narrative", findings=[CLAIM])
    log.turn(user_input="And now?")
    noting = {"narration": {"check": "note"}, **OWN}
    assert "## Before you go on" in briefed(values(settings=noting), "And now?", log).system
    assert "## Before you go on" not in briefed(values(settings=OWN), "And now?", log).system
    assert "## Before you go on" not in briefed(values(settings=noting), "@Marrow and now?", log).system
    log.turn(assistant_text="It is dark.", agent="narrative")
    assert "## Before you go on" not in briefed(values(settings=noting), "And now?", log).system


# scene games


@pytest.mark.parametrize("name", EVERYTHING)
def test_in_a_scene_game_it_is_the_prompt_of_the_stage(name: str) -> None:
    told, expected = briefed(EVERYTHING[name], None), prompt(EVERYTHING[name])
    assert (told.system, told.tool_names, told.output_schema) == (
        expected.system,
        expected.tools,
        expected.output_schema,
    )
    assert (told.prompt_id, told.actor, told.voice) == (expected.prompt_id, expected.actor, expected.voice)
    assert (told.agent, told.output_schema is not None) == (NARRATIVE, expected.output_schema is not None)
    assert [one.text for one in told.messages] == [expected.user or "(Nobody says anything. Go on.)"]
    require_a_schema(told.answer_schema)


def test_an_answer_of_a_scene_game_is_calls_or_a_document_or_both() -> None:
    told = briefed(city("encounter"), None)
    assert told.messages[0].text == TEXT
    style = call("set_scene_style", style_pressure="urgent")
    assert fits({"output": {"narration": "Fog."}}, told)
    assert fits({"tool_calls": [style], "output": {"narration": "Fog."}}, told)
    assert fits({"tool_calls": [style]}, told)
    wrongs: tuple[Json, ...] = (
        {},
        {"tool_calls": []},
        {"output": {}},
        {"assistant_text": "Fog."},
        {"output": {"narration": 1}},
    )
    assert not any(fits(wrong, told) for wrong in wrongs)


def test_where_no_tool_is_left_a_document_alone_is_taken() -> None:
    told = briefed(city("breaking"), None)
    scar = {"narration": "It tears.", "trauma_assigned": "haunted"}
    assert fits({"output": scar}, told)
    assert not fits({"output": scar, "tool_calls": []}, told)


# from a campaign


def test_the_newest_records_are_read_however_long_the_log_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recent, "RECENT", 3)
    with begin(tmp_path / "c", documents(settings={"narration": {"check": "off"}})) as campaign:
        assert recent_records(campaign) == []
        for number in range(9):
            campaign.process({"user_input": f"I wait {number}."})
        assert [one["seq"] for one in recent_records(campaign)] == [7, 8, 9]
        campaign.undo("turn_0008")
        assert [one["seq"] for one in recent_records(campaign)] == [5, 6, 7, 8, 9, 10]


def test_a_real_exchange_is_remembered(tmp_path: Path) -> None:
    with begin(tmp_path / "c", values(settings={**OWN, "narration": {"check": "off"}})) as campaign:
        asked = {"user_input": "@Marrow psst", "addressees": ["marrow"], "private": True}
        said = {"assistant_text": "What?", "agent": "npc_individual", "speaker_id": "marrow", "addressees": ["mira"]}
        assert campaign.process(asked)["status"] == "empty"
        assert campaign.process({**said, "private": True})["status"] == "empty"
        assert _told(campaign, "@Marrow and?") == ["@Marrow psst", "Old Marrow: What?", "@Marrow and?"]
        assert _told(campaign, "@guard and?") == ["@guard and?"]
        campaign.undo("turn_0001")
        assert _told(campaign, "@Marrow and?") == ["@Marrow and?"]


def _told(campaign: Campaign, message: str) -> list[str]:
    with campaign.reading() as world:
        told = build_request(world, recent_records(campaign), settings_in(world.campaign), message)
    return [one.text.removeprefix('"Mira" says:\n> ') for one in told.messages]


def test_nothing_is_changed_by_asking(tmp_path: Path) -> None:
    with begin(tmp_path / "c", values()) as campaign:
        campaign.flush()
        before = {path: path.read_bytes() for path in sorted(tmp_path.rglob("*.json*"))}
        for agent in SPEAKERS:
            with campaign.reading() as world:
                build_request(
                    world, recent_records(campaign), settings_of({}, BUILT_IN.settings), "I look.", agent=agent
                )
                assert not world.touched
    assert {path: path.read_bytes() for path in sorted(tmp_path.rglob("*.json*"))} == before


def test_a_briefing_is_plain_data() -> None:
    told = briefed(values())
    assert json.loads(json.dumps([told.tools, told.answer_schema])) == [list(told.tools), told.answer_schema]
