"""`turnwright tools --campaign`: the list and the contract of one campaign, at this moment."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.builders import PEOPLE, area, begin, documents
from tests.cli.conftest import Turnwright
from tests.tools.hall import fight, hall_documents, linked

AREAS = [area("area_001", "area_002"), area("area_002", "area_001")]
ALLOWED = ["move", "hp_delta", "move_options"]


@pytest.fixture
def later(tmp_path: Path) -> Path:
    """Give a campaign of the later contract, where nobody says where they stand."""
    values = documents(PEOPLE, AREAS, allowlist=ALLOWED)
    values["campaign.json"]["protocol"] = {"move_from": "forbidden"}
    begin(tmp_path / "later", values).close()
    return tmp_path / "later"


def test_a_tool_has_the_arguments_that_the_campaign_takes(turnwright: Turnwright, later: Path) -> None:
    for form in ("openai", "anthropic", "mcp", "jsonschema"):
        for options in ([], ["--profile", "full"], ["--profile", "core"]):
            code, out, _ = turnwright("tools", "move", "--campaign", later, "--format", form, *options)
            assert code == 0
            told = {key: value for key, value in json.loads(out).items() if key != "outputSchema"}
            assert "'from_area_id': {" not in str(told)
            assert "'to_area_id': {" in str(told)
    code, out, _ = turnwright("tools", "move", "--campaign", later)
    assert (code, "from_area_id" in out, "`to_area_id`" in out) == (0, False, True)
    assert "from_area_id" in turnwright("tools", "move", "--format", "openai")[1]


def test_the_list_is_that_of_the_moment(turnwright: Turnwright, tmp_path: Path) -> None:
    begin(tmp_path / "calm", hall_documents()).close()
    begin(tmp_path / "fight", hall_documents() | fight(linked("cyra", 0, 0), linked("grik", 1, 0))).close()
    calm, fighting = (turnwright("tools", "--campaign", tmp_path / name)[1] for name in ("calm", "fight"))
    assert "execute_action" not in calm
    assert "execute_action" in fighting
    assert "encounter_id" in turnwright("tools", "execute_action", "--campaign", tmp_path / "calm")[1]


def test_tokens_are_those_of_the_profile(turnwright: Turnwright, tmp_path: Path) -> None:
    begin(tmp_path / "fight", hall_documents() | fight(linked("cyra", 0, 0), linked("grik", 1, 0))).close()
    sums = []
    for options in ([], ["--profile", "full"], ["--profile", "core"], ["--profile", "tiny"]):
        _, out, _ = turnwright("tools", "--campaign", tmp_path / "fight", "--tokens", *options)
        sums.append(int(out.split()[-1]))
    assert sums == sorted(sums, reverse=True)
    assert sums[0] > 30_000
    assert sums[1] <= 9_000
    assert sums[3] <= 700


def test_players_list_their_own_tools(turnwright: Turnwright, later: Path) -> None:
    code, out, _ = turnwright("tools", "--campaign", later, "--as", "player:pc_001")
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()] == ["move", "move_options"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["mvoe"], "did you mean move?"),
        (["hp_delta", "--as", "player:pc_001"], "hp_delta is not for players"),
        (["roll_dice"], "roll_dice is not in the campaign's allowlist"),
        (["zzz"], "lists those there are now"),
        (["--as", "pc_001"], "--as wants gm or player:ID"),
        (["--as", "player:nobody"], "nobody is not in the party"),
    ],
)
def test_what_cannot_be_listed_is_told(turnwright: Turnwright, later: Path, arguments: list[str], told: str) -> None:
    code, out, err = turnwright("tools", "--campaign", later, *arguments)
    assert (code, out) == (64, "")
    assert told in err


def test_a_role_and_a_profile_are_of_a_campaign(turnwright: Turnwright) -> None:
    for options in (["--as", "gm"], ["--profile", "tiny"]):
        code, _, err = turnwright("tools", *options)
        assert code == 64
        assert "use them with --campaign" in err
