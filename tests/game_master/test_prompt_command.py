"""`turnwright prompt` as a person or a program meets it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.builders import Json, begin, call
from tests.game_master.city import TEXT, accepted, stages, values
from tests.game_master.table import values as table

from turnwright import Campaign
from turnwright.cli.main import run
from turnwright.game_master.prompts.scene_prompt import prompt_of
from turnwright.protocol.stage0_prepare.prepare import describe
from turnwright.rulesets.in_use import settings_in
from turnwright.rulesets.toolbox import TOOLS

Prompted = Callable[..., tuple[int, str, str]]


@pytest.fixture
def prompted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Prompted:
    """Give a function that asks for the prompt of a campaign and returns exit code, stdout and stderr."""

    def ask(values: dict[str, Json], *options: str) -> tuple[int, str, str]:
        if not (tmp_path / "city").exists():
            begin(tmp_path / "city", values).close()
        code = run(["prompt", str(tmp_path / "city"), *options])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return ask


def test_people_read_the_prompt_the_tools_and_the_schema(prompted: Prompted) -> None:
    code, out, err = prompted(values("encounter"))
    assert (code, err) == (0, "")
    system, _, rest = out.partition("\n--- The player's words ---\n\n")
    assert system.startswith("# The Weaver\n")
    assert rest.startswith(f"{TEXT}\n\n--- Tools ---\n\nset_scene_style  {TOOLS['set_scene_style'].summary}\n")
    schema = json.loads(rest.partition("--- Schema of the output ---\n")[2])
    assert schema["required"] == ["narration"]


def test_programs_read_one_object(prompted: Prompted, tmp_path: Path) -> None:
    code, out, _ = prompted(values("risky"), "--json")
    assert (code, out.count("\n")) == (0, 1)
    given: dict[str, Any] = json.loads(out)
    with begin(tmp_path / "other", values("risky")) as campaign, campaign.reading() as world:
        expected = prompt_of(world, settings_in(world.campaign))
    assert {key: given[key] for key in ("system", "output_schema", "prompt_id", "actor", "voice")} == {
        "system": expected.system,
        "output_schema": json.loads(json.dumps(expected.output_schema)),
        "prompt_id": expected.prompt_id,
        "actor": expected.actor,
        "voice": "precipice",
    }
    assert (given["agent"], given["messages"]) == ("narrative", [{"role": "player", "text": TEXT}])
    names = ["set_scene_style", "spend_die", "resolve"]
    assert given["tool_names"] == names
    assert given["tools"] == [describe(TOOLS[name], "openai") for name in names]
    assert given["limits"]["temperature"] == 0.8


def test_after_an_accept_alone_the_aftermath_goes_on_until_it_is_told(prompted: Prompted, tmp_path: Path) -> None:
    accept = call("accept", accept_transition="Out through the gate.")
    with begin(tmp_path / "city", values("costly")) as campaign:
        assert campaign.process({"tool_calls": [accept]})["status"] == "applied"
    owed = json.loads(prompted({}, "--json")[1])
    assert (owed["voice"], owed["prompt_id"]) == ("echo", 7)
    assert 'It is done, at a cost: "it is yours"' in owed["system"]
    assert "cost_description" in owed["output_schema"]["properties"]
    with Campaign.open(tmp_path / "city") as campaign:
        told = {"narration": "The gate closes.", "cost_description": "a sleeve", "suggested_actions": ["Go", "Stay"]}
        assert campaign.process({"output": told})["status"] == "applied"
        assert "untold" not in campaign.state["crew.json"]["scene_entry_context"]
    assert json.loads(prompted({}, "--json")[1])["voice"] == "weaver"


def test_an_aftermath_that_was_accepted_before_crews_held_it_is_still_owed(prompted: Prompted, tmp_path: Path) -> None:
    city = accepted()
    del city["crew.json"]["scene_entry_context"]["untold"]
    owed = json.loads(prompted(city, "--json")[1])
    assert owed["voice"] == "weaver"
    assert "cost_description" in owed["output_schema"]["properties"]
    with Campaign.open(tmp_path / "city") as campaign:
        told = {"narration": "The gate closes.", "cost_description": "a sleeve", "suggested_actions": ["Go", "Stay"]}
        assert campaign.process({"output": told})["status"] == "applied"
        assert campaign.state["crew.json"]["recent_costs"][:1] == ["a sleeve"]


def test_where_a_player_must_answer_nothing_is_offered(prompted: Prompted) -> None:
    code, out, _ = prompted(stages()["waiting_for_a_choice"])
    assert code == 0
    assert "--- The player's words ---\n\n(Nobody says anything. Go on.)\n" in out
    assert "--- Tools ---\n\nnone\n" in out
    assert out.endswith("none: no output is taken now\n")


def test_another_agent_is_refused_with_those_there_are(prompted: Prompted) -> None:
    code, out, err = prompted(values("encounter"), "--agent", "oracle")
    assert (code, out) == (64, "")
    assert "there is no agent 'oracle'; there is narrative, combat, npc_individual, npc_puppeteer, summarizer" in err


def test_without_a_scene_game_it_is_that_of_whoever_would_answer(prompted: Prompted) -> None:
    code, out, err = prompted(table(), "--message", "I look around.")
    assert (code, err) == (0, "")
    assert out.startswith("# The narrator\n")
    assert '--- The player\'s words ---\n\n"Mira" says:\n> I look around.\n' in out
    assert re.search(rf"\nmove +{re.escape(TOOLS['move'].summary)}\n", out)
    assert out.endswith("--- Schema of the answer ---\n\nshown by --json\n")
    assert prompted(table(), "--message", "@Marrow hello")[1].startswith('# "Old Marrow"\n')


def test_a_question_is_counted(prompted: Prompted) -> None:
    code, out, _ = prompted(table(), "--message", "I look around.", "--tokens", "--json")
    counts = json.loads(out)
    assert code == 0
    assert counts["question"] == counts["system"] + counts["message"] + counts["tools"]
    tiny = json.loads(prompted({}, "--message", "I look.", "--tokens", "--json", "--set", "agents.profile=tiny")[1])
    assert tiny["question"] < counts["question"]
    rows = prompted({}, "--message", "I look around.", "--tokens")[1].split()
    assert str(counts["question"]) in rows


@pytest.mark.parametrize(
    ("agent", "title"),
    [
        ("narrative", "# The narrator"),
        ("combat", "# The referee of the fight"),
        ("npc_individual", '# "Old Marrow"'),
        ("npc_puppeteer", '# "A guard"'),
        ("summarizer", "# The chronicler"),
    ],
)
def test_each_agent_s_prompt_can_be_asked_for(prompted: Prompted, agent: str, title: str) -> None:
    settings = {"agents": {"individual_npcs": ["marrow"]}}
    code, out, _ = prompted(table(settings=settings), "--agent", agent, "--json")
    assert code == 0
    assert json.loads(out)["agent"] == agent
    assert json.loads(out)["system"].startswith(f"{title}\n")


def test_a_player_is_who_speaks(prompted: Prompted) -> None:
    given = json.loads(prompted(table(), "--as", "player:brom", "--message", "Hm.", "--json")[1])
    assert (given["actor"], given["messages"][-1]["text"]) == ("brom", '"Brom" says:\n> Hm.')
    assert prompted(table(), "--as", "brom")[0] == 64


def test_what_was_said_is_part_of_it(prompted: Prompted, tmp_path: Path) -> None:
    with begin(tmp_path / "city", table(settings={"narration": {"check": "off"}})) as campaign:
        campaign.process({"user_input": "I knock.", "assistant_text": "Nobody comes.", "agent": "narrative"})
    out = prompted({}, "--message", "Again.")[1]
    assert "> I knock.\n\n--- The agent's words ---\n\nNobody comes.\n\n--- The player's words ---\n" in out


def test_a_budget_can_be_tried_out(prompted: Prompted) -> None:
    small = prompted(table(), "--set", "agents.context_tokens=700")[1]
    assert "## Good answers" not in small
    assert "## Good answers" in prompted(table())[1]


def test_settings_in_force_are_those_of_the_campaign(prompted: Prompted) -> None:
    city = values("encounter")
    city["campaign.json"]["settings"] = {"scene.stress_max": 12}
    assert "- Stress 4 of 12, functional." in prompted(city)[1]


def test_what_could_steer_a_terminal_is_made_visible(prompted: Prompted) -> None:
    city = values("encounter")
    city["crew.json"]["awaiting"]["player_text"] = "I hide.\x1b[2J"
    assert "I hide.\u241b[2J" in prompted(city)[1]
