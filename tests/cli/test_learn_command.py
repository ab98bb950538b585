from __future__ import annotations

import json
from pathlib import Path

import pytest
from ruamel.yaml import YAML
from tests.builders import begin, hp_delta, turn
from tests.cli.conftest import Turnwright

IDLE = ("I look around", "I talk with the guard", "I listen at the door", "I think about home")


def planted(path: Path, times: int) -> Path:
    """Play messages of which some, in words that no rule knows, are followed by a loss of hit points."""
    with begin(path) as campaign:
        for number in range(times * 4):
            if number % 4:
                campaign.process(turn(user_input=IDLE[number % 4]))
            else:
                campaign.process(turn(user_input="Mira frobnicates herself"))
                campaign.process(turn(hp_delta(0)))
    return path


@pytest.fixture
def campaigns(tmp_path: Path) -> list[Path]:
    return [planted(tmp_path / name, 6) for name in ("a", "b")]


def test_what_was_played_is_proposed_as_yaml_and_nothing_else_is_printed(
    campaigns: list[Path], turnwright: Turnwright
) -> None:
    code, out, err = turnwright("learn", *campaigns)
    assert (code, err) == (0, "")
    [entry] = YAML(typ="safe").load(out)["rules"]["r09_hp_change"]["patterns"].values()
    assert "frobnicates" in entry["pattern"]
    assert "Mira" not in out
    assert "mira" not in out
    assert "tried on no other campaigns" in out


def test_proposals_are_tried_on_the_campaigns_that_are_held_out(
    campaigns: list[Path], tmp_path: Path, turnwright: Turnwright
) -> None:
    other = planted(tmp_path / "other", 2)
    told = json.loads(turnwright("learn", *campaigns, "--holdout", other, "--json")[1])
    assert (told["messages"], told["trial"]["messages"]) == (48, 8)
    assert (told["trial"]["before"]["recall"], told["trial"]["after"]["recall"]) == (0, 1)
    assert told["trial"]["wrong"] == []


def test_proposals_are_written_to_a_file_on_demand(
    campaigns: list[Path], tmp_path: Path, turnwright: Turnwright
) -> None:
    file = tmp_path / "proposals.yaml"
    code, out, _ = turnwright("learn", *campaigns, "-o", file)
    assert (code, out) == (0, f"wrote {file}: 1 proposals from 48 messages\n")
    assert file.read_text() == turnwright("learn", *campaigns)[1]


def test_a_campaign_is_not_held_out_and_learned_from_at_once(campaigns: list[Path], turnwright: Turnwright) -> None:
    assert turnwright("learn", *campaigns, "--holdout", campaigns[0])[0] == 64


@pytest.mark.parametrize("agent", ["dungeon_master", "", "NARRATIVE", "a\x1b[31m", "npc"])
def test_who_is_no_agent_of_ours_is_read_as_one(tmp_path: Path, turnwright: Turnwright, agent: str) -> None:
    paths = [tmp_path / name for name in "ab"]
    for path in paths:
        with begin(path) as campaign:
            for _ in range(6):
                campaign.process(turn(hp_delta(0), user_input="Mira frobnicates herself", agent=agent))
                for idle in IDLE:
                    campaign.process(turn(user_input=idle, agent=agent, assistant_text="Well."))
    code, out, err = turnwright("learn", *paths)
    assert (code, err) == (0, "")
    assert "frobnicates" in out
    for command in (["report"], ["prompt"], ["prompt", "--message=I look around"], ["suggest", "I look around"]):
        code, _, err = turnwright(command[0], paths[0], *command[1:])
        assert (code, err) == (0, ""), command
