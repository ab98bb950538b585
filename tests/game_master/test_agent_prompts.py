"""The prompts of the agents keep what they promise: tools, examples, advice; and one of each, word for word."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from tests.builders import Json
from tests.game_master.table import ALLOWLIST, PARTY, Log, briefed, fight, fighter, values

from turnwright.game_master.prompts.request_builder import AgentRequest
from turnwright.model.wire.agent import SPEAKERS, AgentKind
from turnwright.model.wire.turn import Turn
from turnwright.protocol.stage0_prepare.prepare import args_schema
from turnwright.rulesets.agent_tools import OPERATIONS_OF, TOOLS_OF
from turnwright.rulesets.toolbox import TOOLS

NARRATIVE, COMBAT, INDIVIDUAL, PUPPETEER, SUMMARIZER = SPEAKERS
WITH_TOOLS = (NARRATIVE, COMBAT, INDIVIDUAL, PUPPETEER)
TEMPLATES = Path(__file__).parents[2] / "engine/turnwright/game_master/templates"
FOLDER = Path(__file__).parent / "golden_agents"
LARGE = {"agents": {"context_tokens": 20_000, "individual_npcs": ["marrow"]}}
HINTS = "## Tool hints (advisory)\n- `roll_check` (recommended): somebody sneaks.\nHints can be wrong.\n"
# Words in backticks that are no tools: keys of an answer, operations, the mark of quoted lines.
OTHER_WORDS = {">", "assistant_text", "tool_calls", "give", "take", "transfer"}
OTHER_WORDS |= {"offer", "start", "decline", "fail", "complete", "complete_objective"}


def log() -> Log:
    """Return what was said before."""
    log = Log()
    log.turn(user_input="We knock.", assistant_text="Nobody comes, but the wheel stops.", agent="narrative")
    log.turn(user_input="I kick the door.", actor_id="brom", assistant_text="It gives way.", agent="narrative")
    log.talk("marrow", "Who are you?", "Who asks?", present_ids=["brom", "guard", "marrow", "mira"])
    log.talk("guard", "And you?", "Nobody.", agent="npc_puppeteer", present_ids=["guard", "marrow", "mira"])
    log.turn(
        user_input="I draw.", agent="narrative", changes={"encounters/encounter-1.json": [{"op": "add", "path": ""}]}
    )
    log.turn(assistant_text="They broke into the mill, and the wolf was faster.", agent="summarizer")
    log.turn(user_input="I strike.", assistant_text="The wolf yelps.", agent="combat")
    return log


def everything(agent: AgentKind, **keys: Any) -> AgentRequest:
    """Return the fullest prompt of an agent."""
    running = fight() if agent in (COMBAT, SUMMARIZER) else None
    party = {INDIVIDUAL: [*PARTY, "marrow"], PUPPETEER: [*PARTY, "guard"]}.get(agent, PARTY)
    message = {INDIVIDUAL: "@Marrow what now?", PUPPETEER: "@guard what now?"}.get(agent, "What now?")
    documents = values(party=party, settings=LARGE, fight=running)
    return briefed(documents, message, log(), **{"agent": agent, "suggestions_block": HINTS, **keys})


def examples(system: str) -> list[Json]:
    return [json.loads(text) for text in re.findall(r"^```json\n(.*?)\n```$", system, re.DOTALL | re.MULTILINE)]


def named(text: str) -> set[str]:
    return set(re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)))


# tools


@pytest.mark.parametrize("agent", SPEAKERS)
def test_every_tool_that_is_named_is_one_of_the_agent_s(agent: AgentKind) -> None:
    words = named(everything(agent).system.partition("## Tool hints")[0]) - OTHER_WORDS
    assert words <= set(TOOLS)
    assert words <= TOOLS_OF[agent]
    assert agent is SUMMARIZER or words


@pytest.mark.parametrize("agent", SPEAKERS)
def test_templates_as_they_are_written_name_no_others(agent: AgentKind) -> None:
    text = re.sub(r"{{.*?}}|{%.*?%}", "", (TEMPLATES / f"{agent}.md.j2").read_text(encoding="utf-8"))
    assert named(text) - OTHER_WORDS <= TOOLS_OF[agent] & set(TOOLS)


@pytest.mark.parametrize("agent", WITH_TOOLS)
def test_each_tool_has_a_line_that_says_when_and_when_not(agent: AgentKind) -> None:
    told = everything(agent)
    lines = {line.split("`")[1]: line for line in told.system.split("\n") if line.startswith("- `") and "`: " in line}
    hinted = told.system.partition("## Tool hints")[2]
    for name in told.tool_names:
        line = lines[name]
        assert re.search(r"\b([Nn]ot|[Nn]ever|Whether it is done)\b", line), line
        assert line not in hinted
    if agent is not NARRATIVE:
        assert set(told.tool_names) == TOOLS_OF[agent] & set(ALLOWLIST)


@pytest.mark.parametrize("agent", WITH_TOOLS)
def test_each_group_of_tools_has_a_worked_example(agent: AgentKind) -> None:
    system = everything(agent).system
    guidance = system.partition("## Tools: when, and when not")[2].partition("## Good answers")[0]
    groups = [set(re.findall(r"^- `(\w+)`", group, re.MULTILINE)) for group in guidance.strip().split("\n\n")]
    called = {one["tool"] for example in examples(system) for one in example["tool_calls"]}
    # Magic in a fight is cast as an action; that its group has an example is seen at `use_scroll`.
    assert [group for group in groups if not group & called] == []
    assert len(groups) >= 4


@pytest.mark.parametrize("agent", WITH_TOOLS)
def test_there_are_enough_examples_and_one_calls_nothing(agent: AgentKind) -> None:
    found = examples(everything(agent).system)
    assert len(found) >= 4
    assert any(not one["tool_calls"] for one in found)
    assert len({json.dumps(one) for one in found}) == len(found)


@pytest.mark.parametrize("agent", SPEAKERS)
def test_every_example_is_a_turn_whose_calls_fit_their_tools(agent: AgentKind) -> None:
    for document in examples(everything(agent).system):
        assert set(document) == {"assistant_text", "tool_calls"}
        Turn.model_validate_json(json.dumps(document))
        for one in document["tool_calls"]:
            assert one["tool"] in TOOLS_OF[agent]
            jsonschema.validate(one["args"], args_schema(TOOLS[one["tool"]]))
            permitted = OPERATIONS_OF.get(agent, {}).get(one["tool"], (one["args"].get("operation"),))
            assert one["args"].get("operation") in permitted


@pytest.mark.parametrize("agent", SPEAKERS)
def test_examples_in_templates_are_all_shown(agent: AgentKind) -> None:
    text = (TEMPLATES / f"{agent}.md.j2").read_text(encoding="utf-8")
    shown = [json.dumps(one) for one in examples(everything(agent).system)]
    assert [json.dumps(one) for one in examples(text)] == shown


def test_a_campaign_with_three_tools_hears_of_three_tools() -> None:
    told = briefed(values(allowlist=["move", "hp_delta", "map_generate"]))
    assert told.tool_names == ("move", "hp_delta", "map_generate")
    assert named(told.system) - OTHER_WORDS == set(told.tool_names)
    assert len(examples(told.system)) == 4


def test_where_a_step_names_no_beginning_no_example_does() -> None:
    documents = values(allowlist=["move"])
    documents["campaign.json"]["protocol"] = {"move_from": "forbidden", "actor_context": "reject"}
    told = briefed(documents)
    assert "from_area_id" not in told.system
    assert "from_area_id" not in json.dumps([tool["function"]["parameters"]["properties"] for tool in told.tools])


# what each has to be told


@pytest.mark.parametrize("agent", WITH_TOOLS)
def test_hints_are_called_advice(agent: AgentKind) -> None:
    told = everything(agent).system
    paragraph = told.partition("## Hints")[2].partition("##")[0]
    assert "advice" in paragraph
    assert "may be wrong" in paragraph
    assert "never hear of them" in paragraph
    assert told.endswith(HINTS)
    assert "## Hints" not in everything(agent, suggestions_block="").system


@pytest.mark.parametrize(
    ("agent", "told"),
    [
        (NARRATIVE, ["giving or receiving needs a call", "then stop", "First ask, then tell"]),
        (COMBAT, ["Tools before telling", "exactly once for each turn", "when an enemy falls", "no enemy is left"]),
        (INDIVIDUAL, ["Talk first", "Never begin or run a fight", "act for a player's character", "paragraphs"]),
        (PUPPETEER, ["Talk first", "Never begin or run a fight", "act for a player's character", "four sentences"]),
        (INDIVIDUAL, ["Giving or receiving needs a call"]),
        (PUPPETEER, ["Giving or receiving needs a call", "Whether it is done is not for you to say"]),
    ],
)
def test_what_matters_most_is_said(agent: AgentKind, told: list[str]) -> None:
    system = everything(agent).system
    assert [words for words in told if words not in system] == []


# word for word

DUE = fight(fighter("wolf", is_enemy=True), fighter("mira"))
CASES: dict[str, Callable[[], AgentRequest]] = {
    **{str(agent): partial(everything, agent, suggestions_block="") for agent in SPEAKERS},
    "combat_small": lambda: briefed(values(settings={"agents": {"context_tokens": 700}}, fight=DUE), "I run.", log()),
    "narrative_small": lambda: briefed(values(settings={"agents": {"context_tokens": 700}}), "I run.", log()),
    "narrative_of_three_tools": lambda: briefed(values(party=["mira"], allowlist=["move", "hp_delta", "map_generate"])),
}


@pytest.mark.parametrize("name", CASES)
def test_the_prompt_is_the_one_that_was_read(name: str, update_golden: bool) -> None:
    case = CASES[name]()
    given = case.system + "".join(f"\n--- {one.role} ---\n{one.text}\n" for one in case.messages)
    path = FOLDER / f"{name}.md"
    if update_golden:
        path.parent.mkdir(exist_ok=True)
        path.write_text(given, encoding="utf-8", newline="\n")
    again = "to remake it: pytest tests/golden tests/game_master --update-golden"
    assert given == path.read_text(encoding="utf-8"), again


def test_every_golden_prompt_is_one_of_these() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(CASES)
