"""The sample campaigns, played by a client of the official SDK: the same turns, the same campaign."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.mcp.harness import (
    ERAS,
    Era,
    begin_sample,
    data,
    server_of,
    talk,
    talk_over_http,
    talk_over_stdio,
    text,
    turns_of_sample,
)
from tests.sampling import sampled

from mcp import Client
from turnwright import Campaign

SAMPLES = ("barrow", "crossing", "delve", "heist")


def turns(name: str) -> list[dict[str, Any]]:
    return [json.loads(path.read_text(encoding="utf-8")) for path in turns_of_sample(name)]


def played(path: Path, name: str) -> tuple[list[str], dict[str, Any]]:
    """Return how the turns of a sample end when a model hands them in, and every document afterwards."""
    with begin_sample(path, name) as campaign:
        return [campaign.process(turn, by_model=True)["status"] for turn in turns(name)], campaign.state


async def play(client: Client, name: str, expected: list[str]) -> None:
    """Hand in the turns of a sample one by one."""
    for turn, status in zip(turns(name), expected, strict=True):
        result = await client.call_tool("submit_turn", turn)
        assert data(result)["status"] == status, text(result)
        assert result.is_error == (status in ("failed", "refused", "retry_needed"))
        assert text(result)


@pytest.mark.parametrize(("name", "era"), sampled([(name, era) for name in SAMPLES for era in ERAS], 3))
def test_a_client_plays_a_sample_as_its_turn_files_do(tmp_path: Path, name: str, era: Era) -> None:
    expected, state = played(tmp_path / "without", name)
    with begin_sample(tmp_path / name, name) as campaign:
        talk(server_of(campaign, tmp_path / name), era, lambda client: play(client, name, expected))
        assert without_ids(campaign.state) == without_ids(state)


@pytest.mark.slow
@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("transport", [talk_over_stdio, talk_over_http])
def test_a_sample_is_the_same_over_the_wire(tmp_path: Path, transport: Any, name: str, era: Era) -> None:
    expected, state = played(tmp_path / "without", name)
    begin_sample(tmp_path / name, name).close()
    transport(tmp_path / name, era, lambda client: play(client, name, expected))
    with Campaign.open(tmp_path / name) as campaign:
        assert without_ids(campaign.state) == without_ids(state)


def without_ids(state: dict[str, Any]) -> dict[str, Any]:
    """Return documents without what differs from campaign to campaign: its id, and when it began."""
    head = {key: value for key, value in state["campaign.json"].items() if key not in ("id", "created_at")}
    return {**state, "campaign.json": head}


@pytest.mark.parametrize("era", sampled(ERAS, 1))
def test_every_call_of_the_barrow_alone_is_one_turn(tmp_path: Path, era: Era) -> None:
    calls = [call for turn in turns("barrow") for call in turn.get("tool_calls", ())]
    done: dict[str, list[bool]] = {}

    async def call_each(client: Client) -> None:
        for call in calls:
            result = await client.call_tool(call["tool"], call["args"])
            done.setdefault(call["tool"], []).append(not result.is_error)
            assert text(result)

    with begin_sample(tmp_path / "barrow", "barrow") as campaign:
        talk(server_of(campaign, tmp_path / "barrow"), era, call_each)
        records = [record for record in campaign.records() if record["kind"] == "turn"]
    assert all(record["agent"] == "narrative" for record in records)
    assert all(len(record["tool_calls"]) == 1 for record in records)
    failed = {name for name, ends in done.items() if not any(ends)}
    assert failed == {"resolve_attack", "use_scroll"}, "the dice fell otherwise; whole turns have them applied"
