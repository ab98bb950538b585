"""`turnwright prompt` as a person or a program meets it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.dm.city import TEXT, stages, values
from tests.plain import Json, begin, documents

from turnwright.cli.main import run
from turnwright.dm.prompts import prompt_of
from turnwright.model.settings import settings_of
from turnwright.stages.prepare import describe
from turnwright.tools.registry import TOOLS

Prompted = Callable[..., tuple[int, str, str]]


@pytest.fixture
def prompted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Prompted:
    """Give a function that asks for the prompt of a campaign and returns exit code, stdout and stderr."""

    def ask(values: dict[str, Json], *options: str) -> tuple[int, str, str]:
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
        expected = prompt_of(world, settings_of(world.campaign.settings))
    assert given == json.loads(json.dumps(expected._asdict())) | {
        "agent": "dm",
        "tools": [describe(TOOLS[name], "openai") for name in ("set_scene_style", "spend_die", "resolve")],
    }


def test_where_a_player_must_answer_nothing_is_offered(prompted: Prompted) -> None:
    code, out, _ = prompted(stages()["waiting_for_a_choice"])
    assert code == 0
    assert "--- The player's words ---\n\nnone\n" in out
    assert "--- Tools ---\n\nnone\n" in out
    assert out.endswith("none: no output is taken now\n")


def test_another_agent_is_refused_with_those_there_are(prompted: Prompted) -> None:
    code, out, err = prompted(values("encounter"), "--agent", "oracle")
    assert (code, out) == (64, "")
    assert "there is no agent 'oracle'; there is dm" in err


def test_without_a_scene_game_it_says_so(prompted: Prompted) -> None:
    code, out, err = prompted(documents())
    assert (code, out) == (64, "")
    assert "this campaign has no scene game" in err


def test_settings_in_force_are_those_of_the_campaign(prompted: Prompted) -> None:
    city = values("encounter")
    city["campaign.json"]["settings"] = {"scene.stress_max": 12}
    assert "- Stress 4 of 12, functional." in prompted(city)[1]


def test_what_could_steer_a_terminal_is_made_visible(prompted: Prompted) -> None:
    city = values("encounter")
    city["crew.json"]["awaiting"]["player_text"] = "I hide.\x1b[2J"
    assert "I hide.\u241b[2J" in prompted(city)[1]
